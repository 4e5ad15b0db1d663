"""The JSON report: its schema, and that it is strict."""

import json
from copy import deepcopy
from typing import Any

import pytest
from tests.schemas import validator

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.formats.json_report import render_json


@pytest.fixture
def report(run: Run, known: Catalogue) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(render_json(run, known), allow_nan=False))
    return found


def test_the_sample_run_is_valid(report: dict[str, Any]) -> None:
    validator("report").validate(report)


@pytest.mark.parametrize(("path", "value"), [
    (("outcome",), None), (("theorems", 0, "state"), "true"),
    (("theorems", 0, "cases", 0, "first_failure", "left"), ["much"]), (("claims", 0, "cases"), []),
    (("claims", 0, "verdict"), "true"), (("claims", 0, "role"), "hero"),
    (("claims", 0, "cases", 0, "evidence", 0, "method"), "belief"),
    (("claims", 0, "cases", 0, "worst", "point", "p"), "one half"),
    (("claims", 5, "cases", 0, "region", "violates"), -1),
    (("claims", 5, "cases", 0, "region", "map", "holds", 0), "many"),
    (("claims", 5, "cases", 0, "region", "free", "relation"), "<"), (("verdicts", "unheard of"), 1),
    (("mutation", "score"), 1.5), (("derivations", 0, "holds"), ["yes"]), (("studies", 0, "panels"), []),
    (("studies", 0, "panels", 0, "log"), "z"), (("studies", 0, "panels", 0, "series", 0, "y"), ["much"]),
])  # fmt: skip
def test_schema_refuses(report: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    broken = deepcopy(report)
    part = broken
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    assert not validator("report").is_valid(broken)


def test_what_it_says(report: dict[str, Any]) -> None:
    assert report["outcome"].startswith("5 statements")
    assert report["verdicts"]["refuted"] == 3
    assert report["roles"]["printed"] == {"refuted": 2, "certified": 1, "not testable": 1}
    assert report["unexpected"] == ["coins.gap.printed"]
    first = report["theorems"][0]
    assert first["cases"][0]["first_failure"]["point"] == {"p": "1/2"}
    assert first["price"]["high"] == 1.0416
    case = next(claim for claim in report["claims"] if claim["label"] == "series.flat")["cases"][0]
    assert case["where"].startswith("Of 40 swept points all 9 ")
    assert case["evidence"][0]["certificate"] is None
    assert report["derivations"][0]["binding_step"] == "exponential"
    assert report["statistics"] == {"decisions": 0, "error": 0.0}
    assert report["mutation"] == {"killed": 5, "slack": 1, "unexplained": 1, "total": 7, "score": 5 / 6}
