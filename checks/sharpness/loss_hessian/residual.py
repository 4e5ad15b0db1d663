"""The residual part 2 (f_Θ - f) tr Hess f_Θ of the loss Hessian's trace: not zero at finite length, and how small."""

from __future__ import annotations

from typing import Any

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.verdicts import Kind
from boundaudit.checks.sharpness.disjoint_supports import KINKED, ONE_TILE
from boundaudit.checks.sharpness.gradients.rows import OUTPUTS
from boundaudit.checks.sharpness.loss_hessian import network, rows
from boundaudit.checks.sharpness.loss_hessian.shared import (
    EVERY,
    IDEAL,
    IDEAL_SCALE,
    SHORT_TILINGS,
    claim,
    on_tilings,
    parts,
)
from boundaudit.checks.sharpness.proofs import FAMILIES, proof
from boundaudit.checks.sharpness.targets import BOTH
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.attention import SUM, C
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.loss_hessian import e_lh, p_lh, r_lh, w_lh
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u

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
    label="sharpness.loss_hessian.residual.leak",
    statement="The leak C N/(C T² + N) of layer 2, N = T+1-ω, is at most N/T², whatever the sum C of the coefficients.",
    left=theory.LEAK_OF_SUM,
    right=theory.LEAKED,
    domain=Domain({**_SHAPE, C: Reals(0, open_low=True, tested_to=8)}),
    expected="proved",
)

apart = claim(
    label="sharpness.loss_hessian.residual.units",
    statement="With H and R, the largest squared length of a row's hidden units and distance of two rows', ω R + 4 H "
    "is at most 4(D+1)(ω+4).",
    left=theory.UNITS,
    right=theory.UNITS_SIMPLE,
    domain=Domain({omega: Integers(1, tested_to=24), **_DEGREES}),
    expected="proved",
    rests_on=("sharpness.activations.hidden.length.simple",),
)

logarithm = claim(
    label="sharpness.loss_hessian.residual.logarithm",
    statement="The square of 4 log w is at most 9w²/4 for w ≥ 1: with w the fourth root of T, log²T is at most 9√T/4.",
    left=16 * sp.log(w_lh) ** 2,
    right=sp.Rational(9, 4) * w_lh**2,
    domain=Domain({w_lh: Reals(1)}),
    expected="proved",
)

roots = claim(
    label="sharpness.loss_hessian.residual.roots",
    statement="For p from 1 to r and r ≥ 2, (p²+4)(r²+1-p²) is at most 5/2 p r³: with p = √ω and r = √T, "
    "(ω+4)(T+1-ω) is at most 5/2 √ω T^(3/2).",
    left=theory.ROOTS,
    right=theory.ROOTS_MOST,
    domain=Domain({r_lh: Reals(2, tested_to=20), p_lh: Reals(1, r_lh)}),
    expected="proved",
)

small = claim(
    label="sharpness.loss_hessian.residual.small-terms",
    statement="For p ≥ 1 and ε from 0 to 1/4, 3εp + 12Dε²/u is at most 3p²(D+1); p = √ω and ε = (T+1-ω)/T².",
    left=theory.SMALL_TERMS,
    right=theory.SMALL_TERMS_MOST,
    domain=Domain({**_DEGREES, p_lh: Reals(1, tested_to=20), e_lh: Reals(0, sp.Rational(1, 4))}),
    expected="proved",
)

triangle = claim(
    label="sharpness.loss_hessian.residual.triangle",
    statement="A number times the sum of three others is in size at most its size times the sum of theirs.",
    left=theory.PRODUCT,
    right=theory.PRODUCT_OF_SIZES,
    domain=Domain(dict.fromkeys((theory.r_0, theory.t_1, theory.t_2, theory.t_3), Reals(tested_to=8))),
    expected="proved",
)

_FAMILY = "for any family of sets, every input, T ≥ 4 and coefficients from T⁻⁴ to 1"
_SIZE, _ERROR, _TRACES = sp.Abs(rows.residual("finite")), rows.ERROR["finite"].atom, rows.TRACES["finite"]
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
        _UNUSED, _INDICATORS, _OUTPUT, f"{rows.error.label}[finite]",
        Instance("sharpness.averages.size", {"v_av": _ERROR, "e_av": theory.LEAK}),
    )),
    Step(theory.RESIDUAL, "every block bounded", "",
         (_UNUSED, *(f"{network.trace.label}[{block}]" for block in theory.NETWORK))),
)  # fmt: skip

_LEAKED = (_UNUSED, Instance(leak.label, {C: SUM}))


def _times(factor: sp.Expr, small: sp.Expr, large: sp.Expr) -> Instance:
    return Instance("sharpness.averages.weighted", {"e_av": factor, "v_av": small, "x_av": large})


size = claim(
    label="sharpness.loss_hessian.residual.size",
    statement="The residual part 2 (f_Θ - f) tr Hess f_Θ of the trace of the loss's Hessian is small, both ways.",
    left=_SIZE,
    expected="proved",
    limitations=(KINKED,),
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
    label="sharpness.loss_hessian.residual.free",
    statement="With ε = (T+1-ω)/T², and H and R the largest squared length of a row's hidden units and distance of two "
    "rows', 2ε (√ω (3/2 + log²T (ω R + 4H)) + 6Dε/u) is at most 48 ω (D+1), whatever the length T ≥ 4.",
    left=theory.RESIDUAL_SIMPLE,
    right=theory.RESIDUAL_FREE,
    domain=_FREE,
    expected="proved",
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
