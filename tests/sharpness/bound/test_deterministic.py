"""The bound for the parameters themselves: its Lipschitz constant by brute force, and its printed values."""

import itertools
import math

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import inverse_binary_kl
from boundaudit.numeric.sharpness.bound import deterministic as module
from boundaudit.numeric.sharpness.bound.deterministic import (
    block_gradients,
    deterministic,
    gradient_bounds,
    largest_gradient,
    pointing,
    squared_gradient,
)


def bounds(v1, m, gamma, f, w2, v2):
    h = math.sqrt(2) * m * v1 + gamma
    g = 1 + f * h
    c = v2 + 2 * v2 * g**2 * w2
    return {"W1": 2 * math.sqrt(2) * c * f * m * v1, "V1": math.sqrt(2) * c * f * m, "M": math.sqrt(2) * c * f * v1,
            "Gamma": c * f, "F": c * h, "W2": v2 * g**3, "V2": g}  # fmt: skip


def value(polynomial, at):
    return sum(c * math.prod(x**a for x, a in zip(at, powers, strict=True)) for powers, c in polynomial.items())


def test_polynomials_are_the_formulas():
    at = (0.7, 1.3, 0.4, 2.1, 0.9, 1.7)
    wanted = bounds(*at)
    for block, (squared, parts) in gradient_bounds().items():
        assert math.sqrt(squared) * math.prod(value(part, at) for part in parts) == pytest.approx(wanted[block])
    assert value(squared_gradient(), at) == pytest.approx(sum(bound**2 for bound in wanted.values()))


def test_largest_gradient_is_above_every_point_of_the_ball_and_near_the_best():
    radius, best = 5.0, 0.0
    for squares in itertools.product(range(9), repeat=6):
        if sum(squares) == 8:
            at = [radius * math.sqrt(square / 8) for square in squares]
            best = max(best, sum(bound**2 for bound in bounds(*at).values()))
    assert 0.7 * largest_gradient(radius) ** 2 < best * 1.4
    assert best <= largest_gradient(radius) ** 2


def test_weights_have_the_norms_that_are_asked_for():
    norms = torch.tensor([[2.0, 1.0, 1.5, 0.5, 1.2, 3.0, 2.0]], dtype=torch.float64)
    weights = pointing(norms, 4, aligned=False, seed=0)
    for weight, norm in zip((w for _, w in weights.named()), norms[0], strict=True):
        assert float(weight.norm()) == pytest.approx(float(norm))


def test_aligned_weights_attain_the_last_bound():
    norms = torch.tensor([[30.0, 1.0, 1.5, 0.5, 1.2, 30.0, 2.0]], dtype=torch.float64)
    found = block_gradients(pointing(norms, 4, aligned=True, seed=0), torch.ones(1, 4, dtype=torch.bool))
    assert float(found["V2"]) == pytest.approx(1 + 1.2 * (math.sqrt(2) * 1.5 + 0.5), rel=1e-6)


@pytest.mark.slow
def test_values_at_the_papers_setting():
    assert largest_gradient(math.sqrt(1492.694) + 1) == pytest.approx(1.15006e15, rel=1e-5)
    # By hand at κ = 0.0029: σ = κ/(√p Lip), K = (p/2) ln(1 + L/(pσ²)), and kl⁻¹ by bisection.
    kappa, p, norm, m = 0.0029, 2014, 1492.694, 10**6
    sigma = kappa / (math.sqrt(p) * 1.150055e15)
    budget = (p / 2 * math.log1p(norm / (p * sigma**2)) + math.log(2 * math.sqrt(m) / 0.05)) / m
    low, high = kappa**2, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        q = kappa**2
        kl = q * math.log(q / middle) + (1 - q) * math.log((1 - q) / (1 - middle))
        low, high = (middle, high) if kl <= budget else (low, middle)
    wanted = (math.sqrt(high) + kappa) ** 2
    found = deterministic(norm, p, samples=m, delta=0.05)
    assert found.value == pytest.approx(wanted, rel=1e-4)
    assert found.value <= 0.08692
    assert deterministic(norm, p, samples=m, delta=0.05, risk=2e-4).value == pytest.approx(0.0886, abs=5e-5)
    assert deterministic(norm, p, samples=8192, delta=0.05).value > 0.99


def test_far_noise_adds_its_probability_times_the_root_of_the_clip(monkeypatch):
    # A nearly flat network and one wide noise, so that P is above M.
    clip, lipschitz, sigma, samples = 1e-3, 1e-4, 0.25, 1e9
    monkeypatch.setattr(module, "largest_gradient", lambda radius: lipschitz)
    monkeypatch.setattr(module, "_EXPONENTS", torch.tensor([sigma * lipschitz], dtype=torch.float64).log10())
    far = math.exp(-(1 / sigma**2 - 1 - math.log(1 / sigma**2)) / 2)
    assert far > clip
    budget = (math.log1p(1 / sigma**2) / 2 + math.log(2 * math.sqrt(samples) / 0.05)) / samples
    noisy = float(inverse_binary_kl((lipschitz * sigma) ** 2 / clip + far, budget))
    root = math.sqrt(clip * noisy) + lipschitz * sigma + math.sqrt(clip) * far
    found = deterministic(1.0, 1, samples=samples, delta=0.05, clip=clip)
    assert found.value == pytest.approx(root**2, rel=1e-9)


def test_bad_numbers_are_named():
    with pytest.raises(InputError, match="norm_squared"):
        deterministic(0.0, 10, samples=100, delta=0.05)
    with pytest.raises(InputError, match="risk"):
        deterministic(1.0, 10, samples=100, delta=0.05, risk=2.0)


def test_the_weights_of_a_point_do_not_depend_on_its_company() -> None:
    norms = torch.rand(5, 7, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    for aligned in (True, False):
        together = pointing(norms, 3, aligned=aligned, seed=1).named()
        alone = pointing(norms[3:4], 3, aligned=aligned, seed=1).named()
        for (_, many), (_, one) in zip(together, alone, strict=True):
            assert torch.equal(many[3:4], one)
