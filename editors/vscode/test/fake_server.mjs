// A language server that knows nothing of the language. It marks the word `wrong`, answers every
// question with something fixed, and gives out what it was sent. Arguments change its manners:
// `full` asks for whole texts, `bytes` counts bytes, `bare` offers nothing.
const manners = new Set(process.argv.slice(2));
const received = [];
const documents = new Map();
let stopped = false;

const send = (message) => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
  process.stdout.write(body);
};
const span = (line, from, to) => ({ start: { line, character: from }, end: { line, character: to } });
const waiting = new Map();
let nextId = 1000;
const ask = (method, params) =>
  new Promise((resolve) => {
    waiting.set(++nextId, resolve);
    send({ id: nextId, method, params });
  });

function check(uri) {
  const { text, version } = documents.get(uri);
  const diagnostics = text.split('\n').flatMap((line, i) => {
    const at = line.indexOf('wrong');
    if (at < 0) return [];
    return [{
      range: span(i, at, at + 5), message: 'this is wrong', severity: 2, code: 'L0301', source: 'leto', data: { fix: 7 },
      codeDescription: { href: 'https://example.org/L0301' },
      relatedInformation: [{ location: { uri, range: span(0, 0, 1) }, message: 'because of this' }],
    }];
  });
  send({ method: 'textDocument/publishDiagnostics', params: { uri, version, diagnostics } });
}

const answers = {
  initialize: () => ({
    serverInfo: { name: 'fake', version: '1' },
    capabilities: manners.has('bare')
      ? { textDocumentSync: 0 }
      : {
          positionEncoding: manners.has('bytes') ? 'utf-8' : 'utf-16',
          textDocumentSync: { openClose: true, change: manners.has('full') ? 1 : 2, save: { includeText: true } },
          hoverProvider: true,
          definitionProvider: true,
          referencesProvider: true,
          documentSymbolProvider: true,
          documentFormattingProvider: true,
          completionProvider: { triggerCharacters: ['.', '@'], resolveProvider: true },
          codeActionProvider: { codeActionKinds: ['quickfix'], resolveProvider: true },
          renameProvider: { prepareProvider: true },
          executeCommandProvider: { commands: ['fake.received', 'fake.crash', 'fake.edit', 'fake.configuration', 'fake.progress', 'leto.showLog'] },
        },
  }),
  shutdown: () => {
    stopped = true;
    return null;
  },
  'textDocument/hover': () => ({ contents: { kind: 'markdown', value: '**real** `x`' }, range: span(1, 2, 3) }),
  'textDocument/definition': (p) => [{ uri: p.textDocument.uri, range: span(4, 0, 5) }],
  'textDocument/references': (p) => [{ uri: p.textDocument.uri, range: span(p.context.includeDeclaration ? 1 : 2, 0, 5) }],
  'textDocument/documentSymbol': () => [
    { name: 'f', kind: 12, range: span(0, 0, 9), selectionRange: span(0, 5, 6), children: [
      { name: 'x', kind: 13, range: span(0, 7, 8), selectionRange: span(0, 7, 8) }] },
  ],
  'textDocument/formatting': (p) => [{ range: span(0, 0, 0), newText: ' '.repeat(p.options.tabSize) }],
  'textDocument/completion': () => ({
    isIncomplete: true,
    items: [
      { label: 'requires', kind: 14 },
      { label: 'for', kind: 15, insertTextFormat: 2, textEdit: { range: span(0, 0, 2), newText: 'for ($1) {}' } },
    ],
  }),
  'completionItem/resolve': (item) => ({ ...item, documentation: 'a clause' }),
  'textDocument/codeAction': (p) => [
    { title: 'Right it', kind: 'quickfix', diagnostics: p.context.diagnostics, isPreferred: true, data: p.context.diagnostics[0]?.data },
    { title: 'Run it', command: 'fake.received', arguments: [1] },
  ],
  'codeAction/resolve': (action) => ({
    ...action, edit: { changes: { 'file:///project/a.leto': [{ range: span(0, 0, 1), newText: String(action.data.fix) }] } },
  }),
  'textDocument/prepareRename': (p) => (p.position.line === 0 ? null : { range: span(1, 2, 3), placeholder: 'x' }),
  'textDocument/rename': (p) => ({
    documentChanges: [{ textDocument: { uri: p.textDocument.uri, version: 1 }, edits: [{ range: span(1, 2, 3), newText: p.newName }] }],
  }),
  'workspace/executeCommand': async (p) => {
    if (p.command === 'fake.received') return received;
    if (p.command === 'fake.crash') process.exit(9);
    if (p.command === 'fake.configuration') return ask('workspace/configuration', { items: [{ section: 'leto.verifyOnSave' }, { section: 'leto' }] });
    if (p.command === 'fake.edit') {
      const [uri, version] = p.arguments;
      return ask('workspace/applyEdit', {
        edit: { documentChanges: [{ textDocument: { uri, version }, edits: [{ range: span(0, 0, 0), newText: '!' }] }] },
      });
    }
    await ask('window/workDoneProgress/create', { token: 't' });
    send({ method: '$/progress', params: { token: 't', value: { kind: 'begin', title: 'Proving', percentage: 0 } } });
    send({ method: '$/progress', params: { token: 't', value: { kind: 'report', message: '3 of 6', percentage: 50 } } });
    send({ method: '$/progress', params: { token: 't', value: { kind: 'end' } } });
    return ask('unknown/method', {});
  },
};

async function receive(message) {
  if (message.method === undefined) {
    waiting.get(message.id)?.(message.result ?? message.error);
    return;
  }
  received.push({ method: message.method, params: message.params });
  if (message.id !== undefined) {
    const answer = answers[message.method];
    if (!answer) send({ id: message.id, error: { code: -32601, message: 'unknown' } });
    else send({ id: message.id, result: await answer(message.params) });
    return;
  }
  const p = message.params;
  if (message.method === 'textDocument/didOpen') {
    documents.set(p.textDocument.uri, { text: p.textDocument.text, version: p.textDocument.version });
    check(p.textDocument.uri);
  } else if (message.method === 'textDocument/didChange') {
    const d = documents.get(p.textDocument.uri);
    d.version = p.textDocument.version;
    for (const { range, text } of p.contentChanges) {
      if (!range) {
        d.text = text;
        continue;
      }
      const lines = d.text.split('\n');
      const { start, end } = range;
      lines[start.line] = lines[start.line].slice(0, start.character) + text + lines[end.line].slice(end.character);
      lines.splice(start.line + 1, end.line - start.line);
      d.text = lines.join('\n');
    }
    check(p.textDocument.uri);
  } else if (message.method === 'exit') {
    process.exit(stopped ? 0 : 1);
  }
}

let rest = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest = Buffer.concat([rest, chunk]);
  for (;;) {
    const head = rest.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, head).toString())[1]);
    if (rest.length < head + 4 + length) return;
    const body = rest.subarray(head + 4, head + 4 + length).toString();
    rest = rest.subarray(head + 4 + length);
    receive(JSON.parse(body));
  }
});
