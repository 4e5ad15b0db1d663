"""The trace of the loss Hessian: the printed bound 2 G_u, its repair, and what the residual part adds."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Choices
from boundaudit.checks.language.verdicts import Kind
from boundaudit.checks.sharpness.disjoint_supports import ALL_OF_F, KINKED, ONE_TILE, TWO_READINGS
from boundaudit.checks.sharpness.loss_hessian.shared import (
    EVEN_TILINGS,
    FINITE_SCALE,
    IDEAL,
    IDEAL_SCALE,
    SHORT_TILINGS,
    SINGLE_BITS,
    SQUARED,
    TILINGS,
    Parts,
    claim,
    parts,
)
from boundaudit.checks.sharpness.targets import STEEP, WIDE
from boundaudit.derivations.sharpness import gradients
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.disjoint_supports import IDEAL as IDEAL_ROWS

_LATEX = r"\mathrm{tr} \nabla^2 L"
_SCALES = {"finite": FINITE_SCALE, "ideal": IDEAL_SCALE}
_EVERY = "The theorems suppose exact representation, which holds in the ideal network alone."


def _quantity(
    name: str, of: Callable[[Parts], Tensor], network: str, latex: str, build: Callable[[], sp.Expr]
) -> Quantity:
    return Quantity(name, parts(of, _SCALES[network]), latex, lambda: build(), rounding=1e-10, scale=1.0)


def _whole(found: Parts) -> Tensor:
    return found.gauss_newton + found.residual


TRACE = {
    "finite": _quantity(
        "trace of the loss Hessian", _whole, "finite", _LATEX,
        lambda: theory.gauss_newton(FINITE) + theory.residual_part(FINITE),
    ),
    "ideal": _quantity(
        "trace of the loss Hessian, ideal network", _whole, "ideal", _LATEX, lambda: theory.gauss_newton(IDEAL_ROWS)
    ),
}  # fmt: skip


def _printed(network: str, trapezoid: str, choice: Choices) -> Case:
    own = (IDEAL,) if network == "ideal" else (_EVERY, KINKED)
    return Case(
        f"{trapezoid},{network}", left=TRACE[network], domain=SINGLE_BITS.replace(u=choice),
        reading="certain" if network == "ideal" else "plausible",
        limitations=(ONE_TILE, TWO_READINGS, SQUARED, ALL_OF_F, *own),
    )  # fmt: skip


printed = claim(
    label="sharpness.loss_hessian.trace.printed",
    statement="The trace of the Hessian of the squared loss is at most 2 G_u = 8 + 8ω(2 + D + 32D² + 32D³) at every "
    "input, and so on average; every bit a component of its own (D = 1, ω = T ≥ 4), coefficients from T⁻⁴ to 1 in the "
    "unit ball.",
    role="printed",
    right=theory.PUBLISHED,
    expected="refuted",
    rests_on=(
        "sharpness.gradients.total.printed", "sharpness.loss_hessian.residual.printed",
        "sharpness.loss_hessian.rank-one",
    ),
    cases=(
        *(
            _printed(network, trapezoid, choice)
            for network in TRACE
            for trapezoid, choice in (("steep", STEEP), ("wide", WIDE))
        ),
        Case(
            "one-column,ideal",
            statement="With the other columns of F left out of the parameters the trace of the Hessian of the squared "
            "loss of the ideal network is at most 2 G_u at every input, for components of D positions side by side, "
            "T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball.",
            left=_quantity(
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

_VALUES = "sharpness.softmax.jacobian.nonnegative-values"


def _networks(bound: str) -> tuple[Case, ...]:
    """Both networks, by a bound on the whole gradient."""
    gradient = f"sharpness.gradients.total.{bound}"
    return (
        Case(
            "finite", left=TRACE["finite"],
            rests_on=("sharpness.loss_hessian.identity", f"{gradient}[finite]", _VALUES),
            limitations=(ONE_TILE, KINKED),
        ),
        Case(
            "ideal", left=TRACE["ideal"],
            rests_on=("sharpness.loss_hessian.residual.printed[ideal]", f"{gradient}[ideal]", _VALUES),
            limitations=(ONE_TILE, IDEAL),
        ),
    )  # fmt: skip


repaired = claim(
    label="sharpness.loss_hessian.trace.repaired",
    statement="The trace of the Hessian of the squared loss is at most 2 (G_u + ω(ω+4)(D+1) log²T) at every input, for "
    "components of D positions side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball: what F writes into "
    "the positions' channels moves the keys and the query of layer 2.",
    right=theory.REPAIRED,
    domain=EVEN_TILINGS,
    repairs=(printed.label,),
    cases=_networks("repaired"),
)

sharp = claim(
    label="sharpness.loss_hessian.trace.sharp",
    statement="The trace of the Hessian of the squared loss is at most 2ω (4 + 128 D²(⌊D/2⌋+1)/u² + (D+1)(4 + "
    "(ω+4) log²T)) at every input, u = 1 for the steep and 2 for the wide trapezoid, for components of D positions "
    "side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball.",
    right=2 * gradients.G_U_SHARP,
    domain=EVEN_TILINGS,
    improves=repaired.label,
    cases=_networks("sharp"),
)

# --- the residual part ----------------------------------------------------------------------------


_RESIDUAL = _quantity(
    "residual part of the trace", lambda found: found.residual, "finite",
    r"2 (f_\Theta - f)\, \mathrm{tr} \nabla^2 f_\Theta", lambda: theory.residual_part(FINITE),
)  # fmt: skip


def _finite(name: str, relation: str, kind: Kind, what: str) -> Case:
    return Case(
        name,
        statement=f"The residual part 2 (f_Θ - f) tr Hess f_Θ of the trace of the finite construction's loss Hessian "
        f"is {what} at every input, for components of D positions side by side and T ≥ 4.",
        left=_RESIDUAL, right=0, relation=relation, kind=kind, expected="refuted",
        reading="plausible" if relation == "=" else "derived here",
        rests_on=("sharpness.exactness.loss.zero",) if relation == "=" else (), limitations=(ONE_TILE, _EVERY, KINKED),
    )  # fmt: skip


residual = claim(
    label="sharpness.loss_hessian.residual.printed",
    statement="In a network that represents its target exactly the residual part 2 (f_Θ - f) tr Hess f_Θ of the trace "
    "of the loss's Hessian vanishes, so that the trace is 2 |∇f_Θ|² at every input; for components of D positions side "
    "by side and T ≥ 4.",
    role="printed",
    relation="=",
    domain=SHORT_TILINGS,
    cases=(
        # Both sides are measured alone: in symbols the residual of the ideal network cancels before anything is said.
        Case(
            "ideal",
            left=Quantity("trace of the loss Hessian, both parts", parts(_whole, IDEAL_SCALE), _LATEX, rounding=1e-10,
                          scale=1.0),
            right=Quantity("twice the squared gradient", parts(lambda found: found.gauss_newton, IDEAL_SCALE),
                           r"2 \|\nabla f\|^2", rounding=1e-10, scale=1.0),
            reading="certain", rests_on=("sharpness.loss_hessian.identity",), limitations=(ONE_TILE, IDEAL),
        ),
        _finite("finite", "=", "Identity", "zero"),
        _finite("finite,at-least", ">=", "Lower", "never negative"),
        _finite("finite,at-most", "<=", "Upper", "never positive"),
    ),
)  # fmt: skip
