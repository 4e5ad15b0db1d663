"""The trace of the loss Hessian: the printed bound 2 G_u, its repair, and what the residual part adds."""

from __future__ import annotations

import functools

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices
from boundaudit.checks.language.statement import Relation
from boundaudit.checks.sharpness.loss_hessian.shared import (
    EVEN_TILINGS,
    FINITE_SCALE,
    IDEAL,
    IDEAL_SCALE,
    KINKED,
    ONE_TILE,
    SHORT_TILINGS,
    SINGLE_BITS,
    SQUARED,
    TWO_READINGS,
    claim,
    parts,
)
from boundaudit.checks.sharpness.targets import STEEP, WIDE
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.disjoint_supports import IDEAL as IDEAL_ROWS

_LATEX = r"\mathrm{tr} \nabla^2 L"
_whole = {"finite": FINITE_SCALE, "ideal": IDEAL_SCALE}
_GAUSS_NEWTON = theory.gauss_newton(FINITE)
_quantity = functools.partial(Quantity, rounding=1e-10, scale=1.0)

TRACE = {
    "finite": _quantity(
        "trace of the loss Hessian", parts(lambda p: p.gauss_newton + p.residual, FINITE_SCALE), _LATEX,
        _GAUSS_NEWTON + theory.residual_part(FINITE),
    ),
    "ideal": _quantity(
        "trace of the loss Hessian, ideal network", parts(lambda p: p.gauss_newton + p.residual, IDEAL_SCALE), _LATEX,
        theory.gauss_newton(IDEAL_ROWS),
    ),
}  # fmt: skip


def _published(network: str, trapezoid: str, choice: Choices) -> Claim:
    where = "ideal network" if network == "ideal" else "construction at finite length"
    return claim(
        label=f"sharpness.loss_hessian.trace.published-{network}-{trapezoid}",
        statement=f"With the {trapezoid} trapezoid the trace of the loss Hessian of the {where} is at most 2 G_u at "
        "every input.",
        left=TRACE[network],
        relation="<=",
        right=theory.PUBLISHED,
        domain=SINGLE_BITS.replace(u=choice),
        reading="certain" if network == "ideal" else "plausible",
        expected="refuted",
        limitations=(ONE_TILE, TWO_READINGS, SQUARED, *((IDEAL,) if network == "ideal" else (KINKED,))),
    )


published = tuple(
    _published(network, trapezoid, choice)
    for network in TRACE
    for trapezoid, choice in (("steep", STEEP), ("wide", WIDE))
)


def _repaired(network: str) -> Claim:
    return claim(
        label=f"sharpness.loss_hessian.trace.repaired-{network}",
        statement=f"In the {network} network the trace of the loss Hessian is at most 2 (G_u + ω(ω+4)(D+1) log²T): "
        "what F writes into the positions' channels moves the keys and the query of layer 2.",
        left=TRACE[network],
        relation="<=",
        right=theory.REPAIRED,
        domain=EVEN_TILINGS,
        expected="certified",
        rests_on=("sharpness.softmax.jacobian.nonnegative-values",),
        repairs=tuple(f"sharpness.loss_hessian.trace.published-{network}-{name}" for name in ("steep", "wide")),
        limitations=(ONE_TILE, *((IDEAL,) if network == "ideal" else (KINKED,))),
    )


repaired = tuple(_repaired(network) for network in TRACE)

# --- the residual part ----------------------------------------------------------------------------

_EVERY = "The theorems suppose exact representation, which holds in the ideal network alone."
_GAUSS_NEWTON_PART = _quantity(
    "twice the squared gradient", parts(lambda p: p.gauss_newton, FINITE_SCALE), r"2 \|\nabla f\|^2", _GAUSS_NEWTON
)


def _interpolation(name: str, relation: Relation, what: str) -> Claim:
    return claim(
        label=f"sharpness.loss_hessian.residual.{name}",
        statement=f"The trace of the construction's loss Hessian is {what} 2 |∇f|² at every input, the residual part "
        "being dropped.",
        left=TRACE["finite"],
        relation=relation,
        right=_GAUSS_NEWTON_PART,
        domain=SHORT_TILINGS,
        reading="plausible" if name == "dropped" else "derived here",
        expected="refuted",
        rests_on=("sharpness.exactness.loss.zero",) if name == "dropped" else (),
        limitations=(ONE_TILE, _EVERY, KINKED),
    )


dropped = _interpolation("dropped", "=", "equal to")
never_below = _interpolation("nonnegative", ">=", "at least")
never_above = _interpolation("nonpositive", "<=", "at most")

ideal = claim(
    label="sharpness.loss_hessian.residual.ideal",
    statement="In the ideal network, which interpolates, the trace of the loss Hessian is 2 |∇f|².",
    left=_quantity(
        "trace of the ideal network's loss Hessian, both parts",
        parts(lambda p: p.gauss_newton + p.residual, IDEAL_SCALE), _LATEX,
        theory.gauss_newton(IDEAL_ROWS) + theory.residual_part(IDEAL_ROWS),
    ),
    relation="=",
    right=theory.gauss_newton(IDEAL_ROWS),
    domain=SHORT_TILINGS,
    reading="certain",
    expected="certified",
    repairs=tuple(f"sharpness.loss_hessian.residual.{name}" for name in ("dropped", "nonnegative", "nonpositive")),
    limitations=(ONE_TILE, IDEAL),
)  # fmt: skip
