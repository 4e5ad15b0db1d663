"""Means of finite runs with nuclear-norm regression, their scatter reduced by what is known of each run's draw.

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
from boundaudit.numeric.attention_erm.fista import Learned, learn
from boundaudit.numeric.attention_erm.sensing import Data, Problem, controls, draw, expected_controls, proportional
from boundaudit.numeric.attention_erm.state_evolution import linear_state
from boundaudit.numeric.attention_erm.targets import gaussian_target

FeatureKind = Literal["quadratic", "gaussian"]
FEATURES: tuple[FeatureKind, ...] = ("quadratic", "gaussian")
"""Of tokens, and Gaussian ones."""
TOLERANCE = 1e-4
"""Of the relative duality gap: far below the scatter of a run."""


@dataclass(frozen=True)
class Setting:
    """A problem of one token at every dimension."""

    alpha: float
    """n/d²."""
    penalty: float
    """λ~."""
    noise: float
    """Δ > 0."""
    kappa0: float
    """p0/d."""

    def problem(self, d: int, features: FeatureKind = "quadratic") -> Problem:
        """Its sizes at a dimension.

        Args:
            d: the dimension.
            features: of tokens, or Gaussian ones.

        Returns:
            What a run draws.

        Raises:
            InputError: where α d² or κ0 d is no integer.
        """
        return replace(proportional(d, self.alpha, self.kappa0, self.noise), features=features)


def simulate(
    setting: Setting, d: int, runs: int, seed: int, features: FeatureKind = "quadratic"
) -> tuple[Data, Learned]:
    """Draw and solve runs of a setting.

    Args:
        setting: the problem.
        d: the dimension.
        runs: how many.
        seed: of the draws.
        features: of tokens, or Gaussian ones.

    Returns:
        What was drawn, and what was learned.
    """
    data = draw(setting.problem(d, features), seed, range(runs))
    return data, learn(data, setting.penalty, setting.noise, tolerance=TOLERANCE)


def controlled_mean(values: Tensor, data: Data, setting: Setting) -> AdjustedMean:
    """The mean of a number of each run, by regression on quantities of the draw whose means are known.

    Args:
        values: shape (r).
        data: of the runs.
        setting: theirs.

    Returns:
        The mean, with its standard error.
    """
    known = expected_controls(setting.problem(data.features.d))
    return adjusted_mean(values.tolist(), controls(data).numpy(), np.asarray(known))


def extrapolated(
    setting: Setting, runs: Mapping[int, int], seed: int, names: Sequence[str]
) -> dict[str, Extrapolation]:
    """Errors of runs at several dimensions, extrapolated to infinite dimension and held against the state evolution.

    Args:
        setting: the problem.
        runs: how many at each dimension.
        seed: of the draws.
        names: fields of `Learned` that `LinearState` predicts.

    Returns:
        For each name its extrapolation.
    """
    state = linear_state(gaussian_target(setting.kappa0), setting.alpha, setting.penalty, setting.noise)
    drawn = [simulate(setting, d, count, seed) for d, count in runs.items()]
    found = {}
    for name in names:
        means = [controlled_mean(getattr(learned, name), data, setting) for data, learned in drawn]
        found[name] = extrapolate(
            list(runs),
            [mean.mean for mean in means],
            [mean.standard_error for mean in means],
            float(getattr(state, name)),
            runs=[mean.freedom + 1 for mean in means],
        )
    return found
