"""Programs that grow in one direction each. Used by bench/curves and by the growth test."""

SEU = "use model unbounded_seu;\n\n"
SENSORS = """model cheap {
    const real p = 0.001;
    operator +(real a, real b) ensures result == a + b;
    @label(bad_sum) @rate(p) operator +(real a, real b) ensures true;
    operator *(real a, real b) ensures result == a * b;
    @label(bad_product) @rate(p) operator *(real a, real b) ensures true;
}
model dear {
    operator +(real a, real b) ensures result == a + b;
    operator *(real a, real b) ensures result == a * b;
}
use model cheap;

"""


def functions(n):
    """Functions with a loop and a contract, no two alike."""
    return SEU + "".join(f"""requires_r eq(*)
ensures_r !model.upset -> eq(result)
real energy_{k}(uint n, vector<real> v(n)) {{
    real sum = {k};
    for (uint i = 0; i < n; ++i) {{
        sum = sum +. v[i] * v[i] + {k}.25;
    }}
    return sum;
}}

""" for k in range(n))


def statements(n):
    """Statements in one function, each of which needs an index to be within bounds."""
    lines = "".join(f"    y = y + x[{i}] * 3;\n" for i in range(n))
    return SEU + f"requires n >= {n}\nrequires_r eq(*)\nreal f(uint n, vector<real> x(n)) {{\n    real y = 1;\n{lines}    return y;\n}}\n"


def loops(n):
    """Loops in a row, two sums each."""
    text = SEU + "requires_r eq(*)\nreal f(uint n, vector<real> x(n)) {\n    real a = 0;\n    real b = 0;\n"
    for k in range(n):
        text += f"    for (uint i{k} = 0; i{k} < n; ++i{k}) {{\n        a = a +. x[i{k}];\n        b = b + x[i{k}] * {k};\n    }}\n"
    return text + "    assert_r eq(b);\n    assert_r !model.upset -> eq(a);\n    return a;\n}\n"


def variables(n):
    """Variables that one loop modifies."""
    text = SEU + "requires_r eq(*)\nreal f(uint n, vector<real> x(n)) {\n"
    text += "".join(f"    real y{k} = {k};\n" for k in range(n)) + "    for (uint i = 0; i < n; ++i) {\n"
    text += "".join(f"        y{k} = y{k} +. x[i];\n" for k in range(n))
    return text + f"    }}\n    assert_r !model.upset -> eq(y{n - 1});\n    return y0;\n}}\n"


def calls(n):
    """A chain of calls by contract."""
    text = SEU
    for k in range(n):
        body = "x" if k == 0 else f"level_{k - 1}(x) * 2"
        text += f"requires_r eq(*)\nensures_r eq(result)\nreal level_{k}(real x) {{\n    return {body};\n}}\n\n"
    return text


def levels(n):
    """Levels of functions without contracts, each of which calls the one below twice."""
    text = SEU + "real level_0(real x) {\n    real y = x;\n    for (uint i = 0; i < 5; ++i) {\n        y = y * 2 + x;\n    }\n    return y;\n}\n\n"
    for k in range(1, n + 1):
        text += f"real level_{k}(real x) {{\n    return level_{k - 1}(x * {k}) + level_{k - 1}(x);\n}}\n\n"
    return text + f"requires_r eq(*)\nensures_r eq(result)\nreal top(real x) {{\n    return level_{n}(x);\n}}\n"


def products(n):
    """Matrix times vector, over and over, in one function."""
    text = SEU + "requires_r eq(*)\nvector<real> f(uint n, matrix<real> A(n, n), vector<real> x(n)) {\n    vector<real> y(n);\n    y = x;\n"
    for k in range(n):
        text += f"""    vector<real> z{k}(n);
    for (uint i{k} = 0; i{k} < n; ++i{k}) {{
        real s{k} = 0;
        for (uint j{k} = 0; j{k} < n; ++j{k}) {{
            s{k} = s{k} +. A[i{k}][j{k}] *. y[j{k}];
        }}
        z{k}[i{k}] = s{k};
    }}
    y = z{k};
"""
    return text + "    assert_r !model.upset -> eq(y);\n    return y;\n}\n"


def recoveries(n):
    """Recovery blocks, one in each function."""
    return SENSORS + "".join(f"""requires_r eq(*)
reliability result >= 0.9 * R(a, x)
real reading_{k}(real a, real x) {{
    real s = 0;
    try {{
        s = a *. x;
        s = s +. {k};
    }} check (s == a * x + {k}) recover redo under dear;
    return s;
}}

""" for k in range(n))


def inlined(n):
    """A chain of calls without contracts, for bounds of reliability."""
    text = SENSORS
    for k in range(n):
        body = "x" if k == 0 else f"stage_{k - 1}(a, x)"
        text += f"real stage_{k}(real a, real x) {{\n    real s = a *. x;\n    return s + {body};\n}}\n\n"
    return text + f"requires_r eq(*)\nreliability 0.0 <= R(result)\nreal top(real a, real x) {{\n    return stage_{n - 1}(a, x);\n}}\n"


# name: (program of a size, command, small sizes for the gate, sizes for the documentation)
FAMILIES = {
    "functions": (functions, "verify", (40, 160), (250, 1000)),
    "statements": (statements, "verify", (250, 1000), (1000, 4000)),
    "loops": (loops, "verify", (40, 160), (100, 400)),
    "variables": (variables, "verify", (40, 160), (100, 400)),
    "calls": (calls, "verify", (500, 2000), (1000, 4000)),
    "levels": (levels, "verify", (10, 20), (12, 24)),
    "products": (products, "verify", (4, 16), (8, 32)),
    "recoveries": (recoveries, "reliability", (100, 400), (300, 1200)),
    "inlined": (inlined, "reliability", (250, 1000), (600, 2400)),
}
