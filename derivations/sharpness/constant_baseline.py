"""When a bound is informative: below the risk of the best constant predictor.

A constant a has E(f - a)² = Var f + (E f - a)². The parities of distinct non-empty components are pairwise
uncorrelated, whether the components overlap or not, so that Var f = Σ c_t²/4: a quarter on the unit sphere. For the
loss clipped at M the whole law counts. Ten components with coefficients 1/√10 that are linearly independent over GF(2),
such as disjoint ones, make f = k/√10 with k binomial; with a = s/√10 a loss is min((k - s)²/10, M). Derived here.
"""

import sympy as sp

from boundaudit.derivations.sharpness.setup import MEAN_BY_COMPONENTS, SQUARE_BY_PAIRS
from boundaudit.derivations.symbols import symbol

a_f = symbol("a_f", "a constant predictor", real=True)
b_v = symbol("b_v", "value of a bound", nonnegative=True)

RISK = SQUARE_BY_PAIRS - 2 * a_f * MEAN_BY_COMPONENTS + a_f**2
"""E(f - a)², the mean square pair by pair."""

PRINTED_VALUE = sp.Rational(327, 1000)
"""Of the bound with a measured perturbation term."""

QUARTER = sp.Rational(1, 4)
