import assert from 'node:assert/strict';
import Module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Editor } from './editor.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const { Reader, frame } = require('../src/rpc.js');
const { serverCommand } = require('../src/find.js');
const server = join(here, 'fake_server.mjs');
const manifest = require('../package.json');

// `vscode` exists only inside the editor.
let current;
const load = Module._load;
Module._load = function (name, ...more) {
  return name === 'vscode' ? current.api : load.call(this, name, ...more);
};

async function until(what, condition) {
  for (let i = 0; i < 1000; ++i) {
    const value = await condition();
    if (value) return value;
    await new Promise((r) => setTimeout(r, 10));
  }
  throw new Error(`in vain waited until ${what}`);
}

const text = 'void f(real x) {\n    x = wrong;\n}\n';
const uri = 'file:///project/a.leto';

async function session(manners, act, settings = {}) {
  const editor = new Editor({
    folder: `file://${here}`,
    settings: { 'leto.server.path': process.execPath, 'leto.server.arguments': [server, ...manners], ...settings },
  });
  current = editor;
  const path = require.resolve('../src/extension.js');
  delete require.cache[path];
  const extension = require(path);
  const context = { subscriptions: [], extension: { packageJSON: manifest } };
  const document = editor.document(uri, text);
  editor.openDocument(document);
  await extension.activate(context);
  const received = async (method) =>
    (await editor.api.commands.executeCommand('fake.received')).filter((m) => m.method === method).map((m) => m.params);
  try {
    await act({ editor, document, received, extension });
  } finally {
    await extension.deactivate();
  }
  assert.equal(editor.providers.size, 0, 'providers are left');
  assert.deepEqual([...editor.commands.keys()].sort(), ['leto.restartServer', 'leto.showLog']);
  return editor;
}

const span = (r) => [r.start.line, r.start.character, r.end.line, r.end.character];

test('messages come whole, however the bytes are cut', () => {
  const messages = [{ id: 1, result: 'größer ∀ 𝔽' }, { method: 'm', params: [] }, { id: 2, result: null }];
  const bytes = Buffer.concat(messages.map(frame));
  for (const size of [1, 2, 3, 7, 50, bytes.length]) {
    const found = [];
    const reader = new Reader((m) => found.push(m));
    for (let i = 0; i < bytes.length; i += size) reader.push(bytes.subarray(i, i + size));
    assert.deepEqual(found, messages, `cut into ${size}`);
  }
  const typed = [];
  new Reader((m) => typed.push(m)).push(
    Buffer.from('Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}'),
  );
  assert.deepEqual(typed, [{}]);
});

test('what is no message is refused', () => {
  const push = (t) => new Reader(() => {}).push(Buffer.from(t));
  assert.throws(() => push('Length: 3\r\n\r\n{}'), /Content-Length/);
  assert.throws(() => push('x'.repeat(9000)), /no header/);
  assert.throws(() => push('Content-Length: 99999999999\r\n\r\n'), /too large/);
  assert.throws(() => push('Content-Length: 2\r\n\r\n{]'), SyntaxError);
});

test('the client introduces itself and opens what is open', async () => {
  const editor = await session([], async ({ received, editor }) => {
    const [hello] = await received('initialize');
    assert.equal(hello.processId, process.pid);
    assert.deepEqual(hello.initializationOptions, { verifyOnSave: true });
    assert.equal(hello.clientInfo.version, manifest.version);
    assert.deepEqual(hello.capabilities.general.positionEncodings, ['utf-16']);
    assert.equal(hello.workspaceFolders[0].name, 'work');
    const opened = await received('textDocument/didOpen');
    assert.deepEqual(opened, [{ textDocument: { uri, languageId: 'leto', version: 1, text } }]);
    editor.openDocument(editor.document('file:///project/b.txt', '', 'plaintext'));
    editor.openDocument(editor.document('git:/project/a.leto', ''));
    assert.equal((await received('textDocument/didOpen')).length, 1);
  });
  assert.match(editor.log, /The server has ended \(0\)/);
  assert.deepEqual(editor.messages, []);
});

test('diagnostics arrive with all that belongs to them, and go when the text is right', async () => {
  await session([], async ({ editor, document }) => {
    const [d] = await until('there are diagnostics', () => editor.diagnostics.get(uri));
    assert.deepEqual(span(d.range), [1, 8, 1, 13]);
    assert.equal(d.message, 'this is wrong');
    assert.equal(d.severity, editor.api.DiagnosticSeverity.Warning);
    assert.equal(d.source, 'leto');
    assert.equal(d.code.value, 'L0301');
    assert.equal(d.relatedInformation[0].message, 'because of this');
    editor.change(document, 1, 8, 13, '1.0');
    await until('they are gone', () => editor.diagnostics.get(uri).length === 0);
  });
});

test('changes, saves and closes are told, in parts or whole', async () => {
  for (const whole of [false, true]) {
    await session(whole ? ['full'] : [], async ({ editor, document, received }) => {
      editor.change(document, 1, 4, 5, 'y');
      editor.events.save.fire(document);
      editor.events.close.fire(document);
      editor.change(document, 1, 4, 5, 'z');
      const [changed, ...more] = await received('textDocument/didChange');
      assert.deepEqual(more, [], 'nothing is told of what is closed');
      assert.equal(changed.textDocument.version, 2);
      const range = { start: { line: 1, character: 4 }, end: { line: 1, character: 5 } };
      assert.deepEqual(changed.contentChanges, [whole ? { text: text.replace('x = ', 'y = ') } : { range, text: 'y' }]);
      assert.equal((await received('textDocument/didSave'))[0].text, text.replace('x = ', 'y = '));
      assert.equal((await received('textDocument/didClose'))[0].textDocument.uri, uri);
      editor.events.changed.fire(editor.api.Uri.parse('file:///project/m.leto'));
      assert.deepEqual(await received('workspace/didChangeWatchedFiles'), [{ changes: [{ uri: 'file:///project/m.leto', type: 2 }] }]);
    });
  }
});

test('the editor gets answers of every kind', async () => {
  await session([], async ({ editor, document }) => {
    const { Position, Range } = editor.api;
    const at = new Position(1, 8);
    const get = (kind) => editor.providers.get(kind).provider;
    assert.deepEqual(editor.providers.get('hover').selector, [{ language: 'leto', scheme: 'file' }]);

    const hover = await get('hover').provideHover(document, at);
    assert.equal(hover.contents[0].value, '**real** `x`');
    assert.deepEqual(span(hover.range), [1, 2, 1, 3]);

    const [definition] = await get('definition').provideDefinition(document, at);
    assert.equal(definition.uri.toString(), uri);
    assert.deepEqual(span(definition.range), [4, 0, 4, 5]);

    const [use] = await get('references').provideReferences(document, at, { includeDeclaration: false });
    assert.deepEqual(span(use.range), [2, 0, 2, 5]);

    const [symbol] = await get('symbols').provideDocumentSymbols(document);
    assert.equal(symbol.kind, 11);
    assert.equal(symbol.children[0].name, 'x');

    const [edit] = await get('formatting').provideDocumentFormattingEdits(document, { tabSize: 3, insertSpaces: true });
    assert.equal(edit.newText, '   ');

    assert.deepEqual(editor.providers.get('completion').more, ['.', '@']);
    const list = await get('completion').provideCompletionItems(document, at, undefined, { triggerKind: 0 });
    assert.equal(list.isIncomplete, true);
    assert.deepEqual(list.items.map((i) => [i.label, i.kind]), [['requires', 13], ['for', 14]]);
    assert.equal(list.items[0].insertText, 'requires');
    assert.equal(list.items[1].insertText.value, 'for ($1) {}');
    assert.deepEqual(span(list.items[1].range), [0, 0, 0, 2]);
    const resolved = await get('completion').resolveCompletionItem(list.items[0]);
    assert.equal(resolved.documentation.value, 'a clause');

    const diagnostics = await until('there are diagnostics', () => editor.diagnostics.get(uri));
    assert.deepEqual(editor.providers.get('actions').more[0].providedCodeActionKinds.map((k) => k.value), ['quickfix']);
    const [fix, run] = await get('actions').provideCodeActions(document, new Range(at, at), { diagnostics });
    assert.equal(fix.title, 'Right it');
    assert.equal(fix.kind.value, 'quickfix');
    assert.equal(fix.diagnostics[0], diagnostics[0]);
    assert.equal(fix.edit, undefined);
    await get('actions').resolveCodeAction(fix);
    assert.equal(fix.edit.edits.get(uri)[0].newText, '7', "the diagnostic's data came back");
    assert.deepEqual(run, { title: 'Run it', command: 'fake.received', arguments: [1] });

    const place = await get('rename').prepareRename(document, at);
    assert.equal(place.placeholder, 'x');
    await assert.rejects(get('rename').prepareRename(document, new Position(0, 0)), /cannot be renamed/);
    const renamed = await get('rename').provideRenameEdits(document, at, 'better');
    assert.equal(renamed.edits.get(uri)[0].newText, 'better');
  });
});

test('the server can ask, too', async () => {
  await session([], async ({ editor }) => {
    const run = (name, ...args) => editor.api.commands.executeCommand(name, ...args);
    assert.deepEqual(await run('fake.configuration'), [true, { verifyOnSave: true }]);
    assert.deepEqual(await run('fake.edit', uri, 1), { applied: true });
    assert.equal(editor.applied[0].edits.get(uri)[0].newText, '!');
    assert.equal((await run('fake.edit', uri, 7)).applied, false, 'an edit for another version');
    assert.equal(editor.applied.length, 1);
    assert.equal((await run('fake.progress')).code, -32601);
    const [shown] = editor.progress;
    assert.equal(shown.options.title, 'Proving');
    assert.deepEqual(shown.reports.at(-1), { message: '3 of 6', increment: 50 });
    await until('the progress ends', () => shown.ended);
    assert.match(editor.log, /leto.showLog is taken/);
  });
});

test('settings reach the server', async () => {
  await session([], async ({ editor, received }) => {
    editor.set('leto.verifyOnSave', false);
    const changed = await until('it is told', async () => (await received('workspace/didChangeConfiguration'))[0]);
    assert.deepEqual(changed, { settings: { leto: { verifyOnSave: false } } });
    // Another server is another process.
    editor.set('leto.server.arguments', [server, 'full']);
    const hello = await until('the other one is there', async () =>
      editor.log.split('fake 1\n').length === 3 && editor.commands.has('fake.received') && (await received('initialize'))[0]);
    assert.deepEqual(hello.initializationOptions, { verifyOnSave: false });
  });
});

test('what the server does not announce is not offered', async () => {
  await session(['bare'], async ({ editor, document }) => {
    assert.equal(editor.providers.size, 0);
    editor.change(document, 1, 4, 5, 'y');
  });
});

test('a server that crashes is started again, but not for ever', async () => {
  await session([], async ({ editor, received }) => {
    for (let crash = 1; crash <= 4; ++crash) {
      const again = () => editor.log.split('fake 1\n').length === crash + 1 && editor.commands.has('fake.crash');
      await until(`it runs for the ${crash}. time`, again);
      assert.equal((await received('textDocument/didOpen')).length, 1);
      assert.deepEqual(editor.messages, []);
      await assert.rejects(editor.api.commands.executeCommand('fake.crash'), /has ended/);
    }
    await until('it is given up', () => editor.messages.length === 1);
    assert.match(editor.messages[0].message, /not started again/);
    assert.equal(editor.diagnostics.size, 0);
  });
});

test('a server that is not there, or counts in another way, is explained', async () => {
  await session([], async ({ editor }) => {
    assert.match(editor.messages[0].message, /'no-such-leto-lsp' was not found/);
    assert.equal(editor.messages.length, 1);
  }, { 'leto.server.path': 'no-such-leto-lsp' });
  await session(['bytes'], async ({ editor }) => {
    assert.match(editor.messages[0].message, /counts in utf-8/);
    assert.equal(editor.messages.length, 1);
  });
});

test('the setting names a program', () => {
  const linux = { platform: 'linux', env: { PATH: '/usr/bin' } };
  assert.equal(serverCommand('leto-lsp', '/project', linux), 'leto-lsp');
  assert.equal(serverCommand('/opt/leto-lsp', '/project', linux), '/opt/leto-lsp');
  assert.equal(serverCommand('build/leto-lsp', '/project', linux), '/project/build/leto-lsp');
  const files = ['C:\\project\\leto-lsp.exe', 'D:\\leto\\leto-lsp.exe'];
  const windows = { platform: 'win32', env: { Path: '.;;C:\\Windows;D:\\leto' }, isFile: (f) => files.includes(f) };
  assert.equal(serverCommand('leto-lsp', 'C:\\project', windows), 'D:\\leto\\leto-lsp.exe');
  assert.equal(serverCommand('.\\leto-lsp.exe', 'C:\\project', windows), 'C:\\project\\leto-lsp.exe');
  assert.throws(() => serverCommand('other', 'C:\\project', windows), { code: 'ENOENT' });
});
