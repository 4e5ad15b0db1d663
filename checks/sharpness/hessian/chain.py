"""Theorem 18: where the bounds on the Hessian lose, step by step, on whole Hessians at T = 4."""

from __future__ import annotations

from collections.abc import Callable

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.hessian.shared import FEW, SCALES, Found, on_few
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import hessian as theorem
from boundaudit.derivations.sharpness.parameters import T, d

_SIX = (("M", "V2"), ("Gamma", "V2"), ("F", "V2"), ("W2", "V2"), ("M", "F"), ("Gamma", "F"))


def _of(name: str, latex: str, number: Callable[[Found], float]) -> Quantity:
    return Quantity(name, on_few(number, SCALES["finite"]), latex)


_NORM = _of("‖Hess f‖", r"\|\nabla^2 f\|", lambda found: found.whole.operator)
_BLOCKS = _of("Σ block norms", r"\sum_{a \le b} \|H_{ab}\|", lambda found: sum(found.whole.blocks.values()))
_KEPT = _of("Σ norms of six blocks", r"\sum_6 \|H_{ab}\|", lambda found: sum(found.whole.blocks[pair] for pair in _SIX))
_MEAN = _of("√|Θ| ‖Hess f‖_F", r"\sqrt{|\Theta|}\, \|\nabla^2 f\|_F",
            lambda found: found.whole.frobenius * found.whole.parameters**0.5)  # fmt: skip
_TIMES = _of("|Θ| ‖Hess f‖", r"|\Theta|\, \|\nabla^2 f\|", lambda found: found.whole.operator * found.whole.parameters)
_FULL = theorem.PARAMETERS.subs(d, T + 1)
_SAMPLES: dict[str, Point] = {
    "D=1, ω=1": {"T": 4, "omega": 1, "D": 1, "u": 1, "n_e": 0, "n_r": 1},
    "D=1, ω=4": {"T": 4, "omega": 4, "D": 1, "u": 1, "n_e": 1, "n_r": 0},
    "D=2, ω=2": {"T": 4, "omega": 2, "D": 2, "u": 1, "n_e": 1, "n_r": 0},
}


def _chain(name: str, title: str, *steps: Step) -> Derivation:
    return Derivation(
        label=f"sharpness.hessian.{name}", title=title, steps=steps, domain=FEW, samples=_SAMPLES,
        paper=PAPER, place=("Theorem 18", "Appendix K"),
    )  # fmt: skip


published = _chain(
    "chain-published", "The printed bound on the Hessian's norm",
    Step(_NORM, "measured norm"),
    Step(_KEPT, "six blocks", "triangle, the other blocks taken as zero", "sharpness.hessian.blocks.six"),
    Step(theorem.H_U_ONE_HOT, "printed H_u", "Cauchy-Schwarz and Hölder, block by block",
         "sharpness.hessian.bound.printed"),
)  # fmt: skip

repaired = _chain(
    "chain-repaired", "The repaired bound on the Hessian's norm",
    Step(_NORM, "measured norm"),
    Step(_BLOCKS, "all unique blocks", "triangle, 2xy ≤ x² + y²"),
    Step(theorem.equal(theorem.h_star_own()), "five terms, own C and |w2|", "chain rule, variances, Cauchy-Schwarz"),
    Step(theorem.H_STAR, "H*", "C ≤ √ω, |w2| ≤ 2 √ω log T", "sharpness.hessian.repaired.total"),
)  # fmt: skip

trace = _chain(
    "chain-trace", "From the trace of the Hessian to |Θ| H_u",
    Step(_MEAN, "√|Θ| times the Frobenius norm, at least |tr Hess f|"),
    Step(_TIMES, "|Θ| times the norm", "every eigenvalue at most the norm"),
    Step(_FULL * theorem.H_U_ONE_HOT, "|Θ| H_u as printed", "printed bound and count"),
)  # fmt: skip
