"""A norm-based bound of a trained head and orderings of gaps, through the command: rows, faults, and going on."""

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tests.command import Call, refused

from boundaudit.numeric.capped.heads import MAPS
from boundaudit.numeric.covering.bounds import Caps, generalization_gap, single_layer_capacity
from boundaudit.numeric.covering.head import Head
from boundaudit.reports.experiment import norm_bounds
from boundaudit.reports.experiment.norm_bounds import COMPARED, MEASURES, shown
from boundaudit.reports.experiment.shared.ordering import ordering

COMMAND = ("experiment", "norm-bounds", "--device", "cpu")
pytestmark = pytest.mark.usefixtures("tiny")


@pytest.mark.slow
def test_the_bound_and_every_head(call: Call) -> None:
    found = call(*COMMAND, "--seed", 3, "--json").json
    assert len(found["rows"]) == 16
    _check_head(found["informing"])
    for row in found["rows"]:
        assert row["gap"] == row["test_risk"] - row["training_risk"]
        assert all(0 <= row[f"norm_{name}"] <= row["cap"] for name in MAPS)
        twin = next(
            other
            for other in found["rows"]
            if other["twin"] != row["twin"] and all(other[name] == row[name] for name in ("length", "cap", "noise"))
        )
        assert row["twin_gap"] == pytest.approx(twin["gap"])
    orderings = {each["measure"]: each for each in found["orderings"]}
    assert list(orderings) == [*MEASURES, *COMPARED]
    assert orderings["noise"]["within"] == [None, None, None]
    assert orderings["twin"]["points"] == 8
    assert [each["verdict"] for each in found["replications"][:2]] == ["holds", "does not hold"]
    assert "vacuous beside the loss's range of 1" in shown(found).conclusions[0]
    assert all(each["vacuous"] for each in found["informing"]["bounds"])


def _check_head(head: dict[str, Any]) -> None:
    """The bound that is told, by the calculator, with every cap in it."""
    caps = Caps(dim=4, inner=4, key=1, value=1, out=1, read=1)
    capacity = single_layer_capacity(caps, softmax="sharp").total
    bound = generalization_gap(capacity, 512, lipschitz=1.0, bound=1.0, tail="sharp").total
    assert head["bound"] == head["bounds"][0]["value"] == bound > 1
    assert head["risk_at_most"] == head["training_risk"] + bound
    assert head["holdout"] == math.ceil(math.log(20) / (2 * bound**2))
    assert head["longest"] < 1
    assert head["caps"] == asdict(caps)
    assert head["loss"] == {"lipschitz": 1, "range": 1}
    assert max(head["norms"].values()) <= 1


def test_a_cap_violated_by_one_per_cent_ends_it(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained = norm_bounds.train

    def larger(*given: Any) -> Head:
        done = trained(*given)
        return Head(done.key, 1.01 * done.value, done.out, done.read)

    monkeypatch.setattr(norm_bounds, "train", larger)
    refused(call(*COMMAND, "--out", tmp_path / "run"), "value", "a (1,1) norm of at most 1.0", "1.0099")
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_what_people_read_says_what_the_intervals_do(call: Call) -> None:
    found = call(*COMMAND, "--json").json
    for each in found["orderings"]:
        each |= {"within": [0.5, -0.1, 0.9], "ahead": [0.0, -0.1, 0.1]}
    found["orderings"][0] |= {"within": [0.5, 0.1, 0.9], "ahead": [0.3, 0.1, 0.4]}
    found["orderings"][1] |= {"within": [0.2, 0.1, 0.3], "ahead": [-0.3, -0.4, -0.1]}
    found["by_noise"][1]["within"] = [None, None, None]
    found["by_noise"][0]["within"] = [0.25, -0.5, 0.75]
    _, grow, beside, held, by_noise = shown(found).conclusions
    assert by_noise.endswith("is 0.25 (-0.50 to 0.75) with 0%, unknown with 30%.")
    assert held.endswith("τ 0.50 (-0.10 to 0.90).")
    first, second, *others = (name for name, _ in MEASURES.values())
    assert f"grow with: {first}, {second}; not shown for: {', '.join(others)}." in grow
    assert f"better ordered by {first}; worse by {second}; not told apart: {', '.join(others)}." in beside


def test_the_kept_run_follows_from_its_rows_and_the_calculator() -> None:
    path = Path(norm_bounds.__file__).parent / "kept" / "norm-bounds.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    assert (found["profile"], len(found["rows"])) == ("standard", 90)
    head = found["informing"]
    capacity = single_layer_capacity(Caps(**head["caps"]), softmax="sharp").total
    bound = generalization_gap(capacity, head["samples"], lipschitz=1.0, bound=1.0, tail="sharp").total
    assert head["bound"] == pytest.approx(bound)
    assert abs(head["gap"]) < 4 * head["test_error"] < bound < 1
    assert head["risk_at_most"] == pytest.approx(head["training_risk"] + bound)
    assert head["risk_at_most"] < 0.5
    assert all(row[f"norm_{name}"] <= row["cap"] for row in found["rows"] for name in MAPS)
    groups = [(row["length"], row["noise"]) for row in found["rows"]]
    gaps, caps = ([row[name] for row in found["rows"]] for name in ("gap", "cap"))
    for place, name in enumerate(MEASURES):
        again = ordering([row[name] for row in found["rows"]], gaps, groups, caps, (found["seed"], place)).to_json()
        for kind in ("kendall", "within", "ahead", "spearman"):
            assert found["orderings"][place][kind] == pytest.approx(again[kind])
    for each, verdict in zip(found["orderings"], found["replications"][2:], strict=False):
        assert verdict["verdict"] == ("holds" if each["within"][1] > 0 else "undecided")
