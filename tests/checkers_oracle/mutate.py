"""Small mistakes, anywhere in a case: in what runs, in what is there for proofs, in what is claimed."""
import copy

from forms import ORDERS, num, type_of

ONE = num(1)
EXPRS = {"num", "bool", "var", "idx", "bin", "not", "neg", "if", "fn", "call", "upd", "all", "any"}


def changes(e, names):
    """Other expressions in the place of this one; `names` are variables that may take its place."""
    kind = e[0]
    if kind == "bin" and e[1] in ORDERS:
        ops = ("==", "!=") if type_of(e[2]) == "bool" or isinstance(type_of(e[2]), tuple) else ORDERS
        return [("bin", op, e[2], e[3]) for op in ops if op != e[1]]
    if kind == "bin" and e[1] in ("&&", "||", "->"):
        other = {"&&": "||", "||": "&&", "->": "&&"}[e[1]]
        return [e[2], e[3], ("bin", other, e[2], e[3])]
    if kind == "bin" and e[1] in "+-":
        return [("bin", "-" if e[1] == "+" else "+", e[2], e[3]), e[2]]
    if kind == "bin" and e[1] in "/%*":
        return [e[2], ("bin", "+", e[2], e[3])]
    if kind == "num":
        return [num(e[1] + 1)] + ([num(e[1] - 1)] if e[1] > 0 else [])
    if kind == "bool":
        return [("bool", not e[1])]
    if kind == "idx":
        return [("idx", e[1], ("bin", op, e[2], ONE), e[3]) for op in "+-"]
    if kind in ("not", "neg"):
        return [e[1]]
    if kind == "if":
        return [e[2], e[3], ("if", e[1], e[3], e[2])]
    if kind == "fn" and e[1] in ("min", "max"):
        return [("fn", "max" if e[1] == "min" else "min", e[2])]
    if kind == "fn" and e[1] == "abs" and type_of(e[2][0]) != "uint":
        return [e[2][0]]
    if kind in ("all", "any"):
        return [("any" if kind == "all" else "all",) + e[1:]] + [(kind, e[1], ("bin", op, e[2], ONE), e[3], e[4]) for op in "+-"]
    if kind == "var":
        return [n for n in names if n[2] == e[2] and n[1] != e[1]]
    return []


def expr_sites(e, names, put, out):
    """Collects (change) for an expression and its parts; `put` makes the whole of a part."""
    for other in changes(e, names):
        out.append(lambda other=other: put(other))
    for at, part in enumerate(e):
        if at == 0 or not isinstance(part, tuple) or not part:
            continue
        if isinstance(part[0], str) and part[0] in EXPRS and len(part) > 1:
            expr_sites(part, names, lambda p, at=at: put(e[:at] + (p,) + e[at + 1:]), out)
        elif isinstance(part[0], tuple):  # arguments
            for q, arg in enumerate(part):
                expr_sites(arg, names, lambda p, at=at, q=q, part=part: put(e[:at] + (part[:q] + (p,) + part[q + 1:],) + e[at + 1:]),
                           out)


# Which parts of a statement are executed, which are for proofs, and which are blocks.
PARTS = {
    "let": ([3], [], []), "array": ([3], [], []), "set": ([3], [], []), "put": ([2, 3], [], []), "ifs": ([1], [], [2, 3]),
    "for": ([2, 3], [4, 5], [6]), "while": ([1], [2, 3], [4]), "break": ([], [], []), "continue": ([], [], []), "ghost": ([], [3], []), "return": ([1], [], []),
    "assert": ([], [1], []), "lemma": ([], [2], []), "lemmas": ([], [2, 4], []),
}


def statement_sites(body, names, put, run, ghost, outermost=False):
    for at, s in enumerate(body):
        def replace(*new, at=at):
            return put(body[:at] + tuple(new) + body[at + 1:])

        where = ghost if s[0] in ("assert", "lemma", "lemmas") else run
        if s[0] not in ("let", "array", "ghost") and not (outermost and s[0] == "return"):
            where.append(lambda r=replace: r())  # dropped
        if s[0] == "ifs":
            run.append(lambda r=replace, s=s: r(*s[2]))
            run.append(lambda r=replace, s=s: r(("ifs", ("not", s[1]), s[2], s[3])))
        if at == 0 or len(body) > 1:
            run.append(lambda r=replace, s=s: r(("ifs", ("bool", True), (("return", ("bool", True)),), ()), s))
        executed, proofs, blocks = PARTS[s[0]]
        for q in executed:
            expr_sites(s[q], names, lambda p, q=q, s=s, r=replace: r(s[:q] + (p,) + s[q + 1:]), run)
        for q in proofs:
            proof_sites(s, q, names, replace, ghost)
        for q in blocks:
            statement_sites(s[q], names, lambda b, q=q, s=s, r=replace: r(s[:q] + (b,) + s[q + 1:]), run, ghost)


def proof_sites(s, q, names, replace, ghost):
    part = s[q]
    if part is None:
        return
    if part and isinstance(part[0], tuple):  # invariants or arguments
        for k, e in enumerate(part):
            expr_sites(e, names, lambda p, k=k: replace(s[:q] + (part[:k] + (p,) + part[k + 1:],) + s[q + 1:]), ghost)
            if s[0] in ("for", "while"):
                ghost.append(lambda k=k: replace(s[:q] + (part[:k] + part[k + 1:],) + s[q + 1:]))
    elif part:
        expr_sites(part, names, lambda p: replace(s[:q] + (p,) + s[q + 1:]), ghost)


def with_part(case, name, value):
    out = copy.copy(case)
    setattr(out, name, value)
    return out


def list_sites(case, name, attributes, names, out, optional=False):
    """Of a list of definitions, lemmas or clauses: of these parts of each."""
    items = getattr(case, name)
    for at, item in enumerate(items):
        for attribute in attributes:
            part = getattr(item, attribute)

            def put(p, at=at, item=item, attribute=attribute):
                return with_part(case, name, items[:at] + [with_part(item, attribute, p)] + items[at + 1:])

            if isinstance(part, list):
                for k, e in enumerate(part):
                    expr_sites(e, names, lambda p, k=k, part=part, put=put: put(part[:k] + [p] + part[k + 1:]), out)
                    if attribute == "requires":
                        out.append(lambda k=k, part=part, put=put: put(part[:k] + part[k + 1:]))
            elif part is not None:
                expr_sites(part, names, put, out)


def mutations(case):
    """By kind: functions that make another case."""
    from forms import var
    given = [var(p.name, p.type) for p in case.inputs + case.outputs if p.size is None]
    sites = {kind: [] for kind in ("run", "proof", "right", "define", "lemma", "certifies", "requires")}
    statement_sites(case.body, given, lambda b: with_part(case, "body", b), sites["run"], sites["proof"], True)
    list_sites(case, "rights", ["claim", "when"], given, sites["right"])
    list_sites(case, "defines", ["measure", "body"], [], sites["define"])
    list_sites(case, "lemmas", ["requires", "ensures", "measure"], [], sites["lemma"])
    for at, lemma in enumerate(case.lemmas):
        put = lambda b, at=at, lemma=lemma: with_part(case, "lemmas", case.lemmas[:at] + [with_part(lemma, "body", b)] + case.lemmas[at + 1:])
        ignored = []
        if not lemma.returns:
            statement_sites(lemma.body, [], put, ignored, sites["lemma"])
    if case.certifies is not None:
        expr_sites(case.certifies, given, lambda p: with_part(case, "certifies", p), sites["certifies"])
    for k, e in enumerate(case.requires):
        others = case.requires[:k], case.requires[k + 1:]
        expr_sites(e, [], lambda p, others=others: with_part(case, "requires", others[0] + [p] + others[1]), sites["requires"])
        sites["requires"].append(lambda others=others: with_part(case, "requires", others[0] + others[1]))
    return {kind: found for kind, found in sites.items() if found}


WEIGHTS = {"run": 60, "proof": 10, "right": 9, "define": 8, "lemma": 6, "certifies": 5, "requires": 4}


def mutate(case, rng):
    for _ in range(rng.choice((1, 1, 1, 2))):
        sites = mutations(case)
        kinds = list(sites)
        kind = rng.choices(kinds, [WEIGHTS[k] for k in kinds])[0]
        done = case.mutation
        case = rng.choice(sites[kind])()
        case.mutation = f"{done}, {kind}" if done else kind
    return case
