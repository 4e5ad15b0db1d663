"""The allowance P for noise in numbers (Theorem 17), as printed and with σ restored where it is missing."""

from __future__ import annotations

import functools

from boundaudit.checks.language.expression import Tree
from boundaudit.checks.language.floats import evaluate_float
from boundaudit.checks.language.points import columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.derivations.sharpness import taylor
from boundaudit.derivations.sharpness.parameters import T, d


@functools.cache
def _trees() -> dict[str, Tree]:
    formulas = {"printed": taylor.p_printed(), "restored": taylor.p_restored()}
    return {name: to_tree(p.subs(d, T + 2)) for name, p in formulas.items()}


def allowances(length: int, degree: int, sparsity: int, sigma: float) -> dict[str, float]:
    """P with one-hot positions, where d = T + 2.

    Args:
        length: T.
        degree: D.
        sparsity: ω.
        sigma: σ.

    Returns:
        ``printed``, and ``restored``: with σ in the two terms that are printed without it.
    """
    at = columns([{"T": length, "D": degree, "omega": sparsity, "sigma": sigma}])
    return {name: float(evaluate_float(tree, at)[0]) for name, tree in _trees().items()}
