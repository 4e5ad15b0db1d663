"""A user's own model of attention's map: the state evolution and the finite sizes of `attention_erm`."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.channel import Moments
from boundaudit.numeric.attention_erm.factorised import Student, Trained, train
from boundaudit.numeric.attention_erm.fista import Learned, learn
from boundaudit.numeric.attention_erm.sensing import Problem, controls, draw, expected_controls
from boundaudit.numeric.attention_erm.softmax_state_evolution import SoftmaxState, channel_state, softmax_state
from boundaudit.numeric.attention_erm.state_evolution import LinearState, linear_errors, linear_state
from boundaudit.numeric.attention_erm.targets import Target
from boundaudit.numeric.generalized_linear.model import Model, gradient
from boundaudit.numeric.threads import one_thread

_TOLERANCE = 1e-4
_EVALUATION, _NARROW = 2e4, 1e-9
"""The work of a potential, as that of a channel counts; and the share of Σ that stands for none."""


def map_state(model: Model, alpha: Sequence[float]) -> tuple[LinearState | SoftmaxState, dict[str, Tensor]]:
    """Predictions at ratios α = n/d² for the model of a matrix, and their errors of integration."""
    assert isinstance(model.teacher, Target)
    setting = (model.teacher, alpha, model.strength, model.noise)
    if model.potential is not None or model.channel == "softmax":
        found = (
            softmax_state(*setting, model.tokens, model.beta, model.target_beta)
            if model.potential is None
            else channel_state(*setting, lambda: OfPotential(model))
        )
        return found, dict(found.uncertainty)
    state = linear_state(*setting)
    return state, linear_errors(model.teacher, state, model.strength, model.noise)


class OfPotential:
    """A channel that is known by its part M of the potential alone, whose derivatives are the averages."""

    def __init__(self, model: Model) -> None:
        assert model.potential is not None
        self.model, self.potential, self.work = model, model.potential, 0.0

    def moments(self, total: float, overlap: float, power: float, width: float) -> Moments:
        """The averages, from M = E min {ℓ + |w - u|²/(2Σ)}: E|g|² is -2 ∂M/∂Σ, the divergences are -∂M/∂m, -2 ∂M/∂q."""
        self.work += _EVALUATION
        value, by_m, by_q, by_width = self._slopes(overlap, power, width)
        return Moments(
            test=self._slopes(overlap, power, _NARROW * width)[0], train=value + width * by_width, envelope=value,
            square=-2 * by_width, by_target=-by_m, by_input=-2 * by_q, residual=torch.zeros_like(value),
        )  # fmt: skip

    def _slopes(self, *place: float) -> list[Tensor]:
        assert isinstance(self.model.teacher, Target)
        given = (*place, self.model.teacher.second_moment, self.model.noise)
        numbers = (torch.tensor([value], dtype=torch.float64) for value in given)
        return [part[0] for part in gradient(self.potential, *numbers)]


@one_thread()
def simulate_map(
    model: Model, alpha: float, d: int, runs: int, seed: int
) -> tuple[Learned | Trained, tuple[Tensor, Sequence[float]]]:
    """What runs of a Gaussian target come to at dimension d, and controls with their expectations.

    The model is that of a matrix, and α d² is rounded to whole samples.

    Raises:
        InputError: without a penalty, or for a target that is not Gaussian.
    """
    assert isinstance(model.teacher, Target)
    wishart = model.teacher.wishart
    if model.strength == 0 or wishart is None or model.teacher.weights or model.teacher.spikes:
        got = "another spectrum, or no penalty"
        raise InputError("teacher", "gaussian_target(κ₀) and a strength above 0 to simulate", got, "give these")
    tokens = model.tokens if model.channel == "softmax" else 1
    rank = max(1, round(wishart.kappa0 * d))
    problem = Problem(d=d, samples=max(1, round(alpha * d * d)), noise=model.noise, target_rank=rank, tokens=tokens)
    data = draw(problem, seed, range(runs))
    found: Learned | Trained
    if tokens == 1:
        found = learn(data, model.strength, model.noise, tolerance=_TOLERANCE)
    else:
        student = Student(width=d, penalty=model.strength, beta=model.beta, target_beta=model.target_beta)
        found = train(problem, student, seed, range(runs), tolerance=_TOLERANCE)
    return found, (controls(data), expected_controls(problem))
