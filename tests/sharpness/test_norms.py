"""Theorem 10: the norms of the blocks, as measured and as claimed, against numbers that stand apart from both."""

import math
from typing import get_args

import pytest
import torch
from tests.counted import calls_in

from boundaudit.checks.sharpness import norms
from boundaudit.numeric.sharpness import norms as theorem_10
from boundaudit.numeric.sharpness.construction import Layout, build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

from .cases import MIXED, TARGETS, random_batch, unstack
from .stated import sides


def printed(length: int, degree: int, sparsity: int) -> float:
    """The printed L, typed from the paper's terms."""
    log = math.log(length)
    f, gamma_and_m = 16 * degree**2 * (degree + 1), 8 * (degree + 1)
    return f + gamma_and_m + 1 + sparsity + 4 * log**2 * (sparsity * degree + sparsity)


def test_the_printed_bound_at_its_own_example() -> None:
    root = 10**-0.5 * (1 - 2**-50)
    pairs = tuple((n, n + 10) for n in range(1, 11))
    left, right = sides(norms.total_printed, "steep", T=20, D=2, omega=10, u=1, c=(root,) * 10, S=pairs)
    assert right == pytest.approx(printed(20, 2, 10), rel=1e-14)
    assert right == pytest.approx(1303.93, abs=5e-3)  # as the paper prints it
    assert left == pytest.approx(1492.694348, abs=5e-7)


LAYOUTS: tuple[Layout, ...] = get_args(Layout)
TRAPEZOIDS: tuple[Trapezoid, ...] = get_args(Trapezoid)


def closed_form(target: Target, mlp: Trapezoid, scale: float = 2.0) -> dict[str, float]:
    """The squared norms by hand."""
    t, d, w, c = target.length, target.degree, target.sparsity, target.coefficients
    spread = 5 / (8 * d**2) if mlp == "steep" else 5 / (4 * d**2)
    parts = {
        "W1": w * d * (scale * math.log(t)) ** 2, "V1": 1.0, "M": 4.0 * (d + 1),
        "Gamma": (d + 1) * ((8 * d + 4) / (6 * d) + spread), "F": (64 if mlp == "steep" else 16) * d**2 * (d // 2 + 1),
        "W2": sum((math.log(x) + scale * math.log(t)) ** 2 for x in c), "V2": sum(c) ** 2,
    }  # fmt: skip
    return parts | {"total": sum(parts.values())}


@pytest.mark.parametrize("mlp", TRAPEZOIDS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_norms_agree_with_closed_forms(layout: Layout, mlp: Trapezoid) -> None:
    batch = random_batch(80, seed=8)
    for scale in (2.0, 3.5):
        measured = theorem_10.norms_squared(batch, layout=layout, mlp=mlp, scale=scale)
        for b, target in enumerate(unstack(batch)):
            expected = closed_form(target, mlp, scale)
            assert {block: float(v[b]) for block, v in measured.items()} == pytest.approx(expected, rel=1e-12)


def test_norms_of_the_extension_are_those_of_its_entries() -> None:
    for target in MIXED.values():
        batch = TargetBatch.stack([target])
        measured = theorem_10.norms_squared(batch, layout="extended")
        for name, block in build(batch, layout="extended").named():
            assert float(measured[name]) == pytest.approx(float(block.square().sum()), rel=1e-12)


@pytest.mark.parametrize("mlp", TRAPEZOIDS)
@pytest.mark.parametrize("name", TARGETS)
def test_pruning_takes_the_odd_grid_points_from_two_blocks(name: str, mlp: Trapezoid) -> None:
    batch, d = TargetBatch.stack([TARGETS[name]]), TARGETS[name].degree
    whole, pruned = (theorem_10.norms_squared(batch, mlp=mlp, pruned=p) for p in (False, True))
    offsets = (-2, -1, 1, 2) if mlp == "steep" else (-3, -1, 1, 3)
    odd = range(1, d + 1, 2)
    lost = {"M": 4 * len(odd), "Gamma": math.fsum((4 * i + o) ** 2 / (16 * d * d) for i in odd for o in offsets)}
    for block in whole.keys() - {"total"}:
        assert float(whole[block] - pruned[block]) == pytest.approx(lost.get(block, 0), rel=1e-12)
    assert float(whole["total"] - pruned["total"]) == pytest.approx(sum(lost.values()), abs=1e-10)


@pytest.mark.parametrize(
    ("length", "degree", "layout", "parameters"),
    [(6, 2, "published", 404), (20, 2, "published", 2014), (6, 2, "separate-data", 480)],
)
def test_known_parameter_counts(length: int, degree: int, layout: Layout, parameters: int) -> None:
    target = Target(length, (tuple(range(1, degree + 1)),), (1.0,))
    assert theorem_10.parameter_count(TargetBatch.stack([target]), layout).tolist() == [parameters]


@pytest.mark.parametrize("pruned", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_parameters_are_the_entries_of_the_unpadded_blocks(layout: Layout, *, pruned: bool) -> None:
    targets = [*TARGETS.values(), *(MIXED.values() if layout == "extended" else ())]
    counts = theorem_10.parameter_count(TargetBatch.stack(targets), layout, pruned=pruned)
    for target, parameters in zip(targets, counts.tolist(), strict=True):
        blocks = build(TargetBatch.stack([target]), layout=layout, pruned=pruned)
        assert parameters == sum(block.numel() for _, block in blocks.named())


def test_passes_change_no_norm(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = random_batch(50, seed=9)
    whole = theorem_10.norms_squared(batch)
    monkeypatch.setattr(theorem_10, "CHUNK", 1)
    for block, value in theorem_10.norms_squared(batch).items():
        torch.testing.assert_close(value, whole[block], rtol=1e-14, atol=0)


def test_padding_changes_no_norm() -> None:
    targets = list(TARGETS.values())
    together = theorem_10.norms_squared(TargetBatch.stack(targets))
    for b, target in enumerate(targets):
        for block, value in theorem_10.norms_squared(TargetBatch.stack([target])).items():
            assert float(together[block][b]) == pytest.approx(float(value), rel=1e-14)


@pytest.mark.slow
def test_a_batch_is_measured_at_once() -> None:
    batch = random_batch(5700, seed=0)
    assert calls_in(lambda: theorem_10.norms_squared(batch)) < len(batch)
