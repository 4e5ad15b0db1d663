"""The construction's weights and its forward pass, against naive versions."""

import itertools
import math
from typing import Any, get_args

import numpy as np
import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness import mlp as theorem_9
from boundaudit.numeric.sharpness.construction import Blocks, Layout, build
from boundaudit.numeric.sharpness.forward import evaluate_by_structure, forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import MIXED, SMALL, TARGETS, in_fractions, paper_example, random_batch

LAYOUTS: tuple[Layout, ...] = get_args(Layout)
TRAPEZOIDS: tuple[Trapezoid, ...] = get_args(Trapezoid)
SCALES = [1.0, 2.0, 3.5, math.inf]


def perturbed(blocks: Blocks, seed: int, size: float = 0.1) -> Blocks:
    """Blocks with noise on every entry."""
    generator = torch.Generator().manual_seed(seed)
    return blocks.with_weights(
        [block + size * torch.randn(block.shape, generator=generator, dtype=block.dtype) for _, block in blocks.named()]
    )


def naive_output(blocks: Blocks, target: Target, bits: list[int], layout: Layout, *, ideal: bool) -> float:
    """The network of one unpadded target token by token, for any weights."""
    w: dict[str, Any] = {name: block[0].numpy() for name, block in blocks.named()}
    length, width = len(bits), len(w["V2"])
    everywhere = list(range(length + 1))
    x = np.eye(length + 1, width)
    x[:length, length + 1] = bits

    def attend(keys: np.ndarray, weight: np.ndarray, query: np.ndarray, support: list[int]) -> np.ndarray:
        mass: np.ndarray = np.zeros(length + 1)
        mass[support] = np.exp([keys[j] @ weight @ query for j in support])
        mass /= mass.sum()
        return mass

    x2 = np.zeros_like(x)
    for t in everywhere:
        restricted = ideal and t < target.sparsity
        support = [p - 1 for p in target.components[t]] if restricted else everywhere
        if restricted and len(support) < target.grid_degree:
            support = [*support, length]
        b = attend(x, w["W1"], x[t], support) @ x @ w["V1"]
        position = x[t] * (np.arange(width) < length + 1)
        carried = x[t] if layout == "separate-data" else position
        if layout == "extended":
            b = b + position
        x2[t] = carried + np.maximum(b @ w["M"] + w["Gamma"], 0) @ w["F"]
    support = everywhere[: target.sparsity] if ideal else everywhere
    return float(attend(x2, w["W2"], x2[-1], support) @ x2 @ w["V2"])


@pytest.mark.parametrize("degree", range(1, 9))
@pytest.mark.parametrize(("mlp", "steepness"), [("steep", 4), ("wide", 2)])
def test_the_mlp_is_a_row_of_trapezoids(degree: int, mlp: Trapezoid, steepness: int) -> None:
    slope = steepness * degree
    expected = [0, *itertools.chain.from_iterable([(slope, 0, -slope, 0)] * (degree // 2 + 1))]
    assert np.abs(theorem_9.slopes(degree, mlp).numpy() - expected).max() <= 1e-10 * slope
    far = 2 if mlp == "steep" else 3
    stops = [(4 * i + o) / (4 * degree) for i in range(0, degree + 1, 2) for o in (-far, -1, 1, far)]
    assert np.abs(theorem_9.breakpoints(degree, mlp).numpy() - stops).max() <= 1e-15 * 4


def test_a_batch_of_mlps_agrees_with_each_alone() -> None:
    degrees = torch.arange(1, 7)
    s = torch.rand(6, 50, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    for mlp in TRAPEZOIDS:
        together = theorem_9.response(s, degrees, mlp)
        alone = [theorem_9.response(s[b : b + 1], degrees[b : b + 1], mlp) for b in range(6)]
        assert (together - torch.cat(alone)).abs().max() <= 1e-13


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_entries_stand_where_the_paper_puts_them(layout: Layout) -> None:
    batch = TargetBatch.stack([TARGETS["three pairs"]])
    blocks = build(batch, layout=layout)
    log = math.log(6)
    members = {(0, 0), (1, 0), (2, 1), (5, 1), (1, 2), (4, 2)}
    assert {tuple(index) for index in blocks.W1[0].nonzero().tolist()} == members
    assert blocks.W1[0, 5, 1] == pytest.approx(2 * log, rel=1e-15)
    last = 8 if layout in {"separate-data", "separate-positions"} else 7
    assert blocks.V1[0].nonzero().tolist() == [[7, last]]
    assert {row for row, _ in blocks.M[0].nonzero().tolist()} == {last}
    assert {column for _, column in blocks.F[0].nonzero().tolist()} == {last}
    assert blocks.W2[0].nonzero().tolist() == [[0, 6], [1, 6], [2, 6]]
    assert blocks.W2[0, 1, 6] == pytest.approx(math.log(0.64) + 2 * log, rel=1e-15)
    assert blocks.V2[0].nonzero().tolist() == [[last]]
    assert blocks.Gamma[0, :4].tolist() == [0.25, 0.125, -0.125, -0.25]
    assert blocks.F[0, :, last].tolist() == [8, -8, -8, 8, 0, 0, 0, 0, 8, -8, -8, 8]


def test_the_ideal_network_has_the_weights_of_scale_two() -> None:
    batch = TargetBatch.stack([TARGETS["triples"]])
    for (_, ideal), (_, published) in zip(
        build(batch, scale=math.inf).named(), build(batch, scale=2).named(), strict=True
    ):
        assert torch.equal(ideal, published)


@pytest.mark.parametrize("scale", [0.0, -1.0, math.nan, -math.inf, 101.0])
def test_a_bad_scale_is_refused(scale: float) -> None:
    batch = TargetBatch.stack([TARGETS["one bit"]])
    with pytest.raises(InputError, match="scale: expected a number in"):
        build(batch, scale=scale)
    with pytest.raises(InputError, match="scale: expected a number in"):
        evaluate_by_structure(TARGETS["one bit"], bit_strings(6, 0, 4), scale=scale)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", SMALL)
def test_the_forward_pass_agrees_with_counting(name: str, layout: Layout) -> None:
    target = TARGETS[name]
    batch = TargetBatch.stack([target])
    bits = bit_strings(target.length, 0, 2**target.length)
    for mlp, scale in itertools.product(TRAPEZOIDS, SCALES):
        general = forward(build(batch, layout=layout, mlp=mlp, scale=scale), batch, bits, scale=scale)[0]
        structured = evaluate_by_structure(target, bits, mlp=mlp, scale=scale)
        assert (general - structured).abs().max() <= 1e-12, (mlp, scale)


@pytest.mark.parametrize("name", MIXED)
def test_the_extension_agrees_with_counting(name: str) -> None:
    target = MIXED[name]
    batch = TargetBatch.stack([target])
    bits = bit_strings(target.length, 0, 2**target.length)
    for mlp, scale in itertools.product(TRAPEZOIDS, SCALES):
        outputs = forward(build(batch, layout="extended", mlp=mlp, scale=scale), batch, bits, scale=scale)[0]
        assert (outputs - evaluate_by_structure(target, bits, mlp=mlp, scale=scale)).abs().max() <= 1e-12


def test_a_long_input_agrees_with_fractions() -> None:
    target = TARGETS["long"]
    bits = [int(digit) for digit in "110010111000101011110000101001"]
    batch = TargetBatch.stack([target])
    found = forward(build(batch), batch, torch.tensor([bits]).bool())[0, 0]
    assert float(found) == pytest.approx(float(in_fractions(target, bits, power=900)), abs=1e-12)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_sets_of_several_sizes_need_no_extended_layout(layout: Layout) -> None:
    target = MIXED["two sizes"]
    batch = TargetBatch.stack([target])
    bits = bit_strings(5, 0, 32)
    outputs = forward(build(batch, layout=layout, scale=math.inf), batch, bits, scale=math.inf)[0]
    for number, output in enumerate(outputs.tolist()):
        text = format(number, "05b")
        even = [sum(int(text[p - 1]) for p in s) % 2 == 0 for s in target.components]
        assert output == pytest.approx(sum(c * e for c, e in zip(target.coefficients, even, strict=True)), abs=1e-14)


@pytest.mark.parametrize("scale", [2.0, math.inf])
def test_a_batch_of_mixed_targets_agrees_with_each_alone(scale: float) -> None:
    targets = [*MIXED.values(), TARGETS["triples"]]
    batch = TargetBatch.stack(targets)
    bits = torch.randint(0, 2, (len(targets), 30, 7), generator=torch.Generator().manual_seed(8)).bool()
    together = forward(build(batch, layout="extended", scale=scale), batch, bits, scale=scale)
    for b, target in enumerate(targets):
        alone = evaluate_by_structure(target, bits[b, :, : target.length], scale=scale)
        assert (together[b] - alone).abs().max() <= 1e-13


@pytest.mark.parametrize("layout", ["published", "separate-data", "separate-positions"])
def test_a_negative_coefficient_needs_the_extended_layout(layout: Layout) -> None:
    with pytest.raises(InputError, match="layout: expected extended, for a negative coefficient"):
        build(TargetBatch.stack([MIXED["both signs"]]), layout=layout)


def test_the_entries_of_the_extension() -> None:
    blocks = build(TargetBatch.stack([MIXED["negative full set"]]), layout="extended")
    log, degree = math.log(4), 5
    assert blocks.W1[0, :, 0].tolist() == pytest.approx([2 * log] * 4 + [2 * log + math.log(1), 0], rel=1e-15)
    assert blocks.W1[0, :, 1].tolist() == pytest.approx([0, 2 * log, 0, 0, 2 * log + math.log(4), 0], rel=1e-15)
    assert blocks.M[0].shape == (6, 4 * (degree + 1))
    assert (blocks.M[0, 0] == 1 / degree).all()
    assert (blocks.M[0, 5] == 1).all()
    assert blocks.M[0, 1:5].count_nonzero() == 0
    assert blocks.V2[0].tolist() == pytest.approx([-0.9, 0, 0, 0, 0, 0.9], rel=1e-15)
    assert blocks.W2[0, :2, 4].tolist() == pytest.approx([math.log(c) + 2 * log for c in (0.7, 0.2)], rel=1e-15)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("mlp", TRAPEZOIDS)
def test_pruned_networks_compute_the_same(mlp: Trapezoid, scale: float) -> None:
    targets = [*MIXED.values(), *(TARGETS[name] for name in SMALL)]
    batch = TargetBatch.stack(targets)
    bits = bit_strings(8, 0, 256)
    whole, pruned = (build(batch, layout="extended", mlp=mlp, scale=scale, pruned=p) for p in (False, True))
    assert pruned.Gamma.shape[1] == 4 * (5 // 2 + 1) < whole.Gamma.shape[1] == 4 * 6
    assert (pruned.F.count_nonzero((1, 2)) == 4 * (batch.degree // 2 + 1)).all()
    gap = forward(whole, batch, bits, scale=scale) - forward(pruned, batch, bits, scale=scale)
    assert gap.abs().max() <= 1e-13


@pytest.mark.parametrize("scale", [2.0, math.inf])
@pytest.mark.parametrize(
    ("target", "layout", "step"),
    [*((TARGETS["three pairs"], layout, 1) for layout in LAYOUTS), (MIXED["sizes and signs"], "extended", 3)],
)
def test_the_forward_pass_reads_every_weight(target: Target, layout: Layout, step: int, scale: float) -> None:
    batch = TargetBatch.stack([target])
    blocks = perturbed(build(batch, layout=layout, scale=scale), seed=3)
    outputs = forward(blocks, batch, bit_strings(target.length, 0, 2**target.length), scale=scale)[0]
    for number in range(0, 2**target.length, step):
        bits = [int(digit) for digit in format(number, f"0{target.length}b")]
        naive = naive_output(blocks, target, bits, layout, ideal=math.isinf(scale))
        assert float(outputs[number]) == pytest.approx(naive, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("scale", [2.0, math.inf])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_padding_changes_no_output(layout: Layout, scale: float) -> None:
    targets = list(TARGETS.values())
    batch = TargetBatch.stack(targets)
    generator = torch.Generator().manual_seed(5)
    bits = torch.randint(0, 2, (len(targets), 40, 30), generator=generator).bool()
    together = forward(build(batch, layout=layout, scale=scale), batch, bits, scale=scale)
    for b, target in enumerate(targets):
        alone = TargetBatch.stack([target])
        blocks = build(alone, layout=layout, scale=scale)
        outputs = forward(blocks, alone, bits[b, :, : target.length], scale=scale)
        # Longer sums round in another order, and off the plateaus the MLP's slope 4D carries that on.
        slope = 1 if math.isinf(scale) else 4 * target.degree
        assert (together[b] - outputs[0]).abs().max() <= 1e-15 * slope * max(1.0, target.coefficient_sum)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_padding_changes_no_weight(layout: Layout) -> None:
    targets = list(TARGETS.values())
    together = build(TargetBatch.stack(targets), layout=layout)
    for b, target in enumerate(targets):
        channels = [*range(target.length), *range(30, together.V2.shape[-1])]
        units = list(range(4 * (target.degree + 1)))
        for name, block in build(TargetBatch.stack([target]), layout=layout).named():
            padded = getattr(together, name)[b]
            rows = units if name in {"Gamma", "F"} else channels
            columns = units if name == "M" else channels
            kept = padded[rows] if padded.ndim == 1 else padded[rows][:, columns]
            assert torch.equal(kept, block[0])
            assert padded.count_nonzero() == kept.count_nonzero()


def test_chunks_change_no_output() -> None:
    batch = random_batch(5, seed=2)
    bits = torch.randint(0, 2, (9, batch.max_length), generator=torch.Generator().manual_seed(6)).bool()
    blocks = build(batch)
    whole = forward(blocks, batch, bits)
    assert whole.shape == (5, 9)
    for chunk in (1, (batch.max_length + 1) ** 2 * 3, (batch.max_length + 1) ** 2 * 12):
        assert (forward(blocks, batch, bits, chunk=chunk) - whole).abs().max() <= 1e-14
    target = paper_example()
    some = bit_strings(20, 0, 100)
    one_by_one = evaluate_by_structure(target, some, chunk=1)
    assert (one_by_one - evaluate_by_structure(target, some)).abs().max() <= 1e-14
