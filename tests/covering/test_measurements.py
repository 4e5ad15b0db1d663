"""What the claims measure, against direct computation."""

import itertools
import math

import pytest
import torch
from torch import Tensor

from boundaudit.numeric.covering import chaining, generalization, head, linear, pair, path, rademacher, sparse


def _generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def _random(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(*shape, generator=_generator(seed), dtype=torch.float64)


def _quotient(rows: tuple[Tensor, Tensor, Tensor, Tensor]) -> Tensor:
    """How far the output of a layer moves for how far its rows do."""
    motion = path.farthest(*rows)
    return motion.distance / motion.longest


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


@pytest.mark.slow
def test_ascent_comes_close_to_the_sharp_constant_and_stays_below() -> None:
    key = torch.tensor([0.25, 0.5, 1.0, 2.0, 4.0], dtype=torch.float64)
    sharp = key + torch.sqrt(1 + key**2)
    most = torch.full_like(key, 10**6)
    for search in (lambda seed: head.steepest(4, most, key, _generator(seed)).slope(),
                   lambda seed: _quotient(head.stretched(3, most, key, _generator(seed)))):  # fmt: skip
        found = torch.stack([search(seed) for seed in range(4)]).amax(0)
        assert (found <= sharp).all()
        assert (found >= 0.85 * sharp).all()


def test_copies_of_a_token_are_so_many_tokens() -> None:
    rows, query, key = head.within(_random(1, 3, 3)), head.within(_random(1, 3, seed=1)), _random(1, 3, 3, seed=2)
    along, times = torch.nn.functional.normalize(_random(1, 3, seed=3), dim=-1), torch.tensor([1, 5, 2])
    written_out = head.slope(rows.repeat_interleave(times, 1), query, key, along)
    counted = head.slope(rows, query, key, along, times.double().log())
    assert float(counted) == pytest.approx(float(written_out), rel=1e-13)


@pytest.mark.slow
def test_values_do_not_depend_on_their_batch() -> None:
    one, many = torch.tensor([1.5], dtype=torch.float64), torch.tensor([0.5, 1.5, 3.0], dtype=torch.float64)
    for size in (torch.ones(1), torch.full((1,), 10.0**6)):
        for measure in (lambda most, key: head.steepest(3, most, key, _generator()).slope(),
                        lambda most, key: _quotient(head.stretched(3, most, key, _generator()))):  # fmt: skip
            alone, several = measure(size.double(), one), measure(size.double().expand(3), many)
            assert float(alone[0]) == pytest.approx(float(several[1]), rel=1e-12)
    tokens, samples = torch.tensor([3, 50, 7]), torch.tensor([10, 1000, 10**6])
    several = rademacher.of_head(tokens, samples, many, torch.ones_like(many), _generator())
    alone = rademacher.of_head(tokens[1:2], samples[1:2], one, torch.ones_like(one), _generator())
    assert float(alone) == pytest.approx(float(several[1]), rel=1e-12)


def test_neighbours_without_noise_are_the_worst_case() -> None:
    small, none = torch.tensor([1e-3], dtype=torch.float64), torch.zeros(1, dtype=torch.float64)
    for length, turned, size, expected in ((4, small, none, math.tanh(1e-3)), (1, none, small, 1.001**3 - 1)):
        of = pair.Pair(*head.neighbours((length, 3), torch.ones(1), turned, size, none, _generator()))
        factors = [torch.stack([of.caps[name], of.errors[name]]) for name in ("value", "out", "read")]
        (b_v, e_v), (b_c, e_c), (b_w, e_w) = factors
        bound = e_w * b_c * b_v + b_w * e_c * b_v + b_w * b_c * e_v + b_w * b_c * b_v * of.errors["key"]
        assert float(of.difference / bound) == pytest.approx(1, rel=2e-3)
        assert float(of.difference) == pytest.approx(expected, rel=1e-12)


def test_one_head_by_hand() -> None:
    unit = torch.eye(2, dtype=torch.float64)[None]
    layer = head.Head(unit, 2 * unit, unit, torch.tensor([[1.0, 3.0]], dtype=torch.float64))
    tokens = torch.tensor([[[1.0, 0.0], [0.0, -1.0]]], dtype=torch.float64)
    weight = 1 / (1 + math.exp(-1))
    assert float(layer(tokens, torch.tensor([[1.0, 0.0]], dtype=torch.float64))) == pytest.approx(2 * weight, rel=1e-14)


@pytest.mark.parametrize("depth", [1, 3])
def test_errors_of_a_stack_vanish_with_what_causes_them(depth: int) -> None:
    key = torch.tensor([1.0], dtype=torch.float64)
    tokens, size = torch.tensor([5]), torch.tensor([1e-9], dtype=torch.float64)
    found = head.stacks((depth, 4, 3), tokens, key, size, 1e9 * size, _generator())
    assert found.turned.shape == found.changed.shape == (depth, 1)
    assert 0 < float(found.distances[-1]) <= float(head.grown(found.turned + found.changed, key + 2**0.5)) <= 1e-6


def test_error_of_one_layer_without_noise_is_almost_its_bound() -> None:
    zero, size = torch.zeros(1, dtype=torch.float64), torch.tensor([1e-3], dtype=torch.float64)
    found = head.stacks((1, 4, 3), torch.tensor([4]), zero, size, zero, _generator())
    assert float(found.distances[-1] / head.grown(found.turned + found.changed, zero)) == pytest.approx(1, rel=1e-6)


def test_errors_grow_geometrically() -> None:
    errors, factor = _random(3, 2).abs(), torch.tensor([0.5, 4.0], dtype=torch.float64)
    expected = errors[0] * factor**2 + errors[1] * factor + errors[2]
    assert torch.allclose(head.grown(errors, factor), expected, rtol=1e-14)


@pytest.mark.parametrize("functions", [1, 2, 5])
def test_complexity_by_hand(functions: int) -> None:
    values = _random(functions, 4)
    signs = itertools.product((-1, 1), repeat=4)
    expected = sum(max(float((torch.tensor(s) * row).sum()) for row in values) for s in signs) / 16 / 4
    assert float(rademacher.complexity(values)) == pytest.approx(expected, abs=1e-14)
    assert rademacher.sums(values, 3).shape == (functions**3, 4)


def test_sums_of_signs_have_their_law() -> None:
    found = rademacher.sign_sums(torch.tensor([[0, 1, 2, 10**6]]), 4000, _generator())[0]
    assert not found[:, 0].any()
    assert found[:, 1].abs().unique().tolist() == [1.0]
    assert found[:, 2].unique().tolist() == [-2.0, 0.0, 2.0]
    assert float(found[:, 3].var()) == pytest.approx(1e6, rel=0.1)
    assert rademacher.copies(torch.tensor([10]), 4).tolist() == [[3, 3, 2, 2]]


def _of_head(tokens: int, samples: int, key: float, noise: float) -> float:
    key_, noise_ = torch.tensor([[key], [noise]], dtype=torch.float64)
    return float(rademacher.of_head(torch.tensor([tokens]), torch.tensor([samples]), key_, noise_, _generator()))


def test_complexity_of_a_head_by_search() -> None:
    assert _of_head(1, 1, 4.0, 0.0) == 1.0  # one token e₁, read as it is
    assert _of_head(4, 10**6, 4.0, 1.0) == pytest.approx(_of_head(4 * 10**5, 10**6, 4.0, 1.0), rel=1e-9)
    # Without attention the class is linear up to ReLU, and a search cannot go beyond the inputs' mean length.
    assert 0.1 < _of_head(4, 64, 4.0, 1.0) * 8 < 1
    assert _of_head(4, 64, 4.0, 1.0) > _of_head(4, 64, 0.0, 1.0)


def test_dual_query_has_logit_one_on_its_own_vectors() -> None:
    vectors = torch.nn.functional.normalize(_random(4, 6), dim=-1)
    products = vectors[:3] @ vectors[:3].mT
    for n in range(3):
        logit = sparse.irrelevant_logit(products[None], products[None, n])
        assert float(logit) == pytest.approx(1, rel=1e-12)
    query = torch.linalg.pinv(vectors[:3]) @ torch.ones(3, dtype=torch.float64)
    other = sparse.irrelevant_logit(products[None], (vectors[:3] @ vectors[3])[None])
    assert float(other) == pytest.approx(float(query @ vectors[3]), rel=1e-10)


def _sampling() -> generalization.Sampling:
    law = torch.tensor([0.5, 0.2, 0.3], dtype=torch.float64)
    return generalization.Sampling(2, law, torch.rand(3, 3, generator=_generator(), dtype=torch.float64))


def test_gaps_and_complexities_of_samples_by_hand() -> None:
    at = _sampling()
    risks = (at.losses @ at.law).tolist()
    for n, sample in enumerate(itertools.product(range(3), repeat=2)):
        seen = [[float(row[z]) for z in sample] for row in at.losses]
        gap = max(2 * risk - sum(row) for risk, row in zip(risks, seen, strict=True))
        size = sum(max(s * row[0] + t * row[1] for row in seen) for s in (-1, 1) for t in (-1, 1)) / 4
        assert float(at.gaps[n]) == pytest.approx(gap, abs=1e-14)
        assert float(at.complexities[n]) == pytest.approx(size, abs=1e-14)
        assert float(at.chances[n]) == pytest.approx(float(at.law[sample[0]] * at.law[sample[1]]), rel=1e-14)
    assert at.mean_gap <= at.ghost <= 2 * at.mean_complexity
    assert float(at.swapped) == pytest.approx(float(at.ghost), rel=1e-13)


def test_observations_move_a_gap_by_at_most_one_and_add_up_to_its_moment() -> None:
    at, t = _sampling(), 0.3
    moves, weights = generalization.moves(at, at.gaps), generalization.tilted(at, at.gaps, t)
    assert moves.shape == (9, 3)
    assert 0 <= float(moves.min()) <= float(moves.max()) <= 1
    centred = moves - (moves @ at.law)[:, None]
    conditional = torch.exp(4 * t * centred) @ at.law - math.exp(2 * t**2)
    moment = at.chances @ torch.exp(4 * t * (at.gaps - at.mean_gap))
    assert float(moment) == pytest.approx(math.exp(4 * t**2) * (1 + float(weights @ conditional)), rel=1e-13)


def test_nets_are_as_fine_as_their_level_and_links_lead_from_one_to_the_next() -> None:
    at = chaining.Chaining(_random(6, 4).clamp(-1, 1), 3, 1.5)
    places = at.links.cumsum(0)
    before = 1
    for level, net in enumerate(places, start=1):
        assert float((at.values - net).square().mean(-1).sqrt().max()) <= 2.0**-level
        size = len(net.unique(dim=0))
        assert math.log(size) <= at.scale**2 * 4 * 1.5 ** (2 * level) * (1 + 1e-12)
        counted = int((at.weights.view(3, 6)[level - 1] > 0).sum())
        assert len(at.links[level - 1].unique(dim=0)) <= counted <= size * before
        before = size
    assert at.complexity <= at.of_rest + at.of_links.sum()
    assert (at.scaled_links.square().sum(-1) / 2 <= at.longest).all()


def test_parts_of_a_derivative_add_up_to_it() -> None:
    key, most = torch.tensor([0.5, 3.0], dtype=torch.float64), torch.tensor([1.0, 10.0**6], dtype=torch.float64)
    at = head.steepest(3, most, key, _generator())
    added = (at.weights * (at.moved + key[:, None] * at.centred * at.answers)).sum(-1)
    assert torch.allclose(at.differentiated(), at.slope(), rtol=1e-12)
    assert torch.allclose(added, at.slope(), rtol=1e-12)


def test_ascent_leads_stacks_farther_apart() -> None:
    setting = (torch.tensor([10**6]), *(torch.tensor([value], dtype=torch.float64) for value in (1.0, 0.1, 0.5)))
    found = [head.stacks((3, 4, 3), *setting, _generator(seed), steps) for seed in range(3) for steps in (0, 6)]
    ratios = [float(of.distances[-1] / head.grown(of.turned + of.changed, setting[1] + 2**0.5)) for of in found]
    assert all(before <= after <= 1 for before, after in zip(ratios[::2], ratios[1::2], strict=True))
    assert max(ratios[1::2]) > 1.2 * max(ratios[::2])
