"""What the high-dimensional limits of attention speak of: ratios of sizes, noise and scales, each defined once."""

import sympy as sp

from boundaudit.derivations.symbols import symbol

kappa_0 = symbol("kappa_0", "rank of the target over the dimension, p₀/d", positive=True)
Delta_erm = symbol("Delta_erm", "variance of the noise of a label", nonnegative=True)
gamma_erm = symbol("gamma_erm", "exponent of the target's eigenvalues, i^(-γ)", positive=True)
x_erm = symbol("x_erm", "eigenvalue of the target over the noise level δ", positive=True)
r_erm = symbol("r_erm", "√(6n/(p₀ d) - 2), from 1 at weak to 4 at strong recovery", positive=True)
q_erm = symbol("q_erm", "largest eigenvalue of the target over the noise level δ", positive=True)
k_erm = symbol("k_erm", "number of a mode, by falling eigenvalue", integer=True, positive=True)
n_modes = symbol("n_modes", "modes of the target", integer=True, positive=True)
alpha_erm = symbol("alpha_erm", "samples over the squared dimension, n/d²", positive=True)
delta_erm = symbol("delta_erm", "effective noise δ of the learned map", positive=True)
t_erm = symbol("t_erm", "halves of the effective noise in the threshold, ε = tδ/2", integer=True, nonnegative=True)
c_erm = symbol("c_erm", "threshold of the spectrum over the effective noise, ε/δ", nonnegative=True)
h_erm = symbol("h_erm", "another penalty", positive=True)
y_erm = symbol("y_erm", "number of a rank, κ₀ = 2^(-y/2)", integer=True, nonnegative=True)
l_erm = symbol("l_erm", "number of an effective noise, δ = 2^(l/2)/16", integer=True, positive=True)
m_erm = symbol("m_erm", "steps to a higher effective noise", integer=True, positive=True)
E_erm = symbol("E_erm", "squared error ‖S - S₀‖²_F/d of the learned map", nonnegative=True)
K_erm = symbol("K_erm", "sample ratio that the cone needs without noise", positive=True)
j_erm = symbol("j_erm", "dimension over four", integer=True, positive=True)
T_erm = symbol("T_erm", "tokens of a sequence", integer=True, positive=True)
seed_erm = symbol("seed_erm", "seed of the draws", integer=True, nonnegative=True)
what_erm = symbol("what_erm", "which error is measured", integer=True, positive=True)
w_erm = symbol("w_erm", "columns of a factor", integer=True, positive=True)
f_erm = symbol("f_erm", "parts of a threshold or a sample ratio", integer=True, positive=True)
b_erm = symbol("b_erm", "base-10 logarithm of n/d", integer=True, positive=True)
lambda_erm = symbol("lambda_erm", "effective nuclear penalty λ~", nonnegative=True)
u_erm = symbol("u_erm", "singular value of one factor", nonnegative=True)
v_erm = symbol("v_erm", "singular value of the other factor", nonnegative=True)
eps_erm = symbol("eps_erm", "threshold ε of the spectrum", nonnegative=True)
d_erm = symbol("d_erm", "dimension of a token", integer=True, positive=True)
i_erm = symbol("i_erm", "number of an eigenvalue", integer=True, positive=True)
Q_erm = symbol("Q_erm", "second moment Q₀ of the target, ‖S₀‖²_F/d", positive=True)
stretch_erm = symbol("stretch_erm", "the target's inverse temperature over the student's, β₀/β", positive=True)
M_erm = sp.Symbol("M_erm")
"""A matrix."""
N_erm = sp.Symbol("N_erm")
"""Another matrix."""
