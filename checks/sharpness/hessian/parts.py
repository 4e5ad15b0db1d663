"""Theorem 18: the Hessian in four parts by the chain rule, each bounded for all targets and inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.sharpness.hessian import skew
from boundaudit.checks.sharpness.hessian.covariance import total as covariance
from boundaudit.checks.sharpness.hessian.families import ANY, NETWORKS, OFF_KINKS, SAMPLES, WHAT, measured_as
from boundaudit.checks.sharpness.hessian.shared import claim
from boundaudit.checks.sharpness.hessian.values import total as values
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.hessian_parts import Sizes

# --- from rows to closed forms --------------------------------------------------------------------


class _Closing(NamedTuple):
    """A step of a chain that puts closed forms in for sizes.

    Attributes:
        name: What is put in.
        sizes: For which sizes.
        claim: Where it is proved.
    """

    name: str
    sizes: Sizes
    claim: str


_ROWS = (
    _Closing("rows of components are flat", theorem.FLAT, "sharpness.exactness.plateau.margin[four]"),
    _Closing("slopes at most 4D/u", theorem.FLANKS, "sharpness.mlp.slope"),
    _Closing("unused rows weigh little", theorem.LEAK, "sharpness.hessian.lemmas.leak"),
    _Closing("weights of units that are on", theorem.GATES, "sharpness.hessian.gates.weights"),
    _Closing("those on in one of two rows", theorem.RISE, "sharpness.hessian.gates.rise"),
    _Closing("units that are on", theorem.UNITS, "sharpness.hessian.gates.units"),
    _Closing("what moves an average of bits", theorem.TOKEN, "sharpness.hessian.lemmas.token"),
    _Closing("hidden units in length", theorem.HIDDEN, "sharpness.activations.hidden.length"),
    _Closing("hidden units of two rows", theorem.HIDDEN_SPREAD, "sharpness.activations.hidden.spread"),
    _Closing("rows of the stream", theorem.STREAM, "sharpness.mlp.range[upper]"),
    _Closing("values about their average", theorem.SWING, "sharpness.hessian.moments.swing"),
)


def _closed(start: sp.Expr, which: str, what: str) -> Iterator[Step]:
    """Steps that put closed forms in, one after the other, leaving out those that change nothing."""
    for closing in _ROWS:
        expression = theorem.put(start, closing.sizes)
        if expression != start:
            start = expression
            value = measured_as(f"{what}: {closing.name}", start, which)
            yield Step(value, closing.name, "put in", closing.claim)


_BY_STEPS = {"covariance": covariance.steps, "skew": skew.steps, "values": values.steps}


def _steps(part: str, which: str) -> tuple[Step, ...]:
    if part in _BY_STEPS:
        return _BY_STEPS[part](which)
    what = WHAT[part]
    start = theorem.PARTS[part].xreplace(theorem.NO_LOGITS if which == "one-column" else {})
    left = measured_as(f"norm of {what}", theorem.NORMS[part], which)
    own = measured_as(f"{what}: rows' own lengths", start, which)
    by_rows = Step(own, "rows' own lengths, by the chain rule", "Cauchy-Schwarz")
    return (Step(left, f"‖{what}‖"), by_rows, *_closed(start, which, what))


def _case(part: str, which: str) -> Case:
    steps = _steps(part, which)
    chain = Derivation(
        label=f"sharpness.hessian.parts.{part}.{which}", title=f"A bound on {WHAT[part]}, {which} network", steps=steps,
        domain=ANY, samples=SAMPLES, paper=PAPER, place=("Theorem 18",),
    )  # fmt: skip
    return Case(which, left=steps[0].value, right=steps[-1].value, derivation=chain)


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
        label=f"sharpness.hessian.parts.{part}",
        statement=f"In the second derivative of the network's output along parameters of unit length the part "
        f"{WHAT[part]}, moments under layer 2's attention of its values v and logits l, has operator norm at most "
        f"{_BOUNDS[part]}, {_FOR}; {_SYMBOLS}.",
        domain=ANY,
        expected="proved" if part in _BY_STEPS else "supported",
        rests_on=("sharpness.mlp.range[lower]",),
        cases=tuple(_case(part, which) for which in NETWORKS),
        limitations=(OFF_KINKS,),
    )


parts = tuple(_part(part) for part in theorem.PARTS)
