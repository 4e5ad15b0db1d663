"""From entropies to the gap: weights of grids, and what a union over them costs."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.schatten.symbols import L_sch, N_sch
from boundaudit.derivations.symbols import symbol

k_w = symbol("k_w", "exponent of a rounded norm", integer=True, nonnegative=True)
f_gap = symbol("f_gap", "by how much a logarithm is rounded up, in steps of the grid", nonnegative=True)
m_gap = symbol("m_gap", "steps of the grid of indices from 0 to 1", integer=True, positive=True)
l_gap = symbol("l_gap", "later blocks", integer=True, nonnegative=True)

TOTAL = sp.pi**2 / 3 - 1
"""Σ (1 + |k|)^{-2} over all integers."""
ALL_WEIGHTS = (1 + 2 * sp.Sum((1 + k_w) ** -2, (k_w, 1, sp.oo))) / TOTAL


POWERS_OF_TWO = 2 ** (4 * f_gap * l_gap)
"""By what a product of four norms of each of l later blocks grows when all are rounded up to powers of two."""
FINE_GRID = sp.exp(4 * f_gap * l_gap / L_sch)
"""The same on the grid e^{j/L}."""
ALLOWED = sp.exp(4)

INDEX_PRICE = 4 * L_sch * sp.log(2 * m_gap + 1)
"""Four matrices a block, each with an index among 2m + 1."""
LARGEST_M = L_sch + sp.log(N_sch) + 1
INDEX_LIMIT = 4 * L_sch * sp.log(2 * LARGEST_M + 1)
