// The lexer of the language once more, to hold the grammar against, and the tables of the real one.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

// What src/syntax knows: a word that is added there is unknown to the grammar at first, and a
// test says so.
export function tables(root) {
  const dir = join(root, 'src', 'syntax');
  const def = readFileSync(join(dir, 'tokens.def'), 'utf8');
  const read = (macro) =>
    [...def.matchAll(new RegExp(`^LETO_${macro}\\(\\w+, "([^"]+)"\\)`, 'gm'))].map((m) => m[1]);
  const words = new Set();
  const annotations = new Set();
  for (const name of readdirSync(dir).filter((n) => /^parse.*\.cpp$/.test(n))) {
    const text = readFileSync(join(dir, name), 'utf8');
    for (const m of text.matchAll(/at_word\("(\w+)"\)/g)) words.add(m[1]);
    for (const m of text.matchAll(/std::pair\{"(\w+)"/g)) words.add(m[1]);
    for (const m of text.matchAll(/known : \{([^}]*)\}/g)) {
      for (const n of m[1].matchAll(/"(\w+)"/g)) annotations.add(n[1]);
    }
  }
  return {
    keywords: read('KEYWORD'),
    operators: read('OPERATOR'),
    punctuation: read('PUNCT'),
    words: [...words],
    annotations: [...annotations],
  };
}

// Tokens and comments of a valid text: { kind, text, begin, end, dotted }.
export function lex(text, { keywords, operators, punctuation }) {
  const isKeyword = new Set(keywords);
  const signs = [...operators, ...punctuation]
    .filter((s) => !/^<[or]>$/.test(s))
    .sort((a, b) => b.length - a.length);
  const canBeDotted = new Set(operators);
  const tokens = [];
  const comments = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  const add = (kind, end, more) => {
    tokens.push({ kind, text: text.slice(at, end), begin: at, end, ...more });
    at = end;
  };
  const here = (regex) => {
    regex.lastIndex = at;
    return regex.exec(text)?.[0];
  };
  const side = () => {
    if (here(/<[or]>/y)) add('side', at + 3);
  };
  while (at < text.length) {
    let found;
    if ((found = here(/[ \t\r\n]+/y))) {
      at += found.length;
    } else if ((found = here(/\/\/[^\n]*/y))) {
      const end = at + found.replace(/\r$/, '').length;
      comments.push({ begin: at, end, block: false });
      at = end;
    } else if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2);
      const end = close < 0 ? text.length : close + 2;
      comments.push({ begin: at, end, block: true });
      at = end;
    } else if ((found = here(/[A-Za-z_][A-Za-z0-9_]*/y))) {
      const keyword = isKeyword.has(found);
      add(keyword ? 'keyword' : 'name', at + found.length);
      if (!keyword) side();
    } else if ((found = here(/[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/y))) {
      add(/^[0-9]+$/.test(found) ? 'integer' : 'real', at + found.length);
    } else if ((found = here(/"[^"\n]*"/y))) {
      add('string', at + found.length);
    } else {
      const sign = signs.find((s) => text.startsWith(s, at));
      if (!sign) throw new Error(`no token at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
      const dotted = canBeDotted.has(sign) && text[at + sign.length] === '.';
      add(canBeDotted.has(sign) ? 'operator' : 'punctuation', at + sign.length + (dotted ? 1 : 0), { dotted });
      if (sign === ']') side();
    }
  }
  return { tokens, comments };
}
