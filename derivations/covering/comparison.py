"""Where log N ≤ ‖W‖_{1,1}² log(2dk + 1)/ε² is smaller than ‖W‖_{2,1}² log(dmT)/ε², and the other way round.

With ρ = ‖W‖_{1,1}/‖W‖_{2,1}, between 1 and √d, both are equal at T* = (2dk + 1)^{ρ²}/(dm) tokens.
"""

import sympy as sp

from boundaudit.derivations.covering.linear import a_cov
from boundaudit.derivations.covering.symbols import N_cov, d_cov, k_cov
from boundaudit.derivations.symbols import symbol

r_cmp = symbol("r_cmp", "squared ratio of the (1,1) norm and the sum of the rows' lengths", positive=True)
m_cmp = symbol("m_cmp", "samples of sequences", integer=True, positive=True)
t_cmp = symbol("t_cmp", "tokens over those at which two capacities cross", positive=True)

ENTRIES = r_cmp * sp.log(2 * d_cov * k_cov + 1)
ENTRIES_BY_ATOMS = r_cmp * sp.log(a_cov + 1)
ROWS_BY_ATOMS = sp.log(a_cov)
"""Capacities over ‖W‖_{2,1}², a = 2dk: by entries, and by rows in root mean square."""

CROSSING = (2 * d_cov * k_cov + 1) ** r_cmp / (d_cov * m_cmp)
WITH_TOKENS = sp.log(d_cov * m_cmp * t_cmp * CROSSING)
"""log(dmT) at T = t T*."""


AS_MANY_INPUTS = sp.log(d_cov * N_cov)
