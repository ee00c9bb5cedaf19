"""Problems, checkers, definitions and lemmas as data, and how they are written as Leto.

Expressions and statements are tuples whose first element says what they are:

    ("num", 3) ("bool", True) ("var", name, type) ("idx", vector, index, type) ("bin", op, a, b) ("not", a) ("neg", a)
    ("if", c, a, b) ("fn", "abs", args) ("call", definition, args, type) ("upd", vector, index, value)
    ("all", names, bound, guard, body) ("any", names, bound, guard, body): of all uints below the bound

    ("let", type, name, value) ("array", type, name, size) ("set", name, type, value) ("put", vector, index, value, type)
    ("ifs", c, then, otherwise) ("for", name, first, bound, invariants, measure, body)
    ("while", c, invariants, measure, body) ("break",) ("continue",): of a "for" only, ("return", value)
    ("assert", e) ("ghost", type, name, value) ("lemma", name, args) ("lemmas", name, bound, lemma, args): nobody runs these

Types are "bool", "int", "uint", "real" and ("vec", element).
"""
from dataclasses import dataclass, field

ORDERS = ("<", "<=", ">", ">=", "==", "!=")
LOGIC = ("&&", "||", "->")
WIDTH = {"uint": 0, "int": 1, "real": 2}


@dataclass
class Param:
    name: str
    type: object
    size: object = None  # of a vector

    def scalar(self):
        return self.size is None


@dataclass
class Define:
    name: str
    type: str
    params: list  # sizes are not written
    measure: object
    body: object


@dataclass
class Lemma:
    name: str
    params: list
    requires: list
    ensures: list
    measure: object
    body: tuple
    returns: list = field(default_factory=list)
    made: object = None  # what the only result is


@dataclass
class Right:
    claim: object
    against: list = field(default_factory=list)
    when: object = None


@dataclass
class Example:
    values: tuple
    right: bool
    against: tuple = ()
    against_clause: int = -1


@dataclass
class Case:
    """A problem and its checker, with all that they use."""

    defines: list
    lemmas: list
    inputs: list
    outputs: list
    requires: list
    rights: list
    unique: object  # None, "" or the name of a lemma
    when: object
    witness: list
    certifies: object
    exists: object  # None, ("assumed", text), ("up to", number) or ("by", lemma)
    body: tuple
    examples: list = field(default_factory=list)
    mutation: str = ""  # what was made wrong; empty: nothing


def type_of(e):
    kind = e[0]
    if kind == "num":
        return "uint"
    if kind in ("bool", "not", "all", "any"):
        return "bool"
    if kind == "var":
        return e[2]
    if kind in ("idx", "call"):
        return e[3]
    if kind == "neg":
        return wider(type_of(e[1]), "int")
    if kind == "if":
        return wider(type_of(e[2]), type_of(e[3]))
    if kind == "upd":
        return type_of(e[1])
    if kind == "fn":
        types = [type_of(a) for a in e[2]]
        if e[1] == "abs":
            return "real" if types[0] == "real" else "uint"
        if e[1] in ("uint", "real"):
            return e[1]
        return "int" if e[1] == "floor" else wider(*types)
    op = e[1]
    if op in ORDERS or op in LOGIC:
        return "bool"
    both = wider(type_of(e[2]), type_of(e[3]))
    return wider(both, "int") if op == "-" else both


def wider(a, b):
    if a == b or a == "bool" or isinstance(a, tuple):
        return a
    return a if WIDTH[a] >= WIDTH[b] else b


def num(k):
    return ("num", k) if k >= 0 else ("neg", ("num", -k))


def var(name, type):
    return ("var", name, type)


def both(parts):
    """All of them."""
    parts = [p for p in parts if p is not None]
    if not parts:
        return ("bool", True)
    out = parts[0]
    for p in parts[1:]:
        out = ("bin", "&&", out, p)
    return out


# As Leto ------------------------------------------------------------------------------------------


def write(e):
    kind = e[0]
    if kind == "num":
        return str(e[1])
    if kind == "bool":
        return "true" if e[1] else "false"
    if kind == "var":
        return e[1]
    if kind == "idx":
        return f"{write(e[1])}[{write(e[2])}]"
    if kind == "bin":
        return f"({write(e[2])} {e[1]} {write(e[3])})"
    if kind == "not":
        return f"!({write(e[1])})"
    if kind == "neg":
        return f"(-{write(e[1])})"
    if kind == "if":
        return f"(if ({write(e[1])}) {write(e[2])} else {write(e[3])})"
    if kind in ("fn", "call"):
        return f"{e[1]}({', '.join(write(a) for a in e[2])})"
    if kind == "upd":
        return f"{write(e[1])}[{write(e[2])} := {write(e[3])}]"
    return write_quantifier(e)


def write_quantifier(e):
    kind, names, bound, guard, body = e
    ranges = [f"{name} < {write(bound)}" for name in names] + ([write(guard)] if guard else [])
    binders = ", ".join(f"uint {name}" for name in names)
    if kind == "all":
        return f"forall({binders})({' && '.join(ranges)} -> {write(body)})"
    return f"exists({binders})({' && '.join(ranges + [write(body)])})"


def write_type(type):
    return f"vector<{type[1]}>" if isinstance(type, tuple) else type


def write_params(params, sizes=True):
    return ", ".join(f"{write_type(p.type)} {p.name}" + (f"({write(p.size)})" if sizes and p.size else "") for p in params)


def write_block(body, depth):
    return "{\n" + "".join(write_statement(s, depth + 1) for s in body) + "    " * depth + "}"


def write_heads(invariants, measure, depth):
    pad = "    " * (depth + 2)
    lines = [f"\n{pad}invariant {write(i)}" for i in invariants]
    if measure is not None:
        lines.append(f"\n{pad}decreases {write(measure)}")
    return "".join(lines) + "\n" + "    " * depth


def write_statement(s, depth):
    return "    " * depth + write_inner(s, depth) + "\n"


def write_set(name, value):
    if value[0] == "bin" and value[1] in "+-" and value[2][:2] == ("var", name):
        return f"{value[1] * 2}{name};" if value[3] == ("num", 1) else f"{name} {value[1]}= {write(value[3])};"
    return f"{name} = {write(value)};"


def write_inner(s, depth):
    kind = s[0]
    if kind == "let":
        return f"{s[1]} {s[2]} = {write(s[3])};"
    if kind == "array":
        return f"vector<{s[1]}> {s[2]}({write(s[3])});"
    if kind == "ghost":
        return f"specvar {s[1]} {s[2]} = {write(s[3])};"
    if kind == "set":
        return write_set(s[1], s[3])
    if kind == "put":
        return f"{s[1]}[{write(s[2])}] = {write(s[3])};"
    if kind == "ifs":
        text = f"if ({write(s[1])}) {write_block(s[2], depth)}"
        return text + (f" else {write_block(s[3], depth)}" if s[3] else "")
    if kind == "for":
        head = f"for (uint {s[1]} = {write(s[2])}; {s[1]} < {write(s[3])}; ++{s[1]})"
        return head + write_heads(s[4], s[5], depth) + write_block(s[6], depth)
    if kind == "while":
        return f"while ({write(s[1])})" + write_heads(s[2], s[3], depth) + write_block(s[4], depth)
    if kind in ("break", "continue"):
        return kind + ";"
    if kind == "return":
        return f"return {write(s[1])};"
    if kind == "assert":
        return f"assert {write(s[1])};"
    call = f"{s[-2]}({', '.join(write(a) for a in s[-1])});"
    if kind == "lemma":
        return call
    return f"forall(uint {s[1]}; {s[1]} < {write(s[2])}) " + "{ " + call + " }"


def write_define(d):
    measure = f" decreases {write(d.measure)}" if d.measure is not None else ""
    return f"define {d.type} {d.name}({write_params(d.params, False)}){measure}:\n    {write(d.body)};\n\n"


def write_lemma(lemma):
    text = "".join(f"requires {write(r)}\n" for r in lemma.requires) + "".join(f"ensures {write(e)}\n" for e in lemma.ensures)
    if lemma.measure is not None:
        text += f"decreases {write(lemma.measure)}\n"
    returns = f" returns ({write_params(lemma.returns)})" if lemma.returns else ""
    return text + f"lemma {lemma.name}({write_params(lemma.params)}){returns} {write_block(lemma.body, 0)}\n\n"


def write_value(value):
    if isinstance(value, tuple):
        return "[" + ", ".join(write_value(v) for v in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if value == int(value) else str(float(value))


def write_example(case, example):
    names = [p.name for p in case.inputs + case.outputs]
    given = ", ".join(f"{n} = {write_value(v)}" for n, v in zip(names, example.values))
    behind = ""
    if example.against:
        behind = f" against ({', '.join(write_value(v) for v in example.against)})"
    return f"    example ({given}) {'right' if example.right else 'wrong'}{behind};\n"


def write_right(right):
    if not right.against:
        return f"    right {write(right.claim)};\n"
    return f"    right against ({write_params(right.against)}) when {write(right.when)}: {write(right.claim)};\n"


def write_problem(case):
    text = "problem p0 {\n"
    text += f"    input {write_params(case.inputs)};\n" + "".join(f"    requires {write(r)};\n" for r in case.requires)
    text += f"    output {write_params(case.outputs)};\n" + "".join(write_right(r) for r in case.rights)
    if case.unique is not None:
        text += f"    unique{' by ' + case.unique if case.unique else ''};\n"
    return text + "".join(write_example(case, e) for e in case.examples) + "}\n\n"


def write_checker(case):
    text = "checker c0 for p0"
    if case.when is not None:
        text += f" when {write(case.when)}"
    if case.witness:
        text += f" with ({write_params(case.witness)})"
    if case.certifies is not None:
        text += f"\n    certifies {write(case.certifies)}"
    if case.exists is not None:
        kind, what = case.exists
        text += f"\n    exists {kind} " + (f'"{what}"' if kind == "assumed" else str(what))
    return text + "\n" + write_block(case.body, 0) + "\n"


def write_case(case):
    parts = [write_define(d) for d in case.defines] + [write_lemma(lemma) for lemma in case.lemmas]
    return "".join(parts) + write_problem(case) + write_checker(case)
