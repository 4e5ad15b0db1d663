"""How far a block moves its output: the constants of attention, and how entropies of matrices add up."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.schatten.symbols import c_sch
from boundaudit.derivations.symbols import symbol, vector

J_sch = symbol("J_sch", "matrices of a network", integer=True, positive=True)
j_sch = symbol("j_sch", "a matrix's position", integer=True, positive=True)
H_sch = vector("H_sch", "entropies of the matrices of a network")

PUBLISHED = 1 + 4 * c_sch
SHARP = c_sch + sp.sqrt(1 + c_sch**2)

_SPAN = (j_sch, 1, J_sch)
ROOT_OF_SUM = sp.sqrt(sp.Sum(H_sch[j_sch] ** 2, _SPAN))
"""The root of the entropies' sum, the vector holding their roots."""
SUM_OF_ROOTS = sp.Sum(H_sch[j_sch], _SPAN)
"""The sum of their roots."""
