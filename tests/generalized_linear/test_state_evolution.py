"""Fixed points of known models: ridge by its closed form, LASSO by its calibration, thresholds of phase retrieval."""

import dataclasses
import math

import numpy as np
import pytest
import torch
from scipy.optimize import brentq
from scipy.special import ndtr
from tests.counted import calls_in
from tests.limit_campaign import campaign
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm import gaussian_target
from boundaudit.numeric.generalized_linear import (
    Deadline,
    FixedPoints,
    Model,
    Problems,
    check_proximal,
    fixed_points,
    gaussian,
    least_value,
    map_state,
    rademacher,
    reached,
    simulate,
    simulation,
    sparse,
)
from boundaudit.numeric.generalized_linear.losses import proximal, value
from boundaudit.numeric.generalized_linear.outputs import Channel

RIDGE = Model(teacher=gaussian(2.0), noise=0.5, penalty="ridge", strength=0.1)
LASSO = Model(teacher=sparse(0.1), noise=0.05, penalty="lasso", strength=0.1)


def solved(model: Model, *alpha: float) -> FixedPoints:
    places = torch.tensor(alpha, dtype=torch.float64)
    ones = torch.ones_like(places)
    return fixed_points(model, Problems(places, model.strength * ones, model.noise * ones), Deadline())[0]


def marchenko_pastur(alpha: np.ndarray, penalty: float, noise: float, rho: float) -> tuple[np.ndarray, np.ndarray]:
    """Test and train error of ridge regression from the resolvent s = E 1/(x + λ), 1 = λ s + α s/(1 + s)."""
    b = penalty + alpha - 1
    s = (-b + np.sqrt(b**2 + 4 * penalty)) / (2 * penalty)
    slope = -(s**2 + s) / (2 * penalty * s + b)  # ds/dλ, by the same equation
    error = rho * penalty**2 * -slope + noise * (s + penalty * slope)
    return noise + error, (noise + error) / (1 + s) ** 2  # leaving a sample out divides its residual by 1 + s


def test_ridge_is_the_textbook_curve() -> None:
    alpha = np.geomspace(0.05, 20, 60)
    found = solved(RIDGE, *alpha)
    test, train = marchenko_pastur(alpha, 0.1, 0.5, 2.0)
    assert np.abs(found.test.numpy() - test).max() < 1e-8
    assert np.abs(found.train.numpy() - train).max() < 1e-8
    assert float(found.replicon.min()) > 0


def test_no_penalty_is_least_squares() -> None:
    found = solved(Model(teacher=gaussian(), noise=0.5, penalty="none"), 1.5, 3.0)
    assert found.error.tolist() == pytest.approx([0.5 / 0.5, 0.5 / 2], abs=1e-9)


def calibrated(alpha: float, penalty: float, noise: float, share: float) -> float:
    """‖w - w*‖²/d of LASSO by message passing's calibration (Bayati & Montanari 2012), with λ/2 for half the squares.

    With entries of variance 1/d, τ² = Δ + E(η(w* + τ g/√α; θ) - w*)².
    """

    def parts(level: float, tau: float) -> tuple[float, float]:
        scale = tau / math.sqrt(alpha)
        wide = math.hypot(1, scale)  # of w* + scale g, given that w* is not zero

        def tail(size: float) -> float:
            return float(2 * ndtr(-level * scale / size))

        def square(size: float) -> float:  # E η²
            u = level * scale / size
            return float(size**2 * 2 * ((1 + u**2) * ndtr(-u) - u * math.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)))

        active = share * tail(wide) + (1 - share) * tail(scale)
        cross = share * tail(wide)  # E w* η, by parts
        return share - 2 * cross + share * square(wide) + (1 - share) * square(scale), active

    def balance(level: float) -> tuple[float, float]:
        tau, before = 1.0, 0.0
        while abs(tau - before) > 1e-15:
            tau, before = math.sqrt(noise + parts(level, tau)[0]), tau
        error, active = parts(level, tau)
        return level * tau / math.sqrt(alpha) * (alpha - active) - penalty / 2, error

    least = {0.5: 0.9, 1.0: 0.4, 2.0: 0.05}[alpha]  # far enough below, τ has no fixed point
    return balance(brentq(lambda level: balance(level)[0], least, 8, xtol=1e-13))[1]


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.5, 1.0, 2.0])
def test_lasso_is_the_curve_of_message_passing(alpha: float) -> None:
    assert float(solved(LASSO, alpha).error) == pytest.approx(calibrated(alpha, 0.1, 0.05, 0.1), abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("model", [RIDGE, LASSO], ids=["ridge", "lasso"])
def test_fifty_ratios_are_solved_together(model: Model) -> None:
    found = []
    together = calls_in(lambda: found.append(solved(model, *np.linspace(0.1, 5, 50))))
    assert together < 5 * calls_in(lambda: solved(model, 0.1))
    assert len(found[0].m) == 50


@pytest.mark.slow
def test_phase_retrieval_has_its_thresholds() -> None:
    retrieval = Model(teacher=gaussian(), channel="absolute", noise=1e-4, loss="posterior mean", penalty="none")
    found = solved(retrieval, 0.49, 0.52, 1.1, 1.2)
    points = [found.q[found.owner == k].tolist() for k in range(4)]
    assert len(points[0]) == 1
    assert points[0][0] < 1e-9
    assert found.radius[found.owner == 1][0] > 1  # nothing learned is unstable from α = 1/2 on
    assert [round(q, 2) for q in points[2]] == [0.0, 0.69, 0.96, 1.0]
    assert [radius < 1 for radius in found.radius[found.owner == 2]] == [False, True, False, True]
    assert len(points[3]) == 2


def by_hand(m: Tensor, q: Tensor, variance: Tensor, rho: Tensor, noise: Tensor) -> Tensor:
    """The potential of a linear channel with square loss."""
    return (rho + noise - 2 * m + q) / (1 + 2 * variance)


@pytest.mark.slow
def test_a_potential_by_hand_gives_the_same_equations() -> None:
    own = Model(teacher=gaussian(2.0), noise=0.5, penalty="ridge", strength=0.1, potential=by_hand)
    for name in ("m", "q", "V", "train", "potential", "test", "replicon"):
        found, known = (getattr(solved(model, 0.5, 2.0), name) for model in (own, RIDGE))
        assert found.tolist() == pytest.approx(known.tolist(), rel=1e-10), name


@pytest.mark.parametrize(
    ("channel", "loss"), [("sign", "logistic"), ("softmax", "hinge"), ("linear", "absolute"), (torch.tanh, "absolute")]
)
def test_equations_are_the_stationarity_of_the_potential(channel: object, loss: str) -> None:
    model = Model(teacher=rademacher(), channel=channel, noise=0.4, loss=loss, penalty="ridge", strength=0.2)
    sample = Channel(model, torch.tensor([0.4], dtype=torch.float64), 2)
    place = torch.tensor([[0.5], [0.9], [0.8]], dtype=torch.float64)
    here, slopes = sample.averages(*place), []
    for k in range(3):
        shift = torch.zeros_like(place)
        shift[k] = 1e-4
        up, down = (sample.averages(*(place + sign * shift)).envelope for sign in (1, -1))
        slopes.append(float(up - down) / 2e-4)
    by_m, by_q, by_v = slopes
    assert [float(part) for part in here[:3]] == pytest.approx([-2 * by_v, -by_m, 2 * by_q], rel=2e-3)


def test_losses_of_a_function_have_the_same_proximal_maps() -> None:
    y, omega = torch.randn(2, 500, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    wide = torch.full_like(y, 0.7)
    for name, signs in (("square", y), ("absolute", y), ("logistic", y.sign()), ("hinge", y.sign())):
        numeric = proximal(lambda a, b, name=name: value(name, a, b), signs, omega, wide)
        assert torch.allclose(numeric, proximal(name, signs, omega, wide), atol=1e-9), name


def test_a_loss_that_is_not_convex_is_refused() -> None:
    model = Model(
        teacher=gaussian(), noise=0.1, loss=lambda y, z: (y**2 - z**2) ** 2, penalty="ridge", strength=0.1
    )  # fmt: skip
    with pytest.raises(InputError, match="loss: expected a function convex in z"):
        check_proximal(model)


def test_an_absolute_loss_with_a_lasso_is_marginal() -> None:
    """A linear program's solution has as many weights as samples that it meets: the replicon eigenvalue is zero."""
    found = solved(Model(teacher=sparse(0.3), noise=0.2, loss="absolute", penalty="lasso", strength=0.2), 1.0)
    assert abs(float(found.replicon)) < 1e-6


def test_one_start_by_the_coarse_rule_comes_near() -> None:
    places = torch.tensor([0.5, 2.0], dtype=torch.float64)
    near = reached(RIDGE, Problems(places, 0.1 + 0 * places, 0.5 + 0 * places), Deadline())
    assert near.test.tolist() == pytest.approx(solved(RIDGE, 0.5, 2.0).test.tolist(), rel=1e-8)


@pytest.mark.slow
def test_a_least_value_is_that_of_a_grid() -> None:
    """A loss with two wells in one of two numbers, by a fine grid, and its slopes by differences."""

    def wells(u: Tensor) -> Tensor:
        return (u[..., 0] ** 2 - 1) ** 2 + u[..., 1].cosh()

    place = torch.tensor([[0.1, 0.3], [-0.4, 2.0]], dtype=torch.float64)
    width = torch.tensor([0.5, 2.0], dtype=torch.float64)
    line = torch.linspace(-2.5, 2.5, 2001, dtype=torch.float64)
    grid = torch.cartesian_prod(line, line)
    for k in range(2):
        least = (wells(grid) + ((grid - place[k]) ** 2).sum(-1) / (2 * width[k])).min()
        found = least_value(wells, place, width, [place, -place])
        assert float(found[k]) == pytest.approx(float(least), abs=1e-5)
    slopes = [least_value(wells, place, width + sign * 1e-4, [place, -place]) for sign in (1, -1)]
    moved = width.clone().requires_grad_()
    least_value(wells, place, moved, [place, -place]).sum().backward()
    assert moved.grad.tolist() == pytest.approx(((slopes[0] - slopes[1]) / 2e-4).tolist(), rel=1e-5)


@pytest.mark.slow
def test_one_tokens_potential_by_hand_gives_its_state_evolution() -> None:
    """With h = √2 u the least of 2(u* - u)² + (u - ω)²/(2V) is 2 (u* - ω)²/(1 + 4V)."""

    def by_hand(m: Tensor, q: Tensor, variance: Tensor, rho: Tensor, noise: Tensor) -> Tensor:
        return 2 * (rho + noise / 2 - 2 * m + q) / (1 + 4 * variance)

    known = Model(teacher=gaussian_target(0.5), noise=0.5, penalty="nuclear", strength=0.1)
    own = dataclasses.replace(known, potential=by_hand)
    found, expected = (map_state(model, [0.3, 1.0])[0] for model in (own, known))
    for name in ("delta", "threshold", "eta", "error", "test", "train", "rank", "objective"):
        assert getattr(found, name).tolist() == pytest.approx(getattr(expected, name).tolist(), rel=1e-6), name


@pytest.mark.slow
def test_any_model_is_right_or_refused() -> None:
    found = campaign("model", 16, 0)
    assert not found["broken"]
    assert found["answered"] > 8


def thresholded(inputs: Tensor, y: Tensor, penalty: float) -> Tensor:
    """LASSO of each run by plain thresholded gradient steps (ISTA)."""
    step = 0.5 / torch.linalg.matrix_norm(inputs, 2)[:, None, None] ** 2
    w = torch.zeros_like(inputs[:, :1].mT)
    for _ in range(30_000):
        w = w + 2 * step * inputs.mT @ (y[..., None] - inputs @ w)
        w = w.sign() * (w.abs() - step * penalty).clamp_min(0)
    return w[..., 0]


@pytest.mark.slow
def test_the_solver_is_that_of_thresholded_gradients() -> None:
    generator = torch.Generator().manual_seed(1)
    inputs = torch.randn(3, 40, 30, generator=generator, dtype=torch.float64) / 30**0.5
    y = torch.randn(3, 40, generator=generator, dtype=torch.float64)
    model = Model(teacher=sparse(0.1), noise=0.05, penalty="lasso", strength=0.3)
    found = simulation._fitted(model, inputs, y, (1.0, 1.0), Deadline())
    assert torch.allclose(found, thresholded(inputs, y, 0.3), atol=1e-4)


def test_scales_change_nothing_and_seeds_do() -> None:
    model = Model(teacher=gaussian(), noise=0.5, channel="sign", loss="logistic", penalty="ridge", strength=0.1)
    one, other = (simulate(model, 1.0, 20, 12, 0, scales, Deadline()) for scales in ((1.0, 1.0), (4.0, 0.5)))
    assert torch.allclose(one.error, other.error, atol=1e-3)
    assert not torch.allclose(one.error, simulate(model, 1.0, 20, 12, 1, (1.0, 1.0), Deadline()).error, atol=1e-2)
