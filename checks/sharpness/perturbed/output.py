"""Theorem 24: how far noise moves the output."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Probability, Quantity
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.disjoint_supports import tiled
from boundaudit.checks.sharpness.perturbed.shared import (
    ANY_NOISE,
    COUNTED_WIDTH,
    EVEN_LENGTHS,
    EXHAUSTIVE,
    FIRST_ORDER,
    HALVINGS,
    LONG,
    NO_FLOOR,
    NOISE,
    PRINTED_WIDTH,
    THREE,
    Network,
    exceeding,
    halved,
    noisy,
    stretched,
)
from boundaudit.checks.sharpness.perturbed.shared import claim as any_claim
from boundaudit.checks.sharpness.targets import by_trapezoid
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.gradients import blocks as gradient_blocks
from boundaudit.derivations.sharpness.parameters import d
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, PRINTED, T_P, rate, three_components
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.moments import finite, first_order, sampled

_claim = functools.partial(any_claim, place=("Theorem 24",))


def _slope(points: Sequence[Point], device: str) -> Array:
    """|∇f|² in closed form."""

    def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
        batch, bits = tiled(chosen, device)
        return derivatives(batch, bits[:, None], mlp=mlp).gradient[:, 0]

    return by_trapezoid(points, of)


_DEVIATIONS = 16

deviation = _claim(
    label="sharpness.perturbed.output.deviation",
    statement="To first order the change of the output is normal with mean zero, and T_p is at least sixteen of its "
    "standard deviations σ|∇f|, for coefficients from T⁻⁴ to 1.",
    left=Quantity(
        "squared norm of the output's gradient", _slope, r"\|\nabla f\|^2",
        sp.Add(*gradient_blocks(FINITE).values()), rounding=1e-9, scale=1e-9,
    ),
    relation="<=",
    right=(rate(T_P, COUNTED) / _DEVIATIONS) ** 2,
    domain=LONG,
    mode=FIRST_ORDER,
    expected="certified",
    repairs=("sharpness.perturbed.output.without-floor", "sharpness.perturbed.output.every-noise"),
    limitations=(
        EVEN_LENGTHS, COUNTED_WIDTH,
        "The factor that turns standard deviations into a probability 1-δ is not in the printed T_p.",
    ),
)  # fmt: skip


without_floor = _claim(
    label="sharpness.perturbed.output.without-floor",
    statement="T_p is at least one standard deviation of the first-order change of the output, for any positive "
    "coefficients: seen along one direction of F, which moves the keys.",
    left=stretched(1),
    relation="<=",
    right=three_components(rate(T_P, PRINTED)),
    domain=THREE,
    mode=FIRST_ORDER,
    reading="plausible",
    expected="refuted",
    limitations=(PRINTED_WIDTH, NO_FLOOR),
)


def _output_changes(network: Network, size: float, draws: int, seed: int) -> Tensor:
    return sampled(*network.single, size, draws, seed).output


def _beyond(bound: sp.Expr) -> Probability:
    return Probability(
        "probability that the output moves by more than T_p",
        exceeding(bound.subs(d, COUNTED), _output_changes),
        r"\mathbb{P}[|\tilde f - f| > T_p]",
    )


every_noise = _claim(
    label="sharpness.perturbed.output.every-noise",
    statement="However large the noise, it moves the output by more than T_p with probability at most one half.",
    left=_beyond(T_P),
    relation="<=",
    right=sp.Rational(1, 2),
    domain=noisy(ANY_NOISE),
    mode="with probability at least 1-δ",
    reading="plausible",
    expected="refuted",
    limitations=(
        EXHAUSTIVE,
        COUNTED_WIDTH,
        "The statement drops terms of second order in σ; this reads it as an inequality at every σ.",
    ),
)

small_noise = _claim(
    label="sharpness.perturbed.output.small-noise",
    statement="Noise of at most 1/100 moves the output by more than T_p with probability at most 1/20.",
    left=_beyond(T_P),
    relation="<=",
    right=sp.Rational(1, 20),
    domain=noisy(NOISE),
    mode="with probability at least 1-δ",
    limitations=(EXHAUSTIVE, COUNTED_WIDTH),
)


def _remainder(network: Network, size: float) -> Tensor:
    """|f̃ - f - σ⟨∇f, ε⟩|."""
    noise = network.noise(0)
    law = first_order(network.blocks, network.batch, network.bits, noise).output
    return (finite(network.blocks, network.batch, network.bits, noise, size).output - size * law).abs()


remainder = _claim(
    label="sharpness.perturbed.output.remainder",
    statement="What the first-order law leaves of the change of the output is of second order: it falls by four where "
    "the noise is halved.",
    left=Quantity(
        "remainder at σ over the remainder at σ/2", halved(_remainder),
        r"\frac{|\tilde f - f - \langle \nabla f, \sigma \epsilon\rangle|(\sigma)}"
        r"{|\tilde f - f - \langle \nabla f, \sigma \epsilon\rangle|(\sigma/2)}",
        rounding=0.05,
    ),
    relation="=",
    right=sp.Integer(4),
    domain=HALVINGS,
    mode=FIRST_ORDER,
    limitations=(EXHAUSTIVE, "One draw of the noise for each network; the budget of 5 % covers third order."),
)  # fmt: skip
