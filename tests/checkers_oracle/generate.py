"""Random small problems, and checkers derived from them: loops that return false, with the invariants that make them provable."""
from forms import Case, Define, Lemma, Param, Right, both, num, type_of, var

NUMBERS = ("int", "int", "int", "uint", "real")
INTS = ("int", "uint")
ONE = num(1)


def read(v, i, type):
    return ("idx", var(v, ("vec", type)), i, type)


def rename(node, old, new):
    """The same with an expression in the place of a variable."""
    if isinstance(node, tuple):
        if node and node[0] == "var" and node[1] == old:
            return new
        return tuple(rename(part, old, new) for part in node)
    return node


class Terms:
    """Random expressions over what is in scope: scalars, and elements of vectors at places that are in bounds."""

    def __init__(self, rng, atoms):
        self.rng = rng
        self.atoms = atoms  # expressions

    def pick(self, *types):
        fitting = [a for a in self.atoms if type_of(a) in types]
        return self.rng.choice(fitting) if fitting else None

    def number(self, depth=2, types=("int", "uint", "real")):
        rng = self.rng
        if depth == 0 or rng.random() < 0.45:
            atom = self.pick(*types) if rng.random() < 0.8 else None
            return atom or num(rng.choice((0, 1, 1, 2, 3)))
        a = self.number(depth - 1, types)
        how = rng.randrange(14)
        if how < 4:
            return ("bin", "+", a, self.number(depth - 1, types))
        if how < 7:
            return ("bin", "-", a, self.number(depth - 1, types))
        if how == 7:
            return ("bin", "*", num(rng.choice((2, 3))), a)
        if how == 8:
            return ("neg", a)
        if how == 9:
            return ("if", self.truth(depth - 1), a, self.number(depth - 1, types))
        if how == 10:
            return ("fn", "abs", (a,))
        if how == 11:
            return ("fn", rng.choice(("min", "max")), (a, self.number(depth - 1, types)))
        if how == 12 and type_of(a) != "real":
            return ("bin", rng.choice(("/", "%")), a, num(rng.choice((2, 3))))
        if how == 13 and rng.random() < 0.7:
            return self.converted(a, types)
        return ("bin", "*", a, self.number(0, types)) if rng.random() < 0.3 else a

    def converted(self, a, types):
        if type_of(a) != "real" and self.rng.random() < 0.4:
            return ("fn", "uint", (a,))
        return ("fn", self.rng.choice(("floor", "real")) if "real" in types else "floor", (a,))

    def truth(self, depth=2):
        rng = self.rng
        how = rng.randrange(12)
        if depth > 0 and how < 3:
            op = rng.choice(("&&", "||", "->"))
            return ("bin", op, self.truth(depth - 1), self.truth(depth - 1))
        if depth > 0 and how == 3:
            return ("not", self.truth(depth - 1))
        known = self.pick("bool")
        if known and how < 7:
            return rng.choice((known, known, ("not", known), ("bin", rng.choice(("==", "!=")), known, self.truth(0))))
        if rng.random() < 0.03:
            return ("bool", True)
        left = self.pick("int", "uint", "real") or self.number(1)
        right = next((r for r in (self.number(depth) for _ in range(4)) if r != left), num(1))
        return ("bin", rng.choice(("<", "<=", ">", ">=", "==", "==", "!=")), left, right)


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.defines, self.lemmas, self.rights = [], [], []
        self.body, self.witness, self.certifies = [], [], []
        self.count = 0
        self.exists = None

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    # Inputs and outputs -------------------------------------------------------------------------

    def make_params(self):
        rng = self.rng
        self.n = var("n", "uint")
        self.inputs, self.outputs = [], []
        if rng.random() < 0.78:
            self.inputs.append(Param("n", "uint"))
            for name in ("a", "b")[: 1 + (rng.random() < 0.3)]:
                self.inputs.append(self.make_vector(name))
        for name in ("x", "h")[: rng.choice((0, 1, 1, 2)) if self.inputs else rng.choice((1, 2))]:
            self.inputs.append(Param(name, rng.choice(NUMBERS + ("bool",))))
        has_size = any(p.name == "n" for p in self.inputs)
        if has_size and rng.random() < 0.35:
            self.outputs.append(self.make_vector("c"))
        if not self.outputs or rng.random() < 0.5:
            self.outputs.append(Param("y", rng.choice(NUMBERS)))
        if rng.random() < 0.2:
            self.outputs.append(Param("g", rng.choice(("bool", "uint", "int"))))
        self.given = self.inputs + self.outputs
        self.vectors = [p for p in self.given if p.size is not None]

    def make_vector(self, name):
        type = self.rng.choice(("int", "int", "int", "uint", "bool", "real"))
        size = self.n if self.rng.random() < 0.93 else ("bin", "+", self.n, ONE)
        return Param(name, ("vec", type), size)

    def scalars(self, params):
        return [var(p.name, p.type) for p in params if p.size is None]

    def terms(self, params=None, more=()):
        """What is to be judged comes up more often."""
        return Terms(self.rng, self.scalars(params or self.given + self.outputs * 2) + list(more))

    def elements(self, place, vectors=None):
        """Of vectors, at a place below n."""
        return [read(p.name, place, p.type[1]) for p in (vectors or self.vectors)]

    # Clauses ------------------------------------------------------------------------------------

    def make(self):
        rng = self.rng
        self.make_params()
        requires = [self.make_requires()] if rng.random() < 0.3 else []
        kinds = [self.add_comparison]
        if self.vectors:
            kinds += [self.add_for_all] * 3 + [self.add_exists, self.add_exists, self.add_pairs, self.add_challenger, self.add_sum,
                                               self.add_sum, self.add_sum, self.add_predicate, self.add_vector_challenger,
                                               self.add_marks, self.add_equal, self.add_guarded]
        else:
            kinds += [self.add_guarded]
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            rng.choice(kinds)()
        rng.choice((self.add_nothing, self.add_nothing, self.add_nothing, self.add_made_witness, self.add_truth_witness))()
        if rng.random() < 0.06:
            self.add_ghost()
        when = None
        flag = next((p for p in self.outputs if p.type == "bool"), None)
        if flag and rng.random() < 0.5:
            when = rng.choice((var(flag.name, "bool"), ("not", var(flag.name, "bool"))))
        return Case(self.defines, self.lemmas, self.inputs, self.outputs, requires, self.rights, self.make_unique(), when, self.witness,
                    self.make_certified(), self.make_existence(), self.make_end())

    def make_requires(self):
        vectors = [p for p in self.vectors if p in self.inputs]
        if vectors and self.rng.random() < 0.5:
            j = var(self.fresh("j"), "uint")
            return ("all", (j[1],), self.n, None, self.terms(self.inputs, self.elements(j, vectors)).truth(1))
        return self.terms(self.inputs).truth(1)

    def make_certified(self):
        """Only of a witness."""
        if self.certifies and not self.witness and self.rng.random() < 0.6:
            self.witness.append(Param(self.fresh("w"), self.rng.choice(("bool", "uint"))))
        return both(self.certifies) if self.certifies and self.witness else None

    def make_existence(self):
        if not self.witness:
            return None
        if self.exists:
            return self.exists
        return self.rng.choice((None, None, ("assumed", "somebody says so"), ("up to", 2)))

    def make_unique(self):
        """Of problems without challengers also by a lemma."""
        if self.rng.random() > 0.15:
            return None
        if any(r.against for r in self.rights) or self.rng.random() < 0.4:
            return ""
        name = self.fresh("l")
        others = [Param(p.name + "0", p.type, p.size) for p in self.outputs]
        right = both([r.claim for r in self.rights])
        right0, same = right, []
        for p, other in zip(self.outputs, others):
            right0 = rename(right0, p.name, var(other.name, p.type))
            same.append(("bin", "==", var(p.name, p.type), var(other.name, p.type)))
        self.lemmas.append(Lemma(name, self.given + others, [right, right0], [both(same)], None, ()))
        return name

    def add_ghost(self):
        """Something that is remembered for proofs."""
        term = self.terms().number(1, INTS)
        g = var(self.fresh("g"), "int")
        at = self.rng.randrange(len(self.body) + 1)
        claim = ("bin", self.rng.choice(("==", "<=", "==")), g, term)
        self.body[at:at] = [("ghost", "int", g[1], term), ("assert", claim)]

    def make_end(self):
        last = self.body[-1]
        if last[0] == "ifs" and last[2] == (("return", ("bool", False)),) and not last[3] and last[1][0] == "not" and self.rng.random() < 0.6:
            return tuple(self.body[:-1]) + (("return", last[1][1]),)
        return tuple(self.body) + (("return", ("bool", True)),)

    def reject_unless(self, e):
        return ("ifs", ("not", e), (("return", ("bool", False)),), ())

    def add_comparison(self):
        """Any, or what an output is."""
        claim = self.terms().truth(2)
        numbers = [s for s in self.scalars(self.outputs) if s[2] != "bool"]
        if numbers and self.rng.random() < 0.35:
            claim = ("bin", "==", self.rng.choice(numbers), self.terms(self.inputs).number(2))
        self.rights.append(Right(claim))
        self.body.append(self.reject_unless(claim))

    def add_guarded(self):
        """A divisor or a place that is tested first."""
        scalars = [s for s in self.scalars(self.given) if s[2] in INTS]
        places = [s for s in scalars if s[2] == "uint" and s[1] != "n"]
        if self.vectors and places and self.rng.random() < 0.7:
            place = self.rng.choice(places)
            claim = ("bin", "&&", ("bin", "<", place, self.n), self.terms(more=self.elements(place) * 2).truth(1))
        elif len(scalars) > 1:
            a, b = self.rng.sample(scalars, 2)
            claim = ("bin", "&&", ("bin", "!=", b, num(0)), ("bin", "<=", ("bin", self.rng.choice("/%"), a, b), self.terms().number(1)))
        else:
            return self.add_comparison()
        self.rights.append(Right(claim))
        self.body.append(self.reject_unless(claim))

    def element_claim(self, j):
        """Of a place; sometimes of the next one too."""
        atoms = self.elements(j) * 2 + [j]
        if self.rng.random() < 0.25:
            v = self.rng.choice(self.vectors)
            after = ("bin", "+", j, ONE)
            type = v.type[1]
            op = self.rng.choice(("<=", "<", "!=", "==")) if type != "bool" else "!="
            return ("bin", "->", ("bin", "<", after, self.n), ("bin", op, read(v.name, j, type), read(v.name, after, type)))
        return self.terms(more=atoms).truth(self.rng.choice((0, 1, 1)))

    def loop(self, i, invariant, body):
        """Over all places below n, upwards, in one of two ways. `invariant` is of the place."""
        rng = self.rng
        bounded = ("bin", "<=", i, self.n)
        invariants = tuple([bounded] + [invariant(i)] if rng.random() < 0.5 else [("bin", "&&", bounded, invariant(i))])
        measure = ("bin", "-", self.n, i)
        if rng.random() < 0.8:
            last = body[-1] if body else ("none",)
            if last[0] == "ifs" and last[1][0] == "not" and not last[3] and rng.random() < 0.15:
                body = list(body[:-1]) + [("ifs", last[1][1], (("continue",),), ())] + list(last[2])
            return [("for", i[1], num(0), self.n, invariants, measure, tuple(body))]
        step = ("set", i[1], "uint", ("bin", "+", i, ONE))
        return [("let", "uint", i[1], num(0)), ("while", ("bin", "<", i, self.n), invariants, measure, tuple(body) + (step,))]

    def downwards(self, i, claim, j):
        """From the last place to the first."""
        rest = ("all", (j[1],), self.n, ("bin", "<=", i, j), claim)
        less = ("set", i[1], "uint", ("bin", "-", i, ONE))
        body = (less, self.reject_unless(rename(claim, j[1], i)))
        return [("let", "uint", i[1], self.n), ("while", ("bin", ">", i, num(0)), (("bin", "<=", i, self.n), rest), i, body)]

    def add_for_all(self):
        j, i = var(self.fresh("j"), "uint"), var(self.fresh("i"), "uint")
        claim = self.element_claim(j)
        self.rights.append(Right(("all", (j[1],), self.n, None, claim)))
        if self.rng.random() < 0.2:
            self.body += self.downwards(i, claim, j)
            return
        before = lambda k: ("all", (j[1],), k, None, claim)
        self.body += self.loop(i, before, [self.reject_unless(rename(claim, j[1], i))])

    def add_equal(self):
        """A vector that is a changed copy, or equal."""
        a, c = self.rng.choice(self.vectors), self.rng.choice(self.vectors)
        if a.type != c.type or a.size != self.n or c.size != self.n:
            return self.add_for_all()
        place = self.rng.choice([s for s in self.scalars(self.given) if s[2] == "uint"] + [num(0)])
        left, right = var(a.name, a.type), ("upd", var(c.name, c.type), place, read(a.name, place, a.type[1]))
        self.rights.append(Right(("bin", "==", left, self.rng.choice((right, var(c.name, c.type))))))
        j, i = var(self.fresh("j"), "uint"), var(self.fresh("i"), "uint")
        same = ("bin", "==", read(a.name, j, a.type[1]), read(c.name, j, c.type[1]))
        claim = ("bin", "||", ("bin", "==", j, place), same) if self.rights[-1].claim[3][0] == "upd" else same
        self.body += self.loop(i, lambda k: ("all", (j[1],), k, None, claim), [self.reject_unless(rename(claim, j[1], i))])

    def add_exists(self):
        j, i = var(self.fresh("j"), "uint"), var(self.fresh("i"), "uint")
        claim = self.terms(more=self.elements(j) * 2 + [j]).truth(1)
        self.rights.append(Right(("any", (j[1],), self.n, None, claim)))
        how = self.rng.randrange(3)
        if how == 0:
            return self.add_place(j, claim)
        found = var(self.fresh("found"), "bool")
        here = rename(claim, j[1], i)
        self.body.append(("let", "bool", found[1], ("bool", False)))
        yes = ("set", found[1], "bool", ("bool", True))
        if how == 1:
            known = lambda k: ("bin", "==", found, ("any", (j[1],), k, None, claim))
            otherwise = (("set", found[1], "bool", found),) if self.rng.random() < 0.3 else ()
            self.body += self.loop(i, known, [("ifs", here, (yes,), otherwise)])
        else:
            none = lambda k: ("bin", "&&", ("not", found), ("all", (j[1],), k, None, ("not", claim)))
            self.body += self.loop(i, none, [("ifs", here, (yes, ("assert", ("bin", "<", i, self.n)), ("break",)), ())])
        self.body.append(self.reject_unless(found))

    def add_place(self, j, claim):
        """The witness says where."""
        w = var(self.fresh("w"), "uint")
        self.witness.append(Param(w[1], "uint"))
        there = ("bin", "&&", ("bin", "<", w, self.n), rename(claim, j[1], w))
        self.certifies.append(there)
        self.body.append(self.reject_unless(there))

    def add_pairs(self):
        """Of any two places."""
        j, k = var(self.fresh("j"), "uint"), var(self.fresh("j"), "uint")
        i, l = var(self.fresh("i"), "uint"), var(self.fresh("i"), "uint")
        v = self.rng.choice(self.vectors)
        type = v.type[1]
        op = self.rng.choice(("<=", "!=", "<", "==")) if type != "bool" else "=="
        claim = ("bin", op, read(v.name, j, type), read(v.name, k, type))
        ordered = lambda: ("bin", "<", j, k)
        self.rights.append(Right(("all", (j[1], k[1]), self.n, ordered(), claim)))
        one = rename(claim, k[1], i)
        inner = self.loop(l, lambda m: ("all", (j[1],), m, ("bin", "<", j, i), one), [])
        inner = (("for", l[1], num(0), i, (("bin", "<=", l, i), ("all", (j[1],), l, None, one)), ("bin", "-", i, l),
                  (self.reject_unless(rename(one, j[1], l)),)),)
        self.body += self.loop(i, lambda m: ("all", (j[1], k[1]), m, ordered(), claim), inner)

    def add_challenger(self):
        """Against each number that meets something."""
        k = var(self.fresh("k"), "uint")
        i = var(self.fresh("i"), "uint")
        claim = self.terms(more=self.elements(k) * 2 + [k]).truth(1)
        self.rights.append(Right(claim, [Param(k[1], "uint")], ("bin", "<", k, self.n)))
        here = rename(claim, k[1], i)
        j = var(self.fresh("j"), "uint")
        certified = ("all", (j[1],), self.n, None, rename(claim, k[1], j))
        if self.rng.random() < 0.7:
            self.certifies.append(certified)
        known = lambda m: ("bin", "&&", ("bin", "->", ("bin", "<", k, m), claim), ("all", (j[1],), m, None, rename(claim, k[1], j)))
        self.body += self.loop(i, known, [self.reject_unless(here)])

    # Definitions --------------------------------------------------------------------------------

    def make_define(self, v, extras):
        """By recursion over the first k elements. Returns it, and its step as a function of what is before and the place."""
        rng = self.rng
        type = v.type[1]
        name = self.fresh("d")
        k = var("k", "uint")
        own = [var(f"e{i}", e[2]) for i, e in enumerate(extras)]
        element = lambda place: read("v", place, type)
        params = [Param("v", v.type), Param("k", "uint")] + [Param(o[1], o[2]) for o in own]
        place = var("place", "uint")
        cond = Terms(rng, [element(place)] * 3 + own).truth(rng.choice((0, 1)))
        term = Terms(rng, [element(place)] * 3 + own).number(1)
        how = rng.randrange(7 if type != "bool" else 3)
        result, base = "int", num(0)
        if how == 0:  # how many
            result = "uint"
            step = lambda before, at: ("bin", "+", before, ("if", rename(cond, "place", at), ONE, num(0)))
        elif how == 1:
            result, base = "bool", ("bool", True)
            step = lambda before, at: ("bin", "&&", before, rename(cond, "place", at))
        elif how == 2:
            result, base = "bool", ("bool", False)
            step = lambda before, at: ("bin", "||", before, rename(cond, "place", at))
        else:
            result = {"real": "real"}.get(type_of(term), "int") if type_of(term) != "uint" else rng.choice(("uint", "int"))
            op = rng.choice(("+", "+", "+", "-", "max", "min", "if"))
            if op == "-" and result == "uint":
                op = "+"
            if op in "+-":
                step = lambda before, at: ("bin", op, before, rename(term, "place", at))
            elif op == "if":
                step = lambda before, at: ("if", rename(cond, "place", at), rename(term, "place", at), before)
            else:
                step = lambda before, at: ("fn", op, (before, rename(term, "place", at)))
        less = ("bin", "-", k, ONE)
        before = ("call", name, (var("v", v.type), less) + tuple(own), result)
        body = ("if", ("bin", "==", k, num(0)), base, step(before, less))
        define = Define(name, result, params, k, body)
        self.defines.append(define)

        def here(before, at):
            text = rename(step(before, at), "v", var(v.name, v.type))
            for o, e in zip(own, extras):
                text = rename(text, o[1], e)
            return text

        return define, base, here

    def applied(self, define, vector, k, extras):
        return ("call", define.name, (vector, k) + tuple(extras), define.type)

    def add_sum(self):
        rng = self.rng
        v = rng.choice(self.vectors)
        extras = rng.sample(self.scalars(self.given), min(len(self.scalars(self.given)), rng.choice((0, 0, 1))))
        define, base, step = self.make_define(v, extras)
        s, i = var(self.fresh("s"), define.type), var(self.fresh("i"), "uint")
        whole = self.applied(define, var(v.name, v.type), self.n, extras)
        compare = lambda value: value
        if define.type != "bool":
            right = self.terms().number(1)
            op = rng.choice(("==", "==", "<=", ">=", "<", "!="))
            compare = lambda value: ("bin", op, right, value)
        elif self.terms().pick("bool") and rng.random() < 0.6:
            flag = self.terms().pick("bool")
            compare = lambda value: ("bin", "==", flag, value)
        self.rights.append(Right(compare(whole)))
        self.body.append(("let", define.type, s[1], base))
        known = lambda k: ("bin", "==", s, self.applied(define, var(v.name, v.type), k, extras))
        self.body += self.loop(i, known, [("set", s[1], define.type, step(s, i))])
        self.body.append(self.reject_unless(compare(s)))
        if rng.random() < 0.35:
            self.add_lemma(define, v, extras)

    def add_lemma(self, define, v, extras):
        """Something about a definition, by induction; what is drawn at random is mostly wrong."""
        rng = self.rng
        name, k = self.fresh("l"), var("k", "uint")
        own = [var(p.name, p.type) for p in define.params[2:]]
        u, w = var("v", v.type), var("u", v.type)
        params = [Param("v", v.type), Param("k", "uint")] + define.params[2:]
        less = ("bin", "-", k, ONE)
        d = self.applied(define, u, k, own)
        args, requires = (var(v.name, v.type), self.n) + tuple(extras), []
        recursive = (u, less) + tuple(own)
        how = rng.randrange(4)
        if how == 0:
            params = [Param("u", v.type)] + params
            j = var("j", "uint")
            requires = [("all", ("j",), k, None, ("bin", "==", ("idx", u, j, v.type[1]), ("idx", w, j, v.type[1])))]
            ensures = ("bin", "==", d, self.applied(define, w, k, own))
            args, recursive = args[:1] + args, (w,) + recursive
        elif define.type == "bool":
            ensures = ("bin", "->", Terms(rng, own + [k, ("idx", u, less, v.type[1])]).truth(1), d)
        elif how == 1:
            ensures = ("bin", "<=", d, k)
        elif how == 2:
            j = var("j", "uint")
            requires = [("all", ("j",), k, None, Terms(rng, [("idx", u, j, v.type[1])] * 3 + own).truth(0))]
            ensures = ("bin", rng.choice((">=", "<=")), d, num(0))
        else:
            ensures = ("bin", rng.choice((">=", "<=", "!=")), d, Terms(rng, own + [k]).number(1))
        body = (("ifs", ("bin", ">", k, num(0)), (("lemma", name, recursive),), ()),)
        self.lemmas.append(Lemma(name, params, requires, [ensures], k, body))
        call = ("lemma", name, args)
        if rng.random() < 0.2:
            i = var(self.fresh("i"), "uint")
            call = ("lemmas", i[1], self.n, name, args[:-len(extras) - 1] + (i,) + tuple(extras))
        self.body.insert(rng.randrange(len(self.body) + 1), call)

    def add_predicate(self):
        """A definition without recursion."""
        j, i = var("j", "uint"), var(self.fresh("i"), "uint")
        v = self.rng.choice(self.vectors)
        extras = self.rng.sample(self.scalars(self.given), min(len(self.scalars(self.given)), self.rng.choice((0, 1))))
        own = [var(f"e{q}", e[2]) for q, e in enumerate(extras)]
        name = self.fresh("d")
        claim = Terms(self.rng, [("idx", var("v", v.type), j, v.type[1])] * 3 + own + [j]).truth(1)
        params = [Param("v", v.type), Param("k", "uint")] + [Param(o[1], o[2]) for o in own]
        define = Define(name, "bool", params, None, ("all", ("j",), var("k", "uint"), None, claim))
        self.defines.append(define)
        of = lambda k: self.applied(define, var(v.name, v.type), k, extras)
        self.rights.append(Right(of(self.n)))
        here = rename(rename(claim, "j", i), "v", var(v.name, v.type))
        for o, e in zip(own, extras):
            here = rename(here, o[1], e)
        self.body += self.loop(i, of, [self.reject_unless(here)])

    def add_vector_challenger(self):
        """No vector that meets something has a greater sum."""
        numeric = [p for p in self.vectors if p.type[1] in ("int", "real") and p.size == self.n]
        scalars = [s for s in self.scalars(self.outputs) if s[2] in ("int", "real")]
        if not numeric or not scalars:
            return self.add_challenger()
        v, y = self.rng.choice(numeric), self.rng.choice(scalars)
        type = v.type[1]
        if type == "real" and y[2] == "int" and self.rng.random() < 0.5:
            return self.add_challenger()
        name, k, z = self.fresh("d"), var("k", "uint"), self.fresh("z")
        less = ("bin", "-", k, ONE)
        before = ("call", name, (var("v", v.type), less), type)
        body = ("if", ("bin", "==", k, num(0)), num(0), ("bin", "+", before, read("v", less, type)))
        define = Define(name, type, [Param("v", v.type), Param("k", "uint")], k, body)
        self.defines.append(define)
        total = lambda vector, k: self.applied(define, var(vector, v.type), k, [])
        j, i = var(self.fresh("j"), "uint"), var(self.fresh("i"), "uint")
        when = ("all", (j[1],), self.n, None, ("bin", "<=", read(z, j, type), read(v.name, j, type)))
        self.rights.append(Right(("bin", "<=", total(z, self.n), y), [Param(z, v.type, self.n)], when))
        self.certifies.append(("bin", "<=", total(v.name, self.n), y))
        s = var(self.fresh("s"), type)
        known = lambda k: ("bin", "&&", ("bin", "==", s, total(v.name, k)), ("bin", "<=", total(z, k), s))
        self.body.append(("let", type, s[1], num(0)))
        self.body += self.loop(i, known, [("set", s[1], type, ("bin", "+", s, read(v.name, i, type)))])
        self.body.append(self.reject_unless(("bin", "<=", s, y)))

    def add_marks(self):
        """Places, each once: who was here is remembered."""
        places = [p for p in self.vectors if p.type[1] == "uint" and p.size == self.n]
        if not places:
            return self.add_pairs()
        p = self.rng.choice(places)
        at = lambda i: read(p.name, i, "uint")
        j, k, i = var(self.fresh("j"), "uint"), var(self.fresh("j"), "uint"), var(self.fresh("i"), "uint")
        by = self.fresh("by")
        mark = lambda i: read(by, i, "uint")
        self.rights.append(Right(("all", (j[1],), self.n, None, ("bin", "<", at(j), self.n))))
        self.rights.append(Right(("all", (j[1], k[1]), self.n, ("bin", "<", j, k), ("bin", "!=", at(j), at(k)))))
        known = lambda m: ("all", (j[1],), m, None,
                           ("bin", "&&", ("bin", "<", at(j), self.n), ("bin", "==", mark(at(j)), ("bin", "+", j, ONE))))
        who = ("bin", "-", mark(j), ONE)
        back = ("all", (j[1],), self.n, ("bin", "!=", mark(j), num(0)),
                ("bin", "&&", ("bin", "<=", mark(j), i), ("bin", "==", at(who), j)))
        body = [self.reject_unless(("bin", "&&", ("bin", "<", at(i), self.n), ("bin", "==", mark(at(i)), num(0)))),
                ("put", by, at(i), ("bin", "+", i, ONE), "uint")]
        self.body.append(("array", "uint", by, self.n))
        self.body += self.loop(i, lambda m: ("bin", "&&", known(m), back), body)

    # Witnesses ----------------------------------------------------------------------------------

    def add_nothing(self):
        pass

    def add_made_witness(self):
        """A number that a lemma makes."""
        if self.witness:
            return
        w, name = var(self.fresh("w"), "int"), self.fresh("l")
        term = self.terms().number(1, INTS)
        self.witness.append(Param(w[1], "int"))
        same = ("bin", "==", w, term)
        self.certifies.append(same)
        self.body.append(self.reject_unless(same))
        if any(p.size is not None for p in self.given) and self.rng.random() < 0.5:
            return
        made = Lemma(name, self.given, [], [same], None, (("set", w[1], "int", term),), [Param(w[1], "int")], term)
        self.lemmas.append(made)
        self.exists = ("by", name)

    def add_truth_witness(self):
        """A truth value: all witnesses can be tried."""
        if self.witness:
            return
        w = var(self.fresh("w"), "bool")
        self.witness.append(Param(w[1], "bool"))
        claim = ("bin", self.rng.choice(("==", "!=", "->", "&&")), w, self.terms().truth(1))
        self.certifies.append(claim)
        self.body.append(self.reject_unless(claim))


def generate(rng):
    return Maker(rng).make()
