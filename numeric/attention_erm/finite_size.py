"""Means of finite runs, their scatter reduced by what is known of each run's draw: regression, or softmax attention.

The target's norm and trace, the noise and the labels have known means at every dimension; a least-squares fit to their
deviations leaves the mean of a run where it is and takes out what they explain, for the objective most of its variance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from torch import Tensor

from boundaudit.numeric.attention_erm.extrapolation import AdjustedMean, Extrapolation, adjusted_mean, extrapolate
from boundaudit.numeric.attention_erm.factorised import Student, Trained, train
from boundaudit.numeric.attention_erm.fista import Learned, learn
from boundaudit.numeric.attention_erm.sensing import Data, Problem, controls, draw, expected_controls, proportional
from boundaudit.numeric.attention_erm.softmax_state_evolution import SoftmaxState, softmax_state
from boundaudit.numeric.attention_erm.state_evolution import LinearState, linear_state
from boundaudit.numeric.attention_erm.targets import gaussian_target

FeatureKind = Literal["quadratic", "gaussian"]
FEATURES: tuple[FeatureKind, ...] = ("quadratic", "gaussian")
"""Of tokens, and Gaussian ones."""
TOLERANCE = 1e-4
"""Of the relative duality gap, or of a trained factor's gradient: far below the scatter of a run."""


@dataclass(frozen=True)
class Setting:
    """A problem at every dimension: a linear read-out of one token, softmax attention on more.

    Ratios α = n/d² and κ0 = p0/d, penalty λ~, noise Δ > 0, and the target's β0, where the student's β is 1.
    """

    alpha: float
    penalty: float
    noise: float
    kappa0: float
    tokens: int = 1
    target_beta: float = 1.0

    def problem(self, d: int, features: FeatureKind = "quadratic") -> Problem:
        """What a run draws at a dimension; InputError where α d² or κ0 d is no integer."""
        return replace(proportional(d, self.alpha, self.kappa0, self.noise, tokens=self.tokens), features=features)

    def predicted(self) -> LinearState | SoftmaxState:
        """What the limit says."""
        target = gaussian_target(self.kappa0)
        if self.tokens == 1:
            return linear_state(target, self.alpha, self.penalty, self.noise)
        return softmax_state(target, self.alpha, self.penalty, self.noise, self.tokens, target_beta=self.target_beta)


def simulate(
    setting: Setting, d: int, runs: int, seed: int, features: FeatureKind = "quadratic"
) -> tuple[Data, Learned | Trained]:
    """What runs of a setting draw at a dimension and what they learn; a softmax has random factors of full width."""
    problem = setting.problem(d, features)
    data = draw(problem, seed, range(runs))
    if setting.tokens > 1:
        student = Student(width=d, penalty=setting.penalty, target_beta=setting.target_beta)
        return data, train(problem, student, seed, range(runs), tolerance=TOLERANCE)
    return data, learn(data, setting.penalty, setting.noise, tolerance=TOLERANCE)


def controlled_mean(values: Tensor, data: Data, setting: Setting) -> AdjustedMean:
    """The mean of a number of each run, shape (r), by regression on quantities of the draw whose means are known."""
    known = expected_controls(setting.problem(data.features.d))
    return adjusted_mean(values.tolist(), controls(data).numpy(), np.asarray(known))


def extrapolated(
    setting: Setting, runs: Mapping[int, int], seed: int, names: Sequence[str]
) -> dict[str, Extrapolation]:
    """Errors of runs at several dimensions, extrapolated to infinite dimension and held against the state evolution.

    Runs says how many at each dimension, names which fields of what is learned; for each name its extrapolation.
    """
    state = setting.predicted()
    drawn = [simulate(setting, d, count, seed) for d, count in runs.items()]
    found = {}
    for name in names:
        means = [controlled_mean(getattr(learned, name), data, setting) for data, learned in drawn]
        found[name] = extrapolate(
            list(runs), [mean.mean for mean in means], [mean.standard_error for mean in means],
            float(getattr(state, name)), runs=[mean.freedom + 1 for mean in means],
        )  # fmt: skip
    return found
