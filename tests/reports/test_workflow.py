"""The example workflow is YAML, and every command in it is one that exists."""

import re
import shlex
from importlib import resources
from typing import Any

import click
import pytest

from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.reports.cli.main import cli
from boundaudit.reports.formats.render import FORMATS

yaml = pytest.importorskip("yaml")


@pytest.fixture
def steps() -> list[dict[str, Any]]:
    text = resources.files("boundaudit.reports").joinpath("examples", "workflow.yml").read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read", "security-events": "write"}
    found: list[dict[str, Any]] = workflow["jobs"]["audit"]["steps"]
    assert all(("run" in step) != ("uses" in step) for step in found)
    return found


def calls(steps: list[dict[str, Any]]) -> list[list[str]]:
    """The calls of boundaudit, as words."""
    text = "\n".join(step.get("run", "") for step in steps)
    return [shlex.split(found) for found in re.findall(r"\bboundaudit ([a-z][^);\n]*)", text)]


def test_every_command_and_option_exists(steps: list[dict[str, Any]]) -> None:
    found = calls(steps)
    assert [words[0] for words in found] == ["verify", "report", "verify", "diff"]
    for name, *words in found:
        command = cli.commands[name]
        context = command.make_context(name, list(words))  # an option that does not exist is a UsageError
        assert isinstance(context, click.Context)
        if name == "report":
            assert set(context.params["formats"].split(",")) <= set(FORMATS)
        if name == "verify":
            assert context.params["profile"] in PROFILES


def test_what_is_uploaded_is_what_the_report_writes(steps: list[dict[str, Any]]) -> None:
    (upload,) = [step for step in steps if "upload-sarif" in step.get("uses", "")]
    verify, report, *_ = calls(steps)
    assert upload["with"]["sarif_file"] == f"{report[1]}/report.sarif"
    assert verify[verify.index("--out") + 1] == report[1]
    assert "sarif" in report[report.index("--format") + 1].split(",")


def test_the_reports_are_written_where_the_audit_failed_too(steps: list[dict[str, Any]]) -> None:
    audit = next(i for i, step in enumerate(steps) if step.get("name") == "Audit")
    assert "if" not in steps[audit]
    assert all("!cancelled()" in step["if"] for step in steps[audit + 1 :])
