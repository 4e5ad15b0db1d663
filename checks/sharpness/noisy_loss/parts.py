"""The four parts of what noise of a finite size adds to the construction's output, each with a bound of its own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Claim, Measure
from boundaudit.checks.language.floats import Array
from boundaudit.checks.measurements import combined, evaluated
from boundaudit.checks.sharpness.noisy_loss.rows import length, margin, middle, shift, stream, turn
from boundaudit.checks.sharpness.noisy_loss.scalars import grid_mean, grid_most, on, shifted
from boundaudit.checks.sharpness.noisy_loss.shared import (
    ARGUED,
    BETA,
    ETA,
    FLAT,
    MANY,
    RHO,
    SAMPLES,
    STREAM,
    Values,
    claim,
    formula,
    mean,
    node,
    over_draws,
    part,
    rms,
    sampled,
)
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.noisy_loss import K_nl, l_nl
from boundaudit.derivations.sharpness.parameters import D, u

_SAYS = (
    "On draws of noise of size σ on which no variable of the proof exceeds κ of its standard deviations, {0}: the root "
    "mean square over draws (others counted as zero) and {1} is at most {2}; for sets of one size, T ≥ 4, any positive "
    "coefficients, and σ and κ at which active rows stay on their plateaus."
)
_FOURTH = 3**0.25


def _times(*measures: Measure) -> Measure:
    return combined(lambda *found: math.prod(found), *measures)


def _proof(name: str, title: str, steps: list[Step]) -> Derivation:
    return Derivation(
        label=f"sharpness.noisy_loss.{name}.proof", title=title, steps=tuple(steps), domain=FLAT, samples=SAMPLES,
        paper=PAPER, place=("Theorem 12", "Theorem 17"),
    )  # fmt: skip


def _largest(of: Values) -> Measure:
    """The largest over rows and good draws, at as many inputs and draws as the parts."""
    return over_draws(lambda one: of(one).amax(-1) * one.good, lambda values: values.amax(1), MANY)


_TOTAL, _SIZE, _KEYS, _SPAN = (formula(lambda x=x: x) for x in (C, sigma, K_nl, l_nl))  # type: ignore[misc]
_HIDDEN = _largest(lambda one: one.new.hidden.norm(dim=-1))
_APART = _largest(lambda one: one.apart.norm(dim=-1))
_ROW = _largest(lambda one: one.new.stream.norm(dim=-1))
_CLOSED = (
    ("hidden units by η", length.label, (ETA, _APART, _ROW)),
    ("about the middle by ρ", middle.label, (ETA, RHO, _ROW)),
    ("rows by X", stream.label, (ETA, RHO, STREAM)),
)


def _by_lengths(shown: str, build: Callable[[Measure, Measure, Measure], Measure]) -> Iterator[Step]:
    """Lengths of hidden units, their distances from the middle and lengths of rows, each by its bound in turn."""
    for name, cited, sizes in _CLOSED:
        yield Step(node(name, shown, build(*sizes)), name, "", cited)


# --- first order ------------------------------------------------------------------------------------


def _squares(energy: Measure, rest: Measure) -> Measure:
    """The root mean square of the first-order part, from C² σ² Σ F² (1 + s²) and the terms in V2, F and W2."""
    return combined(lambda c, s, e, r: np.sqrt((c * s) ** 2 * e + r), _TOTAL, _SIZE, energy, rest)


def _rest(h: Measure, apart: Measure, x: Measure) -> Measure:
    """The terms in V2, F and W2, from the largest hidden units, their distance from the middle, and a row's length."""

    def of(length: Array, far: Array, row: Array, c: Array, s: Array, keys: Array, span: Array) -> Array:
        query = (length * c * span / 4) ** 2 + (1 + (s * length) ** 2) * keys * (c * far / 2) ** 2
        return s**2 * ((c * length) ** 2 + row**2 + query + (c * row**2 / 2) ** 2)

    return combined(of, h, apart, x, _TOTAL, _SIZE, _KEYS, _SPAN)


def _per_grid_point(over: Callable[[Tensor], Tensor]) -> Measure:
    """2 (4D/u)² (1 + k²/D²)(k+1), over the ones k among D bits."""

    def of(degree: Array, width: Array) -> Array:
        sizes, where = np.unique(degree, return_inverse=True)
        grids = (torch.arange(int(size) + 1, dtype=torch.float64) for size in sizes)
        found = np.array([float(over((1 + (k / k[-1]) ** 2) * (k + 1))) for k in grids])
        return np.asarray(2 * (4 * degree / width) ** 2 * found[where])

    return combined(of, evaluated(lambda: D), evaluated(lambda: u))


def _on_average(energies: Tensor) -> Tensor:
    """The mean over fair bits."""
    size = len(energies) - 1
    shares = [math.comb(size, k) / 2**size for k in range(size + 1)]
    return energies @ energies.new_tensor(shares)


_REST = mean(lambda one: one.rest_given * one.good)
_WIDER = formula(lambda: theory.SHIFTED)
_FIRST = r"\sqrt{C^2 \sigma^2 \sum F^2 (1 + s^2) + \ldots}"


def _energies(over: Callable[[Tensor], Tensor], cites: str) -> Iterator[Step]:
    """The squared output weights of the units that are on, down to a mean over grid points."""
    measured, on_grid, counted = (mean(lambda one, n=n: getattr(one, n)) for n in (  # type: ignore[misc]
        "energy", "grid_energy", "counted_energy",
    ))  # fmt: skip
    yield Step(node("terms apart", _FIRST, _squares(measured, _REST)), "terms apart", "uncorrelated")
    yield Step(
        node("at grid points", _FIRST, _squares(_times(_WIDER, on_grid), _REST)), "at grid points",
        "layer 1 on good draws", shifted.label,
    )  # fmt: skip
    yield Step(
        sampled("units counted", _FIRST, _squares(_times(_WIDER, counted), _REST)), "units counted", "2(k+1) are on",
        on.label,
    )  # fmt: skip
    energy = _times(_WIDER, _per_grid_point(over))
    yield Step(node("over grid points", _FIRST, _squares(energy, _REST)), "over grid points", cites)
    yield Step(node("largest rows", _FIRST, _squares(energy, _rest(_HIDDEN, _APART, _ROW))), "largest rows", "average")
    yield from _by_lengths(_FIRST, lambda *sizes: _squares(energy, _rest(*sizes)))


_FIRST_LEFT = sampled("root mean square of the first-order part", r"\|\Delta_1\|", part("first"))


def _first(inputs: str, words: str, factor: str, energy: Callable[[], sp.Expr], steps: Iterator[Step]) -> Case:
    end = node(
        f"bound on the first-order part, {inputs}", r"\Delta_1", formula(lambda: theory.first(energy()))
    )  # fmt: skip
    last = grid_mean if inputs == "average" else grid_most
    chain = [Step(_FIRST_LEFT, "measured"), *steps, Step(end, "closed", "grid points", last.label)]
    says = (
        "what is of first order in the change of the output",
        words,
        f"σ √(C² {factor}/u² (1+z+z²) + C² η² + X² + …), a sum over blocks, with z how far layer 1's output moves",
    )
    return Case(
        inputs, statement=_SAYS.format(*says), left=_FIRST_LEFT, right=end,
        derivation=_proof(f"first.{inputs}", f"The first-order part, {inputs}", chain),
    )  # fmt: skip


first = claim(
    label="sharpness.noisy_loss.first", expected="supported",
    statement="The first-order part of the output's change under noise is bounded.",
    domain=FLAT,
    limitations=(ARGUED,),
    rests_on=(margin.label,),
    cases=(
        _first(
            "average", "all inputs", "(20D³+52D²+8D)", lambda: theory.AVERAGE_INPUT,
            _energies(_on_average, "linearity"),
        ),
        _first(
            "sample", "any sample of inputs", "64D²(D+1)", lambda: theory.EVERY_INPUT, _energies(torch.amax, "average"),
        ),
    ),
)  # fmt: skip


# --- the other three --------------------------------------------------------------------------------


def _tilted(factor: Measure, size: Values) -> Measure:
    """A number times how far weights can turn."""
    return _times(factor, rms(lambda one: one.turn.exp() * size(one)))


_TILT = formula(lambda: theory.TILT)


def _part(
    name: str, what: str, by: str, factor: Measure, size: Values, way: str, rest: Iterator[Step],
    end: Callable[[], sp.Expr],
) -> Claim:  # fmt: skip
    """A claim on a part: by how far weights turn at most, that within e^Ω, and what else it takes."""
    left = sampled(f"root mean square of the part {name}", r"\|\Delta\|", part(name))
    right = node(f"bound on the part {name}", r"\Delta", formula(end))
    along = node("along the way", r"\ldots", _tilted(factor, size))
    within = sampled("weights within e^Ω", r"\ldots", _times(factor, _TILT, rms(size)))
    steps = [
        Step(left, "measured"),
        Step(along, "along the way", way),
        Step(within, "weights within e^Ω", "logits", turn.label),
        *rest,
        Step(right, "closed", "definition"),
    ]
    return claim(
        label=f"sharpness.noisy_loss.{name}", expected="supported",
        statement=_SAYS.format(what, "inputs", by), left=left, right=right,
        domain=FLAT, limitations=(ARGUED,), rests_on=(margin.label,), derivation=_proof(name, what, steps),
    )  # fmt: skip


def _unused() -> Iterator[Step]:
    """Unused rows' values move by the slope 4D/u times the shift, and by Σ |F| times the noise of units' inputs."""

    def of(weight: Array, c: Array, tilt: Array, shift: Array, noise: Array, degree: Array, width: Array) -> Array:
        slope = 4 * degree / width
        return weight * c * tilt * slope * (shift + 4 * (np.floor(degree / 2) + 1) * noise)

    weight = mean(lambda one: one.mean((~one.active).double()))
    noise = formula(lambda: sigma * theory.INPUT)
    sizes = (noise, evaluated(lambda: D), evaluated(lambda: u))
    moved = combined(of, weight, _TOTAL, _TILT, _largest(lambda one: one.shift.abs()), *sizes)
    yield Step(node("shift and noise of units", r"\ldots", moved), "shift and noise of units", "Minkowski", on.label)
    closed = combined(of, weight, _TOTAL, _TILT, BETA, *sizes)
    yield Step(node("shift by β", r"\ldots", closed), "shift by β", "", shift.label)


def _logit(h: Measure, apart: Measure, x: Measure) -> Measure:
    """The root of the fourth moment of what noise adds to a logit."""

    def of(length: Array, far: Array, row: Array, s: Array, keys: Array, span: Array) -> Array:
        s = _FOURTH * s
        return s * (length * span / 2 + np.sqrt(keys) * far * (1 + s * length) + row**2)

    return combined(of, h, apart, x, _SIZE, _KEYS, _SPAN)


def _value(h: Measure, x: Measure) -> Measure:
    """The root of the fourth moment of how far an active row's value moves."""

    def of(length: Array, row: Array, c: Array, noise: Array, degree: Array, width: Array) -> Array:
        return _FOURTH * (c * noise * np.sqrt(32 * degree**2 * (degree + 1)) / width) + _FOURTH * (c * length + row)

    scaled = combined(lambda s, length: s * length, _SIZE, h), combined(lambda s, row: s * row, _SIZE, x)
    return combined(
        of, *scaled, _TOTAL, formula(lambda: sigma * theory.INPUT), evaluated(lambda: D), evaluated(lambda: u)
    )


def _moments(build: Callable[[Measure, Measure, Measure], Measure]) -> Iterator[Step]:
    yield Step(node("moments", r"\ldots", build(_HIDDEN, _APART, _ROW)), "moments", "normal moments")
    yield from _by_lengths(r"\ldots", build)


def _bend(h: Measure, apart: Measure, x: Measure) -> Measure:
    return combined(lambda c, tilt, logit: c * tilt * logit**2 / 2, _TOTAL, _TILT, _logit(h, apart, x))


def _cross(h: Measure, apart: Measure, x: Measure) -> Measure:
    return _times(_TILT, _value(h, x), _logit(h, apart, x))


unused = _part(
    "unused", "what unused rows add to the output, through how their averages and their units move",
    "N/(CT²+N) e^Ω C (4D/u β + Σ|F| σ √(1+(1+ζ)²)), N = T+1-ω", _TOTAL,
    lambda one: one.unused_size, "average", _unused(), lambda: theory.UNUSED_PART,
)  # fmt: skip
bend = _part(
    "bend", "how far the softmax of layer 2 bends", "C e^Ω L²/2, L the root of the fourth moment of a logit's noise",
    formula(lambda: C / 2), lambda one: one.turned_squares, "mean value", _moments(_bend),
    lambda: theory.BEND,
)  # fmt: skip
cross = _part(
    "cross", "what values and attention add when both move", "e^Ω V L, V and L the roots of the fourth moments of the "
    "noise of a value and of a logit", formula(lambda: sp.S.One), lambda one: one.both,
    "Cauchy-Schwarz", _moments(_cross), lambda: theory.CROSS,
)  # fmt: skip

_MEASURED: Mapping[str, Measure] = {
    "first order": part("first"), "unused rows": part("unused"),
    "the softmax bends": part("bend"), "both move": part("cross"),
}  # fmt: skip


def measured() -> dict[str, Measure]:
    """The root mean square of each part.

    Returns:
        By name; their sum bounds that of the whole change.
    """
    return dict(_MEASURED)


def replaced(parts: dict[str, Measure], inputs: Literal["average", "sample"]) -> Iterator[tuple[str, str]]:
    """Put the bound of one part after the other in place of what was measured.

    Args:
        parts: As `measured` gives them; changed.
        inputs: All of them on average, or any sample.

    Yields:
        The part's name and the claim that bounds it.
    """
    energy = theory.AVERAGE_INPUT if inputs == "average" else theory.EVERY_INPUT
    ends: tuple[tuple[Callable[[], sp.Expr], str], ...] = (
        (lambda: theory.first(energy), f"{first.label}[{inputs}]"), (lambda: theory.UNUSED_PART, unused.label),
        (lambda: theory.BEND, bend.label), (lambda: theory.CROSS, cross.label),
    )  # fmt: skip
    for name, (end, label) in zip(_MEASURED, ends, strict=True):
        parts[name] = formula(end)
        yield name, label
