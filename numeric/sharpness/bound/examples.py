"""A target of a class, where only the class is given."""

from __future__ import annotations

import numpy as np

from boundaudit.numeric.sharpness.bound.setting import check_distinct
from boundaudit.numeric.sharpness.target import Target


def example_target(length: int, degree: int, sparsity: int, seed: int = 0) -> Target:
    """Components side by side where they fit, else random ones; equal coefficients of unit length."""
    if degree * sparsity > length:
        return random_target(length, degree, sparsity, seed)
    components = tuple(tuple(range(t * degree + 1, (t + 1) * degree + 1)) for t in range(sparsity))
    return Target(length, components, (sparsity**-0.5,) * sparsity)


def random_target(length: int, degree: int, sparsity: int, seed: int = 0) -> Target:
    """Distinct random components of one size, equal coefficients of unit length; InputError where there are too few."""
    check_distinct(length, degree, sparsity)
    random = np.random.default_rng([seed, length, degree, sparsity])
    components: dict[tuple[int, ...], None] = {}
    while len(components) < sparsity:
        chosen = random.choice(length, degree, replace=False) + 1
        components[tuple(sorted(chosen.tolist()))] = None
    return Target(length, tuple(components), (sparsity**-0.5,) * sparsity)
