"""Over what is admitted: each answer has its properties and is what draws show, or the call is refused in one line."""

import numpy as np
import pytest
from tests.limit_campaign import campaign

from boundaudit import InputError
from boundaudit.numeric.infinite_width import (
    draw_nodes,
    exact_outputs,
    head_moments,
    layer_law,
    mean_and_error,
    output_at_width,
)
from boundaudit.reports.limit.infinite_width import infinite_width


def test_any_layer_is_right_or_refused() -> None:
    found = campaign("infinite-width", 20, 0)
    assert set(found) == {"answered", "refused"}
    assert found["answered"] > 10


def test_scores_that_nodes_do_not_resolve_are_refused() -> None:
    for gram in (1000 * np.eye(3), [[200.0, 0.0, 0.0], [0.0, 1.0, 0.5], [0.0, 0.5, 200.0]]):
        with pytest.raises(InputError, match="query-variance: expected differences of scores"):
            head_moments(layer_law(gram))
    with pytest.raises(InputError, match="query-variance"):
        output_at_width(layer_law(1000 * np.eye(3)), draw_nodes(layer_law(np.eye(3)), 64, 2, 0), 16, inputs="fixed")
    assert head_moments(layer_law(1000 * np.eye(2)))["mean"][0] == pytest.approx(1000 * (1 - 0.564189e-3), rel=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize("variance", [1e-3, 225.0])
def test_both_ways_of_integration_meet(variance: float) -> None:
    """Where the one integral hands over to random nodes."""
    law, beside = (layer_law(np.eye(4), query_variance=variance * factor) for factor in (1, 1 + 1e-13))
    low, high = (law, beside) if variance > 1 else (beside, law)
    for name in ("mean", "variance"):
        (value, error), (again, other) = (head_moments(each)[name] for each in (low, high))
        assert error < 0.05 * other or variance < 1
        assert value == pytest.approx(again, abs=12 * (error + other))


@pytest.mark.slow
def test_errors_at_a_width_are_those_between_seeds() -> None:
    law = layer_law(np.eye(4))
    found = [
        mean_and_error(output_at_width(law, draw_nodes(law, 512, 8, seed), 64, inputs="features").excess_kurtosis)
        for seed in range(10)
    ]
    spread = float(np.std([value for value, _ in found], ddof=1))
    assert 0.4 < spread / float(np.mean([error for _, error in found])) < 2
    y = exact_outputs(law, 64, 100_000, 1, inputs="features").outputs[:, 0, 0]
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
