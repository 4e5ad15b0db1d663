"""A bound for somebody's own model: its loss under noise is measured, and everything else is paid for."""

import math

import pytest
import torch
from mpmath import log, mp, mpf, sqrt
from torch import Tensor, nn

from boundaudit import InputError
from boundaudit.numeric.sharpness.bound import NoisyRisk, noisy_risk, own_model_bound


def squared(output: Tensor, target: Tensor) -> Tensor:
    return (output - target).square().squeeze(-1)


def model() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 1)).double()


def test_the_bound_pays_for_draws_and_priors() -> None:
    found = NoisyRisk(0.05, 20000, 0.02, 30.0, 500, clip=2.0)
    bound = own_model_bound(found, samples=8192, delta=0.05, draws_delta=0.01)
    with mp.workdps(30):
        q, u = mpf(0.05) / 2, mpf(bound.limit) / 2
        limit = q * log(q / u) + (1 - q) * log((1 - q) / (1 - u))
        assert float(limit * 20000 / log(100)) == pytest.approx(1, rel=1e-9)
        tau = mpf(bound.tau)
        kl = 250 * (mpf("0.0004") / tau**2 - 1 - log(mpf("0.0004") / tau**2)) + 15 / tau**2
        assert bound.kl == pytest.approx(float(kl), rel=1e-10)
        p = mpf(bound.value) / 2
        left = u * log(u / p) + (1 - u) * log((1 - u) / (1 - p))
        budget = (kl + log(2 * sqrt(mpf(8192)) * 1280 / mpf("0.04"))) / 8192
        assert float(left / budget) == pytest.approx(1, rel=1e-9)
    best = 250 * math.log1p(30 / (500 * 0.02**2))
    assert best <= bound.kl <= best + 0.1
    assert sum(entry.delta for entry in bound.union.entries) == pytest.approx(0.05)


def test_a_norm_shared_by_many_parameters_is_not_lost() -> None:
    """Where the prior is as wide as the noise, ‖θ‖²/(2σ²) is all of K."""
    assert own_model_bound(NoisyRisk(0.1, 1000, 1.0, 0.04, 10**15), samples=10, delta=0.05).kl == pytest.approx(0.02)


def test_noise_that_drowns_a_model_shows_in_its_loss() -> None:
    net, x = model().eval(), torch.randn(100, 4, dtype=torch.float64)
    y = net(x).detach()
    still, loud = (noisy_risk(net, squared, x, y, sigma=sigma, draws=400) for sigma in (1e-4, 3.0))
    assert still.mean < 1e-5
    assert loud.mean > 0.5
    assert loud.noise_to_norm > 1 > still.noise_to_norm
    assert own_model_bound(loud, samples=10**9, delta=0.05).value > loud.mean


def test_the_mean_is_that_of_noisy_copies() -> None:
    net, x = model().eval(), torch.randn(1, 4, dtype=torch.float64)
    y = torch.zeros(1, 1, dtype=torch.float64)
    found = noisy_risk(net, squared, x, y, sigma=0.3, draws=4000, clip=0.5)
    before = [weight.clone() for weight in net.parameters()]
    losses = []
    torch.manual_seed(1)
    for _ in range(1000):
        with torch.no_grad():
            for weight, own in zip(net.parameters(), before, strict=True):
                weight.copy_(own + 0.3 * torch.randn_like(own))
            losses.append(float(squared(net(x), y).clamp_max(0.5)))
    assert found.mean == pytest.approx(sum(losses) / 1000, abs=0.04)


def test_the_module_is_left_as_it_was_and_evaluated() -> None:
    net, x = model(), torch.randn(20, 4, dtype=torch.float64)
    before = torch.cat([weight.detach().flatten() for weight in net.parameters()])
    first, second = (noisy_risk(net, squared, x, x[:, :1], sigma=0.1, draws=50) for _ in range(2))
    assert first == second
    assert net.training
    assert torch.equal(before, torch.cat([weight.detach().flatten() for weight in net.parameters()]))
    assert first.norm_squared == pytest.approx(float(before.square().sum()))
    own = noisy_risk(net, squared, x, x[:, :1], sigma=0.1, draws=50, centre=before + 2 / math.sqrt(len(before)))
    assert own.norm_squared == pytest.approx(4)


@pytest.mark.parametrize(
    "loss",
    [lambda output, target: (output - target).mean(), lambda output, target: -squared(output, target),
     lambda output, target: squared(output, target) * math.nan],
)  # fmt: skip
def test_a_loss_that_is_none_is_refused(loss: object) -> None:
    x = torch.randn(20, 4, dtype=torch.float64)
    with pytest.raises(InputError, match="loss"):
        noisy_risk(model(), loss, x, x[:, :1], sigma=0.1, draws=10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changed", [{"mean": 1.5}, {"mean": math.nan}, {"draws": 0}, {"sigma": 0.0}, {"norm_squared": math.inf}]
)
def test_bad_numbers(changed: dict[str, float]) -> None:
    given = {"mean": 0.1, "draws": 100, "sigma": 0.1, "norm_squared": 3.0, "parameters": 10} | changed
    with pytest.raises(InputError):
        NoisyRisk(**given)  # type: ignore[arg-type]
