"""The mean loss under noise: exact means, plain samples, closed forms around it, and the claims' verdicts."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch

from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.sharpness.noisy_loss.draws import proved, study
from boundaudit.checks.sharpness.taylor.expansion import windows
from boundaudit.checks.sharpness.taylor.noisy import of_one, of_pairs, published
from boundaudit.derivations.sharpness.mean_loss import loss_of_one
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import autodiff
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mean_loss import Interval, Losses, losses
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.oracle import evaluate as values
from boundaudit.numeric.sharpness.target import TargetBatch


def inputs(length: int, times: int) -> torch.Tensor:
    return bit_strings(length, 0, 2**length).repeat(times, 1)


@pytest.mark.slow
@pytest.mark.parametrize("mlp", ["steep", "wide"])
@pytest.mark.parametrize(("length", "degree"), [(4, 1), (4, 2), (6, 2), (7, 3)])
def test_the_exact_loss_of_one_component(length: int, degree: int, mlp: str) -> None:
    found = losses(windows(length, degree, 1), inputs(length, 1), 0.0, 0, mlp=mlp)  # type: ignore[arg-type]
    point = {"T": length, "D": degree, "u": {"steep": 1, "wide": 2}[mlp]}
    exact = evaluate(to_tree(loss_of_one()), point)
    assert float(found.plain.mean()) == pytest.approx(float(exact), rel=1e-11)
    assert (found.noisy == found.plain).all()


@pytest.mark.slow
def test_the_loss_at_length_four_by_hand() -> None:
    """T = 4, D = 1, steep: 89/10000, and no loss in the ideal network."""
    assert Fraction(str(evaluate(to_tree(loss_of_one()), {"T": 4, "D": 1, "u": 1}))) == Fraction(89, 10000)
    ideal = losses(windows(4, 1, 1), inputs(4, 1), 0.0, 0, scale=math.inf)
    assert float(ideal.plain.max()) < 1e-28


@pytest.mark.parametrize(("scale", "size"), [(2.0, 0.02), (math.inf, 0.02), (2.0, 0.1)])
def test_the_control_variate_leaves_the_mean_as_it_is(scale: float, size: float) -> None:
    """Against a plain mean over 8000 draws of another seed, within four standard errors."""
    target, bits = windows(4, 2, 2), inputs(4, 500)
    found = losses(target, inputs(4, 64), size, 3, scale=scale).mean()
    batch = TargetBatch.stack([target])
    many, copies = batch.repeat(len(bits)), autodiff.repeat(build(batch, scale=scale), len(bits))
    noisy = moved(copies, gaussian(many, copies, 11), size)
    plain = (forward(noisy, many, bits[:, None], scale=scale)[:, 0] - values(target, bits)).square()
    spread = float(plain.std()) / len(bits) ** 0.5 + (found.high - found.low) / 2 / 4.89
    assert abs(float(plain.mean()) - found.middle) < 4 * spread


def test_intervals_and_clipping() -> None:
    normal = torch.from_numpy(np.random.default_rng(0).standard_normal(10000))
    found = Interval.of(normal)
    assert found.high - found.low == pytest.approx(2 * 4.8916 / 100, rel=0.03)
    assert found.low < 0 < found.high
    two = Losses(torch.tensor([0.5, 2.0]), torch.tensor([[0.5, 3.0], [1.5, 5.0]]), torch.tensor([0.25, -0.25]))
    assert two.mean().middle == pytest.approx(2.5)
    assert two.mean(1).middle == pytest.approx(0.875)
    assert two.rise.middle == pytest.approx(1.25)


@pytest.mark.parametrize("size", [Fraction(1, 10**6), Fraction(1, 10**5), Fraction(1, 10**4)])
@pytest.mark.parametrize(("length", "degree", "width"), [(4, 1, 1), (4, 2, 2), (6, 2, 1)])
def test_closed_forms_hold_the_measured_mean(size: Fraction, length: int, degree: int, width: int) -> None:
    low, high = of_one({"T": length, "D": degree, "u": width, "sigma": size})
    mlp = "steep" if width == 1 else "wide"
    found = losses(windows(length, degree, 1), inputs(length, 8), float(size), 1, mlp=mlp)  # type: ignore[arg-type]
    mean = float(found.noisy.clamp(max=1).mean())
    assert 0 < float(low) < mean < float(high) < 1


@pytest.mark.parametrize(("width", "least"), [(1, 0.00019), (2, 0.00016)])
def test_closed_forms_hold_the_measured_mean_of_the_published_example(width: int, least: float) -> None:
    low, high = of_pairs({"u": width, "sigma": Fraction(3, 10**6)})
    found = published(width, 3e-6, 256).mean(1)
    assert max(least, found.low) < float(high) < 1.2 * least
    assert least < float(low) < found.high


def test_nothing_is_known_where_good_draws_may_leave_the_plateaus() -> None:
    assert of_one({"T": 4, "D": 1, "u": 1, "sigma": Fraction(1, 100)}) == (0, 1)


@pytest.mark.slow
def test_the_figures_proved_curve() -> None:
    """From the loss without noise up to one, and at the printed σ beside the claim's value."""
    for width, least, most in ((1, 0.00020, 0.00021), (2, 0.00017, 0.00018)):
        curve = proved(width)
        assert least < curve[0] < most
        assert curve[-1] == 1
        assert (np.diff(curve) >= 0).all()
    assert study.label == "sharpness.noisy_loss.study"
