"""The trace of the loss Hessian: the printed bound 2 G_u and what replaces it."""

from __future__ import annotations

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Choices, Domain, Integers
from boundaudit.checks.sharpness.disjoint_supports import ALL_OF_F, KINKED, ONE_TILE, TWO_READINGS
from boundaudit.checks.sharpness.gradients.shared import MEASURED
from boundaudit.checks.sharpness.loss_hessian import residual, rows
from boundaudit.checks.sharpness.loss_hessian.shared import (
    EVERY,
    IDEAL,
    SINGLE_BITS,
    SQUARED,
    TILINGS,
    Parts,
    claim,
    on_tilings,
)
from boundaudit.checks.sharpness.proofs import AT_LENGTH_20, FAMILIES, proof
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE
from boundaudit.derivations.sharpness import gradients
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.disjoint_supports import IDEAL as IDEAL_ROWS
from boundaudit.derivations.sharpness.parameters import D, T, omega, u

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
        Step(rows.LOSS["finite"], "tr Hess L"),
        Step(theory.TRACE_SHARP, "its sharp bound", "", f"{_SHARP}[finite]"),
        Step(theory.PUBLISHED, "within 2 G_u at these sizes", ""), samples=AT_LENGTH_20,
    )  # fmt: skip
    return Case(
        "length-20,finite", left=rows.LOSS["finite"], domain=_PAPERS_SIZES, derivation=chain,
        statement="At T = 20, D from 2 to 5 and ω up to 20 the trace of the Hessian of the squared loss is at most "
        "2 G_u. For every family of components, every input and coefficients from T⁻⁴ to 1 in the unit ball.",
        reading="certain", expected="proved", rests_on=(f"{_SHARP}[finite]",), limitations=(SQUARED, EVERY, KINKED),
    )  # fmt: skip


printed = claim(
    label="sharpness.loss_hessian.trace.printed",
    statement="The trace of the Hessian of the squared loss is at most 2 G_u = 8 + 8ω(2 + D + 32D² + 32D³) at every "
    "input, and so on average. For T ≥ 4, every bit a component of its own (D = 1, ω = T), and coefficients from T⁻⁴ "
    "to 1 in the unit ball.",
    role="printed",
    right=theory.PUBLISHED,
    expected="refuted",
    rests_on=(
        "sharpness.gradients.total.printed", residual.printed.label,
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
            statement="With F's last column alone as parameters of F the trace of the Hessian of the squared loss of "
            "the ideal network is at most 2 G_u at every input. For components of D positions side by side, T ≥ 4 and "
            "coefficients from T⁻⁴ to 1 in the unit ball.",
            left=on_tilings(
                "trace of the loss Hessian without F's other columns, ideal network", lambda found: found.one_column,
                "ideal", _LATEX, lambda: 2 * gradients.one_column(IDEAL_ROWS),
            ),
            domain=TILINGS,
            reading="plausible",
            expected="supported",
            rests_on=("sharpness.gradients.total.printed[one-column,ideal]",
                      "sharpness.loss_hessian.residual.printed[ideal]"),
            limitations=(ONE_TILE, SQUARED, IDEAL),
        ),
    ),
)  # fmt: skip

# --- what replaces it -----------------------------------------------------------------------------

_ANY = "for any family of sets of D positions, every input, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball"
_GRADIENT = {network: found["total"].atom for network, found in MEASURED.items()}
_GRADIENT_SHARP, _UNUSED = "sharpness.gradients.total.sharp", "sharpness.gradients.unused"


def _network(label: str, network: str, *steps: Step) -> Case:
    left = rows.LOSS[network]
    chain = proof(
        f"{label}.{network}", f"The trace of the loss Hessian, {network}", FAMILIES, Step(left, "tr Hess L"), *steps
    )
    own = KINKED if network == "finite" else IDEAL
    return Case(network, left=left, right=steps[-1].value, limitations=(own,), derivation=chain)


sharp = claim(
    label=_SHARP,
    statement="The trace of the Hessian of the squared loss is at most 2G in the ideal network and at most "
    "2G + 2ε (√ω (3/2 + log²T (ω R + 4H)) + 6Dε/u) at finite length, where "
    "G = 2 + ω (3/8 + 64 D²(D+1)/u² + H (1 + log²T) + ω R log²T/4) + 22 D²/(uT)² and ε = (T+1-ω)/T². H is the largest "
    "squared length of a row's hidden units, R the largest squared distance of two rows', and u = 1 (steep) or 2 "
    f"(wide). This holds {_ANY}.",
    domain=FAMILIES,
    expected="proved",
    improves=_REPAIRED,
    cases=(
        _network(
            _SHARP, "finite",
            Step(2 * _GRADIENT["finite"] + rows.residual("finite"), "two parts", "chain rule",
                 f"{rows.whole.label}[finite]"),
            Step(2 * _GRADIENT["finite"] + sp.Abs(rows.residual("finite")), "the size of the residual part", "",
                 Instance("sharpness.averages.own-size", {"v_av": rows.residual("finite")})),
            Step(2 * _GRADIENT["finite"] + theory.RESIDUAL_SIMPLE, "the residual part bounded", "",
                 f"{residual.size.label}[simple]"),
            Step(theory.TRACE_SHARP, "the gradient bounded", "|∇f|² ≤ G", f"{_GRADIENT_SHARP}[finite]"),
        ),
        _network(
            _SHARP, "ideal",
            Step(2 * _GRADIENT["ideal"] + rows.residual("ideal"), "two parts", "chain rule",
                 f"{rows.whole.label}[ideal]"),
            Step(2 * _GRADIENT["ideal"], "2 |∇f|²", "r = 0", f"{rows.error.label}[ideal]"),
            Step(2 * gradients.G_U_SHARP, "the gradient bounded", "|∇f|² ≤ G", f"{_GRADIENT_SHARP}[ideal]"),
        ),
    ),
)  # fmt: skip

_ROOMY = 2 * gradients.G_U_SHARP + theory.RESIDUAL_FREE
_OTHERS_ROOMY = 2 * gradients.OTHERS_SHARP + theory.RESIDUAL_FREE

room = claim(
    label="sharpness.loss_hessian.trace.room",
    statement="Twice the bound 2 + ω (3/8 + 64 D²(D+1)/u²) + 22 D²/(uT)² on the squared gradient in all blocks but F, "
    "with 48 ω (D+1) for the residual part, is at most 8 + 8ω(1 + 32D² + 32D³), the terms of 2 G_u but that in F, "
    "T ≥ 4; u = 1 for the steep and 2 for the wide trapezoid.",
    left=_OTHERS_ROOMY,
    right=2 * gradients.OTHERS,
    domain=Domain({T: Integers(4, tested_to=200), D: Integers(1, T), omega: Integers(1, T), u: BOTH}),
    expected="proved",
)

repaired = claim(
    label=_REPAIRED,
    statement="The trace of the Hessian of the squared loss is at most 2 (G_u + ω(ω+4)(D+1) log²T) at every input, "
    f"{_ANY}: what F writes into the positions' channels moves the keys and the query of layer 2.",
    right=theory.REPAIRED,
    domain=FAMILIES,
    expected="proved",
    repairs=(printed.label,),
    cases=(
        _network(
            _REPAIRED, "finite",
            Step(theory.TRACE_SHARP, "the sharp bound", "", f"{_SHARP}[finite]"),
            Step(_ROOMY, "the residual part free of the length", "", (_UNUSED, residual.free.label)),
            Step(_OTHERS_ROOMY + 2 * gradients.F_REPAIRED, "F simpler", "", "sharpness.gradients.F.simple"),
            Step(theory.REPAIRED, "within what dead units leave", "", (_UNUSED, room.label)),
        ),
        _network(
            _REPAIRED, "ideal",
            Step(2 * gradients.G_U_SHARP, "the sharp bound", "", f"{_SHARP}[ideal]"),
            Step(2 * (gradients.OTHERS_SHARP + gradients.F_REPAIRED), "F simpler", "", "sharpness.gradients.F.simple"),
            Step(theory.REPAIRED, "the other blocks simpler", "", (_UNUSED, "sharpness.gradients.total.simple")),
        ),
    ),
)  # fmt: skip
