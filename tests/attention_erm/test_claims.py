"""What the claims measure with, against independent computations."""

import math
from collections.abc import Iterator

import mpmath as mp
import pytest
import sympy as sp
import torch

from boundaudit.checks.attention_erm import interpolation, measured, model
from boundaudit.checks.measurements import Columns
from boundaudit.derivations.attention_erm import interpolation as bounds
from boundaudit.derivations.attention_erm import power_law, spikes
from boundaudit.derivations.attention_erm.model import lambda_map
from boundaudit.derivations.attention_erm.symbols import d_erm, gamma_erm, k_erm, l_erm, q_erm, x_erm
from boundaudit.numeric.attention_erm import gaussian_target, linear_state, tuned_state
from boundaudit.numeric.attention_erm import interpolation as threshold_of
from boundaudit.numeric.attention_erm.finite_size import Setting, controlled_mean, extrapolated, simulate
from boundaudit.numeric.attention_erm.fixed_points import fixed_points, least_errors, thresholded_error
from boundaudit.numeric.attention_erm.spectra import largest_gap


@pytest.mark.slow
def test_fixed_points_are_solutions() -> None:
    state = linear_state(gaussian_target(0.5), [0.3, 1.0], 0.1, 0.5)
    found = fixed_points(gaussian_target(0.5), state.delta, state.threshold)
    test = 4 * state.alpha * found.delta**2
    train = test * (1 - found.pull / state.alpha) ** 2
    for mine, other in (
        (found.error, state.error),
        (test - 2 * found.error, 0.5 * torch.ones(2, dtype=torch.float64)),  # Δ
        (4 * found.threshold * (state.alpha - found.pull), 0.1 * torch.ones(2, dtype=torch.float64)),  # the penalty
        (test, state.test),
        (train, state.train),
        (found.rank, state.rank),
        (state.alpha * train + 0.1 * found.trace, state.objective),
    ):
        assert mine.tolist() == pytest.approx(other.tolist(), rel=1e-8)


@pytest.mark.slow
def test_fixed_points_at_interpolation() -> None:
    threshold = threshold_of(gaussian_target(0.5), 0.5)
    found = fixed_points(gaussian_target(0.5), torch.tensor([threshold.delta], dtype=torch.float64), torch.zeros(1))
    assert float(found.interpolated_noise) == pytest.approx(0.5, rel=1e-8)
    assert float(found.pull) == pytest.approx(threshold.alpha, rel=1e-9)
    assert float(found.error) == pytest.approx(threshold.error, rel=1e-8)


@pytest.mark.slow
def test_the_best_threshold_of_a_grid() -> None:
    tuned = tuned_state(gaussian_target(0.5), [0.5], 0.5)
    found = least_errors(gaussian_target(0.5), tuned.delta)
    assert 0 <= float(found - tuned.error) < 1e-4


def test_the_error_of_a_thresholded_matrix() -> None:
    kept = thresholded_error(torch.tensor([3.0, 1.0], dtype=torch.float64), 0.0, 2.0, 1, torch.Generator())
    assert kept.tolist() == pytest.approx([(4 + 1) / 2])


def test_moments_of_indices_are_those_in_the_eigenvectors() -> None:
    generator = torch.Generator().manual_seed(0)
    matrix = torch.tensor([[1.0, 0.5], [0.5, -2.0]], dtype=torch.float64)
    x, y = torch.randn(2, 400_000, 2, generator=generator, dtype=torch.float64)
    own = ((x @ matrix * x).sum(-1) - matrix.trace()) / math.sqrt(2)
    both = (x @ matrix * y).sum(-1) / math.sqrt(2)
    eigenvalues = dict(zip((lambda_map[1], lambda_map[2]), torch.linalg.eigvalsh(matrix).tolist(), strict=True))
    for case, values in enumerate((own, both)):
        square, fourth = (
            float(claim.cases[case].changes["right"].subs(d_erm, 2).doit().subs(eigenvalues))
            for claim in (model.variance, model.fourth)
        )
        assert square == pytest.approx(float(values.var()), rel=0.02)
        assert fourth + 3 * square**2 == pytest.approx(float((values**4).mean()), rel=0.1)


def test_the_largest_gap_of_samples_with_repetitions() -> None:
    first, second = torch.tensor([0.0, 0.0, 1.0, 2.0]), torch.tensor([0.0, 1.0, 1.0, 3.0])
    assert largest_gap(first, second) == 0.25
    assert largest_gap(first, first) == 0.0


def test_controls_leave_the_mean_and_take_out_scatter() -> None:
    setting = Setting(alpha=0.5, penalty=0.5, noise=0.5, kappa0=0.5)
    data, learned = simulate(setting, 8, 200, 0)
    plain = float(learned.objective.mean())
    mean = controlled_mean(learned.objective, data, setting)
    error = float(learned.objective.std()) / math.sqrt(200)
    assert mean.standard_error < 0.6 * error
    assert abs(mean.mean - plain) < 4 * error
    assert mean.freedom == 195
    shifted = controlled_mean(learned.objective + 1, data, setting)
    assert shifted.mean == pytest.approx(mean.mean + 1)


@pytest.mark.slow
def test_small_runs_extrapolate_with_an_interval() -> None:
    setting = Setting(alpha=1, penalty=0.5, noise=0.5, kappa0=0.5)
    found = extrapolated(setting, {8: 60, 12: 40, 16: 30}, 1, ["objective"])["objective"]
    assert found.predicted == pytest.approx(float(linear_state(gaussian_target(0.5), 1, 0.5, 0.5).objective))
    assert found.low < found.intercept < found.high
    assert 0 < found.half_width < 0.2


def test_levels_are_those_of_the_formulas() -> None:
    points = [{"l_erm": level, "kappa_0": 0.5} for level in (1, 7, 20)]
    formula = [float(measured.LEVEL.subs(l_erm, 0) * 2 ** (level / 2)) for level in (1, 7, 20)]
    assert measured.noise_level(Columns(points, "cpu")).tolist() == pytest.approx(formula)
    values = interpolation.sharp.left.measure(points, "cpu")
    assert (values > 0.25).all()
    assert (values[1:] < values[:-1]).all()


def test_the_bound_of_the_threshold_is_sharp_for_much_noise() -> None:
    delta = torch.tensor([400.0], dtype=torch.float64)
    found = fixed_points(gaussian_target(0.5), delta, torch.zeros(1, dtype=torch.float64))
    at = {bounds.kappa_0: sp.Rational(1, 2), bounds.delta_erm: 400}
    assert float(found.pull) - 0.25 == pytest.approx(float(bounds.HIGH.subs(at)) - 0.25, rel=0.01)


@pytest.fixture(autouse=True)
def _digits() -> Iterator[None]:
    with mp.workdps(30):
        yield


def test_a_mode_is_as_costly_on_both_sides_of_the_bulk() -> None:
    assert spikes.kept(sp.Integer(1)) == 1
    assert sp.diff(spikes.kept(x_erm), x_erm).subs(x_erm, 1) == 2


@pytest.mark.parametrize("exponent", [sp.Rational(3, 4), sp.Integer(1), sp.Integer(2)])
def test_the_constant_is_an_integral(exponent: sp.Rational) -> None:
    g = mp.mpf(str(sp.N(exponent, 30)))
    integral = mp.quad(lambda v: 6 - 8 * v**g + 3 * v ** (2 * g), [0, 1]) + mp.quad(
        lambda v: v ** (-2 * g), [1, 9, mp.inf]
    )
    assert float(power_law.CONSTANT.subs(gamma_erm, exponent)) == pytest.approx(float(integral), rel=1e-9)


@pytest.mark.parametrize(
    ("k", "q", "integral"), [(2, 5, power_law.BEFORE), (4, sp.Rational(7, 2), power_law.AFTER)], ids=["kept", "last"]
)
def test_the_integral_over_one_mode(k: int, q: sp.Rational, integral: sp.Expr) -> None:
    step = power_law.step(integral, power_law.BEFORE).subs({k_erm: k, q_erm: q})
    error = sp.lambdify(x_erm, spikes.mode_error(x_erm), "math")
    numeric = mp.quad(lambda v: error(float(q) / float(v)), [k - 1, min(float(q), k), k])
    assert float(step) == pytest.approx(float(numeric), rel=1e-9)
