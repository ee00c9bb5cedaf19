import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { lex, tables } from './lexer.mjs';
import { Tokenizer, problems } from './textmate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..', '..');
const grammar = JSON.parse(readFileSync(join(here, '..', 'syntaxes', 'leto.tmLanguage.json'), 'utf8'));
const tokenizer = new Tokenizer(grammar);
const language = tables(root);

// All programs and models of the repository. What tests/rejects holds is wrong in some way.
const sources = ['examples', 'models', 'tests']
  .flatMap((dir) => readdirSync(join(root, dir), { recursive: true }).map((name) => join(root, dir, name)))
  .filter((path) => path.endsWith('.leto'))
  .map((path) => ({
    name: relative(root, path).replaceAll('\\', '/'),
    text: readFileSync(path, 'utf8'),
  }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
const valid = sources.filter((s) => !s.name.startsWith('tests/rejects/'));
// The grammar has the signs and the literals of words, and not yet their types.
const coloured = valid.filter((s) => !s.text.includes('bits<'));
const rejected = sources.filter((s) => s.name.startsWith('tests/rejects/'));
const lexicallyWrong = /\/(L010\d_|in_place_as_elsewhere)/;

const is = (scope, prefix) => scope === prefix || scope.startsWith(`${prefix}.`);
const isAny = (scope, prefixes) => prefixes.some((p) => is(scope, p));

// The scopes of every character of a text.
function scopesOf(text) {
  const scopes = new Array(text.length).fill(undefined);
  for (const t of tokenizer.tokenize(text)) {
    for (let i = t.begin; i < t.end; ++i) scopes[i] = t.scopes;
  }
  return scopes;
}

function place(source, offset) {
  const before = source.text.slice(0, offset).split('\n');
  return `${source.name}:${before.length}:${before.at(-1).length + 1}`;
}

// Words that are keywords only at certain places, and where: told from the tokens around them.
function pairsOf(tokens) {
  const partner = new Map();
  const open = [];
  for (const [i, t] of tokens.entries()) {
    if (t.kind !== 'punctuation') continue;
    if (t.text === '(' || t.text === '{') open.push(i);
    if (t.text === ')' || t.text === '}') partner.set(i, open.pop());
  }
  return partner;
}

const types = new Set(['bool', 'int', 'uint', 'real', 'void', 'vector', 'matrix']);

function places(tokens) {
  const partner = pairsOf(tokens);
  const text = (i) => tokens[i]?.text;
  const kind = (i) => tokens[i]?.kind;
  const annotation = (i) =>
    (kind(i) === 'name' && text(i - 1) === '@') ||
    (text(i) === ')' && kind(partner.get(i) - 1) === 'name' && text(partner.get(i) - 2) === '@');
  const starts = (i) => i === 0 || ['{', '}', ';'].includes(text(i - 1)) || annotation(i - 1);
  // One that is a name is a record.
  const isType = (i) => types.has(text(i)) || (kind(i) === 'name' && kind(i + 1) === 'name');
  // The nearest of some signs before a token, with what is in brackets between them left out.
  const back = (i, signs) => {
    let j = i - 1;
    while (j >= 0 && !signs.includes(text(j))) j = (partner.get(j) ?? j) - 1;
    return j;
  };
  const member = (i) => ['{', ';'].includes(text(i - 1)) && meaning.problem(back(i, ['{']) - 2);
  const outcome = (i) => text(i - 1) === ')' && meaning.example(partner.get(i - 1) - 1);
  // Behind the problem's name or an expression, a name begins the next clause of a checker.
  const clause = (i) => {
    const start = back(i, ['(', '{', '}', ';']) + 1;
    return (
      text(start) === 'checker' && text(start + 2) === 'for' && i > start + 3 &&
      (['name', 'integer', 'real', 'string'].includes(kind(i - 1)) || [')', ']', 'true', 'false'].includes(text(i - 1))) &&
      !(['certifies', 'within'].includes(text(i - 1)) && clause(i - 1))
    );
  };
  const meaning = {
    repeat: (i) => starts(i) && ['integer', 'name'].includes(kind(i + 1)),
    try: (i) => starts(i) && text(i + 1) === '{',
    break: (i) => starts(i) && (text(i + 1) === ';' || kind(i + 1) === 'name'),
    continue: (i) => meaning.break(i),
    check: (i) => text(i - 1) === '}' && text(partner.get(i - 1) - 1) === 'try',
    recover: (i) => {
      const before = text(i - 1) === ')' ? partner.get(i - 1) - 1 : NaN;
      return meaning.check(before) || meaning.check(before - 1);
    },
    redo: (i) => text(i - 1) === 'recover',
    under: (i) => meaning.sound(i - 1) || meaning.complete(i - 1) || text(i - 1) === 'redo' || (text(i - 1) === ')' && text(partner.get(i - 1) - 1) === 'redo'),
    extern: (i) => isType(i + 1),
    ends: (i) => isType(i + 1) || (!types.has(text(i - 1)) && text(i + 1) === '(' && isType(i + 2)),
    inout: (i) => isType(i + 1),
    pure: (i) => isType(i + 1) || (text(i + 1) === 'extern' && isType(i + 2)),
    record: (i) => kind(i + 1) === 'name' && text(i + 2) === '{',
    define: (i) => types.has(text(i + 1)),
    snapshot: (i) => text(i - 1) === 'specvar' && types.has(text(i + 1)),
    lemma: (i) => kind(i + 1) === 'name',
    returns: (i) => text(i + 1) === '(' && isType(i + 2),
    over: (i) => text(i - 2) === 'model' && kind(i + 1) === 'name',
    witness: (i) => kind(i + 1) === 'name' && text(i + 2) === '(',
    decreases: (i) => ['integer', 'name'].includes(kind(i + 1)) || ['model', 'abs', 'if', '('].includes(text(i + 1)),
    reliability: (i) => ['integer', 'real'].includes(kind(i + 1)) || text(i + 1) === 'result',
    R: (i) => text(i + 1) === '(' && (text(i - 3) === 'reliability' || text(i - 5) === 'reliability'),
    checker: (i) => kind(i + 1) === 'name' && ['false_positive', 'for'].includes(text(i + 2)),
    false_positive: (i) => text(i - 2) === 'checker',
    false_negative: (i) => text(i - 2) === 'false_positive',
    read: (i) => starts(i) && text(i + 1) === '(' && types.has(text(i + 2)),
    write: (i) => starts(i) && text(i + 1) === '(' && types.has(text(i + 2)),
    entry: (i) => text(i - 1) === '.' && text(i + 1) === '[',
    problem: (i) => text(i) === 'problem' && kind(i + 1) === 'name' && text(i + 2) === '{',
    input: member,
    output: member,
    right: (i) => member(i) || outcome(i),
    wrong: outcome,
    unique: member,
    example: (i) => text(i) === 'example' && member(i),
    against: (i) =>
      (text(i - 1) === 'right' && member(i - 1) && text(i + 1) === '(') || (text(i - 1) === 'wrong' && outcome(i - 1)),
    by: (i) => text(i - 1) === 'exists' || (text(i - 1) === 'unique' && member(i - 1)),
    up: (i) => text(i - 1) === 'exists',
    to: (i) => (text(i - 1) === 'up' && text(i - 2) === 'exists') || (text(i - 2) === 'elapse' && meaning.elapse(i - 2)),
    assumed: (i) => text(i - 1) === 'exists',
    with: (i) => clause(i) || meaning.choose(back(i, ['{', '}', ';']) + 1),
    system: (i) => text(i) === 'system' && kind(i + 1) === 'name' && text(i + 2) === '{',
    nodes: (i) => starts(i) && kind(i + 1) === 'name' && text(i + 2) === '(',
    enum: (i) => kind(i + 1) === 'name' && text(i + 2) === '{',
    step: (i) => starts(i) && kind(i + 1) === 'name',
    always: (i) => starts(i) && kind(i + 1) === 'name' && text(i + 2) === ':',
    elapse: (i) => kind(i + 1) === 'name' && text(i + 2) === 'to',
    initially: (i) => starts(i),
    trust: (i) => starts(i),
    choose: (i) => text(i) === 'choose' && starts(i) && (kind(i + 1) === 'name' || text(i + 1) === 'model'),
    message: (i) => (starts(i) && text(i + 1) === '(') || (text(i - 1) === '=' && ['.', '('].includes(text(i + 1))),
    round: (i) => starts(i) && isType(i + 1),
    node: (i) => starts(i) && isType(i + 1),
    count: (i) => text(i + 1) === '(' && kind(i + 2) === 'name' && kind(i + 3) === 'name' && text(i + 4) === ')' && text(i + 5) === '(',
    certifies: clause,
    within: clause,
    surely: (i) =>
      text(i - 1) === 'right' && member(i - 1) &&
      (['name', 'integer', 'real'].includes(kind(i + 1)) ||
        ['(', '!', 'true', 'false', 'forall', 'exists', 'if', 'uint', 'real'].includes(text(i + 1))),
    sound: (i) => clause(i) && text(i + 1) === 'under',
    complete: (i) => clause(i) && text(i + 1) === 'under',
    unknown: (i) => text(i - 1) === 'return' && text(i + 1) === ';',
    unless: (i) => text(i - 2) === 'under' && text(i - 3) === 'complete',
    result: () => true,
  };
  return { meaning, annotation, text };
}

// What other languages say, and the parser knows to answer it.
const foreign = new Set(['out']);

const wordScopes = { R: ['support.function.reliability'], result: ['variable.language.result'] };

// What the scope of a token must begin with.
function expected(tokens, i, depth, { meaning, annotation, text }) {
  const t = tokens[i];
  switch (t.kind) {
    case 'keyword':
      return t.text === 'true' || t.text === 'false'
        ? ['constant.language.boolean']
        : ['keyword.control', 'keyword.other', 'storage.type', 'storage.modifier'];
    case 'integer':
      return ['constant.numeric.integer'];
    case 'real':
      return ['constant.numeric.real'];
    case 'string':
      return ['string.quoted.double', 'punctuation.definition.string'];
    case 'side':
      return [t.text === '<o>' ? 'keyword.other.side.original' : 'keyword.other.side.relaxed'];
    case 'operator':
      if (text(i - 1) === 'operator') return ['entity.name.function.operator'];
      if (t.dotted) return ['keyword.operator.relaxed'];
      if (t.text === '<' && /^(vector|matrix)$/.test(text(i - 1))) return ['punctuation.definition.typeparameters.begin'];
      if (t.text === '>' && /^(vector|matrix)$/.test(text(i - 3))) return ['punctuation.definition.typeparameters.end'];
      if (/^(<=?|>=?|==|!=)$/.test(t.text)) return ['keyword.operator.comparison'];
      if (/^.=$/.test(t.text)) return ['keyword.operator.assignment.compound'];
      return [/^(&&|\|\||->|!)$/.test(t.text) ? 'keyword.operator.logical' : 'keyword.operator.arithmetic'];
    case 'punctuation':
      if (t.text === '=') return ['keyword.operator.assignment.leto'];
      return [/^(\+\+|--)$/.test(t.text) ? 'keyword.operator.step' : 'punctuation'];
    default: {
      if (annotation(i)) return ['storage.type.annotation'];
      if (Object.hasOwn(meaning, t.text) && meaning[t.text](i)) {
        return wordScopes[t.text] ?? ['keyword.control', 'keyword.other', 'storage.type', 'storage.modifier'];
      }
      const typed = types.has(text(i - 1)) || (text(i - 1) === '>' && types.has(text(i - 2)));
      const table = text(i - 5) === 'const' && text(i - 1) === '>';
      if (depth === 0 && table) return ['variable.other.constant'];
      if (depth === 0 && typed && text(i + 1) === '(') return ['entity.name.function.leto'];
      if (typed && depth > 0) return ['variable.other.definition', 'variable.parameter', 'variable.other.constant'];
      if (['abs', 'min', 'max', 'floor'].includes(t.text) && text(i + 1) === '(') return ['support.function.builtin'];
      return ['variable.other', 'variable.parameter', 'entity.name', 'entity.other'];
    }
  }
}

test('both engines read the grammar alike', () => {
  assert.deepEqual(problems(grammar), []);
});

test('the tables of the language are there', () => {
  assert.ok(language.keywords.length >= 38 && language.keywords.includes('requires_r'));
  assert.ok(language.operators.includes('->') && language.punctuation.includes('++'));
  assert.ok(language.words.includes('recover') && language.words.includes('false_negative'));
  assert.deepEqual([...language.annotations].sort(), ['label', 'noinf', 'rate', 'region', 'replaces']);
  assert.ok(valid.length > 200, `only ${valid.length} files`);
});

test('every keyword of the lexer has the scope of a keyword', () => {
  for (const word of language.keywords) {
    for (const line of [word, `(${word} `, `x = ${word};`, `void f() {\n${word}\n}`, `model m {\n${word}\n}`]) {
      const scopes = scopesOf(line);
      const at = line.indexOf(word);
      for (let i = at; i < at + word.length; ++i) {
        const scope = scopes[i].at(-1);
        assert.ok(
          isAny(scope, ['keyword.control', 'keyword.other', 'storage.type', 'storage.modifier']) ||
            (/^(true|false)$/.test(word) && is(scope, 'constant.language.boolean')),
          `'${word}' in ${JSON.stringify(line)} is ${scope}`,
        );
      }
      for (const name of [`${word}x`, `x${word}`, `${word}_`, `_${word}`]) {
        if (language.keywords.includes(name)) continue;
        assert.equal(scopesOf(name)[0].at(-1), 'variable.other.leto', name);
      }
    }
  }
});

test('every operator of the lexer is one token, dotted or not', () => {
  const dotted = language.operators.map((sign) => [`${sign}.`, 'keyword.operator.relaxed.leto']);
  const plain = language.operators.map((sign) => [sign, 'keyword.operator']);
  for (const [sign, scope] of [...dotted, ...plain]) {
    for (const line of [`a ${sign} b`, `a${sign}b`]) {
      const found = tokenizer.tokenize(line).find((t) => is(t.scopes.at(-1), 'keyword.operator'));
      assert.equal(found?.text, sign, line);
      assert.ok(is(found.scopes.at(-1), scope), `${line}: ${found.scopes.at(-1)}`);
      assert.equal(is(found.scopes.at(-1), 'keyword.operator.relaxed'), sign.endsWith('.'), line);
    }
  }
});

test('every annotation of the parser is known, and no other', () => {
  for (const name of language.annotations) {
    assert.equal(scopesOf(`@${name}`)[1].at(-1), 'storage.type.annotation.leto', name);
  }
  assert.equal(scopesOf('@regio(ram)')[1].at(-1), 'invalid.illegal.annotation.leto');
  assert.equal(scopesOf('@regions(ram)')[1].at(-1), 'invalid.illegal.annotation.leto');
});

test('every word of the parser has its place', () => {
  const { meaning } = places([]);
  for (const word of language.words) assert.ok(foreign.has(word) || Object.hasOwn(meaning, word), `nothing is known of '${word}'`);
});

test('every token of every valid file has the scope of its kind', () => {
  const seen = new Map();
  let count = 0;
  for (const source of coloured) {
    const { tokens } = lex(source.text, language);
    const scopes = scopesOf(source.text);
    const around = places(tokens);
    let depth = 0;
    for (const [i, t] of tokens.entries()) {
      if (t.kind === 'punctuation' && /^[({]$/.test(t.text)) ++depth;
      if (t.kind === 'punctuation' && /^[)}]$/.test(t.text)) --depth;
      const wanted = expected(tokens, i, depth, around);
      for (let k = t.begin; k < t.end; ++k) {
        const scope = scopes[k].at(-1);
        assert.ok(isAny(scope, wanted), `${place(source, k)}: '${t.text}' is ${scope}, not ${wanted.join(' or ')}`);
      }
      const word = t.kind === 'name' && !around.annotation(i) && around.meaning[t.text]?.(i);
      if (t.kind === 'keyword' || word) seen.set(t.text, (seen.get(t.text) ?? 0) + 1);
      ++count;
    }
    assert.equal(depth, 0, source.name);
  }
  assert.ok(count > 20000, `only ${count} tokens`);
  // The files cover the language, so nothing above holds for lack of examples.
  for (const word of [...language.keywords, ...language.words])
    assert.ok(seen.has(word) || foreign.has(word), `no file uses '${word}'`);
});

test('comments and strings are exactly what the lexer says', () => {
  let comments = 0;
  let strings = 0;
  for (const source of [...valid, ...rejected.filter((s) => !lexicallyWrong.test(s.name))]) {
    const found = lex(source.text, language);
    const scopes = scopesOf(source.text);
    const wanted = new Array(source.text.length).fill('');
    for (const c of found.comments) wanted.fill(c.block ? 'comment.block' : 'comment.line', c.begin, c.end);
    for (const t of found.tokens) if (t.kind === 'string') wanted.fill('string.quoted', t.begin, t.end);
    for (let i = 0; i < source.text.length; ++i) {
      if (scopes[i] === undefined) continue; // a line's end, or the mark at the file's start
      const scope = ['comment.block', 'comment.line', 'string.quoted'].filter((p) => scopes[i].some((s) => is(s, p)));
      assert.equal(scope.join(), wanted[i], place(source, i));
      assert.ok(wanted[i] !== '' || !scopes[i].some((s) => isAny(s, ['comment', 'string'])), place(source, i));
    }
    comments += found.comments.length;
    strings += found.tokens.filter((t) => t.kind === 'string').length;
  }
  assert.ok(comments > 500 && strings > 10, `${comments} comments, ${strings} strings`);
});

test('nothing is invalid in valid files', () => {
  for (const source of coloured) {
    for (const t of tokenizer.tokenize(source.text)) {
      assert.ok(!t.scopes.some((s) => is(s, 'invalid')), `${place(source, t.begin)}: ${t.text}`);
    }
  }
});

test('what the lexer refuses is invalid', () => {
  const files = rejected.filter((s) => /\/L010[245]_/.test(s.name));
  assert.ok(files.length >= 3);
  for (const source of files) {
    assert.ok(
      tokenizer.tokenize(source.text).some((t) => t.scopes.some((s) => is(s, 'invalid'))),
      source.name,
    );
  }
});

// lines.json holds lines and the scopes of all their tokens, without `.leto`, and says where the
// line stands: in a file, a function or a model.
const body = 'void f() {\n';
const modelBody = 'model m {\n';
const lines = JSON.parse(readFileSync(join(here, 'lines.json'), 'utf8'));

test('lines have the scopes that were written down for them', () => {
  assert.ok(lines.length >= 15);
  for (const { in: context, line, scopes } of lines) {
    const lead = { file: '', function: body, model: modelBody }[context];
    const text = lead + line;
    const found = tokenizer
      .tokenize(text)
      .filter((t) => t.begin >= lead.length && t.text.trim() !== '')
      .map((t) => [t.text.trim(), t.scopes.slice(1).map((s) => s.replace(/\.leto$/, '')).join(' ')]);
    assert.deepEqual(found, scopes, line);
  }
});

test('what is unfinished does not spoil what follows', () => {
  const after = '\n}\n\nrequires_r eq(*)\nreal next(real x) {\n    return x *. 2;\n}\n';
  for (const start of [
    'real f(real x',
    'real f(real x) {\n    x = (x + 1;',
    'real f(real x) {\n    real y = ',
    'real f(real x) {\n    try {\n        x = 1;\n    }',
    'real f(real x) {\n    try {\n        x = 1;\n    } check (x == 1)',
    'real f(real x) {\n    for (uint i = 0',
    'import "open\nreal f(real x) {',
    'model m {\n    operator *(real a',
    'problem p',
    'problem p {\n    input uint n, vector<int> a(n',
    'problem p {\n    example (n = 1, a = [1',
    'checker c for p',
    'checker c for p when (n < 1 with (uint w',
  ]) {
    const found = tokenizer.tokenize(start + after).filter((t) => t.begin > start.length && t.text.trim() !== '');
    const scope = (text) => found.find((t) => t.text.trim() === text)?.scopes.at(-1);
    assert.equal(scope('requires_r'), 'keyword.other.specification.relational.leto', start);
    assert.equal(scope('*.'), 'keyword.operator.relaxed.leto', start);
    assert.equal(scope('return'), 'keyword.control.return.leto', start);
    assert.equal(scope('next'), 'entity.name.function.leto', start);
  }
});
