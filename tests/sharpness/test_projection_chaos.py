"""Variances of the logits' errors under a random projection, against simulation and loops, and the width from them."""

import itertools
import math

import pytest
import sympy
import torch
from torch import Tensor

from boundaudit.derivations.sharpness import projection, projection_chaos
from boundaudit.numeric.sharpness.projected_network import first_logits, gram, not_close, relation
from boundaudit.numeric.sharpness.projection import product_variance
from boundaudit.numeric.sharpness.projection_chaos import beyond, busiest, moved, second_order, sizes
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import TARGETS, paper_example

NAMES = ("one bit", "three pairs", "triples")


def _variance(form: Tensor, width: int) -> float:
    return float((form.square().sum() + (form * form.mT).sum()) / width)


@pytest.mark.parametrize(("n", "width"), [(1, 5), (2, 3), (3, 2)])
def test_variance_by_quadrature(n: int, width: int) -> None:
    form = torch.randn((1, n, n), dtype=torch.float64, generator=torch.Generator().manual_seed(n))
    assert float(product_variance(form, width)[0]) == pytest.approx(_variance(form[0], width), rel=1e-12)


def _forms(target: Target) -> dict[tuple[int, int], Tensor]:
    """The matrix A of key j and query t: (EN + NE)_jt is Σ A_ab E_ab."""
    ideal = relation(TargetBatch.stack([target]))[0]
    found = {}
    for j, t in itertools.product(range(len(ideal)), range(target.sparsity)):
        form = torch.zeros_like(ideal)
        form[j] += ideal[:, t]
        form[:, t] += ideal[j]
        found[j, t] = form
    return found


@pytest.mark.parametrize("name", NAMES)
def test_simulated_variances_of_logits_to_first_order(name: str) -> None:
    target, width, draws = TARGETS[name], 50, 40_000
    ideal = relation(TargetBatch.stack([target]))
    off = gram(target.length, width, draws, 3, "cpu") - torch.eye(target.length + 1, dtype=torch.float64)
    errors = off @ ideal + ideal @ off
    for (j, t), form in _forms(target).items():
        squares = errors[:, j, t].square()
        spread = 5 * float(squares.std()) / math.sqrt(draws)
        assert float(squares.mean()) == pytest.approx(_variance(form, width), abs=spread)


@pytest.mark.parametrize("name", NAMES)
def test_sizes_by_a_loop(name: str) -> None:
    target = TARGETS[name]
    forms = _forms(target)
    inside = [[a - 1 for a in part] for part in target.components]
    differences, excesses = [0.0], []
    for t, keys in enumerate(inside):
        for j, k in itertools.combinations(keys, 2):
            differences.append(_variance(forms[j, t] - forms[k, t], 2))
        mean = sum((forms[a, t] for a in keys), torch.zeros(())) / len(keys)
        excesses += [_variance(forms[j, t] - mean, 2) for j in range(target.length + 1) if j not in keys]
    found = sizes(TargetBatch.stack([target]))
    assert float(found.difference[0]) == pytest.approx(max(differences), rel=1e-12)
    assert float(found.excess[0]) == pytest.approx(max(excesses), rel=1e-12)


def test_second_order_by_a_loop() -> None:
    target = TARGETS["triples"]
    batch = TargetBatch.stack([target])
    off = gram(target.length, 30, 1, 1, "cpu") - torch.eye(target.length + 1, dtype=torch.float64)
    union = sorted({a - 1 for part in target.components for a in part})
    rows = off[0, :, union].norm(dim=-1)[:, None] * off[0, : target.sparsity].norm(dim=0)[None]
    expected = (first_logits(batch, off)[0].abs() / rows).max()
    assert float(second_order(batch, off)[0]) == pytest.approx(float(expected), rel=1e-12)
    assert float(expected) <= math.sqrt(target.degree * float(busiest(batch)[0]))


def test_moved_reaches_its_bound() -> None:
    # Two keys of one component off by +ε and -ε: the attention moves by tanh(r/4), and the leak is small at T = 1000.
    target = Target(1000, ((1, 2),), (1.0,))
    products = torch.eye(1001, dtype=torch.float64)[None].clone()
    products[0, 0, 0], products[0, 1, 1] = 1.01, 0.99
    found = moved(target, products)
    assert 0.9 < float(found.first[0]) <= 1


def test_errors_beyond_the_tail_are_counted() -> None:
    form = torch.tensor([[1.0, 2.0], [0.0, -1.0]], dtype=torch.float64)
    draws = 20_000
    often, seldom = (beyond(form, 40, exponent, draws=draws, seed=0) / draws for exponent in (0.1, 1.0))
    # Nearly normal: 2‖B‖ √(t/d) is √(2t) standard deviations.
    assert often == pytest.approx(0.33, abs=0.05)
    assert 0.03 < seldom < 0.08 < math.exp(-1)


@pytest.mark.slow
def test_the_width_at_the_papers_sizes() -> None:
    values = {
        projection.T: 20, projection.D: 2, projection.omega: 10, projection.q: 1,
        projection.fail: sympy.Rational(1, 20),
    }  # fmt: skip
    few = math.log(40 * 10 * 22)
    alpha = 2 * math.sqrt(2)
    beta = alpha + 5 * math.sqrt(2 * (20 / few + 3.5) * (10 / few + 3.5))
    tau = 1 / (8 * math.log(20))
    by_hand = few / (2 * tau / (alpha + math.sqrt(alpha**2 + 4 * beta * tau))) ** 2
    width = int(projection_chaos.width().subs(values))
    assert width == math.ceil(by_hand)
    assert 400 < float(projection.width_corrected().subs(values)) / width < 450
    # The network needs an eleventh of it, and fails too often at a twentieth.
    target = paper_example()
    assert not_close(target, width // 11, 0.25, draws=500, seed=0, device="cpu") < 0.06 * 500
    assert not_close(target, width // 20, 0.25, draws=500, seed=0, device="cpu") > 0.25 * 500
