"""A run as short Markdown without timings: it is committed, and the same run gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from boundaudit.checks.language.verdicts import VERDICTS
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Failure, Row
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.answers import answers
from boundaudit.reports.document.document import Document, build_document, outcome_of, slug
from boundaudit.reports.document.kept import Kept
from boundaudit.reports.wording import (
    brief_point,
    cell,
    count,
    numbered,
    ratio_range,
    read_as,
    shortened,
    sides,
    titled,
)

_LONGEST = 600
_REFUTED = 40
_SENTENCES = 4
"""Of answers about a statement that is not a paper's core."""
_FALLEN = 6
_SCOREBOARD = ("Statement", "As printed", "First fails at", "In its place", "Price", "Falls with it")


def render_markdown(run: Run, known: Catalogue | None = None) -> str:
    """Render a run as GitHub-flavoured Markdown: the scoreboard, a paragraph a theorem, counts, how to reproduce."""
    document = build_document(run, known)
    return "\n\n".join(filter(None, _blocks(document))) + "\n"


def render_audit(run: Run) -> dict[str, str]:
    """Render a run as files for a code host: a page to forward, and behind it one a paper with all that was found.

    ``AUDIT.md``, ``audit/<paper>.md``, and ``audit/run.md`` with counts, slack and experiments; timings are not read.
    """
    document = build_document(run)
    files = {"AUDIT.md": tuple(_front(document)), "audit/run.md": ("# The run", *_behind(document))}
    for paper, rows in document.statements.items():
        core_first = sorted(rows, key=lambda row: not row.theorem.core)
        told = (block for row in core_first for block in _theorem(row, document, "##"))
        files[_file(paper)] = (f"# {_text(paper)}", f"**{_text(_outcome(rows))}**", _proofs(paper, document), *told)
    return {name: "\n\n".join(filter(None, blocks)) + "\n" for name, blocks in files.items()}


def _front(document: Document) -> Iterator[str]:
    yield "# Audit"
    yield f"**{_text(document.outcome)}**"
    for paper, rows in document.statements.items():
        yield f"## [{_text(paper)}]({_file(paper)})"
        yield _text(_outcome(rows))
        judged = [row for row in rows if row.state in ("falls", "stands in part")]
        core = [row for row in judged if row.theorem.core] or judged
        if core:
            yield _table(("Statement", "As printed", "In its place"), (_short_row(row) for row in core))
        for state in ("falls", "stands in part"):
            others = [_link(row) for row in judged if row.state == state and row not in core]
            yield f"{state.capitalize()}, too: {', '.join(others)}." if others else ""
        stand = [row.theorem.number for row in rows if row.state == "stands"]
        yield f"Stands: {_text(numbered(stand))}." if stand else ""
    yield "[Counts, slack, experiments, how to reproduce](audit/run.md)"


def _short_row(row: Row) -> tuple[str, ...]:
    """What a reader wants first; the formula stands where the link leads."""
    brief, successor = row.theorem.brief, row.theorem.successor
    told = f"**{row.state.capitalize()}.** {_text(brief.true if brief else read_as(row))}".rstrip()
    return _link(row, row.theorem.title), told, _text(brief.instead) if brief else _code(successor) if successor else ""


def _link(row: Row, title: str = "") -> str:
    words = " ".join(filter(None, [row.theorem.number, title]))
    return f"[{_text(words)}]({_file(row.theorem.paper)}#{_heading_id(row)})"


def _file(paper: str) -> str:
    """Where a paper's statements are told, by its citation."""
    return f"audit/{slug(paper.partition('(')[0])}.md"


def _outcome(rows: Sequence[Row]) -> str:
    return f"{count(len(rows), 'statement')}: {outcome_of(rows)}."


def _proofs(paper: str, document: Document) -> str:
    """How many of a paper's proofs an outside checker has accepted."""
    claims = [audited for audited in document.claims.values() if audited.claim.paper == paper]
    proofs = sum(findings.proof is not None for audited in claims for findings in audited.found.values())
    accepted = sum(len(audited.accepted_by_coq) for audited in claims)
    told = f"Of {count(proofs, 'proof')} that our checker accepts, Coq has accepted {accepted:,} so far."
    return told if accepted else ""


def _behind(document: Document) -> Iterator[str]:
    yield from _counts(document)
    yield from _chains(document)
    yield from _experiments(document)
    yield from _made(document)


def _blocks(document: Document) -> Iterator[str]:
    yield "# Audit"
    yield f"**{_text(document.outcome)}**"
    for paper, rows in document.statements.items():
        yield f"## {_text(paper)}"
        yield _table(_SCOREBOARD, map(_row, rows))
        for row in rows:
            if row.theorem.says:
                yield from _theorem(row, document)
    if not document.rows:
        yield from _refuted(document)
    yield from _behind(document)


def _row(row: Row) -> tuple[str, ...]:
    theorem, failure = row.theorem, row.failure
    where = "" if failure is None else _text(shortened(brief_point(failure.witness.to_json()["point"]), 70))
    name = f"[{_text(theorem.number)}](#{_heading_id(row)})" if theorem.says else _text(theorem.number)
    return (
        f"{name} {_text(theorem.title)}".strip(), row.state, where,
        _code(theorem.successor) if theorem.successor else "", ratio_range(row.price),
        _few(row.falls_with_it),
    )  # fmt: skip


def _few(numbers: Sequence[str]) -> str:
    more = f" and {len(numbers) - _FALLEN} more" if len(numbers) > _FALLEN else ""
    return _text(", ".join(numbers[:_FALLEN])) + more


def _theorem(row: Row, document: Document, level: str = "###") -> Iterator[str]:
    theorem = row.theorem
    yield f"{level} {_text(titled(row.theorem))}"
    yield f"{_text(theorem.says)}{_formula(theorem.formula)}"
    read = read_as(row)
    yield f"**{row.state.capitalize()}**{f' ({_text(read)})' if read else ''}."
    yield "\n".join(_told(row, document))
    yield " ".join(filter(None, _found(row, document)))


def _told(row: Row, document: Document) -> Iterator[str]:
    """What a reader asks first: of a statement that is not a paper's core in a few sentences."""
    sentences = 0
    for place, each in enumerate(answers(row, document.claims)):
        sentences += len(re.findall(r"\.(?=\s|$)", each.said))
        if not place or row.theorem.core or sentences <= _SENTENCES:
            yield f"- *{each.question}* {_text(each.said)}{_formula(each.formula)}"


def _found(row: Row, document: Document) -> Iterator[str]:
    """The labels of what was found; the rest stands on the statement's page."""
    theorem, failure = row.theorem, row.failure
    if failure is not None:
        yield f"First failure: {_code(failure.label)}." if theorem.brief else f"First failure: {_failure(failure)}."
    for what, label, ratios in (
        ("In its place", theorem.successor, row.price),
        ("Sharper", theorem.improvement, row.gain),
    ):
        if label and (what == "In its place" or label != theorem.successor):
            audited = document.claims.get(label.partition("[")[0])
            surely = f", {audited.strength}" if audited else ""
            yield f"{what}: {_code(label)}{surely}{f' ({ratio_range(ratios)})' if ratios else ''}."
    yield f"Falls with it: {', '.join(row.falls_with_it)}." if row.falls_with_it else ""


def _failure(failure: Failure) -> str:
    witness = failure.witness
    left, right = sides(witness.left, witness.right)
    return f"{_code(failure.label)} at {_text(brief_point(witness.to_json()['point']))}, left = {left}, right = {right}"


def _refuted(document: Document) -> Iterator[str]:
    """Where there are no theorems, the claims that fall."""
    fallen = [audited for audited in document.claims.values() if audited.verdict == "refuted"]
    if not fallen:
        return
    yield "## Refuted"
    told = []
    for audited in fallen[:_REFUTED]:
        failures = [Failure(c.label, c.said, w) for c in audited.cases if (w := audited.found[c.label].witness)]
        where = f" {_failure(failures[0])}." if failures else ""
        told.append(f"- {_code(audited.claim.label)}: {_text(audited.claim.statement)}{where}")
    if len(fallen) > _REFUTED:
        told.append(f"- and {len(fallen) - _REFUTED} more")
    yield "\n".join(told)


def _counts(document: Document) -> Iterator[str]:
    yield "## Claims by role and verdict"
    roles = document.audit.roles()
    shown = [verdict for verdict in VERDICTS if any(found[verdict] for found in roles.values())]
    rows = ([role, *(str(found[verdict]) for verdict in shown)] for role, found in roles.items() if found.total())
    yield _table(("Role", *shown), rows, right=range(1, len(shown) + 1))
    yield "A claim with cases counts once, by its weakest case."
    mutants = document.mutants
    if mutants["total"]:
        yield (
            f"Of {count(mutants['total'], 'mutant')} {mutants['killed']:,} are killed, {mutants['slack']:,} hold too "
            f"(the bound is loose there), {mutants['unexplained']:,} are unexplained."
        )
    for doubt in document.doubts or ():
        yield f"{_code(doubt.label)} does not stand: its receipt says {_text(doubt.says)}; found {_text(doubt.found)}."
    if document.unexpected:
        yield f"Not as pinned: {', '.join(map(_code, document.unexpected[:_REFUTED]))}."


def _chains(document: Document) -> Iterator[str]:
    chains = [chain for chain in document.chains if chain.binding is not None]
    if not chains:
        return
    yield "## Where the slack comes from"
    rows = (
        (
            _text(chain.words.title), _text(chain.binding.name if chain.binding else ""),
            f"{chain.binding.mean:.3g}" if chain.binding and chain.binding.mean is not None else "",
            _text(", ".join(step.name for step in chain.steps if not step.holds)),
        )
        for chain in chains
    )  # fmt: skip
    yield _table(("Derivation", "Loses most in", "Factor", "False steps"), rows, right=(2,))


def _experiments(document: Document) -> Iterator[str]:
    if document.experiments:
        yield "## Experiments run again"
        names = ("Experiment", "Where", "Printed", "Measured", "Verdict")
        said = ((kept, each) for kept in document.experiments for each in kept.found["replications"])
        yield _table(names, (_replicated(kept, each) for kept, each in said))
        yield "\n".join(f"- `boundaudit experiment {kept.name}`: {_text(kept.made)}" for kept in document.experiments)


def _replicated(kept: Kept, each: Mapping[str, Any]) -> tuple[str, ...]:
    value, low, high = (cell(each[name]) for name in ("value", "low", "high"))
    measured = f"{each['measured']}: {value}" + ("" if each["low"] is None else f" ({low} to {high})")
    return kept.name, _text(each["place"]), _text(each["printed"]), _text(measured), each["verdict"]


def _made(document: Document) -> Iterator[str]:
    yield "## How to reproduce"
    manifest = document.run.manifest
    versions = ", ".join(f"{name} {version}" for name, version in manifest.versions.items())
    yield f"Profile {manifest.profile}, seed {manifest.seed}, on {manifest.device}; {_text(versions)}."
    yield (
        "```\n"
        "boundaudit theorems                     # this table\n"
        "boundaudit show 'Theorem 10'            # a statement with its claims\n"
        "boundaudit reproduce 'LABEL[case]'      # a counterexample again, both sides to 15 digits\n"
        f"boundaudit verify --profile {manifest.profile}   # all of the evidence\n"
        "boundaudit report                       # the pages with maps, drawings and proofs\n"
        "```"
    )


def _heading_id(row: Row) -> str:
    """The id that a code host gives the heading."""
    return re.sub(r"[^\w\- ]", "", titled(row.theorem).lower()).replace(" ", "-")


def _formula(latex: str, most: int = _LONGEST) -> str:
    """A formula within a line, in which nothing reads as a tag of HTML; empty where it would fill one."""
    shown = re.sub(r"<(?=[A-Za-z/!?])", r"\\lt ", _line(latex))
    return f" ${shown}$" if latex and len(latex) <= most else ""


def _code(text: str) -> str:
    return f"`{_line(text)}`"


def _line(text: str) -> str:
    """Text that stays within its fence: one line, no backticks, no dollars."""
    return " ".join(text.replace("`", "'").replace("$", "").split())


def _text(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    escaped = re.sub(r"([\\`*_\[\]<>|#~$&])", r"\\\1", " ".join(text.split()))
    return re.sub(r"^(\d*)([-+.)])(?=\s)", r"\1\\\2", escaped)  # no list where a sentence starts like one


def _table(names: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> str:
    rule = ["---:" if i in right else "---" for i in range(len(names))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (names, rule, *rows))
