"""Theorem 10: what is measured, and on which targets."""

from __future__ import annotations

import functools

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.sharpness.targets import PAPER, STEEP, TARGETS, WIDE, of_targets
from boundaudit.derivations.sharpness import norms as theorem
from boundaudit.numeric.sharpness.norms import norms_squared

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 10",))
on_targets = functools.partial(claim, domain=TARGETS)
proved = functools.partial(on_targets, expected="proved")
exact = functools.partial(proved, relation="=")
stands = functools.partial(proved, role="printed", reading="certain")
falls = functools.partial(on_targets, role="printed", reading="plausible", expected="refuted")
ON_STEEP, ON_WIDE = TARGETS.replace(u=STEEP), TARGETS.replace(u=WIDE)
TWO_READINGS = "Two shapes of trapezoid fit the description of the MLP; this is for one of them alone."
NO_FLOOR = "Read without a lower limit on the coefficients."
ONE_BIT = {"T": 2, "D": 1, "omega": 1, "c": (1,), "S": ((1,),)}
"""The smallest target: one bit, coefficient one."""


def squared(block: str) -> Measure:
    """The squared norm of a block, summed over the entries of the construction.

    Returns:
        A measurement, batched over points.
    """
    return of_targets(lambda batch, mlp: norms_squared(batch, mlp=mlp)[block])


_LATEX = {"Gamma": r"\Gamma", "total": r"\Theta"} | {name: f"{name[0]}_{name[1]}" for name in ("W1", "V1", "W2", "V2")}


def _norm(block: str) -> Quantity:
    entries = theorem.total(theorem.ENTRIES) if block == "total" else theorem.ENTRIES[block]
    name = "squared norm of all parameters" if block == "total" else f"squared norm of {block}"
    return Quantity(name, squared(block), rf"\|{_LATEX.get(block, block)}\|^2", entries)


NORM = {block: _norm(block) for block in (*theorem.BLOCKS, "total")}
"""Squared norms measured on the entries of the construction."""
