"""What the claims measure, against direct computation."""

import itertools
import math

import pytest
import torch
from torch import Tensor

from boundaudit.numeric.covering import head, linear, rademacher, sparse, stages


def _generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def _random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=_generator(seed), dtype=torch.float64)


@pytest.mark.parametrize(("dimension", "atoms"), [(1, 3), (2, 1), (2, 4), (3, 2), (4, 3)])
def test_shrunk_means_are_the_lattice_points_of_their_parity(dimension: int, atoms: int) -> None:
    points = {
        point
        for point in itertools.product(range(-atoms, atoms + 1), repeat=dimension)
        if sum(map(abs, point)) <= atoms and (sum(point) - atoms) % 2 == 0
    }
    found = linear.shrunk_means(dimension, atoms) * (atoms + math.sqrt(atoms))
    assert {tuple(round(entry) for entry in row) for row in found.tolist()} == points
    assert len(found) == len(points) <= math.comb(2 * dimension + atoms - 1, atoms)


def test_search_finds_a_gap_where_an_element_is_missing() -> None:
    elements = linear.shrunk_means(2, 1).view(-1, 1, 2)
    unit = torch.eye(2, dtype=torch.float64)
    assert linear.worst_distance(elements, linear.entries, unit, _generator()) == pytest.approx(0.5, rel=1e-14)
    assert linear.worst_distance(elements[1:], linear.entries, unit, _generator()) > 0.9


def test_distance_on_inputs_is_the_root_mean_square_of_outputs() -> None:
    inputs, points, elements = _random(7, 3), _random(4, 2, 3, seed=1), _random(5, 2, 3, seed=2)
    root = torch.linalg.qr(inputs / 7**0.5).R.mT
    distances, index = linear.nearest(points, elements, root)
    direct = torch.stack([
        torch.stack([(inputs @ (a - b).mT).square().sum(-1).mean().sqrt() for b in elements]) for a in points
    ])  # fmt: skip
    assert torch.allclose(distances, direct.amin(-1), rtol=1e-12)
    assert torch.equal(index, direct.argmin(-1))


def test_packed_points_are_apart_and_few() -> None:
    assert linear.packing(1, 0.4, 50, _generator()) == 1
    assert 2 <= linear.packing(1, 2.0, 400, _generator()) <= 5


def test_slope_is_the_dual_norm_of_the_derivative() -> None:
    tokens, query, key = head.within(_random(1, 4, 3)), head.within(_random(1, 3, seed=1)), _random(1, 3, 3, seed=2)
    along = torch.nn.functional.normalize(_random(1, 3, seed=3), dim=-1)

    def read(rows: Tensor, asked: Tensor) -> Tensor:
        return (head.pool(rows, (rows @ (key @ asked[..., None]))[..., 0]) * along).sum()

    by_rows, by_query = torch.autograd.functional.jacobian(read, (tokens, query))
    expected = by_rows.norm(dim=-1).sum() + by_query.norm()
    assert float(head.slope(tokens, query, key, along)) == pytest.approx(float(expected), rel=1e-12)


def test_ascent_comes_close_to_the_sharp_constant_and_stays_below() -> None:
    key = torch.tensor([0.25, 0.5, 1.0, 2.0, 4.0], dtype=torch.float64)
    sharp = key + torch.sqrt(1 + key**2)
    found = torch.stack([head.steepest(3, 3, key, _generator(seed)) for seed in range(4)]).amax(0)
    assert (found <= sharp).all()
    assert (found >= 0.97 * sharp).all()
    assert torch.allclose(head.attained(key), sharp, rtol=1e-14)


def test_values_do_not_depend_on_their_batch() -> None:
    one, many = torch.tensor([1.5], dtype=torch.float64), torch.tensor([0.5, 1.5, 3.0], dtype=torch.float64)
    for measure in (head.steepest, head.quotient):
        assert float(measure(3, 3, one, _generator())[0]) == float(measure(3, 3, many, _generator())[1])


def test_neighbours_without_noise_are_the_worst_case() -> None:
    size = torch.tensor([1e-3], dtype=torch.float64)
    first, other, tokens, query = head.neighbours(4, torch.ones(1), size, torch.zeros(1), _generator())
    moved = (first(tokens, query) - other(tokens, query)).abs()
    assert float(moved / head.telescope(first, other, query, 1.0)) == pytest.approx(1, rel=1e-6)
    assert float(moved) == pytest.approx(math.tanh(1e-3), rel=1e-12)


def test_one_head_by_hand() -> None:
    unit = torch.eye(2, dtype=torch.float64)[None]
    layer = head.Head(unit, 2 * unit, unit, torch.tensor([[1.0, 3.0]], dtype=torch.float64))
    tokens = torch.tensor([[[1.0, 0.0], [0.0, -1.0]]], dtype=torch.float64)
    weight = 1 / (1 + math.exp(-1))
    assert float(layer(tokens, torch.tensor([[1.0, 0.0]], dtype=torch.float64))) == pytest.approx(2 * weight, rel=1e-14)


@pytest.mark.parametrize("depth", [1, 3])
def test_errors_of_a_stack_vanish_with_what_causes_them(depth: int) -> None:
    key = torch.tensor([1.0], dtype=torch.float64)
    apart, bound = head.stack_errors(depth, 5, key, torch.zeros(1), torch.ones(1), _generator())
    assert float(apart) == float(bound) == 0.0


def test_error_of_one_layer_without_noise_is_almost_its_bound() -> None:
    zero, size = torch.zeros(1, dtype=torch.float64), torch.tensor([1e-3], dtype=torch.float64)
    apart, bound = head.stack_errors(1, 4, zero, size, zero, _generator())
    assert float(apart / bound) == pytest.approx(1, rel=1e-6)


@pytest.mark.parametrize("tokens", [1, 3, 40, 4000])
def test_two_stages_keep_their_guarantee_at_every_length(tokens: int) -> None:
    for noise in (0.0, 0.3, 2.0):
        error, guarantee = stages.two_stages(tokens, 3, noise, _generator(tokens))
        assert error <= guarantee <= 2 / (math.sqrt(3) + 1) + 1e-12


@pytest.mark.parametrize("functions", [1, 2, 5])
def test_complexity_by_hand(functions: int) -> None:
    values = _random(functions, 4)
    signs = itertools.product((-1, 1), repeat=4)
    expected = sum(max(float((torch.tensor(s) * row).sum()) for row in values) for s in signs) / 16 / 4
    assert rademacher.complexity(values) == pytest.approx(expected, abs=1e-14)
    assert rademacher.sums(values, 3).shape == (functions**3, 4)


def test_margin_changes_sign_at_the_number_of_other_bits() -> None:
    weight = torch.tensor([3.99, 4.0, 4.01], dtype=torch.float64)
    found = sparse.margin(7, 3, weight)
    assert found[0] < 0 < found[2]
    assert float(found[1]) == pytest.approx(0, abs=1e-15)
