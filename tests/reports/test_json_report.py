"""The JSON report: its schema, and what it says beyond the receipts."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from importlib import resources
from typing import Any

import jsonschema
import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.json_report import render_json


@pytest.fixture
def report(run: Run) -> dict[str, Any]:
    return render_json(run)


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    text = resources.files("boundaudit.reports").joinpath("schema", "report.schema.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_sample_run_is_valid(report: dict[str, Any], validator: jsonschema.Draft202012Validator) -> None:
    validator.validate(report)
    json.dumps(report, allow_nan=False)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("claims", 0, "verdict"), "true"),
        (("claims", 0, "evidence", 0, "method"), "belief"),
        (("claims", 0, "worst", "point", "p"), "one half"),
        (("refuted", 0, "blast_radius"), "coins.product"),
        (("verdicts", "unheard of"), 1),
        (("mutation", "score"), 1.5),
        (("claims", 6, "region", "violates"), -1),
        (("claims", 6, "region", "map", "holds", 0), "many"),
        (("claims", 6, "region", "free", "relation"), "<"),
        (("claims", 6, "evidence", 0, "path", 0, "evaluations"), 0),
        (("derivations", 0, "holds"), ["yes"]),
        (("studies", 0, "panels"), []),
        (("studies", 0, "panels", 0, "log"), "z"),
        (("studies", 0, "panels", 0, "series", 0, "y"), ["much"]),
    ],
)
def test_schema_refuses(
    report: dict[str, Any], validator: jsonschema.Draft202012Validator, path: tuple[Any, ...], value: Any
) -> None:
    broken = deepcopy(report)
    part = broken
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    assert not validator.is_valid(broken)


@pytest.mark.parametrize(
    "key", ["audited", "manifest", "verdicts", "refuted", "claims", "derivations", "studies", "mutation"]
)
def test_schema_asks_for_every_part(
    report: dict[str, Any], validator: jsonschema.Draft202012Validator, key: str
) -> None:
    del report[key]
    assert not validator.is_valid(report)


def test_counts_and_refuted(report: dict[str, Any]) -> None:
    assert sum(report["verdicts"].values()) == len(report["claims"]) == 11
    assert report["mutation"] == {"killed": 3, "slack": 1, "unexplained": 1, "total": 5, "score": 0.75}
    assert report["unexpected"] == ["coins.tail_sharp"]
    first = report["refuted"][0]
    assert first["label"] == "coins.variance_sharp"
    assert first["witness"] == {
        "point": {"p": "1/2"},
        "left": "0.25",
        "right": "0.24",
        "order": "smallest by denominator",
    }
    assert first["blast_radius"] == ["coins.tail_sharp", "coins.generalization_gap_of_the_sharp_estimator"]
    assert first["repair"] == "coins.variance"


def test_claims_know_their_place_in_the_graph(report: dict[str, Any]) -> None:
    claims = {item["claim"]["label"]: item for item in report["claims"]}
    assert claims["coins.variance"]["used_by"] == ["coins.product"]
    assert claims["coins.variance"]["stands_fully"]
    assert not claims["coins.product"]["stands_fully"]  # rests on a claim outside the run
    assert not claims["coins.tail_sharp"]["stands_fully"]
    assert claims["series.flat"]["repaired_by"] == ["series.quadratic"]


def test_certificates_stay_in_the_run(report: dict[str, Any], run: Run) -> None:
    original = run.receipts["coins.variance"]["evidence"][0]["certificate"]
    size = len(json.dumps(original, separators=(",", ":")))
    assert report["claims"][0]["evidence"][0]["certificate"] == {"kind": "boxes", "bytes": size}


def test_no_timings(report: dict[str, Any]) -> None:
    assert "12.5" not in json.dumps(report)


def test_binding_step(report: dict[str, Any]) -> None:
    assert report["derivations"][0]["binding_step"] == "exponential"


def test_studies_are_told_as_recorded(report: dict[str, Any], run: Run) -> None:
    assert report["studies"] == run.studies
    assert report["studies"][0]["panels"][0]["series"][2]["low"] == [0.125, 0, 0]


def test_where_a_refuted_claim_is_true_and_how_it_fell(report: dict[str, Any], run: Run) -> None:
    flat = next(item for item in report["claims"] if item["claim"]["label"] == "series.flat")
    assert flat["region"] == run.receipts["series.flat"]["region"]
    assert flat["where"].startswith("No violation at the 25 of 40 swept points with n ≥ 2; ")
    assert [step["evaluations"] for step in flat["evidence"][0]["path"]] == [4, 60, 90]
    assert [item["where"] for item in report["refuted"]] == [None, flat["where"]]


def test_a_run_made_before_regions_were_counted_is_still_told(
    run: Run, validator: jsonschema.Draft202012Validator
) -> None:
    old = {label: {k: v for k, v in receipt.items() if k != "region"} for label, receipt in run.receipts.items()}
    old["series.flat"]["evidence"] = [
        {k: v for k, v in evidence.items() if k != "path"} for evidence in old["series.flat"]["evidence"]
    ]
    told = render_json(replace(run, receipts=old))
    validator.validate(told)
    assert {item["where"] for item in told["claims"]} == {None}
