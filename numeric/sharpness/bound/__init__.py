"""Theorem 2: from sharpness and norm to a generalization bound, as printed, repaired and improved."""

from boundaudit.numeric.sharpness.bound.budgets import Budgets, measured, published, repaired
from boundaudit.numeric.sharpness.bound.clipped import clipped
from boundaudit.numeric.sharpness.bound.decoupled import decoupled
from boundaudit.numeric.sharpness.bound.groups import per_group
from boundaudit.numeric.sharpness.bound.tied import tied, truncated_optimum
from boundaudit.numeric.sharpness.bound.value import Bound

__all__ = [
    "Bound",
    "Budgets",
    "clipped",
    "decoupled",
    "measured",
    "per_group",
    "published",
    "repaired",
    "tied",
    "truncated_optimum",
]
