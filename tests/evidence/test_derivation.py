"""A chain is measured node by node, and says what each step loses."""

from __future__ import annotations

import pytest
import sympy as sp

from boundaudit import Derivation, Domain, InputError, Reals, Step, symbol

X = symbol("x_chain", "a number")


def _chain(*values: sp.Expr, low: int = 1) -> Derivation:
    steps = tuple(Step(value, f"node {n}") for n, value in enumerate(values))
    domain = Domain({X: Reals(low, 2)})
    return Derivation(label="own.chain", title="A chain", steps=steps, domain=domain, samples={"two": {"x_chain": 2}})


def test_factors_and_a_step_that_fails() -> None:
    found = _chain(X, 3 * X, 2 * X).measure(points=5, seed=0, device="cpu")
    assert found.samples[0].factors == [3.0, 2 / 3]
    assert found.holds == [True, False]


@pytest.mark.parametrize("node", [X - 2, sp.Integer(0), -X])
def test_a_node_without_a_ratio_is_named(node: sp.Expr) -> None:
    with pytest.raises(InputError, match=r"own\.chain: expected nodes that are positive and finite, .* “node 1”"):
        _chain(X, node, 3 * X).measure(points=5, seed=0, device="cpu")
