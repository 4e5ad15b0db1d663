"""What a statement costs: over a grid that is stated, or not at all."""

import sympy as sp

from boundaudit import Claim, Domain, Integers, Reals, symbol
from boundaudit.checks.evidence.price import price

n = symbol("n", "a size", integer=True, positive=True)
x = symbol("x", "a number", nonnegative=True)


def claim(right: sp.Expr, domain: Domain) -> Claim:
    return Claim(label="coin.any", statement="It is small.", left=sp.S.Zero, relation="<=", right=right, domain=domain)


def cost(dearer: sp.Expr, printed: sp.Expr, domain: Domain) -> dict[str, object] | None:
    return price([claim(dearer, domain)], [claim(printed, domain)], seed=0, device="cpu")


def test_it_says_how_far_points_were_drawn() -> None:
    found = cost(n + 1, n, Domain({n: Integers(1, tested_to=8)}))
    assert found is not None
    assert (found["low"], found["high"]) == (1.125, 2)
    assert found["domain"] == "1 ≤ n (drawn: n 1…8)"


def test_a_ratio_that_moves_on_a_line_without_end_is_none() -> None:
    assert cost(1 + x, sp.S.One, Domain({x: Reals(0)})) is None
    assert cost(1 + x, sp.S.One, Domain({x: Reals(0, 3)})) is not None


def test_a_constant_factor_is_one_on_a_line_without_end_too() -> None:
    found = cost(3 + 3 * x, 1 + x, Domain({x: Reals(0)}))
    assert found is not None
    assert abs(float(str(found["high"])) - 3) < 1e-9
