"""Random calls over the admitted ranges of both exact limits: each is right by a second route, or refused in one line.

python -m tests.limit_campaign --calls 1000 --seed 1
"""

from __future__ import annotations

import argparse
import collections
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
    bayes_state,
    gaussian_target,
    linear_errors,
    linear_state,
    spiked_target,
)
from boundaudit.numeric.infinite_width import LayerLaw, head_moments, layer_law

DRAWS = 20_000
RATIOS = 8
"""Sample ratios of one setting, each a call."""


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
    assert 0 <= mean <= largest * (1 + 1e-12)
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
    return ["answered"]


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """A power of ten."""
    return float(10 ** rng.uniform(low, high))


def erm_calls(rng: np.random.Generator) -> list[str]:
    """Predictions at some sample ratios keep their bounds, each other's order and a finer rule's values."""
    target = gaussian_target(float(rng.uniform(0.02, 1)))
    if rng.random() < 0.2:
        target = spiked_target([log_uniform(rng, -1, 1)], bulk=target)
    penalty, noise = (0.0 if rng.random() < 0.15 else log_uniform(rng, -4, 3) for _ in range(2))
    alphas = sorted(log_uniform(rng, -3, 1.5) for _ in range(RATIOS))
    outcomes = []
    for chunk in _solved(functools.partial(linear_state, target, penalty=penalty, noise=noise), alphas):
        if isinstance(chunk, int):
            outcomes += ["refused"] * chunk
            continue
        errors = linear_errors(target, chunk, penalty, noise)
        best = bayes_state(target, chunk.alpha, noise)
        nothing, close = noise + 2 * target.second_moment, 1e-6 * (noise + target.second_moment)
        slack = close + errors["test"]
        _holds(errors["test"] <= 1e-5 * (chunk.test + close), "error of integration", chunk.alpha)
        _holds((chunk.rank >= 0) & (chunk.rank <= 1 + 1e-12), "rank", chunk.alpha)
        _holds(chunk.test >= noise, "noise", chunk.alpha)
        _holds(chunk.train <= chunk.test + slack, "optimism", chunk.alpha)
        ceiling = torch.minimum(chunk.alpha * noise + penalty * target.mean, chunk.alpha * nothing)
        _holds(chunk.objective <= ceiling + chunk.alpha * slack + errors["objective"], "objective", chunk.alpha)
        _holds(best.test <= chunk.test + slack, "best estimator", chunk.alpha)
        _holds(best.test <= nothing - 2 * target.mean**2 + close, "prior", chunk.alpha)
        _holds(best.test.diff() <= close, "best estimator falls", chunk.alpha[1:])
        outcomes += ["answered"] * len(chunk.alpha)
    return outcomes


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


CAMPAIGNS: dict[str, Callable[[np.random.Generator], list[str]]] = {
    "infinite-width": width_call,
    "attention-erm": erm_calls,
}


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
        print(name, dict(campaign(name, given.calls, given.seed)), flush=True)


if __name__ == "__main__":
    main()
