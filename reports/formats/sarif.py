"""A run as SARIF 2.1.0: what is refuted or unexpected, at the file and line of the claim, for code scanning to show."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

from boundaudit import __version__
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.places import Outcome, outcomes

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_RULES = {
    "refuted": "A counterexample, confirmed in exact or ball arithmetic, refutes the claim.",
    "weaker-verdict": "The claim stands, on weaker evidence than is expected of it.",
    "unexpected-verdict": "The claim stands, though something else is expected of it.",
    "undecided": "The methods disagree, or stop before they can say.",
    "vacuous": "The evidence could not have refuted the claim.",
    "not-testable": "The statement leaves a constant open.",
    "not-judged": "The claim's input is wrong.",
}
"""What each kind of result means."""


def render_sarif(run: Run, known: Catalogue | None = None) -> dict[str, Any]:
    """Render what is refuted, and what is not as expected.

    A verdict that is not as expected is an error; one that is pinned as refuted, and is, is a note.
    """
    told = [outcome for outcome in outcomes(run, known) if not outcome.as_expected or outcome.verdict == "refuted"]
    used = [rule for rule in _RULES if rule in map(_rule, told)]
    driver = {
        "name": "boundaudit",
        "version": __version__,
        "rules": [{"id": rule, "shortDescription": {"text": _RULES[rule]}} for rule in used],
    }
    found = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(outcome, used) for outcome in told],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [found]}


def _rule(outcome: Outcome) -> str:
    if not outcome.verdict:
        return "not-judged"
    rule = outcome.verdict.replace(" ", "-")
    if rule in _RULES:
        return rule
    return "unexpected-verdict" if outcome.expected not in ("proved", "certified") else "weaker-verdict"


def _result(outcome: Outcome, rules: list[str]) -> dict[str, Any]:
    rule = _rule(outcome)
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": outcome.label, "kind": "claim"}]}
    if outcome.file:
        region = {"startLine": outcome.line}
        location["physicalLocation"] = {"artifactLocation": _artifact(outcome.file), "region": region}
    found: dict[str, Any] = {
        "ruleId": rule, "ruleIndex": rules.index(rule), "level": "note" if outcome.as_expected else "error",
        "message": {"text": _text(outcome)}, "locations": [location],
        "properties": {"verdict": outcome.verdict or None, "expected": outcome.expected or None},
    }  # fmt: skip
    return found | {"partialFingerprints": {"claimLabel/v1": outcome.label}}


def _text(outcome: Outcome) -> str:
    """What is told; in SARIF, text in brackets before text in parentheses is a link."""
    return "\n".join((outcome.headline, *outcome.details)).replace("](", "] (")


def _artifact(file: str) -> dict[str, str]:
    """A file as a URI: relative to the root of the checkout where it is below the working directory."""
    path = Path(file)
    return {"uri": path.as_uri()} if path.is_absolute() else {"uri": quote(file), "uriBaseId": "%SRCROOT%"}
