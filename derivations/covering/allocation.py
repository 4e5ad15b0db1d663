"""How an error budget is best shared: the least Σ a_i/ε_i² under Σ b_i ε_i = ε is γ³/ε², γ = Σ a_i^{1/3} b_i^{2/3}.

With w_i = a_i^{1/3} b_i^{2/3} and ε_i = t_i (ε/γ)(a_i/b_i)^{1/3} the cost is (γ²/ε²) Σ w_i/t_i² and the constraint
Σ w_i t_i = γ. The tangent 1/t² ≥ 3 - 2t at t = 1 gives Σ w_i/t_i² ≥ 3γ - 2γ = γ.
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

n_b = symbol("n_b", "maps that share a budget", integer=True, positive=True)
i_b = symbol("i_b", "number of a map", integer=True, positive=True)
t_map = symbol("t_map", "share of a map over its best share", positive=True)
a_1map = symbol("a_1map", "cost of the first of two maps at scale one", positive=True)
a_2map = symbol("a_2map", "cost of the second of two maps at scale one", positive=True)
b_1map = symbol("b_1map", "how far the first of two maps moves the output", positive=True)
b_2map = symbol("b_2map", "how far the second of two maps moves the output", positive=True)
alpha_map = vector("alpha_map", "third roots of the costs of the maps at scale one")
beta_map = vector("beta_map", "third roots of how far each map moves the output")
e_map = vector("e_map", "scales of the maps")


def _total(term: sp.Expr) -> sp.Expr:
    return sp.Sum(term, (i_b, 1, n_b))


COST = _total(alpha_map[i_b] ** 3 / e_map[i_b] ** 2)
SPENT = _total(beta_map[i_b] ** 3 * e_map[i_b])
GAMMA = _total(alpha_map[i_b] * beta_map[i_b] ** 2)
"""γ for the costs a = α³ and the factors b = β³."""

TANGENT = 3 - 2 * t_map

_GAMMA_OF_TWO = sum(a ** sp.Rational(1, 3) * b ** sp.Rational(2, 3) for a, b in ((a_1map, b_1map), (a_2map, b_2map)))
QUOTIENT_SPENT = (
    b_1map * (a_1map / b_1map) ** sp.Rational(1, 3) + b_2map * (a_2map / b_2map) ** sp.Rational(1, 3)
) / _GAMMA_OF_TWO
"""Σ b_i ε_i over ε for ε_i = (ε/γ)(a_i/b_i)^{1/3}."""

PRODUCT_SPENT = (
    b_1map * (a_1map * b_1map) ** sp.Rational(1, 3) + b_2map * (a_2map * b_2map) ** sp.Rational(1, 3)
) / _GAMMA_OF_TWO
"""The same for ε_i = (ε/γ)(a_i b_i)^{1/3}, a formula in which the fraction bar is lost."""
