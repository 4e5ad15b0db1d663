"""Theorem 2: from sharpness and norm to a generalization bound, as printed, repaired and improved."""

from boundaudit.numeric.sharpness.bound.budgets import Budgets, measured, published, repaired
from boundaudit.numeric.sharpness.bound.clipped import clipped
from boundaudit.numeric.sharpness.bound.groups import per_group
from boundaudit.numeric.sharpness.bound.separate_prior_variance import separate_prior_variance
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance, truncated_optimum
from boundaudit.numeric.sharpness.bound.value import Bound

__all__ = [
    "Bound",
    "Budgets",
    "clipped",
    "measured",
    "per_group",
    "published",
    "repaired",
    "separate_prior_variance",
    "shared_variance",
    "truncated_optimum",
]
