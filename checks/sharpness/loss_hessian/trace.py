"""Theorems 5 and 13: the loss Hessian in two parts, and the trace of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.verdicts import Kind
from boundaudit.checks.measurements import Columns, completed
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.gradients.rows import OUTPUTS
from boundaudit.checks.sharpness.gradients.shared import MEASURED, ONE_COLUMN
from boundaudit.checks.sharpness.loss_hessian import network as rows
from boundaudit.checks.sharpness.loss_hessian.network import (
    DIRECTED,
    EVERY,
    FINITE_SCALE,
    IDEAL,
    IDEAL_SCALE,
    SHORT_TILINGS,
    SINGLE_BITS,
    SQUARED,
    UNEQUAL,
    Parts,
    claim,
    on_tilings,
    parts,
    values,
    with_coefficients,
)
from boundaudit.checks.sharpness.proofs import AT_LENGTH_20, FAMILIES, proof
from boundaudit.checks.sharpness.targets import (
    ALL_OF_F,
    BOTH,
    KINKED,
    ONE_TILE,
    PAPER,
    STEEP,
    TWO_READINGS,
    WIDE,
    by_trapezoid,
    tiled,
)
from boundaudit.derivations.sharpness import gradients
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.attention import SUM, C
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.disjoint_supports import IDEAL as IDEAL_ROWS
from boundaudit.derivations.sharpness.loss_hessian import PUBLISHED, a_1, a_2, e_lh, p_lh, r_lh, w_lh, z_1, z_2
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.enumeration import choose_inputs
from boundaudit.numeric.sharpness import autodiff, loss_direction
from boundaudit.numeric.sharpness.construction import Blocks, build
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.loss_direction import wave
from boundaudit.numeric.sharpness.loss_hessian import Curvature, curvature
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import moved
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_ON_TILINGS = on_tilings(
    "residual part of the trace", lambda found: found.residual, "finite",
    r"2 (f_\Theta - f)\, \mathrm{tr} \nabla^2 f_\Theta", lambda: theory.residual_part(FINITE),
)  # fmt: skip


def _finite(name: str, relation: str, kind: Kind, what: str) -> Case:
    return Case(
        name,
        statement=f"The residual part 2 (f_Θ - f) tr Hess f_Θ of the trace of the finite construction's loss Hessian "
        f"is {what} at every input, for components of D positions side by side and T ≥ 4.",
        left=_ON_TILINGS, right=0, relation=relation, kind=kind, expected="refuted",
        reading="plausible" if relation == "=" else "derived here",
        rests_on=("sharpness.exactness.loss.zero",) if relation == "=" else (), limitations=(ONE_TILE, EVERY, KINKED),
    )  # fmt: skip


printed = claim(
    label="sharpness.loss_hessian.residual.printed",
    statement="In a network that represents its target exactly the trace of the loss's Hessian is 2 |∇f_Θ|² at every "
    "input: its residual part 2 (f_Θ - f) tr Hess f_Θ vanishes. For components of D positions side by side and T ≥ 4.",
    role="printed",
    relation="=",
    domain=SHORT_TILINGS,
    cases=(
        # Both sides are measured alone: in symbols the residual of the ideal network cancels before anything is said.
        Case(
            "ideal",
            left=Quantity("trace of the loss Hessian, both parts",
                          parts(lambda found: found.gauss_newton + found.residual, IDEAL_SCALE),
                          r"\mathrm{tr} \nabla^2 L", rounding=1e-10, scale=1.0),
            right=Quantity("twice the squared gradient", parts(lambda found: found.gauss_newton, IDEAL_SCALE),
                           r"2 \|\nabla f\|^2", rounding=1e-10, scale=1.0),
            domain=SHORT_TILINGS.replace(c=Vector(omega, Reals(0, open_low=True, tested_to=2))),
            reading="certain", rests_on=("sharpness.loss_hessian.identity",), limitations=(ONE_TILE, IDEAL),
        ),
        _finite("finite", "=", "Identity", "zero"),
        _finite("finite,at-least", ">=", "Lower", "never negative"),
        _finite("finite,at-most", "<=", "Upper", "never positive"),
    ),
)  # fmt: skip

# --- how small it is ------------------------------------------------------------------------------

_SHAPE: dict[Any, Range] = {T: Integers(4, tested_to=64), omega: Integers(1, T)}
_DEGREES: dict[Any, Range] = {D: Integers(1, tested_to=24), u: BOTH}

leak = claim(
    label="sharpness.loss_hessian.residual.leak", expected="proved",
    statement="The leak C N/(C T² + N) of layer 2, N = T+1-ω, is at most N/T², whatever the sum C of the coefficients.",
    left=theory.LEAK_OF_SUM, right=theory.LEAKED, domain=Domain({**_SHAPE, C: Reals(0, open_low=True, tested_to=8)}),
)  # fmt: skip

apart = claim(
    label="sharpness.loss_hessian.residual.units", expected="proved",
    statement="With H and R, the largest squared length of a row's hidden units and distance of two rows', ω R + 4 H "
    "is at most 4(D+1)(ω+4).",
    left=theory.UNITS, right=theory.UNITS_SIMPLE, domain=Domain({omega: Integers(1, tested_to=24), **_DEGREES}),
    rests_on=("sharpness.activations.hidden.length.simple",),
)  # fmt: skip

logarithm = claim(
    label="sharpness.loss_hessian.residual.logarithm", expected="proved",
    statement="The square of 4 log w is at most 9w²/4 for w ≥ 1: with w the fourth root of T, log²T is at most 9√T/4.",
    left=16 * sp.log(w_lh) ** 2, right=sp.Rational(9, 4) * w_lh**2, domain=Domain({w_lh: Reals(1)}),
)  # fmt: skip

roots = claim(
    label="sharpness.loss_hessian.residual.roots", expected="proved",
    statement="For p from 1 to r and r ≥ 2, (p²+4)(r²+1-p²) is at most 5/2 p r³: with p = √ω and r = √T, "
    "(ω+4)(T+1-ω) is at most 5/2 √ω T^(3/2).",
    left=theory.ROOTS, right=theory.ROOTS_MOST, domain=Domain({r_lh: Reals(2, tested_to=20), p_lh: Reals(1, r_lh)}),
)  # fmt: skip

small = claim(
    label="sharpness.loss_hessian.residual.small-terms", expected="proved",
    statement="For p ≥ 1 and ε from 0 to 1/4, 3εp + 12Dε²/u is at most 3p²(D+1); p = √ω and ε = (T+1-ω)/T².",
    left=theory.SMALL_TERMS, right=theory.SMALL_TERMS_MOST,
    domain=Domain({**_DEGREES, p_lh: Reals(1, tested_to=20), e_lh: Reals(0, sp.Rational(1, 4))}),
)  # fmt: skip

triangle = claim(
    label="sharpness.loss_hessian.residual.triangle", expected="proved",
    statement="A number times the sum of three others is in size at most its size times the sum of theirs.",
    left=theory.PRODUCT, right=theory.PRODUCT_OF_SIZES,
    domain=Domain(dict.fromkeys((theory.r_0, theory.t_1, theory.t_2, theory.t_3), Reals(tested_to=8))),
)  # fmt: skip

_FAMILY = "for any family of sets, every input, T ≥ 4 and coefficients from T⁻⁴ to 1"
_SIZE, _ERROR, _TRACES = sp.Abs(rows.residual()), rows.ERROR.atom, rows.TRACES
_BY_SIZES = sp.Add(*(sp.Abs(found.atom) for found in _TRACES.values()))
_ORDERED = dict(zip((theory.t_1, theory.t_2, theory.t_3), (found.atom for found in _TRACES.values()), strict=True))
_UNUSED = "sharpness.gradients.unused"
_INDICATORS = Instance("sharpness.averages.mean", {"n_av": omega, "a_av": c, "g_av": rows.EVEN})
_OUTPUT = Instance("sharpness.averages.part", {"e_av": SUM, "m_av": OUTPUTS["finite"][T + 1]})
_SIZES = (
    Step(_SIZE, "|2 r tr Hess f|"),
    Step(2 * sp.Abs(_ERROR) * _BY_SIZES, "block by block", "triangle inequality",
         Instance(triangle.label, {theory.r_0: _ERROR, **_ORDERED})),
    Step(2 * theory.LEAK * _BY_SIZES, "r by the leak", "f and C g lie between 0 and C", (
        _UNUSED, _INDICATORS, _OUTPUT, rows.error.label,
        Instance("sharpness.averages.size", {"v_av": _ERROR, "e_av": theory.LEAK}),
    )),
    Step(theory.RESIDUAL, "every block bounded", "",
         (_UNUSED, *(f"{rows.trace.label}[{block}]" for block in theory.NETWORK))),
)  # fmt: skip

_LEAKED = (_UNUSED, Instance(leak.label, {C: SUM}))


def _times(factor: sp.Expr, small: sp.Expr, large: sp.Expr) -> Instance:
    return Instance("sharpness.averages.weighted", {"e_av": factor, "v_av": small, "x_av": large})


size = claim(
    label="sharpness.loss_hessian.residual.size", expected="proved",
    statement="The residual part 2 (f_Θ - f) tr Hess f_Θ of the trace of the loss's Hessian is small, both ways.",
    left=_SIZE, limitations=(KINKED,),
    cases=(
        Case(
            "simple",
            statement="The residual part 2 (f_Θ - f) tr Hess f_Θ of the trace of the loss's Hessian is in size at most "
            "2ε (√ω (3/2 + log²T (ω R + 4H)) + 6Dε/u), ε = (T+1-ω)/T², H and R the largest squared length of a row's "
            f"hidden units and distance of two rows', {_FAMILY} in the unit ball.",
            right=theory.RESIDUAL_SIMPLE,
            domain=FAMILIES,
            derivation=proof(
                "sharpness.loss_hessian.residual.size.simple", "The residual part, in T, D and ω", FAMILIES, *_SIZES,
                Step(2 * theory.LEAKED * theory.NETWORK_BY_UNITS, "the leak", "C N/(C T² + N) ≤ N/T²",
                     (*_LEAKED, _times(theory.NETWORK_BY_UNITS, theory.LEAK, theory.LEAKED))),
                Step(2 * theory.LEAKED * theory.NETWORK_BY_SUM, "the leak in W1", "", _LEAKED),
                Step(theory.RESIDUAL_SIMPLE, "the sum of the coefficients", "C ≤ √ω", (
                    _UNUSED, "sharpness.gradients.F.ball",
                    Instance("sharpness.averages.root", {"e_av": SUM, "x_av": omega}),
                    _times(theory.BY_UNITS, SUM, sp.sqrt(omega)),
                )),
            ),
        ),
    ),
)  # fmt: skip

_FREE = Domain({**_SHAPE, D: Integers(1, T), u: BOTH})

free = claim(
    label="sharpness.loss_hessian.residual.free", expected="proved",
    statement="With ε = (T+1-ω)/T², and H and R the largest squared length of a row's hidden units and distance of two "
    "rows', 2ε (√ω (3/2 + log²T (ω R + 4H)) + 6Dε/u) is at most 48 ω (D+1), whatever the length T ≥ 4.",
    left=theory.RESIDUAL_SIMPLE, right=theory.RESIDUAL_FREE, domain=_FREE,
    derivation=proof(
        "sharpness.loss_hessian.residual.free", "The bound on the residual part at every length", _FREE,
        Step(theory.RESIDUAL_SIMPLE, "with H and R"),
        Step(theory.RESIDUAL_BY_UNITS, "with D+1", "ω R + 4H ≤ 4(D+1)(ω+4)", apart.label),
        Step(theory.RESIDUAL_BY_ROOT, "with √T", "log²T ≤ 9√T/4",
             Instance(logarithm.label, {w_lh: theory.FOURTH_ROOT})),
        Step(theory.RESIDUAL_BY_SPARSITY, "with ω", "(ω+4)(T+1-ω) ≤ 5/2 √ω T^(3/2)",
             Instance(roots.label, {p_lh: sp.sqrt(omega), r_lh: sp.sqrt(T)})),
        Step(theory.RESIDUAL_FREE, "free of T", "ε ≤ 1/T ≤ 1/4",
             Instance(small.label, {p_lh: sp.sqrt(omega), e_lh: theory.LEAKED})),
        samples={"T=20, D=2, ω=10": {"T": 20, "D": 2, "omega": 10, "u": 1}},
    ),
)  # fmt: skip


# --- a sum of two parts, for any weights, and its rank where the residual vanishes ----------------

_DISTURBED = 0.05
_DISTURBANCES = 1001
"""The first number of a disturbance: none is also a direction."""

Along = Callable[[Blocks, TargetBatch, Tensor, Blocks, float], Tensor]
"""From weights, targets, inputs, directions and a scale to one number for each network."""


def _along(of: Along, *, ideal: bool = False) -> Measure:
    """A number that belongs to one direction: at disturbed weights, or at those of the ideal network."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        (batch, bits), number = tiled(at), at.whole("n_d")
        blocks = build(batch, mlp=mlp)
        direction = wave(blocks, number)
        if ideal:
            return of(blocks, batch, bits, direction, IDEAL_SCALE)
        disturbed = moved(blocks, wave(blocks, number + _DISTURBANCES), _DISTURBED)
        return of(disturbed, batch, bits, direction, FINITE_SCALE)

    # Networks of one shape stand in one batch: none is padded.
    return completed(by_trapezoid(measure, "T", "D"), with_coefficients)


def _dot(one: Blocks, other: Blocks) -> Tensor:
    return (autodiff.flatten(one) * autodiff.flatten(other)).sum(-1)


def _by_loss(blocks: Blocks, batch: TargetBatch, bits: Tensor, direction: Blocks, scale: float) -> Tensor:
    return loss_direction.second_derivative(blocks, batch, bits, values(batch, bits), direction, scale=scale)


def _by_parts(blocks: Blocks, batch: TargetBatch, bits: Tensor, direction: Blocks, scale: float) -> Tensor:
    error = loss_direction.output(blocks, batch, bits, scale=scale) - values(batch, bits)
    slope = _dot(autodiff.gradients(blocks, batch, bits, scale=scale), direction)
    bend = _dot(autodiff.hessian_vector(blocks, batch, bits, direction, scale=scale), direction)
    return 2 * slope.square() + 2 * error * bend


identity = claim(
    label="sharpness.loss_hessian.identity", role="printed", relation="=", reading="certain",
    statement="At any weights the Hessian of the squared loss L = (f_Θ - f)² at one input is 2 ∇f_Θ ∇f_Θᵀ "
    "+ 2 (f_Θ - f) Hess f_Θ.",
    repairs=("sharpness.loss_hessian.residual.printed",),
    cases=(
        Case(
            "directions",
            statement="At the construction's weights, each disturbed by up to 0.05, the second derivative of the "
            "squared loss L = (f_Θ - f)² along a direction e without structure is "
            "2 (∇f_Θ·e)² + 2 (f_Θ - f) eᵀ Hess f_Θ e.",
            left=Quantity(
                "second derivative of the loss", _along(_by_loss), r"e^\top \nabla^2 L\, e", rounding=1e-9, scale=1e3
            ),
            right=Quantity(
                "Gauss-Newton and residual parts", _along(_by_parts),
                r"2 (\nabla f \cdot e)^2 + 2 (f_\Theta - f)\, e^\top \nabla^2 f\, e", rounding=1e-9, scale=1e3,
            ),
            domain=DIRECTED,
            limitations=("The construction's weights, each disturbed by up to 0.05.", SQUARED, UNEQUAL),
        ),
        Case(
            "two-weights",
            statement="Let the network be the product a_1 a_2 z_1 with two weights a_1 and a_2, and the target z_2. "
            "The mixed second derivative of the squared loss is the sum of the two parts 2 ∂f ∂f and 2 (f_Θ - f) ∂²f.",
            left=theory.off_diagonal, right=theory.OFF_DIAGONAL_BY_PARTS,
            domain=Domain(dict.fromkeys((a_1, a_2, z_1, z_2), Reals(tested_to=8))), expected="proved",
        ),
    ),
)  # fmt: skip


def _image(blocks: Blocks, batch: TargetBatch, bits: Tensor, direction: Blocks, scale: float) -> Tensor:
    found: Tensor = loss_direction.hessian_vector(blocks, batch, bits, values(batch, bits), direction, scale=scale)
    return found.square().sum(-1).sqrt()


def _rank_one(blocks: Blocks, batch: TargetBatch, bits: Tensor, direction: Blocks, scale: float) -> Tensor:
    slope = autodiff.gradients(blocks, batch, bits, scale=scale)
    return 2 * _dot(slope, direction).abs() * _dot(slope, slope).sqrt()


rank_one = claim(
    label="sharpness.loss_hessian.rank-one", role="printed", reading="certain", relation="=",
    statement="In the ideal network, which represents its target exactly, the Hessian of the squared loss at one input "
    "maps every direction e to 2 (∇f·e) ∇f: it has rank one, and its largest eigenvalue is its trace 2 |∇f|².",
    left=Quantity(
        "length of Hess L times a direction", _along(_image, ideal=True), r"\|\nabla^2 L\, e\|_2", rounding=1e-9,
        scale=1e3,
    ),
    right=Quantity(
        "length of a matrix of rank one times a direction", _along(_rank_one, ideal=True),
        r"2 |\nabla f \cdot e| \|\nabla f\|_2", rounding=1e-9, scale=1e3,
    ),
    domain=DIRECTED, rests_on=("sharpness.loss_hessian.identity",), limitations=(IDEAL, UNEQUAL),
)  # fmt: skip


# --- the printed bound 2 G_u and what replaces it -------------------------------------------------

_LATEX = r"\mathrm{tr} \nabla^2 L"


def _whole(found: Parts) -> Tensor:
    return found.gauss_newton + found.residual


TRACE = {
    "finite": on_tilings(
        "trace of the loss Hessian", _whole, "finite", _LATEX,
        lambda: theory.gauss_newton(FINITE) + theory.residual_part(FINITE),
    ),
    "ideal": on_tilings(
        "trace of the loss Hessian, ideal network", _whole, "ideal", _LATEX, lambda: theory.gauss_newton(IDEAL_ROWS)
    ),
}  # fmt: skip


def _printed(network: str, trapezoid: str, choice: Choices) -> Case:
    own = (IDEAL,) if network == "ideal" else (EVERY, KINKED)
    return Case(
        f"{trapezoid},{network}", left=TRACE[network], domain=SINGLE_BITS.replace(u=choice),
        reading="certain" if network == "ideal" else "plausible",
        limitations=(ONE_TILE, TWO_READINGS, SQUARED, ALL_OF_F, *own),
    )  # fmt: skip


_SHARP, _REPAIRED = "sharpness.loss_hessian.trace.sharp", "sharpness.loss_hessian.trace.repaired"
_PAPERS_SIZES = FAMILIES.replace(T=Integers(20, 20), D=Integers(2, 5), omega=Integers(1, 20))


def _at_length_20() -> Case:
    """As printed, at sizes of the experiments."""
    chain = proof(
        "sharpness.loss_hessian.trace.printed.length-20", "The trace of the loss Hessian at length 20", _PAPERS_SIZES,
        Step(rows.LOSS, "tr Hess L"),
        Step(theory.TRACE_SHARP, "its sharp bound", "", _SHARP),
        Step(theory.PUBLISHED, "within 2 G_u at these sizes", ""), samples=AT_LENGTH_20,
    )  # fmt: skip
    return Case(
        "length-20,finite", left=rows.LOSS, domain=_PAPERS_SIZES, derivation=chain,
        statement="At T = 20, D from 2 to 5 and ω up to 20 the trace of the Hessian of the squared loss is at most "
        "2 G_u. For every family of components, every input and coefficients from T⁻⁴ to 1 in the unit ball.",
        reading="certain", expected="proved", rests_on=(_SHARP,), limitations=(SQUARED, EVERY, KINKED),
    )  # fmt: skip


_ONE_COLUMN = MEASURED["ideal"][ONE_COLUMN].atom
_BY_ONE_COLUMN = "sharpness.gradients.total.printed[one-column,ideal]"

trace_printed = claim(
    label="sharpness.loss_hessian.trace.printed", role="printed", expected="refuted",
    statement="The trace of the Hessian of the squared loss is at most 2 G_u = 8 + 8ω(2 + D + 32D² + 32D³) at every "
    "input, and so on average. For T ≥ 4, every bit a component of its own (D = 1, ω = T), and coefficients from T⁻⁴ "
    "to 1 in the unit ball.",
    right=theory.PUBLISHED,
    rests_on=(
        "sharpness.gradients.total.printed", printed.label,
        "sharpness.loss_hessian.rank-one",
    ),
    cases=(
        _at_length_20(),
        *(
            _printed(network, trapezoid, choice)
            for network in TRACE
            for trapezoid, choice in (("steep", STEEP), ("wide", WIDE))
        ),
        Case(
            "one-column,ideal",
            statement="With F's last column alone as parameters of F 2 |∇f|², which is the trace of the Hessian of the "
            "squared loss where a network has no residual, is at most 2 G_u for the ideal network at every input. For "
            "every family of components of D positions, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball.",
            left=lambda: 2 * _ONE_COLUMN,
            domain=FAMILIES,
            reading="plausible",
            expected="proved",
            derivation=proof(
                "sharpness.loss_hessian.trace.printed.one-column", "The trace of the ideal loss Hessian", FAMILIES,
                Step(2 * _ONE_COLUMN, "2 |∇f|²"), Step(theory.PUBLISHED, "2 G_u", "", _BY_ONE_COLUMN),
            ),
            rests_on=(_BY_ONE_COLUMN, "sharpness.loss_hessian.residual.printed[ideal]"),
            limitations=(SQUARED, IDEAL, "That the ideal network has no residual is measured, and not proved."),
        ),
    ),
)  # fmt: skip

# --- what replaces it -----------------------------------------------------------------------------

_ANY = "for any family of sets of D positions, every input, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball"
_GRADIENT = MEASURED["finite"]["total"].atom
_GRADIENT_SHARP, _TRACE_UNUSED = "sharpness.gradients.total.sharp", "sharpness.gradients.unused"


def _chain(label: str, *steps: Step) -> Derivation:
    return proof(label, "The trace of the loss Hessian", FAMILIES, Step(rows.LOSS, "tr Hess L"), *steps)


sharp = claim(
    label=_SHARP, expected="proved",
    statement="The trace of the Hessian of the squared loss is at most "
    "2G + 2ε (√ω (3/2 + log²T (ω R + 4H)) + 6Dε/u), where "
    "G = 2 + ω (3/8 + 64 D²(D+1)/u² + H (1 + log²T) + ω R log²T/4) + 22 D²/(uT)² and ε = (T+1-ω)/T². H is the largest "
    "squared length of a row's hidden units, R the largest squared distance of two rows', and u = 1 (steep) or 2 "
    f"(wide). This holds {_ANY}.",
    domain=FAMILIES, improves=_REPAIRED, left=rows.LOSS, right=theory.TRACE_SHARP, limitations=(KINKED,),
    derivation=_chain(
        _SHARP,
        Step(2 * _GRADIENT + rows.residual(), "two parts", "chain rule", rows.whole.label),
        Step(2 * _GRADIENT + sp.Abs(rows.residual()), "the size of the residual part", "",
             Instance("sharpness.averages.own-size", {"v_av": rows.residual()})),
        Step(2 * _GRADIENT + theory.RESIDUAL_SIMPLE, "the residual part bounded", "", f"{size.label}[simple]"),
        Step(theory.TRACE_SHARP, "the gradient bounded", "|∇f|² ≤ G", f"{_GRADIENT_SHARP}[finite]"),
    ),
)  # fmt: skip

_ROOMY = 2 * gradients.G_U_SHARP + theory.RESIDUAL_FREE
_OTHERS_ROOMY = 2 * gradients.OTHERS_SHARP + theory.RESIDUAL_FREE

room = claim(
    label="sharpness.loss_hessian.trace.room", expected="proved",
    statement="Twice the bound 2 + ω (3/8 + 64 D²(D+1)/u²) + 22 D²/(uT)² on the squared gradient in all blocks but F, "
    "with 48 ω (D+1) for the residual part, is at most 8 + 8ω(1 + 32D² + 32D³), the terms of 2 G_u but that in F, "
    "T ≥ 4; u = 1 for the steep and 2 for the wide trapezoid.",
    left=_OTHERS_ROOMY, right=2 * gradients.OTHERS,
    domain=Domain({T: Integers(4, tested_to=200), D: Integers(1, T), omega: Integers(1, T), u: BOTH}),
)  # fmt: skip

repaired = claim(
    label=_REPAIRED, expected="proved",
    statement="The trace of the Hessian of the squared loss is at most 2 (G_u + ω(ω+4)(D+1) log²T) at every input, "
    f"{_ANY}: what F writes into the positions' channels moves the keys and the query of layer 2.",
    right=theory.REPAIRED, domain=FAMILIES, repairs=(trace_printed.label,), left=rows.LOSS, limitations=(KINKED,),
    derivation=_chain(
        _REPAIRED,
        Step(theory.TRACE_SHARP, "the sharp bound", "", _SHARP),
        Step(_ROOMY, "the residual part free of the length", "", (_TRACE_UNUSED, free.label)),
        Step(_OTHERS_ROOMY + 2 * gradients.F_REPAIRED, "F simpler", "", "sharpness.gradients.F.simple"),
        Step(theory.REPAIRED, "within what dead units leave", "", (_TRACE_UNUSED, room.label)),
    ),
)  # fmt: skip


# --- its residual part against length, and how its trace is spread below 2 G_u --------------------

_PLACE = ("Theorem 5", "Theorem 13")
_QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)


def _side_by_side(length: int, degree: int, count: int) -> Target:
    sets = tuple(tuple(range(degree * t + 1, degree * (t + 1) + 1)) for t in range(count))
    return Target(length, sets, (count**-0.5,) * count)


def _lengths(setting: Setting) -> list[int]:
    return list(range(6, 11 if setting.profile == "smoke" else 15, 2))


def _over_lengths(setting: Setting, lengths: Sequence[int], degree: int) -> list[Curvature]:
    return [curvature(_side_by_side(n, degree, 3), choose_inputs(n), device=setting.device) for n in lengths]


def _residual(setting: Setting) -> list[Panel]:
    lengths = _lengths(setting)
    found = {degree: _over_lengths(setting, lengths, degree) for degree in (1, 2)}
    size = [
        Series(
            f"{what}, D = {degree}", lengths, [getattr(one.residual, what) if one.residual else None for one in many]
        )
        for degree, many in found.items()
        for what in ("smallest", "mean", "largest")
    ]
    share = [
        Series(
            f"D = {degree}", lengths,
            [abs(one.residual.mean) / one.loss_trace.mean if one.residual and one.loss_trace else None for one in many],
        )
        for degree, many in found.items()
    ]  # fmt: skip
    return [
        Panel("residual part over all inputs", "length T", "2 r tr Hess f", size),
        Panel("its mean as a share of the mean trace", "length T", "share", share, log="y"),
    ]


residual_study = Study(
    label="sharpness.loss_hessian.residual-part",
    title="The residual part of the loss Hessian's trace",
    caption="Three components side by side, equal coefficients of unit length, all inputs without a kink, even T. The "
    "part that exact interpolation would remove takes both signs.",
    claims=("sharpness.loss_hessian.residual.printed",),
    compute=_residual,
    paper=PAPER,
    place=_PLACE,
)


def _quantiles(length: int, degree: int, count: int) -> list[float]:
    """Quantiles over all inputs of the Gauss-Newton part as a share of the printed bound."""
    bits = next(choose_inputs(length).batches(2**length))
    found = derivatives(TargetBatch.stack([_side_by_side(length, degree, count)]), bits)
    shares = 2 * found.gradient[0] / float(PUBLISHED.subs({D: degree, omega: count}))
    return shares.quantile(torch.tensor(_QUANTILES, dtype=torch.float64)).tolist()


def _panel(length: int, degree: int) -> Panel:
    counts = list(range(1, length // degree + 1))
    rows = [_quantiles(length, degree, count) for count in counts]
    curves = [Series(f"{level:.0%}", counts, [row[n] for row in rows]) for n, level in enumerate(_QUANTILES)]
    return Panel(f"T = {length}, D = {degree}", "sparsity ω", "2 |∇f|² / (2 G_u)", curves)


spread_study = Study(
    label="sharpness.loss_hessian.trace-spread",
    title="How far the trace of the loss Hessian stays below the printed bound",
    caption="Quantiles over all inputs of the Gauss-Newton part over 2 G_u, components side by side with equal "
    "coefficients of unit length, steep trapezoid. At D = 1 the share grows with ω.",
    claims=("sharpness.loss_hessian.trace.repaired",),
    compute=lambda setting: [_panel(10 if setting.profile == "smoke" else 14, degree) for degree in (1, 2)],
    paper=PAPER,
    place=_PLACE,
)
