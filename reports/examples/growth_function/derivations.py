"""What is printed: sums of binomial coefficients, and the powers that are put in their place."""

import sympy as sp

from boundaudit import symbol

n = symbol("n", "points that are labelled", integer=True, positive=True)
d = symbol("d", "Vapnik-Chervonenkis dimension of the class", integer=True, positive=True)
k = symbol("k", "intervals that a set of the class consists of", integer=True, positive=True)
i = symbol("i", "points that are labelled 1", integer=True, nonnegative=True)

SUM = sp.Sum(sp.binomial(n, i), (i, 0, d))
POWER = (sp.E * n / d) ** d

# From the sum to the power, for n of at least d: every term is multiplied by (n/d)^(d-i), which is at least one; the
# sum goes on to i = n, where the binomial theorem says what it is; and 1 + x is at most exp(x).
WEIGHTED = sp.Sum(sp.binomial(n, i) * (n / d) ** (d - i), (i, 0, d))
ALL_TERMS = sp.Sum(sp.binomial(n, i) * (n / d) ** (d - i), (i, 0, n))
WITHOUT_SUM = (n / d) ** d * (1 + d / n) ** n

# From a count to a bound on learning: Massart's lemma with Sauer's.
COMPLEXITY = sp.sqrt(2 * d * sp.log(sp.E * n / d) / n)
