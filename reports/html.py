"""A run as one HTML page that needs no network and no script: MathML for formulas, SVG for figures."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports import wording
from boundaudit.reports.climb import climb_rows, climb_svg
from boundaudit.reports.document import build_document, certificate_summary
from boundaudit.reports.figures import tightness, waterfall
from boundaudit.reports.formulas import mathml
from boundaudit.reports.graph import anchor, graph_svg
from boundaudit.reports.region import heat, strips
from boundaudit.reports.studies import omitted, panel_svg, values


def render_html(run: Run) -> str:
    """Render a run as a self-contained page.

    Args:
        run: A finished run; nothing but its data is read.

    Returns:
        The page, the same bytes for the same run; only here timings are shown.
    """
    document = build_document(run)
    seconds = run.timings.get("claims", {})
    slowest = sorted(seconds.items(), key=lambda item: (-item[1], item[0]))[:10]
    return environment().get_template("report.html.j2").render(doc=document, slowest=slowest)


def environment() -> Environment:
    """Templates with what they call.

    Returns:
        The environment of every page.
    """
    made = Environment(
        loader=PackageLoader("boundaudit.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(
        anchor=anchor,
        certificate=_certificate,
        number=wording.number,
        point=wording.point_text,
        ratio=wording.ratio_text,
        relation=wording.relation,
        slug=lambda words: words.replace(" ", "-"),
    )
    made.globals.update(
        climb_rows=climb_rows,
        climb_svg=climb_svg,
        count=wording.count,
        graph_svg=graph_svg,
        heat=heat,
        mathml=mathml,
        omitted=omitted,
        panel_svg=panel_svg,
        record=wording.record_text,
        sides=wording.sides,
        strips=strips,
        tightness=tightness,
        values_of=values,
        waterfall=waterfall,
    )
    return made


def _certificate(certificate: Any) -> str:
    summary = certificate_summary(certificate)
    return "" if summary is None else f"{summary['kind']}, {summary['bytes']:,} bytes"
