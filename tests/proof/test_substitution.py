"""Bounds in place of what relations bound: what follows is proved at once, what does not is left open."""

import pytest
import sympy as sp

from boundaudit import Domain, Integers, Reals, Vector
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.engine import Budget, Context
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.substitution import substitution

n, t = sp.symbols("n t", integer=True, positive=True)
x, y, z, k = sp.symbols("x y z k", real=True)
a, g = sp.IndexedBase("a"), sp.IndexedBase("g")
_ALONE = Context(lambda _: None, Budget())
PLANE = {x: Reals(), y: Reals(), z: Reals(), k: Reals(0)}
ROWS = {n: Integers(1), sp.Symbol("a"): Vector(n, Reals(0)), sp.Symbol("g"): Vector(n, Reals(0, 1))}
MEAN, WHOLE = sp.Sum(a[t] * g[t], (t, 1, n)), sp.Sum(a[t], (t, 1, n))


def found(left: sp.Expr, right: sp.Expr, domain: Domain) -> Certificate | None:
    statement = Statement(to_tree(left), "<=", to_tree(right), domain.to_json())
    proof = substitution(statement, _ALONE)
    if proof is not None:
        check(statement, proof)
    return proof


@pytest.mark.parametrize(
    ("left", "right", "domain"),
    [
        (k * x + 1, k * y + 1, Domain(PLANE, where=[x <= y])),
        (k * x, k * z, Domain(PLANE, where=[x <= y, y <= z])),
        ((1 + k) * x / (2 + k), (1 + k) * y / (2 + k), Domain(PLANE, where=[x <= y])),
        (x**2 * z, x**2 * y**2, Domain(PLANE, where=[z <= y**2])),
        (x * z, x * y, Domain(PLANE, where=[z <= y, z >= y])),
        (MEAN**2 * x**2, WHOLE**2 * x**2, Domain({**ROWS, **PLANE}, where=[MEAN <= WHOLE])),
        (MEAN * (1 - MEAN), MEAN * (WHOLE - MEAN), Domain(ROWS, where=[WHOLE <= 1, WHOLE >= 1])),
    ],
    ids=["a factor", "two relations", "a denominator", "a square", "an equation", "sums", "a sum that is one"],
)
def test_what_follows_is_proved(left: sp.Expr, right: sp.Expr, domain: Domain) -> None:
    assert found(left, right, domain) is not None


@pytest.mark.parametrize(
    ("left", "right", "domain"),
    [
        (z * x, z * y, Domain(PLANE, where=[x <= y])),
        (x**2, y**2, Domain(PLANE, where=[x <= y])),
        (-k * x, -k * y, Domain(PLANE, where=[x <= y])),
        (k * x + 1, k * y, Domain(PLANE, where=[x <= y])),
        (MEAN**2 * z, WHOLE**2 * z, Domain({**ROWS, **PLANE}, where=[MEAN <= WHOLE])),
    ],
    ids=["a factor of any sign", "squares of any sign", "a negative factor", "one more", "sums times any sign"],
)
def test_what_does_not_follow_is_left_open(left: sp.Expr, right: sp.Expr, domain: Domain) -> None:
    assert found(left, right, domain) is None
