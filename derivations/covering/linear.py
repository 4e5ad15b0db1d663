"""Covering numbers of the linear classes x ↦ Wx, ‖x‖ ≤ B, under caps on norms of W, and Maurey's means behind them.

A matrix with ‖W‖_{1,1} ≤ M is a mean of the 2dk matrices ±M e_i e_jᵀ. Of K independent atoms V with that mean the
shrunk estimator c ΣV, c = 1/(K + √K), has the risk

    E ‖W - c ΣV‖² = (1 - cK)² ‖W‖² + c² K (M² - ‖W‖²) = M²/(√K + 1)²,

the same for every W, where Maurey's plain mean has (M² - ‖W‖²)/K. Multisets of K = ⌈(s - 1)₊²⌉ atoms therefore cover at
ε = R/s, and ‖(W - W')x‖ ≤ ‖W - W'‖_F ‖x‖ makes the cover good for every input at once.
"""

import sympy as sp

from boundaudit.derivations.covering.symbols import K_cov, d_cov, k_cov, s_cov
from boundaudit.derivations.symbols import symbol, vector

f_cov = symbol("f_cov", "squared Frobenius norm of a matrix over its squared (1,1) cap", nonnegative=True)
w_1cov = symbol("w_1cov", "first entry of a row of weights", real=True)
w_2cov = symbol("w_2cov", "second entry of a row of weights", real=True)
x_1cov = symbol("x_1cov", "first entry of an input", real=True)
x_2cov = symbol("x_2cov", "second entry of an input", real=True)
n_cov = symbol("n_cov", "atoms that the rule ⌈(s-1)²⌉ takes", integer=True, nonnegative=True)
a_cov = symbol("a_cov", "signed atoms of a map, 2dk", integer=True, positive=True)
i_lin = symbol("i_lin", "an atom's number", integer=True, positive=True)
n_lin = symbol("n_lin", "number of a draw of atoms", integer=True, positive=True)
p_lin = vector("p_lin", "chances of atoms, whose mean a matrix is")
u_lin = symbol("u_lin", "a number that is not negative", nonnegative=True)
v_lin = symbol("v_lin", "another number that is not negative", nonnegative=True)

SHRINKAGE = 1 / (K_cov + sp.sqrt(K_cov))
SHRUNK_RISK = (1 - SHRINKAGE * K_cov) ** 2 * f_cov + SHRINKAGE**2 * K_cov * (1 - f_cov)
SHRUNK_VALUE = 1 / (sp.sqrt(K_cov) + 1) ** 2

OUTPUT = (w_1cov * x_1cov + w_2cov * x_2cov) ** 2
OUTPUT_BOUND = (w_1cov**2 + w_2cov**2) * (x_1cov**2 + x_2cov**2)

ENTRIES = s_cov**2 * sp.log(2 * d_cov * k_cov + 1)
"""(R/ε)² log(2dk + 1), the published bound for the (1,1) norm."""

ATOMS = sp.ceiling(sp.Max(s_cov - 1, 0) ** 2)
SHRUNK = ATOMS * sp.log(2 * d_cov * k_cov)
RADIUS = 1 / (sp.sqrt(K_cov) + 1)
"""How far the shrunk means of K atoms leave a point of the class, in units of R."""

BY_ATOMS = n_cov * sp.log(a_cov)
BY_SCALE = s_cov**2 * sp.log(a_cov + 1)
"""Logarithm of the size of the shrunk means of n of a = 2dk atoms, and the published bound of it."""

VOLUMETRIC = d_cov * k_cov * sp.log(1 + 2 * s_cov)

COLUMN_BALL = k_cov * sp.log(s_cov)
"""At d = 1 a cap on the sum of column norms leaves a whole ball of k dimensions; its volume wants so many elements."""
