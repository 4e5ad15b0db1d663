"""From covering numbers with log N(e) ≤ C/e² to Rademacher complexities and generalization gaps.

With c = √(C/m) Dudley's integral over [α, A] is 4α + 12 c log(A/α). Its derivative by α vanishes at α = 3c, where it is
12 c (1 + log(A/(3c))); beyond A = 3c that α is not admissible, and the closed form goes on to fall below zero.
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol

C_dud = symbol("C_dud", "capacity, the constant of log N(ε) ≤ C/ε²", positive=True)
m_dud = symbol("m_dud", "samples", integer=True, positive=True)
A_dud = symbol("A_dud", "range of the functions", positive=True)
c_dud = symbol("c_dud", "root of capacity over samples", positive=True)
t_dud = symbol("t_dud", "lower limit of Dudley's integral over its best one", positive=True)
y_dud = symbol("y_dud", "range over the root of capacity over samples", positive=True)

INTEGRAL = 12 * c_dud * t_dud + 12 * c_dud * sp.log(A_dud / (3 * c_dud * t_dud))
"""4α + 12 c log(A/α) at α = 3 c t."""

CLOSED = 12 * c_dud * (1 + sp.log(A_dud / (3 * c_dud)))
BY_SAMPLES = 12 * sp.sqrt(C_dud / m_dud) * (1 + sp.log(A_dud * sp.sqrt(m_dud) / (3 * sp.sqrt(C_dud))))
SHAPE = 4 * sp.sqrt(C_dud / m_dud) * (1 + sp.log(A_dud * sp.sqrt(m_dud) / sp.sqrt(C_dud)))
"""The comparator's shape, up to a positive constant and a positive tail."""

GUARDED = sp.Piecewise((A_dud, A_dud < 3 * c_dud), (sp.Min(A_dud, CLOSED), True))
RELATIVE = 12 * (1 + sp.log(y_dud / 3))
"""The closed form over c, y = A/c."""
