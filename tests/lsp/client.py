"""A small client of the language server, for tests: it speaks with the real executable."""
import json, os, queue, subprocess, threading

PATIENCE = 120  # seconds; nothing is measured, this only ends what would hang

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"configuration": True, "workspaceEdit": {"documentChanges": True}},
    "window": {"workDoneProgress": True},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "rename": {"prepareSupport": True},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
    },
}


def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Refused(Exception):
    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]
        self.message = error["message"]


class Client:
    def __init__(self, server, environment=None, folder=None):
        self.process = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder,
                                        env={**os.environ, **(environment or {})})
        self.arrived = queue.Queue()
        self.kept = []  # what arrived and nobody has asked for yet
        self.last = 0
        self.versions = {}
        self.settings = {}  # what the editor answers when it is asked for them
        self.takes_progress = True
        self.listener = threading.Thread(target=self.listen, daemon=True)
        self.listener.start()

    # The wire.

    def listen(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    self.arrived.put(None)
                    return
                if line == b"\r\n":
                    break
                name, value = line.split(b":")
                assert name == b"Content-Length", line
                length = int(value)
            self.arrived.put(json.loads(out.read(length)))

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages):
        self.raw(b"".join(frame({"jsonrpc": "2.0", **m}) for m in messages))

    def notify(self, method, params=None):
        self.send({"method": method, "params": params or {}})

    def ask(self, method, params=None):
        """Sends a request; its number."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params or {}})
        return self.last

    def next(self):
        message = self.arrived.get(timeout=PATIENCE)
        if message is None:
            raise EOFError("the server has ended")
        if "id" in message and "method" in message:
            self.serve(message)
        return message

    def serve(self, message):
        """Answers what the server asks, as an editor does."""
        if message["method"] == "workspace/configuration":
            result = [self.settings for _ in message["params"]["items"]]
        elif message["method"] == "window/workDoneProgress/create" and not self.takes_progress:
            self.send({"id": message["id"], "error": {"code": -32603, "message": "no"}})
            return
        else:
            result = None
        self.send({"id": message["id"], "result": result})

    def wait(self, wanted):
        """The first message that is wanted; others are kept."""
        for i, message in enumerate(self.kept):
            if wanted(message):
                return self.kept.pop(i)
        while True:
            message = self.next()
            if wanted(message):
                return message
            self.kept.append(message)

    def answer(self, number):
        message = self.wait(lambda m: m.get("id") == number and "method" not in m)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def request(self, method, params=None):
        return self.answer(self.ask(method, params))

    def notification(self, method, **wanted):
        return self.wait(lambda m: m.get("method") == method and
                         all(m["params"].get(k) == v for k, v in wanted.items()))["params"]

    # The life of a session.

    def start(self, options=None, capabilities=None):
        result = self.request("initialize", {"processId": os.getpid(), "rootUri": None,
                                             "initializationOptions": options or {},
                                             "capabilities": CAPABILITIES if capabilities is None else capabilities})
        self.notify("initialized")
        return result

    def stop(self):
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.listener.join()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass

    # Documents.

    def open(self, uri, text):
        """Opens it; its diagnostics."""
        self.versions[uri] = 1
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": uri, "languageId": "leto", "version": 1, "text": text}})
        return self.diagnostics(uri)

    def change(self, uri, *changes):
        self.versions[uri] += 1
        self.notify("textDocument/didChange",
                    {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": list(changes)})

    def diagnostics(self, uri):
        """Those of the newest version."""
        return self.notification("textDocument/publishDiagnostics", uri=uri,
                                 version=self.versions[uri])["diagnostics"]

    def doubts(self, uri):
        """What is said of a document that nobody knows the text of."""
        found = self.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri and
                          "version" not in m["params"])["params"]["diagnostics"]
        return [(d["severity"], d["message"]) for d in found]

    def at(self, uri, text, what, skip=0, into=0):
        """A place in a document: that of some text in it."""
        offset = -1
        for _ in range(skip + 1):
            offset = text.index(what, offset + 1)
        return {"textDocument": {"uri": uri}, "position": place(text, offset + into)}


def place(text, offset):
    before = text[:offset]
    line = before[before.rfind("\n") + 1:]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def span(text, what, skip=0):
    offset = -1
    for _ in range(skip + 1):
        offset = text.index(what, offset + 1)
    return {"start": place(text, offset), "end": place(text, offset + len(what))}


def edited(text, edits):
    """The text with the edits of an answer done to it."""
    def offset(at):
        lines = text.split("\n")
        line = lines[at["line"]] if at["line"] < len(lines) else ""
        units = line.encode("utf-16-le")[:2 * at["character"]].decode("utf-16-le")
        return sum(len(one) + 1 for one in lines[:at["line"]]) + len(units)
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        text = text[:offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text
