"""The four parts of what noise of a finite size adds to the construction's output, each with a bound of its own."""

from __future__ import annotations

from typing import Any, Literal

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.noisy_loss import moments
from boundaudit.checks.sharpness.noisy_loss.moments import (
    BEND,
    CLOSED,
    CROSS,
    ENERGY,
    ETA,
    FIRST,
    FLIPS,
    FOURTH_LOGIT,
    FOURTH_VALUE,
    FOURTHS,
    INPUT,
    INPUTS,
    LEAN,
    LEVEL_SPREAD,
    LEVEL_TILT,
    OMEGA,
    OUTPUT_SUM,
    POWERS,
    RHO,
    SHIFTS,
    SPREAD,
    STREAMS,
    TILT,
    TOTAL,
    TURNED,
    UNUSED,
    UNUSED_SHARE,
    WEIGHT,
    named,
)
from boundaudit.checks.sharpness.noisy_loss.passes import KEYS, LENGTH, MIDDLE, READS, SHIFT, SPAN, STREAM, TURN
from boundaudit.checks.sharpness.noisy_loss.rows import (
    length,
    margin,
    middle,
    seen,
    shift,
    stream,
    turn,
    turned,
)
from boundaudit.checks.sharpness.noisy_loss.scalars import (
    LARGER,
    SMALLER,
    added,
    energy,
    exponential,
    moved,
    product,
    squares,
    terms,
    whole,
)
from boundaudit.checks.sharpness.noisy_loss.shared import FLAT, MANY, NOISY, SAMPLES, claim
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.averages import e_av, m_av, r_av, v_av, x_av
from boundaudit.derivations.sharpness.noisy_loss import K_nl, m_nl, z_nl

Inputs = Literal["average", "sample"]

_SAYS = (
    "On draws of noise of size σ on which no variable of the proof exceeds κ of its standard deviations, {0}: the root "
    "mean square over draws (others counted as zero) and {1} is at most {2}; for sets of one size, T ≥ 4, any positive "
    "coefficients, and σ and κ at which active rows stay on their plateaus."
)
_SAMPLED = f"Measured at up to {MANY.inputs} inputs with {MANY.draws} draws each."


def _root(value: Any, most: Any) -> Instance:
    return Instance("sharpness.averages.root", {e_av: value, x_av: most})


# --- each size by its name --------------------------------------------------------------------------

_NORMALISER = "sharpness.activations.normaliser"
_SIDES = Instance(squares.label, dict(zip((e_av, v_av), theory.sides_of_row(theory.ETA, theory.FLICKER), strict=True)))
"""So that the root X has a value."""
_SHIFT = theory.LEAK + theory.ROW
_ALL: dict[str, Point] = {
    "T=4, D=2, ω=3": {
        "T": 4,
        "D": 2,
        "omega": 3,
        "u": 1,
        "c": (0.5, 0.6, 0.3),
        "S": ((1, 2), (2, 3), (1, 4)),
        "sigma": 1e-4,
        "kappa_nl": 5.5,
    }
}
"""Where all inputs are looked at."""

lean = claim(
    label="sharpness.noisy_loss.lean",
    statement="On good draws the length of a component's row of layer 1 is within z = ε + ζ of its grid point k/D, "
    "ε = (T+1-D)/(DT²+T+1-D) and ζ = σκ + √2 σ (√(T+2) + κ).",
    left=LEAN,
    right=_SHIFT,
    domain=NOISY,
    derivation=proof(
        "sharpness.noisy_loss.lean", "Rows of layer 1 beside their grid points", NOISY,
        Step(LEAN, "measured"),
        Step(theory.LEAK + theory.AVERAGE + sigma * READS.atom, "ε, attention and noise", "",
             (_NORMALISER, moments.lean.label, turned.label)),
        Step(_SHIFT, "z", "good draws", (_NORMALISER, "sharpness.noisy_loss.passes.good[V1s]")),
        samples=SAMPLES,
    ),
)  # fmt: skip

_SIZES: dict[str, tuple[sp.Expr, tuple[str | Instance, ...]]] = {
    "eta": (LENGTH.atom, (length.label,)),
    "rho": (MIDDLE.atom, (middle.label,)),
    "X": (STREAM.atom, (_SIDES, stream.label)),
    "Omega": (TURN.atom, (_SIDES, turn.label)),
    "z": (LEAN.atom, (_NORMALISER, lean.label)),
    "nu": (INPUT, (seen.label, _root(INPUT, 1 + (1 + theory.ROW) ** 2))),
}


def _size(name: str) -> Case:
    left, uses = _SIZES[name]
    end = CLOSED[name].atom
    steps = (Step(left, "measured"), Step(end, "its closed form", "", (*uses, f"{moments.names.label}[{name}]")))
    label = f"sharpness.noisy_loss.sizes.{name}"
    return Case(name, left=left, right=end, derivation=proof(label, f"At most {name}", NOISY, *steps, samples=SAMPLES))


sizes = claim(
    label="sharpness.noisy_loss.sizes",
    statement="On good draws no row, spread of logits or deviation exceeds its closed form.",
    domain=NOISY,
    cases=tuple(_size(name) for name in _SIZES),
)


def _at_most(*names: str) -> tuple[str, ...]:
    return tuple(f"{sizes.label}[{name}]" for name in names)


# --- first order ------------------------------------------------------------------------------------

spread = claim(
    label="sharpness.noisy_loss.spread",
    statement="Without noise values lie from their average by at most C/2 on average.",
    left=SPREAD,
    right=TOTAL.atom / 2,
    domain=NOISY,
    derivation=proof(
        "sharpness.noisy_loss.spread", "How far values lie apart", NOISY,
        Step(SPREAD, "measured"),
        Step(TOTAL.atom / 2, "C/2", "m (1-m) ≤ 1/4", (
            f"{moments.deviations.label}[spread]", Instance("sharpness.averages.quarter", {m_av: LEVEL_SPREAD[1]}),
        )),
        samples=SAMPLES,
    ),
)  # fmt: skip

tilt = claim(
    label="sharpness.noisy_loss.tilt",
    statement="Without noise values and logits have a covariance of at most C l/4, l the logits' span.",
    left=TILT,
    right=TOTAL.atom * SPAN.atom / 4,
    domain=NOISY,
    derivation=proof(
        "sharpness.noisy_loss.tilt", "How values follow logits", NOISY,
        Step(TILT, "measured"),
        Step(TOTAL.atom * SPAN.atom / 4, "C l/4", "m (1-m) ≤ 1/4", (
            f"{moments.deviations.label}[tilt]",
            Instance("sharpness.averages.weighted", {
                e_av: TOTAL.atom * SPAN.atom, v_av: LEVEL_TILT[1] * (1 - LEVEL_TILT[1]), x_av: sp.Rational(1, 4),
            }),
        )),
        samples=SAMPLES,
    ),
)  # fmt: skip

_POWERS = tuple(POWERS[n] for n in (1, 2, 3))
_COUNTED = 2 * theory.FLANK**2


def _energy(inputs: Inputs) -> Case:
    most = theory.AVERAGE_INPUT if inputs == "average" else theory.EVERY_INPUT
    powers, at = _POWERS, dict(zip((e_av, v_av, x_av), _POWERS, strict=True))
    fair: tuple[str, ...] = ()
    if inputs == "average":
        powers, at, fair = theory.FAIR, {}, tuple(case.label for case in moments.fair.members)
    chain = proof(
        f"sharpness.noisy_loss.energies.{inputs}", f"Output weights of units that are on, {inputs}", NOISY,
        Step(ENERGY, "measured"),
        Step(_COUNTED * theory.mean_energy(powers[0], powers[1], powers[2], LEAN.atom), "2(k+1) are on", "",
             (moments.energy.label, *fair)),
        Step(most * theory.shifted(LEAN.atom), "grid points", "",
             Instance(f"{energy.label}[{inputs}]", {z_nl: LEAN.atom, **at})),
        Step(most * theory.shifted(SHIFTS), "layer 1 on good draws", "",
             (*_at_most("z"), Instance(moved.label, {m_nl: most, e_av: LEAN.atom, r_av: SHIFTS}))),
        samples=_ALL if inputs == "average" else SAMPLES,
    )  # fmt: skip
    return Case(inputs, right=most * theory.shifted(SHIFTS), derivation=chain)


energies = claim(
    label="sharpness.noisy_loss.energies",
    statement="Over units that are on, Σ F² (1 + |b̃|²) is at most (20D³+52D²+8D)/u² (1 + z + z²) on average over "
    "inputs and 64D²(D+1)/u² (1 + z + z²) over any of them, on average over rows, z how far layer 1's output lies from "
    "k/D.",
    left=ENERGY,
    domain=NOISY,
    cases=(_energy("average"), _energy("sample")),
)  # fmt: skip


def _variances(inputs: Inputs) -> Case:
    most = theory.AVERAGE_INPUT if inputs == "average" else theory.EVERY_INPUT
    found = (ENERGY, LENGTH, MIDDLE, STREAM, TILT, SPREAD)
    closed = (most * theory.shifted(SHIFTS), ETA, RHO, STREAMS, TOTAL.atom * SPAN.atom / 4, TOTAL.atom / 2)
    grown = dict(zip(SMALLER, (size.atom for size in found), strict=True)) | dict(zip(LARGER, closed, strict=True))
    end = named(theory.variances(*closed))
    chain = proof(
        f"sharpness.noisy_loss.variances.{inputs}", f"Variances of the first-order part, {inputs}", NOISY,
        Step(moments.VARIANCES, "terms apart"),
        Step(end, "closed", "each by its bound", (
            f"{energies.label}[{inputs}]", tilt.label, spread.label, *_at_most("eta", "rho", "X"),
            Instance(terms.label, {**grown, m_nl: TOTAL.atom, K_nl: KEYS.atom}),
        )),
        samples=_ALL if inputs == "average" else SAMPLES,
    )  # fmt: skip
    return Case(inputs, right=end, derivation=chain)


variances = claim(
    label="sharpness.noisy_loss.variances",
    statement="On good draws the variances of the first-order part's terms, given the noise before, are bounded.",
    left=moments.VARIANCES,
    domain=NOISY,
    cases=(_variances("average"), _variances("sample")),
)


def _deviation(inputs: Inputs) -> Case:
    bound = next(case for case in variances.members if case.case == inputs)
    start, end = (sigma * sp.sqrt(size) for size in (moments.VARIANCES, bound.right))
    chain = proof(
        f"sharpness.noisy_loss.deviation.{inputs}", f"The first-order part's deviation, {inputs}", NOISY,
        Step(start, "terms apart"),
        Step(end, "closed", "", (bound.label, _root(sp.sqrt(moments.VARIANCES), bound.right))),
        samples=_ALL if inputs == "average" else SAMPLES,
    )  # fmt: skip
    return Case(inputs, left=start, right=end, derivation=chain)


deviation = claim(
    label="sharpness.noisy_loss.deviation",
    statement="On good draws the root of the sum of the variances of the first-order part's terms is bounded.",
    domain=NOISY,
    cases=(_deviation("average"), _deviation("sample")),
)


def _first(inputs: Inputs, words: str, factor: str) -> Case:
    bound = next(case for case in deviation.members if case.case == inputs)
    chain = proof(
        f"sharpness.noisy_loss.first.{inputs}", f"The first-order part, {inputs}", FLAT,
        Step(FIRST, "measured"),
        Step(bound.left, "terms apart", "uncorrelated",
             (moments.first.label, moments.given.label, _root(FIRST.atom, sigma**2 * moments.VARIANCES))),
        Step(bound.right, "closed", "each by its bound", bound.label),
        samples=_ALL if inputs == "average" else SAMPLES,
    )  # fmt: skip
    says = (
        "what is of first order in the change of the output",
        words,
        f"σ √(C² {factor}/u² (1+z+z²) + C² η² + X² + …), a sum over blocks, with z how far layer 1's output moves",
    )
    return Case(inputs, statement=_SAYS.format(*says), left=FIRST, right=bound.right, derivation=chain)


first = claim(
    label="sharpness.noisy_loss.first",
    statement="The first-order part of the output's change under noise is bounded.",
    domain=FLAT,
    limitations=(_SAMPLED,),
    rests_on=(margin.label,),
    cases=(
        _first("average", "all inputs", "(20D³+52D²+8D)"),
        _first("sample", "any sample of inputs", "64D²(D+1)"),
    ),
)

# --- the other three --------------------------------------------------------------------------------


_LARGEST = theory.fourths(LENGTH.atom, MIDDLE.atom, STREAM.atom, INPUT)
_CLOSED = {name: named(size) for name, size in theory.fourths(ETA, RHO, STREAMS, INPUTS).items()}
_LOGIT, _VALUE = ("query", "logit", "key", "W2"), ("ramps", "F", "V2")


_GROWN = {
    "query": ("eta",), "logit": ("eta",), "key": ("rho",), "W2": ("X", "X"), "ramps": ("nu",), "F": ("eta",),
    "V2": ("X",),
}  # fmt: skip
"""The factors of standard deviations that are the largest of a row, by their bounds."""


def _by_factors(name: str) -> tuple[str | Instance, ...]:
    at: dict[sp.Symbol, sp.Expr] = dict.fromkeys((*SMALLER[:3], *LARGER[:3]), sp.S.One)
    rest = named(_LARGEST[name])
    for small, large, bound in zip(SMALLER, LARGER, _GROWN[name], strict=False):
        at |= {small: _SIZES[bound][0], large: CLOSED[bound].atom}
        rest /= at[small]
    return (*_at_most(*dict.fromkeys(_GROWN[name])), Instance(product.label, {**at, m_nl: rest}))


def _fourth(name: str) -> Case:
    chain = proof(
        f"sharpness.noisy_loss.fourths.{name}", f"The fourth moment, {name}", NOISY,
        Step(FOURTHS[name], "measured"),
        Step(named(_LARGEST[name]), "normal moments", "", f"{moments.fourth.label}[{name}]"),
        Step(_CLOSED[name], "largest rows", "", _by_factors(name)),
        samples=SAMPLES,
    )  # fmt: skip
    return Case(name, left=FOURTHS[name], right=_CLOSED[name], derivation=chain)


fourths = claim(
    label="sharpness.noisy_loss.fourths",
    statement="The roots of fourth moments of what noise adds to logits and values of layer 2 are at most 3^(1/4) "
    "times bounds on standard deviations.",
    domain=NOISY,
    cases=tuple(_fourth(name) for name in _CLOSED),
)  # fmt: skip


def _added(what: str, names: tuple[str, ...], start: sp.Expr, end: sp.Expr) -> Claim:
    grown = dict(zip(SMALLER, (FOURTHS[name].atom for name in names), strict=False))
    grown |= dict(zip(LARGER, (_CLOSED[name] for name in names), strict=False))
    label = f"sharpness.noisy_loss.{what}"
    return claim(
        label=label, statement=f"The root of the fourth moment of what noise adds to a {what} of layer 2 is bounded.",
        left=start, right=end, domain=NOISY,
        derivation=proof(
            label, f"What noise adds to a {what}", NOISY,
            Step(start, "Minkowski"),
            Step(end, "part by part", "", (
                *(f"{fourths.label}[{name}]" for name in names),
                Instance(f"{added.label}[{what}]", {**grown, m_nl: TOTAL.atom} if what == "value" else grown),
            )),
            samples=SAMPLES,
        ),
    )  # fmt: skip


logit = _added("logit", _LOGIT, FOURTH_LOGIT, named(theory.logit(*(_CLOSED[name] for name in _LOGIT))))
value = _added("value", _VALUE, FOURTH_VALUE, named(theory.value(*(_CLOSED[name] for name in _VALUE))))

_TILT = sp.exp(OMEGA)

weights = claim(
    label="sharpness.noisy_loss.weights",
    statement="On good draws the attention of layer 2 grows at most e^Ω-fold.",
    left=TURNED,
    right=_TILT,
    domain=NOISY,
    derivation=proof(
        "sharpness.noisy_loss.weights", "How much attention grows", NOISY,
        Step(TURNED, "e to the logits' spread"), Step(_TILT, "e^Ω", "logits",
             (*_at_most("Omega"), Instance(exponential.label, {e_av: TURN.atom, r_av: OMEGA}))),
        samples=SAMPLES,
    ),
)  # fmt: skip

_MOVED = FLIPS.atom + OUTPUT_SUM.atom * sigma * INPUT
_MOST_MOVED = theory.FLANK * theory.BETA + OUTPUT_SUM.atom * sigma * INPUTS

outputs = claim(
    label="sharpness.noisy_loss.outputs",
    statement="On good draws outputs of the trapezoids move by at most 4D/u β and, in root mean square, Σ|F| σ "
    "√(1+(1+ζ)²).",
    left=_MOVED,
    right=_MOST_MOVED,
    domain=NOISY,
    derivation=proof(
        "sharpness.noisy_loss.outputs", "How far outputs move", NOISY,
        Step(_MOVED, "averages and inputs"),
        Step(theory.FLANK * SHIFT.atom + OUTPUT_SUM.atom * sigma * INPUT, "slope", "", moments.slope.label),
        Step(theory.FLANK * theory.BETA + OUTPUT_SUM.atom * sigma * INPUT, "shift by β", "", shift.label),
        Step(_MOST_MOVED, "noise of inputs", "", _at_most("nu")),
        samples=SAMPLES,
    ),
)  # fmt: skip


def _part(
    name: str, what: str, by: str, left: Quantity, way: str, by_draws: Claim, factor: sp.Expr,
    second: tuple[sp.Expr, str], third: tuple[sp.Expr, str], ends: tuple[sp.Expr, sp.Expr],
) -> tuple[Claim, Claim]:  # fmt: skip
    """A claim on a part, behind one on its factors: how much weights grow, and two numbers."""
    start, end = (factor * sp.Mul(*sizes) for sizes in ((TURNED, second[0], third[0]), (_TILT, *ends)))
    sizes = (TURNED, second[0], third[0], _TILT, *ends)
    at = dict(zip((*SMALLER[:3], *LARGER[:3]), sizes, strict=True)) | {m_nl: factor}
    factors = claim(
        label=f"sharpness.noisy_loss.{name}.factors", statement=f"Bounds on the factors of {what}, for any σ and κ.",
        left=start, right=end, domain=NOISY,
        derivation=proof(
            f"sharpness.noisy_loss.{name}.factors", what, NOISY,
            Step(start, "along the way"),
            Step(end, "each by its bound", "",
                 (weights.label, second[1], third[1], Instance(product.label, at))),
            samples=SAMPLES,
        ),
    )  # fmt: skip
    bounded = claim(
        label=f"sharpness.noisy_loss.{name}", statement=_SAYS.format(what, "inputs", by), left=left, right=end,
        domain=FLAT, limitations=(_SAMPLED,), rests_on=(margin.label,), expected="supported",
        derivation=proof(
            f"sharpness.noisy_loss.{name}", what, FLAT,
            Step(left, "measured"),
            Step(start, "along the way", way, by_draws.label),
            Step(end, "each by its bound", "", factors.label),
            samples=SAMPLES,
        ),
    )  # fmt: skip
    return factors, bounded


unused_factors, unused = _part(
    "unused", "what unused rows add to the output, through how their averages and their units move",
    "N/(CT²+N) e^Ω C (4D/u β + Σ|F| σ √(1+(1+ζ)²)), N = T+1-ω", UNUSED, "average", moments.unused, TOTAL.atom,
    (WEIGHT.atom, moments.weight.label), (_MOVED, outputs.label), (UNUSED_SHARE.atom, _MOST_MOVED),
)  # fmt: skip
bend_factors, bend = _part(
    "bend", "how far the softmax of layer 2 bends", "C e^Ω L²/2, L the root of the fourth moment of a logit's noise",
    BEND, "mean value", moments.bend, TOTAL.atom / 2, (FOURTH_LOGIT, logit.label), (FOURTH_LOGIT, logit.label),
    (logit.right, logit.right),
)  # fmt: skip
cross_factors, cross = _part(
    "cross", "what values and attention add when both move", "e^Ω V L, V and L the roots of the fourth moments of the "
    "noise of a value and of a logit", CROSS, "Cauchy-Schwarz", moments.cross, sp.S.One,
    (FOURTH_VALUE, value.label), (FOURTH_LOGIT, logit.label), (value.right, logit.right),
)  # fmt: skip


def bounds(inputs: Inputs, start: sp.Expr = sp.S.Zero, factor: sp.Expr = sp.S.One) -> tuple[sp.Expr, tuple[Any, ...]]:
    """A bound on the root mean square of the whole change.

    Args:
        inputs: All of them on average, or any sample.
        start: What is added to it.
        factor: What it is multiplied by.

    Returns:
        The sum of those of the four parts, and what shows that the square of the start and its multiple grows to that.
    """
    of_first = next(case for case in first.members if case.case == inputs)
    found = (of_first, unused, bend, cross)
    ends = [part.right for part in found]
    at = dict(zip(SMALLER, (part.left.atom for part in found), strict=False)) | dict(zip(LARGER, ends, strict=False))
    grown = Instance(whole.label, {**at, m_nl: start, K_nl: factor})
    return sp.Add(*ends), (*(part.label for part in found), grown)
