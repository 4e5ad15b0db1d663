"""What the spectrum-adaptive bounds speak of: spectra, indices and scales, each defined once."""

from boundaudit.derivations.symbols import symbol, vector

p_sch = symbol("p_sch", "Schatten index", positive=True)
tau_sch = symbol("tau_sch", "threshold between large and small singular values", positive=True)
n_sch = symbol("n_sch", "singular values of a matrix", integer=True, positive=True)
i_sch = symbol("i_sch", "a singular value's position", integer=True, positive=True)
s_sch = vector("s_sch", "singular values of a matrix")
N_sch = symbol("N_sch", "hidden size", integer=True, positive=True)
L_sch = symbol("L_sch", "blocks of a transformer", integer=True, positive=True)
S_sch = symbol("S_sch", "Schatten sum, the sum of the p-th powers of the singular values", positive=True)
epsilon_sch = symbol("epsilon_sch", "radius of a cover in the operator norm", positive=True)
c_sch = symbol("c_sch", "operator norm of a matrix", nonnegative=True)
seed_sch = symbol("seed_sch", "seed of what is drawn", integer=True, nonnegative=True)
