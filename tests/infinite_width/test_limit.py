"""The law in the limit: against mpmath's quadrature, plain Monte Carlo, and closed forms; and what is refused."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.infinite_width import (
    NormalMixture,
    dkw_floor,
    draw_nodes,
    head_moments,
    kde_divergence,
    ks_distance,
    ks_of_draws,
    layer_law,
    limit_outputs,
    normal_law,
    output_limit,
    relative_entropy,
)
from boundaudit.numeric.infinite_width.mixture import mean_and_error
from boundaudit.numeric.infinite_width.orthogonal import orthogonal_excess, orthogonal_moments


def pair(product: float) -> list[list[float]]:
    return [[1.0, product], [product, 1.0]]


def of_two(product: float) -> tuple[float, float]:
    """E v and the excess kurtosis of two tokens by quadrature in 30 digits."""
    with mpmath.workdps(30):
        spread = mpmath.sqrt(2 * (1 - mpmath.mpf(product)))

        def expectation(power: int) -> Any:
            def integrand(z: Any) -> Any:
                weight = 1 / (1 + mpmath.exp(-spread * z))
                v = weight**2 + (1 - weight) ** 2 + 2 * mpmath.mpf(product) * weight * (1 - weight)
                return v**power * mpmath.npdf(z)

            return mpmath.quad(integrand, [-mpmath.inf, -4, 0, 4, mpmath.inf])

        mean, square = expectation(1), expectation(2)
        return float(mean), float(3 * square / mean**2 - 3)


@pytest.mark.parametrize(("product", "mean", "excess"), [(0.0, 0.63683815, 0.11998083), (0.5, 0.79337904, 0.01021853)])
def test_two_tokens_against_thirty_digits(product: float, mean: float, excess: float) -> None:
    again = of_two(product)
    assert again == pytest.approx((mean, excess), abs=5e-9)
    found = head_moments(layer_law(pair(product)))
    assert found["mean"][0] == pytest.approx(again[0], rel=1e-13)
    assert found["excess"][0] == pytest.approx(again[1], rel=1e-11)
    law = output_limit(layer_law(pair(product)))
    assert mean_and_error(law.mean_variance) == pytest.approx((again[0], 0), abs=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "points"), [(3, 201), (4, 101)])
def test_orthogonal_tokens_against_a_grid(size: int, points: int) -> None:
    """The trapezoidal rule in the plane or space of score differences, with Helmert's basis of it."""
    helmert = np.array([[1.0] * k + [-k] + [0.0] * (size - k - 1) for k in range(1, size)]) / np.sqrt(
        [[k * (k + 1)] for k in range(1, size)]
    )
    line = np.linspace(-8, 8, points)
    grid = np.stack(np.meshgrid(*[line] * (size - 1), indexing="ij"), -1).reshape(-1, size - 1)
    chance = np.exp(-np.square(grid).sum(-1) / 2)
    exponentials = np.exp(grid @ helmert)
    v = np.square(exponentials).sum(-1) / np.square(exponentials.sum(-1))
    mean, square = (float(chance @ v**k / chance.sum()) for k in (1, 2))
    found = head_moments(layer_law(torch.eye(size)))
    assert found["mean"][0] == pytest.approx(mean, rel=1e-10)
    assert found["excess"][0] == pytest.approx(3 * square / mean**2 - 3, rel=1e-9)


def test_any_number_of_orthogonal_tokens() -> None:
    sizes = [1, 2, 3, 4, 16, 28, 64, 1024, 4096]
    excess = [0, 0.11998083, 0.19266253, 0.24331843, 0.42696, 0.44747, 0.40705, 0.0840372, 0.02417]
    assert orthogonal_excess(sizes, 1.0).tolist() == pytest.approx(excess, abs=5e-6)
    mean, square = orthogonal_moments([1, 2, 3, 4], 1.0)
    assert mean.tolist() == pytest.approx([1, 0.63683815, 0.48156572, 0.39197144], abs=5e-9)
    assert math.sqrt(float(square[3] - mean[3] ** 2)) == pytest.approx(0.11163010, abs=1e-7)
    assert orthogonal_moments([5], 0.0)[0].tolist() == [0.2]


@pytest.mark.slow
def test_orthogonal_tokens_of_large_scores_agree_with_draws() -> None:
    size, variance = 4, 100.0
    found = head_moments(layer_law(torch.eye(size).tolist(), 1, query_variance=variance))
    scores = math.sqrt(variance) * torch.randn(400_000, size, generator=torch.Generator().manual_seed(5)).double()
    drawn = scores.softmax(-1).square().sum(-1)
    assert found["mean"][0] == pytest.approx(float(drawn.mean()), abs=5 * float(drawn.std()) / 630)
    ratio = 3 * float(drawn.var()) / float(drawn.mean()) ** 2
    assert found["excess"][0] == pytest.approx(ratio, rel=0.03)
    assert found["excess"][1] < 1e-6
    with pytest.raises(InputError, match="query-variance"):
        head_moments(layer_law(torch.eye(size).tolist(), 1, query_variance=1e6))


@pytest.mark.parametrize("size", [3, 4])
def test_integration_agrees_with_the_integral(size: int) -> None:
    law = layer_law(torch.eye(size))
    found = output_limit(law, draw_nodes(law, 2**11, 8, 1))
    mean, error = mean_and_error(found.mean_variance)
    exact = head_moments(law)
    assert abs(mean - exact["mean"][0]) < 6 * error + 1e-9
    excess, error = mean_and_error(found.excess_kurtosis)
    assert abs(excess - exact["excess"][0]) < 6 * error


@pytest.mark.slow
def test_a_general_gram_matrix_agrees_with_draws() -> None:
    gram = torch.tensor([[1.0, 0.3, -0.2], [0.3, 2.0, 0.4], [-0.2, 0.4, 0.5]], dtype=torch.float64)
    law = layer_law(gram, 2, query_variance=1.5, value_variance=0.7)
    moments = head_moments(law, token=1)
    drawn = limit_outputs(law, 200_000, 3, coordinates=2)
    y = drawn.outputs[:, 0, 1]
    assert float(y.square().mean()) == pytest.approx(moments["mean"][0], rel=0.02)
    kurtosis = float(y.pow(4).mean() / y.square().mean() ** 2) - 3
    assert kurtosis == pytest.approx(moments["excess"][0], abs=4 * math.sqrt(24 / 200_000))
    flat = drawn.scores[:, 0].flatten(1)
    covariance = flat.mT @ flat / len(flat)
    assert torch.allclose(covariance, law.score_covariance, atol=0.12)
    both = drawn.outputs[..., 1].square()
    shared = float(torch.cov(both.mT)[0, 1])
    assert shared == pytest.approx(moments["variance"][0] / 2, rel=0.25)


def test_conditional_covariance_given_uniform_attention() -> None:
    law = layer_law(torch.eye(4), 3, output_variance=2.0)
    covariance = law.output_covariance(torch.zeros(5, 3, 4, 4, dtype=torch.float64))
    assert torch.allclose(covariance, torch.full((5, 4, 4), 0.5, dtype=torch.float64))


def test_heads_divide_the_excess_kurtosis() -> None:
    one, four = (head_moments(layer_law(torch.eye(4), heads))["excess"][0] for heads in (1, 4))
    assert one == pytest.approx(4 * four)
    law = layer_law(torch.eye(4), 4)
    found, error = mean_and_error(output_limit(law, draw_nodes(law, 2**11, 8, 0)).excess_kurtosis)
    assert abs(found - four) < 6 * error


def test_a_layer_of_one_token_and_one_of_equal_tokens_are_gaussian() -> None:
    for gram in ([[2.0]], [[1.0, 1.0], [1.0, 1.0]], torch.ones(3, 3)):
        assert head_moments(layer_law(gram))["excess"][0] == pytest.approx(0, abs=1e-12)


def test_distances_between_normal_laws() -> None:
    one, two = normal_law(1.0), normal_law(1.44)
    at = math.sqrt(2 * math.log(1.2) / (1 - 1 / 1.44))
    largest = 0.5 * (math.erf(at / 2**0.5) - math.erf(at / 1.2 / 2**0.5))
    assert ks_distance(one, two, points=2000).value == pytest.approx(largest, rel=1e-5)
    assert relative_entropy(one, two).value == pytest.approx(0.5 * (1 / 1.44 - 1 + math.log(1.44)), rel=1e-6)
    assert ks_distance(one, one).value == 0
    assert relative_entropy(one, one).value == pytest.approx(0, abs=1e-15)
    assert one.quantiles(torch.tensor([0.025, 0.5, 0.975])).tolist() == pytest.approx(
        [-1.959964, 0, 1.959964], abs=1e-5
    )


def test_draws_of_the_law_stay_below_the_floor_and_others_do_not() -> None:
    law = layer_law(pair(0.0))
    found, y = output_limit(law), limit_outputs(law, 40_000, 0).outputs[:, 0, 0]
    assert ks_of_draws(y, found) < dkw_floor(40_000, 1e-4)
    assert ks_of_draws(1.1 * y, found) > dkw_floor(40_000, 1e-4)
    assert dkw_floor(10_000) == pytest.approx(0.0135810, abs=1e-6)


def test_kernel_density_divergence_sees_another_variance() -> None:
    z = torch.randn(2, 20_000, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    same, other = kde_divergence(z[0], z[1]), kde_divergence(z[0], 1.5 * z[1])
    assert 0 < same < 5e-3
    assert other == pytest.approx(0.5 * (1 / 2.25 - 1 + math.log(2.25)), rel=0.1)


def test_density_is_the_derivative_of_the_distribution_function() -> None:
    law = NormalMixture(torch.tensor([[0.5, 2.0]] * 2).double(), torch.tensor([[0.25, 0.75]] * 2).double())
    at = torch.linspace(-3, 3, 13, dtype=torch.float64)
    slope = (law.cdf(at + 1e-5) - law.cdf(at - 1e-5)) / 2e-5
    assert torch.allclose(law.density(at), slope, atol=1e-9)


@pytest.mark.parametrize(("gram", "given", "field"), [
    ([[1.0, 2.0], [2.0, 1.0]], {}, "gram"), ([[1.0, 0.5], [0.4, 1.0]], {}, "gram"), ([[1.0, 0.5]], {}, "gram"),
    ([], {}, "gram"), ([[math.nan]], {}, "gram"), ("tokens", {}, "gram"), ([[1.0]], {"heads": 0}, "heads"),
    ([[1.0]], {"key_variance": -1.0}, "key variance"), ([[1.0]], {"output_variance": math.inf}, "output variance"),
])  # fmt: skip
def test_bad_input_is_named(gram: Any, given: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        layer_law(gram, **given)
    assert error.value.field == field
    assert "\n" not in str(error.value)


def test_a_token_that_is_not_there_and_missing_nodes() -> None:
    with pytest.raises(InputError, match="token: expected a position from 0 to 1"):
        output_limit(layer_law(pair(0.0)), token=2)
    with pytest.raises(InputError, match="nodes"):
        output_limit(layer_law(torch.eye(3)))
