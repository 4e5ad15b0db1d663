"""Several coordinates and tokens at once: what values alone add to their characteristic function at a width.

Given attention, a head's values make a point θ a normal variable whose variance is Σ x_i χ²_{n,i}/n, with x_i ≥ 0 the
eigenvalues of Θ A K Aᵀ Θᵀ σ²/H and Θ the point as a matrix, a row for each coordinate; in the limit it is Σ x_i.
"""

import sympy as sp

from boundaudit.derivations.infinite_width.scores import CHARACTERISTIC as CHARACTERISTIC
from boundaudit.derivations.infinite_width.scores import a_iw as a_iw
from boundaudit.derivations.infinite_width.symbols import i_iw, k_iw, n_iw
from boundaudit.derivations.symbols import symbol, vector

f_iw = vector("f_iw", "variances that make up that of a joint characteristic function's point")
theta_iw = symbol("Theta_iw", "point of a joint characteristic function, a row for each coordinate")
A_iw = symbol("A_iw", "a product", positive=True)
B_iw = symbol("B_iw", "its first terms", positive=True)

TOTAL = sp.Sum(f_iw[i_iw], (i_iw, 1, k_iw))
PRODUCT = sp.Product(1 + f_iw[i_iw] / n_iw, (i_iw, 1, k_iw))
AT_WIDTH, LIMIT = PRODUCT ** (-n_iw / 2), sp.exp(-TOTAL / 2)
"""E exp(-½ Σ x_i χ²_{n,i}/n), and without fluctuations."""
ONE_FLUCTUATION = CHARACTERISTIC.subs(a_iw, TOTAL)
"""The same where a single chi-square moves all of the variance."""
LARGER, SMALLER = A_iw ** (-n_iw / 2), sp.exp(-n_iw / 2 * sp.log(B_iw))
MOVED = sp.Rational(3, 4) / n_iw
