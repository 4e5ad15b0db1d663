"""Appendix B: how exactly the network computes its target at finite length, and what its loss is."""

from __future__ import annotations

import functools
import math

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals
from boundaudit.checks.measurements import Columns, combined, measured
from boundaudit.checks.sharpness.attention import scales
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import BOTH, PAPER, STEEP, WIDE, by_trapezoid
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness import mlp
from boundaudit.derivations.sharpness.attention import FIRST_LEAK, FIRST_TOTAL, OUTSIDE, C, lam
from boundaudit.derivations.sharpness.exactness import a_x, f, g, r
from boundaudit.derivations.sharpness.mlp import y_m
from boundaudit.derivations.sharpness.parameters import D, T, even, i, k, omega, u, v
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness import leak
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))
LATER = ("Theorem 5", "Theorem 13", "Theorem 14")
ROWS = {D: Integers(1, T), k: Integers(0, D), r: Integers(0, T - D)}
COEFFICIENT = {C: Reals(0, open_low=True, tested_to=8)}


def leading(at: Columns) -> tuple[TargetBatch, Tensor]:
    """One component {1…D} and the input with k ones in it and r after it."""
    length, degree = at.whole("T"), at.whole("D")
    batch = network.leading(length, degree, at.real("C", 1))
    return batch, network.leading_bits(length, degree, at.whole("k"), at.whole("r"))


@by_trapezoid
def error_at(at: Columns, mlp: Trapezoid) -> Tensor:
    """Network minus target for one component at the input with k ones in it and r after it."""
    return errors(*leading(at), scales(at), mlp)


def errors(batch: TargetBatch, bits: Tensor, scale: Tensor, mlp: Trapezoid) -> Tensor:
    """Network minus target, each target at one input of its own."""
    return leak.errors(batch, bits[:, None], scale, scale, mlp)[:, 0]


# --- on a component's row, and on any other -------------------------------------------------------

_LABEL = "sharpness.exactness.outputs"
_QUARTER = sp.Rational(1, 4)
_DEGREES: dict[sp.Symbol, Range] = {D: Integers(1, tested_to=32)}
_ANYWHERE = Domain({**_DEGREES, u: BOTH, y_m: Reals(tested_to=16)})
_SAMPLES = {"D = 3": {"D": 3, "u": 1, "y_m": 2}}

plateau = claim(
    label=f"{_LABEL}.plateau", relation="=", expected="proved",
    statement="Within 1/4 of the grid point k, in units of the grid, the trapezoids of even grid points add up to one "
    "for even and to zero for odd k.",
    left=lambda: mlp.wave(k + v), right=even(k),
    domain=Domain({**_DEGREES, k: Integers(0, D), u: BOTH, v: Reals(-_QUARTER, _QUARTER)}),
)  # fmt: skip

fall = claim(
    label=f"{_LABEL}.fall", expected="proved",
    statement="A trapezoid at y is at most what ψ(y) = min(1, max(0, 3/2 - 2y)) exceeds ψ(y+2) by.",
    left=mlp.trapezoid(y_m), right=mlp.fallen(y_m), domain=Domain({u: BOTH, y_m: Reals(tested_to=4)}),
)  # fmt: skip

telescope = claim(
    label=f"{_LABEL}.telescope", relation="=", expected="proved",
    statement="Over even grid points i the differences ψ(y-i) - ψ(y-i+2), ψ(z) = min(1, max(0, 3/2 - 2z)), telescope.",
    left=mlp.FALLEN, right=mlp.TELESCOPED, domain=Domain({**_DEGREES, y_m: Reals(tested_to=16)}),
)  # fmt: skip

below_one = claim(
    label=f"{_LABEL}.below-one", expected="proved",
    statement="The trapezoids of even grid points add up to at most one, wherever on the line.",
    left=lambda: mlp.wave(y_m), right=1, domain=_ANYWHERE,
    derivation=proof(
        f"{_LABEL}.below-one", "Trapezoids side by side", _ANYWHERE,
        Step(mlp.wave(y_m), "trapezoids"),
        Step(mlp.FALLEN, "each by a difference", "",
             Instance(fall.label, {y_m: y_m - i}, over=(i, 0, D), weight=even(i))),
        Step(mlp.TELESCOPED, "telescoped", "", telescope.label),
        Step(sp.S.One, "one", "0 ≤ ψ ≤ 1"),
        samples=_SAMPLES,
    ),
)  # fmt: skip

above_zero = claim(
    label=f"{_LABEL}.above-zero", expected="proved",
    statement="The trapezoids of even grid points are nowhere negative.",
    left=sp.S.Zero, right=lambda: mlp.wave(y_m), domain=_ANYWHERE,
)  # fmt: skip

_FROM_THREE = Domain({T: Integers(3, tested_to=16), **ROWS, u: BOTH})
NORMALISER = "sharpness.activations.normaliser"
_CONDITION = "sharpness.exactness.plateau.condition[three]"

_ABOVE = {"T=6, D=2, a one outside": {"T": 6, "D": 2, "k": 0, "r": 1, "u": 1}}
_BELOW = {"T=6, D=2, two ones inside": {"T": 6, "D": 2, "k": 2, "r": 0, "u": 1}}
_TOTAL = FIRST_TOTAL.subs(lam, 2)


def _offset(way: str, sign: int, most: sp.Expr) -> Case:
    return Case(
        way, left=sign * theory.offset(),
        derivation=proof(
            f"{_LABEL}.offset.{way}", f"The offset of an active row, {way}", _FROM_THREE,
            Step(sign * theory.offset(), "D (s - k/D)" if sign > 0 else "D (k/D - s)"),
            Step(D * most / _TOTAL, "the worst input", "0 ≤ k ≤ D, 0 ≤ r ≤ T-D", NORMALISER),
            Step(_QUARTER, "1/4", "", (NORMALISER, Instance(_CONDITION, {lam: 2}))),
            samples=_ABOVE if sign > 0 else _BELOW,
        ),
    )  # fmt: skip


offset = claim(
    label=f"{_LABEL}.offset", expected="proved",
    statement="From T = 3 on a row whose component holds k ones lies within 1/4 of the grid point k, in units of the "
    "grid, from above and from below.",
    right=_QUARTER, domain=_FROM_THREE, cases=(_offset("above", 1, T - D), _offset("below", -1, OUTSIDE)),
)  # fmt: skip

active = claim(
    label=f"{_LABEL}.active", relation="=", expected="proved",
    statement="From T = 3 on the MLP makes of a row whose component holds k ones and whose other positions hold r the "
    "even-parity indicator of k, at every length.",
    left=theory.active_output, right=even(k), domain=_FROM_THREE,
    derivation=proof(
        f"{_LABEL}.active", "An active row", _FROM_THREE,
        Step(theory.active_output(), "g(s)"),
        Step(even(k), "on its plateau", "|s - k/D| ≤ 1/(4D)", (
            NORMALISER, f"{offset.label}[above]", f"{offset.label}[below]",
            Instance(plateau.label, {v: theory.offset()}),
        )),
        samples=_BELOW,
    ),
)  # fmt: skip

apart = claim(
    label=f"{_LABEL}.apart", expected="proved",
    statement="Two numbers from 0 to 1 differ by at most one; squares of both sides.",
    left=(g - f) ** 2, right=1, domain=Domain({f: Reals(0, 1), g: Reals(0, 1)}),
)  # fmt: skip


# --- not zero, and how small ----------------------------------------------------------------------


@by_trapezoid
def _ideal(at: Columns, mlp: Trapezoid) -> Tensor:
    """The output where both softmaxes are restricted to their support."""
    batch, bits = leading(at)
    return forward(build(batch, mlp=mlp, scale=math.inf), batch, bits[:, None], scale=math.inf)[:, 0]


_LOSS = Quantity(
    "squared error at an input", combined(lambda error: error**2, error_at), r"(f_\Theta(x) - f(x))^2",
    theory.one_loss, rounding=1e-11, scale=1.0,
)  # fmt: skip
_ONE_COMPONENT = Domain({T: Integers(3, tested_to=16), **ROWS, u: BOTH, C: Reals(0, 1, open_low=True)})

loss_zero = claim(
    label="sharpness.exactness.loss.zero", relation="=", place=("Appendix B", *LATER), role="printed",
    reading="plausible", expected="refuted",
    statement="The construction represents its target exactly: its loss is zero at every input, for T ≥ 3, one "
    "component of D ≤ T positions with a coefficient of at most one, and either trapezoid.",
    right=sp.Integer(0), domain=_ONE_COMPONENT,
    cases=(
        Case(
            "finite",
            left=_LOSS,
            expected="refuted",
            rests_on=("sharpness.attention.second.zero[finite]", "sharpness.attention.first.limit",
                      "sharpness.mlp.interpolation"),
            limitations=("The later theorems suppose exact representation; it holds in the limit T→∞ alone.",),
        ),
        Case(
            "ideal",
            statement="With softmaxes that attend to their support alone the construction represents its target "
            "exactly: its loss is zero at every input. For T ≥ 3, one component of D ≤ T positions with a coefficient "
            "of at most one, and either trapezoid.",
            left=Quantity("output of the ideal network", _ideal, r"f_{\Theta_\infty}(x)", theory.ideal_output,
                          rounding=1e-11, scale=1.0),
            right=C * even(k),
            expected="proved",
            rests_on=("sharpness.mlp.interpolation",),
        ),
    ),
)  # fmt: skip

_OUTSIDE = {y_m: theory.UNUSED_PLACE}
_NUMBERS = Domain({
    T: Integers(3, tested_to=16), C: Reals(0, 1, open_low=True), f: Reals(0, 1), g: Reals(0, 1), a_x: Reals(f, f),
})  # fmt: skip

between = claim(
    label="sharpness.exactness.loss.between", relation="=", expected="proved",
    statement="What lies between a number and itself is that number.",
    left=a_x, right=f, domain=Domain({f: Reals(0, 1), a_x: Reals(f, f)}),
)  # fmt: skip

leaked = claim(
    label="sharpness.exactness.loss.leaked", expected="proved",
    statement="Where row 1 carries the target's share f and T rows carry g, both from 0 to 1, the squared error of one "
    "component with coefficient C is at most the squared leak (C/(C T + 1))².",
    left=theory.one_error(a_x, g, f) ** 2, right=theory.BIT_LEAK**2, domain=_NUMBERS,
    derivation=proof(
        "sharpness.exactness.loss.leaked", "The leak of layer 2", _NUMBERS,
        Step(theory.one_error(a_x, g, f) ** 2, "the squared error"),
        Step(theory.BIT_LEAK**2 * (g - f) ** 2, "the rows without component", "the weights add up to one",
             between.label),
        Step(theory.BIT_LEAK**2, "its bound", "both lie between 0 and 1", apart.label),
        samples={"T=6": {"T": 6, "C": 1, "f": 1, "g": "1/4", "a_x": 1}},
    ),
)  # fmt: skip

loss_upper = claim(
    label="sharpness.exactness.loss.upper", kind="Tight", place=("Appendix B", *LATER), expected="proved",
    statement="For T ≥ 3 and one component with a coefficient C ≤ 1 the loss of the construction at every input is at "
    "most the squared leak (C/(C T + 1))², which is below 1/T², with either trapezoid.",
    left=_LOSS, right=theory.BIT_LEAK**2, domain=_ONE_COMPONENT,
    equality=({"T": 3, "D": 1, "k": 0, "r": 2, "u": 1, "C": 1},), repairs=("sharpness.exactness.loss.zero[finite]",),
    derivation=proof(
        "sharpness.exactness.loss.upper",
        "The loss at an input",
        _ONE_COMPONENT,
        Step(_LOSS, "(f_Θ - f)²"),
        Step(theory.BIT_LEAK**2, "the leak of layer 2", "the row of the component rests on its plateau", (
            NORMALISER, active.label,
            Instance(below_one.label, _OUTSIDE), Instance(above_zero.label, _OUTSIDE),
            Instance(leaked.label, {a_x: theory.active_output(), g: theory.unused_output(), f: even(k)}),
        )),
        samples={"T=6, D=2": {"T": 6, "D": 2, "k": 0, "r": 2, "u": 1, "C": 1}},
    ),
)  # fmt: skip


# --- the error that its leak makes, at every input ------------------------------------------------

_VALUES = {f: Reals(0, 1), g: Reals(0, 1)}
_ABSTRACT = Domain({T: Integers(2, tested_to=24), omega: Integers(1, T), **COEFFICIENT, **_VALUES,
                    lam: Integers(1, tested_to=6)})  # fmt: skip


@measured
def _error_by_weights(at: Columns) -> Tensor:
    """The second layer's weights on given values: C on the share f of the active rows, C g on all others."""
    total, f, g = map(at.real, "Cfg")
    batch = network.single_bits(at.whole("T"), at.whole("omega"), total)
    unused = (network.second_weights(batch, scales(at)) * network.unused_rows(batch)).sum(-1)
    return total * ((1 - unused) * f + unused * g - f)


leak_identity = claim(
    label="sharpness.exactness.leak.identity", relation="=", expected="proved",
    statement="Where all rows with a component are exact and all others carry the same MLP output g, the network errs "
    "by C (T+1-ω)(g - f)/(C T^λ + T+1-ω), C the sum of the coefficients and f the target as a share of it.",
    left=Quantity(
        "error by weights", _error_by_weights, r"C f \sum_{t \le \omega} a_2[t] + C g \sum_{t > \omega} a_2[t] - C f",
        theory.ERROR_BY_WEIGHTS, scale=1.0,
    ),
    right=theory.ERROR, domain=_ABSTRACT, rests_on=("sharpness.attention.second.weights",),
)  # fmt: skip

leak_upper = claim(
    label="sharpness.exactness.leak.upper", kind="Tight", expected="proved",
    statement="The error of the second layer is at most the leak C(T+1-ω)/(C T^λ + T+1-ω), C the sum of the "
    "coefficients, since the target's share f of C and the output g on rows without a component lie in [0, 1].",
    left=lambda: theory.ERROR_SIZE, right=theory.LEAK, domain=_ABSTRACT,
    equality=({"T": 3, "omega": 1, "C": 1, "f": 1, "g": 0, "lambda": 2},
              {"T": 3, "omega": 2, "C": 1, "f": 0, "g": 1, "lambda": 2}),
    rests_on=("sharpness.exactness.leak.identity", "sharpness.mlp.range"),
)  # fmt: skip


# --- how far attention moves a row off its grid point, and what the MLP's plateaus absorb ---------


def _shift(at: Columns) -> Tensor:
    """S - k/D on the row of the component."""
    return network.averaged_bits(*leading(at), scales(at)) - at.real("k") / at.real("D")


_SHIFTS = Domain({T: Integers(2, tested_to=24), **ROWS, lam: Integers(1, tested_to=6)})

shift_closed = claim(
    label="sharpness.exactness.shift.closed-form", relation="=", expected="proved",
    statement="A row of layer 1 whose component has k of its D bits at one averages the bits to s, off the grid point "
    "k/D by (r - k(T+1-D)/D)/(D T^λ + T+1-D), where r other bits are one.",
    left=Quantity("s - k/D", measured(_shift), r"s - \tfrac{k}{D}", lambda: theory.AVERAGED - k / D, scale=1.0),
    right=theory.SHIFT, domain=_SHIFTS,
    rests_on=("sharpness.attention.first.weights[member]", "sharpness.attention.first.weights[other]"),
)  # fmt: skip

shift_worst = claim(
    label="sharpness.exactness.shift.worst", kind="Tight", expected="proved",
    statement="The shift |s - k/D| of the average s in a row of layer 1 whose component has k of its D bits at one is "
    "at most the mass outside the component, (T+1-D)/(D T^λ + T+1-D): attained where all bits of the component are one "
    "and no other.",
    left=Quantity("|s - k/D|", measured(lambda at: _shift(at).abs()), r"\left| s - \tfrac{k}{D} \right|",
                  lambda: sp.Abs(theory.AVERAGED - k / D), scale=1.0),
    right=FIRST_LEAK, domain=_SHIFTS,
    equality=({"T": 3, "D": 1, "k": 1, "r": 0, "lambda": 2}, {"T": 5, "D": 2, "k": 2, "r": 0, "lambda": 2}),
    rests_on=("sharpness.exactness.shift.closed-form",),
)  # fmt: skip


@measured
def _margins(at: Columns) -> Tensor:
    """The largest |s - k/D| over all k and r, in units of 1/(4D)."""
    batch = network.leading(at.whole("T"), at.whole("D"), at.real("C", 1))
    return 4 * batch.degree * network.largest_shift(batch, scales(at))


def _largest(scale: sp.Expr) -> Quantity:
    return Quantity(
        "largest shift over 1/(4D)", _margins, r"4D \max_{k, r} \left| s - \tfrac{k}{D} \right|",
        lambda: theory.in_margins(scale), scale=1.0,
    )  # fmt: skip


def _from(length: int, **more: object) -> dict[str, object]:
    """From a length on, for every λ of at least 2, and the point at which equality holds."""
    domain = Domain({T: Integers(length, tested_to=48), D: Integers(1, T), lam: Reals(2, tested_to=6)})
    return {"domain": domain, "kind": "Tight", "equality": ({"T": length, "D": 1, "lambda": 2},), **more}


condition = claim(
    label="sharpness.exactness.plateau.condition", expected="proved",
    statement="From T = 3 on, for D ≤ T and every λ of at least 2, (4D-1)(T+1-D) is at most D T^λ, and from T = 4 on "
    "even (5D-1)(T+1-D) is.",
    right=D * T**lam,
    cases=(
        Case("three", left=(4 * D - 1) * OUTSIDE, **_from(3)),
        Case("four", left=(5 * D - 1) * OUTSIDE, **_from(4)),
    ),
)  # fmt: skip

_SHIFT_IS_WORST = "sharpness.exactness.shift.worst"

margin = claim(
    label="sharpness.exactness.plateau.margin", expected="proved",
    statement="From T = 3 on, for D ≤ T and every λ of at least 2, no input shifts the average of a row of layer 1 "
    "that has a component by more than 1/(4D), the half-width of the MLP's narrowest plateaus, and from T = 4 on by "
    "more than four fifths of it: such rows never touch the end of a plateau.",
    left=_largest(lam),
    cases=(
        Case("three", right=sp.Integer(1),
             **_from(3, rests_on=(_SHIFT_IS_WORST, "sharpness.exactness.plateau.condition[three]"))),
        Case("four", right=sp.Rational(4, 5),
             **_from(4, rests_on=(_SHIFT_IS_WORST, "sharpness.exactness.plateau.condition[four]"))),
    ),
)  # fmt: skip


@by_trapezoid
def _active(at: Columns, mlp: Trapezoid) -> Tensor:
    return network.active_outputs(*leading(at), scales(at), mlp)


_STORED = Quantity("g(s)", _active, "g(s)", theory.active_output, rounding=1e-11, scale=1.0)

plateaus_active = claim(
    label="sharpness.exactness.active", relation="=", role="printed", reading="plausible", expected="certified",
    statement="After the MLP each row that has a component stores the even-parity indicator of the component's ones, "
    "at every input: for 2 ≤ T ≤ 10 with the steep trapezoid and for 3 ≤ T ≤ 10 with the wide one, D ≤ T.",
    left=_STORED, right=even(k),
    cases=(
        Case(
            "steep",
            domain=Domain({T: Integers(2, 10), **ROWS, u: STEEP}),
            limitations=("At T = 2, D = 1 it rests on the wider plateaus at odd grid points.",),
        ),
        Case("wide", domain=Domain({T: Integers(3, 10), **ROWS, u: WIDE})),
    ),
    rests_on=("sharpness.exactness.plateau.margin", "sharpness.mlp.plateaus", "sharpness.mlp.interpolation"),
    limitations=("At longer inputs it follows from the margin of the shift and the MLP's plateaus, both proved.",),
)  # fmt: skip
