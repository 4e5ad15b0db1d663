"""What proofs take of means over noise: parts of the change by draws, and exact moments given the noise before them.

A part is measured by its mean size over draws, less what that can err by: at most its root mean square. What bounds
it is exact: noise that is drawn later is normal given what was drawn before, and its moments are those of a normal
variable. Draws that are not good count as zero throughout.
"""

from __future__ import annotations

import functools

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.noisy_loss.passes import (
    BITS,
    KEYS,
    LENGTH,
    MIDDLE,
    READS,
    SEEN,
    SHIFT,
    SPAN,
    STREAM,
    TURN,
    good_only,
    in_row,
    number,
    row,
)
from boundaudit.checks.sharpness.noisy_loss.rows import length, middle, stream, turn
from boundaudit.checks.sharpness.noisy_loss.scalars import on
from boundaudit.checks.sharpness.noisy_loss.shared import (
    FEW,
    FLAT,
    MANY,
    NOISY,
    Values,
    claim,
    formula,
    lower_end,
    mean,
    most,
    over_draws,
    part,
    stacked,
)
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.noisy_loss import K_nl, l_nl
from boundaudit.numeric.sharpness.noisy_loss import NoisyPass

_axiom = functools.partial(claim, role="axiom", domain=NOISY, expected="supported")
_LABEL = "sharpness.noisy_loss.moments"

# --- what is measured -----------------------------------------------------------------------------

TOTAL = number("sum of the coefficients", "C", formula(lambda: C))


def named(expression: sp.Expr) -> sp.Expr:
    """A formula with the sum of the coefficients and of squared logits, and their span, as they are measured."""
    return expression.xreplace({C: TOTAL.atom, K_nl: KEYS.atom, l_nl: SPAN.atom})


def _part(name: str, what: str, latex: str) -> Quantity:
    return number(f"root mean square of {what}, lower end", rf"\|{latex}\|", part(name))


def _named(name: str) -> Values:
    return lambda one: one.fourths[name]


def _power(place: int) -> Values:
    return lambda one: one.powers[..., place]


def _alone(name: str) -> Values:
    """A number of each input as a row of one."""

    def read(one: NoisyPass) -> Tensor:
        found: Tensor = getattr(one, name)
        return found[..., None]

    return read


FIRST = _part("first", "the first-order part", r"\Delta_1")
UNUSED = _part("unused", "what unused rows add", r"\Delta_u")
BEND = _part("bend", "what the softmax bends by", r"\Delta_b")
CROSS = _part("cross", "what moves with the attention", r"\Delta_c")
PARTS_SUM = FIRST.atom + UNUSED.atom + BEND.atom + CROSS.atom

ROOT = number(
    "root mean square error without noise", r"\sqrt L",
    over_draws(lambda one: (one.old.output - one.target).square(), lambda values: values.mean(1).sqrt(), FEW),
)  # fmt: skip
BAD = number(
    "share of draws that are not good, lower end", r"\mathbb{P}[\text{bad}]",
    over_draws(lambda one: (~one.good).double(), lower_end, MANY),
)  # fmt: skip
GIVEN = number(
    "mean square of the first-order part given the noise before", r"\mathbb{E}\,\mathrm{Var}(\Delta_1 | \ldots)",
    mean(lambda one: (one.variance_of_values + one.rest_given) * one.good),
)  # fmt: skip
ENERGY = number(
    "Σ F² (1 + |b̃|²) over units that are on", r"\bar e", mean(lambda one: one.mean(one.energies) * one.good)
)  # fmt: skip
LEAN = row("distance of a row of layer 1 from its grid point", r"\big||\tilde b| - k/D\big|", lambda one: one.lean)
SPREAD = number("how far values lie from their average", r"\sum a |v - f|", most(lambda one: one.spread))
TILT = number("covariance of values and logits", r"|\mathrm{Cov}(v, l)|", most(lambda one: one.tilt))
FLIPS = row("what moved averages add to an output", "|G - g|", lambda one: one.flips.abs())
WEIGHT = number("attention on unused rows", r"\sum_u a", mean(lambda one: one.mean((~one.active).double())))
OUTPUT_SUM = number("sum of the output weights, in size", r"\sum |F|", formula(lambda: theory.OUTPUT_SUM))
UNUSED_SHARE = number("N/(CT²+N)", r"\tfrac{N}{CT^2 + N}", formula(lambda: theory.UNUSED))
FOURTHS = {
    name: number(
        f"fourth root of the fourth moment of {what}", rf"\|{latex}\|_4", most(_named(name))
    )
    for name, what, latex in (
        ("query", "noise of F in the query", "o"),
        ("logit", "what that adds to a logit", r"o\,l"),
        ("key", "what noise of F in a key adds to a logit", "q"),
        ("W2", "what noise of W2 adds to a logit", "w"),
        ("ramps", "what noise of inputs adds to an output, over σ", "R"),
        ("F", "noise of F in an output", r"N_F^\top \tilde h"),
        ("V2", "noise of V2 in a value", r"N_{V_2}^\top \tilde x"),
    )
}  # fmt: skip
POWERS = Family(
    "mean powers of the ones in components", stacked(*(
        mean(_power(n)) for n in range(3)
    )), "y", sp.Integer(3), Reals(0, 1),
)  # fmt: skip
LEVEL_SPREAD, LEVEL_TILT = (
    in_row(
        f"average of values over C where they {what} most", latex, 1, Reals(0, 1),
        good_only(_alone(of)), lambda one: one.level.clamp(0, 1)[..., None, None],
    )
    for what, latex, of in (("lie apart", "m_s", "spread"), ("follow the logits", "m_l", "tilt"))
)  # fmt: skip

FOURTH_LOGIT = theory.logit(*(FOURTHS[name].atom for name in ("query", "logit", "key", "W2")))
FOURTH_VALUE = named(theory.value(*(FOURTHS[name].atom for name in ("ramps", "F", "V2"))))
VARIANCES = named(theory.variances(ENERGY.atom, LENGTH.atom, MIDDLE.atom, STREAM.atom, TILT.atom, SPREAD.atom))
TURNED = sp.exp(TURN.atom)
INPUT = sp.sqrt(1 + SEEN.atom**2)
"""The standard deviation of the noise of a unit's input, over σ."""

# --- closed forms by their names --------------------------------------------------------------------

_FORMULAS = {
    "eta": (r"\eta", "hidden units", theory.ETA), "rho": (r"\rho", "hidden units from the middle", theory.RHO),
    "X": ("X", "rows", theory.STREAM), "Omega": (r"\Omega", "what noise adds to logits", theory.OMEGA),
    "z": ("z", "rows of layer 1 from the grid", theory.LEAK + theory.ROW),
    "nu": (r"\nu", "deviations of the noise of inputs", theory.INPUT),
}  # fmt: skip


def _same(form: sp.Expr) -> sp.Expr:
    return form


CLOSED = {
    name: number(f"{name}, closed form of the bound on {what}", latex, formula(functools.partial(_same, form)))
    for name, (latex, what, form) in _FORMULAS.items()
}
ETA, RHO, STREAMS, OMEGA, SHIFTS, INPUTS = (found.atom for found in CLOSED.values())
"""Numbers that proofs call by their names, so that steps are small."""

_SAID = {"eta": length.right, "rho": middle.right, "X": stream.right, "Omega": turn.right}
"""As the claims on them have them."""

names = _axiom(
    label=f"{_LABEL}.names",
    statement="Closed forms in T, D, σ, κ and the logits, by their names.",
    relation="=",
    cases=tuple(Case(name, left=found, right=_SAID.get(name, _FORMULAS[name][2])) for name, found in CLOSED.items()),
)

# --- parts by draws -------------------------------------------------------------------------------

BY_DRAWS = "A root mean square is measured by the mean size over 128 draws, less 4.9 standard errors."
_drawn = functools.partial(_axiom, domain=FLAT, limitations=(BY_DRAWS,), rests_on=("sharpness.noisy_loss.margin",))
_step = functools.partial(_drawn, role="lemma")
"""What draws lie so far below that a wrong constant would not be seen: a step that nothing proves, and no axiom."""

first = _drawn(
    label=f"{_LABEL}.first",
    statement="On good draws the first-order part is a sum of uncorrelated terms, each of which is normal given the "
    "noise before it: its mean square is at most the mean of the sum of their variances.",
    left=lambda: FIRST.atom**2,
    right=GIVEN,
)
unused = _step(
    label=f"{_LABEL}.unused",
    statement="On good draws the attention on unused rows grows at most e^Ω-fold, Ω the spread of what noise adds to "
    "logits; their outputs move by what moved averages add and by at most Σ |F| times what noise adds to inputs of "
    "units, which has mean square σ² (1 + |b̃|²) given layer 1.",
    left=UNUSED,
    right=lambda: TURNED * TOTAL.atom * WEIGHT.atom * (FLIPS.atom + OUTPUT_SUM.atom * sigma * INPUT),
)
bend = _step(
    label=f"{_LABEL}.bend",
    statement="By Taylor's formula the softmax bends on good draws by at most C/2 e^Ω times the variance of what noise "
    "adds to logits, Ω its spread; whose root mean square is by Minkowski at most the square of the sum of the roots "
    "of the fourth moments of its parts.",
    left=BEND,
    right=lambda: TOTAL.atom / 2 * TURNED * FOURTH_LOGIT**2,
)
cross = _step(
    label=f"{_LABEL}.cross",
    statement="On good draws values and attention add by Cauchy-Schwarz at most e^Ω times the roots of the fourth "
    "moments of what noise adds to a value and to a logit, each by Minkowski at most the sum of those of its parts.",
    left=CROSS,
    right=lambda: TURNED * FOURTH_VALUE * FOURTH_LOGIT,
)

# --- exact moments --------------------------------------------------------------------------------

given = _axiom(
    label=f"{_LABEL}.given",
    statement="The variances of the first-order part's terms given the noise before: of an average of rows at most "
    "the average of rows' and that of the largest row, and of what attention weighs by values less their average at "
    "most that of the largest row times how far values lie from it.",
    left=GIVEN,
    right=lambda: sigma**2 * VARIANCES,
)
energy = _axiom(
    label=f"{_LABEL}.energy",
    statement="Of a row with k ones among its D bits 2(k+1) live hidden units are on, each with an output weight of "
    "4D/u, and component t has no more than c_t/C of the attention.",
    rests_on=(on.label,),
    left=ENERGY,
    right=lambda: 2 * theory.FLANK**2 * theory.mean_energy(POWERS[1], POWERS[2], POWERS[3], LEAN.atom),
)
fair = _axiom(
    label=f"{_LABEL}.fair",
    statement="Over all inputs the ones in a component have the moments of fair bits.",
    relation="=",
    cases=tuple(
        Case(name, left=lambda n=n: POWERS[n], right=theory.FAIR[n - 1])
        for n, name in enumerate(("first", "second", "third"), 1)
    ),
)
lean = _axiom(
    label=f"{_LABEL}.lean",
    statement="A row of layer 1 is the average of its bits, which lies within ε of its grid point k/D, with what "
    "attention turns it by and what noise in V1 adds.",
    left=LEAN,
    right=lambda: theory.LEAK + sp.Abs(BITS[2] - BITS[1]) + sigma * READS.atom,
)
deviations = _axiom(
    label=f"{_LABEL}.deviations",
    statement="Values from 0 to C with the average m C lie from it by at most 2m(1-m) C on average, and have with "
    "logits of span l a covariance of at most m(1-m) C l.",
    rests_on=("sharpness.averages.deviation", "sharpness.averages.covariance"),
    cases=(
        Case("spread", left=SPREAD, right=lambda: 2 * TOTAL.atom * LEVEL_SPREAD[1] * (1 - LEVEL_SPREAD[1])),
        Case("tilt", left=TILT, right=lambda: TOTAL.atom * SPAN.atom * LEVEL_TILT[1] * (1 - LEVEL_TILT[1])),
    ),
)
slope = _axiom(
    label=f"{_LABEL}.slope",
    statement="The trapezoids have slopes of at most 4D/u: outputs move by at most that times the shift of averages.",
    left=FLIPS,
    right=lambda: theory.FLANK * SHIFT.atom,
)
weight = _axiom(
    label=f"{_LABEL}.weight",
    statement="Without noise unused rows, of logit 0 beside log(c T²), have N/(CT² + N) of the attention, N = T+1-ω.",
    relation="=",
    left=WEIGHT,
    right=UNUSED_SHARE,
)
fourth = _axiom(
    label=f"{_LABEL}.fourth",
    statement="The fourth moment of a normal variable is three times the square of its variance, and an average over "
    "rows is at most the largest: of what noise in F, W2 and V2 adds given the noise before, and noise of inputs.",
    cases=tuple(
        Case(name, left=FOURTHS[name], right=lambda size=size: named(size))
        for name, size in theory.fourths(LENGTH.atom, MIDDLE.atom, STREAM.atom, INPUT).items()
    ),
)
bad = _axiom(
    label=f"{_LABEL}.bad",
    statement="Draws that are not good are at most as many as the union bound says: a normal variable beyond κ "
    "standard deviations, or a length of n of them beyond √n + κ, by concentration with a "
    "probability of at most e^(-κ²/2).",
    left=BAD,
    right=lambda: theory.VARIABLES * theory.TWO_SIDED_TAIL + theory.LENGTHS * theory.GAUSSIAN,
)
