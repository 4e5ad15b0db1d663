"""Theorem 17 as a chain: from the trace of a noisy network's loss Hessian to the printed 2 G_u + P."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np
import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import evaluated
from boundaudit.checks.sharpness.targets import PAPER, STEEP
from boundaudit.checks.sharpness.taylor.shared import sizes
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.hessian import H_U
from boundaudit.derivations.sharpness.parameters import D, T, d, omega, u
from boundaudit.derivations.sharpness.perturbed_gradient import G_P
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import T_P

Sizes = Mapping[str, Array]


def _bound(value: Callable[[], sp.Expr]) -> Measure:
    return evaluated(lambda: value().subs(d, T + 1))


_BOUNDS: dict[str, Measure] = {
    "G_u": _bound(lambda: G_U), "G_p": _bound(lambda: G_P), "T_p": _bound(lambda: T_P),
    "H_u": _bound(lambda: H_U), "H_p": _bound(lambda: H_P),
    "end": _bound(lambda: 2 * G_U + theorem.p_restored()), "printed": _bound(lambda: 2 * G_U + theorem.p_printed()),
}  # fmt: skip


def _node(of: Callable[[Sizes], Array], name: str, cites: str, latex: str, claim: str | None = None) -> Step:
    """The mean of one node over inputs and draws, from what was measured and what the bounds say."""

    def measure(points: Sequence[Point], device: str) -> Array:
        return np.array([_mean(of, point, device) for point in points])

    return Step(Quantity(name, measure, latex), name, cites, claim)


def _mean(of: Callable[[Sizes], Array], point: Point, device: str) -> float:
    found = sizes(point["T"], point["D"], point["omega"], point["u"], float(point["sigma"]), device)
    return float(np.mean(of({**found, **{name: bound([point], device) for name, bound in _BOUNDS.items()}})))


_STEPS = (
    _node(lambda s: s["trace"], "measured trace after the noise", "", r"\mathrm{tr}\,H(\tilde\Theta)"),
    _node(
        lambda s: 2 * s["noisy"] ** 2 + 2 * s["residual"] * s["count"] * s["noisy_norm"],
        "trace by the operator norm", "tr A ≤ |Θ| op A",
        r"2\|\tilde g\|^2 + 2|\tilde r|\,|\Theta|\,\|\tilde H\|",
    ),
    _node(
        lambda s: 2 * (s["plain"] + s["change"]) ** 2
        + 2 * (s["start"] + s["moved"]) * s["count"] * (s["norm"] + s["norm_change"]),
        "changes apart", "triangle inequality",
        r"2(\|g\| + \|\Delta g\|)^2 + 2(|r| + |\Delta f|)\,|\Theta|\,(\|H\| + \|\Delta H\|)",
    ),
    _node(
        lambda s: 2 * (s["G_u"] ** 0.5 + s["change"]) ** 2
        + 2 * (s["start"] + s["moved"]) * s["count"] * (s["H_u"] + s["norm_change"]),
        "at the construction", "|∇f|² ≤ G_u, op Hess f ≤ H_u",
        r"2(\sqrt{G_u} + \|\Delta g\|)^2 + 2(|r| + |\Delta f|)\,|\Theta|\,(H_u + \|\Delta H\|)",
    ),
    _node(
        lambda s: 2 * (s["G_u"] ** 0.5 + s["G_p"]) ** 2
        + 2 * (s["start"] + s["moved"]) * s["count"] * (s["H_u"] + s["H_p"]),
        "changes of gradient and Hessian", "|Δ∇f| ≤ G_p, op ΔHess f ≤ H_p",
        r"2(\sqrt{G_u} + G_p)^2 + 2(|r| + |\Delta f|)\,|\Theta|\,(H_u + H_p)",
    ),
    _node(
        lambda s: 2 * (s["G_u"] ** 0.5 + s["G_p"]) ** 2
        + 2 * (s["start"] + s["T_p"]) * s["count"] * (s["H_u"] + s["H_p"]),
        "change of the output", "|Δf| ≤ T_p",
        r"2(\sqrt{G_u} + G_p)^2 + 2(|r| + T_p)\,|\Theta|\,(H_u + H_p)",
    ),
    _node(
        lambda s: s["end"], "2 G_u + P with σ", "as printed: zero residual, factor 1 for 2", r"2 G_u + P",
        "sharpness.taylor.trace.change.printed",
    ),
    _node(
        lambda s: s["printed"], "2 G_u + P as printed", "two terms of G_p without σ", r"2 G_u + P",
        "sharpness.perturbed.gradient.left-over",
    ),
)  # fmt: skip

_SAMPLE: Point = {"T": 6, "D": 2, "omega": 2, "u": 1}

chain = Derivation(
    label="sharpness.taylor.chain",
    title="The trace of the loss Hessian after noise: means over eight inputs with a draw each",
    steps=_STEPS,
    domain=Domain({
        T: Choices(four=4), D: Integers(1, 2), omega: Integers(1, 2), u: STEEP,
        sigma: Choices(millionth=Fraction(1, 10**6), hundredth=Fraction(1, 100)),
    }),
    samples={f"T=6, D=2, ω=2, σ={sigma:g}": {**_SAMPLE, "sigma": sigma} for sigma in (1e-6, 1e-4, 1e-2)},
    paper=PAPER,
    place=("Theorem 17",),
)  # fmt: skip
