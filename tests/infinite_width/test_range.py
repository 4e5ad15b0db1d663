"""Over what is admitted: each answer has its properties and is what draws show, or the call is refused in one line."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.infinite_width import (
    LayerLaw,
    draw_nodes,
    exact_outputs,
    head_moments,
    layer_law,
    mean_and_error,
    output_at_width,
)
from boundaudit.reports.limit.infinite_width import infinite_width

DRAWS = 100_000


def any_layer(rng: np.random.Generator) -> LayerLaw:
    """Up to six tokens, correlated or orthogonal, with scores of a variance from 1e-6 to 1e6."""
    size = int(rng.integers(1, 7))
    factor = rng.standard_normal((size, int(rng.integers(1, size + 2))))
    gram = np.eye(size) if rng.random() < 0.3 else factor @ factor.T
    return layer_law(
        10 ** rng.uniform(-2, 2) * gram, int(rng.integers(1, 5)), query_variance=10 ** rng.uniform(-4, 4),
        output_variance=10 ** rng.uniform(-2, 2),
    )  # fmt: skip


def drawn_variances(law: LayerLaw, token: int, seed: int) -> torch.Tensor:
    """V of one head by plain draws."""
    normal = torch.randn(DRAWS, law.tokens, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    weights = ((law.score_variance * law.gram[token, token]).sqrt() * normal @ law.root.mT).softmax(-1)
    return law.output_variance * ((weights @ law.gram) * weights).sum(-1)


def checked(law: LayerLaw, token: int, seed: int) -> bool:
    """Whether there is an answer; it is inside its bounds and what is drawn."""
    try:
        found = head_moments(law, token, points=1024, seed=seed)
    except InputError:
        return False
    (mean, mean_error), (variance, error) = found["mean"], found["variance"]
    largest = law.output_variance * float(law.gram.diagonal().max())
    assert 0 <= mean <= largest * (1 + 1e-12)
    assert variance >= -error
    assert variance <= mean * (largest - mean) + error + largest * mean_error
    drawn = drawn_variances(law, token, seed)
    noise = float(drawn.std()) / math.sqrt(DRAWS)
    assert abs(mean - float(drawn.mean())) <= 6 * noise + 12 * mean_error + 1e-12 * largest
    centred = (drawn - drawn.mean()).square()
    noise = float(centred.std()) / math.sqrt(DRAWS)
    assert abs(variance - float(centred.mean())) <= 6 * noise + 12 * error + 1e-12 * largest * mean
    return True


@pytest.mark.parametrize("seed", range(12))
def test_any_layer_is_right_or_refused(seed: int) -> None:
    law = any_layer(np.random.default_rng(seed))
    checked(law, seed % law.tokens, seed)


def test_scores_that_nodes_do_not_resolve_are_refused() -> None:
    for gram in (1000 * np.eye(3), [[200.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.5, 200.0]]):
        with pytest.raises(InputError, match="query-variance: expected differences of scores"):
            head_moments(layer_law(gram))
    with pytest.raises(InputError, match="query-variance"):
        output_at_width(layer_law(1000 * np.eye(3)), draw_nodes(layer_law(np.eye(3)), 64, 2, 0), 16, inputs="fixed")
    assert head_moments(layer_law(1000 * np.eye(2)))["mean"][0] == pytest.approx(1000 * (1 - 0.564189e-3), rel=1e-7)


@pytest.mark.parametrize("variance", [1e-3, 225.0])
def test_both_ways_of_integration_meet(variance: float) -> None:
    """Where the one integral hands over to random nodes."""
    law, beside = (layer_law(np.eye(4), query_variance=variance * factor) for factor in (1, 1 + 1e-13))
    low, high = (law, beside) if variance > 1 else (beside, law)
    for name in ("mean", "variance"):
        (value, error), (again, other) = (head_moments(each)[name] for each in (low, high))
        assert error < 0.05 * other or variance < 1
        assert value == pytest.approx(again, abs=12 * (error + other))


def test_errors_at_a_width_are_those_between_seeds() -> None:
    law = layer_law(np.eye(4))
    found = [
        mean_and_error(output_at_width(law, draw_nodes(law, 512, 8, seed), 64, inputs="features").excess_kurtosis)
        for seed in range(10)
    ]
    spread = float(np.std([value for value, _ in found], ddof=1))
    assert 0.4 < spread / float(np.mean([error for _, error in found])) < 2
    y = exact_outputs(law, 64, 400_000, 1, inputs="features").outputs[:, 0, 0]
    drawn = float(y.pow(4).mean() / y.square().mean() ** 2) - 3
    assert drawn == pytest.approx(float(np.mean([value for value, _ in found])), abs=0.15)


def test_too_many_tokens_are_refused_before_there_is_a_matrix() -> None:
    for tokens in (0, 100_000):
        with pytest.raises(InputError, match="tokens: expected from 1 to 2048"):
            infinite_width(tokens)


@pytest.mark.slow
def test_a_page_confirms_its_moments_by_other_nodes() -> None:
    found = infinite_width(3, 2, query_variance=50.0, widths=(32,))
    assert found["mean_variance_error"] < 1e-9
    row = found["widths"][0]
    assert 0 < row["excess_kurtosis_error"] < 0.1 * row["excess_kurtosis"]
