"""Sums, norms, means and symmetric polynomials: what the engines prove, and what they leave alone."""

import json
from typing import Any

import pytest
import sympy as sp
from tests.statements import m, n, some_slow, stated, x, y, z

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.language.expression import ONE, Tree, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.kernel.checker import Rejected, check
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.portfolio import prove

a, b, u, v, w = sp.symbols("a b u v w", real=True)
k = sp.Symbol("k", integer=True)
c, d = sp.IndexedBase("c", real=True), sp.IndexedBase("d", real=True)
ANY = Domain({n: Integers(1), c: Vector(n, Reals()), d: Vector(n, Reals())})
WEIGHTS = Domain({n: Integers(1), m: Integers(1, n), c: Vector(n, Reals(0))})
BELOW = Domain({n: Integers(1), x: Reals(), c: Vector(n, Reals(None, x))})
OCTANT = Domain({x: Reals(0), y: Reals(0), z: Reals(0)})
INSIDE = Domain({name: Reals(0, open_low=True) for name in (x, y, z)})
REAL = Domain({name: Reals() for name in (a, b, u, v, x, y, z)})
BELOW_ONE = Domain({n: Integers(0), x: Reals(0, 1, open_high=True)})


def total(body: Any, low: Any = 1) -> sp.Sum:
    return sp.Sum(body, (k, low, n))


def schur(p: Any, q: Any, r: Any) -> Any:
    return p * (p - q) * (p - r) + q * (q - p) * (q - r) + r * (r - p) * (r - q)


ONES, SQUARES = total(sp.Abs(c[k])), total(c[k] ** 2)
THREE = (a * x + b * y + u * z) ** 2
LENGTHS = (a**2 + b**2 + u**2) * (x**2 + y**2 + z**2)
TRUE: dict[str, tuple[str, Statement]] = {
    "AM-GM of three": ("multipliers", stated(x * y * z, "<=", ((x + y + z) / 3) ** 3, OCTANT)),
    "AM-GM of three in roots": ("multipliers", stated(sp.cbrt(x * y * z), "<=", (x + y + z) / 3, OCTANT)),
    "AM-GM of four": ("multipliers", stated(a**4 + b**4 + u**4 + v**4, ">=", 4 * a * b * u * v, REAL)),
    "Cauchy-Schwarz for three entries": ("multipliers", stated(THREE, "<=", LENGTHS, REAL)),
    "Nesbitt": ("multipliers", stated(x / (y + z) + y / (x + z) + z / (x + y), ">=", sp.Rational(3, 2), INSIDE)),
    "Schur": ("ordering", stated(schur(x, y, z), ">=", 0, OCTANT)),
    "Cauchy-Schwarz": ("multipliers", stated(total(c[k] * d[k]), "<=", sp.sqrt(SQUARES * total(d[k] ** 2)), ANY)),
    "1-norm below 2-norm": ("multipliers", stated(ONES, "<=", sp.sqrt(n * SQUARES), ANY)),
    "2-norm below 1-norm": ("multipliers", stated(sp.sqrt(SQUARES), "<=", ONES, ANY)),
    "one entry below all": ("multipliers", stated(c[m], "<=", total(c[k]), WEIGHTS)),
    "power means": ("termwise", stated((total(c[k]) / n) ** 3, "<=", total(c[k] ** 3) / n, WEIGHTS)),
    "logsumexp": ("under a function", stated(sp.log(total(sp.exp(c[k]))), "<=", x + sp.log(n), BELOW)),
    "geometric sum": ("telescope", stated(total(x**k, 0), "<=", 1 / (1 - x), BELOW_ONE)),
    "weighted powers of two": ("telescope", stated(total(k * 2**k), "=", (n - 1) * 2 ** (n + 1) + 2, ANY)),
    "halves": ("telescope", stated(total(sp.Rational(1, 2) ** k), "<=", 1, ANY)),
}
FALSE: dict[str, Statement] = {
    "AM-GM of three": stated(x * y * z, "<=", ((x + y + z) / 3) ** 3 - x**3 / 1000, OCTANT),
    "AM-GM of any reals": stated(a * b * x, "<=", ((a + b + x) / 3) ** 3, REAL),
    "Cauchy-Schwarz for three entries": stated(THREE, "<=", LENGTHS * 99 / 100, REAL),
    "Nesbitt": stated(x / (y + z) + y / (x + z) + z / (x + y), ">=", sp.Rational(8, 5), INSIDE),
    "Schur": stated(schur(a, b, x), ">=", 0, REAL),
    "Cauchy-Schwarz": stated(total(c[k] * d[k]), "<=", sp.sqrt(SQUARES * total(d[k] ** 2)) * 99 / 100, ANY),
    "1-norm below 2-norm": stated(ONES, "<=", sp.sqrt(SQUARES), ANY),
    "2-norm below sum": stated(sp.sqrt(SQUARES), "<=", total(c[k]), ANY),
    "power means of any reals": stated((total(c[k]) / n) ** 3, "<=", total(c[k] ** 3) / n, ANY),
    "logsumexp": stated(sp.log(total(sp.exp(c[k]))), "<=", x + sp.log(n) / 2, BELOW),
    "geometric sum": stated(total(x**k, 0), "<=", 1 / (1 - x) - sp.Rational(1, 10), BELOW_ONE),
}  # fmt: skip
ENGINES = ["multipliers", "telescope", "termwise", "under a function", "ordering"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", some_slow(TRUE, "logsumexp", "Cauchy-Schwarz", "1-norm below 2-norm", "2-norm below 1-norm")
)
def test_an_engine_proves_it(name: str) -> None:
    engine, statement = TRUE[name]
    found = prove(statement, engines=[engine])
    assert found.certificate is not None, found.notes
    check(Statement.from_json(json.loads(json.dumps(statement.to_json()))), json.loads(json.dumps(found.certificate)))


@pytest.mark.slow
@pytest.mark.parametrize("name", FALSE)
def test_no_engine_proves_a_false_neighbour(name: str) -> None:
    assert prove(FALSE[name], engines=ENGINES).outcome != "proved"


def test_coefficients_beyond_floats_are_left_alone() -> None:
    """A linear programme in floats cannot hold 10^400; it said so by OverflowError once."""
    large = stated(10**400 * a**2 + a * b, ">=", 0, REAL)
    assert prove(large, engines=["multipliers"]).outcome == "unknown"


# --- hypotheses ------------------------------------------------------------------------------------

ENTRY: Tree = ("item", "c", ("b", 0))
WHOLE: Tree = ("sum", ONE, ("v", "n"), ENTRY)


@pytest.mark.parametrize(("label", "reason"), [
    (["part", WHOLE, to_tree(n + 1)], "beyond those"), (["part", WHOLE, to_tree(sp.S(0))], "beyond those"),
    (["part", WHOLE, to_tree(m + sp.Rational(1, 2))], "beyond those"), (["part", ENTRY[2], to_tree(m)], "whitelisted"),
    (["part", ["v", "n"], to_tree(m)], "not a sum"), (["squares", ["v", "n"]], "not a sum"),
    (["cauchy", WHOLE, ["sum", rational(2), ["v", "n"], ENTRY]], "different indices"),
    (["cauchy", WHOLE, ["v", "n"]], "not a sum"), (["power", ["low", ["v", "m"]], to_tree(-m)], "exponent"),
    (["power", ["above", to_tree(-m)], to_tree(m)], "base"), (["pade", to_tree(m / n)], "at least 1"),
    (["pade", to_tree(m - n)], "at least 1"),
])  # fmt: skip
def test_what_does_not_hold_is_not_derived(label: Any, reason: str) -> None:
    with pytest.raises((Rejected, ValueError), match=reason):
        Hypotheses(WEIGHTS.to_json()).excess(label)


def test_what_holds_is_derived() -> None:
    hypotheses = Hypotheses(WEIGHTS.to_json())
    body = ("abs", ENTRY)
    squares = ("sum", ONE, ("v", "n"), ("^", body, rational(2)))
    assert hypotheses.derive(["part", WHOLE, to_tree(m)])[:2] == (
        ("abs", ("item", "c", ("v", "m"))),
        ("sum", ONE, ("v", "n"), body),
    )
    assert hypotheses.derive(["squares", WHOLE]).small == squares
    assert hypotheses.derive(["power", ["high", ["v", "m"]], to_tree(n)])[:2] == (to_tree(m**n), to_tree(n**n))
    assert hypotheses.derive(["pade", to_tree(n / m)]).large == ("log", to_tree(n / m))
