"""Appendix D: the rescaling against direct sums, printed factors and counting by hand."""

import itertools
import math
from dataclasses import replace

import pytest
import torch

from boundaudit.derivations.sharpness import rescaled_bits
from boundaudit.derivations.sharpness.parameters import T, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.autodiff import gradients, repeat
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.rescaling import (
    bits_as_components,
    mlp_norms,
    outputs,
    rescale,
    share_of_weights,
    silent_inputs,
)
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_TARGETS = [Target(5, ((1, 2), (2, 5)), (0.6, 0.8)), Target(4, ((1, 3, 4),), (0.7,))]


def _by_hand(degree: int, offsets: tuple[int, ...], weight: float) -> tuple[float, float]:
    inner = sum(1 + ((4 * point + offset) / (4 * degree)) ** 2 for point in range(degree + 1) for offset in offsets)
    return inner, 4 * weight**2 * (degree // 2 + 1)


@pytest.mark.parametrize("degree", range(1, 7))
def test_norms_agree_with_sums_by_hand(degree: int) -> None:
    readings: dict[Trapezoid, tuple[tuple[int, ...], float]] = {
        "steep": ((-2, -1, 1, 2), 4 * degree),
        "wide": ((-3, -1, 1, 3), 2 * degree),
    }
    for mlp, (offsets, weight) in readings.items():
        inner, outer = _by_hand(degree, offsets, weight)
        found = mlp_norms(torch.tensor([degree]), 2.0, mlp=mlp)
        assert float(found[0]) == pytest.approx(4 * inner, rel=1e-13)
        assert float(found[1]) == pytest.approx(outer / 4, rel=1e-13)


def test_the_best_factors_of_the_steep_trapezoid() -> None:
    inner, outer = mlp_norms(torch.arange(1, 6), 1.0)
    known = [1.482487, 2.326762, 2.674961, 3.245292, 3.474133]
    assert ((outer / inner) ** 0.25).tolist() == pytest.approx(known, abs=1e-6)
    assert float(outer[0] / inner[0]) == pytest.approx(256 / 53, rel=1e-14)


@pytest.mark.parametrize("mlp", ["steep", "wide"])
def test_the_function_stays_and_the_weights_do_not(mlp: Trapezoid) -> None:
    batch = TargetBatch.stack(_TARGETS)
    bits = bit_strings(5, 0, 32)
    factor = torch.tensor([3.7, 0.21])
    plain, rescaled = outputs(batch, bits, 1.0, mlp=mlp), outputs(batch, bits, factor, mlp=mlp)
    assert float((plain - rescaled).abs().max()) < 1e-13
    blocks = build(batch, mlp=mlp)
    changed = rescale(blocks, factor)
    assert float(changed.Gamma[0, 0]) == pytest.approx(3.7 * float(blocks.Gamma[0, 0]), rel=1e-7)
    assert float(changed.F.abs().max()) > 4 * float(blocks.F[1].abs().max())
    assert torch.equal(changed.W1, blocks.W1)
    assert torch.equal(changed.V2, blocks.V2)


def test_a_wrong_rescaling_shows() -> None:
    batch = TargetBatch.stack(_TARGETS[:1])
    blocks = build(batch)
    changed = rescale(blocks, 2.0)
    bits = bit_strings(5, 0, 32)
    half = forward(replace(changed, F=blocks.F), batch, bits)
    assert float((half - forward(blocks, batch, bits)).abs().max()) > 0.1


def test_silent_inputs_agree_with_counting() -> None:
    target = Target(4, ((1, 2), (2, 4), (1, 3)), (1.0, 1.0, 1.0))
    count = sum(
        all(bits[position - 1] == 0 for position in component)
        for bits in itertools.product((0, 1), repeat=4)
        for component in target.components
    )
    assert count == 12
    assert float(silent_inputs(TargetBatch.stack([target]))) == 12 / 16


@pytest.mark.slow
@pytest.mark.parametrize("mlp", ["steep", "wide"])
def test_mean_gradients_of_single_bits_over_all_inputs(mlp: Trapezoid) -> None:
    """The closed forms in T, and one input of each weight with its share, against all 64 inputs by differentiation."""
    batch, _ = bits_as_components(6)
    every = bit_strings(6, 0, 64)
    blocks, copies = repeat(build(batch, mlp=mlp), 64), batch.repeat(64)
    whole = dict(gradients(blocks, copies, every.bool(), scale=math.inf).named())
    share = share_of_weights(6)
    assert float(share.sum()) == 1.0
    for block in ("M", "Gamma", "F"):
        mean = float(whole[block].square().flatten(1).sum(-1).mean())
        written = rescaled_bits.mean_square(block).subs({T: 6, u: 1 if mlp == "steep" else 2})
        assert float(written) == pytest.approx(mean, rel=1e-12)
    first = bits_as_components(6)[1]
    assert first.sum(-1).tolist() == list(range(7))


@pytest.mark.slow
@pytest.mark.parametrize(("mlp", "first"), [("steep", 18), ("wide", 8)])
def test_where_no_rescaling_lowers_both(mlp: Trapezoid, first: int) -> None:
    """The first length at which F's mean squared gradient exceeds that of M and Gamma, in the ideal network."""
    lengths = range(4, 30)
    at = [{T: length, u: 1 if mlp == "steep" else 2} for length in lengths]
    outer, inner, bias = (rescaled_bits.mean_square(block) for block in ("F", "M", "Gamma"))
    exceeds = [bool((outer - inner - bias).subs(point) > 0) for point in at]
    assert exceeds.index(True) == lengths.index(first)
    assert all(exceeds[lengths.index(first) :])


@pytest.mark.parametrize(("mlp", "holds", "fails"), [("steep", 18, 20), ("wide", 8, 9)])
def test_the_finite_network_fails_a_little_later(mlp: Trapezoid, holds: int, fails: int) -> None:
    lighter = []
    for length in (holds, fails):
        batch, bits = bits_as_components(length)
        found = derivatives(batch, bits, mlp=mlp)
        assert not found.kink.any()
        mean = {name: float(value[0] @ share_of_weights(length)) for name, value in found.squared.items()}
        lighter.append(mean["F"] <= mean["M"] + mean["Gamma"])
    assert lighter == [True, False]
