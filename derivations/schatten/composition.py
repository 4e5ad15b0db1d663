"""How far a block moves its output: the constants of attention."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.schatten.symbols import c_sch

PUBLISHED = 1 + 4 * c_sch
SHARP = c_sch + sp.sqrt(1 + c_sch**2)
