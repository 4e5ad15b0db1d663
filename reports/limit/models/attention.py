"""Single-head attention of Boncoraglio et al. (2025): the numbers of `boundaudit limit attention-erm`.

min Σ (y - ⟨A, S⟩)² + d λ Tr S over positive semidefinite maps, one token. Softmax: channel="softmax", tokens=2.
"""

from boundaudit.numeric.attention_erm import gaussian_target
from boundaudit.numeric.generalized_linear import Model

model = Model(teacher=gaussian_target(0.5), channel="linear", noise=0.5, loss="square", penalty="nuclear", strength=0.1)
