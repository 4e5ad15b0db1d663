"""Ridge regression: the textbook curve of Dobriban & Wager (2018) and Hastie et al. (2022).

min Σ (y - x·w)² + λ Σ w², y = x·w* + √Δ ξ: by the Marchenko-Pastur law the error peaks at α = 1 for small λ.
"""

from boundaudit.numeric.generalized_linear import Model, gaussian

model = Model(teacher=gaussian(variance=1), noise=0.5, loss="square", penalty="ridge", strength=0.1)
