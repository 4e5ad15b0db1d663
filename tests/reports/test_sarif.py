"""SARIF 2.1.0: its structure, which results there are, and where they stand."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.formats.sarif import render_sarif

TEXT = {
    "type": "object", "additionalProperties": False, "required": ["text"], "properties": {"text": {"type": "string"}},
}  # fmt: skip
RULE = {
    "type": "object", "additionalProperties": False, "required": ["id"],
    "properties": {"id": {"type": "string"}, "shortDescription": TEXT},
}  # fmt: skip
ARTIFACT = {
    "type": "object", "additionalProperties": False,
    "properties": {"uri": {"type": "string", "format": "uri-reference"}, "uriBaseId": {"type": "string"}},
}  # fmt: skip
LOCATION = {
    "type": "object", "additionalProperties": False,
    "properties": {
        "physicalLocation": {
            "type": "object", "additionalProperties": False, "required": ["artifactLocation"],
            "properties": {
                "artifactLocation": ARTIFACT,
                "region": {
                    "type": "object", "additionalProperties": False,
                    "properties": {"startLine": {"type": "integer", "minimum": 1}},
                },
            },
        },
        "logicalLocations": {
            "type": "array", "uniqueItems": True,
            "items": {
                "type": "object", "additionalProperties": False,
                "properties": {"fullyQualifiedName": {"type": "string"}, "kind": {"type": "string"}},
            },
        },
    },
}  # fmt: skip
RESULT = {
    "type": "object", "additionalProperties": False, "required": ["message", "locations", "ruleId", "level"],
    "properties": {
        "ruleId": {"type": "string"}, "ruleIndex": {"type": "integer", "minimum": 0}, "message": TEXT,
        "level": {"enum": ["none", "note", "warning", "error"]},
        "locations": {"type": "array", "minItems": 1, "items": LOCATION},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string"}},
        "properties": {"type": "object"},
    },
}  # fmt: skip
SCHEMA = {
    "type": "object", "additionalProperties": False, "required": ["version", "runs"],
    "properties": {
        "$schema": {"type": "string", "format": "uri"}, "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object", "additionalProperties": False, "required": ["tool"],
                "properties": {
                    "tool": {
                        "type": "object", "additionalProperties": False, "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object", "additionalProperties": False, "required": ["name"],
                                "properties": {
                                    "name": {"type": "string"}, "version": {"type": "string"},
                                    "rules": {"type": "array", "uniqueItems": True, "items": RULE},
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "results": {"type": "array", "items": RESULT},
                },
            },
        },
    },
}  # fmt: skip
"""The part of the standard's schema that is used here; as there, nothing else is allowed."""


def results(run: Run, known: Catalogue) -> dict[str, dict[str, Any]]:
    """Results by label, of a log that is as the standard wants it."""
    found = json.loads(json.dumps(render_sarif(run, known), allow_nan=False))
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    (made,) = found["runs"]
    for result in made["results"]:
        assert made["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    return {result["partialFingerprints"]["claimLabel/v1"]: result for result in made["results"]}


def test_what_is_refuted_or_unexpected_is_a_result(run: Run, known: Catalogue) -> None:
    found = {label: (result["ruleId"], result["level"]) for label, result in results(run, known).items()}
    assert found == {
        "coins.variance.printed[plot]": ("refuted", "note"), "coins.gap.printed": ("weaker-verdict", "error"),
        "coins.wrong": ("refuted", "note"), "series.flat": ("refuted", "note"),
    }  # fmt: skip


def test_a_result_stands_at_file_and_line_and_says_why(run: Run, known: Catalogue) -> None:
    found = results(run, known)["coins.variance.printed[plot]"]
    (location,) = found["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "claims/coins.py", "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 12},
    }  # fmt: skip
    text = found["message"]["text"]
    assert text.startswith("coins.variance.printed[plot]: refuted, as expected\n")
    for part in (
        "The variance of a coin is at most 6/25.", "p = 1/2, where the sides are 0.25 and 0.24",
        "place: Ames & Bold 2024, Moments of Coin Flips, Theorem 3", "boundaudit reproduce",
    ):  # fmt: skip
        assert part in text


@pytest.mark.parametrize(
    ("verdict", "expected", "rule"),
    [
        ("refuted", "proved", "refuted"), ("supported", "refuted", "unexpected-verdict"),
        ("supported", "certified", "weaker-verdict"), ("vacuous", "supported", "vacuous"),
        ("not testable", "proved", "not-testable"), ("undecided", "refuted", "undecided"),
    ],
)  # fmt: skip
def test_an_unexpected_verdict_is_an_error(run: Run, known: Catalogue, verdict: str, expected: str, rule: str) -> None:
    label = "coins.variance.bound"
    receipt = run.receipts[label]
    changed = replace(receipt, findings=replace(receipt.findings, verdict=verdict))
    entry = known.claims[label]
    pinned = replace(entry, cases=[replace(entry.cases[0], expected=expected)])
    found = results(
        replace(run, receipts={**run.receipts, label: changed}), replace(known, claims={**known.claims, label: pinned})
    )[label]
    assert (found["ruleId"], found["level"]) == (rule, "error")
    assert found["properties"] == {"verdict": verdict, "expected": expected}


def test_what_could_not_be_judged_is_an_error_without_a_place(run: Run, known: Catalogue) -> None:
    broken = replace(run, manifest=replace(run.manifest, errors={"coins.lost": "left: expected a number"}))
    found = results(broken, known)["coins.lost"]
    assert (found["ruleId"], found["level"]) == ("not-judged", "error")
    assert "physicalLocation" not in found["locations"][0]


def test_hostile_words_make_no_link_and_file_names_no_other_address(run: Run, known: Catalogue) -> None:
    label = "series.flat"
    words = "<script>alert(1)</script> [here](javascript:alert(1)) \u202e"
    for source, uri in (("a b<c>%41.py:3", "a%20b%3Cc%3E%2541.py"), ("javascript:x.py:3", "javascript%3Ax.py")):
        entry = replace(known.claims[label], statement=words, source=source)
        found = results(run, replace(known, claims={**known.claims, label: entry}))[label]
        assert found["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri
        assert "](" not in found["message"]["text"]
        assert "\u202e" not in found["message"]["text"]


def test_a_file_elsewhere_has_its_own_address(run: Run, known: Catalogue, tmp_path: Path) -> None:
    entry = replace(known.claims["series.flat"], source=f"{tmp_path}/x.py:3")
    found = results(run, replace(known, claims={**known.claims, "series.flat": entry}))["series.flat"]
    place = found["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": (tmp_path / "x.py").as_uri()}
