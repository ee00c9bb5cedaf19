"""What a case means, by trying small values: an evaluator of its own, which asks nobody.

Specifications are total: reading outside of a vector gives zero. A division by zero and a definition outside of its domain have
no value that anybody knows (`Open`). Programs fail there (`Fails`). Nothing that stands in a checker for proofs is executed.
"""
import functools
import itertools
import re
from fractions import Fraction

from forms import LOGIC, ORDERS, type_of

STEPS = 1500  # of loops; cases that end need far fewer on values this small
DEPTH = 60
LEVELS = {
    "wide": {"int": (0, 1, -1, 2, -2, 3), "uint": (0, 1, 2, 3), "real": (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2), Fraction(2))},
    "middle": {"int": (0, 1, -1, 2), "uint": (0, 1, 2), "real": (Fraction(0), Fraction(1), Fraction(-1), Fraction(1, 2))},
    "narrow": {"int": (0, 1, -1), "uint": (0, 1, 2), "real": (Fraction(0), Fraction(1, 2), Fraction(-1))},
}
LONGEST = 2  # vectors whose size nobody says


class Open(Exception):
    pass


class Fails(Exception):
    pass


class Hangs(Exception):
    pass


class NotTotal(Exception):
    pass


# What compiled text calls -------------------------------------------------------------------------


def quotient(a, b):
    return a // b if b > 0 else -(a // -b)


def spec_read(v, i, zero):
    return v[i] if 0 <= i < len(v) else zero


def spec_divide(a, b, whole, total=False):
    if b == 0:
        raise NotTotal() if total else Open()
    return quotient(a, b) if whole else Fraction(a) / b


def spec_rest(a, b, total=False):
    if b == 0:
        raise NotTotal() if total else Open()
    return a - b * quotient(a, b)


def spec_update(v, i, e):
    return v[:i] + (e,) + v[i + 1:] if 0 <= i < len(v) else v


def run_read(v, i):
    if not 0 <= i < len(v):
        raise Fails()
    return v[i]


def run_put(v, i, e):
    if not 0 <= i < len(v):
        raise Fails()
    v[i] = e


def run_divide(a, b, whole):
    if b == 0:
        raise Fails()
    return quotient(a, b) if whole else Fraction(a) / b


def run_rest(a, b):
    if b == 0:
        raise Fails()
    return a - b * quotient(a, b)


def run_natural(a):
    if a < 0:
        raise Fails()
    return a


class Clock:
    def __init__(self):
        self.left = STEPS

    def tick(self):
        self.left -= 1
        if self.left < 0:
            raise Hangs()


def floor_of(x):
    return x.numerator // x.denominator if isinstance(x, Fraction) else x


HELP = {
    "quotient": quotient, "spec_read": spec_read, "spec_divide": spec_divide, "spec_rest": spec_rest, "spec_update": spec_update,
    "run_read": run_read, "run_put": run_put, "run_divide": run_divide, "run_rest": run_rest, "run_natural": run_natural,
    "Clock": Clock, "Fraction": Fraction, "floor_of": floor_of, "Fails": Fails,
}
PYTHON = {"&&": "and", "||": "or"}


def zero_of(type):
    return "False" if type == "bool" else "0"


class Compiler:
    """Text of Python for expressions and statements. `mode`: "spec", "total" (of a definition) or "run"."""

    def __init__(self, mode):
        self.mode = mode
        self.steps = []  # of the loops around, for `continue`

    def expr(self, e):
        return getattr(self, "on_" + e[0])(*e[1:])

    def on_num(self, k):
        return str(k)

    def on_bool(self, b):
        return str(b)

    def on_var(self, name, type):
        return "v_" + name

    def on_idx(self, v, i, type):
        if self.mode == "run":
            return f"run_read({self.expr(v)}, {self.expr(i)})"
        return f"spec_read({self.expr(v)}, {self.expr(i)}, {zero_of(type)})"

    def on_not(self, a):
        return f"(not {self.expr(a)})"

    def on_neg(self, a):
        return f"(-{self.expr(a)})"

    def on_if(self, c, a, b):
        return f"({self.expr(a)} if {self.expr(c)} else {self.expr(b)})"

    def on_upd(self, v, i, e):
        return f"spec_update({self.expr(v)}, {self.expr(i)}, {self.expr(e)})"

    def on_fn(self, name, args):
        text = ", ".join(self.expr(a) for a in args)
        if name == "uint":
            return f"run_natural({text})" if self.mode == "run" else f"max({text}, 0)"
        return {"real": f"({text})", "floor": f"floor_of({text})"}.get(name, f"{name}({text})")

    def on_call(self, name, args, type):
        prefix = {"spec": "D_", "total": "T_", "run": "D_"}[self.mode]
        more = ["at"] if self.mode == "total" else []
        return f"{prefix}{name}({', '.join([self.expr(a) for a in args] + more)})"

    def on_all(self, names, bound, guard, body):
        return self.quantified("all", names, bound, guard, body)

    def on_any(self, names, bound, guard, body):
        return self.quantified("any", names, bound, guard, body)

    def quantified(self, what, names, bound, guard, body):
        ranges = " ".join(f"for v_{n} in range(max({self.expr(bound)}, 0))" for n in names)
        if guard is not None:
            ranges += f" if {self.expr(guard)}"
        return f"{what}({self.expr(body)} {ranges})"

    def on_bin(self, op, a, b):
        left, right = self.expr(a), self.expr(b)
        if op in ORDERS or op in "+-*":
            return f"({left} {op} {right})"
        if op == "->":
            return f"((not {left}) or {right})"
        if op in LOGIC:
            return f"({left} {PYTHON[op]} {right})"
        whole = "real" not in (type_of(a), type_of(b))
        kind = "run" if self.mode == "run" else "spec"
        total = ", total=True" if self.mode == "total" else ""
        if op == "/":
            return f"{kind}_divide({left}, {right}, {whole}{total})"
        return f"{kind}_rest({left}, {right}{total})"

    # Statements ---------------------------------------------------------------------------------

    def block(self, body, depth):
        lines = [line for s in body for line in self.statement(s, depth)]
        return lines or ["    " * depth + "pass"]

    def stored(self, type, value):
        text = self.expr(value)
        return f"run_natural({text})" if type == "uint" and type_of(value) != "uint" else text

    def statement(self, s, depth):
        pad = "    " * depth
        kind = s[0]
        if kind == "let":
            return [f"{pad}v_{s[2]} = {self.stored(s[1], s[3])}"]
        if kind == "array":
            return [f"{pad}v_{s[2]} = [{zero_of(s[1])}] * {self.stored('uint', s[3])}"]
        if kind == "set":
            return [f"{pad}v_{s[1]} = {self.stored(s[2], s[3])}"]
        if kind == "put":
            return [f"{pad}run_put(v_{s[1]}, {self.expr(s[2])}, {self.stored(s[4], s[3])})"]
        if kind == "ifs":
            out = [f"{pad}if {self.expr(s[1])}:"] + self.block(s[2], depth + 1)
            return out + ([f"{pad}else:"] + self.block(s[3], depth + 1) if s[3] else [])
        if kind == "for":
            self.steps.append(f"v_{s[1]} += 1")
            inner = [pad + "    clock.tick()"] + self.block(s[6], depth + 1) + [f"{pad}    v_{s[1]} += 1"]
            self.steps.pop()
            return [f"{pad}v_{s[1]} = {self.stored('uint', s[2])}", f"{pad}while v_{s[1]} < {self.expr(s[3])}:"] + inner
        if kind == "while":
            return [f"{pad}while {self.expr(s[1])}:", pad + "    clock.tick()"] + self.block(s[4], depth + 1)
        if kind == "break":
            return [pad + "break"]
        if kind == "continue":
            return [pad + self.steps[-1], pad + "continue"]
        if kind == "return":
            return [f"{pad}return {self.expr(s[1])}"]
        return []  # for proofs


def names_of(params):
    return ", ".join("v_" + p.name for p in params)


def make_function(name, params, expr, space, mode="spec", more=""):
    text = f"def {name}({names_of(params)}{more}):\n    return {Compiler(mode).expr(expr)}\n"
    exec(text, space)
    return space[name]


# Values -------------------------------------------------------------------------------------------


def element_type(type):
    return type[1] if isinstance(type, tuple) else type


def values_of(type, level):
    return (False, True) if type == "bool" else LEVELS[level][type]


class Values:
    """All values of parameters, in order; sizes may depend on what comes before."""

    def __init__(self, before, params, space):
        self.params = params
        self.sizes = []
        known = list(before)
        for p in params:
            self.sizes.append(make_function("size_of", known, p.size, space) if p.size is not None else None)
            known.append(p)

    def each(self, start, level):
        if not self.params:
            yield start
            return
        yield from self.extend(start, 0, level)

    def extend(self, point, at, level):
        p = self.params[at]
        last = at + 1 == len(self.params)
        for value in self.choices(p, self.sizes[at], point, level):
            if last:
                yield point + (value,)
            else:
                yield from self.extend(point + (value,), at + 1, level)

    @staticmethod
    def choices(p, size, point, level):
        if not isinstance(p.type, tuple):
            return values_of(p.type, level)
        elements = values_of(p.type[1], level)
        lengths = [size(*point)] if size is not None else range(LONGEST + 1)
        return itertools.chain.from_iterable(itertools.product(elements, repeat=max(n, 0)) for n in lengths)

    def drawn(self, start, rng, level="middle"):
        point = start
        for p, size in zip(self.params, self.sizes):
            if not isinstance(p.type, tuple):
                point += (rng.choice(values_of(p.type, level)),)
                continue
            n = size(*point) if size is not None else rng.randrange(LONGEST + 1)
            point += (tuple(rng.choice(values_of(p.type[1], level)) for _ in range(max(n, 0))),)
        return point

    def some(self, start, most, rng):
        """All of them if there are few, else the smallest and some that are drawn."""
        for level in ("wide", "middle", "narrow"):
            found = list(itertools.islice(self.each(start, level), most + 1))
            if len(found) <= most:
                return found
        return found[: most // 4] + [self.drawn(start, rng) for _ in range(most - most // 4)]


def parse_value(text):
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("["):
        inner = text[1:-1].strip()
        return tuple(parse_value(t) for t in inner.split(",")) if inner else ()
    number = Fraction(text)
    return int(number) if number.denominator == 1 else number


def fits(value, type):
    if isinstance(type, tuple):
        return isinstance(value, tuple) and all(fits(v, type[1]) for v in value)
    if type == "bool":
        return isinstance(value, bool)
    if isinstance(value, (bool, tuple)):
        return False
    return type == "real" or (value == int(value) and (type == "int" or value >= 0))


def truth(function, point):
    """True, False, or None: nobody knows."""
    try:
        return bool(function(*point))
    except (Open, RecursionError):
        return None


# Definitions and lemmas ---------------------------------------------------------------------------


def add_define(d, space):
    """D_name: its value. T_name: the same, and the use that a definition makes of it is looked at."""
    compiled = make_function("B_" + d.name, d.params, d.body, space)
    naturals = [i for i, p in enumerate(d.params) if p.type == "uint"]
    measure = make_function("M_" + d.name, d.params, d.measure, space) if d.measure is not None else None
    depth = [0]

    @functools.lru_cache(maxsize=4096)
    def value(*args):
        if any(args[i] < 0 for i in naturals) or depth[0] > DEPTH:
            raise Open()
        depth[0] += 1
        try:
            return compiled(*args)
        finally:
            depth[0] -= 1

    def used(*args):
        *given, at = args
        if any(given[i] < 0 for i in naturals):
            raise NotTotal()
        if at is not None and at[0] == d.name and measure is not None and not measure(*given) < at[1]:
            raise NotTotal()
        return value(*given)

    space["D_" + d.name] = value
    space["T_" + d.name] = used
    total = make_function("W_" + d.name, d.params, d.body, space, "total", ", at")

    def check(*args):
        out = total(*args, (d.name, measure(*args)) if measure is not None else None)
        if d.type == "uint" and out < 0:
            raise NotTotal()

    return check


def names_in(node, found):
    """Definitions and lemmas that are named."""
    if isinstance(node, tuple) and node:
        if node[0] == "call" or node[0] == "lemma":
            found.add(node[1])
        if node[0] == "lemmas":
            found.add(node[3])
        for part in node:
            names_in(part, found)
    elif isinstance(node, list):
        for part in node:
            names_in(part, found)
    return found


class Oracle:
    """All that is known of a case."""

    def __init__(self, case, rng, most=2500):
        self.case, self.rng, self.most = case, rng, most
        self.space = dict(HELP)
        self.total_checks = [(d, add_define(d, self.space)) for d in case.defines]
        self.given = case.inputs + case.outputs
        self.all = self.given + case.witness
        make = lambda name, params, e: make_function(name, params, e, self.space)
        self.requires = [make("requires", case.inputs, r) for r in case.requires]
        self.claims = [make("claim", self.given + r.against, r.claim) for r in case.rights]
        self.whens = [make("when", self.given + r.against, r.when) if r.against else None for r in case.rights]
        self.certifies = make("certifies", self.all, case.certifies) if case.certifies is not None else None
        self.challengers = [Values(self.given, r.against, self.space) if r.against else None for r in case.rights]
        self.values = Values([], self.all, self.space)
        self.witnesses = Values(self.given, case.witness, self.space)
        self.checker = self.compile_checker()
        self.found = {}  # line -> a point that shows that it is not so
        self.rights = []  # points that are right, as far as was looked
        self.wrongs = []  # (point, clause, challenger)
        self.beaten_by = {}

    def compile_checker(self):
        compiler = Compiler("run")
        lines = [f"def checker({names_of(self.all)}):", "    clock = Clock()"]
        if self.case.when is not None:
            lines += [f"    if not {compiler.expr(self.case.when)}:", "        return False"]
        lines += compiler.block(self.case.body, 1) + ["    raise Fails()"]
        exec("\n".join(lines), self.space)
        return self.space["checker"]

    def verdict(self, point):
        try:
            return "accepted" if self.checker(*point) else "rejected"
        except Fails:
            return "fails"
        except Hangs:
            return "hangs"

    def meets(self, point):
        x = point[: len(self.case.inputs)]
        return all(truth(r, x) is True for r in self.requires)

    def right_in_part(self, result):
        out = True
        for claim, right in zip(self.claims, self.case.rights):
            if right.against:
                continue
            held = truth(claim, result)
            if held is False:
                return False
            out = None if held is None else out
        return out

    def for_it(self, result):
        """Whether it is one of those that the checker is for."""
        if self.case.when is None:
            return True
        if not hasattr(self, "when"):
            self.when = make_function("for_it", self.given, self.case.when, self.space)
        return truth(self.when, result)

    def beaten(self, k, result, most=150):
        """A challenger that wins by clause k, of those that were tried."""
        key = (k, result)
        if key not in self.beaten_by:
            self.beaten_by[key] = next((c for c in self.challengers[k].some(result, most, self.rng) if self.wins(k, c)), None)
        return self.beaten_by[key]

    def wins(self, k, challenged):
        return truth(self.whens[k], challenged) is True and truth(self.claims[k], challenged) is False

    def beaten_at_all(self, result):
        for k, right in enumerate(self.case.rights):
            if right.against and (c := self.beaten(k, result)) is not None:
                return k, c
        return None

    def certified(self, point):
        return True if self.certifies is None else truth(self.certifies, point)

    # All of it ----------------------------------------------------------------------------------

    def look(self):
        self.look_at_definitions()
        self.look_at_lemmas()
        met, last = False, None
        for point in self.values.some((), self.most, self.rng):
            x = point[: len(self.case.inputs)]
            if x != last:
                met, last = self.meets(point), x
            if met:
                self.look_at(point)
        self.look_at_results()
        return self

    def look_at(self, point):
        verdict = self.verdict(point)
        result = point[: len(self.given)]
        if verdict == "fails":
            self.found.setdefault("safe", point)
        elif verdict == "hangs":
            self.found.setdefault("ends", point)
        right = self.right_in_part(result)
        if right is True and len(self.rights) < 3000 and (not self.rights or self.rights[-1] != result):
            self.rights.append(result)
        if right is False and len(self.wrongs) < 60:
            self.wrongs.append(result)
        if verdict == "accepted":
            self.look_at_accepted(point, result)
        elif verdict == "rejected" and right is True and self.for_it(result) is True and self.certified(point) is True:
            self.found.setdefault("complete", point)

    def look_at_accepted(self, point, result):
        for k, right in enumerate(self.case.rights):
            line = self.sound_line(k)
            if line in self.found:
                continue
            if right.against:
                if len(self.beaten_by) < 400 and self.beaten(k, result) is not None:
                    self.found[line] = point
            elif truth(self.claims[k], result) is False:
                self.found[line] = point

    def sound_line(self, k):
        return f"sound {k + 1}" if len(self.case.rights) > 1 else "sound"

    def look_at_results(self):
        """Whether there is one right output only, and whether what a lemma makes certifies it."""
        first = {}
        lemma = next((l for l in self.case.lemmas if self.case.exists == ("by", l.name)), None)
        made = make_function("made", self.given, lemma.made, self.space) if lemma is not None else None
        against = any(r.against for r in self.case.rights)
        for result in self.rights:
            x = result[: len(self.case.inputs)]
            if not against and first.setdefault(x, result) != result:
                self.found.setdefault("unique", result)
            if made is not None and self.for_it(result) is True and not (against and self.beaten_at_all(result)):
                self.look_at_made(made, result)

    def look_at_made(self, made, result):
        try:
            if self.certified(result + (made(*result),)) is False:
                self.found.setdefault("exists", result)
        except Open:
            pass

    def look_at_definitions(self):
        used = self.used_names()
        for d, check in self.total_checks:
            if d.name not in used:
                continue
            for args in Values([], d.params, self.space).some((), 300, self.rng):
                try:
                    check(*args)
                except NotTotal:
                    self.found.setdefault("total", (d.name, args))
                    break
                except (Open, RecursionError):
                    pass

    def used_names(self):
        case = self.case
        roots = [case.requires, [[r.claim, r.when] for r in case.rights], case.certifies, case.body]
        used = names_in(roots, set())
        if case.exists and case.exists[0] == "by":
            used.add(case.exists[1])
        if case.unique:
            used.add(case.unique)
        for lemma in reversed(case.lemmas):
            if lemma.name in used:
                names_in([lemma.requires, lemma.ensures, lemma.body], used)
        for d in reversed(case.defines):
            if d.name in used:
                names_in(d.body, used)
        return used

    def look_at_lemmas(self):
        used = self.used_names()
        for lemma in self.case.lemmas:
            if lemma.name not in used:
                continue
            params = lemma.params
            needs = [make_function("needs", params, r, self.space) for r in lemma.requires]
            gives = [make_function("gives", params + lemma.returns, e, self.space) for e in lemma.ensures]
            made = make_function("made", params, lemma.made, self.space) if lemma.returns else None
            for args in Values([], params, self.space).some((), 400, self.rng):
                if not all(truth(n, args) is True for n in needs):
                    continue
                try:
                    given = args + (made(*args),) if made else args
                except Open:
                    continue
                if any(truth(g, given) is False for g in gives):
                    self.found.setdefault("unique" if lemma.name == self.case.unique else "total", (lemma.name, args))
                    break

    # What leto says -----------------------------------------------------------------------------

    def parse(self, params, values):
        return tuple(parse_value(values[p.name]) for p in params)

    def well_formed(self, params, point):
        values = Values([], params, self.space)
        for i, p in enumerate(params):
            if not fits(point[i], p.type):
                return False
            if p.size is not None and values.sizes[i](*point[:i]) != len(point[i]):
                return False
        return True

    def contradicts(self, pair):
        """Why a pair is not what leto says of it; None: it is. "open": nobody knows."""
        point = self.parse(self.case.inputs, pair["inputs"]) + self.parse(self.case.outputs, pair["outputs"])
        result = point
        point += self.parse(self.case.witness, pair["witness"])
        if not self.well_formed(self.all, point):
            return "a value has not its type, or a vector not its size"
        if not self.meets(point):
            return "the inputs do not meet what is required"
        verdict, said = self.verdict(point), pair["verdict"]
        if said.startswith("accepted, and wrong by clause "):
            return self.contradicts_wrong(int(re.search(r"clause (\d+)", said)[1]) - 1, result, verdict, pair)
        if said.startswith("rejected, and right"):
            return self.contradicts_right(point, result, verdict)
        if said.startswith("the checker fails"):
            return None if verdict == "fails" else f"it is {verdict}"
        if said.startswith("the checker does not end"):
            return None if verdict == "hangs" else f"it is {verdict}"
        return f"nobody knows the verdict '{said}'"

    def contradicts_wrong(self, k, result, verdict, pair):
        if verdict != "accepted":
            return f"it is {verdict}"
        right = self.case.rights[k]
        if not right.against:
            return {True: "the clause holds", False: None, None: "open"}[truth(self.claims[k], result)]
        challenged = result + self.parse(right.against, pair["against"])
        if not self.well_formed(self.given + right.against, challenged):
            return "a challenger has not its type or size"
        return None if self.wins(k, challenged) else "the challenger does not win"

    def contradicts_right(self, point, result, verdict):
        if verdict != "rejected":
            return f"it is {verdict}"
        held = [self.right_in_part(result), self.certified(point), self.for_it(result)]
        if False in held or self.beaten_at_all(result):
            return "it is not right, not certified, or not what the checker is for"
        return "open" if None in held else None

    def finds_witness(self, text):
        """A witness of what is said to have none."""
        values = dict(part.split(" = ", 1) for part in re.split(r", (?=\w+ = )", text))
        result = self.parse(self.given, values)
        return next((w for w in self.witnesses.some(result, 600, self.rng) if self.certified(w) is True), None)

    def is_as_stated(self, example):
        """True, False or None."""
        right = self.right_in_part(example.values)
        if example.right:
            return False if self.beaten_at_all(example.values) else right
        if example.against:
            return self.wins(example.against_clause, example.values + example.against)
        if right is False:
            return True
        return None if right is None or self.beaten_at_all(example.values) or any(self.challengers) else False
