"""A variance for every group of parameters, in closed form. Derived here.

With σ_g² = x √(L_g/a_g) both sums become one: Σ a_g σ_g² = x A and Σ L_g/σ_g² = A/x for A = Σ √(a_g L_g), which is the
bound of a single group with sharpness A and squared norm A; and no other choice does better, as
Σ a_g σ_g² · Σ L_g/σ_g² ≥ A².
"""

from __future__ import annotations

import math
from dataclasses import replace

from boundaudit import InputError
from boundaudit.numeric.sharpness.bound.budgets import Budgets
from boundaudit.numeric.sharpness.bound.shared_variance import shared_variance
from boundaudit.numeric.sharpness.bound.value import Bound


def per_group(budgets: Budgets, *, samples: float, delta: float, proxy: float) -> Bound:
    """Min over σ_g of residual + Σ a_g σ_g² + S √((2/m)(Σ L_g/(2σ_g²) + ln(1/δ))), with σ_g by group.

    S has E S(θ)² ≤ S² over posterior draws, S(θ) the sub-Gaussian constant of the loss; a_g is above 0 wherever L_g is.

    Raises:
        InputError: for a setting out of range, or a group with a norm and no sharpness.
    """
    for group, norm in budgets.norms_squared.items():
        if norm > 0 and not budgets.sharpness[group] > 0:
            got = f"{budgets.sharpness[group]} for {group}"
            raise InputError("sharpness", "a positive number for every group", got, "use budgets of all seven blocks")
    shared = {g: math.sqrt(a * budgets.norms_squared[g]) for g, a in budgets.sharpness.items()}
    total = math.fsum(shared.values())
    one = replace(budgets, sharpness={"all": total}, norms_squared={"all": total})
    found = shared_variance(one, samples=samples, delta=delta, proxy=proxy)
    assert isinstance(found.sigma, float)
    sigma = {g: found.sigma * (budgets.norms_squared[g] / a) ** 0.25 for g, a in budgets.sharpness.items()}
    return replace(found, sigma=sigma)
