"""Rates of first-order methods: the steps of a textbook's chapter, from regret to acceleration.

Online gradient descent, exponential weights, AdaGrad, gradient descent, Frank-Wolfe and Nesterov's method all end in
one of a few scalar arguments: distances telescope, steps are balanced, a potential loses a share of itself, a recursion
is solved. The claims below are these arguments in our own words, after Zinkevich (2003), Freund & Schapire (1997),
Duchi, Hazan & Singer (2011), Frank & Wolfe (1956), Nesterov (1983) and the textbook of Bubeck (2015). Recursions are
said as such (`ForAll`): what is claimed of their last entry is proved by climbing along them. The false ones are slips
of a draft, made for this example and mended beside. That a method obeys its recursion is quoted, not audited.

    boundaudit verify first_order_methods.py --profile smoke
"""

from functools import partial

import sympy as sp

from boundaudit import Claim, Domain, ForAll, Integers, Reals, Vector, read, symbol

PAPER = "A chapter after Bubeck 2015"
REGRET, ADAPTIVE, SMOOTH, RATES = "Regret", "Adaptive steps", "Smooth losses", "Recursions"
proved = partial(read, paper=PAPER, expected="proved")
false = partial(read, paper=PAPER, expected="refuted")
claim = partial(Claim, paper=PAPER, expected="proved")

# --- regret ---------------------------------------------------------------------------------------

T = symbol("T", "rounds", integer=True, positive=True)
t = symbol("t", "a round", integer=True, positive=True)
a = sp.IndexedBase("a", nonnegative=True)
STEPS = {T: Integers(1, tested_to=8), a: Vector(T, Reals(0))}

telescoped = claim(
    label="methods.regret.telescoped", place=(REGRET,),
    statement="Differences of successive distances add up to the first less the last.",
    left=sp.Sum(a[t] - a[t + 1], (t, 1, T - 1)), relation="=", right=a[1] - a[T], domain=Domain(STEPS),
)  # fmt: skip
balanced = proved(
    "R^2/(2*a*T) + a*L^2*T/(2*T) >= R*L/sqrt(T)", where=["R, L >= 0", "a > 0", "T >= 1"],
    label="methods.regret.balanced", place=(REGRET,),
    statement="No constant step a makes R²/(2aT) + aL²/2 smaller than RL/√T.",
)  # fmt: skip
decreasing = proved(
    r"\sum_{t=1}^{T} \frac{1}{\sqrt t} \le 2 \sqrt T - 1", where=["T >= 1"],
    label="methods.regret.decreasing", place=(REGRET,),
    statement="Steps 1/√t cost at most 2√T - 1.",
)  # fmt: skip
decreasing_slip = false(
    r"\sum_{t=1}^{T} \frac{1}{\sqrt t} \le 2 \sqrt T - 3/2", where=["T >= 1"],
    label="methods.regret.decreasing-slip", place=(REGRET,),
    statement="A slip: at most 2√T - 3/2.",
)  # fmt: skip
hoeffding = proved(
    "log(1 - p + p*exp(-h)) <= -h*p + h^2/8", where=["0 <= p <= 1", "h >= 0"],
    label="methods.regret.hoeffding", place=(REGRET,), expected="supported",
    statement="A loss of 0 or 1 lowers the logarithm of the weights by its mean, up to h²/8.",
)  # fmt: skip
hedge = proved(
    "log(n)/h + h*T/8 >= sqrt(T*log(n)/2)", where=["n >= 1", "h > 0", "T >= 1"],
    label="methods.regret.hedge", place=(REGRET,),
    statement="No rate h makes the regret bound log(n)/h + hT/8 of exponential weights smaller than √(T log(n)/2).",
)  # fmt: skip
hedge_slip = false(
    "log(n)/h + h*T/8 >= sqrt(T*log(n))", where=["n >= 1", "h > 0", "T >= 1"],
    label="methods.regret.hedge-slip", place=(REGRET,),
    statement="A slip: nor smaller than √(T log n).",
)  # fmt: skip

# --- adaptive steps -------------------------------------------------------------------------------

rooted = proved(
    "x/sqrt(s + x) <= 2*(sqrt(s + x) - sqrt(s))", where=["s >= 0", "x > 0"],
    label="methods.adaptive.rooted", place=(ADAPTIVE,),
    statement="A squared gradient over the root of all so far is at most twice by what it raises that root.",
)  # fmt: skip
sums = sp.IndexedBase("S", positive=True)
adagrad = claim(
    label="methods.adaptive.adagrad", place=(ADAPTIVE,), rests_on=(rooted.label,),
    statement="Squared gradients over the roots of their sums so far add up to at most twice the root of them all; S_t "
    "is the sum up to t.",
    left=sp.Sum((sums[t + 1] - sums[t]) / sp.sqrt(sums[t + 1]), (t, 1, T - 1)),
    relation="<=", right=2 * sp.sqrt(sums[T]) - 2 * sp.sqrt(sums[1]),
    domain=Domain(
        {T: Integers(1, tested_to=8), sums: Vector(T, Reals(0, open_low=True))},
        where=[ForAll(sums[t] <= sums[t + 1], (t, 1, T - 1))],
    ),
)  # fmt: skip
logarithmic = proved(
    "x/(s + x) <= log((s + x)/s)", where=["s > 0", "x >= 0"],
    label="methods.adaptive.logarithmic", place=(ADAPTIVE,),
    statement="Over their sum so far, it is at most what it adds to the logarithm.",
)  # fmt: skip

# --- smooth losses --------------------------------------------------------------------------------

potential = proved(
    "1/(d - w*d^2) >= 1/d + w", where=["d, w > 0", "w*d < 1"],
    label="methods.smooth.potential", place=(SMOOTH,),
    statement="An error that loses w of its square gains at least w in its reciprocal.",
)  # fmt: skip
contraction = proved(
    "(1 - 1/k)^T <= exp(-T/k)", where=["k >= 1", "T >= 1"],
    label="methods.smooth.contraction", place=(SMOOTH,),
    statement="At condition number κ, T steps leave at most e^(-T/κ) of an error.",
)  # fmt: skip
best_step = proved(
    "(k - 1)/(k + 1) <= 1 - 1/k", where=["k >= 1"],
    label="methods.smooth.best-step", place=(SMOOTH,),
    statement="The factor (κ-1)/(κ+1) of the best constant step is at most 1 - 1/κ.",
)  # fmt: skip
best_step_slip = false(
    "(k - 1)/(k + 1) <= 1 - 2/k", where=["k >= 1"],
    label="methods.smooth.best-step-slip", place=(SMOOTH,),
    statement="A slip: at most 1 - 2/κ.",
)  # fmt: skip

# --- recursions -----------------------------------------------------------------------------------

x = sp.IndexedBase("x", nonnegative=True)
C = symbol("C", "curvature", nonnegative=True)
r = symbol("r", "share that is lost", nonnegative=True)
ERRORS = {T: Integers(1, tested_to=8), x: Vector(T, Reals(0))}


def along(relation: sp.Basic, *parameters: sp.Symbol) -> Domain:
    """Errors x_1, …, x_T that obey a relation from each to the next."""
    first = {parameter: Reals(0) for parameter in parameters}
    return Domain({**first, **ERRORS}, where=[ForAll(relation, (t, 1, T - 1))])


shrinking = claim(
    label="methods.rates.shrinking", place=(RATES,),
    statement="Errors that lose a share r at each step fall like e^(-r).",
    left=x[T], relation="<=", right=x[1] * sp.exp(-r * (T - 1)),
    domain=Domain({r: Reals(0, 1), **ERRORS}, where=[ForAll(x[t + 1] <= (1 - r) * x[t], (t, 1, T - 1))]),
)  # fmt: skip
shrinking_slip = claim(
    label="methods.rates.shrinking-slip", place=(RATES,), expected="refuted",
    statement="A slip: like e^(-2r).",
    left=x[T], relation="<=", right=x[1] * sp.exp(-2 * r * (T - 1)), domain=shrinking.domain,
)  # fmt: skip
frank_wolfe = claim(
    label="methods.rates.frank-wolfe", place=(RATES,),
    statement="With steps γ = 2/(t+2) an error that obeys h ← (1-γ) h + γ² C/2 ends at no more than "
    "2 max(h, 2C)/(T+1), h the first.",
    left=x[T], relation="<=", right=sp.Max(x[1], 2 * C) * 2 / (T + 1),
    domain=along(x[t + 1] <= (1 - sp.Integer(2) / (t + 2)) * x[t] + 2 * C / (t + 2) ** 2, C),
)  # fmt: skip
nesterov = claim(
    label="methods.rates.nesterov", place=(RATES,),
    statement="Nesterov's weights, each at least half more than the one before, grow at least like T/2.",
    left=x[T], relation=">=", right=(T + 1) / sp.Integer(2),
    domain=Domain(
        {T: Integers(1, tested_to=8), x: Vector(T, Reals(1))},
        where=[ForAll(x[t + 1] >= x[t] + sp.Rational(1, 2), (t, 1, T - 1))],
    ),
)  # fmt: skip
half = proved(
    "(1 + sqrt(1 + 4*y^2))/2 >= y + 1/2", where=["y >= 0"],
    label="methods.rates.half", place=(RATES,),
    statement="The next weight (1 + √(1 + 4λ²))/2 is at least λ + 1/2.",
)  # fmt: skip
golden = proved(
    "((1 + sqrt(1 + 4*y^2))/2)^2 - (1 + sqrt(1 + 4*y^2))/2 = y^2", where=["y >= 0"],
    label="methods.rates.golden", place=(RATES,),
    statement="Its square less itself is the square of the one before.",
)  # fmt: skip
