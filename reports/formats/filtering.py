"""The filter of the lists: which claims a row stands for, what can be chosen, and the one script of the pages."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

from markupsafe import Markup

from boundaudit.reports.document.document import Document, Page, slug


def script() -> tuple[Markup, str]:
    """The script that filters the lists of a page, and its hash as a content security policy names it."""
    text = resources.files("boundaudit.reports").joinpath("templates", "filter.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return Markup(text), f"sha256-{digest}"


def choices(doc: Document, *, controls: bool) -> dict[str, list[str]]:
    """What a list can be filtered by: the verdicts, roles and papers that occur."""
    roles = [role for role, found in doc.audit.roles().items() if found and (controls or role != "control")]
    papers = [*(row.theorem.paper for row in doc.rows), *(audited.claim.paper for audited in doc.claims.values())]
    return {
        "verdict": [verdict for verdict, n in doc.verdicts.items() if n],
        "role": roles,
        "paper": list(dict.fromkeys(filter(None, papers))),
    }


def listed(doc: Document, page: Page) -> Markup:
    """The attributes of a page's row in a list: role and verdict of its claims, case by case, its labels and papers."""
    told = list(page.claims)
    if page.row is not None:
        theorem = page.row.theorem
        named = (label.partition("[")[0] for label in (theorem.successor, theorem.improvement) if label)
        told = [*page.row.parts, *(doc.claims[label] for label in named if label in doc.claims)]
    claims = {id(one): one for one in (*page.claims, *told)}.values()
    kinds = {f"{one.claim.role}:{slug(found.verdict)}" for one in claims for found in one.found.values()}
    said = {"is": kinds, "labels": {audited.claim.label for audited in told}}
    if page.row is None:
        said["paper"] = {slug(audited.claim.paper) for audited in page.claims}
    attributes = (Markup(' data-{}="{}"').format(name, " ".join(sorted(found))) for name, found in said.items())
    return Markup("").join(attributes)
