"""What the infinite-width law speaks of: width, tokens, heads and conditional variances, each defined once."""

from boundaudit.derivations.symbols import symbol, vector

n_iw = symbol("n_iw", "width of the layer", integer=True, positive=True)
m_iw = symbol("m_iw", "width of a head", integer=True, positive=True)
b_iw = symbol("b_iw", "logarithm of a width to base 2", integer=True, positive=True)
s_iw = symbol("s_iw", "tokens", integer=True, positive=True)
H_iw = symbol("H_iw", "heads", integer=True, positive=True)
k_iw = symbol("k_iw", "coordinates of an output that are averaged", integer=True, positive=True)
i_iw = symbol("i_iw", "a position", integer=True, positive=True)
V_iw = vector("V_iw", "equally likely values of the conditional variance")
kappa_iw = symbol("kappa_iw", "variance of a score between tokens of unit length", nonnegative=True)
j_iw = symbol("j_iw", "sixteen times the variance of a score", integer=True, positive=True)
mu_iw = symbol("mu_iw", "mean of the conditional variance", positive=True)
q_iw = symbol("q_iw", "mean square of the conditional variance", positive=True)
seed_iw = symbol("seed_iw", "seed of what is drawn", integer=True, nonnegative=True)
