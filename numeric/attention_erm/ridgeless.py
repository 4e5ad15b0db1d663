"""Ridgeless training at a finite dimension by two routes: a factor on softmax labels, and interpolation on the cone.

As the penalty vanishes, S fits the labels softmax(β0 y) of symmetric noisy indices y wherever the T(T+1)/2 - 1
contrasts of β h(S) are those of β0 y, and training picks the S ≥ 0 of least trace among those.
"""

from __future__ import annotations

from torch import Tensor

from boundaudit.numeric.attention_erm.factorised import Student, stored_contrasts, train
from boundaudit.numeric.attention_erm.fista import learn
from boundaudit.numeric.attention_erm.sensing import Data, GaussianFeatures, Problem, draw

_SOFTMAX, _LINEAR = 1e-7, 2e-5
"""Penalties λ~ that stand for none."""


def by_training(problem: Problem, beta: float, target_beta: float, seed: int) -> Tensor:
    """The map (d, d) of a factor of full width trained on softmax labels, the student's β and the target's β0 given."""
    student = Student(width=problem.d, penalty=_SOFTMAX, beta=beta, target_beta=target_beta)
    return train(problem, student, seed, [0], tolerance=1e-5, cap=20_000, fresh=2).matrix[0]


def on_the_cone(problem: Problem, seed: int) -> Tensor:
    """The S ≥ 0, shape (d, d), of least trace with the contrasts of the noisy indices, by proximal gradients."""
    data = draw(problem, seed, [0])
    rows, values = stored_contrasts(data)
    features = GaussianFeatures(rows.view(1, -1, 1, 1, problem.d, problem.d))
    shown = Data(features, data.target, values.view(1, -1, 1, 1))
    return learn(shown, _LINEAR, problem.noise, tolerance=1e-6, cap=20_000).matrix[0]
