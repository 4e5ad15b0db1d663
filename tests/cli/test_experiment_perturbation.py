"""`boundaudit experiment perturbation`: rows, replications, and that an interrupted run ends in the same bytes."""

import json
from dataclasses import asdict
from importlib.resources import files

import pytest
import torch
from tests.command import Call

from boundaudit.reports.experiment import perturbation
from boundaudit.reports.experiment.perturbation import DEVIATION, PROFILES, RANDOM, VARIANCE

from .tiny_experiments import TINY

COMMAND = ("experiment", "perturbation", "--device", "cpu")


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_rows_and_replications(call: Call) -> None:
    ended = call(*COMMAND, "--json")
    assert (ended.code, ended.err) == (0, "")
    found = ended.json
    random = [row for row in found["rows"] if row["target"] == RANDOM]
    assert len(random) == 3 * 4
    assert len(found["rows"]) == len(random) + 3
    for row in found["rows"]:
        assert row.keys() == found["rows"][0].keys()
        power = 0.5 if row["reading"] == VARIANCE else 1
        assert row["sigma"] == pytest.approx(row["mesh"] ** power, rel=1e-4)
        assert row["change_low"] < row["change"] < row["restored"] < row["printed"]
        assert row["excess"] == pytest.approx(row["noisy"] / row["needed"], rel=1e-3)
        assert row["drawn_low"] <= row["drawn_high"]
        assert 0 <= row["covered"] <= TINY["perturbation"].draws
    for row in random:
        assert row["change"] <= row["change_high"]
        if row["reading"] == DEVIATION:
            assert row["relative"] < 0.2
            assert row["needed"] == pytest.approx(row["flow"], rel=0.02)
    verdicts = [each["verdict"] for each in found["replications"]]
    assert verdicts[:2] == ["holds", "holds"]
    assert verdicts[3:7] == ["does not hold", "holds", "does not hold", "does not hold"]
    assert all("0.327" in each["printed"] and "P = 1713" in each["printed"] for each in found["replications"][5:7])
    assert found["replications"][5]["value"] == pytest.approx(0.2398, abs=3e-4)


def test_the_largest_of_single_draws_is_set_against_other_draws() -> None:
    change = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 9.0]])
    assert perturbation._covered(change) == 1
    assert perturbation._covered(torch.ones(3, 2)) == 3


@pytest.mark.parametrize(("found", "within", "meets"), [
    ((1.0, 0.95, 1.05), "holds", "undecided"), ((1.0, 0.85, 1.05), "undecided", "undecided"),
    ((1.2, 1.15, 1.3), "does not hold", "does not hold"), ((0.5, 0.4, 0.8), "does not hold", "does not hold"),
    ((1.0, None, None), "undecided", "undecided"),
])  # fmt: skip
def test_verdicts_come_from_intervals(found: perturbation.Found, within: str, meets: str) -> None:
    assert perturbation._within(found, 0.9, 1.1) == within
    assert perturbation._meets(found, 1.0, 0.01) == meets


def test_powers_of_the_length_need_two_lengths() -> None:
    """A change that grows like T beside an allowance that grows like T³."""
    rows = [
        {"degree": 1, "sparsity": 1, "sigma": 0.1, "length": t, "restored": t**3, "change": 2 * t, "change_low": t,
         "change_high": 4 * t} for t in (8, 16, 32)
    ]  # fmt: skip
    assert perturbation._powers(rows) == pytest.approx((2, 1, 3))
    assert perturbation._powers(rows[:1]) == (None, None, None)


def test_kept_results_follow_from_their_rows() -> None:
    path = files("boundaudit.reports") / "experiment" / "kept" / "perturbation.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    asked = PROFILES[found["profile"]]
    assert found["replications"] == [asdict(each) for each in perturbation._replications(found["rows"], asked)]
