"""The symbols of PAC-Bayes bounds."""

from boundaudit.derivations.symbols import symbol

m = symbol("m", "size of the sample", integer=True, positive=True)
delta = symbol("delta", "probability of failure that is allowed", positive=True)
tau_f = symbol("tau_f", "logarithm of one over the probability of failure", nonnegative=True)
sigma = symbol("sigma", "standard deviation of the noise on every parameter", positive=True)
sigma_0 = symbol("tau_0", "standard deviation of the prior on every parameter", positive=True)
S = symbol("S", "sub-Gaussian constant of the loss", positive=True)
relative = symbol("K_n", "relative entropy of posterior to prior, in nats", nonnegative=True)
hat_r = symbol("r_n", "Gibbs risk on the sample", nonnegative=True)
true_r = symbol("R_n", "Gibbs risk", nonnegative=True)
rate = symbol("lambda_n", "rate λ of a PAC-Bayes bound", positive=True)
N_2 = symbol("N_2", "squared norm of the parameters, or a bound on it", positive=True)
p_n = symbol("p_n", "number of parameters of a posterior", integer=True, positive=True)
M_c = symbol("M_c", "largest value of the loss, or where it is clipped", positive=True)
