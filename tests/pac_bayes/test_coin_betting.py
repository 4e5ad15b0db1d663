"""The coin-betting bound against convex optimisation, other bounds and its own dual, with gradients."""

import math

import numpy as np
import pytest
import torch
from scipy import optimize
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import certified_coin_betting, coin_betting_bound, pac_bayes_bound

LAWS = [
    ([0.0, 0.5, 1.0], [0.7, 0.25, 0.05], 5.0, 400.0, 0.05),
    ([0.1, 0.2, 0.4, 0.8], [0.4, 0.3, 0.2, 0.1], 40.0, 1000.0, 0.01),
    ([0.25], [1.0], 1.0, 50.0, 0.05),
]


def _largest_mean(losses: list[float], weights: list[float], budget: float) -> float:
    """The largest mean of a law Q on the losses and 1 with KL(losses‖Q) ≤ budget, by SciPy."""
    x, p = np.array([*losses, 1.0]), np.array([*weights, 0.0])
    rest = {"type": "eq", "fun": lambda q: q.sum() - 1}
    most = {"type": "ineq", "fun": lambda q: budget - np.sum(p[p > 0] * np.log(p[p > 0] / q[p > 0]))}
    start = 0.99 * p + 0.01 / len(p)
    found = optimize.minimize(
        lambda q: -q @ x, start, bounds=[(1e-12, 1)] * len(p), constraints=[rest, most], method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )  # fmt: skip
    assert found.success
    return float(-found.fun)


@pytest.mark.parametrize(("losses", "weights", "kl", "samples", "delta"), LAWS)
def test_it_is_the_largest_mean_within_the_budget(
    losses: list[float], weights: list[float], kl: float, samples: float, delta: float
) -> None:
    budget = (kl + math.log(2 * math.sqrt(samples) / delta)) / samples
    value = float(coin_betting_bound(losses, kl, samples, delta, weights))
    assert value == pytest.approx(_largest_mean(losses, weights, budget), rel=1e-6)
    certain = certified_coin_betting(losses, kl, samples, delta, weights)
    assert value * (1 - 1e-13) <= certain <= value * (1 + 1e-12)


@pytest.mark.parametrize("risk", [0.0, 0.01, 0.3, 0.99, 1.0])
def test_it_is_maurers_bound_for_losses_of_zero_and_one(risk: float) -> None:
    for kl in (0.0, 10.0, 3000.0):
        found = float(coin_betting_bound([0.0, 1.0], kl, 1000, 0.05, [1 - risk, risk]))
        assert found == pytest.approx(float(pac_bayes_bound(risk, kl, 1000, 0.05)), rel=1e-10)


def test_rows_are_what_each_alone_is() -> None:
    losses = torch.tensor([[0.1, 0.9], [0.3, 0.4]])
    rows = coin_betting_bound(losses, torch.tensor([1.0, 5.0]), 100, 0.05)
    assert float(rows[1]) == float(coin_betting_bound(losses[1], 5.0, 100, 0.05))
    assert coin_betting_bound(losses, torch.ones(3, 1), 100, 0.05).shape == (3, 2)


def test_gradients() -> None:
    losses = torch.tensor([0.1, 0.3, 0.9], dtype=torch.float64, requires_grad=True)
    logits = torch.tensor([1.0, 0.5, -1.0], dtype=torch.float64, requires_grad=True)
    kl = torch.tensor(10.0, dtype=torch.float64, requires_grad=True)

    def bound(x: Tensor, each: Tensor, divergence: Tensor) -> Tensor:
        return coin_betting_bound(x, divergence, 500, 0.05, torch.softmax(each, 0))

    assert torch.autograd.gradcheck(bound, (losses, logits, kl), eps=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"losses": [0.1, 1.2]}, "losses"), ({"losses": [math.nan, 0.2]}, "losses"), ({"kl": -1.0}, "kl"),
        ({"weights": [0.5, 0.6]}, "weights"), ({"weights": [1.5, -0.5]}, "weights"), ({"samples": 0}, "samples"),
    ],
)  # fmt: skip
def test_bad_input_names_its_field(changed: dict[str, object], field: str) -> None:
    good = {"losses": [0.1, 0.2], "kl": 5.0, "samples": 100.0, "delta": 0.05}
    for bound in (coin_betting_bound, certified_coin_betting):
        with pytest.raises(InputError) as caught:
            bound(**{**good, **changed})  # type: ignore[arg-type]
        assert caught.value.args[0] == field
