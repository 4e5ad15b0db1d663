"""Proofs by steps for any family of sets with any input, measured at the published example among others."""

from __future__ import annotations

from collections.abc import Mapping

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.domain import Domain, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.gradients.shared import FROM_FOUR, IN_THE_BALL
from boundaudit.checks.sharpness.targets import FLOOR, PAPER
from boundaudit.derivations.sharpness.parameters import omega

FAMILIES = IN_THE_BALL.replace(T=FROM_FOUR)
"""Any family of sets of equal size with coefficients from T⁻⁴ to 1 in the unit ball, T ≥ 4, each with any input."""

FLOORED = FAMILIES.replace(c=Vector(omega, Reals(FLOOR, 1)))
"""The same with their sum unbounded; logits of layer 2 are at most 2 log T in size."""

_PAIRS = tuple((n, n + 1) for n in range(1, 20, 2))
PAIRS: Point = {"T": 20, "D": 2, "omega": 10, "u": 1, "c": (10**-0.5 * (1 - 2**-50),) * 10, "S": _PAIRS}
"""Ten pairs side by side among twenty bits, with equal coefficients just inside the unit ball."""

AT_LENGTH_20: dict[str, Point] = {
    "T=20, D=2, ω=10": {**PAIRS, "x_n": sum(2 ** (20 - first) for first, _ in _PAIRS[5:])},
}
SAMPLES: dict[str, Point] = {
    **AT_LENGTH_20,
    "T=6, D=2, ω=3": {
        "T": 6, "D": 2, "omega": 3, "u": 2, "c": (0.6, 0.64, 0.4), "S": ((1, 2), (2, 3), (1, 5)), "x_n": 36,
    },
}  # fmt: skip
"""Some components hold an even number of ones, some an odd one."""


def proof(label: str, title: str, domain: Domain, *steps: Step, samples: Mapping[str, Point] = SAMPLES) -> Derivation:
    """A chain that proves a claim."""
    return Derivation(label=f"{label}.steps", title=title, steps=steps, domain=domain, samples=samples, paper=PAPER)
