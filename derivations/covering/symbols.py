"""What the covering-number bounds speak of: norms, scales and sizes, each defined once."""

from boundaudit.derivations.symbols import symbol

s_cov = symbol("s_cov", "norm cap times input length over the scale of a cover, R/ε", positive=True)
d_cov = symbol("d_cov", "inputs of a linear map", integer=True, positive=True)
k_cov = symbol("k_cov", "outputs of a linear map", integer=True, positive=True)
K_cov = symbol("K_cov", "atoms in a mean of Maurey's", integer=True, positive=True)
N_cov = symbol("N_cov", "inputs on which a class is covered", integer=True, positive=True)
T_cov = symbol("T_cov", "tokens of a sequence", integer=True, positive=True)
H_cov = symbol("H_cov", "heads of a layer", integer=True, positive=True)
L_cov = symbol("L_cov", "layers", integer=True, positive=True)
B_cov = symbol("B_cov", "cap on the operator norm of W_QK", nonnegative=True)
seed_cov = symbol("seed_cov", "seed of what is drawn", integer=True, nonnegative=True)
