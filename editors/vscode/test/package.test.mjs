import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const home = join(dirname(fileURLToPath(import.meta.url)), '..');
const tool = join(home, 'tools', 'package.mjs');
const dir = mkdtempSync(join(tmpdir(), 'leto-vsix-'));
after(() => rmSync(dir, { recursive: true }));

function build(name) {
  const file = join(dir, name);
  execFileSync(process.execPath, [tool, '--out', file], { cwd: dir });
  return readFileSync(file);
}

// Written from the format's description, by the central directory, as unpackers go about it.
function unzip(bytes) {
  const end = bytes.length - 22;
  assert.equal(bytes.readUInt32LE(end), 0x06054b50);
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  assert.equal(at + bytes.readUInt32LE(end + 12), end);
  const entries = [];
  for (let i = 0; i < count; ++i) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const [method, time, date] = [10, 12, 14].map((o) => bytes.readUInt16LE(at + o));
    const [crc, packed, size] = [16, 20, 24].map((o) => bytes.readUInt32LE(at + o));
    const [nameLength, extra, comment] = [28, 30, 32].map((o) => bytes.readUInt16LE(at + o));
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString('utf8');
    assert.equal(bytes.readUInt32LE(local), 0x04034b50);
    // The two headers agree, from the version on.
    assert.deepEqual(bytes.subarray(local + 4, local + 30), bytes.subarray(at + 6, at + 32));
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    assert.equal(bytes.subarray(local + 30, local + 30 + nameLength).toString('utf8'), name);
    assert.equal(method, 0);
    assert.equal(packed, size);
    entries.push({ name, time, date, crc, body: bytes.subarray(start, start + size) });
    at += 46 + nameLength + extra + comment;
  }
  assert.equal(at, end);
  return entries;
}

// Bit by bit, unlike the tool's.
function crc32(bytes) {
  let crc = 0xffffffffn;
  for (const byte of bytes) {
    crc ^= BigInt(byte);
    for (let k = 0; k < 8; ++k) crc = crc & 1n ? (crc >> 1n) ^ 0xedb88320n : crc >> 1n;
  }
  return Number(crc ^ 0xffffffffn);
}

test('the package holds what the editor needs, and nothing else', () => {
  const entries = unzip(build('a.vsix'));
  assert.deepEqual(entries.map((e) => e.name), [
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/README.md',
    'extension/language-configuration.json',
    'extension/package.json',
    'extension/src/client.js',
    'extension/src/convert.js',
    'extension/src/extension.js',
    'extension/src/find.js',
    'extension/src/rpc.js',
    'extension/syntaxes/leto.tmLanguage.json',
  ]);
  for (const { name, crc, body } of entries) {
    assert.equal(crc, crc32(body), name);
    if (name === 'extension/LICENSE.txt') {
      assert.deepEqual(body, readFileSync(join(home, '..', '..', 'LICENSE')));
      assert.match(body.toString(), /Apache License\s+Version 2\.0/);
    } else if (name.startsWith('extension/')) {
      assert.deepEqual(body, readFileSync(join(home, name.slice('extension/'.length))), name);
    }
  }
});

test('what package.json refers to is in the package', () => {
  const entries = new Map(unzip(build('b.vsix')).map((e) => [e.name, e.body.toString()]));
  const p = JSON.parse(entries.get('extension/package.json'));
  const has = (path) => assert.ok(entries.has(`extension/${path.replace(/^\.\//, '')}`), path);
  has(p.main);
  p.contributes.grammars.forEach((g) => has(g.path));
  p.contributes.languages.forEach((l) => has(l.configuration));
  for (const [name, text] of entries) {
    if (!name.endsWith('.js')) continue;
    for (const [, wanted] of text.matchAll(/require\('([^']+)'\)/g)) {
      if (wanted.startsWith('./')) has(join('src', wanted).replaceAll('\\', '/'));
      else assert.match(wanted, /^(node:|vscode$)/, `${name} needs ${wanted}`);
    }
  }
  const grammar = JSON.parse(entries.get('extension/syntaxes/leto.tmLanguage.json'));
  assert.equal(grammar.scopeName, p.contributes.grammars[0].scopeName);
  assert.equal(p.contributes.grammars[0].language, p.contributes.languages[0].id);
  assert.deepEqual(p.contributes.languages[0].extensions, ['.leto']);
  assert.equal(p.dependencies, undefined);
  assert.equal(p.devDependencies, undefined);
  // Every setting that the code reads is declared, with the default that it assumes.
  const properties = p.contributes.configuration.properties;
  assert.deepEqual(Object.keys(properties), ['leto.server.path', 'leto.server.arguments', 'leto.verifyOnSave']);
  assert.equal(properties['leto.server.path'].default, 'leto-lsp');
  const code = entries.get('extension/src/extension.js');
  for (const [, key] of code.matchAll(/\.get\('([^']+)'/g)) assert.ok(`leto.${key}` in properties, key);
  for (const { command } of p.contributes.commands) assert.ok(code.includes(`registerCommand('${command}'`), command);

  const manifest = entries.get('extension.vsixmanifest');
  assert.match(manifest, new RegExp(`Id="${p.name}" Version="${p.version.replaceAll('.', '\\.')}" Publisher="${p.publisher}"`));
  assert.ok(manifest.includes(`Value="${p.engines.vscode}"`));
  for (const [, path] of manifest.matchAll(/<Asset [^>]*Path="([^"]+)"/g)) assert.ok(entries.has(path), path);
  const types = entries.get('[Content_Types].xml');
  for (const name of entries.keys()) {
    const extension = /\.[^.]+$/.exec(name)[0];
    assert.ok(name === '[Content_Types].xml' || types.includes(`Extension="${extension}"`), name);
  }
});

test('the same files give the same bytes', () => {
  const first = build('c.vsix');
  assert.ok(first.equals(build('d.vsix')));
  for (const { name, time, date } of unzip(first)) assert.deepEqual([time, date], [0, 0x21], name);
});

test('the tool refuses what it does not know', () => {
  for (const args of [['--help'], ['--out'], ['--out', 'a', 'b']]) {
    assert.equal(spawnSync(process.execPath, [tool, ...args], { cwd: dir }).status, 2, args.join(' '));
  }
});

test('the rules for typing do what they should', () => {
  const c = JSON.parse(readFileSync(join(home, 'language-configuration.json'), 'utf8'));
  const more = new RegExp(c.indentationRules.increaseIndentPattern);
  const less = new RegExp(c.indentationRules.decreaseIndentPattern);
  for (const line of ['void f() {', '    } else {', 'void f(uint n,', 'if (x) { // why', 'x = f(a / b,']) assert.match(line, more);
  for (const line of ['x = 1;', '// {', 'f(x);', 'while (x) {}', 'x = a / b;', 'import "a(b";']) assert.doesNotMatch(line, more);
  for (const line of ['    }', '}', '    } check (x) recover {', '  )']) assert.match(line, less);
  assert.doesNotMatch('    x = f();', less);
  const word = new RegExp(`^(?:${c.wordPattern})$`);
  for (const w of ['requires_r', 'x', '_a1', '42', '0.5', '1e-3']) assert.match(w, word);
  for (const w of ['x<o>', 'a.b', '*.', 'x y']) assert.doesNotMatch(w, word);
  const loop = c.onEnterRules.find((r) => r.action.indent === 'indent');
  const head = new RegExp(loop.beforeText);
  for (const line of ['    for (uint i = 0; i < n; ++i)', '@label(a) @noinf while (f(x) < 1)']) assert.match(line, head);
  for (const line of ['while (x) {', 'forall(uint i)(x)', 'if (x)']) assert.doesNotMatch(line, head);
  assert.deepEqual(c.comments, { lineComment: '//', blockComment: ['/*', '*/'] });
  for (const [open, close] of [...c.brackets, ...c.surroundingPairs]) assert.equal('{}[]()""'.indexOf(open + close) % 2, 0);
});
