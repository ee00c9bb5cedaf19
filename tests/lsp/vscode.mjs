// vscode.mjs LETO_LSP: the extension for Visual Studio Code against the real server, without the
// editor itself: in its place stands the one of the extension's own tests.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const extension = join(dirname(fileURLToPath(import.meta.url)), '../../editors/vscode');
const { Editor } = await import(pathToFileURL(join(extension, 'test/editor.mjs')));
const require = createRequire(import.meta.url);
const work = mkdtempSync(join(tmpdir(), 'leto-'));
process.env.LETO_CACHE = join(work, 'cache');

// `vscode` exists only inside the editor.
const text = 'use model additive_seu;\n\nrequires_r eq(x)\nreal f(real x) {\n    real y = xx *. x;\n    return y;\n}\n';
const uri = pathToFileURL(join(work, 'program.leto')).href;
writeFileSync(fileURLToPath(uri), text);
const editor = new Editor({
  folder: pathToFileURL(work).href,
  settings: { 'leto.server.path': resolve(process.argv[2]), 'leto.server.arguments': [], 'leto.verifyOnSave': true },
});
const load = Module._load;
Module._load = function (name, ...more) {
  return name === 'vscode' ? editor.api : load.call(this, name, ...more);
};

async function until(what, condition) {
  for (let i = 0; i < 12000; ++i) {
    const value = await condition();
    if (value) return value;
    await new Promise((r) => setTimeout(r, 10));
  }
  throw new Error(`in vain waited until ${what}; the log:\n${editor.log}`);
}
const span = (r) => [r.start.line, r.start.character, r.end.line, r.end.character];
const get = (kind) => editor.providers.get(kind).provider;

function canProve() {
  try {
    execFileSync('z3', ['--version']);
    return true;
  } catch {
    return false;
  }
}

async function useIt() {
  const document = editor.document(uri, text);
  editor.openDocument(document);
  const { Position, Range } = editor.api;
  const at = new Position(4, 14);

  const [wrong] = await until('there is a diagnostic', () => editor.diagnostics.get(uri)?.length && editor.diagnostics.get(uri));
  assert.deepEqual(span(wrong.range), [4, 13, 4, 15]);
  assert.equal(wrong.code, 'L0301');
  const [fix] = await get('actions').provideCodeActions(document, new Range(at, at), { diagnostics: [wrong] });
  assert.deepEqual(fix.diagnostics, [wrong]);
  const [edit] = fix.edit.edits.get(uri);
  assert.equal(edit.newText, 'x');
  editor.change(document, edit.range.start.line, edit.range.start.character, edit.range.end.character, edit.newText);
  await until('it is mended', () => editor.diagnostics.get(uri).length === 0);

  const y = new Position(5, 11);
  const hover = await get('hover').provideHover(document, y);
  assert.match(hover.contents[0].value, /real y/);
  const [definition] = await get('definition').provideDefinition(document, y);
  assert.deepEqual(span(definition.range), [4, 9, 4, 10]);
  assert.equal((await get('references').provideReferences(document, y, { includeDeclaration: true })).length, 2);
  assert.equal((await get('symbols').provideDocumentSymbols(document))[0].name, 'f');
  assert.deepEqual(await get('formatting').provideDocumentFormattingEdits(document, { tabSize: 4, insertSpaces: true }), []);
  const list = await get('completion').provideCompletionItems(document, y, undefined, { triggerKind: 0 });
  assert.ok(list.items.some((i) => i.label === 'y'));
  assert.equal((await get('rename').prepareRename(document, y)).placeholder, 'y');
  assert.equal((await get('rename').provideRenameEdits(document, y, 'z')).edits.get(uri).length, 2);
  await assert.rejects(get('rename').provideRenameEdits(document, y, 'while'), /keyword/);

  if (!canProve()) return;
  editor.events.save.fire(document);
  const shown = await until('it is verified', () => editor.progress.find((p) => p.ended));
  assert.equal(shown.options.title, 'Verifying program.leto');
  const verdict = await editor.api.commands.executeCommand('leto.verify', uri);
  assert.equal(verdict.status, 'proved');
}

const { activate, deactivate } = require(join(extension, 'src/extension.js'));
try {
  await activate({ subscriptions: [], extension: { packageJSON: require(join(extension, 'package.json')) } });
  await useIt();
} finally {
  await deactivate();
  rmSync(work, { recursive: true });
}
assert.match(editor.log, /The server has ended \(0\)/);
assert.deepEqual(editor.messages, []);
console.log('Visual Studio Code is served');
