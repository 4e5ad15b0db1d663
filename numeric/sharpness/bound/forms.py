"""The forms of the bound by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from boundaudit.numeric.sharpness.bound.clipped import clipped
from boundaudit.numeric.sharpness.bound.groups import per_group
from boundaudit.numeric.sharpness.bound.separate_prior_variance import separate_prior_variance
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance
from boundaudit.numeric.sharpness.bound.value import Bound

BOUNDS: Mapping[str, Callable[..., Bound]] = {
    "shared-variance": shared_variance,
    "per-group": per_group,
    "separate-prior-variance": separate_prior_variance,
    "clipped": clipped,
}
"""From budgets, samples, delta and what the form takes besides to the bound."""
