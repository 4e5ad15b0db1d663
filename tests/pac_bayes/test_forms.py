"""PAC-Bayes forms against mpmath, with gradients, shapes and one line for bad input."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import FORMS, certified_bound, pac_bayes_bound

_EXTRA: Mapping[str, Mapping[str, float]] = {
    "lambda": {"tradeoff": 0.9}, "catoni": {"temperature": 1.5}, "disintegrated-renyi": {"order": 2.5},
    "subgaussian": {"proxy": 0.5, "rate": 30.0}, "second-moment": {"moment": 0.25, "rate": 30.0},
    "unexpected-bernstein": {"sample_moment": 0.125, "rate": 0.75},
    "empirical-bernstein": {"sample_variance": 0.125, "rate": 30.0, "variance_rate": 40.0},
    "chi-squared": {"variance": 0.25},
}  # fmt: skip


def _inverse(q: mpmath.mpf, budget: mpmath.mpf) -> mpmath.mpf:
    """By bisection."""
    low, high = q, mpmath.mpf(1)
    for _ in range(180):
        p = (low + high) / 2
        parts = ((q, p), (1 - q, 1 - p))
        entropy = mpmath.fsum(share * mpmath.log(share / other) for share, other in parts if share > 0)
        low, high = (p, high) if entropy < budget else (low, p)
    return high


def _remainder(function: Callable[[mpmath.mpf], mpmath.mpf], u: mpmath.mpf, at_zero: int = 0) -> mpmath.mpf:
    return function(u) - at_zero - u


def _exact(form: str, r: float, kl: float, samples: float, delta: float) -> float:
    with mpmath.workdps(250):
        risk, entropy, m, failure = (mpmath.mpf(value) for value in (r, kl, samples, delta))
        budget = (entropy + mpmath.log(2 * mpmath.sqrt(m) / failure)) / m
        cost, double = entropy + mpmath.log(1 / failure), entropy + mpmath.log(2 / failure)
        tradeoff, eta, speed = mpmath.mpf(0.9), mpmath.mpf(0.75) / m, 30 / m

        def variance() -> mpmath.mpf:
            return (mpmath.mpf(0.125) + double / 40) / (1 - 40 / (2 * (m - 1)))

        values = {
            "mcallester": lambda: risk + mpmath.sqrt(budget / 2),
            "maurer": lambda: _inverse(risk, budget),
            "seeger": lambda: _inverse(risk, (entropy + mpmath.log((m + 1) / failure)) / m),
            "quadratic": lambda: (mpmath.sqrt(risk + budget / 2) + mpmath.sqrt(budget / 2)) ** 2,
            "catoni": lambda: (1 - mpmath.exp(-1.5 * risk - cost / m)) / (1 - mpmath.exp(-1.5)),
            "subgaussian": lambda: risk + 30 * 0.25 / (2 * m) + cost / 30,
            "second-moment": lambda: risk + 30 * 0.25 / (2 * m) + cost / 30,
            "lambda": lambda: risk / (1 - tradeoff / 2) + budget * m / (m * tradeoff * (1 - tradeoff / 2)),
            "disintegrated": lambda: _inverse(risk, budget),
            "disintegrated-renyi": lambda: _inverse(
                risk, (entropy + mpmath.log(2 * mpmath.sqrt(m)) + 4 / mpmath.mpf(1.5) * mpmath.log(2 / failure)) / m
            ),
            "unexpected-bernstein": lambda: (
                risk + _remainder(lambda x: -mpmath.log(1 - x), eta) / eta / 8 + cost / 0.75
            ),
            "empirical-bernstein": lambda: risk + _remainder(mpmath.exp, speed, 1) / speed * variance() + double / 30,
            "chi-squared": lambda: risk + mpmath.sqrt((1 + entropy) * 0.25 / (m * failure)),
        }
        return float(values[form]())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("arguments", [(0.02, 5000.0, 60000.0, 0.025), (0.0, 0.0, 1.0, 0.5), (0.4, 3.0, 50.0, 1e-9)])
def test_every_form_is_its_formula(form: str, arguments: tuple[float, float, float, float]) -> None:
    if form == "empirical-bernstein" and arguments[2] == 1:
        pytest.skip("one sample has no variance")
    extra = _EXTRA.get(form, {})
    expected = _exact(form, *arguments)
    assert float(pac_bayes_bound(*arguments, form, **extra)) == pytest.approx(expected, rel=1e-12)
    certain = certified_bound(*arguments, form, **extra)
    assert certain == pytest.approx(expected, rel=1e-12)
    assert certain >= expected or certain == pytest.approx(expected, rel=3e-16)


@pytest.mark.parametrize("form", FORMS)
def test_gradients(form: str) -> None:
    risk = torch.tensor([0.05, 0.2], dtype=torch.float64, requires_grad=True)
    kl = torch.tensor([10.0, 40.0], dtype=torch.float64, requires_grad=True)

    def bound(first: Tensor, second: Tensor) -> Tensor:
        return pac_bayes_bound(first, second, 500, 0.05, form, **_EXTRA.get(form, {}))

    assert torch.autograd.gradcheck(bound, (risk, kl), eps=1e-6, atol=1e-6)


def test_arguments_broadcast() -> None:
    found = pac_bayes_bound(torch.tensor([[0.1], [0.2]]), torch.tensor([1.0, 10.0, 100.0]), 1000, 0.05)
    assert found.shape == (2, 3)
    assert float(found[0, 1]) == float(pac_bayes_bound(torch.tensor(0.1), 10.0, 1000, 0.05))
    assert bool((found.diff(dim=-1) > 0).all())


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"samples": 0}, "samples"), ({"samples": -5}, "samples"), ({"delta": 0.0}, "delta"), ({"delta": 1.0}, "delta"),
        ({"delta": math.nan}, "delta"), ({"kl": -1.0}, "kl"), ({"risk": -0.1}, "risk"), ({"risk": 1.1}, "risk"),
        ({"form": "best"}, "form"), ({"form": "catoni"}, "temperature"), ({"proxy": 1.0}, "proxy"),
        ({"form": "subgaussian", "proxy": 0.0, "rate": 1.0}, "proxy"),
        ({"form": "subgaussian", "proxy": 1.0, "rate": -1.0}, "rate"), ({"samples": math.inf}, "samples"),
        ({"form": "lambda", "tradeoff": 2.0}, "tradeoff"), ({"form": "disintegrated-renyi", "order": 1.0}, "order"),
        ({"form": "disintegrated", "kl": -math.inf}, "kl"),
        ({"form": "unexpected-bernstein", "sample_moment": 0.1, "rate": 100.0}, "rate"),
        ({"form": "empirical-bernstein", "sample_variance": 0.1, "rate": 9.0, "variance_rate": 198.0}, "variance_rate"),
    ],
)  # fmt: skip
def test_bad_input_names_its_field(changed: dict[str, float | str], field: str) -> None:
    good: dict[str, float | str] = {"risk": 0.1, "kl": 5.0, "samples": 100.0, "delta": 0.05}
    for bound in (pac_bayes_bound, certified_bound):
        with pytest.raises(InputError) as caught:
            bound(**{**good, **changed})  # type: ignore[arg-type]
        assert caught.value.args[0] == field


def test_unbounded_losses_may_exceed_one() -> None:
    assert float(pac_bayes_bound(7.0, 1.0, 100, 0.05, "subgaussian", proxy=2.0, rate=10.0)) > 7


@pytest.mark.parametrize("form", FORMS)
def test_no_part_of_a_budget_overflows(form: str) -> None:
    """2√m/δ is beyond float64 here; its logarithm is not."""
    for samples, delta in ((100.0, 5e-324), (1e100, 1e-300)):
        bound = float(pac_bayes_bound(0.1, 5.0, samples, delta, form, **_EXTRA.get(form, {})))
        assert math.isfinite(bound)
        assert bound == pytest.approx(_exact(form, 0.1, 5.0, samples, delta), rel=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_numbers_of_numpy_and_pytorch_are_certified_as_what_they_hold(form: str) -> None:
    extra = _EXTRA.get(form, {})
    wanted = certified_bound(0.25, 5, 1000, 0.0625, form, **extra)
    arrays = {name: np.float64(value) for name, value in extra.items()}
    assert certified_bound(np.float32(0.25), np.int64(5), np.int32(1000), np.float64(0.0625), form, **arrays) == wanted
    tensors = {name: torch.tensor(value, dtype=torch.float64) for name, value in extra.items()}
    one = torch.tensor([0.25]), torch.tensor(5), torch.tensor(1000), torch.tensor(0.0625)
    assert certified_bound(*one, form, **tensors) == wanted


@pytest.mark.parametrize("value", [torch.tensor([0.1, 0.2]), "0.1", None, Fraction(1, 3), np.array([0.1, 0.2]), 1j])
def test_what_is_no_single_float_is_refused_in_one_line(value: Any) -> None:
    with pytest.raises(InputError) as caught:
        certified_bound(value, 5, 1000, 0.05)
    assert caught.value.args[0] == "risk"


def test_a_drawn_network_may_have_less_than_no_divergence() -> None:
    fields = (0.25, -3.0, 1000, 0.05, "disintegrated")
    assert float(pac_bayes_bound(*fields)) == pytest.approx(_exact("maurer", 0.25, -3.0, 1000, 0.05), rel=1e-12)
    assert 0.25 <= certified_bound(0.25, -1e6, 1000, 0.05, "disintegrated") <= math.nextafter(0.25, 1)
    assert float(pac_bayes_bound(0.25, -1e6, 1000, 0.05, "disintegrated")) == pytest.approx(0.25, abs=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_vmap(form: str) -> None:
    risks = torch.tensor([0.05, 0.2, 0.9], dtype=torch.float64)
    entropies = torch.tensor([1.0, 20.0, 3.0], dtype=torch.float64)

    def bound(risk: Tensor, kl: Tensor) -> Tensor:
        return pac_bayes_bound(risk, kl, 500, 0.05, form, **_EXTRA.get(form, {}))

    assert torch.equal(torch.vmap(bound)(risks, entropies), bound(risks, entropies))
    slopes = torch.vmap(torch.func.grad(bound))(risks, entropies)
    leaf = risks.clone().requires_grad_()
    assert torch.allclose(slopes, torch.autograd.grad(bound(leaf, entropies).sum(), leaf)[0], rtol=1e-14)


def test_vmap_refuses_what_is_refused_without_it() -> None:
    with pytest.raises(InputError) as caught:
        torch.vmap(lambda risk: pac_bayes_bound(risk, 5.0, 500, 0.05, "mcallester"))(torch.tensor([0.1, 1.5]))
    assert caught.value.args[0] == "risk"
