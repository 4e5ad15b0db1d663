"""What no row of a noisy network exceeds on a good draw: the steps of the bound on the loss under noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.floats import Array
from boundaudit.checks.measurements import combined, evaluated
from boundaudit.checks.sharpness.noisy_loss.scalars import unit
from boundaudit.checks.sharpness.noisy_loss.shared import (
    BETA,
    ETA,
    FEW,
    FLICKER,
    NOISY,
    RHO,
    SAMPLES,
    STREAM,
    bound,
    claim,
    formula,
    largest_row,
    most,
    node,
    over_draws,
)
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.noisy_loss import K_nl, kappa_nl, l_nl
from boundaudit.derivations.sharpness.parameters import T

_SETTING = "for sets of one size, T ≥ 4, any positive coefficients and any σ and κ"
_GOOD = "On draws of noise of size σ on which no variable of the proof exceeds κ of its standard deviations"
_SAMPLED = f"Measured at {FEW.inputs} inputs, a draw each, the same for all targets of one T and D."


def _row_claim(name: str, what: str, steps: Sequence[Step]) -> Claim:
    label = f"sharpness.noisy_loss.{name}"
    chain = Derivation(
        label=f"{label}.proof", title=what, steps=tuple(steps), domain=NOISY, samples=SAMPLES, paper=PAPER
    )
    return claim(
        label=label, expected="supported",
        statement=f"{_GOOD}, {what}, {_SETTING}.", left=steps[0].value, right=steps[-1].value,
        domain=NOISY, derivation=chain, limitations=(_SAMPLED,),
    )  # fmt: skip


_CLEAR = node(
    "distance to the nearest kink", r"\min |s + \gamma_j|", over_draws(
        lambda one: one.clearance, lambda values: values.amin(1), FEW,
    ),
)  # fmt: skip
_ROOM = bound("1/(4D) - ε", r"\tfrac{1}{4D} - \varepsilon", lambda: theory.MARGIN)
_ON_GRID = node(
    "that of grid points, less the leak", r"\min |k/D + \gamma_j| - |s - k/D|",
    over_draws(lambda one: one.grid_clearance, lambda values: values.amin(1), FEW),
)  # fmt: skip

margin = claim(
    label="sharpness.noisy_loss.margin", expected="supported",
    statement="Without noise the inputs of all hidden units of a row with a component stay at least 1/(4D) - ε from "
    f"their kinks, ε = (T+1-D)/(DT²+T+1-D), {_SETTING}.",
    left=_CLEAR,
    relation=">=",
    right=_ROOM,
    domain=NOISY,
    derivation=Derivation(
        label="sharpness.noisy_loss.margin.proof", title="Distance to the nearest kink", domain=NOISY, samples=SAMPLES,
        paper=PAPER, steps=(
            Step(_ROOM, "1/(4D) - ε"),
            Step(
                _ON_GRID, "grid points and leak", "kinks lie 1/(4D) from grid points",
                "sharpness.attention.first.leak-mass",
            ),
            Step(_CLEAR, "distance", "triangle inequality"),
        ),
    ),
    limitations=(_SAMPLED,),
)  # fmt: skip

_SHIFT = largest_row(lambda one: one.shift.abs())
_FLICKER = largest_row(lambda one: one.flicker.abs().amax(-1))
_LENGTH = largest_row(lambda one: one.new.hidden.norm(dim=-1))
_MIDDLE = largest_row(lambda one: one.apart.norm(dim=-1))
_STREAM = largest_row(lambda one: one.new.stream.norm(dim=-1))

shift = _row_claim(
    "shift",
    "a row's average of bits with what noise in V1 adds moves by at most (1+√2) σκ",
    (
        Step(node("shift of a row's average", r"|\tilde B - s|", _SHIFT), "measured"),
        Step(
            node(
                "a quarter of the spread of its logits' noise, and that of V1",
                r"\tfrac14 \mathrm{osc} + |N_{V_1}|",
                largest_row(lambda one: one.spread / 4 + one.size * one.read[..., -1].abs()),
            ),
            "softmax and values apart",
            "an average of bits turns by 1/4 of what logits spread",
            "sharpness.averages.deviation",
        ),
        Step(bound("(1+√2) σκ", r"(1 + \sqrt 2) \sigma \kappa", lambda: theory.BETA), "good draws", "event"),
    ),
)

flicker = _row_claim(
    "flicker",
    "noise in M and Γ moves a unit's input by at most σκ √(1 + (1+ζ)²), ζ = σκ + √2 σ (√(T+2) + κ)",
    (
        Step(node("noise of a unit's input", r"|\delta|", _FLICKER), "measured"),
        Step(
            node(
                "κ of its standard deviations",
                r"\sigma\kappa \sqrt{1 + |\tilde b|^2}",
                largest_row(lambda one: one.limit_of_flicker),
            ),
            "given layer 1",
            "event",
        ),
        Step(
            bound("its bound", r"\sigma\kappa \sqrt{1 + (1 + \zeta)^2}", lambda: theory.FLICKER),
            "layer 1 on good draws",
            "event",
        ),
    ),
)


def _hidden(
    start: Measure, title: str, shown: str, still: Measure, at_rest: sp.Expr, end: sp.Expr, cited: str, what: str
) -> list[Step]:  # fmt: skip
    """From noisy hidden units to a bound: what they are without noise, and √n times what moves their inputs."""
    root = evaluated(lambda: sp.sqrt(theory.UNITS))

    def plus(name: str, base: Measure, moved_by: Measure, noise: Measure) -> Quantity:
        total = combined(lambda a, r, b, d: a + r * (b + d), base, root, moved_by, noise)
        return node(name, rf"{shown} + \sqrt{{n}} (\beta + \delta)", total)

    closed = formula(lambda: at_rest)
    return [
        Step(node(title, rf"\tilde{{{shown}}}", start), "measured"),
        Step(plus("units without noise", still, _SHIFT, _FLICKER), "units are Lipschitz", "in length", unit.label),
        Step(plus("their bound", closed, _SHIFT, _FLICKER), "without noise", what, cited),
        Step(plus("and the shift's", closed, BETA, _FLICKER), "the shift", "", shift.label),
        Step(plus("and the flicker's", closed, BETA, FLICKER), "the noise of inputs", "", flicker.label),
        Step(bound(f"bound on the {title}", rf"\max {shown}", lambda: end), "closed", "definition"),
    ]


length = _row_claim(
    "length",
    "the hidden units of a row have a length of at most η, that of their largest without noise plus "
    "2 √(D+1) times how far their inputs move",
    _hidden(
        _LENGTH,
        "length of the hidden units",
        "|h|",
        largest_row(lambda one: one.old.hidden.norm(dim=-1)),
        sp.sqrt(LENGTH),
        theory.ETA,
        "sharpness.activations.hidden.length",
        "the largest length",
    ),
)

middle = _row_claim(
    "middle",
    "the hidden units of a row lie within ρ of the middle between those of averages zero and one, half "
    "their distance plus 2 √(D+1) times how far their inputs move",
    _hidden(
        _MIDDLE,
        "distance of the hidden units from the middle",
        "|h - h_m|",
        largest_row(lambda one: one.still_apart.norm(dim=-1)),
        sp.sqrt(SPREAD) / 2,
        theory.RHO,
        "sharpness.activations.hidden.spread",
        "each unit lies between its two ends",
    ),
)


def _long(h: Measure, d: Measure) -> Measure:
    """The bound on a row of the stream, from lengths of hidden units and noise of their inputs."""
    sizes = (
        formula(lambda: sigma), formula(lambda: kappa_nl), formula(lambda: sp.sqrt(T + 1)),
        formula(lambda: theory.OUTPUT_SUM),
    )  # fmt: skip

    def of(length: Array, noise: Array, s: Array, most: Array, rows: Array, output: Array) -> Array:
        return np.hypot(1 + s * length * (rows + most), 1 + output * noise + s * most * length)

    return combined(of, h, d, *sizes)


stream = _row_claim(
    "stream",
    "a row of the stream that layer 2 reads has a length of at most X, from one position, an output of the MLP of at "
    "most one and what noise in F adds",
    (
        Step(node("length of a row", r"|\tilde x|", _STREAM), "measured"),
        Step(
            node("noise in F within κ", r"\ldots", _long(_LENGTH, _FLICKER)),
            "good draws, MLP in [0, 1]",
            "event",
            unit.label,
        ),
        Step(node("hidden units", r"\ldots", _long(ETA, _FLICKER)), "length of the hidden units", "", length.label),
        Step(node("and their inputs", r"\ldots", _long(ETA, FLICKER)), "noise of their inputs", "", flicker.label),
        Step(bound("X", "X", lambda: theory.STREAM), "closed", "definition"),
    ),
)


def _turned(h: Measure, apart: Measure, x: Measure) -> Measure:
    parts = (evaluated(lambda: sigma), evaluated(lambda: kappa_nl), formula(lambda: K_nl), formula(lambda: l_nl))

    def of(length: Array, far: Array, row: Array, s: Array, most: Array, keys: Array, span: Array) -> Array:
        return 2 * s * most * (length * span / 2 + np.sqrt(keys) * far * (1 + s * most * length) + row**2)

    return combined(of, h, apart, x, *parts)


turn = _row_claim(
    "turn",
    "noise adds to the logits of layer 2 numbers that differ by at most Ω = 2σκ (η l/2 + √K ρ (1 + σκη) + X²), l the "
    "logits' span and K the sum of their squares",
    (
        Step(
            node("spread of what noise adds to logits", r"\mathrm{osc}\,\Delta l", most(lambda one: one.turn)),
            "measured",
        ),
        Step(
            node(
                "query, keys and W2 apart",
                r"2\sigma(|o| l/2 + |q| (1 + \sigma |o|) + |N_{W_2}|)",
                most(lambda one: 2 * one.turn_by_parts),
            ),
            "three sources",
            "triangle inequality",
        ),
        Step(node("each within κ", r"\ldots", _turned(_LENGTH, _MIDDLE, _STREAM)), "good draws", "event"),
        Step(node("length", r"\ldots", _turned(ETA, _MIDDLE, _STREAM)), "length of the hidden units", "", length.label),
        Step(node("middle", r"\ldots", _turned(ETA, RHO, _STREAM)), "about the middle", "", middle.label),
        Step(node("rows", r"\ldots", _turned(ETA, RHO, STREAM)), "rows of the stream", "", stream.label),
        Step(bound("Ω", r"\Omega", lambda: theory.OMEGA), "closed", "definition"),
    ),
)
