"""The parameters of the construction (Lintilhac & Shaikh 2026, Appendix B), each defined once."""

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

T = symbol("T", "length of the input in bits", unit="bits", integer=True, positive=True)
D = symbol("D", "degree: positions in each component", integer=True, positive=True)
omega = symbol("omega", "sparsity: number of components", integer=True, positive=True)
c = vector("c", "coefficients of the components")
u = symbol("u", "width of a trapezoid's flank over 4D: 1 steep, 2 wide", positive=True)
d = symbol("d", "width of the random projection", integer=True, positive=True)
k = symbol("k", "ones among the D positions of a component", integer=True, nonnegative=True)
v = symbol("v", "offset from a grid point, in units of 1/D", real=True)
x_n = symbol("x_n", "number of one input, its bits read in binary", integer=True, nonnegative=True)
s = symbol("s", "share of ones among the D positions", real=True)

i = sp.Symbol("i", integer=True, nonnegative=True)
j = sp.Symbol("j", integer=True, positive=True)
t = sp.Symbol("t", integer=True, positive=True)


def even(n: sp.Expr) -> sp.Expr:
    """The even-parity indicator of an integer.

    Returns:
        1 for even n and 0 for odd n, as an expression.
    """
    return (1 + (-1) ** n) / 2
