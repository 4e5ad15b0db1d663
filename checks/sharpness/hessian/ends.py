"""Theorem 18: what the sum of the coefficients, the length of the logits and their range are at most."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.shared import numbered
from boundaudit.checks.sharpness.hessian.directions import RANGE
from boundaudit.checks.sharpness.hessian.families import FLOORED, SEEN
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, lemma, stated, weighted
from boundaudit.checks.sharpness.hessian.shared import SCALES
from boundaudit.checks.sharpness.targets import FLOOR, trapezoid
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS, LOGIT
from boundaudit.derivations.sharpness.hessian_lemmas import LONGEST_LOGIT, c_hl
from boundaudit.derivations.sharpness.parameters import T, c, omega, t
from boundaudit.derivations.sharpness.vectors import a_ve, g_ve, h_ve, p_ve
from boundaudit.numeric.sharpness.hessian_directions import extremes
from boundaudit.numeric.sharpness.row_sums import rows

_LABEL = "sharpness.hessian.ends"
_UNIT = Reals(0, 1)


def _picked(network: str) -> Family:
    """Which logits are the largest and the smallest, where two rows have them; one that is no logit is zero."""

    def measure(points: Sequence[Point], device: str) -> Array:
        found = np.zeros((len(points), 2, max(point["omega"] for point in points)))
        for width in {point["u"] for point in points}:
            chosen = [n for n, point in enumerate(points) if point["u"] == width]
            at = Columns([points[n] for n in chosen], device)
            r = rows(*numbered(at), mlp=trapezoid(at), scale=SCALES[network])
            picks = extremes(r.logits, r.a > 0)
            own = picks[..., None].cpu() == np.arange(found.shape[-1])
            found[chosen] = own.double().numpy() * (picks[:, :1] != picks[:, 1:]).cpu().numpy()[..., None]  # type: ignore[attr-defined]
        return found

    return Family(f"largest and smallest logit, {network} network", measure, "e", (2, omega), _UNIT)


PICKED = {network: _picked(network) for network in SCALES}


def _ends(network: str) -> sp.Expr:
    """Σ (e - e') (log c + 2 log T)."""
    e = PICKED[network]
    return sp.Sum((e[1, t] - e[2, t]) * LOGIT, (t, 1, omega))


def _count(network: str) -> sp.Expr:
    e = PICKED[network]
    return sp.Sum(e[1, t] + e[2, t], (t, 1, omega))


logits = axiom(
    label=f"{_LABEL}.logits",
    statement="The range of layer 2's logits is the largest of the numbers log c + 2 log T and 0 less the smallest.",
    cases=tuple(Case(n, left=RANGE[n], right=lambda n=n: _ends(n)) for n in SCALES),
)
two = axiom(
    label=f"{_LABEL}.two",
    statement="One coefficient at most makes the largest logit, and one the smallest.",
    relation="<=",
    right=2,
    cases=tuple(Case(n, left=lambda n=n: _count(n)) for n in SCALES),
)

total = lemma(
    label=f"{_LABEL}.sum",
    statement="The sum of ω coefficients in the unit ball is at most √ω: Cauchy-Schwarz.",
    left=SUM,
    right=sp.sqrt(omega),
    domain=SEEN,
)
keys = lemma(
    label=f"{_LABEL}.keys",
    statement="Σ (log c + 2 log T)² is at most 4 ω log²T for coefficients from T⁻⁴ to 1.",
    left=KEYS,
    right=4 * omega * sp.log(T) ** 2,
    domain=FLOORED,
)

_PAIR = {g_ve: _UNIT, h_ve: _UNIT}
part = lemma(
    label=f"{_LABEL}.part",
    statement="(g - h)(log c + 2 log T) is at most 2 (g + h) log T for g and h between 0 and 1 and c from T⁻⁴ to 1.",
    left=(g_ve - h_ve) * (sp.log(c_hl) + 2 * sp.log(T)),
    right=(g_ve + h_ve) * LONGEST_LOGIT,
    domain=Domain({T: Integers(2), c_hl: Reals(FLOOR, 1), **_PAIR}),
)
differ = lemma(
    label=f"{_LABEL}.differ",
    statement="(g - h)² is at most g + h for g and h between 0 and 1.",
    left=(g_ve - h_ve) ** 2,
    right=g_ve + h_ve,
    domain=Domain(_PAIR),
)


def _floored(network: str) -> Case:
    e = PICKED[network]
    at = {g_ve: e[1, t], h_ve: e[2, t], c_hl: c[t]}
    return stated(
        f"{_LABEL}.floored", network,
        Step(RANGE[network], "ρ"),
        Step(_ends(network), "largest less smallest", "", f"{logits.label}[{network}]"),
        Step(LONGEST_LOGIT * _count(network), "each at most 2 log T in size", "",
             Instance(part.label, at, over=(t, 1, omega))),
        Step(2 * LONGEST_LOGIT, "two of them", "", f"{two.label}[{network}]"),
        domain=FLOORED,
    )  # fmt: skip


def _any(network: str) -> Case:
    e = PICKED[network]
    squares = sp.Sum((e[1, t] - e[2, t]) ** 2, (t, 1, omega))
    rho = RANGE[network].atom
    bound = sp.sqrt(2 * KEYS)
    return stated(
        f"{_LABEL}.any", network,
        Step(RANGE[network], "ρ"),
        Step(bound, "√2 |w2|", "Cauchy-Schwarz", (
            f"{logits.label}[{network}]", f"{two.label}[{network}]",
            Instance(f"{VECTORS}.cauchy", {
                "n_av": omega, "x_ve": lambda t: e[1, t] - e[2, t], "y_ve": lambda t: sp.log(c[t]) + 2 * sp.log(T),
            }),
            Instance(differ.label, {g_ve: e[1, t], h_ve: e[2, t]}, over=(t, 1, omega)),
            weighted(KEYS, squares, sp.Integer(2)),
            Instance(f"{VECTORS}.below", {a_ve: rho, p_ve: bound}),
        )),
    )  # fmt: skip


floored = lemma(
    label=f"{_LABEL}.floored",
    statement="The range of layer 2's logits is at most 4 log T for coefficients from T⁻⁴ to 1.",
    domain=FLOORED,
    cases=tuple(map(_floored, SCALES)),
)
unbounded = lemma(
    label=f"{_LABEL}.any",
    statement="The range of layer 2's logits is at most √2 |w2|.",
    cases=tuple(map(_any, SCALES)),
)
