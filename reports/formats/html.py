"""A run as a folder of HTML pages, or as one page: no network, MathML for formulas, SVG for figures.

Everything is there without a script. One script, in the pages that have lists, filters them where scripts run; a policy
in the head of every page allows no other one.
"""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from boundaudit.checks.evidence.evidence import Evidence, Step
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import strength
from boundaudit.checks.run.catalogue import Catalogue, Side
from boundaudit.reports import wording
from boundaudit.reports.document import document
from boundaudit.reports.document.answers import FIRST, answers
from boundaudit.reports.document.document import Document, Page, build_document
from boundaudit.reports.figures.climb import climb_rows, climb_svg
from boundaudit.reports.figures.phase import phase_svg
from boundaudit.reports.figures.region import heat, sentence, strips
from boundaudit.reports.figures.studies import omitted, panel_svg, values
from boundaudit.reports.figures.sweeps import counted, scatter
from boundaudit.reports.formats import filtering
from boundaudit.reports.formats.formulas import LONGEST, flowing, mathml
from boundaudit.reports.formats.graph import lineage, state_class
from boundaudit.reports.formats.waterfalls import outcomes, waterfall

SINGLE = "report.html"
_EXTRA = {
    "claims": "All claims", "studies": "Studies", "experiments": "Experiments", "mutants": "Mutants",
    "controls": "Controls", "run": "How the run was made",
}  # fmt: skip
_STYLES = ("palette.css", "page.css", "lineage.css", "report.css")


@dataclass(frozen=True)
class View:
    """A document as one page sees it: where links lead from here, and which level its headings have."""

    doc: Document
    here: str = ""  # the path of the page; empty where everything stands in one

    @property
    def single(self) -> bool:
        """Whether everything stands in one page."""
        return not self.here

    @property
    def level(self) -> int:
        """The level of the heading of a page."""
        return 2 if self.single else 1

    def page(self, page: Page) -> str:
        """Where a page is."""
        return self._to(f"{page.folder}/{page.slug}.html", page.slug)

    def extra(self, name: str) -> str:
        """Where one of the further pages is."""
        return self._to(f"{name}.html", name)

    @property
    def index(self) -> str:
        """Where the scoreboard is."""
        return self._to("index.html", "scoreboard")

    def claim(self, label: str) -> str:
        """Where a claim, or a case of one, stands; empty where the run has none of that label."""
        label = label.partition("[")[0]
        if label not in self.doc.claims:
            return ""
        page = self.doc.page_of.get(label)
        path = "controls.html" if page is None else f"{page.folder}/{page.slug}.html"
        return ("" if self.single or path == self.here else self._to(path, "")) + "#" + anchor(label)

    def part(self, page: Page, kind: str, label: str) -> str:
        """Where a chain or a study of a page stands."""
        return ("" if self.single else self.page(page)) + "#" + part_id(label, kind)

    def number(self, page: Page, number: str) -> str:
        """Where a statement of the same paper stands; empty where it is not listed."""
        assert page.row is not None
        found = document.theorems_by_number(self.doc, page.row.theorem).get(number)
        return "" if found is None else self.page(found)

    def lineage(self, page: Page) -> Markup:
        """The drawing of ancestors and descendants."""
        return lineage(self.doc, page, self.page)

    def _to(self, path: str, name: str) -> str:
        return f"#{name}" if self.single else os.path.relpath(path, os.path.dirname(self.here) or ".")


def render_site(run: Run, known: Catalogue | None = None) -> dict[str, str]:
    """Render a run as a folder that opens from ``index.html``: the text of every file by its path."""
    doc = build_document(run, known)
    template = environment().get_template("page.html.j2")
    lists = {"index": bool(doc.pages), "claims": bool(doc.claims)}

    def page(path: str, kind: str, title: str, **more: Any) -> str:
        filtered = lists.get(kind, False)
        return template.render(
            v=View(doc, path), kind=kind, title=title, extras=extras_of(doc), filtered=filtered, **more
        )

    files = {"index.html": page("index.html", "index", "Scoreboard"), "style.css": stylesheet()}
    for i, found in enumerate(doc.pages):
        path = f"{found.folder}/{found.slug}.html"
        around = (doc.pages[i - 1] if i else None, doc.pages[i + 1] if i + 1 < len(doc.pages) else None)
        files[path] = page(path, "page", found.title, page=found, around=around)
    for name, title in extras_of(doc).items():
        files[f"{name}.html"] = page(f"{name}.html", name, title)
    return files


def render_single(run: Run, known: Catalogue | None = None) -> str:
    """Render a run as one self-contained page: the scoreboard, the theorems' pages and the rest as sections."""
    doc = build_document(run, known)
    return rendered(
        "single.html.j2", v=View(doc), extras=extras_of(doc), css=Markup(stylesheet()), filtered=bool(doc.pages)
    )


def extras_of(doc: Document) -> dict[str, str]:
    """The further pages that have something to show, with their titles."""
    shown = {"studies": doc.studies, "experiments": doc.experiments, "controls": doc.controls}
    return {name: title for name, title in _EXTRA.items() if shown.get(name, True)}


def stylesheet() -> str:
    """The style of all pages: light, dark, phone and paper."""
    folder = resources.files("boundaudit.reports").joinpath("templates")
    return "".join(folder.joinpath(name).read_text(encoding="utf-8") for name in _STYLES)


def anchor(label: str) -> str:
    """The id of a claim's section, of letters that need no quoting in a link: ``claim-sharpness.norms.total``."""
    return part_id(label, "claim")


def part_id(label: str, kind: str) -> str:
    """The id of whatever has a label; upper and lower case stay apart."""
    return f"{kind}-" + "".join(c if c.isalnum() or c in "._-" else "-" for c in label)


def environment() -> Environment:
    """Templates with what they call."""
    made = Environment(
        loader=PackageLoader("boundaudit.reports"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    made.filters.update(
        anchor=anchor, breakable=_breakable, certificate=_certificate,
        brief=lambda found: wording.brief_point(found.to_json()["point"]),
        point=lambda found: wording.point_text(found.to_json()["point"]),
        greek=wording.greek, kinds=wording.by_kind, number=wording.number, ratio=wording.ratio_text,
        relation=wording.relation, shorten=wording.shortened, slug=document.slug, state_class=state_class,
        times=wording.ratio_range,
    )  # fmt: skip
    script, script_hash = filtering.script()
    made.globals.update(
        answers=answers, cell=wording.cell, first_questions=FIRST,
        choices=filtering.choices, climb_rows=climb_rows, climb_svg=climb_svg, count=wording.count, counted=counted,
        filtered=False, formula=_formula, heat=heat, listed=filtering.listed,
        read_as=wording.read_as,
        flowing=flowing, mathml=mathml, methods=methods, omitted=omitted, outcomes=outcomes, panel_svg=panel_svg,
        part_id=part_id, path_of=path_of, phase_svg=phase_svg, proved_cases=document.proved_cases,
        record=wording.record_text, scatter=scatter, script=script, script_hash=script_hash,
        shared=document.shared_limitations, shared_by_papers=document.SHARED, sides=wording.sides,
        strength=strength, strips=strips, symbols_of=document.symbols_of, values_of=values, waterfall=waterfall,
        where=sentence,
    )  # fmt: skip
    return made


def rendered(template: str, **found: object) -> str:
    """A page by the name of its template, with what that asks for."""
    return environment().get_template(template).render(**found)


def path_of(found: Findings) -> tuple[Step, ...]:
    """The steps of a climb to a counterexample; empty where there are none."""
    return next((evidence.path for evidence in found.evidence if len(evidence.path) > 1), ())


def methods(evidence: tuple[Evidence, ...]) -> str:
    """What a case stands on, in short."""
    told = []
    for found in evidence:
        engine = f" ({found.engine})" if found.engine else ""
        many = f", {found.evaluations:,} evaluations" if found.evaluations > 1 else ""
        told.append(f"{found.method}{engine}: {found.outcome}{many}")
    return "; ".join(told)


def _formula(latex: str, left: Side | None = None, right: Side | None = None, relation: str = "") -> Markup:
    """A formula, or the names of its sides where it would fill a page."""
    if len(latex) <= LONGEST or left is None or right is None:
        return mathml(latex)
    drawn = [_side(side) for side in (left, right)]
    return Markup("{} {} {}").format(drawn[0], wording.relation(relation), drawn[1])


def _side(side: Side) -> Markup:
    if len(side.latex) <= LONGEST // 2:
        return mathml(side.latex)
    return Markup("<details><summary>a formula of {:,} characters</summary><code>{}</code></details>").format(
        len(side.text), side.text
    )


def _breakable(label: str) -> Markup:
    """A label that breaks after its points and dashes, and there alone."""
    return Markup("").join(part + Markup("<wbr>") if part in ".-_[," else part for part in label)


def _certificate(certificate: Mapping[str, object] | None) -> str:
    summary = document.certificate_summary(certificate)
    return "" if summary is None else f"{summary['kind']}, {summary['bytes']:,} bytes"
