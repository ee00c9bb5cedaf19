#!/usr/bin/env python3
"""wire_test.py LETO_LSP: what the language server says over the wire, to the letter."""
import os, random, shutil, subprocess, sys, tempfile, time, unittest
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import CAPABILITIES, Client, PATIENCE, Refused, edited, frame, place, span

SERVER = None
URI = "untitled:Untitled-1"
GOOD = """use model additive_seu;

// Twice, on hardware that may be off by a little.
requires_r eq(x)
ensures_r abs(result<o> - result<r>) < model.eps
real twice(real x) {
    real y = x +. x;
    return y;
}
"""
LOOP = """use model additive_seu;

property_r close(vector<real> v, uint upto):
    forall(uint k)(k < upto<r> -> abs(v<o>[k] - v<r>[k]) < model.eps);

requires_r eq(n) && eq(x) && eq(y)
vector<real> product(uint n, vector<real> x(n), vector<real> y(n)) {
    vector<real> z(n);
    @label(l) for (uint i = 0; i < n; ++i) {
        z[i] = x[i] *. y[i];
    }
    assert_r close(z, n);
    return z;
}
"""
WRONG = """use model additive_seu;

requires_r eq(x)
real f(real x) {
    real y = x *. x;
    assert_r eq(y);
    return y;
}
"""
WEAK = """requires n > 0
int f(int n) {
    int i = 0;
    @noinf while (i < n) {
        i = i + 1;
    }
    assert i == n;
    return i;
}
"""


class Wire(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def client(self, options=None, capabilities=None, started=True, settings=None):
        client = Client(SERVER, {"LETO_CACHE": os.path.join(self.folder, "cache"), "LETO_MODEL_PATH": ""},
                        self.folder)
        self.addCleanup(client.__exit__)
        client.settings = settings or {}
        if started:
            client.start(options, capabilities)
        return client

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return "file://" + path.replace(" ", "%20")

    def refused(self, code, call, *arguments):
        with self.assertRaises(Refused) as caught:
            call(*arguments)
        self.assertEqual(caught.exception.code, code, caught.exception.message)
        return caught.exception.message


class Life(Wire):
    def test_what_is_announced(self):
        c = self.client(started=False)
        result = c.start()
        self.assertEqual(result["serverInfo"]["name"], "leto-lsp")
        self.assertEqual(result["capabilities"], {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": True}},
            "hoverProvider": True, "definitionProvider": True, "referencesProvider": True,
            "documentSymbolProvider": True, "documentFormattingProvider": True,
            "completionProvider": {"triggerCharacters": [".", "@", " "]},
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
            "renameProvider": {"prepareProvider": True},
            "executeCommandProvider": {"commands": ["leto.verify"]},
        })
        self.assertEqual(c.stop(), 0)

    def test_first_initialize(self):
        c = self.client(started=False)
        self.refused(-32002, c.request, "textDocument/hover")
        c.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "version": 1, "text": "x"}})
        c.start()
        self.refused(-32600, c.request, "initialize", {"capabilities": {}})
        self.refused(-32602, c.request, "textDocument/documentSymbol", {"textDocument": {"uri": URI}})

    def test_after_shutdown(self):
        c = self.client()
        self.assertIsNone(c.request("shutdown"))
        self.refused(-32600, c.request, "shutdown")
        self.refused(-32600, c.request, "textDocument/hover")
        c.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "version": 1, "text": "x"}})
        c.notify("exit")
        self.assertEqual(c.process.wait(PATIENCE), 0)

    def test_ends(self):
        c = self.client()
        c.notify("exit")
        self.assertEqual(c.process.wait(PATIENCE), 1)
        c = self.client(started=False)
        c.process.stdin.close()
        self.assertEqual(c.process.wait(PATIENCE), 1)
        c = self.client()
        c.request("shutdown")
        c.process.stdin.close()
        self.assertEqual(c.process.wait(PATIENCE), 0)

    def test_options(self):
        run = lambda *options, **more: subprocess.run([SERVER, *options], capture_output=True, timeout=PATIENCE, **more)
        self.assertTrue(run("--version").stdout.startswith(b"leto-lsp "))
        self.assertEqual(run("--nothing").returncode, 2)
        self.assertEqual(run("--stdio", input=frame({"jsonrpc": "2.0", "method": "exit"})).returncode, 1)

    def test_nobody_reads(self):
        """What cannot be said goes nowhere: to no file, and not to the server's harm."""
        messages = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
        messages += b"".join(frame({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": {
            "uri": "untitled:%d" % i, "version": 1, "text": "wrong"}}}) for i in range(50))
        messages += frame({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}) + frame({"jsonrpc": "2.0", "method": "exit"})
        for redirection in (">&-", "| true", "> /dev/full"):
            ended = subprocess.run(["bash", "-c", 'set -o pipefail; "$0" ' + redirection, SERVER], input=messages,
                                   timeout=PATIENCE, stderr=subprocess.DEVNULL)
            self.assertEqual(ended.returncode, 0, redirection)

    def test_settings_are_asked_for(self):
        text = "real f(real x) {\n    return x +. model.eps;\n}\n"
        c = self.client(settings={"model": "additive_seu"})
        asked = c.wait(lambda m: m.get("method") == "workspace/configuration")
        self.assertEqual(asked["params"], {"items": [{"section": "leto"}]})
        c.open(URI, text)
        c.change(URI, {"text": text + "\n"})
        self.assertEqual(c.diagnostics(URI), [])
        c.notify("workspace/didChangeConfiguration", {"settings": {"leto": {"model": "unbounded_seu"}}})
        self.assertEqual([d["code"] for d in c.diagnostics(URI)], ["L0306"])

    def test_the_option_names_a_model(self):
        text = "real f(real x) {\n    return x +. model.eps;\n}\n"
        self.assertEqual(self.client({"model": "additive_seu"}).open(URI, text), [])
        mine = os.path.join(self.folder, "models")
        os.mkdir(mine)
        with open(os.path.join(mine, "own.leto"), "w") as file:
            file.write("model own {\n    const real eps;\n\n    operator +(real a, real b)\n        ensures true;\n}\n")
        for path in (mine, [mine]):
            c = self.client({"model": "own", "modelPath": path})
            self.assertEqual(c.open(URI, text), [])


class Malformed(Wire):
    def error(self, c):
        message = c.wait(lambda m: "error" in m and m["id"] is None)
        return message["error"]["code"]

    def test_messages_that_are_none(self):
        c = self.client()
        for body, code in [(b"{", -32700), (b"", -32700), (b"\xff\xfe", -32700), (b"[]", -32600),
                           (b"3", -32600), (b"null", -32600), (b"[" * 100000, -32700), (b"{}", -32600),
                           (b'{"jsonrpc":"1.0","method":"x"}', -32600), (b'{"jsonrpc":"2.0","method":3}', -32600),
                           (b'{"jsonrpc":"2.0","method":"x","params":3}', -32600),
                           (b'{"jsonrpc":"2.0","id":{},"method":"x"}', -32600),
                           (b'{"jsonrpc":"2.0","id":null,"method":"x"}', -32600),
                           (b'{"jsonrpc":"2.0","id":"\xc3","method":"x"}', -32700)]:
            c.raw(frame(body))
            self.assertEqual(self.error(c), code, body[:40])
        c.raw(frame(b'{"id":7}'))
        self.refused(-32600, c.answer, 7)
        c.raw(frame(b'{"jsonrpc":"2.0","id":8,"result":null}'))  # of nothing that was asked
        self.refused(-32601, c.request, "textDocument/nothing")
        self.refused(-32601, c.request, "$/nothing")
        c.notify("$/nothing")
        c.notify("nothing")
        self.assertEqual(c.stop(), 0)

    def test_frames_that_are_none(self):
        c = self.client()
        for head in [b"X-Other: 3\r\n\r\n", b"Content-Length: x\r\n\r\n", b"Content-Length: -1\r\n\r\n",
                     b"Content-Length: 99999999999999999999999\r\n\r\n", b"\r\n", b"\n"]:
            c.raw(head)
            self.assertEqual(self.error(c), -32700, head)
        size = (64 << 20) + 1
        c.raw(b"Content-Length: %d\r\n\r\n" % size + b"x" * size)
        self.assertEqual(self.error(c), -32700)
        self.assertEqual(c.stop(), 0)

    def test_random_bytes(self):
        for seed in range(12):
            chance = random.Random(seed)
            c = self.client()
            for _ in range(40):
                kind = chance.randrange(3)
                if kind == 0:
                    c.raw(bytes(chance.randrange(256) for _ in range(chance.randrange(300))) + b"\r\n\r\n")
                elif kind == 1:
                    c.raw(frame(bytes(chance.randrange(32, 127) for _ in range(chance.randrange(100)))))
                else:
                    c.notify("textDocument/didChange", {"textDocument": chance.choice([None, 3, {"uri": "x"}])})
            c.raw(b"\r\n\r\n")
            self.assertEqual(c.stop(), 0)

    def test_cut_off(self):
        whole = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
        for length in range(0, len(whole), 7):
            c = self.client(started=False)
            c.raw(whole[:length])
            c.process.stdin.close()
            self.assertEqual(c.process.wait(PATIENCE), 1)

    def test_parameters_that_are_none(self):
        c = self.client()
        c.open(URI, GOOD)
        for method in ["hover", "definition", "references", "documentSymbol", "completion", "formatting",
                       "codeAction", "prepareRename", "rename"]:
            for params in [{}, [], {"textDocument": 3}, {"textDocument": {"uri": 3}},
                           {"textDocument": {"uri": "untitled:other"}}, {"textDocument": {"uri": "nothing"}},
                           {"textDocument": {"uri": "file:///a%zz"}}]:
                self.refused(-32602, c.request, "textDocument/" + method, params)
        for position in [None, 3, {}, {"line": "x", "character": 0}, {"line": 0}, {"line": 0.5, "character": 0}]:
            self.refused(-32602, c.request, "textDocument/hover",
                         {"textDocument": {"uri": URI}, "position": position})
        for line, character in [(-1, -1), (10 ** 9, 10 ** 9), (2 ** 63, 2 ** 64 - 1), (0, 10 ** 6)]:
            c.request("textDocument/hover", {"textDocument": {"uri": URI},
                                             "position": {"line": line, "character": character}})
        self.refused(-32602, c.request, "textDocument/rename", c.at(URI, GOOD, "twice"))
        self.refused(-32602, c.request, "workspace/executeCommand", {"command": "rm"})
        self.refused(-32602, c.request, "workspace/executeCommand", {"command": "leto.verify", "arguments": [3]})
        self.refused(-32602, c.request, "workspace/executeCommand",
                     {"command": "leto.verify", "arguments": ["untitled:other"]})
        for params in [{}, {"textDocument": {"uri": URI}}, {"textDocument": {"uri": URI, "version": 9},
                       "contentChanges": [3]}, {"textDocument": {"uri": URI}, "contentChanges": [{"text": 1}]},
                       {"textDocument": {"uri": URI}, "contentChanges": [{"range": 3, "text": ""}]}]:
            c.notify("textDocument/didChange", params)
            c.notify("textDocument/didOpen", params)
            c.notify("textDocument/didSave", {"text": params})
            c.notify("window/workDoneProgress/cancel", params)
        c.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "version": 10, "text": GOOD}})
        self.assertEqual(len(c.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})), 1)

    def test_cancelled_before_it_begins(self):
        c = self.client()
        c.open(URI, GOOD)
        hover = {"method": "textDocument/hover", "params": c.at(URI, GOOD, "twice")}
        c.send({"id": 100, **hover}, {"id": 101, **hover},
               {"method": "$/cancelRequest", "params": {"id": 101}},
               {"method": "$/cancelRequest", "params": {"id": "nobody"}})
        self.assertIsNotNone(c.answer(100))
        try:
            self.assertIsNotNone(c.answer(101))
        except Refused as refused:
            self.assertEqual(refused.code, -32800)


class Texts(Wire):
    def test_what_is_wrong(self):
        c = self.client()
        text = GOOD.replace("return y", "return yy").replace("x +. x", "x + /* \U0001F600 */ xs")
        found = c.open(URI, text)
        self.assertEqual([(d["code"], d["severity"], d["source"], d["range"], d["message"]) for d in found], [
            ("L0301", 1, "leto", span(text, "xs"), "no variable named 'xs' is in scope\nhelp: did you mean 'x'?"),
            ("L0301", 1, "leto", span(text, "yy"), "no variable named 'yy' is in scope\nhelp: did you mean 'y'?")])
        c.change(URI, {"range": span(text, "xs"), "text": "x"}, {"range": span(text, "yy"), "text": "y"})
        self.assertEqual(c.diagnostics(URI), [])

    def test_notes_point_elsewhere(self):
        c = self.client()
        text = "void f(real x) {\n    real x = 1;\n}\n"
        found = c.open(URI, text)
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0]["relatedInformation"], [
            {"location": {"uri": URI, "range": span(text, "x")}, "message": "the other one is declared here"}])
        plain = self.client(capabilities={})
        found = plain.open(URI, text)
        self.assertNotIn("relatedInformation", found[0])
        self.assertIn("note: untitled:Untitled-1:1:13: the other one is declared here", found[0]["message"])

    def test_no_model(self):
        text = "real f(real x) {\n    return x *. x;\n}\n"
        found = self.client().open(URI, text)
        self.assertEqual([(d["severity"], d["range"]) for d in found], [(3, span(text, "*."))])
        self.assertTrue(found[0]["message"].startswith("no model is picked, so this is exact"))

    def test_incremental_changes_add_up(self):
        c = self.client()
        chance = random.Random(7)
        text = "// \U0001F600\u00e4\n" + GOOD
        c.open(URI, text)
        for _ in range(60):
            begin = chance.randrange(len(text) + 1)
            end = min(len(text), begin + chance.randrange(12))
            new = chance.choice(["", "x", "\n", "\U0001F600", "\u20ac y", "}", "real q = 1;\n"])
            c.change(URI, {"range": {"start": place(text, begin), "end": place(text, end)}, "text": new})
            text = text[:begin] + new + text[end:]
        other = "untitled:other"
        self.assertEqual(c.diagnostics(URI), c.open(other, text))

    def test_ranges_out_of_bounds(self):
        c = self.client()
        c.open(URI, GOOD)
        far = {"line": 10 ** 9, "character": 10 ** 9}
        c.change(URI, {"range": {"start": far, "end": far}, "text": "\nvoid g() {}\n"})
        self.assertEqual(c.diagnostics(URI), [])
        c.change(URI, {"range": {"start": far, "end": {"line": 0, "character": 0}}, "text": "void h() {}\n"})
        self.assertEqual(c.diagnostics(URI), [])
        names = c.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual([n["name"] for n in names], ["h"])

    def test_open_documents_stand_before_files(self):
        c = self.client()
        parts = self.write("parts of it.leto", "property small(real x):\n    x < 1;\n")
        text = 'import "parts of it.leto";\n\nvoid f(real x) {\n    assert small(x) || true;\n}\n'
        main = self.write("main.leto", text)
        self.assertEqual(c.open(main, text), [])
        c.open(parts, "property tiny(real x):\n    x < 1;\n")
        self.assertEqual([d["code"] for d in c.diagnostics(main)], ["L0301"])
        c.change(parts, {"text": "property small(real x):\n    x < yy;\n"})
        found = c.diagnostics(main)
        self.assertEqual([(d["code"], d["range"]) for d in found], [("L0301", span(text, '"parts of it.leto"'))])
        self.assertEqual(found[0]["message"],
                         "in parts of it.leto:2:9: no variable named 'yy' is in scope")
        self.assertEqual(found[0]["relatedInformation"][0]["location"]["uri"], parts)
        c.notify("textDocument/didClose", {"textDocument": {"uri": parts}})
        self.assertEqual(c.diagnostics(main), [])
        os.remove(os.path.join(self.folder, "parts of it.leto"))
        c.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": parts, "type": 3}]})
        self.assertEqual(c.diagnostics(main)[0]["severity"], 1)

    def test_closing_clears(self):
        c = self.client()
        c.open(URI, "nonsense")
        c.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        closed = c.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and "version" not in m["params"])
        self.assertEqual(closed["params"], {"uri": URI, "diagnostics": []})

    def test_large_documents(self):
        c = self.client()
        line = "x " * 500000
        self.assertTrue(c.open(URI, line))
        c.request("textDocument/references", {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 3}})
        for deep in ("(" * 1000000, "{" * 1000000, "/*" * 500000, "@" * 1000000, "a.b[" * 250000, "\0" * 1000000):
            c.change(URI, {"text": "void f() {\n    x = " + deep})
            self.assertTrue(c.diagnostics(URI))
            c.request("textDocument/completion", {"textDocument": {"uri": URI}, "position": {"line": 9, "character": 9}})
        many = "".join("real f%d(real x) {\n    return x + x;\n}\n" % i for i in range(20000))
        c.change(URI, {"text": many})
        self.assertEqual(c.diagnostics(URI), [])
        found = c.request("textDocument/references", c.at(URI, many, "x", skip=1))
        self.assertEqual(len(found), 3)


class Answers(Wire):
    def setUp(self):
        super().setUp()
        self.c = self.client()

    def at(self, method, uri, text, what, skip=0, into=0, **more):
        return self.c.request("textDocument/" + method, {**self.c.at(uri, text, what, skip, into), **more})

    def hover(self, text, what, skip=0, into=0):
        found = self.at("hover", URI, text, what, skip, into)
        return found and found["contents"]["value"]

    def test_definition(self):
        self.c.open(URI, LOOP)
        def defined(what, skip=0, into=0):
            return self.at("definition", URI, LOOP, what, skip, into)
        here = lambda what, skip=0: [{"uri": URI, "range": span(LOOP, what, skip)}]
        self.assertEqual(defined("z[i]"), here("z"))
        self.assertEqual(defined("close", 1), here("close"))
        self.assertEqual(defined("v<o>"), here("v", LOOP[:LOOP.index("> v,") + 3].count("v") - 1))
        library = defined("additive_seu")
        self.assertEqual(len(library), 1)
        self.assertTrue(library[0]["uri"].endswith("/share/leto/models/additive_seu.leto"))
        self.assertEqual(library[0]["range"]["start"], {"line": 5, "character": 6})
        self.assertTrue(defined("eps")[0]["uri"].endswith("/share/leto/models/additive_seu.leto"))
        self.assertIsNone(defined("for ("))

    def test_problems(self):
        text = ("problem half {\n    input uint n;\n    output uint h;\n    right 2 * h == n || 2 * h + 1 == n;\n"
                "    right h <= n;\n    example (n = 4, h = 2) right;\n    example (n = 4, h = 3) wrong;\n}\n"
                "checker by_double for half {\n    return (2 * h == n || 2 * h + 1 == n) && h <= n;\n}\n"
                "reliability 0 <= R(half(n; result))\nuint halve(uint n) {\n    uint h = n / 2;\n"
                "    assert half .right(n; h);\n    assert half.right(n; h);\n    return h;\n}\n")
        self.c.open(URI, text)
        def defined(what, skip=0, into=0):
            return self.at("definition", URI, text, what, skip, into)
        declared = [{"uri": URI, "range": span(text, "half")}]
        for use in ["half {\n    return", "half(n", "half .right", "half.right"]:
            self.assertEqual(defined(use), declared, use)
        first = [{"uri": URI, "range": span(text, "right 2 * h == n || 2 * h + 1 == n;")}]
        self.assertEqual(defined("half.right", into=5), first)
        self.assertEqual(defined("half .right", into=6), first)
        right = ("```leto\nproblem half\n    right 2 * h == n || 2 * h + 1 == n;\n    right h <= n;\n```\n"
                 "These clauses, as far as their challengers are named.")
        self.assertEqual(self.hover(text, "half.right", into=6), right)
        self.assertEqual(self.hover(text, "half(n"), (
            "```leto\nproblem half\n    input uint n;\n    output uint h;\n    right 2 * h == n || 2 * h + 1 == n;\n"
            "    right h <= n;\n```\nA problem."))
        # A parameter's use in a bound is no longer than its name.
        self.assertEqual(self.hover(text, "n; result"), "```leto\nuint n\n```\nA parameter.")

    def test_definition_of_an_import(self):
        parts = self.write("parts.leto", "property small(real x):\n    x < 1;\n")
        text = 'import "parts.leto";\n\nvoid f(real x) {\n    assert small(x) || true;\n}\n'
        main = self.write("main.leto", text)
        self.c.open(main, text)
        found = self.at("definition", main, text, "parts")
        self.assertEqual([l["uri"] for l in found], [parts])
        found = self.at("definition", main, text, "small")
        self.assertEqual(found, [{"uri": parts, "range": {"start": {"line": 0, "character": 9},
                                                          "end": {"line": 0, "character": 14}}}])

    def test_references(self):
        self.c.open(URI, LOOP)
        found = self.at("references", URI, LOOP, "upto", context={"includeDeclaration": True})
        self.assertEqual([r["range"] for r in found], [span(LOOP, "upto"), span(LOOP, "upto", 1)])
        found = self.at("references", URI, LOOP, "upto", context={"includeDeclaration": False})
        self.assertEqual([r["range"] for r in found], [span(LOOP, "upto", 1)])
        text = "model m {\n    bool hit = false;\n\n    @label(a)\n    operator *(real a, real b)\n" \
               "        when !hit\n        modifies hit\n        ensures hit && result == a * b;\n}\n\n" \
               "model n refines m {\n    import m.a;\n}\n\nuse model n;\n"
        self.c.change(URI, {"text": text})
        self.assertEqual(self.c.diagnostics(URI), [])
        hits = self.at("references", URI, text, "hit")
        self.assertEqual([r["range"] for r in hits], [span(text, "hit", i) for i in range(4)])
        labels = self.at("references", URI, text, "m.a", into=2)
        self.assertEqual([r["range"]["start"] for r in labels],
                         [place(text, text.index("(a)") + 1), place(text, text.index("m.a") + 2)])

    def test_references_of_a_loop_that_is_left(self):
        text = "void f(int n) {\n    @label(outer) while (n > 0) {\n        while (true) {\n" \
               "            break outer;\n        }\n    }\n}\n"
        self.c.open(URI, text)
        found = self.at("references", URI, text, "outer")
        self.assertEqual([r["range"] for r in found], [span(text, "outer"), span(text, "outer", 1)])

    def test_rename(self):
        self.c.open(URI, LOOP)
        prepared = self.at("prepareRename", URI, LOOP, "z[i]")
        self.assertEqual(prepared, {"range": span(LOOP, "z", 1), "placeholder": "z"})
        edit = self.at("rename", URI, LOOP, "z[i]", newName="out")
        self.assertEqual(edit["documentChanges"][0]["textDocument"], {"uri": URI, "version": 1})
        renamed = edited(LOOP, edit["documentChanges"][0]["edits"])
        self.assertEqual(renamed, LOOP.replace("z(n)", "out(n)").replace("z[i]", "out[i]")
                         .replace("close(z", "close(out").replace("return z", "return out"))
        edit = self.at("rename", URI, LOOP, "v<o>", newName="w")
        self.assertIn("abs(w<o>[k] - w<r>[k])", edited(LOOP, edit["documentChanges"][0]["edits"]))
        for name, why in [("while", "'while' is a keyword"), ("result", "'result' has a meaning of its own"),
                          ("abs", "'abs' has a meaning of its own"), ("1x", "'1x' is not a name"),
                          ("", "'' is not a name"), ("a b", "'a b' is not a name"),
                          ("x", "'x' means something else there already"),
                          ("i", "'i' means something else there already"),
                          ("repeat", None), ("product", None)]:
            try:
                self.at("rename", URI, LOOP, "z[i]", newName=name)
                self.assertIsNone(why, name)
            except Refused as refused:
                self.assertEqual(refused.code, -32803)
                if why:
                    self.assertEqual(refused.message, why)
        for what, why in [("for (", "there is no name here that could be renamed"),
                          ("additive_seu", "'additive_seu' belongs to the library of models"),
                          ("eps", "'eps' belongs to the library of models")]:
            self.assertEqual(self.refused(-32803, self.at, "prepareRename", URI, LOOP, what), why)
        self.c.change(URI, {"text": GOOD})
        self.assertEqual(self.refused(-32803, self.at, "prepareRename", URI, GOOD, "result<o>"),
                         "'result' belongs to the language")
        self.c.change(URI, {"text": GOOD + "nonsense"})
        self.refused(-32803, self.at, "prepareRename", URI, GOOD, "twice")

    def test_rename_across_files(self):
        parts_text = "property small(real x):\n    x < 1;\n"
        parts = self.write("parts.leto", parts_text)
        text = 'import "parts.leto";\n\nvoid f(real x) {\n    assert small(x) || true;\n}\n'
        main = self.write("main.leto", text)
        self.c.open(main, text)
        self.c.open(parts, parts_text)
        edit = self.at("rename", parts, parts_text, "small", newName="tiny")
        changes = {c["textDocument"]["uri"]: c for c in edit["documentChanges"]}
        self.assertEqual(set(changes), {main, parts})
        self.assertEqual(edited(text, changes[main]["edits"]), text.replace("small", "tiny"))
        self.assertEqual(edited(parts_text, changes[parts]["edits"]), parts_text.replace("small", "tiny"))
        self.assertEqual(self.refused(-32803, lambda: self.at("rename", parts, parts_text, "small", newName="f")),
                         "'f' means something else there already")

    def test_rename_of_everything(self):
        """Each name of a program, one by one: what comes out means the same and has no errors."""
        for text in (LOOP, GOOD, WRONG):
            self.c.open(URI, text)
            uri = "untitled:renamed"
            self.c.open(uri, "")
            for offset in range(0, len(text)):
                try:
                    edit = self.c.request("textDocument/rename", {
                        "textDocument": {"uri": URI}, "position": place(text, offset), "newName": "fresh"})
                except Refused as refused:
                    self.assertEqual(refused.code, -32803)
                    continue
                self.c.change(uri, {"text": edited(text, edit["documentChanges"][0]["edits"])})
                self.assertEqual(self.c.diagnostics(uri), [])
            for one in (URI, uri):
                self.c.notify("textDocument/didClose", {"textDocument": {"uri": one}})

    def test_hover(self):
        self.c.open(URI, LOOP)
        self.assertEqual(self.hover(LOOP, "z[i]"), "```leto\nvector<real> z\n```\nA variable.")
        self.assertEqual(self.hover(LOOP, "v<o>"), "```leto\nvector<real> v\n```\nA property's parameter. "
                                                   "Here: its value in the original run.")
        self.assertEqual(self.hover(LOOP, "v<o>"), self.hover(LOOP, "v<o>", into=2))
        self.assertEqual(self.hover(LOOP, "v<r>"), "```leto\nvector<real> v\n```\nA property's parameter. "
                                                   "Here: its value in the relaxed run.")
        self.assertEqual(self.hover(LOOP, "model.eps", into=7),
                         "```leto\nconst real eps;\n```\nA constant of a model `additive_seu`.")
        self.assertEqual(self.hover(LOOP, "*."), (
            "`*.` on `real` under model `additive_seu`, one of these:\n\n"
            "```leto\n@label(mul_exact)\noperator *(real a, real b)\n    ensures result == a * b;\n```\n"
            "```leto\n@label(mul_upset)\noperator *(real a, real b)\n    when !upset\n    modifies upset\n"
            "    ensures upset && a * b - eps < result < a * b + eps;\n```"))
        self.assertTrue(self.hover(LOOP, "additive_seu").startswith(
            "```leto\nmodel additive_seu\n```\nA model.\n\nOne upset per run"))
        self.assertIsNone(self.hover(LOOP, "for ("))
        self.assertIsNone(self.hover(LOOP, "{"))
        self.c.change(URI, {"text": GOOD})
        self.assertEqual(self.hover(GOOD, "twice"), (
            "```leto\nrequires_r eq(x)\nensures_r abs(result<o> - result<r>) < model.eps\nreal twice(real x)\n```\n"
            "A function.\n\nTwice\\, on hardware that may be off by a little\\."))
        self.assertEqual(self.hover(GOOD, "result<r>"), "```leto\nreal result\n```\nThe function's result. "
                                                        "Here: its value in the relaxed run.")
        text = GOOD.replace("x +. x", "x /. x")
        self.c.change(URI, {"text": text})
        self.assertEqual(self.hover(text, "/."),
                         "`/.` on `real`: exact, for model `additive_seu` does not mention it.")
        text = GOOD.replace("x +. x", "x +. nothing")
        self.c.change(URI, {"text": text})
        self.assertIsNone(self.hover(text, "+."))
        text = "use model switchable_rowhammer;\n\nvoid f(uint n) {\n    @region(unreliable) uint a = n;\n    a +=. 1;\n}\n"
        self.c.change(URI, {"text": text})
        self.assertIn("A variable in region `unreliable`.", self.hover(text, "a ="))
        self.assertIn("on `uint`", self.hover(text, "+=."))

    def test_hover_takes_nothing_for_a_mark(self):
        text = "// ![x](http://elsewhere/x.png) <b>\nproperty p(real x):\n    x < 1 /* ``` */;\n"
        self.c.open(URI, text)
        found = self.hover(text, "p(")
        self.assertTrue(found.startswith("````leto\nproperty p(real x):\n    x < 1 /* ``` */"), found)
        self.assertTrue(found.endswith("\\!\\[x\\]\\(http\\:\\/\\/elsewhere\\/x\\.png\\) \\<b\\>"), found)

    def test_hover_in_plain_text(self):
        c = self.client(capabilities={})
        c.open(URI, LOOP)
        found = c.request("textDocument/hover", c.at(URI, LOOP, "z[i]"))
        self.assertEqual(found["contents"], {"kind": "plaintext", "value": "vector<real> z\nA variable."})

    def test_symbols(self):
        text = LOOP + "\nconst real limit = 2;\n\nmodel m {\n    const uint most = 3;\n    bool hit = false;\n\n" \
                      "    @label(odd)\n    operator *(real a, real b)\n        ensures true;\n}\n"
        self.c.open(URI, text)
        def names(list):
            return [(s["name"], s["detail"], s["kind"], names(s.get("children", []))) for s in list]
        symbols = self.c.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual(names(symbols), [
            ("close", "property_r", 7, []), ("product", "vector<real>", 12, []), ("limit", "real", 14, []),
            ("m", "model", 5, [("most", "uint", 14, []), ("hit", "bool", 8, []), ("operator *", "odd", 25, [])])])
        self.assertEqual(symbols[1]["selectionRange"], span(text, "product"))
        self.assertEqual(symbols[1]["range"]["start"], place(text, text.index("requires_r")))
        flat = self.client(capabilities={})
        flat.open(URI, text)
        symbols = flat.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
        self.assertEqual([(s["name"], s.get("containerName")) for s in symbols],
                         [("close", None), ("product", None), ("limit", None), ("m", None), ("most", "m"),
                          ("hit", "m"), ("operator *", "m")])

    def completion(self, text, **context):
        """At the first `|` of the text."""
        at = text.index("|")
        whole = text.replace("|", "", 1)
        uri = "untitled:completion"
        self.c.open(uri, whole)
        found = self.c.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": place(whole, at),
                                                           "context": {"triggerKind": 1, **context}})
        return {i["label"]: i["detail"] for i in found}

    def test_completion(self):
        found = self.completion("use model |")
        self.assertEqual(sorted(found), ["additive_seu", "multicycle", "multiplicative_seu", "read_upset",
                                         "refined_seu", "reliable", "stuck_at", "switchable_rowhammer",
                                         "unbounded_seu"])
        self.assertTrue(found["additive_seu"].startswith("One upset per run"))
        self.assertEqual(found, self.completion("use model |", triggerKind=2, triggerCharacter=" "))
        self.assertEqual(set(self.completion("use model addi|\n")), set(found))
        self.assertEqual(self.completion("use model additive_seu;\nvoid f() {\n    model.|\n}\n",
                                         triggerKind=2, triggerCharacter="."),
                         {"eps": "real, a constant of a model", "upset": "bool, a state variable of a model"})
        self.assertEqual(set(self.completion("void f() {\n    @|\n}\n", triggerKind=2, triggerCharacter="@")),
                         {"label", "noinf", "rate", "region"})
        self.assertEqual(self.completion("void f() {\n    real | \n}\n", triggerKind=2, triggerCharacter=" "), {})
        self.assertEqual(self.completion("// use model |\n"), {})
        text = LOOP.replace("assert_r close(z, n);", "int later = 1;\n    assert_r cl|\n")
        found = self.completion(text)
        for name in ["n", "x", "y", "z", "later", "close", "product", "abs", "while", "requires_r", "repeat"]:
            self.assertIn(name, found)
        for name in ["i", "k", "v", "upto", "l"]:
            self.assertNotIn(name, found)
        self.assertEqual(found["n"], "uint, a parameter")
        found = self.completion(LOOP.replace("z[i] = x[i]", "z[i] = |x[i]"))
        self.assertEqual(found["i"], "uint, a variable")
        self.assertIn("entry", self.completion(LOOP.replace("z[i] = x[i]", "assert l.|[i] == 0; z[i] = x[i]")))
        found = self.completion(LOOP.replace("k < upto<r>", "|k < upto<r>"))
        self.assertIn("k", found)
        self.assertIn("upto", found)

    def test_formatting(self):
        ugly = GOOD.replace("    real y = x +. x;", "real   y=x+.x;")
        self.c.open(URI, ugly)
        options = {"options": {"tabSize": 4, "insertSpaces": True}}
        edits = self.c.request("textDocument/formatting", {"textDocument": {"uri": URI}, **options})
        self.assertEqual(edited(ugly, edits), GOOD)
        self.c.change(URI, {"text": GOOD})
        self.assertEqual(self.c.request("textDocument/formatting", {"textDocument": {"uri": URI}, **options}), [])
        self.c.change(URI, {"text": GOOD.replace("\n", "\r\n")})
        self.assertEqual(self.c.request("textDocument/formatting", {"textDocument": {"uri": URI}, **options}), [])
        self.c.change(URI, {"text": "real f( {"})
        self.assertIsNone(self.c.request("textDocument/formatting", {"textDocument": {"uri": URI}, **options}))

    def actions(self, text, what, **context):
        found = self.c.request("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": span(text, what),
                                                           "context": {"diagnostics": [], **context}})
        return found

    def test_actions(self):
        text = GOOD.replace("return y", "return yy").replace("additive_seu", "additive_sue")
        diagnostics = self.c.open(URI, text)
        found = self.actions(text, "return yy")
        self.assertEqual(len(found), 1)
        self.assertEqual({k: found[0][k] for k in ("title", "kind", "isPreferred")},
                         {"title": "did you mean 'y'?", "kind": "quickfix", "isPreferred": True})
        self.assertIn(found[0]["diagnostics"][0], diagnostics)
        change = found[0]["edit"]["documentChanges"][0]
        self.assertEqual(change["textDocument"], {"uri": URI, "version": 1})
        self.assertEqual(edited(text, change["edits"]), text.replace("yy", "y"))
        found = self.actions(text, "use model")
        self.assertEqual(found, [])
        found = self.actions(text, "additive_sue", only=["quickfix"])
        self.assertEqual(edited(text, found[0]["edit"]["documentChanges"][0]["edits"]),
                         text.replace("additive_sue", "additive_seu"))
        self.assertEqual(self.actions(text, "additive_sue", only=["refactor"]), [])
        plain = self.client(capabilities={"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}})
        plain.open(URI, text)
        found = plain.request("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": span(text, "yy"),
                                                          "context": {"diagnostics": []}})
        self.assertEqual(found[0]["edit"], {"changes": {URI: [{"range": span(text, "yy"), "newText": "y"}]}})


@unittest.skipUnless(shutil.which("z3"), "there is no solver")
class Proofs(Wire):
    def verify(self, c, uri=URI, **more):
        return c.ask("workspace/executeCommand", {"command": "leto.verify", "arguments": [uri], **more})

    def progress(self, c, kind):
        return c.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == kind)["params"]

    def test_what_is_proved(self):
        c = self.client()
        self.assertEqual(c.open(URI, LOOP), [])
        number = self.verify(c)
        begin = self.progress(c, "begin")
        self.assertEqual(begin["value"], {"kind": "begin", "title": "Verifying untitled:Untitled-1",
                                          "cancellable": True})
        result = c.answer(number)
        self.assertEqual((result["status"], result["model"], result["proved"]),
                         ("proved", "additive_seu", result["claims"]))
        end = self.progress(c, "end")
        self.assertEqual(end["token"], begin["token"])
        self.assertEqual(end["value"]["message"], "%d of %d claims proved under additive_seu" %
                         (result["claims"], result["claims"]))
        self.assertEqual(result["message"], end["value"]["message"])
        self.assertEqual(c.diagnostics(URI), [])
        hover = c.request("textDocument/hover", c.at(URI, LOOP, "for ("))
        self.assertTrue(hover["contents"]["value"].startswith("Inferred by the last verification:\n```leto\n"))
        self.assertIn("invariant_r eq(i)", hover["contents"]["value"])
        c.change(URI, {"text": LOOP + "\n"})
        self.assertIsNone(c.request("textDocument/hover", c.at(URI, LOOP, "for (")))

    def test_what_is_not(self):
        c = self.client()
        c.open(URI, WRONG)
        result = c.answer(self.verify(c))
        self.assertEqual(result["status"], "refuted")
        found = c.diagnostics(URI)
        self.assertEqual([(d["severity"], d["range"], d["code"], d["source"]) for d in found],
                         [(1, span(WRONG, "assert_r eq(y);"), "assert_r", "leto")])
        self.assertTrue(found[0]["message"].startswith("refuted: "), found[0]["message"])
        self.assertIn("The fault at 5:", found[0]["message"])
        steps = found[0]["relatedInformation"]
        self.assertTrue(any("fault: " in s["message"] and s["location"]["range"]["start"]["line"] == 4 for s in steps),
                        steps)
        c.change(URI, {"range": span(WRONG, "x *. x"), "text": "x * x"})
        self.assertEqual(c.diagnostics(URI), [])
        self.assertEqual(c.answer(self.verify(c))["status"], "proved")

    def test_what_would_prove_it(self):
        c = self.client()
        c.open(URI, WEAK)
        result = c.answer(self.verify(c))
        self.assertNotEqual(result["status"], "proved")
        found = c.request("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": span(WEAK, "assert i"),
                                                      "context": {"diagnostics": []}})
        self.assertEqual([a["title"] for a in found], ["Add 'invariant i <= n'"])
        self.assertEqual(found[0]["diagnostics"], c.diagnostics(URI))  # one for each run
        better = edited(WEAK, found[0]["edit"]["documentChanges"][0]["edits"])
        self.assertEqual(better, WEAK.replace("while (i < n) {", "while (i < n)\n        invariant i <= n\n    {"))
        c.change(URI, {"text": better})
        self.assertEqual(c.answer(self.verify(c))["status"], "proved")

    def test_what_would_prove_it_ends_lines_as_the_document(self):
        c = self.client()
        text = WEAK.replace("\n", "\r\n")
        c.open(URI, text)
        self.assertNotEqual(c.answer(self.verify(c))["status"], "proved")
        found = c.request("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": span(text, "assert i"),
                                                      "context": {"diagnostics": []}})
        better = edited(text, found[0]["edit"]["documentChanges"][0]["edits"])
        self.assertEqual(better, WEAK.replace("while (i < n) {", "while (i < n)\n        invariant i <= n\n    {")
                         .replace("\n", "\r\n"))
        c.change(URI, {"text": better})
        self.assertEqual(c.answer(self.verify(c))["status"], "proved")

    def test_on_save(self):
        c = self.client({"verifyOnSave": True})
        uri = self.write("saved.leto", WRONG)
        c.open(uri, WRONG)
        c.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": WRONG})
        self.assertEqual(self.progress(c, "end")["value"]["message"].split(" under")[0].split()[-1], "proved")
        self.assertEqual(len(c.diagnostics(uri)), 1)
        c.notify("workspace/didChangeConfiguration", {"settings": {"leto": {"verifyOnSave": False}}})
        c.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": WRONG})
        c.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        self.assertEqual(c.stop(), 0)
        self.assertFalse([m for m in c.kept if m.get("method") == "$/progress" and
                          m["params"]["value"]["kind"] == "begin"][1:])

    def test_programs_with_errors(self):
        c = self.client()
        c.open(URI, GOOD + "nonsense")
        result = c.answer(self.verify(c, workDoneToken="mine"))
        self.assertEqual(result, {"status": "unknown", "message": "not verified: the program has errors"})
        self.assertEqual(self.progress(c, "begin")["token"], "mine")
        self.assertEqual(self.progress(c, "end"), {"token": "mine", "value": {
            "kind": "end", "message": "not verified: the program has errors"}})

    def test_a_change_meanwhile(self):
        c = self.client()
        c.open(URI, LOOP)
        c.versions[URI] = 2
        c.send({"id": 500, "method": "workspace/executeCommand",
                "params": {"command": "leto.verify", "arguments": [URI]}},
               {"method": "textDocument/didChange",
                "params": {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": LOOP + "\n"}]}})
        self.assertEqual(self.refused(-32800, c.answer, 500), "the text has changed")
        self.assertEqual(self.progress(c, "end")["value"]["message"], "the text has changed")
        self.assertEqual(c.diagnostics(URI), [])

    def test_a_change_of_what_is_imported(self):
        parts = self.write("parts.leto", "property small(real x):\n    x < 1;\n")
        text = 'import "parts.leto";\n\nrequires small(x)\nvoid f(real x) {\n    assert x < 1;\n}\n'
        main = self.write("main.leto", text)
        c = self.client()
        c.open(main, text)
        self.write("parts.leto", "property small(real x):\n    x < 2;\n")
        self.assertEqual(c.answer(self.verify(c, main))["status"], "refuted")
        c.open(parts, "property small(real x):\n    x < 1;\n")
        self.assertEqual(c.answer(self.verify(c, main))["status"], "proved")
        c.change(parts, {"text": "property small(real x):\n    x < 3;\n"})
        self.assertEqual(c.answer(self.verify(c, main))["status"], "refuted")

    def test_cancelling(self):
        c = self.client()
        c.open(URI, LOOP)
        number = self.verify(c, workDoneToken=77)
        c.notify("window/workDoneProgress/cancel", {"token": 77})
        self.assertEqual(self.refused(-32800, c.answer, number), "cancelled")
        self.assertEqual(self.progress(c, "end"), {"token": 77, "value": {"kind": "end", "message": "cancelled"}})
        number = self.verify(c)
        c.notify("$/cancelRequest", {"id": number})
        self.refused(-32800, c.answer, number)
        self.assertEqual(c.answer(self.verify(c))["status"], "proved")

    def test_several_at_once(self):
        c = self.client()
        uris = ["untitled:%d" % i for i in range(3)]
        for uri in uris:
            c.open(uri, GOOD)
        numbers = [self.verify(c, uri) for uri in uris] + [self.verify(c, uris[2])]
        self.refused(-32800, c.answer, numbers[2])
        for number in (numbers[0], numbers[1], numbers[3]):
            self.assertEqual(c.answer(number)["status"], "proved")

    def test_no_solver(self):
        c = Client(SERVER, {"PATH": self.folder, "LETO_CACHE": self.folder}, self.folder)
        self.addCleanup(c.__exit__)
        c.start()
        c.open(URI, GOOD)
        for _ in range(2):
            self.assertTrue(c.answer(self.verify(c))["message"].startswith("the solver 'z3' is not in the PATH"))
        c.stop()
        self.assertEqual([m["params"]["type"] for m in c.kept if m.get("method") == "window/showMessage"], [1])

    def test_editors_that_show_no_progress(self):
        c = self.client()
        c.takes_progress = False
        c.open(URI, GOOD)
        self.assertEqual(c.answer(self.verify(c))["status"], "proved")
        c = self.client(capabilities={})
        c.open(URI, GOOD)
        self.assertEqual(c.answer(self.verify(c))["status"], "proved")
        self.assertFalse([m for m in c.kept if m.get("method") in ("$/progress", "window/workDoneProgress/create")])


@unittest.skipUnless(shutil.which("z3"), "there is no solver")
class Doubts(Wire):
    """What was lost may have been a change: what was there before is not called proved."""

    def verify(self, c, uri=URI):
        return c.request("workspace/executeCommand", {"command": "leto.verify", "arguments": [uri]})

    def opened(self, text="void f() {\n    assert 1 == 1;\n}\n"):
        c = self.client()
        c.open(URI, text)
        self.assertEqual(self.verify(c)["status"], "proved")
        self.assertEqual(c.diagnostics(URI), [])
        return c

    def unknown(self, c, why, uri=URI):
        told = "nobody knows what is written here, so nothing is verified: %s\n" \
               "help: close the document and open it again" % why
        self.assertEqual(c.doubts(uri), [(1, told)])
        self.assertEqual(self.refused(-32803, self.verify, c, uri), told)

    def test_half_a_character(self):
        c = self.opened()
        c.versions[URI] = 2
        c.raw(frame(b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"%s",'
                    b'"version":2},"contentChanges":[{"text":"void f() { assert 1 == 2; } // \\ud83d \\ude00"}]}}'
                    % URI.encode()))
        self.assertEqual(c.diagnostics(URI), [])
        self.assertEqual(self.verify(c)["status"], "refuted")
        c.change(URI, {"range": {"start": {"line": 0, "character": 31}, "end": {"line": 0, "character": 34}},
                       "text": "\nnonsense"})
        self.assertTrue(c.diagnostics(URI))

    def test_between_halves(self):
        text = "void f() { /* \U0001F600 */ assert 1 == 1; }\n"
        c = self.opened(text)
        c.change(URI, {"range": {"start": {"line": 0, "character": 15}, "end": {"line": 0, "character": 16}}, "text": ""})
        at = text.index("== 1") + 3  # as many units as there are characters, now that a half is gone
        c.change(URI, {"range": {"start": {"line": 0, "character": at}, "end": {"line": 0, "character": at + 1}},
                       "text": "2"})
        self.assertEqual(c.diagnostics(URI), [])
        self.assertEqual(self.verify(c)["status"], "refuted")

    def test_changes_that_are_none(self):
        bad = "void f() {\n    assert 1 == 2;\n}\n"
        for params, why in [
                ({"contentChanges": [{"text": bad}, {"range": {"start": {"line": "x"}}, "text": ""}]},
                 "'line' has to be a number"),
                ({"contentChanges": [{"text": bad}, {"text": 3}]}, "'text' has to be a string"),
                ({"contentChanges": {"text": bad}}, "'contentChanges' has to be a list"), ({}, None)]:
            c = self.opened()
            c.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, **params})
            self.unknown(c, why or "'contentChanges' has to be a list")
            for method in ("formatting", "documentSymbol"):
                self.refused(-32803, c.request, "textDocument/" + method, {"textDocument": {"uri": URI}, "options": {}})
            c.change(URI, {"range": span(bad, "1 ="), "text": "2 ="})  # of a text that nobody knows
            self.refused(-32803, self.verify, c)
            c.change(URI, {"text": bad})
            self.assertEqual(c.diagnostics(URI), [])
            self.assertEqual(self.verify(c)["status"], "refuted")

    def test_messages_that_are_none(self):
        change = b'{"jsonrpc":"2.0","method":"textDocument/didChange","params":'
        for data, why in [
                (frame(b"{"), "the message is not understood: it is not JSON"),
                (frame(change + b'{"x":"\xff"}}'), "the message is not understood: it is not JSON"),
                (frame(b"[" + change + b"{}}]"), "a message has to be one object"),
                (frame(change[:12] + b'1' + change[13:] + b"{}}"), "a message is no request and no notification"),
                (frame(change + b"3}"), "a message is no request and no notification"),
                (frame(change + b"{}}"), "'textDocument/uri' has to be a string"),
                (b"Content-Length: x\r\n\r\n", "there is no header that says how long the message is"),
                (change + b"{}}", "there is something between two messages that is none"),
                (frame(change + b'{"textDocument":{"uri":"%s"}},"id":7}' % URI.encode()),
                 "a change of it came as a request")]:
            c = self.opened()
            c.raw(data)
            c.notify("$/nothing")
            self.unknown(c, why)
            self.assertEqual(c.open(URI, "void f() {\n    assert 1 == 2;\n}\n"), [])
            self.assertEqual(self.verify(c)["status"], "refuted")

    def test_what_imports_it(self):
        folder = os.path.join(self.folder, "real")
        os.mkdir(folder)
        os.symlink(folder, os.path.join(self.folder, "link"))
        good = "const real K = 3;\n"
        parts = self.write("real/parts.leto", good)
        text = 'import "%s";\n\nvoid f() {\n    assert K == 3;\n}\n'
        c = self.client()
        mains = [self.write("%s.leto" % name, text % where) for name, where in
                 [("near", "real/parts.leto"), ("linked", "link/parts.leto")]]
        c.open(parts, good)
        for main, where in zip(mains, ("real", "link")):
            self.assertEqual(c.open(main, text % (where + "/parts.leto")), [])
            self.assertEqual(self.verify(c, main)["status"], "proved")
        c.notify("textDocument/didChange", {"textDocument": {"uri": parts, "version": 2}, "contentChanges": 3})
        self.unknown(c, "'contentChanges' has to be a list", parts)
        for main in mains:
            self.assertEqual(self.verify(c, main), {"status": "unknown",
                                                    "message": "not verified: the program has errors"})
            c.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == main and
                   any(d["message"].endswith("it is open in the editor, and its text there is not known")
                       for d in m["params"]["diagnostics"]))
        c.open(parts, good)
        for main in mains:
            self.assertEqual(self.verify(c, main)["status"], "proved")

    def test_not_opened(self):
        c = self.client()
        c.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "version": 1}})
        self.unknown(c, "'textDocument/text' has to be a string")
        other = self.write("other.leto", "void f() {\n}\n")
        c.versions[other] = 1
        c.change(other, {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "x"})
        self.unknown(c, "its text has not come", other)

    def rivals(self, c, first, second):
        for one, other in ((first, second), (second, first)):
            told = "'%s' is open too and is the same file: nobody knows which of the texts counts, so nothing is " \
                   "verified\nhelp: close one of them" % other
            self.assertEqual(c.doubts(one), [(1, told)])
            self.assertEqual(self.refused(-32803, self.verify, c, one), told)

    def close(self, c, uri):
        c.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        c.wait(lambda m: m.get("params") == {"uri": uri, "diagnostics": []})

    def test_two_names_of_one_file(self):
        good, bad = "void f() {\n    assert 1 == 1;\n}\n", "void f() {\n    assert 1 == 2;\n}\n"
        os.mkdir(os.path.join(self.folder, "a b"))
        os.symlink("a b", os.path.join(self.folder, "link"))
        uri = self.write("a b/x.leto", good)
        os.symlink("x.leto", os.path.join(self.folder, "a b", "other.leto"))
        for other in ("/a b/x.leto", "/a%20b/../a%20b/x.leto", "/a%20b/%78.leto", "/link/x.leto", "/a%20b/other.leto"):
            other = "file://" + self.folder + other
            c = self.client()
            c.open(uri, bad)
            self.assertEqual(self.verify(c, uri)["status"], "refuted")
            c.notify("textDocument/didOpen", {"textDocument": {"uri": other, "version": 7, "text": good}})
            self.rivals(c, uri, other)
            c.notify("textDocument/didChange", {"textDocument": {"uri": other, "version": 8},
                                                "contentChanges": [{"text": good + "\n"}]})
            self.refused(-32803, self.verify, c, uri)
            c.change(uri, {"text": bad + "// 2\n"})
            self.refused(-32803, self.verify, c, other)
            self.close(c, other)
            self.assertEqual(self.verify(c, uri)["status"], "refuted")
            self.assertEqual(self.verify(c, other)["status"], "refuted")  # which is the same
            c.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri and
                   m["params"].get("version") == 2 and len(m["params"]["diagnostics"]) == 1)
            c.notify("textDocument/didOpen", {"textDocument": {"uri": other, "version": 9, "text": good}})
            self.rivals(c, uri, other)
            self.close(c, uri)
            self.assertEqual(self.verify(c, other)["status"], "proved")

    def test_two_names_of_what_is_imported(self):
        good = "const real K = 3;\n"
        parts = self.write("parts.leto", good)
        os.symlink("parts.leto", os.path.join(self.folder, "link.leto"))
        link = "file://" + os.path.join(self.folder, "link.leto")
        c = self.client()
        c.open(parts, good)
        mains = []
        for name in ("parts", "link"):
            text = 'import "%s.leto";\n\nvoid f() {\n    assert K == 3;\n}\n' % name
            mains.append(self.write("of_%s.leto" % name, text))
            self.assertEqual(c.open(mains[-1], text), [])
            self.assertEqual(self.verify(c, mains[-1])["status"], "proved")
        c.notify("textDocument/didOpen", {"textDocument": {"uri": link, "version": 1, "text": "const real K = 4;\n"}})
        for main in mains:
            self.assertEqual(self.verify(c, main)["status"], "unknown")
        self.close(c, link)
        for main in mains:
            self.assertEqual(self.verify(c, main)["status"], "proved")

    def test_an_untitled_document_is_no_file(self):
        c = self.client()
        c.open("untitled:x.leto", "void f() {\n    assert 1 == 2;\n}\n")
        c.open("untitled:y.leto", "void f() {\n    assert 1 == 1;\n}\n")
        self.assertEqual(self.verify(c, "untitled:x.leto")["status"], "refuted")
        self.assertEqual(self.verify(c, "untitled:y.leto")["status"], "proved")

    def test_while_it_is_verified(self):
        c = self.client()
        c.open(URI, LOOP)
        number = c.last + 1
        c.raw(frame({"jsonrpc": "2.0", "id": number, "method": "workspace/executeCommand",
                     "params": {"command": "leto.verify", "arguments": [URI]}}) + frame(b"{"))
        c.last = number
        self.assertEqual(self.refused(-32800, c.answer, number), "the text has changed")


class Stuck(Wire):
    """Verification with a solver that never answers: whatever ends it, it does end."""

    def setUp(self):
        super().setUp()
        self.solvers = os.path.join(self.folder, "solvers")
        path = os.path.join(self.folder, "z3")
        with open(path, "w") as file:
            file.write('#!/bin/sh\necho $$ >> "%s"\nexec /bin/sleep 1000\n' % self.solvers)
        os.chmod(path, 0o755)

    def begun(self, options=None):
        c = Client(SERVER, {"PATH": self.folder, "LETO_CACHE": self.folder + "/cache"}, self.folder)
        self.addCleanup(c.__exit__)
        c.start(options)
        c.open(URI, LOOP)
        number = c.ask("workspace/executeCommand", {"command": "leto.verify", "arguments": [URI], "workDoneToken": 5})
        deadline = time.time() + PATIENCE
        while not os.path.exists(self.solvers) and time.time() < deadline:
            time.sleep(0.01)
        return c, number

    def end(self, c):
        message = c.wait(lambda m: m.get("method") == "$/progress" and m["params"]["value"]["kind"] == "end")
        return message["params"]["value"]["message"]

    def no_solver_is_left(self):
        deadline = time.time() + PATIENCE
        with open(self.solvers) as file:
            for number in file.read().split():
                while os.path.exists("/proc/%s/status" % number) and time.time() < deadline:
                    with open("/proc/%s/status" % number) as status:
                        if "zombie" in status.read():
                            break
                    time.sleep(0.01)
        self.assertLess(time.time(), deadline)
        os.remove(self.solvers)

    def test_the_time_is_over(self):
        c, number = self.begun({"seconds": 1})
        result = c.answer(number)
        self.assertEqual(result["status"], "unknown")
        self.assertTrue(result["message"].endswith("the time was over"), result)
        self.assertEqual(self.end(c), result["message"])
        self.no_solver_is_left()

    def test_cancelled(self):
        for method, params in [("window/workDoneProgress/cancel", {"token": 5}), ("$/cancelRequest", {"id": 2})]:
            c, number = self.begun()
            self.assertEqual(number, 2)
            self.assertIsNotNone(c.request("textDocument/hover", c.at(URI, LOOP, "product")))  # it goes on serving
            c.notify(method, params)
            self.assertEqual(self.refused(-32800, c.answer, number), "cancelled")
            self.assertEqual(self.end(c), "cancelled")
            self.assertEqual(c.stop(), 0)
            self.no_solver_is_left()

    def test_outdated(self):
        changes = [("textDocument/didClose", {"textDocument": {"uri": URI}}),
                   ("textDocument/didOpen", {"textDocument": {"uri": URI, "version": 7, "text": LOOP}}),
                   ("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2},
                                               "contentChanges": [{"text": GOOD}]}),
                   ("workspace/executeCommand", {"command": "leto.verify", "arguments": [URI]})]
        for method, params in changes:
            c, number = self.begun()
            if method == "workspace/executeCommand":
                c.ask(method, params)
            else:
                c.notify(method, params)
            self.assertEqual(self.refused(-32800, c.answer, number), "the text has changed")
            self.assertEqual(self.end(c), "the text has changed")
            self.assertEqual(c.stop(), 0)
            self.no_solver_is_left()

    def test_ended(self):
        for end in ("exit", "shutdown", "eof"):
            c, number = self.begun()
            if end == "exit":
                c.notify("exit")
            elif end == "shutdown":
                c.request("shutdown")
                c.notify("exit")
            else:
                c.process.stdin.close()
            self.assertEqual(c.process.wait(PATIENCE), 0 if end == "shutdown" else 1)
            self.no_solver_is_left()


if __name__ == "__main__":
    SERVER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
