"""The covering baseline of Appendix E.3: a covering-number bound as the comparison uses it, C √(ln(d m T)/m).

Nothing here is that bound itself: its constants are not printed. What can be computed is which C gives the printed
1.01, and the (2,1) norms that enter it, which a conversion by Cauchy-Schwarz overstates.
"""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness.parameters import D, omega, t
from boundaudit.derivations.symbols import symbol, vector

n_w = symbol("n_w", "columns of a matrix", integer=True, positive=True)
w_n = vector("w_n", "norms of a matrix's columns")

PRINTED = sp.Rational(101, 100)
"""The covering baseline's value at m = 10⁶."""

_MILLION = sp.Integer(10) ** 6
LOG = sp.log(22 * 20 * m)
"""ln(d m T) for d = T + 2 channels at T = 20."""
NEEDED = PRINTED / sp.sqrt(LOG / m).subs(m, _MILLION)
"""The C for which C √(ln(d m T)/m) is 1.01 at m = 10⁶ and d = 22."""

WITH_LOG = NEEDED * sp.sqrt(LOG / m)

BY_COLUMNS = sp.Sum(w_n[t], (t, 1, n_w))
BY_FROBENIUS = sp.sqrt(n_w) * sp.sqrt(sp.Sum(w_n[t] ** 2, (t, 1, n_w)))

_KEY = 2 * sp.log(D * omega)
FIRST = omega * sp.sqrt(D) * _KEY
"""The (2,1) norm of W1 where components side by side fill T = D ω positions: D equal logits in each of ω columns."""
FIRST_CONVERTED = sp.sqrt(D * omega + 2) * sp.sqrt(omega * D) * _KEY
"""√(T+2) times the Frobenius norm."""
