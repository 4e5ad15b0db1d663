"""Where the printed bound on the gradient is true: mixtures of rows against networks, and the first failures."""

import math

import numpy as np
import pytest
import torch
from scipy.optimize import minimize

from boundaudit.checks.sharpness.gradients.total import first_failure, realised, worst_mixture
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, omega
from boundaudit.numeric.sharpness.autodiff import flatten, gradients
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mixtures import squared_gradient, two_parts
from boundaudit.numeric.sharpness.mlp import Trapezoid

FIRST = {"steep": (37, 166, 172, 310, 377), "wide": (41, 201, 192, 357, 418)}


@pytest.mark.parametrize("mlp", ["steep", "wide"])
@pytest.mark.parametrize(("degree", "ones"), [(1, (0, 1)), (2, (2, 1)), (3, (0, 3))])
def test_mixtures_against_networks(degree: int, ones: tuple[int, int], mlp: Trapezoid) -> None:
    """By automatic differentiation; the row of the output, which alone is not a mixture, weighs next to nothing."""
    length, size = 14, 8
    batch, bits = two_parts(length, degree, size, ones)
    found = gradients(build(batch, mlp=mlp, scale=math.inf), batch, bits[None], scale=math.inf)
    shares = torch.zeros(1, degree + 1, dtype=torch.float64)
    shares[0, ones[0]], shares[0, ones[1]] = size / length, 1 - size / length
    whole = float(flatten(found).square().sum())
    bound = float(squared_gradient(length, length, shares, mlp)[0])
    squared = float(found.W2.square().sum())
    assert whole <= bound * (1 + 1e-12)
    assert bound - whole <= squared + 1e-12 * whole


@pytest.mark.parametrize("mlp", ["steep", "wide"])
def test_the_first_failures(mlp: Trapezoid) -> None:
    assert tuple(first_failure(degree, mlp) for degree in range(1, 6)) == FIRST[mlp]


@pytest.mark.slow
@pytest.mark.parametrize("mlp", ["steep", "wide"])
@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5])
def test_networks_realise_them(degree: int, mlp: Trapezoid) -> None:
    """The ideal network fails at that length, and at the length before no smaller number of components does."""
    first = FIRST[mlp][degree - 1]
    assert realised(first, degree, mlp) > 1
    assert max(worst_mixture(first - 1, degree, mlp, count).ratio for count in range(1, first, 6)) < 1


@pytest.mark.slow
@pytest.mark.parametrize(("degree", "mlp"), [(2, "steep"), (3, "wide"), (4, "steep")])
def test_two_counts_are_the_worst(degree: int, mlp: Trapezoid) -> None:
    """Ascent over all distributions of the counts, from many starts, finds none above one a length earlier."""
    length = FIRST[mlp][degree - 1] - 1
    bound = float(G_U.subs({D: degree, omega: length}))
    generator = np.random.default_rng(degree)

    def ratio(raw: np.ndarray) -> tuple[float, np.ndarray]:
        logits = torch.from_numpy(raw).requires_grad_()
        found = -squared_gradient(length, length, logits.softmax(0)[None], mlp)[0] / bound
        return found.item(), torch.autograd.grad(found, logits)[0].numpy()

    found = [-minimize(ratio, generator.normal(0, 3, degree + 1), jac=True).fun for _ in range(24)]
    assert max(found) == pytest.approx(worst_mixture(length, degree, mlp).ratio, abs=2e-4)
    assert max(found) < 1
