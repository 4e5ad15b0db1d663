"""Lengths of vectors in parts: what Cauchy and Schwarz say of sums of products (Theorem 18).

Where a number is a sum of parts, each of which has a square of at most a size X times a share e, its square is at most
the sum of the sizes times that of the shares: (√(Xe) + √(Yf))² ≤ (X + Y)(e + f).
"""

from __future__ import annotations

from boundaudit.derivations.sharpness.averages import a_av, g_av, q_av, total
from boundaudit.derivations.sharpness.parameters import t
from boundaudit.derivations.symbols import symbol, vector

x_ve = vector("x_ve", "entries of a vector")
y_ve = vector("y_ve", "entries of another vector")
z_ve = vector("z_ve", "entries of a third vector")
w_ve = vector("w_ve", "entries of a fourth vector")
a_ve = symbol("a_ve", "a number", real=True)
b_ve = symbol("b_ve", "another number", real=True)
p_ve = symbol("p_ve", "size of a number", real=True)
q_ve = symbol("q_ve", "size of another number", real=True)
r_ve = symbol("r_ve", "size of a third number", real=True)
e_ve = symbol("e_ve", "share of a direction, such as the squared length of a part of it", real=True)
f_ve = symbol("f_ve", "another share of it", real=True)
g_ve = symbol("g_ve", "a number between zero and one", real=True)
h_ve = symbol("h_ve", "another number between zero and one", real=True)
n_ve = symbol("n_ve", "rows that no component uses", real=True)
c_ve = symbol("c_ve", "a third number", real=True)
s_ve = symbol("s_ve", "what a number is multiplied by", real=True)
t_ve = symbol("t_ve", "what another number is multiplied by", real=True)
d_ve = symbol("d_ve", "a fourth number", real=True)
o_ve = symbol("o_ve", "a third share of a direction", real=True)
u_ve = symbol("u_ve", "size of a third number, or its root", real=True)
v_ve = symbol("v_ve", "root of the size of a fourth number", real=True)

PRODUCTS = total(x_ve[t] * y_ve[t])
SEEN = total(x_ve[t] * q_av[t] * y_ve[t])
OTHERS_SEEN = total(w_ve[t] * g_av[t] * z_ve[t])
OWN_SQUARES, OTHER_SQUARES = total(x_ve[t] ** 2), total(y_ve[t] ** 2)
SQUARES = OWN_SQUARES * OTHER_SQUARES
LONGER = (PRODUCTS + a_ve * b_ve) ** 2
LONGER_SQUARES = (OWN_SQUARES + a_ve**2) * (OTHER_SQUARES + b_ve**2)

WHOLE = total(a_av[t])
CENTRE = total(a_av[t] * q_av[t])
VARIANCE = total(a_av[t] * (q_av[t] - CENTRE) ** 2)
COVARIANCE = total(a_av[t] * g_av[t] * (q_av[t] - CENTRE))
"""Of weights that add up to one."""
