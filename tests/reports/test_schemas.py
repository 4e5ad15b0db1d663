"""The published schemas: real output is valid, they allow nothing else, and their words are those of the code."""

import json
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest
from tests.command import Call
from tests.schemas import NAMES, schema, validator
from tests.shipped import shipped_run

import boundaudit.reports.cli.claims.registry as registry
import boundaudit.reports.cli.claims.theorems as theorems
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.language.claim import KINDS
from boundaudit.checks.language.theorem import STATES
from boundaudit.checks.language.verdicts import READINGS, ROLES, VERDICTS
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run import audit
from boundaudit.checks.run.audit import Audit
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.formats.json_report import render_json

COMMANDS = ("check", "list", "show", "theorems", "verify")


def output(call: Call, found: Audit, step: int = 1) -> dict[str, list[Any]]:
    """What the commands print of an audit that is at hand, by schema; `show` of every so many claims and statements."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audit, "Audit", lambda run: found)
        patch.setattr(registry, "run_with", lambda label, folder: found.run)
        for module in (registry, theorems):
            patch.setattr(module, "run_to_read", lambda folder: found.run)
        rows, board = call("list", "--json").json, call("theorems", "--json").json
        cases = [case["label"] for row in rows for case in row["cases"]]
        numbers = Counter(row["number"] for row in board)  # papers share some, of which the command asks for one
        alone = [number for number, count in numbers.items() if count == 1]
        labels = [*(row["label"] for row in rows), *cases, *alone][::step]
        return {"list": [rows], "theorems": [board], "show": [call("show", label, "--json").json for label in labels]}


def test_output_of_the_sample_run_is_valid(call: Call, run: Run, known: Catalogue) -> None:
    for name, every in output(call, Audit(run, known)).items():
        for found in every:
            validator(name).validate(found)


@pytest.mark.acceptance
def test_output_of_the_run_that_ships_is_valid(call: Call) -> None:
    run = shipped_run()
    report = json.loads(json.dumps(render_json(run)))
    for name, every in {**output(call, Audit(run), step=40), "report": [report]}.items():
        for found in every:
            validator(name).validate(found)


@pytest.mark.parametrize(("name", "label", "path"), [
    ("list", "", (0,)), ("list", "", (0, "cases", 0)), ("theorems", "", (0,)), ("theorems", "", (0, "cases", 0)),
    ("theorems", "", (0, "cases", 0, "first_failure")), ("theorems", "", (0, "price")),
    ("show", "coins.variance.printed", ()), ("show", "coins.variance.printed", ("cases", 0)),
    ("show", "coins.variance.printed", ("cases", 1, "mutation")), ("show", "series.flat", ("evidence", 0)),
    ("show", "series.flat", ("evidence", 0, "witness")), ("show", "series.flat", ("evidence", 0, "path", 0)),
    ("show", "series.flat", ("region",)), ("show", "series.flat", ("region", "map")), ("show", "Theorem 3", ()),
    ("show", "Theorem 3", ("members", 0)),
])  # fmt: skip
def test_another_field_is_refused(
    call: Call, run: Run, known: Catalogue, name: str, label: str, path: tuple[str | int, ...]
) -> None:
    every = output(call, Audit(run, known))[name]
    found = next(one for one in every if not label or label in (one.get("label"), one.get("number")))
    assert validator(name).is_valid(found)
    part = found
    for step in path:
        part = part[step]
    part["unheard of"] = 1
    assert not validator(name).is_valid(found)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_field_is_described_and_every_object_closed(name: str) -> None:
    found = schema(name)
    for part in objects(found):
        for field, said in part.get("properties", {}).items():
            named = "description" in said or "description" in found["$defs"].get(_target(said), {})
            assert named, (name, field)
        if part.get("type") == "object" and part is not found["$defs"].get("theorem"):
            assert "additionalProperties" in part or part == {"type": "object", "description": part["description"]}


def objects(found: Any) -> Iterator[dict[str, Any]]:
    """Every object in some JSON."""
    if isinstance(found, dict):
        yield found
    if isinstance(found, (dict, list)):
        for part in found.values() if isinstance(found, dict) else found:
            yield from objects(part)


def _target(said: dict[str, Any]) -> str:
    """The definition that a field is of, or null."""
    named = said.get("$ref") or next((one["$ref"] for one in said.get("anyOf", ()) if "$ref" in one), "")
    return str(named).rpartition("/")[2]


def test_the_same_name_is_the_same_definition_in_each() -> None:
    first: dict[str, Any] = {}
    for name in NAMES:
        for word, found in schema(name)["$defs"].items():
            assert found == first.setdefault(word, found), (name, word)


def test_the_words_are_those_of_the_code() -> None:
    words = {name: tuple(found["enum"]) for name, found in schema("show")["$defs"].items() if "enum" in found}
    assert words["verdict"] == VERDICTS
    assert words["reading"] == READINGS
    assert words["role"] == ROLES
    assert words["kind"] == tuple(KINDS)
    assert set(words["state"]) == set(STATES)
    assert set(schema("verify")["properties"]["profile"]["enum"]) == set(PROFILES)


def test_the_schemas_are_shipped() -> None:
    folder = resources.files("boundaudit.reports").joinpath("schema")
    assert sorted(path.name for path in folder.iterdir()) == [f"{name}.schema.json" for name in NAMES]
