"""In place of Theorems 6, 12 and 17: the loss under noise of a finite size, clipped at one, with no allowance P."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.measurements import combined
from boundaudit.checks.sharpness.noisy_loss.rows import length, middle, shift, stream, turn
from boundaudit.checks.sharpness.noisy_loss.scalars import grid_mean, grid_most, on, shifted, tail
from boundaudit.checks.sharpness.noisy_loss.shared import (
    ETA,
    MANY,
    NOISY,
    RHO,
    SAMPLES,
    STREAM,
    Values,
    claim,
    formula,
    mean,
    over_draws,
    rms,
)
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.noisy_loss import K_nl, l_nl

_SAMPLING = 0.4
"""Three standard errors of a mean square over 128 draws: the error budget of what is sampled."""

_ROOT = over_draws(lambda one: (one.old.output - one.target).square(), lambda values: values.mean(1).sqrt(), MANY)
_BAD = mean(lambda one: (~one.good).double())
_ON_PLATEAUS = combined(
    lambda moved, room: moved <= room, formula(lambda: theory.BETA + theory.FLICKER), formula(lambda: theory.MARGIN)
)
"""Whether good draws leave active rows on their plateaus."""
_FIRST, _UNUSED = rms(lambda one: one.first), rms(lambda one: one.unused)
_BEND, _CROSS = rms(lambda one: one.bend), rms(lambda one: one.cross)
_OMEGA, _TILT = formula(lambda: theory.OMEGA), formula(lambda: theory.TILT)


def _loss(name: str, shown: str, *parts: Measure, bad: Measure = _BAD) -> Quantity:
    """(√L + Σ parts)² and the share of bad draws, at most 1: what the clipped loss is where nothing else is known."""

    def of(flat: Array, root: Array, share: Array, *more: Array) -> Array:
        whole = np.minimum(root + sum(more), 1)
        return np.where(flat, np.minimum(whole**2 + share, 1), 1.0)

    measure = combined(of, _ON_PLATEAUS, _ROOT, bad, *parts)
    return Quantity(name, measure, rf"(\sqrt{{L}} + {shown})^2 + \ldots", rounding=_SAMPLING, scale=1e-9)


_TOTAL, _SIZE = formula(lambda: C), formula(lambda: sigma)


def _times(*measures: Measure) -> Measure:
    return combined(lambda *found: math.prod(found), *measures)


def _squares(energy: Measure, rest: Measure) -> Measure:
    """The root mean square of the first-order part, from C² σ² Σ F² (1 + s²) and the terms in V2, F and W2."""
    return combined(lambda c, s, e, r: np.sqrt((c * s) ** 2 * e + r), _TOTAL, _SIZE, energy, rest)


def _rest(h: Measure, apart: Measure, x: Measure) -> Measure:
    """The terms in V2, F and W2, from the largest hidden units, their distance from the middle, and a row's length."""

    def of(length: Array, far: Array, row: Array, c: Array, s: Array, keys: Array, span: Array) -> Array:
        query = (length * c * span / 4) ** 2 + (1 + (s * length) ** 2) * keys * (c * far / 2) ** 2
        return s**2 * ((c * length) ** 2 + row**2 + query + (c * row**2 / 2) ** 2)

    sizes = (_TOTAL, _SIZE, formula(lambda: K_nl), formula(lambda: l_nl))
    return combined(of, h, apart, x, *sizes)


def _largest(of: Values) -> Measure:
    """The largest over rows and good draws, at as many inputs and draws as the loss."""
    return over_draws(lambda one: of(one).amax(-1) * one.good, lambda values: values.amax(1), MANY)


_MOST = (
    _largest(lambda one: one.new.hidden.norm(dim=-1)), _largest(lambda one: one.apart.norm(dim=-1)),
    _largest(lambda one: one.new.stream.norm(dim=-1)),
)  # fmt: skip
_REST = mean(lambda one: one.rest_given * one.good)
_WIDER = formula(lambda: theory.SHIFTED)
_ENERGIES = {
    "with what noise moves": (mean(lambda one: one.energy), "uncorrelated", None),
    "at grid points": (_times(_WIDER, mean(lambda one: one.grid_energy)), "layer 1 on good draws", shifted.label),
    "by units that are on": (_times(_WIDER, mean(lambda one: one.counted_energy)), "counted", on.label),
}
_LAST_ENERGY = {
    "average": (_times(_WIDER, formula(lambda: theory.AVERAGE_INPUT)), "means of bits", grid_mean.label),
    "sample": (_times(_WIDER, formula(lambda: theory.EVERY_INPUT)), "all bits set", grid_most.label),
}
_RESTS = {
    "at their largest": (_rest(*_MOST), "average", None),
    "hidden units by η": (_rest(ETA, *_MOST[1:]), "length", length.label),
    "about the middle by ρ": (_rest(ETA, RHO, _MOST[2]), "distance", middle.label),
    "rows by X": (_rest(ETA, RHO, STREAM), "rows", stream.label),
}


_SECOND_ORDER: dict[str, tuple[Callable[[], sp.Expr], Values]] = {
    "unused": (lambda: C, lambda one: one.unused_size),
    "bend": (lambda: C / 2, lambda one: one.turned_squares),
    "cross": (lambda: sp.S.One, lambda one: one.both),
}


def _tilted(size: Values) -> Values:
    """A number times how far weights can turn."""
    return lambda one: one.turn.exp() * size(one)


def _chain(inputs: str, end: Quantity) -> list[Step]:
    """From the mean clipped loss to its bound, one part at a time."""
    now = {"first": _FIRST, "unused": _UNUSED, "bend": _BEND, "cross": _CROSS}
    steps = [
        Step(_CLIPPED, "mean loss, clipped at one"),
        Step(
            _loss("change", r"\|\tilde f - f\|", rms(lambda one: one.change)), "the change of the output", "Minkowski"
        ),
        Step(_loss("four parts", r"\ldots", *now.values()), "four parts", "triangle inequality"),
    ]

    def replaced(name: str, cites: str, claim: str | None, **parts: Measure) -> None:
        now.update(parts)
        steps.append(Step(_loss(name, r"\ldots", *now.values()), name, cites, claim))

    for name, (energy, cites, label) in {**_ENERGIES, "at most": _LAST_ENERGY[inputs]}.items():
        replaced(f"first order: {name}", cites, label, first=_squares(energy, _REST))
    for name, (rest, cites, label) in _RESTS.items():
        replaced(f"V2, F and W2: {name}", cites, label, first=_squares(energy, rest))
    for name, (factor, size) in _SECOND_ORDER.items():
        replaced(f"{name}: along the way", "mean value", None, **{name: _times(formula(factor), rms(_tilted(size)))})
        within = _times(formula(factor), _TILT, rms(size))
        replaced(f"{name}: weights within e^Ω", "logits", turn.label, **{name: within})
    replaced(
        "unused rows: closed",
        "shift and noise of their inputs",
        shift.label,
        unused=formula(lambda: theory.UNUSED_PART),
    )
    replaced("bend: closed", "normal moments", None, bend=formula(lambda: theory.BEND))
    replaced("cross: closed", "normal moments", None, cross=formula(lambda: theory.CROSS))
    steps.append(Step(end, "bad draws by their probability", "union bound", tail.label))
    return steps


_CLIPPED = Quantity(
    "mean over inputs and noise of min(loss, 1)",
    mean(lambda one: (one.new.output - one.target).square().clamp(max=1)),
    r"\mathbb{E}\min(L(\Theta + \varepsilon), 1)", rounding=_SAMPLING, scale=1e-9,
)  # fmt: skip


_TAILED = NOISY.replace(kappa_nl=Reals(0, 8))
"""Where the tail of a normal variable is bounded."""


def _case(inputs: str, statement: str, energy: Callable[[], sp.Expr]) -> Case:
    """The claim over some inputs."""
    end = _loss(
        f"bound without allowance, {inputs}", r"\|\tilde f - f\|", formula(lambda: theory.change(energy())),
        bad=formula(lambda: theory.BAD),
    )  # fmt: skip
    chain = Derivation(
        label=f"sharpness.noisy_loss.clipped.{inputs}.proof", title=f"The clipped loss under noise, {inputs}",
        steps=tuple(_chain(inputs, end)), domain=_TAILED, samples=SAMPLES, paper=PAPER,
        place=("Theorem 12", "Theorem 17"),
    )  # fmt: skip
    return Case(inputs, statement=statement, right=end, derivation=chain)


_SAYS = (
    "Under noise of any size σ the mean over {0} and draws of min(loss, 1) of the construction is at most "
    "(√L + Δ)² + ((T+1)(T+4D+11)+1) e^(-κ²/2) for every κ up to 8 at which good draws leave active rows on their "
    "plateaus: L is the mean loss there without noise and Δ = σ √(C² {1}/u² + …) + … a closed form of first and "
    "second order in σ, in T, D, ω, C = Σ c and the logits of layer 2; for sets of one size, T ≥ 4 and any positive "
    "coefficients."
)

clipped = claim(
    label="sharpness.noisy_loss.clipped",
    statement=_SAYS.format("all inputs", "(20D³+52D²+8D)"),
    left=_CLIPPED,
    domain=_TAILED,
    role="improvement",
    improves="sharpness.taylor.simpler.network",
    limitations=(
        f"Measured at up to {MANY.inputs} inputs with {MANY.draws} draws each; at length 20 inputs are a sample.",
        "Where good draws may leave the plateaus the bound is 1. What the far tail adds to the unclipped loss is open.",
    ),
    cases=(
        _case("average", _SAYS.format("all inputs", "(20D³+52D²+8D)"), lambda: theory.AVERAGE_INPUT),
        _case("sample", _SAYS.format("any sample of inputs", "64D²(D+1)"), lambda: theory.EVERY_INPUT),
    ),
)
