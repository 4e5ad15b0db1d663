"""Phase retrieval, y = |x·w*| with little noise, by the posterior mean: the thresholds of Barbier et al. (2019).

Below α = 1/2 the fixed point q = 0 is stable and nothing is learned. Around α = 1.1 there are two stable fixed points:
iteration, and message passing with it, stops at the smaller q, though the larger one is the better estimator's.
"""

from boundaudit.numeric.generalized_linear import Model, gaussian

model = Model(teacher=gaussian(), channel="absolute", noise=1e-4, loss="posterior mean", penalty="none")
