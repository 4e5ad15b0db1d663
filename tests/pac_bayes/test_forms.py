"""PAC-Bayes forms against mpmath, with gradients, shapes and one line for bad input."""

import math
from collections.abc import Mapping

import mpmath
import pytest
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import FORMS, certified_bound, pac_bayes_bound

_EXTRA: Mapping[str, Mapping[str, float]] = {
    "catoni": {"temperature": 1.5},
    "subgaussian": {"proxy": 0.5, "rate": 30.0},
    "second-moment": {"moment": 0.25, "rate": 30.0},
}


def _inverse(q: mpmath.mpf, budget: mpmath.mpf) -> mpmath.mpf:
    """By bisection."""
    low, high = q, mpmath.mpf(1)
    for _ in range(180):
        p = (low + high) / 2
        parts = ((q, p), (1 - q, 1 - p))
        entropy = mpmath.fsum(share * mpmath.log(share / other) for share, other in parts if share > 0)
        low, high = (p, high) if entropy < budget else (low, p)
    return high


def _exact(form: str, r: float, kl: float, samples: float, delta: float) -> float:
    with mpmath.workdps(50):
        risk, entropy, m, failure = (mpmath.mpf(value) for value in (r, kl, samples, delta))
        budget = (entropy + mpmath.log(2 * mpmath.sqrt(m) / failure)) / m
        cost = entropy + mpmath.log(1 / failure)
        values = {
            "mcallester": lambda: risk + mpmath.sqrt(budget / 2),
            "maurer": lambda: _inverse(risk, budget),
            "seeger": lambda: _inverse(risk, (entropy + mpmath.log((m + 1) / failure)) / m),
            "quadratic": lambda: (mpmath.sqrt(risk + budget / 2) + mpmath.sqrt(budget / 2)) ** 2,
            "catoni": lambda: (1 - mpmath.exp(-1.5 * risk - cost / m)) / (1 - mpmath.exp(-1.5)),
            "subgaussian": lambda: risk + 30 * 0.25 / (2 * m) + cost / 30,
            "second-moment": lambda: risk + 30 * 0.25 / (2 * m) + cost / 30,
        }
        return float(values[form]())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("arguments", [(0.02, 5000.0, 60000.0, 0.025), (0.0, 0.0, 1.0, 0.5), (0.4, 3.0, 50.0, 1e-9)])
def test_every_form_is_its_formula(form: str, arguments: tuple[float, float, float, float]) -> None:
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
        ({"form": "subgaussian", "proxy": 1.0, "rate": -1.0}, "rate"),
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
