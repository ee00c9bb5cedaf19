// A tokenizer for the part of the TextMate format that our grammar uses: match, begin and end,
// captures by name, nested patterns, and includes of the repository.
//
// Oniguruma reads the grammar in the editor, JavaScript reads it here. The patterns keep to what
// both read alike, and `problems` says where one does not.

const known = new Set([
  'name', 'match', 'captures', 'begin', 'beginCaptures', 'end', 'endCaptures', 'patterns', 'include',
]);

function* rules(node, path) {
  if (Array.isArray(node.patterns)) {
    for (const [i, p] of node.patterns.entries()) yield* rules(p, `${path}.patterns[${i}]`);
  }
  yield [node, path];
}

function* allRules(grammar) {
  for (const [i, p] of grammar.patterns.entries()) yield* rules(p, `patterns[${i}]`);
  for (const [name, rule] of Object.entries(grammar.repository)) yield* rules(rule, `#${name}`);
}

// What the two engines read differently, or what this tokenizer does not know.
export function problems(grammar) {
  const list = [];
  const say = (path, what) => list.push(`${path}: ${what}`);
  const used = new Set();
  for (const [rule, path] of allRules(grammar)) {
    for (const key of Object.keys(rule)) if (!known.has(key)) say(path, `unknown key ${key}`);
    if (rule.include !== undefined) {
      if (!/^#/.test(rule.include) || !(rule.include.slice(1) in grammar.repository)) {
        say(path, `unknown include ${rule.include}`);
      }
      used.add(rule.include.slice(1));
    }
    if ((rule.begin === undefined) !== (rule.end === undefined)) say(path, 'begin without end');
    for (const key of ['match', 'begin', 'end']) {
      const source = rule[key];
      if (source === undefined) continue;
      // Shorthands for classes know Unicode in one engine and not in the other.
      if (/\\[wWdDsSbBhHGAzZkpPXRKQE1-9]/.test(source)) say(path, `not portable: ${source}`);
      if (/\(\?(?!:|=|!|<=|<!)/.test(source)) say(path, `not portable: ${source}`);
      if (/[*+?}]\+/.test(source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x'))) {
        say(path, `possessive: ${source}`);
      }
      // A dot stops at other line ends in one engine than in the other.
      if (/\./.test(source.replace(/\\./g, '').replace(/\[[^\]]*\]/g, ''))) {
        say(path, `a dot that is no sign: ${source}`);
      }
      // A lookbehind of several lengths is an error in one engine.
      for (const [, inside] of source.matchAll(/\(\?<[=!]((?:[^()\\]|\\.)*)\)/g)) {
        if (/[*+?|]/.test(inside.replace(/\\./g, '').replace(/\[[^\]]*\]/g, ''))) {
          say(path, `lookbehind of several lengths: ${source}`);
        }
      }
      let groups;
      try {
        groups = new RegExp(`${source}|`, 'u').exec('').length - 1;
      } catch (e) {
        say(path, e.message);
        continue;
      }
      const captures = key === 'match' ? rule.captures : rule[`${key}Captures`];
      for (const index of Object.keys(captures ?? {})) {
        if (Number(index) > groups) say(path, `no group ${index} in ${source}`);
      }
    }
    for (const captures of [rule.captures, rule.beginCaptures, rule.endCaptures]) {
      for (const [index, capture] of Object.entries(captures ?? {})) {
        if (Object.keys(capture).join() !== 'name') say(path, `capture ${index} is not a name`);
      }
    }
  }
  for (const name of Object.keys(grammar.repository)) {
    if (!used.has(name)) say(`#${name}`, 'nothing includes it');
  }
  return list;
}

const split = (name) => (name ? name.split(' ') : []);

export class Tokenizer {
  #grammar;
  #compiled = new Map();

  constructor(grammar) {
    this.#grammar = grammar;
  }

  // Tokens of a text: { text, line, begin, end, scopes }, line by line, without gaps. The
  // offsets count from the start of the text. Line ends belong to no token.
  tokenize(text) {
    const tokens = [];
    let stack = [{ rule: this.#grammar, scopes: [this.#grammar.scopeName] }];
    let offset = text.startsWith('\ufeff') ? 1 : 0;
    let number = 0;
    for (const part of text.slice(offset).split(/(?<=\n)/)) {
      const line = part.replace(/\r?\n$/, '');
      const base = offset;
      stack = this.#line(line, stack, (begin, end, scopes) => {
        const stop = Math.min(end, line.length);
        if (begin >= stop) return;
        tokens.push({
          text: line.slice(begin, stop), line: number, begin: base + begin, end: base + stop, scopes,
        });
      });
      offset += part.length;
      ++number;
    }
    return tokens;
  }

  #line(line, stack, emit) {
    const text = `${line}\n`;
    let at = 0;
    let pushedAt = -1;
    for (;;) {
      const top = stack[stack.length - 1];
      const found = this.#first(text, at, top.rule);
      if (!found) {
        emit(at, line.length, top.scopes);
        return stack;
      }
      const { rule, match, ends } = found;
      const start = match.index;
      const stop = start + match[0].length;
      emit(at, start, top.scopes);
      if (ends) {
        this.#captures(match, rule.endCaptures, top.scopes, emit);
        stack = stack.slice(0, -1);
        if (stop === at && pushedAt === at) throw new Error(`no progress in: ${line}`);
      } else if (rule.begin !== undefined) {
        const scopes = [...top.scopes, ...split(rule.name)];
        this.#captures(match, rule.beginCaptures, scopes, emit);
        if (stop === start) {
          if (pushedAt === stop) throw new Error(`no progress in: ${line}`);
          pushedAt = stop;
        }
        stack = [...stack, { rule, scopes }];
      } else {
        if (stop === start) throw new Error(`an empty match in: ${line}`);
        this.#captures(match, rule.captures, [...top.scopes, ...split(rule.name)], emit);
      }
      at = stop;
      if (at > line.length) return stack;
    }
  }

  // The leftmost match. Of several at one place the end of the open rule wins, then the order.
  #first(text, at, open) {
    let best;
    for (const { rule, regex, ends } of this.#candidates(open)) {
      regex.lastIndex = at;
      const match = regex.exec(text);
      if (match && (!best || match.index < best.match.index)) best = { rule, match, ends };
    }
    return best;
  }

  #candidates(open) {
    let list = this.#compiled.get(open);
    if (!list) {
      list = [];
      const add = (rule, source, ends) => list.push({ rule, regex: new RegExp(source, 'dgmu'), ends });
      const visit = (patterns, seen) => {
        for (const p of patterns) {
          if (p.include) {
            const name = p.include.slice(1);
            if (!seen.has(name)) visit([this.#grammar.repository[name]], new Set([...seen, name]));
          } else if (p.match !== undefined) add(p, p.match, false);
          else if (p.begin !== undefined) add(p, p.begin, false);
          else visit(p.patterns, seen);
        }
      };
      if (open.end !== undefined) add(open, open.end, true);
      visit(open.patterns ?? [], new Set());
      this.#compiled.set(open, list);
    }
    return list;
  }

  // Captures are never nested in one another in our grammar, group 0 apart.
  #captures(match, captures, scopes, emit) {
    let at = match.index;
    const stop = at + match[0].length;
    const all = [...scopes, ...split(captures?.['0']?.name)];
    for (let i = 1; i < match.length; ++i) {
      const name = captures?.[String(i)]?.name;
      if (!name || !match.indices[i]) continue;
      const [begin, end] = match.indices[i];
      if (begin < at || begin === end) continue;
      emit(at, begin, all);
      emit(begin, end, [...all, ...split(name)]);
      at = end;
    }
    emit(at, stop, all);
  }
}
