"""The usual PAC-Bayes bounds as formulas, and how they compare at equal arguments.

With b = (K + ln(2√m/δ))/m, the relative-entropy form is the largest R with kl(r‖R) ≤ b. As kl(r‖R) ≥ 2(R-r)² it is at
most McAllester's r + √(b/2). As kl(r‖R) ≥ (R-r)²/(2R) for r ≤ R it is also at most the R with (R-r)² = 2bR, which is
the quadratic form (√(r + b/2) + √(b/2))². With y = √(b/2) the quadratic form is r + 2y² + 2y√(r + y²), which is at
most r + y exactly where √(r + y²) ≤ ½ - y, that is r + y ≤ ¼: where McAllester's own value is at most a quarter.
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import delta, hat_r, m, relative
from boundaudit.derivations.symbols import symbol

lambda_t = symbol("lambda_t", "trade-off λ of PAC-Bayes-λ, between 0 and 2", positive=True)
s_t = symbol("s_t", "root of the quadratic form of a relative-entropy bound", positive=True)
b_n = symbol("b_n", "budget of a relative-entropy bound: (K + ln(2√m/δ))/m in Maurer's", nonnegative=True)
y_q = symbol("y_q", "root of half the budget of a relative-entropy bound", nonnegative=True)

MAURER_BUDGET = (relative + sp.log(2 * sp.sqrt(m) / delta)) / m

QUADRATIC_OF_ROOT = (sp.sqrt(hat_r + y_q**2) + y_q) ** 2
MCALLESTER_OF_ROOT = hat_r + y_q

QUADRATIC = (sp.sqrt(hat_r + b_n / 2) + sp.sqrt(b_n / 2)) ** 2
MCALLESTER = hat_r + sp.sqrt(b_n / 2)
LAMBDA = (hat_r + b_n / lambda_t) / (1 - lambda_t / 2)
LAMBDA_NUMERATOR = lambda_t * (s_t**2 - 2 * s_t * y_q) + 2 * y_q**2
"""λ r + b, in the root s of the quadratic form."""

LAMBDA_LEAST = lambda_t * (1 - lambda_t / 2) * s_t**2
BEST_TRADEOFF = 2 / (sp.sqrt(hat_r / y_q**2 + 1) + 1)
"""As 2r/b = r/y²."""

BY_ROOT = 2 * y_q / (sp.sqrt(hat_r + y_q**2) + y_q)
