"""Sauer's lemma with its proof, two forms in which it is often quoted, and the bound on learning that rests on it.

A class of sets of Vapnik-Chervonenkis dimension d labels n points in at most ∑ C(n, i), i ≤ d, ways: Vapnik &
Chervonenkis 1971, Sauer 1972 and Shelah 1972. Textbooks bound the sum by (en/d)^d, for n of at least d, and by
n^d + 1. Both are true. What the audit refutes are the two as one meets them second-hand: without the condition, without
the one.

    boundaudit verify growth_function/claims.py --profile smoke
    boundaudit report
"""

from functools import partial

import sympy as sp

from boundaudit import (
    Claim,
    Derivation,
    Domain,
    Integers,
    Panel,
    Quantity,
    Reals,
    Series,
    Setting,
    Step,
    Study,
    Theorem,
    symbol,
)

from . import derivations, numeric
from .derivations import d, k, n

PAPER = "Sauer 1972, as quoted"
claim = partial(Claim, paper=PAPER, relation="<=")

ANY = Domain({n: Integers(1, tested_to=20), d: Integers(1, tested_to=20)})
ENOUGH = Domain({d: Integers(1, tested_to=40), n: Integers(d, tested_to=60)})

# [count]
LABELINGS = Quantity("labelings", numeric.counts, r"\Pi(n)", enclosure=numeric.exact_count)

sauer = claim(
    label="growth.sauer",
    statement="Unions of k intervals, of dimension 2k, label n points on a line in ∑ C(n, i) ways, i at most 2k.",
    left=LABELINGS,
    relation="=",
    right=derivations.SUM.subs(d, 2 * k),
    domain=Domain({n: Integers(1, 10), k: Integers(1, 3)}),
    place=("Sauer's lemma",),
    role="printed",
    expected="supported",
)
# [/count]

# [quoted]
quoted = claim(
    label="growth.power.quoted",
    statement="As often quoted: the sum of the C(n, i), i at most d, is at most (en/d)^d.",
    left=derivations.SUM,
    right=derivations.POWER,
    domain=ANY,
    place=("Power bound",),
    role="printed",
    expected="refuted",
)
# [/quoted]

# [steps]
a = symbol("a", "how many times d goes into n", positive=True)
m = symbol("m", "how far i is below d", nonnegative=True)
x = symbol("x", "d over n", positive=True)

weight = claim(
    label="growth.step.weight",
    statement="A power with an exponent of at least zero, of a number of at least one, is at least one.",
    left=1,
    right=a**m,
    domain=Domain({a: Reals(1), m: Reals(0)}),
    place=("Power bound",),
    expected="proved",
)

exponential = claim(
    label="growth.step.exponential",
    statement="The exponential is at least 1 + x.",
    left=1 + x,
    right=sp.exp(x),
    domain=Domain({x: Reals(0, open_low=True)}),
    place=("Power bound",),
    expected="proved",
)

chain = Derivation(
    label="growth.power.chain",
    title="From the sum of binomial coefficients to a power",
    steps=(
        Step(derivations.SUM, "sum"),
        Step(derivations.WEIGHTED, "weights", "each at least one", "growth.step.weight"),
        Step(derivations.ALL_TERMS, "all terms", "monotone"),
        Step(derivations.WITHOUT_SUM, "without a sum", "binomial theorem"),
        Step(derivations.POWER, "power", "1 + d/n ≤ exp(d/n)", "growth.step.exponential"),
    ),
    domain=ENOUGH,
    samples={"d = 2": {"d": 2, "n": 20}, "d = n": {"d": 10, "n": 10}},
    paper=PAPER,
    place=("Power bound",),
)

enough = claim(
    label="growth.power",
    statement="The sum of the C(n, i), i at most d, is at most (en/d)^d for n of at least d.",
    left=derivations.SUM,
    right=derivations.POWER,
    domain=ENOUGH,
    place=("Power bound",),
    repairs=("growth.power.quoted",),
    derivation=chain,
    expected="proved",
)
# [/steps]

# [one]
without_one = claim(
    label="growth.polynomial.quoted",
    statement="As often quoted: the sum of the C(n, i), i at most d, is at most n^d.",
    left=derivations.SUM,
    right=n**d,
    domain=ANY,
    place=("Polynomial bound",),
    role="printed",
    expected="refuted",
)

with_one = claim(
    label="growth.polynomial",
    statement="The sum of the C(n, i), i at most d, is at most n^d + 1, with equality for d = 1.",
    left=derivations.SUM,
    right=n**d + 1,
    domain=ANY,
    equality=({n: 5, d: 1},),
    place=("Polynomial bound",),
    repairs=("growth.polynomial.quoted",),
    expected="supported",
)
# [/one]

# [learning]
complexity = claim(
    label="growth.complexity",
    statement="The Rademacher complexity of intervals, d = 2, on n ≥ 2 points is at most √(2 d log(en/d) / n).",
    left=Quantity("Rademacher complexity", numeric.rademacher, r"\mathfrak R_n"),
    right=derivations.COMPLEXITY.subs(d, 2),
    domain=Domain({n: Integers(2, 10)}),
    place=("Learning",),
    role="printed",
    rests_on=("growth.power",),
    expected="supported",
)


def curves(setting: Setting) -> list[Panel]:
    """The count and its bounds for one interval, and the complexity with its bound."""
    sizes = list(range(2, 9 if setting.profile == "smoke" else 13))
    points = [{"n": size, "k": 1} for size in sizes]

    def values(expression: sp.Expr) -> list[float]:
        return [float(expression.subs({d: 2}).doit().subs({n: size})) for size in sizes]

    counted = numeric.counts(points, setting.device).tolist()
    measured = numeric.rademacher(points, setting.device).tolist()
    count = [
        Series("counted", sizes, counted, drawn="points"),
        Series("n² + 1", sizes, values(n**d + 1)),
        Series("(en/2)²", sizes, values(derivations.POWER)),
    ]
    learnt = [
        Series("over all signs of noise", sizes, measured, drawn="points"),
        Series("√(4 log(en/2) / n)", sizes, values(derivations.COMPLEXITY)),
    ]
    return [
        Panel("Labelings by one interval", "points n", "labelings", count, log="y"),
        Panel("Rademacher complexity", "points n", "complexity", learnt),
    ]


figure = Study(
    label="growth.figure",
    title="What is counted, and what is bounded",
    caption="One interval, d = 2: the polynomial is less than twice the count, the power less than e²/2 times.",
    claims=("growth.complexity",),
    compute=curves,
    paper=PAPER,
    place=("Learning",),
)
# [/learning]

# [theorems]
theorem = partial(Theorem, paper=PAPER)
theorems = (
    theorem(
        number="Sauer's lemma",
        title="How many labelings",
        says="A class of dimension d labels n points in at most ∑ C(n, i) ways, i at most d; unions of intervals in "
        "exactly as many.",
        formula=r"\Pi(n) \le \sum_{i=0}^{d} \binom{n}{i}",
        printed=("growth.sauer",),
    ),
    theorem(
        number="Power bound",
        title="The sum by a power",
        says="The sum of Sauer's lemma is at most (en/d)^d, as often quoted without a condition on n.",
        formula=r"\sum_{i=0}^{d} \binom{n}{i} \le (en/d)^d",
        printed=("growth.power.quoted",),
        successor="growth.power",
    ),
    theorem(
        number="Polynomial bound",
        title="The sum by a polynomial",
        says="The sum of Sauer's lemma is at most n^d, as often quoted without the one that is to be added.",
        formula=r"\sum_{i=0}^{d} \binom{n}{i} \le n^d",
        printed=("growth.polynomial.quoted",),
        successor="growth.polynomial",
    ),
    theorem(
        number="Learning",
        title="The complexity of a class by its dimension",
        says="By Massart's lemma and the power bound, the Rademacher complexity is at most √(2 d log(en/d) / n).",
        formula=r"\mathfrak R_n \le \sqrt{2 d \ln(en/d) / n}",
        printed=("growth.complexity",),
        derived_from=("Sauer's lemma", "Power bound"),
    ),
)
# [/theorems]
