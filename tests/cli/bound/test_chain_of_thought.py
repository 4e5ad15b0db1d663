"""`boundaudit bound chain-of-thought`: a chain of steps beside one pass, and one line for bad input."""

from typing import Any

import pytest
from tests.command import Call, refused

SAMPLE = ("--samples", "1e6", "--delta", 0.05)


def test_the_chain_multiplies_a_steps_bound_by_four_times_its_length(bound: Any) -> None:
    one = ("--length", 20, "--degree", 2, "--sparsity", 1)
    step = bound("sharpness", *one, *SAMPLE, "--subgaussian", 0.01, "--form", "published")
    found = bound("chain-of-thought", "--length", 20, *SAMPLE, "--subgaussian", 0.01)
    assert found["step_error"] == pytest.approx(4 * step["value"], rel=1e-6)
    assert found["chain_error"]["one_step"] == pytest.approx(80 * step["value"], rel=1e-6)
    assert found["chain_error"]["whole_chains"] == pytest.approx(found["chain_error"]["one_step"])
    assert all(found["vacuous"].values())


def test_whole_chains_beat_one_pass_at_equal_prompts_and_lose_at_equal_labels(bound: Any) -> None:
    found = bound("chain-of-thought", "--length", 20, *SAMPLE, "--form", "margin", "--norm", "steep")
    chain, one_pass = found["chain_error"], found["one_pass_error"]
    assert chain["whole_chains"] < one_pass < chain["equal_labels"] < chain["one_step"]
    needed, informs = found["samples_needed"], found["informative_from"]
    assert needed["whole_chains"] < needed["one_pass"] < needed["equal_labels"] < needed["one_step"]
    assert all(informs[name] < needed[name] for name in needed)
    assert found["vacuous"] == dict.fromkeys(needed, False)


@pytest.mark.slow
def test_proved_noise_costs_little(bound: Any) -> None:
    """sharpness.chain_of_thought.whole.noisy, whose values are certified at a given σ."""
    found = bound("chain-of-thought", "--length", 20, *SAMPLE, "--form", "derived", "--norm", "steep")
    chain = found["chain_error"]
    assert (chain["whole_chains"], chain["equal_labels"]) == pytest.approx((0.02036, 0.29612), abs=5e-6)
    assert (chain["one_step"], found["one_pass_error"]) == pytest.approx((0.34735, 0.07142), abs=5e-6)
    least = {"whole_chains": 24_400, "equal_labels": 488_000, "one_pass": 98_400, "one_step": 677_000}
    for name, claimed in least.items():
        assert 0.995 * claimed < found["informative_from"][name] <= claimed
    assert "first order" not in found["assumes"]


def test_the_terminal_shows_both_countings(call: Call) -> None:
    ended = call("bound", "chain-of-thought", "--length", 20, *SAMPLE, "--form", "margin", "--norm", "wide")
    assert ended.code == 0
    for name in ("whole chains", "equal labels", "one step"):
        assert f"chain error {name}" in ended.out
        assert f"informative from {name}" in ended.out


@pytest.mark.slow
def test_what_no_sample_reaches_is_null(bound: Any) -> None:
    found = bound("chain-of-thought", "--length", 20, *SAMPLE, "--form", "clipped", "--norm", "steep")
    assert found["samples_needed"]["whole_chains"] is None
    assert found["samples_needed"]["one_pass"] > 1


@pytest.mark.parametrize(("changed", "names"), [
    ({"--length": 1}, "length"), ({"--samples": 0}, "samples"), ({"--form": "clipped"}, "subgaussian"),
    ({"--form": "margin"}, "subgaussian"), ({"--form": "derived", "--subgaussian": None}, "norm"),
    ({"--form": "derived", "--subgaussian": None, "--norm": "steep", "--length": 3}, "length"),
    ({"--subgaussian": None}, "subgaussian"), ({"--norm": "thin"}, "norm"), ({"--error": 1}, "error"),
])  # fmt: skip
def test_one_line_names_what_is_wrong_in_a_chain(call: Call, changed: dict[str, object], names: str) -> None:
    given = {"--length": 20, "--samples": "1e6", "--subgaussian": 0.01} | changed
    refused(
        call("bound", "chain-of-thought", *(part for pair in given.items() if pair[1] is not None for part in pair)),
        names,
    )
