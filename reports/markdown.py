"""A run as Markdown without timings or dates: it is committed, and the same run gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.climb import climb_rows
from boundaudit.reports.document import Chain, Document, Entry, Paper, build_document, certificate_summary
from boundaudit.reports.graph import anchor
from boundaudit.reports.region import heat
from boundaudit.reports.studies import few_values, omitted
from boundaudit.reports.wording import count, number, point_text, ratio_text, record_text, relation, sides


def render_markdown(run: Run) -> str:
    """Render a run as GitHub-flavoured Markdown, formulas in ``math`` blocks.

    Args:
        run: A finished run; its timings are not read.

    Returns:
        The text, ending in one newline.
    """
    document = build_document(run)
    blocks = [
        *_first_screen(document),
        *_refuted(document),
        "## Claims",
        "No verdict on a paper rests on one reading alone: where the source leaves room, the reading is "
        "named beside the verdict.",
        *(block for paper in document.papers for block in _paper(paper, document)),
        *_waterfalls(document),
        *_studies(document),
        *_survivors(document),
        *_made(document),
    ]
    return "\n\n".join(blocks) + "\n"


def _first_screen(document: Document) -> Iterator[str]:
    manifest, mutation = document.manifest, document.mutation
    yield f"# Audit of {count(len(document.entries), 'claim')}"
    yield "\n".join(f"- {_text(paper.title)}: {count(len(paper.entries), 'claim')}" for paper in document.papers)
    total, odd = len(document.entries), [entry.label for entry in document.unexpected]
    but = f"; not: {_links(odd, document)}" if odd else ""
    score = "none judged" if document.mutation_score is None else f"{document.mutation_score:.1%} killed, slack aside"
    yield (
        f"Profile {_text(manifest['profile'])}, seed {manifest['seed']}, on {_text(manifest['device'])}. "
        f"As expected: {total - len(odd)} of {total}{but}. "
        f"Mutants: {score} ({mutation['killed']} killed, {mutation['slack']} slack, "
        f"{mutation['unexplained']} unexplained)."
    )
    yield _table(("Verdict", "Claims"), ((verdict, str(n)) for verdict, n in document.counts.items()), right=(1,))


def _refuted(document: Document) -> Iterator[str]:
    yield "## Refuted"
    if not document.refuted:
        yield "No claim of this run is refuted."
    for entry in document.refuted:
        found = f"Fails at {_counterexample(entry)}" if entry.witness else _text(entry.receipt["reason"])
        blast = f": {_links(entry.blast_radius, document)}" if entry.blast_radius else ""
        repair = f"Repaired by {_links(entry.repaired_by, document)}" if entry.repaired_by else "No repair in this run"
        place = _text(", ".join(entry.claim["place"]))
        yield (
            f"- **{_link(entry.label, document)}** {place} (reading: {entry.claim['reading']}): "
            f"{_text(entry.claim['statement'])} {found}. Blast radius {len(entry.blast_radius)}{blast}. {repair}."
        )


def _paper(paper: Paper, document: Document) -> Iterator[str]:
    yield f"### {_text(paper.title)}"
    rows = (
        (
            _link(entry.label, document),
            _text(", ".join(entry.claim["place"])),
            entry.claim["kind"],
            _verdict(entry),
            ratio_text(entry.receipt["ratio"]),
            f"{entry.evaluations:,}",
        )
        for entry in paper.entries
    )
    yield _table(("Claim", "Place", "Kind", "Verdict", "Worst ratio", "Evaluations"), rows, right=(4, 5))
    for entry in paper.entries:
        yield from _claim(entry, document)


def _claim(entry: Entry, document: Document) -> Iterator[str]:
    claim, receipt = entry.claim, entry.receipt
    yield f'<a id="{anchor(entry.label)}"></a>\n\n#### {_code(entry.label)}: {_verdict(entry)}'
    yield _text(claim["statement"])
    yield _formula(claim["latex"])
    yield "\n".join(f"- {name}: {words}" for name, words in _facts(entry, document) if words)
    if receipt["evidence"]:
        yield _evidence(receipt["evidence"])
    yield from _where(entry)
    if receipt["tightness"] and receipt["tightness"]["points"]:
        parameter = _text(receipt["tightness"]["parameter"])
        points = receipt["tightness"]["points"]
        ends = [
            f"{ratio_text(r)} at {parameter} = {number(x)}"
            for x, r in (min(points, key=_ratio), max(points, key=_ratio))
        ]
        yield f"Left over right at {len(points)} points: from {' to '.join(ends)}."
    if receipt["mutation"]:
        mutation = receipt["mutation"]
        fates = ", ".join(f"{mutation[fate]} {fate}" for fate in ("killed", "slack", "unexplained"))
        yield f"Mutants: {fates} of {mutation['total']}."
    if entry.witness or receipt["worst"]:
        yield f"```sh\nboundaudit reproduce {_line(entry.label)}\n```"


def _where(entry: Entry) -> Iterator[str]:
    """The shares of violations over two parameters, and the climb that found one."""
    found = heat(entry.region)
    if found:
        names = [_text(name) for name in (f"{found.rows} ↓ {found.columns} →", *found.across)]
        rows = (
            [_text(text) for text in (label, *(cell.text for cell in row))]
            for label, row in zip(found.down, found.cells, strict=True)
        )
        yield "Share of the swept points that violate it:"
        yield _table(names, rows, right=range(1, len(names)))
    if entry.path:
        yield "The climb to the counterexample and beyond:"
        steps = ([_text(cell) for cell in row] for row in climb_rows(entry.path))
        yield _table(("Points", "Left over right", "Changed"), steps, right=(0, 1))


def _facts(entry: Entry, document: Document) -> Iterator[tuple[str, str]]:
    """Name and words of each fact about a claim; no words where there is nothing to say."""
    claim, receipt = entry.claim, entry.receipt
    yield "Place", _text(", ".join(claim["place"]))
    yield "Kind", f"{claim['kind']}, {_text(claim['mode'])}, reading: {claim['reading']}"
    yield "Domain", _text(claim["domain"])
    yield "Verdict", f"**{entry.verdict}**: {_text(receipt['reason'])}"
    yield "Expected", "" if receipt["as_expected"] else f"{_text(claim['expected'])}, which differs"
    yield "Stands", "and so does all it rests on" if entry.stands_fully else ""
    if entry.witness:
        yield (
            "Counterexample",
            f"{_counterexample(entry)} (claimed: left {relation(claim['relation'])} right)",
        )
    elif receipt["worst"]:
        yield "Worst case", _case(receipt["worst"])
    yield "Where it is true", _text(entry.where)
    yield "Worst ratio", "" if receipt["ratio"] is None else ratio_text(receipt["ratio"])
    yield "Equality at", "; ".join(_text(point_text(point)) for point in claim["equality"])
    yield "Rests on", _links(claim["rests_on"], document)
    yield "Used by", _links(entry.used_by, document)
    yield (
        "Blast radius",
        _links(entry.blast_radius, document) if len(entry.blast_radius) > len(entry.used_by) else "",
    )
    yield "Repaired by", _links(entry.repaired_by, document)
    yield "Repairs", _links(claim["repairs"], document)
    yield "Improves", _links(filter(None, [claim["improves"]]), document)
    yield "Limitations", _text(" ".join(claim["limitations"]))
    yield "Stated in", f"{_code(claim['source'])}, fingerprint {_code(claim['fingerprint'][:12])}"


def _evidence(rows: Sequence[dict[str, Any]]) -> str:
    names = ("Method", "Outcome", "Covers", "Evaluations", "Worst ratio", "Engine, certificate", "Notes")
    return _table(names, (_evidence_row(row) for row in rows), right=(3, 4))


def _evidence_row(row: dict[str, Any]) -> tuple[str, ...]:
    summary = certificate_summary(row["certificate"])
    certificate = f"{_text(summary['kind'])}, {summary['bytes']:,} bytes" if summary else ""
    return (
        row["method"],
        row["outcome"],
        _text(row["covers"])
        + (" (whole domain)" if row["whole_domain"] and "whole domain" not in row["covers"] else ""),
        f"{row['evaluations']:,}",
        ratio_text(row["worst"]["ratio"]) if row["worst"] else "-",
        "; ".join(filter(None, (_text(row["engine"] or ""), certificate))),
        _text("; ".join(row["notes"])),
    )


def _waterfalls(document: Document) -> Iterator[str]:
    if document.chains:
        yield "## Waterfalls: where the slack comes from"
    for chain in document.chains:
        yield from _waterfall(chain)


def _waterfall(chain: Chain) -> Iterator[str]:
    record = chain.record
    yield f"### {_text(record['title'])}"
    where = ", ".join([record["paper"], *record["place"], record["domain"]])
    yield f"{_code(record['label'])}, {_text(where)}"
    if record["text"]:
        yield _text(record["text"])
    rows = (
        (
            _text(step.name),
            _text(step.cites or ""),
            "yes" if step.holds else "**false**",
            *(ratio_text(factor) for factor in (step.smallest, step.mean, step.largest)),
        )
        for step in chain.steps
    )
    names = ("Step", "By", "Holds", "Smallest factor", "Geometric mean", "Largest factor")
    yield _table(names, rows, right=(3, 4, 5))
    if chain.binding:
        yield f"Binding step: **{_text(chain.binding.name)}**."


def _studies(document: Document) -> Iterator[str]:
    if document.studies:
        yield "## How it depends on the parameters"
    for study in document.studies:
        yield f"### {_text(study['title'])}"
        where = _text(", ".join(filter(None, [study["paper"], *study["place"]])))
        yield ", ".join(filter(None, [_code(study["label"]), where])) + f"; draws {_links(study['claims'], document)}"
        yield _text(study["caption"])
        for panel in study["panels"]:
            yield from _panel(panel)


def _panel(panel: dict[str, Any]) -> Iterator[str]:
    yield f"**{_text(panel['title'])}**: {_text(panel['y'])} against {_text(panel['x'])}. {omitted(panel)}".rstrip()
    names = [_text(panel["x"]), *(_text(series["name"]) for series in panel["series"])]
    rows = ([_text(cell) for cell in row] for row in few_values(panel))
    yield _table(names, rows, right=range(len(names)))


def _survivors(document: Document) -> Iterator[str]:
    yield "## Mutation survivors"
    if not document.survivors:
        yield "Every mutant was killed." if document.mutation["total"] else "No mutants were judged."
        return
    yield (
        "A slack mutant holds too: the statement could be sharpened that far. An unexplained one was neither "
        "refuted nor shown to hold."
    )
    rows = ((_link(row.label, document), _text(row.change), row.fate, _text(row.how)) for row in document.survivors)
    yield _table(("Claim", "Mutant", "Fate", "How"), rows)


def _made(document: Document) -> Iterator[str]:
    yield "## How the run was made"
    listed = {"claims", "derivations", "studies"}
    told = {name: value for name, value in document.manifest.items() if name not in listed}
    yield "\n".join(f"- {name.replace('_', ' ')}: {_text(record_text(value))}" for name, value in told.items())


def _counterexample(entry: Entry) -> str:
    return _case(entry.witness) if entry.witness else ""


def _case(found: dict[str, Any]) -> str:
    left, right = sides(found["left"], found["right"])
    return f"{_text(point_text(found['point']))}: left = {left}, right = {right}"


def _verdict(entry: Entry) -> str:
    reading = entry.claim["reading"]
    return entry.verdict if reading == "certain" else f"{entry.verdict} (reading: {reading})"


def _links(labels: Iterable[str], document: Document) -> str:
    return ", ".join(_link(label, document) for label in labels)


def _link(label: str, document: Document) -> str:
    if label in document.entries:
        return f"[{_code(label)}](#{anchor(label)})"
    return f"{_code(label)} (not in this run)"


def _formula(latex: str) -> str:
    return f"```math\n{_line(latex)}\n```"


def _code(text: str) -> str:
    return f"`{_line(text)}`"


def _line(text: str) -> str:
    """Text that stays within its fence: one line, no backticks."""
    return " ".join(text.replace("`", "'").split())


def _text(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    escaped = re.sub(r"([\\`*_\[\]<>|#~$&])", r"\\\1", " ".join(text.split()))
    return re.sub(r"^(\d*)([-+.)])(?=\s)", r"\1\\\2", escaped)  # no list where a sentence starts like one


def _table(names: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> str:
    rule = ["---:" if i in right else "---" for i in range(len(names))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (names, rule, *rows))


def _ratio(point: list[float]) -> float:
    return point[1]
