"""A user's own model of attention's map: the state evolution and the finite sizes of `attention_erm`."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm.factorised import Student, Trained, train
from boundaudit.numeric.attention_erm.fista import Learned, learn
from boundaudit.numeric.attention_erm.sensing import Problem, controls, draw, expected_controls
from boundaudit.numeric.attention_erm.softmax_state_evolution import SoftmaxState, softmax_state
from boundaudit.numeric.attention_erm.state_evolution import LinearState, linear_errors, linear_state
from boundaudit.numeric.attention_erm.targets import Target
from boundaudit.numeric.generalized_linear.model import Model
from boundaudit.numeric.threads import one_thread

_TOLERANCE = 1e-4


def map_state(model: Model, alpha: Sequence[float]) -> tuple[LinearState | SoftmaxState, dict[str, Tensor]]:
    """Predictions, with their errors of integration.

    Args:
        model: of a matrix.
        alpha: n/d², one or more.

    Returns:
        Both.
    """
    assert isinstance(model.teacher, Target)
    if model.channel == "softmax":
        softmax = softmax_state(model.teacher, alpha, model.strength, model.noise, model.tokens)
        return softmax, dict(softmax.uncertainty)
    state = linear_state(model.teacher, alpha, model.strength, model.noise)
    return state, linear_errors(model.teacher, state, model.strength, model.noise)


@one_thread()
def simulate_map(
    model: Model, alpha: float, d: int, runs: int, seed: int
) -> tuple[Learned | Trained, tuple[Tensor, Sequence[float]]]:
    """Draw runs of a Gaussian target and solve them.

    Args:
        model: of a matrix.
        alpha: n/d², rounded to whole samples.
        d: the dimension.
        runs: how many.
        seed: of the draws.

    Returns:
        What they came to, and controls with their expectations.

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
        found = train(problem, Student(width=d, penalty=model.strength), seed, range(runs), tolerance=_TOLERANCE)
    return found, (controls(data), expected_controls(problem))
