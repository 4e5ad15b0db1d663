"""`boundaudit list` and `boundaudit show`: what is claimed, with what a run found."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.lookup import members_in, next_steps, run_to_read, run_with, said_of
from boundaudit.reports.cli.options import choose, json_option, option, run_option
from boundaudit.reports.cli.output import STYLES, answer, console, show_told, table, text
from boundaudit.reports.wording import brief

if TYPE_CHECKING:
    from boundaudit.checks.run.audit import Audit, Audited


@click.command("list")
@option("--paper", help="Only this paper: a sub-package such as sharpness, or part of its citation.")
@option("--place", help="Only what belongs to this statement, such as 'Theorem 10'.")
@option("--role", help="Only this role: printed, successor, improvement, lemma or control.")
@option("--verdict", help="Only this verdict.")
@run_option
@json_option
def list_claims(
    paper: str | None, place: str | None, role: str | None, verdict: str | None, folder: Path | None, as_json: bool
) -> int:
    """List the claims with their verdicts; one with cases shows each of them."""
    from boundaudit.checks.language.verdicts import ROLES, VERDICTS
    from boundaudit.checks.run.audit import Audit

    choose("--verdict", verdict, VERDICTS)
    choose("--role", role, ROLES)
    run = run_to_read(folder)
    rows = [audited.row() for audited in Audit(run).claims.values()]
    if paper is not None:
        rows = _of_paper(rows, paper)
    if place is not None:
        known_places = {entry for row in rows for entry in row["place"]}
        if place not in known_places:
            raise InputError("--place", "a statement such as 'Theorem 10'", place, "see `boundaudit theorems`")
        rows = [row for row in rows if place in row["place"]]
    rows = [row for row in rows if role in (None, row["role"]) and verdict in (None, row["verdict"])]
    answer(rows, partial(_table, rows), as_json=as_json, run=run)
    return 0


def _of_paper(rows: list[dict[str, Any]], paper: str) -> list[dict[str, Any]]:
    known = sorted({row["label"].split(".")[0] for row in rows})
    found = [r for r in rows if paper and (r["label"].split(".")[0] == paper or paper.lower() in r["paper"].lower())]
    if not found:
        raise InputError("--paper", f"one of {', '.join(known)}", paper, "choose one of these")
    return found


def _table(rows: list[dict[str, Any]]) -> None:
    shown = []
    for row in rows:
        shown.append(
            (_styled(row["verdict"]), row["role"], row["label"], ", ".join(row["place"]), brief(row["ratio"], 6))
        )
        shown += [(_styled(case["verdict"]), "", f"  \\[{case['case']}]", "", "") for case in row["cases"]]
    titles = ("verdict", "role", "claim", "place", "left/right")
    console().print(table(titles, shown, right=(4,), whole=range(4)))


def _styled(verdict: str) -> str:
    return f"[{STYLES[verdict]}]{verdict}[/]"


@click.command()
@click.argument("label", metavar="LABEL | 'Theorem N'")
@run_option
@json_option
def show(label: str, folder: Path | None, as_json: bool) -> int:
    """Show one claim, or one theorem with its claims: statement, formula, domain, evidence, what rests on it."""
    if " " in label.partition("[")[0] or "." not in label:  # a label has a dot, and no space before a case
        from boundaudit.reports.cli.claims.theorems import show_theorem

        return show_theorem(label, folder, as_json)
    from boundaudit.checks.run.audit import Audit
    from boundaudit.checks.run.doubts import quick_doubts

    run = run_with(label, folder)
    audit = Audit(run)
    audited = audit.claim(label)
    doubts = quick_doubts(run, members_in(run, label))
    details = describe(audited, label) | _stated(audit, audited)
    details["doubts"] = None if doubts is None else list(map(asdict, doubts))

    def page() -> None:
        further = map(next_steps(run), members_in(run, label))
        _page(details | {"next": "\n".join(filter(None, further))})

    answer(details, page, as_json=as_json, run=run, again=True)
    return 1 if doubts else 0


def _stated(audit: Audit, audited: Audited) -> dict[str, str | None]:
    """Which version of its paper a claim is read from, and what the authors answered about the statements it is of."""
    theorems = [theorem for theorem in audit.catalogue.theorems if theorem.paper == audited.claim.paper]
    versions = dict.fromkeys(theorem.version for theorem in theorems if theorem.version)
    answers = [theorem.answer for theorem in theorems if theorem.number in audited.claim.place and theorem.answer]
    return {"version": ", ".join(versions) or None, "answer": " ".join(answers) or None}


def describe(audited: Audited, label: str) -> dict[str, Any]:
    """One claim as `show --json` prints it; with a case in the label, that one alone.

    The row of `list`, links, and for each case statement, formula, domain, evidence and worst case; a claim without
    cases, and a case that was asked for, has the fields of its case beside its own.
    """
    from boundaudit.reports.figures.region import sentence

    claim = audited.claim
    cases = []
    for case in audited.cases:
        found = audited.found[case.label]
        shown = found.to_json()
        cases.append({
            "label": case.label, "case": case.case, "verdict": found.verdict, "expected": case.expected,
            "reading": case.reading, "latex": case.latex, "text": case.text, "domain": case.domain,
            "fingerprint": audited.fingerprints[case.label], "limitations": list(case.limitations),
            "symbols": dict(case.symbols), "evidence": shown.get("evidence", []), "worst": shown.get("worst"),
            "reason": found.reason, "mutation": shown.get("mutants"), "region": shown.get("region"),
            "where": sentence(found) or None, "ratio": audited.ratio_of(case.label),
            "assumes": list(audited.assumed[case.label]),
            "accepted_by_coq": [case.label] if case.label in audited.accepted_by_coq else [],
            "repair": case.repair or claim.repair, "statement": case.statement or claim.statement,
            "kind": case.kind or claim.kind,
            "steps": [dict(zip(("leads_to", "why", "claim", "formula"), step, strict=True)) for step in case.steps],
        })  # fmt: skip
    links = {
        name: getattr(claim, name)
        for name in ("statement", "repair", "repairs", "improves", "rests_on", "used_by", "blast_radius", "source")
    }
    asked = [case for case in cases if case["label"] == label]
    own = asked[0] if asked else cases[0] if len(cases) == 1 else _together(audited, cases)
    return audited.row() | links | own | {"cases": cases if len(cases) > 1 and not asked else []}


def _together(audited: Audited, cases: list[dict[str, Any]]) -> dict[str, Any]:
    """What all cases of a claim say together."""
    first = cases[0]
    worst = max(cases, key=lambda case: (case["ratio"] == audited.ratio, case["verdict"] == "refuted"))["worst"]
    return {
        "ratio": audited.ratio, "latex": first["latex"], "text": first["text"],
        "domain": "; or ".join(dict.fromkeys(case["domain"] for case in cases)),
        "fingerprint": ", ".join(case["fingerprint"] for case in cases), "evidence": [], "worst": worst,
        "limitations": list(dict.fromkeys(words for case in cases for words in case["limitations"])),
        "symbols": {name: said for case in cases for name, said in case["symbols"].items()},
        "reason": "; ".join(f"{case['case']}: {case['verdict']}" for case in cases),
    }  # fmt: skip


_LONGEST = 800
"""Characters of a formula that a terminal shows; `--json` has the whole."""


def _page(details: dict[str, Any]) -> None:
    from boundaudit.reports.wording import shortened

    screen = console()
    verdict = details["verdict"]
    screen.print(
        text(details["label"], "bold").append(f"  {verdict}", STYLES[verdict]).append(f": {details['reason']}")
    )
    fields = {
        "checked again": said_of(details["doubts"]),
        "statement": details["statement"], "formula": shortened(details["text"], _LONGEST), "domain": details["domain"],
        "next": details["next"],
        "symbols": "\n".join(f"{name}: {said[0]}" for name, said in details["symbols"].items()),
        "place": ": ".join(filter(None, [_cited(details), ", ".join(details["place"])])),
        "the authors' answer": details["answer"],
        "assumes": ", ".join(details["assumes"]),
        "accepted by Coq too": ", ".join(details["accepted_by_coq"]),
        "role": details["role"], "reading": details["reading"],
        "worst measured": _case(details["worst"]), "where it fails": details.get("where"),
        "in its place": details["repair"], "stands in for": ", ".join(details["repairs"]),
        "improves": details["improves"], "rests on": ", ".join(details["rests_on"]),
        "used by": ", ".join(details["used_by"]), "limitations": " ".join(details["limitations"]),
        "fingerprint": details["fingerprint"],
    }  # fmt: skip
    show_told(fields)
    for case in details["cases"] or [details]:
        if details["cases"]:
            line = text(f"\n[{case['case']}]", "bold").append(f"  {case['verdict']}", STYLES[case["verdict"]])
            screen.print(line.append(f": {case['reason']}"))
            formula = shortened(case["text"], _LONGEST)
            show_told({"formula": formula, "domain": case["domain"], "where it fails": case["where"]})
        for evidence in case["evidence"]:
            _evidence(evidence)
        accepted = any(e["outcome"] == "holds" and e.get("engine") == "chain" for e in case["evidence"])
        title = "proof, accepted step by step" if accepted else "argument, which nothing has checked"
        _steps(case.get("steps", []), title)


def _cited(details: dict[str, Any]) -> str:
    return ", ".join(filter(None, [details["paper"], details["version"]]))


def _steps(steps: list[dict[str, str]], title: str) -> None:
    """A chain, to be refereed: each node, its formula, why the one before leads to it, and from what."""
    from boundaudit.reports.wording import shortened

    screen = console()
    if steps:
        screen.print(text(f"\n{title}", "bold"))
    for number_, step in enumerate(steps):
        why = ", from ".join(filter(None, [step["why"], step["claim"]]))
        screen.print(text(f"  {number_}. {step['leads_to']}{f' ({why})' if why else ''}"))
        screen.print(text(f"     {shortened(step['formula'], _LONGEST)}", "dim"))


def _evidence(evidence: dict[str, Any]) -> None:
    from boundaudit.reports.wording import exact_point

    screen = console()
    screen.print(text(f"\n{evidence['method']}: {evidence['outcome']}", "bold"))
    screen.print(text(f"  {evidence['covers']} ({evidence['evaluations']} evaluations)"))
    if "witness" in evidence:
        witness = evidence["witness"]
        screen.print(text(f"  counterexample: {exact_point(witness['point'])}"))
        screen.print(text(f"  {witness['left']} against {witness['right']}"))


def _case(worst: dict[str, Any] | None) -> str:
    if worst is None:
        return ""
    from boundaudit.reports.wording import exact_point

    return f"{brief(worst['left'], 15)} against {brief(worst['right'], 15)} at {exact_point(worst['point'])}"
