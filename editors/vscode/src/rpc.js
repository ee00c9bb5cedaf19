// JSON-RPC over a pair of streams, framed as the Language Server Protocol says.
'use strict';

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
const REQUEST_CANCELLED = -32800;
const CONTENT_MODIFIED = -32801;

// More than any answer of the server needs: what is larger is no header but noise.
const MAX_HEADER = 8 * 1024;
const MAX_BODY = 256 * 1024 * 1024;

class ResponseError extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

// Splits a stream of bytes into messages.
class Reader {
  constructor(onMessage) {
    this.onMessage = onMessage;
    this.chunks = [];
    this.size = 0;
    this.needed = undefined; // the length of the body that is being read
  }

  push(chunk) {
    this.chunks.push(chunk);
    this.size += chunk.length;
    for (;;) {
      if (this.needed === undefined && !this.header()) return;
      if (this.size < this.needed) return;
      const all = this.join();
      const body = all.subarray(0, this.needed).toString('utf8');
      this.rest(all.subarray(this.needed));
      this.needed = undefined;
      this.onMessage(JSON.parse(body));
    }
  }

  header() {
    if (this.size === 0) return false;
    const all = this.join();
    const end = all.indexOf('\r\n\r\n');
    if (end < 0) {
      if (all.length > MAX_HEADER) throw new Error('the server sent no header');
      return false;
    }
    const text = all.subarray(0, end).toString('latin1');
    const length = /^content-length:\s*(\d+)\s*$/im.exec(text);
    if (!length) throw new Error('the server sent a header without Content-Length');
    this.needed = Number(length[1]);
    if (this.needed > MAX_BODY) throw new Error('the server sent a message that is too large');
    this.rest(all.subarray(end + 4));
    return true;
  }

  join() {
    if (this.chunks.length !== 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0];
  }

  rest(bytes) {
    this.chunks = bytes.length > 0 ? [bytes] : [];
    this.size = bytes.length;
  }
}

function frame(message) {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'latin1'), body]);
}

// One end of a conversation. `onRequest(method, params)` answers with a value or a promise;
// undefined means that the method is not known.
class Connection {
  constructor({ input, output, onRequest, onNotification, onError }) {
    this.output = output;
    this.onRequest = onRequest;
    this.onNotification = onNotification;
    this.onError = onError;
    this.pending = new Map();
    this.nextId = 1;
    this.closed = false;
    const reader = new Reader((message) => this.receive(message));
    input.on('data', (chunk) => {
      if (this.closed) return;
      try {
        reader.push(chunk);
      } catch (error) {
        this.close(error);
        this.onError(error);
      }
    });
    // A server that has gone away is noticed by its exit.
    output.on('error', () => {});
  }

  notify(method, params) {
    this.send({ jsonrpc: '2.0', method, params });
  }

  // `token` is a CancellationToken of the editor, or nothing.
  request(method, params, token) {
    if (this.closed) return Promise.reject(new Error('the server is not running'));
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      const cancellation = token?.onCancellationRequested(() => this.notify('$/cancelRequest', { id }));
      const done = (act) => (value) => {
        cancellation?.dispose();
        act(value);
      };
      this.pending.set(id, { resolve: done(resolve), reject: done(reject) });
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  send(message) {
    if (!this.closed && this.output.writable) this.output.write(frame(message));
  }

  receive(message) {
    if (message === null || typeof message !== 'object') return;
    if (message.method !== undefined) {
      if (message.id === undefined || message.id === null) {
        this.guard(() => this.onNotification(message.method, message.params));
      } else {
        this.answer(message);
      }
      return;
    }
    const waiting = this.pending.get(message.id);
    if (!waiting) return;
    this.pending.delete(message.id);
    if (message.error) {
      waiting.reject(new ResponseError(message.error.code, message.error.message, message.error.data));
    } else {
      waiting.resolve(message.result ?? null);
    }
  }

  async answer({ id, method, params }) {
    try {
      const result = await this.onRequest(method, params);
      if (result === undefined) {
        this.send({ jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: `unknown method ${method}` } });
      } else {
        this.send({ jsonrpc: '2.0', id, result });
      }
    } catch (error) {
      this.send({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: String(error?.message ?? error) } });
    }
  }

  guard(act) {
    try {
      act();
    } catch (error) {
      this.onError(error);
    }
  }

  close(error) {
    if (this.closed) return;
    this.closed = true;
    for (const { reject } of this.pending.values()) reject(error ?? new Error('the server has ended'));
    this.pending.clear();
  }
}

module.exports = { Connection, Reader, ResponseError, frame, REQUEST_CANCELLED, CONTENT_MODIFIED };
