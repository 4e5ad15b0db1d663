"""Random statements: nothing that is proved has a counterexample, and every counterexample is one."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from boundaudit.checks.evidence.evidence import holds_at
from boundaudit.checks.language.expression import ZERO, Tree, rational
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.proof.portfolio import prove

POINTS = 2000
STATEMENTS = 40
SMALL = Budget(boxes=200, steps=200_000, columns=150, depth=3)
X, Y, N = ("v", "x"), ("v", "y"), ("v", "n")


def reals(name: str, low: Fraction | int, high: int) -> dict[str, Any]:
    ends = {"low": rational(low), "high": rational(high), "open": [False, False]}
    return {"name": name, "range": "reals", **ends}


DOMAIN = {
    "parameters": [
        reals("x", Fraction(1, 4), 3),
        reals("y", -2, 2),
        {"name": "n", "range": "integers", "low": rational(1), "high": rational(9)},
    ],
    "where": [],
}


def square(tree: Tree) -> Tree:
    return ("^", tree, rational(2))


def grown(dice: random.Random, depth: int = 0) -> Tree:
    """A random expression that is defined on the whole domain."""
    if depth > 3 or dice.random() < 0.5:
        constant = rational(Fraction(dice.randint(-3, 3), dice.randint(1, 3)))
        return dice.choice([X, X, Y, Y, N, constant])
    a, b = grown(dice, depth + 1), grown(dice, depth + 1)
    above = ("+", rational(1), square(a))
    return dice.choice(
        [
            ("+", a, b), ("*", a, b), square(a), ("log", above), ("log", X), ("^", X, rational(-1)),
            ("^", above, rational(Fraction(1, 2))), ("exp", ("*", rational(-1), square(a))), ("abs", a),
            ("max", a, ZERO), ("min", a, b), ("^", rational(-1), N), ("floor", ("*", rational(Fraction(1, 2)), N)),
        ]
    )  # fmt: skip


@pytest.mark.acceptance
def test_nothing_false_is_proved_and_nothing_true_refuted() -> None:
    dice, rng = random.Random(0), np.random.default_rng(0)
    columns = {"x": rng.uniform(0.25, 3, POINTS), "y": rng.uniform(-2, 2, POINTS)}
    columns["n"] = rng.integers(1, 10, POINTS).astype(float)
    outcomes = {"proved": 0, "refuted": 0, "unknown": 0}
    for _ in range(STATEMENTS):
        tree = ("+", grown(dice), grown(dice), ("*", rational(-1), grown(dice)))
        least = np.broadcast_to(evaluate_float(tree, columns), (POINTS,)).min()
        # Close to the least value that was seen: true or false by a little.
        shift = Fraction(-least + dice.choice([-0.01, 0.001, 0.01, 0.5])).limit_denominator(1000)
        goal = ("+", tree, rational(shift))
        attempt = prove(Statement(ZERO, "<=", goal, DOMAIN), budget=SMALL)
        outcomes[attempt.outcome] += 1
        if attempt.outcome == "proved":
            assert np.broadcast_to(evaluate_float(goal, columns), (POINTS,)).min() > -1e-9
        if attempt.counterexample is not None:
            assert holds_at(Statement(ZERO, "<=", goal, DOMAIN), attempt.counterexample) is False
    assert outcomes["proved"] > 5
    assert outcomes["refuted"] > 5


@pytest.mark.slow
def test_no_statement_holds_the_portfolio_up() -> None:
    """Its derivative has degree 13 in algebraic terms, on which solvers of polynomial systems do not come back."""
    root = ("^", ("+", rational(1), square(Y)), rational(Fraction(1, 2)))
    wave = ("*", rational(-1), ("^", rational(-1), N), root)
    logarithm = ("log", ("+", rational(1), ("exp", ("*", rational(-2), square(X)))))
    goal = ("+", wave, logarithm, rational(Fraction(3013, 1350)))
    assert prove(Statement(ZERO, "<=", goal, DOMAIN), budget=SMALL).outcome != "refuted"


@pytest.mark.slow
def test_a_large_nested_sum_does_not_hold_the_portfolio_up() -> None:
    """A count over thousands of terms at each point: engines do fewer evaluations, none hangs."""
    v, m = ("v", "v"), ("v", "m")
    power = ("^", rational(2), v)
    hit = ("max", ZERO, ("+", rational(1), ("*", rational(-1), ("abs", ("+", ("b", 0), ("*", rational(-2), m))))))
    total = ("sum", ZERO, ("*", power, m), ("sum", ZERO, ("*", rational(8), power, m), hit))
    domain = {
        "parameters": [
            {"name": "v", "range": "integers", "low": ZERO, "high": rational(4)},
            {"name": "m", "range": "integers", "low": rational(1), "high": rational(9)},
        ],
        "where": [],
    }
    assert prove(Statement(total, ">=", rational(1), domain), budget=SMALL).outcome != "refuted"
