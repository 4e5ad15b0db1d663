"""Theorem 18: the Hessian in four parts by the chain rule, each bounded for all targets and inputs."""

from __future__ import annotations

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.sharpness.hessian import skew
from boundaudit.checks.sharpness.hessian.covariance import total as covariance
from boundaudit.checks.sharpness.hessian.families import ANY, NETWORKS, OFF_KINKS, WHAT
from boundaudit.checks.sharpness.hessian.logits import total as logits
from boundaudit.checks.sharpness.hessian.proofs import stated
from boundaudit.checks.sharpness.hessian.shared import claim
from boundaudit.checks.sharpness.hessian.values import total as values
from boundaudit.derivations.sharpness.hessian_parts import PARTS

_STEPS = {"values": values.steps, "covariance": covariance.steps, "logits": logits.steps, "skew": skew.steps}
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
        expected="proved",
        rests_on=("sharpness.mlp.range[lower]",),
        cases=tuple(stated(f"sharpness.hessian.parts.{part}", n, *_STEPS[part](n)) for n in NETWORKS),
        limitations=(OFF_KINKS,),
    )


parts = tuple(_part(part) for part in PARTS)
