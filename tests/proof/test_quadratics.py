"""Completed squares with weights that depend on parameters: what they prove, and what they must not."""

from typing import Any

import pytest
import sympy as sp
from tests.statements import form_of, stated
from tests.truth.catalogue import named

from boundaudit import Domain, Reals
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.kernel.checker import check
from boundaudit.checks.proof.portfolio import prove

x, y, z = sp.symbols("x y z", real=True)
b, c = sp.symbols("b c", positive=True)
ONTO = Reals(0, open_low=True)
NAMES = (
    "Cauchy-Schwarz", "a step back", "below the parabola", "expansive", "co-coercive", "convex and nonexpansive",
    "contraction", "gradients tell the gap", "a midpoint", "slopes of secants", "a bilinear form", "norms of sums",
    "Landweber", "a form of a product", "a symmetric map by its spectrum",
    "a long step contracts", "identity less a small map", "a Lipschitz loss of a linear model",
)  # fmt: skip

ENOUGH = Budget(steps=300_000)
"""With it what is true is proved."""


def _stated(left: Any, right: Any, where: tuple[Any, ...] = ()) -> Statement:
    domain = Domain({b: ONTO, c: ONTO, x: Reals(), y: Reals(), z: Reals()}, where=where)
    return stated(left, "<=", right, domain)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_alone_it_proves_what_is_known_of_vectors_and_functions(name: str) -> None:
    assert prove(form_of(named(f"space: {name}").claim()), engines=["quadratics"], budget=ENOUGH).outcome == "proved"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["the largest eigenvalue is convex", "a contraction of two rows"])
def test_roots_are_taken_together_and_variables_chosen_again(name: str) -> None:
    assert prove(form_of(named(f"space: {name}").claim()), engines=["quadratics"]).outcome == "proved"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left", "right", "where", "proved"),
    [
        (2 * x * y, b * x**2 + y**2 / b, (), True),
        (2 * x * y, b * x**2 + y**2 / (b + c), (), False),
        (2 * x * y + 2 * y * z, b * x**2 + (1 / b + 1 / c) * y**2 + c * z**2, (), True),
        (2 * x * y + 2 * y * z, b * x**2 + (1 / b + 1 / c) * y**2 + c * z**2 - z**2, (), False),
        (2 * x, b + x**2 / b, (), True),
        (2 * x, b + x**2 / b - c, (), False),
        (z, b * y**2 + c, (z <= b * y**2 + x, x <= c), True),
        (z, b * y**2 + c, (z <= b * y**2 + x, x <= 2 * c), False),
        (x**2, b**2 * z**2, (x**2 <= y**2, y**2 <= b**2 * z**2), True),
        (x**2, c * z**2, (x**2 <= y**2, y**2 <= b * z**2, z**2 <= 1), False),
        # A multiple of an equation, of either sign.
        (x * y, b * z**2, (sp.Eq(x * y, c * x * z), c * x * z <= b * z**2), True),
        (b * z**2, x * y, (sp.Eq(x * y, c * x * z), c * x * z >= b * z**2), True),
        ((b - c) * x * y, (b - c) * z**2 + x**2, (sp.Eq(x * y, z**2),), True),
        (x * y, b * z**2, (sp.Eq(x * y, c * x * z), c * x * z <= 2 * b * z**2), False),
        # Two relations and a square: two weights that no monomial singles out.
        ((x + y) ** 2, (b + c) ** 2 * z**2, (x**2 <= b**2 * z**2, y**2 <= c**2 * z**2), True),
        ((x + y) ** 2, (b + c) ** 2 * z**2, (x**2 <= b**2 * z**2, y**2 <= 2 * c**2 * z**2), False),
        # Squares of which the root would be divided by what may be zero.
        ((x * y + b * z) ** 2, (x**2 + b**2) * (y**2 + z**2), (), True),
        ((x * y + b * z) ** 2, (x**2 + b**2) * (y**2 + z**2) - c * y**2, (), False),
        # Roots on one side, the other of which is at least 0 by a relation.
        (sp.sqrt((x - y) ** 2 + z**2), b * x - c * x, ((x - y) ** 2 + z**2 <= (b - c) ** 2 * x**2, b >= c, x >= 0),
         True),
        (sp.sqrt((x - y) ** 2 + z**2), b * x - c * x, ((x - y) ** 2 + z**2 <= (b - c) ** 2 * x**2, x >= 0), False),
    ],
)  # fmt: skip
def test_weights_follow_parameters(left: Any, right: Any, where: tuple[Any, ...], proved: bool) -> None:
    found = prove(_stated(left, right, where), engines=["quadratics"])
    assert (found.outcome == "proved") == proved


def test_a_changed_weight_is_not_accepted() -> None:
    statement = _stated(2 * x * y, b * x**2 + y**2 / b)
    found = prove(statement, engines=["quadratics"]).certificate
    assert found is not None
    check(statement, found)
    terms = [*found["terms"][:-1], {**found["terms"][-1], "weight": [2, 1]}]
    with pytest.raises(Rejected, match="do not add up"):
        check(statement, {**found, "terms": terms})


@pytest.mark.parametrize(("bound", "outcome"), [(1, "proved"), (sp.Rational(1, 2), "unknown")])
def test_a_number_that_relations_have_squared_is_a_length(bound: Any, outcome: str) -> None:
    """As of a regularised minimum: b x² ≤ x y and y² + z² ≤ c² give x ≤ c/b."""
    domain = Domain({b: ONTO, c: ONTO, x: Reals(0), y: Reals(), z: Reals()}, [b * x**2 <= x * y, y**2 + z**2 <= c**2])
    assert prove(stated(x, "<=", bound * c / b, domain), engines=["quadratics"]).outcome == outcome


@pytest.mark.parametrize(("low", "outcome"), [(0, "proved"), (None, "unknown")])
def test_a_bound_of_a_length_is_one_of_its_square(low: int | None, outcome: str) -> None:
    domain = Domain({b: ONTO, c: ONTO, x: Reals(low), y: Reals()}, [x <= 1, y**2 <= b**2 * x**2])
    assert prove(stated(y, "<=", b, domain), engines=["quadratics"]).outcome == outcome
