"""Random calls over the admitted ranges of the exact limits: each is right by a second route, or refused in one line.

python -m tests.limit_campaign --calls 700 --seed 1
"""

import argparse
import collections
import contextlib
import functools
import math
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.attention_erm import (
    LinearState,
    NoConvergence,
    Target,
    bayes_state,
    gaussian_target,
    interpolation,
    linear_errors,
    linear_state,
    softmax_state,
    spiked_target,
)
from boundaudit.numeric.generalized_linear import (
    Deadline,
    FixedPoints,
    Mixture,
    Model,
    Problems,
    fixed_points,
    gaussian,
    rademacher,
    sparse,
)
from boundaudit.numeric.infinite_width import LayerLaw, head_moments, layer_law

DRAWS = 20_000
RATIOS = 8
"""Sample ratios of one setting, each a call."""
MOVED = 1e-6
"""By how much of itself a parameter is moved, in a test of continuity."""


def any_layer(rng: np.random.Generator) -> LayerLaw:
    """Up to six tokens, correlated or orthogonal, with scores of a variance from 1e-8 to 1e8."""
    size = int(rng.integers(1, 7))
    factor = rng.standard_normal((size, int(rng.integers(1, size + 2))))
    gram = np.eye(size) if rng.random() < 0.3 else factor @ factor.T
    return layer_law(
        10 ** rng.uniform(-2, 2) * gram, int(rng.integers(1, 5)), query_variance=10 ** rng.uniform(-4, 4),
        output_variance=10 ** rng.uniform(-2, 2),
    )  # fmt: skip


def width_call(rng: np.random.Generator, draws: int = DRAWS) -> list[str]:
    """One head's moments lie in their bounds and are those of plain draws, or are refused."""
    law, seed = any_layer(rng), int(rng.integers(2**31))
    token = int(rng.integers(law.tokens))
    try:
        found = head_moments(law, token, points=1024, seed=seed)
    except InputError:
        return ["refused"]
    (mean, mean_error), (variance, error) = found["mean"], found["variance"]
    largest = law.output_variance * float(law.gram.diagonal().max())
    assert 0 < mean <= largest * (1 + 1e-12)
    assert -error <= variance <= mean * (largest - mean) + error + largest * mean_error
    normal = torch.randn(draws, law.tokens, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    weights = (math.sqrt(law.score_variance * float(law.gram[token, token])) * normal @ law.root.mT).softmax(-1)
    drawn = law.output_variance * ((weights @ law.gram) * weights).sum(-1)
    centred = (drawn - drawn.mean()).square()
    for value, reach, sample in ((mean, mean_error, drawn), (variance, error, centred)):
        noise = float(sample.std()) / math.sqrt(draws)
        # What so few draws may all miss: an event of probability below 20/draws.
        missed = 20 / draws * (largest if sample is drawn else largest**2)
        assert abs(value - float(sample.mean())) <= 6 * noise + 12 * reach + missed
    near = head_moments(moved(law, rng), token, points=1024, seed=seed)
    for name, size in (("mean", largest), ("variance", largest**2)):
        (value, reach), (beside, other) = found[name], near[name]
        assert abs(value - beside) <= 1e3 * MOVED * size + 12 * (reach + other), f"{name} jumps"
    return ["answered"]


def moved(law: LayerLaw, rng: np.random.Generator) -> LayerLaw:
    """The same with each of its parameters moved a little."""
    by = 1 + MOVED * rng.uniform(-1, 1, 3)
    return layer_law(
        float(by[0]) * law.gram, law.heads, query_variance=float(by[1]) * law.score_variance,
        output_variance=float(by[2]) * law.output_variance,
    )  # fmt: skip


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """A power of ten."""
    return float(10 ** rng.uniform(low, high))


def any_target(rng: np.random.Generator) -> Target:
    """A Gaussian target of any rank, with an outlier at times."""
    target = gaussian_target(float(rng.uniform(0.02, 1)))
    return spiked_target([log_uniform(rng, -1, 1)], bulk=target) if rng.random() < 0.2 else target


def erm_calls(rng: np.random.Generator) -> list[str]:
    """Predictions at some sample ratios keep their bounds, order and limits, and a finer rule's values."""
    target = any_target(rng)
    penalty, noise = (0.0 if rng.random() < 0.15 else log_uniform(rng, -4, 3) for _ in range(2))
    alphas = sorted(log_uniform(rng, -3, 1.5) for _ in range(RATIOS))
    nothing, close = noise + 2 * target.second_moment, 1e-6 * (noise + target.second_moment)
    prior = nothing - 2 * target.mean**2
    least = bayes_state(target, 1e-7, noise).test
    _holds((least - prior).abs() <= 1e-5 * nothing, "best estimator without samples", least)
    if penalty == 0 and noise > 0:
        _peaks(target, noise)
    outcomes = []
    for chunk in _solved(functools.partial(linear_state, target, penalty=penalty, noise=noise), alphas):
        if isinstance(chunk, int):
            outcomes += ["refused"] * chunk
            continue
        errors = linear_errors(target, chunk, penalty, noise)
        best = bayes_state(target, chunk.alpha, noise)
        slack = close + errors["test"]
        _holds(errors["test"] <= 1e-5 * (chunk.test + close), "error of integration", chunk.alpha)
        _holds((chunk.rank >= 0) & (chunk.rank <= 1 + 1e-12), "rank", chunk.alpha)
        _holds(chunk.test >= noise, "noise", chunk.alpha)
        _holds(chunk.train <= chunk.test + slack, "optimism", chunk.alpha)
        ceiling = torch.minimum(chunk.alpha * noise + penalty * target.mean, chunk.alpha * nothing)
        _holds(chunk.objective <= ceiling + chunk.alpha * slack + errors["objective"], "objective", chunk.alpha)
        _holds(best.test <= chunk.test + slack, "best estimator", chunk.alpha)
        _holds(best.test <= prior + close, "prior", chunk.alpha)
        _holds(best.test.diff() <= close, "best estimator falls", chunk.alpha[1:])
        _continues(target, chunk, penalty, noise, rng)
        outcomes += ["answered"] * len(chunk.alpha)
    return outcomes


def _peaks(target: Target, noise: float) -> None:
    """The height of the peak is the limit of predictions from below, which come to it as the root of the distance."""
    peak = interpolation(target, noise)
    with contextlib.suppress(NoConvergence):
        near = linear_state(target, [peak.alpha * (1 - distance) for distance in (4e-9, 1e-9)], 0.0, noise)
        reached = 2 * near.error[1] - near.error[0]
        _holds((reached - peak.error).abs()[None] <= 3e-4 * peak.error, "peak", near.alpha[:1])


def _continues(target: Target, state: LinearState, penalty: float, noise: float, rng: np.random.Generator) -> None:
    """The objective hardly moves where every parameter does; its slopes are at most its size over the parameter's."""
    by = 1 + MOVED * torch.from_numpy(rng.uniform(-1, 1, len(state.alpha)))
    scale = 1 + MOVED * float(rng.uniform(-1, 1))
    with contextlib.suppress(NoConvergence):
        beside = linear_state(target, state.alpha * by, scale * penalty, scale * noise)
        size = state.objective + state.alpha * (noise + 2 * target.second_moment)
        _holds((beside.objective - state.objective).abs() <= 20 * MOVED * size, "objective jumps", state.alpha)


def _solved(solve: Callable[[list[float]], LinearState], alphas: list[float]) -> list[LinearState | int]:
    """All together, or where that is refused one by one: states, and how many were refused."""
    try:
        return [solve(alphas)]
    except NoConvergence:
        if len(alphas) == 1:
            return [1]
        return [part for alpha in alphas for part in _solved(solve, [alpha])]


def _holds(fine: Tensor, name: str, alphas: Tensor) -> None:
    assert bool(fine.all()), f"{name} at α = {alphas[~fine].tolist()}"


def softmax_calls(rng: np.random.Generator) -> list[str]:
    """A prediction of softmax attention keeps its bounds, and its free energy is its objective."""
    target = any_target(rng)
    penalty, noise = log_uniform(rng, -3, 1), 0.0 if rng.random() < 0.15 else log_uniform(rng, -3, 1)
    tokens = 2 if rng.random() < 0.9 else 3
    setting = {"tokens": tokens, "beta": log_uniform(rng, -1, 0.5), "target_beta": log_uniform(rng, -1, 0.5)}
    alpha = log_uniform(rng, -1.5, 0.7)
    try:
        found = softmax_state(target, alpha, penalty, noise, **setting)
    except NoConvergence:
        return ["refused"]
    reach = 12 * found.uncertainty["objective"] + 1e-5 * alpha
    _holds((found.free_energy - found.objective).abs() <= reach + 1e-3 * found.objective, "free energy", found.alpha)
    _holds((found.rank >= 0) & (found.rank <= 1 + 1e-12), "rank", found.alpha)
    _holds((found.test >= 0) & (found.test <= 2 * tokens), "test error", found.alpha)
    _holds(found.train <= found.test + 12 * found.uncertainty["test"] + 1e-6, "optimism", found.alpha)
    _holds(found.objective >= 0, "objective", found.alpha)
    return ["answered"]


def any_model(rng: np.random.Generator) -> Model:
    """A convex model of a vector, whose equations have a fixed point for any number of samples."""
    teachers = (gaussian(log_uniform(rng, -1, 1)), sparse(float(rng.uniform(0.05, 1))), rademacher())
    kind, loss = int(rng.integers(4)), "square"
    channel = ("linear", "linear", "sign", "absolute")[kind]
    if kind == 2:
        loss = str(rng.choice(["logistic", "hinge", "square"]))
    return Model(
        teacher=teachers[int(rng.integers(3))], channel=channel, noise=log_uniform(rng, -3, 1), loss=loss,
        penalty="ridge" if kind == 0 or rng.random() < 0.5 else "lasso", strength=log_uniform(rng, -1.5, 1),
    )  # fmt: skip


def model_calls(rng: np.random.Generator) -> list[str]:
    """Fixed points obey Cauchy and Schwarz, and the potential is a least value: its slope in λ is the penalty."""
    model = any_model(rng)
    alphas = torch.tensor(sorted(log_uniform(rng, -1, 0.7) for _ in range(RATIOS // 2)), dtype=torch.float64)
    by = torch.tensor([1 - 1e-4, 1.0, 1 + 1e-4], dtype=torch.float64).repeat_interleave(len(alphas))
    places = Problems(alphas.repeat(3), model.strength * by, model.noise + 0 * by)
    try:
        found = fixed_points(model, places, Deadline())[0]
    except InputError:
        return ["refused"] * len(alphas)
    assert found.owner.tolist() == list(range(3 * len(alphas))), "a convex problem has one fixed point"
    below, here, above = (found.potential[k * len(alphas) : (k + 1) * len(alphas)] for k in range(3))
    middle = slice(len(alphas), 2 * len(alphas))
    m, q, train = found.m[middle], found.q[middle], found.train[middle]
    rho = _power(model)
    _holds(m**2 <= q * rho * (1 + 1e-9), "overlap", alphas)
    cost = (here - alphas * train) / model.strength
    slope = (above - below) / (2e-4 * model.strength)
    _holds((slope - cost).abs() <= 1e-3 * cost + 1e-6, "slope of the potential", alphas)
    _holds(found.test[middle] >= train - 1e-6, "optimism", alphas)
    _holds(found.replicon >= -1e-6, "stability", places.alpha)
    if model.channel == "linear" and model.penalty == "ridge":
        _is_ridge(model, found, middle, alphas)
    return ["answered"] * len(alphas)


def _power(model: Model) -> float:
    assert isinstance(model.teacher, Mixture)
    return model.teacher.second_moment


def _is_ridge(model: Model, found: FixedPoints, middle: slice, alphas: Tensor) -> None:
    """The resolvent of Marchenko and Pastur: test error by one over (1 + s)² is the training error."""
    penalty, rho = model.strength, _power(model)
    b = penalty + alphas - 1
    s = (-b + (b**2 + 4 * penalty).sqrt()) / (2 * penalty)
    slope = -(s**2 + s) / (2 * penalty * s + b)
    test = model.noise + rho * penalty**2 * -slope + model.noise * (s + penalty * slope)
    _holds((found.test[middle] - test).abs() <= 1e-6 * test, "test error of ridge regression", alphas)
    _holds((found.train[middle] - test / (1 + s) ** 2).abs() <= 1e-6 * test, "training error", alphas)


CAMPAIGNS: dict[str, Callable[[np.random.Generator], list[str]]] = {
    "infinite-width": width_call, "attention-erm": erm_calls, "model": model_calls, "softmax": softmax_calls,
}  # fmt: skip
SLOW = {"softmax": 20}
"""Campaigns of one in so many calls."""


def campaign(name: str, calls: int, seed: int) -> collections.Counter[str]:
    """Random calls; each that breaks a property is told with the seed that repeats it.

    Returns:
        How many were answered, refused, and broken.
    """
    found: collections.Counter[str] = collections.Counter()
    start = 0
    while found.total() < calls:
        try:
            found.update(CAMPAIGNS[name](np.random.default_rng((seed, start))))
        except AssertionError as error:
            found["broken"] += 1
            print(f"{name}: broken at seed ({seed}, {start}): {error}", flush=True)
        start += 1
    return found


def main() -> None:
    """As a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    for name in CAMPAIGNS:
        calls = -(-given.calls // SLOW.get(name, 1))
        print(name, dict(campaign(name, calls, given.seed)), flush=True)


if __name__ == "__main__":
    main()
