"""Ridge regression: the textbook curve of Dobriban & Wager (2018) and Hastie et al. (2022), from the Marchenko-Pastur law.

min Σ (y - x·w)² + λ Σ w², labels y = x·w* + √Δ ξ; the error has its peak at α = 1, and the higher the smaller λ is.
"""

from boundaudit.numeric.generalized_linear import Model, gaussian

model = Model(teacher=gaussian(variance=1), noise=0.5, loss="square", penalty="ridge", strength=0.1)
