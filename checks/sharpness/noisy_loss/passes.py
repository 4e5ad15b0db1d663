"""What proofs take from noisy passes: what a pass computes, what good draws say, and normal moments given layer 1."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.sharpness.noisy_loss.measured import (
    APART,
    BITS,
    CLEAR,
    COLUMN,
    COUNTED,
    COVARIED,
    ENERGY,
    FLICKER,
    FLIPS,
    KEPT_ROWS,
    KEYED,
    KEYS,
    LENGTH,
    LOGIT,
    MIDDLE,
    NEAREST,
    PARTS,
    POINT,
    QUERY,
    RAMPS,
    REACH,
    READ,
    READ_ROWS,
    READS,
    RISE,
    SEEN,
    SHIFT,
    SPAN,
    STREAM,
    TILTED,
    TOP,
    TOTAL,
    TURN,
    UNUSED,
    VALUE,
    WRITTEN,
)
from boundaudit.checks.sharpness.noisy_loss.scalars import on, unit
from boundaudit.checks.sharpness.noisy_loss.shared import NOISY, claim
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.activations import length_by_units, spread_by_units
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.noisy_loss import kappa_nl
from boundaudit.derivations.sharpness.parameters import D, T, j, k

MOST_MOVED = SHIFT.atom + FLICKER.atom


def total(body: sp.Expr) -> sp.Expr:
    """A sum over the hidden units."""
    return sp.Sum(body, (j, 1, UNITS))


def units_squared(size: Quantity, whole: Family) -> sp.Expr:
    """Σ (p h + m e)², e the most that an input moves."""
    part, move = PARTS[size]
    return total((part[j] * whole[j] + move[j] * MOST_MOVED) ** 2)


# --- what is assumed ------------------------------------------------------------------------------

_axiom = functools.partial(claim, role="axiom", domain=NOISY, expected="supported")
_LABEL = "sharpness.noisy_loss.passes"
_BEFORE, _AFTER = BITS[1], BITS[2]
AVERAGE_NEAR = (1 - theory.LEAK) * APART[1] + theory.LEAK * APART[2]
"""(1-ε) g + ε o."""
_ODDS = sp.exp(4 * theory.AVERAGE)

near = _axiom(
    label=f"{_LABEL}.near",
    statement="The distance of a row's average s from the nearest kink -γ is |s + γ|, s = (1-ε) g + ε o, g and o the "
    "averages of bits in a row's component and outside of it, where it leaves ε of its attention, to all alike.",
    relation="=",
    left=CLEAR,
    right=lambda: sp.Abs(AVERAGE_NEAR + NEAREST[1]),
)
kinks = _axiom(
    label=f"{_LABEL}.kinks",
    statement="Kinks lie at least 1/(4D) from the grid points k/D: they lie 1, 2 or 3 over 4D from some grid point.",
    left=lambda: 1 / (4 * D),
    right=lambda: sp.Abs(APART[1] + NEAREST[1]),
)
shifted = _axiom(
    label=f"{_LABEL}.shifted",
    statement="A row's average of bits moves by what attention turns and by what noise in V1 adds.",
    left=SHIFT,
    right=lambda: sp.Abs(_AFTER - _BEFORE) + sigma * READ.atom,
)
odds = _axiom(
    label=f"{_LABEL}.odds",
    statement="On good draws noise adds at most 2σκ to each logit of layer 1, so that the odds of a set bit under its "
    "softmax change at most e^(4σκ)-fold.",
    cases=(
        Case("up", left=lambda: _AFTER * (1 - _BEFORE), right=lambda: _ODDS * _BEFORE * (1 - _AFTER)),
        Case("down", left=lambda: _BEFORE * (1 - _AFTER), right=lambda: _ODDS * _AFTER * (1 - _BEFORE)),
    ),
)
seen = _axiom(
    label=f"{_LABEL}.seen",
    statement="A row of layer 1 is an average of bits, at most one, and what noise in V1 adds.",
    left=SEEN,
    right=lambda: 1 + sigma * READS.atom,
)
units = _axiom(
    label=f"{_LABEL}.units",
    statement="The squares of the hidden units in a row, each a part of its largest, and moved by no more than its "
    "input: by parts of the largest shift of an average and noise of an input.",
    relation="=",
    rests_on=(unit.label,),
    cases=(
        Case("length", left=lambda: LENGTH.atom**2, right=lambda: units_squared(LENGTH, TOP)),
        Case("middle", left=lambda: MIDDLE.atom**2, right=lambda: units_squared(MIDDLE, RISE)),
        Case("top", left=lambda: total(TOP[j] ** 2), right=length_by_units),
        Case("rise", left=lambda: 4 * total(RISE[j] ** 2), right=spread_by_units),
    ),
)
rows = _axiom(
    label=f"{_LABEL}.rows",
    statement="A row of the stream is one position with what noise in F adds to it and, in the data channel, an output "
    "of the trapezoids between zero and one with what noise of units' inputs and in F adds.",
    left=lambda: STREAM.atom**2,
    right=lambda: (1 + sigma * WRITTEN.atom) ** 2 + (1 + RAMPS.atom + sigma * COLUMN.atom) ** 2,
)
ramps = _axiom(
    label=f"{_LABEL}.ramps",
    statement="An output moves by at most Σ |F| times what noise adds to inputs of units.",
    left=RAMPS,
    right=lambda: theory.OUTPUT_SUM * FLICKER.atom,
)
logits = _axiom(
    label=f"{_LABEL}.logits",
    statement="Two logits of layer 2 move apart by at most σ (|o| l + 2 |q| (1 + σ |o|) + 2 |w|): by noise o in the "
    "query times their difference, noise q in F of each key times the query, and noise w in W2.",
    left=TURN,
    right=lambda: theory.parted(QUERY.atom, SPAN.atom, KEYED.atom, TILTED.atom),
)
_GOOD = {
    "V1": (READ, lambda: sp.sqrt(2) * kappa_nl),
    "V1s": (READS, lambda: sp.sqrt(2) * (sp.sqrt(T + 2) + kappa_nl)),
    "inputs": (FLICKER, lambda: theory.AVERAGE * sp.sqrt(1 + SEEN.atom**2)),
    "positions": (WRITTEN, lambda: LENGTH.atom * (sp.sqrt(T + 1) + kappa_nl)),
    "data": (COLUMN, lambda: LENGTH.atom * kappa_nl),
    "query": (QUERY, lambda: LENGTH.atom * kappa_nl),
    "keys": (KEYED, lambda: kappa_nl * MIDDLE.atom * sp.sqrt(KEYS.atom)),
    "W2": (TILTED, lambda: kappa_nl * STREAM.atom**2),
}
good = _axiom(
    label=f"{_LABEL}.good",
    statement="On good draws no variable of the proof exceeds κ of its standard deviations, and no length of k of them "
    "√k + κ of those of each: what they are given layer by layer.",
    cases=tuple(Case(name, left=left, right=right) for name, (left, right) in _GOOD.items()),
)

# --- means over noise, given layer 1 --------------------------------------------------------------

_TURNED = sp.Abs(_AFTER - _BEFORE)
FAIR = sp.binomial(D, k) / 2**D
"""The probability of k ones among D fair bits."""


def on_at(place: sp.Expr, moved: sp.Expr) -> sp.Expr:
    """(k+1) (1 + (k/D + z)²)."""
    return (D * place + 1) * (1 + (place + moved) ** 2)


def over_grid(body: sp.Expr) -> sp.Expr:
    """A mean over the ones among D fair bits."""
    return sp.Sum(FAIR * body, (k, 0, D))


reach = _axiom(
    label=f"{_LABEL}.reach",
    statement="A row with a component, k/D its grid point, is no longer than k/D, what the attention it leaves to "
    "other bits adds, what noise turns, and what noise in V1 adds.",
    left=REACH,
    right=lambda: theory.LEAK + _TURNED + sigma * READS.atom,
)
_ENERGIES = {
    "average": lambda: over_grid(on_at(k / D, REACH.atom)),
    "sample": lambda: on_at(POINT[1], REACH.atom),
}
energy = _axiom(
    label=f"{_LABEL}.energy",
    statement="Given layer 1, noise of the inputs of units is normal, in one row independent for two units and of "
    "variance σ² (1 + |b̃|²): the mean square of Σ a Σ F δ over units that are on is at most σ² Σ a Σ F² (1 + |b̃|²), "
    "2(k+1) of F² = (4D/u)² in a row of at most k/D and what it is moved by.",
    rests_on=(on.label,),
    cases=tuple(
        Case(name, left=ENERGY[name], right=lambda build=build: 2 * theory.FLANK**2 * build())
        for name, build in _ENERGIES.items()
    ),
)
ones = _axiom(
    label=f"{_LABEL}.ones",
    statement="Over the ones k among D fair bits, of which j given ones are all set with probability 2⁻ʲ, k, k (k-1) "
    "and k (k-1) (k-2) have the means D/2, D (D-1)/4 and D (D-1) (D-2)/8.",
    relation="=",
    left=lambda: over_grid((k + 1) * (1 + k**2 / D**2)),
    right=lambda: theory.GRID_MEAN_BY_MOMENTS,
    domain=Domain({D: Integers(1, tested_to=40)}),
)
_COVARIED = dict(zip(("logits", "units", "rows"), COVARIED, strict=True))
_HALF = TOTAL.atom / 2
_POOLED = {
    "units": (READ_ROWS, lambda: LENGTH.atom),
    "rows": (KEPT_ROWS, lambda: STREAM.atom),
    "logits with values": (_COVARIED["logits"], lambda: _HALF * SPAN.atom / 2),
    "units with values": (_COVARIED["units"], lambda: _HALF * MIDDLE.atom),
    "rows with values": (_COVARIED["rows"], lambda: _HALF * STREAM.atom),
}
pooled = _axiom(
    label=f"{_LABEL}.pooled",
    statement="An average of vectors is at most as long as the longest, and its covariance with values from 0 to C, "
    "which lie C/2 from their mean on average at most, as long as C/2 times what lies farthest from any middle; with "
    "numbers a span l apart it is at most C l/4.",
    cases=tuple(Case(name, left=left, right=right) for name, (left, right) in _POOLED.items()),
)
counted = _axiom(
    label=f"{_LABEL}.counted",
    statement="At k/D 2(k+1) live units are on, each with F² = (4D/u)².",
    left=COUNTED,
    right=lambda: theory.ON_MOST,
    rests_on=(on.label,),
)
flips = _axiom(
    label=f"{_LABEL}.flips",
    statement="The output of a row without a component moves by at most the slope 4D/u times its average's shift.",
    left=FLIPS,
    right=lambda: theory.FLANK * SHIFT.atom,
)
unused = _axiom(
    label=f"{_LABEL}.unused",
    statement="The mean square over M and Γ, given layer 1, of the attention on unused rows times |G - g| + Σ |F δ| is "
    "at most the square of that attention times the largest |G - g| and Σ |F| standard deviations: by Minkowski.",
    left=UNUSED,
    right=lambda: theory.UNUSED.subs(C, TOTAL.atom)
    * (FLIPS.atom + theory.OUTPUT_SUM * sigma * sp.sqrt(1 + SEEN.atom**2)),
)  # fmt: skip
LOGIT_SIZES = (
    LENGTH.atom * SPAN.atom / 2, sp.sqrt(KEYS.atom) * MIDDLE.atom, sigma * LENGTH.atom, STREAM.atom**2,
)  # fmt: skip
"""Standard deviations of the three, and how far the query's noise stretches a key's."""
moments = _axiom(
    label=f"{_LABEL}.moments",
    statement="Fourth moments of what noise adds, given layer 1. To a logit it adds σ o l in the query, σ q (1 + σ o) "
    "in a key and σ w in W2, with independent normal o, q and w of the lengths of units, of units from their middle "
    "and of rows; to a value three of them, with units' inputs, F and V2.",
    cases=(
        Case("logit", left=lambda: LOGIT.atom**4, right=sigma**4 * theory.fourth_moment(*LOGIT_SIZES)),
        Case("value", left=lambda: VALUE.atom**4, right=lambda: 3 * sigma**4 * (
            TOTAL.atom**2 * (COUNTED.atom * (1 + SEEN.atom**2) + LENGTH.atom**2) + STREAM.atom**2
        ) ** 2),
    ),
)  # fmt: skip
