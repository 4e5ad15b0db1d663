"""LASSO on a sparse signal: the curve of Bayati & Montanari (2012), by the state evolution of message passing.

min Σ (y - x·w)² + λ Σ |w|; a tenth of the teacher's entries are normal, the others are zero.
"""

from boundaudit.numeric.generalized_linear import Model, sparse

model = Model(teacher=sparse(share=0.1), noise=0.05, loss="square", penalty="lasso", strength=0.1)
