"""Theorem 18: the Hessian in four parts by the chain rule, each bounded for all inputs, and its norm by theirs."""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, OUTPUTS, mean, total
from boundaudit.checks.sharpness.hessian import covariance as covariance
from boundaudit.checks.sharpness.hessian.directions import RANGE, SKEW, Moves, half, own_sizes, reach_squared
from boundaudit.checks.sharpness.hessian.lemmas import in_closed_form, rising
from boundaudit.checks.sharpness.hessian.logits import total as logits
from boundaudit.checks.sharpness.hessian.shared import (
    ANY,
    FLANKED,
    NETWORKS,
    OFF_KINKS,
    VECTORS,
    WHAT,
    axiom,
    claim,
    norm_of,
    setting,
    stated,
    weighted,
)
from boundaudit.checks.sharpness.hessian.values import total as values
from boundaudit.checks.sharpness.targets import ON_A_KINK, PAPER, by_trapezoid
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.hessian_lemmas import THIRD
from boundaudit.derivations.sharpness.hessian_parts import PARTS, Sizes
from boundaudit.derivations.sharpness.parameters import T, t
from boundaudit.derivations.sharpness.vectors import a_ve, b_ve, c_ve, e_ve, f_ve, g_ve, p_ve, q_ve, s_ve
from boundaudit.numeric.sharpness.hessian_parts import Forms, forms
from boundaudit.numeric.sharpness.mlp import Trapezoid

_LABEL, _ROWS = "sharpness.hessian", "sharpness.gradients.rows"


def _moment(of: Moves) -> sp.Expr:
    """|Σ a (g - Σ a g)(q - Σ a q)²|."""
    a, g, q = ATTENTION[of.network], OUTPUTS[of.network], of.share
    return sp.Abs(total(a[t] * (g[t] - mean(of.network)) * (q[t] - total(a[t] * q[t])) ** 2))


form = claim(
    label=f"{_LABEL}.skew.form", role="axiom", relation="=",
    statement="The operator norm of the part E (v - f)(l' - E l')² is what its form is along the direction in which it "
    "is largest: C r² |Σ a (g - Σ a g)(q - Σ a q)²|, g the values over C and q how far changes of logits lie from the "
    "least to the most, r apart.",
    domain=ANY,
    cases=tuple(
        Case(which, left=norm_of("skew", which), right=lambda of=of: SUM * of.reach.atom**2 * _moment(of))
        for which, of in SKEW.items()
    ),
)  # fmt: skip


def steps(which: str) -> tuple[Step, ...]:
    """From the norm to its bound."""
    of = SKEW[which]
    about = {"n_av": T + 1, "a_av": ATTENTION[of.network], "g_av": OUTPUTS[of.network], "q_hl": of.share}
    begun = (
        Step(norm_of("skew", which), "‖E (v - f)(l' - E l')²‖"),
        Step(SUM * of.reach.atom**2 * _moment(of), "along its leading direction", "an operator norm is attained",
             f"{form.label}[{which}]"),
        Step(SUM * of.reach.atom**2 * THIRD, "a third moment on an interval of length r", "at most r³/(6√3)",
             (f"{_ROWS}.weights[{of.network}]", Instance(f"{_LABEL}.moments.third", about))),
        Step(SUM * THIRD * reach_squared(of) * half(of), "R²", "the reach of the logits' changes",
             f"{_LABEL}.directions.reach[{of.name}]"),
    )  # fmt: skip
    unit = f"{_LABEL}.directions.unit[{of.name}]"
    if which == "one-column":
        return (*begun, Step(6 * SUM * THIRD, "at unit length", "", unit))
    end = SUM * THIRD * (KEYS * SPREAD + RANGE.atom**2 * LENGTH + 6)
    return (
        *begun,
        Step(SUM * THIRD * reach_squared(of), "at unit length", "", unit),
        Step(end, "R² summed", "as written down", (
            f"{_ROWS}.rise[{of.network}]", "sharpness.activations.hidden.spread.closed-form",
            f"{_ROWS}.top[{of.network}]", "sharpness.activations.hidden.length.closed-form",
            f"{_ROWS}.keys[{of.network}]",
        )),
    )  # fmt: skip


# --- the Hessian in four parts by the chain rule, each bounded for all inputs, and its norm by theirs ---

_STEPS = {"values": values.steps, "covariance": covariance.steps, "logits": logits.steps, "skew": steps}
_FOR = "for any family of sets of one size D, positive coefficients, T ≥ 4 and any input off the kinks"
_SYMBOLS = (
    "C = Σ c, K = |w2|² and ρ the range of layer 2's logits (K = ρ = 0 where F's last column alone counts), "
    "A = 32 D²(D+1)/u², B = 32 D³/u², L² and Δ the largest |h|² and |h - h'|² of rows' hidden units, "
    "Z² = 1 + 65/(64 D), λ = 4D/u"
)
_BOUNDS = {
    "values": "√(C²Z²(A + 4D+2) + 2A + L²) + √2 C + (1/√3 + 3√2/4) λ/T + Z λ",
    "covariance": "√((C²(A + B + Δ) + 3 + 4Z²λ²C/T)(KΔ + ρ²L² + 6))/4",
    "logits": "C/4 √((4K + ρ²) Z²(4D+2) + 2K + 2ρ² + (√(2(A+B)) + √(6A))² + Z²(√3 λ + 4√2 λ/(CT))²) "
    "+ C/4 (√(ΔK) L + √(2Δ) + √3 L)",
    "skew": "C (KΔ + ρ²L² + 6)/(6√3)",
}


def _part(part: str) -> Claim:
    return claim(
        label=f"sharpness.hessian.parts.{part}", expected="proved",
        statement=f"In the second derivative of the network's output along parameters of unit length the part "
        f"{WHAT[part]}, moments under layer 2's attention of its values v and logits l, has operator norm at most "
        f"{_BOUNDS[part]}, {_FOR}; {_SYMBOLS}.",
        domain=ANY, rests_on=("sharpness.mlp.range[lower]",),
        cases=tuple(stated(f"sharpness.hessian.parts.{part}", n, *_STEPS[part](n)) for n in NETWORKS),
        limitations=(OFF_KINKS,),
    )  # fmt: skip


parts = tuple(_part(part) for part in PARTS)


# --- the Hessian along the direction in which it is largest, in four parts, and its norm by theirs ---


@functools.lru_cache(maxsize=64)
def _forms(points: tuple[tuple[tuple[str, Any], ...], ...], device: str, which: str) -> Forms:
    *networks, smooth = setting(Columns([dict(point) for point in points], device), which)
    return Forms(*(found.where(smooth, torch.nan) for found in forms(*networks)))  # type: ignore[arg-type]


def _along(name: str, field: str, latex: str, which: str) -> Quantity:
    """A number of the leading direction of Hess f."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        found: Tensor = getattr(_forms(tuple(tuple(p.items()) for p in at.points), at.device, which), field)
        return found

    return Quantity(
        f"{name} along the leading direction of Hess f, {which} network", by_trapezoid(of), latex, rounding=1e-9,
        scale=1.0, except_at=ON_A_KINK, nonnegative=field == "moving",
    )  # fmt: skip


_Bound = Callable[[str], sp.Expr]
"""From a key of `hessian_parts.RISING` to it, in closed form."""
_LATEX = {"values": "V", "covariance": "K", "logits": "L", "skew": "S"}
_FORM = {
    which: {part: _along(WHAT[part], part, shown, which).atom for part, shown in _LATEX.items()} for which in NETWORKS
}
_MOVING = {which: _along("share of what moves logits", "moving", "h", which).atom for which in NETWORKS}


def _total(which: str) -> sp.Expr:
    """The size of the sum of the four forms."""
    return sp.Abs(sp.Add(*_FORM[which].values()))


def _norms(which: str) -> dict[str, sp.Expr]:
    """The operator norms of the four parts."""
    return {part: norm_of(part, which).atom for part in _LATEX}


_FORMS_LABEL = "sharpness.hessian.forms"
attained = axiom(
    label=f"{_FORMS_LABEL}.attained",
    statement="The operator norm of the Hessian is what its form is along the direction in which it is largest, the "
    "sum of those of E v'', 2 Cov(v', l'), Cov(v, l'') and E (v - f)(l' - E l')²: the chain rule.",
    cases=tuple(
        Case(which, left=norm_of("whole", which), right=lambda which=which: _total(which)) for which in NETWORKS
    ),
)


def _bound(part: str, which: str) -> Case:
    form, norm, moving = _FORM[which][part], _norms(which)[part], _MOVING[which]
    left = form**2 if part == "covariance" else sp.Abs(form)
    right = {"covariance": 4 * norm**2 * moving * (1 - moving), "skew": norm * moving}.get(part, norm)
    return Case(f"{part}-{which}", left=lambda: left, right=lambda: right)


bounded = axiom(
    label=f"{_FORMS_LABEL}.bounded", relation="<=",
    statement="Along a direction of unit length the form of a part is at most its operator norm. That of "
    "E (v - f)(l' - E l')² is at most its norm times the share h of what moves logits, F's columns that write "
    "positions and W2, as it has no other entries; that of 2 Cov(v', l'), which pairs these with the rest, is in "
    "squares at most 4 h (1-h) times its squared norm.",
    cases=(
        *(_bound(part, which) for which in NETWORKS for part in _LATEX),
        *(Case(f"share-{which}", left=lambda which=which: _MOVING[which], right=1) for which in NETWORKS),
    ),
)  # fmt: skip


def _uses(which: str, own: _Bound, larger: _Bound) -> tuple[str | Instance, ...]:
    """What bounds the sum of the four forms by what bounds the norms of the parts, and by what that is at most."""
    form, norm, moving = _FORM[which], _norms(which), _MOVING[which]
    beside = larger("pairings") + larger("others")
    squared = larger("reach") * larger("changes") / 16
    at = {
        b_ve: form["values"], a_ve: form["covariance"], c_ve: form["logits"], s_ve: form["skew"],
        e_ve: larger("values"), f_ve: beside, p_ve: larger("skew"), q_ve: squared, g_ve: moving,
    }  # fmt: skip
    return (
        *(f"{bounded.label}[{name}-{which}]" for name in (*_LATEX, "share")),
        _raised(form["values"], norm["values"], own("values"), sp.S.Zero, larger("values"), sp.S.Zero),
        _raised(form["logits"], norm["logits"], own("pairings"), own("others"), larger("pairings"), larger("others")),
        Instance(f"{VECTORS}.squared", {
            a_ve: norm["covariance"], e_ve: own("reach"), f_ve: own("changes"), p_ve: larger("reach"),
            q_ve: larger("changes"),
        }),
        weighted(moving, norm["skew"], larger("skew")),
        weighted(4 * moving * (1 - moving), norm["covariance"] ** 2, squared),
        Instance(f"{VECTORS}.parts", at),
    )  # fmt: skip


def _raised(*numbers: sp.Expr) -> Instance:
    return Instance(f"{VECTORS}.raised", dict(zip((a_ve, b_ve, e_ve, f_ve, p_ve, q_ve), numbers, strict=True)))


# --- the whole ------------------------------------------------------------------------------------

_ENDS: dict[str, tuple[tuple[Sizes, ...], tuple[str, ...]]] = {
    "floor": ((theorem.OF_C, theorem.OF_KEYS, theorem.OF_RANGE), ("sum", "keys", "floored")),
    "own": ((theorem.ANY_RANGE, theorem.TARGET), ("any",)),
    "one-column": ((theorem.NO_LOGITS, theorem.OF_C), ("sum",)),
}  # fmt: skip
"""What stands for C, |w2|² and the range of logits, and why: for coefficients from T⁻⁴ to 1, for any, for no logits."""
_THREE = (theorem.total_h, theorem.keys_h, theorem.range_h)


def whole(name: str, which: str, domain: Domain, ends: str, right: sp.Expr) -> Case:
    """The bound on the whole Hessian of a network, a case of `name`, by what stands for C, |w2|² and the range."""
    sizes, why = _ENDS[ends]
    larger = {size: theorem.put(size, *sizes) for size in _THREE}
    own = own_sizes(which)
    chain = Derivation(
        label=f"sharpness.hessian.{name}.{which}", title=f"A bound on the Hessian, {which} network", domain=domain,
        samples=FLANKED, paper=PAPER, place=("Theorem 18",), steps=(
            Step(norm_of("whole", which), "‖Hess f‖"),
            Step(_total(which), "along its leading direction", "the chain rule's parts", f"{attained.label}[{which}]"),
            Step(right, "values, logits, skew and covariance", "two halves of the parameters", (
                *(f"sharpness.hessian.ends.{name}" for name in why),
                *rising(own, larger),
                *(f"sharpness.hessian.parts.{part}[{which}]" for part in theorem.PARTS),
                *_uses(which, partial(in_closed_form, sizes=own), partial(in_closed_form, sizes=larger)),
            )),
        ),
    )  # fmt: skip
    return Case(which, left=norm_of("whole", which), derivation=chain)
