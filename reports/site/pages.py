"""Pages that are made when the site is built: the gallery of the shipped run's chapters, and the public names.

Nothing is typed in: statements, verdicts and figures are those of the report, code is read from where it stands.
"""

from __future__ import annotations

import ast
import functools
import pkgutil
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, resources
from inspect import isclass, isroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup
from sphinx.pycode import ModuleAnalyzer

import boundaudit
from boundaudit.checks.evidence.facts import FACTS
from boundaudit.checks.records.receipt import chapter
from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audited
from boundaudit.checks.run.runner import verify
from boundaudit.public import ALL, PUBLIC
from boundaudit.reports.document.document import Chain, Document, build_document
from boundaudit.reports.figures.studies import Figure, panel_svg
from boundaudit.reports.formats.files import write_text
from boundaudit.reports.formats.html import View, environment, render_site
from boundaudit.reports.formats.waterfalls import waterfall

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MADE = ("api", "gallery")
"""The folders of the sources that are made, and that git ignores."""
REPORT = "../../report"
"""Where a chapter's page finds the report."""
EXAMPLE = "growth_function"
"""The worked example of the page on auditing one's own paper."""
_HERE = Path(__file__).parent
_ROOT = Path(boundaudit.checks.__file__ or "").resolve().parents[1]
_TELLING = 2  # claims that a chapter shows, each with what stands in its place
_LONGEST = 60  # lines of code that are shown

_BAR = re.compile(r"(``.*?``|>>>.*)|\|(?=\S)")  # outside of code
_LETTER = re.compile(r"(: \w)\.$")


def _text(name: str) -> str:
    return resources.files("boundaudit.reports").joinpath("templates", name).read_text(encoding="utf-8")


PALETTES = [dict(re.findall(r"--([\w-]+): ([^;]+);", block)) for block in _text("palette.css").split(":root {")[1:3]]
"""The report's colours by name, light and dark: figures take them from the page that they stand in."""


def stylesheet() -> str:
    """The report's own style, for what stands in an element of class ``report``."""
    return ".report {\n" + "".join(map(_text, ("page.css", "lineage.css", "report.css"))) + "}\n"


@dataclass(frozen=True)
class SiteView(View):
    """A report as a page of the site sees it, whose links all lead into its folder: `here` says where that is."""

    def _to(self, path: str, name: str) -> str:
        return f"{self.here}/{path}"


@dataclass(frozen=True)
class Chapter:
    """The claims that share a module, and what is shown of them."""

    label: str  # what their labels begin with
    claims: Sequence[Audited]  # all of them, controls left out
    doc: Document

    @property
    def part(self) -> str:
        """The sub-package."""
        return self.label.partition(".")[0]

    @property
    def name(self) -> str:
        """The name within it."""
        return self.label.partition(".")[2]

    @functools.cached_property
    def title(self) -> str:
        """What the module says of itself, in one line."""
        return first_line(f"boundaudit.checks.{self.label}", f"boundaudit.checks.{self.part}")

    @functools.cached_property
    def telling(self) -> list[Audited]:
        """What falls and is mended, else what is printed; what most rests on first, each with what mends it."""
        first = sorted(self.claims, key=_rank)[:_TELLING]
        labels = dict.fromkeys(name for one in first for name in (one.claim.label, one.claim.repair or ""))
        return [self.doc.claims[label] for label in labels if label in self.doc.claims]

    @functools.cached_property
    def studies(self) -> list[Figure]:
        """The figures that draw its claims, those of the telling ones first."""
        own, shown = ({audited.claim.label for audited in some} for some in (self.claims, self.telling))
        found = [study for study in self.doc.studies if own & _bases(study.claims)]
        return sorted(found, key=lambda study: not shown & _bases(study.claims))[:1]

    @functools.cached_property
    def chains(self) -> list[Chain]:
        """The waterfalls of its derivations, that of a telling claim first."""
        own = {audited.claim.label for audited in self.telling}
        found = [chain for chain in self.doc.chains if chapter(chain.label) == self.label]
        return sorted(found, key=lambda chain: not own & {*_bases(chain.claims), chain.label.rpartition(".")[0]})[:1]

    @functools.cached_property
    def lineage(self) -> Markup:
        """What its first theorem rests on and what rests on it; empty where nothing does."""
        pages = (self.doc.page_of[audited.claim.label] for audited in self.telling)
        drawn = (SiteView(self.doc, REPORT).lineage(page) for page in pages if page.row is not None)
        return next(filter(None, drawn), Markup(""))

    @property
    def picture(self) -> Markup:
        """The first of its figures, if it has any."""
        drawn = (*(panel_svg(study, 0) for study in self.studies), *map(waterfall, self.chains))
        return next(iter(drawn), Markup(""))

    def code(self, audited: Audited) -> str:
        """The statement that makes a claim, as it stands in its module; empty where that is not at hand."""
        file, _, line = audited.claim.source.rpartition(":")
        return statement_at(_ROOT / file, int(line)) if (_ROOT / file).is_file() else ""


def _rank(audited: Audited) -> tuple[bool, bool, int]:
    claim = audited.claim
    return not (claim.role == "printed" and claim.repair), claim.role != "printed", -len(claim.blast_radius)


def _bases(labels: Sequence[str]) -> set[str]:
    return {label.partition("[")[0] for label in labels}


def first_line(*modules: str) -> str:
    """The first line of the docstring of the first module of these that there is, without its stop."""
    for name in modules:
        try:
            words = import_module(name).__doc__ or ""
        except ModuleNotFoundError:
            continue
        return " ".join(words.partition("\n\n")[0].split()).rstrip(".")
    return modules[0]


@functools.cache
def _parsed(file: Path) -> tuple[str, ast.Module]:
    text = file.read_text(encoding="utf-8")
    return text, ast.parse(text)


def statement_at(file: Path, line: int) -> str:
    """The statement of a module that a line is in, cut where it is long; empty where none is there."""
    text, tree = _parsed(file)
    for node in tree.body:
        if node.lineno <= line <= (node.end_lineno or node.lineno):
            lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
            first = max(0, min(line - node.lineno - _LONGEST // 2, len(lines) - _LONGEST))
            cut = lines[first : first + _LONGEST]
            return "\n".join([*(["…"] if first else []), *cut, *(["…"] if first + len(cut) < len(lines) else [])])
    return ""


def chapters(doc: Document) -> list[Chapter]:
    """The chapters of a report, in its order, that hold anything besides controls."""
    found: dict[str, list[Audited]] = {}
    for label, audited in doc.claims.items():
        if audited.claim.role != "control":
            found.setdefault(chapter(label), []).append(audited)
    return [Chapter(label, claims, doc) for label, claims in found.items()]


def gallery(doc: Document) -> Iterator[tuple[str, str]]:
    """Path and Markdown of the pages of the gallery: a page a chapter, one a sub-package, and the first."""
    template = _template()
    parts: dict[str, list[Chapter]] = {}
    for one in chapters(doc):
        parts.setdefault(one.part, []).append(one)
        yield f"gallery/{one.part}/{one.name}.md", template.chapter(one, SiteView(doc, REPORT))
    for part, members in parts.items():
        title = first_line(f"boundaudit.checks.{part}")
        yield f"gallery/{part}/index.md", template.part(title, members)
    yield "gallery/index.md", template.index(parts, first_line)


def _template() -> Any:
    """The macros of the gallery, with all that the report's templates call."""
    return environment().from_string((_HERE / "gallery.md.j2").read_text(encoding="utf-8")).module


def packages() -> list[str]:
    """The packages of measurements that have public names."""
    numeric = import_module("boundaudit.numeric")
    names = [found.name for found in pkgutil.walk_packages(numeric.__path__, "boundaudit.numeric.") if found.ispkg]
    return [name for name in names if hasattr(import_module(name), "__all__")]


def api() -> Iterator[tuple[str, str]]:
    """Path and text of the pages of public names: that of the package, and one a package of measurements."""
    own = [name for name in ALL if "numeric" not in PUBLIC.get(name, "") and name != "__version__"]
    measured = [name for name in ALL if "numeric" in PUBLIC.get(name, "")]
    facts = "\n".join(f"{name}\n   {says}" for name, says in FACTS.items())
    also = ", ".join(f"``{name}``" for name in measured)
    more = f"Importable from here as well, and told with their packages: {also}.\n\n"
    told = _automodule("boundaudit", own, PUBLIC) + _titled("Facts that an argument may name", "-")
    yield "api/boundaudit.rst", f"{_titled('boundaudit')}{more}{told}{facts}\n"
    for name in packages():
        package = import_module(name)
        told = _automodule(name, package.__all__, package._PUBLIC)
        yield f"api/{name}.rst", _titled(name.removeprefix("boundaudit.")) + told
    listed = "\n".join(f"* :doc:`{name}`: {first_line(name)}." for name in packages())
    words = ":doc:`boundaudit` is the language of claims; the packages of ``boundaudit.numeric`` measure."
    tree = f".. toctree::\n   :hidden:\n\n{_indented(chr(10).join(['boundaudit', *packages()]))}"
    yield "api/index.rst", f"{_titled('Public names')}{words}\n\n{listed}\n\n{tree}"


def _titled(words: str, under: str = "=") -> str:
    return f"{words}\n{under * len(words)}\n\n"


def _automodule(name: str, members: Sequence[str], homes: Mapping[str, str]) -> str:
    """A package: classes and functions by autodoc; constants with what is said of them where they are made."""
    package = import_module(name)
    for public in members:  # they load on first use, and autodoc looks at those that are there
        setattr(package, public, getattr(package, public))
    coded = [public for public in members if isclass(found := getattr(package, public)) or isroutine(found)]
    told = f".. automodule:: {name}\n   :members: {', '.join(coded)}\n\n"
    for public in [public for public in members if public not in coded]:
        words = ModuleAnalyzer.for_module(homes[public]).find_attr_docs().get(("", public), [])
        told += f".. py:data:: {public}\n   :module: {name}\n\n{_indented(chr(10).join(words))}\n"
    return told


def _indented(text: str) -> str:
    return "".join(f"   {line}\n" for line in text.splitlines())


def write(app: Sphinx) -> None:
    """Write what is made: pages beside those written by hand, the report and its style where the site is built."""
    run = Run.load(FOLDER)
    made = dict([*gallery(build_document(run)), *api()])
    with tempfile.TemporaryDirectory() as folder:
        claims = _HERE.parent / "examples" / EXAMPLE / "claims.py"
        example = verify(files=[claims], out=Path(folder) / "run", profile="smoke", device="cpu")
        made["gallery/example.html"] = _template().example(SiteView(build_document(example), EXAMPLE))
        pages = {"report": render_site(run), EXAMPLE: render_site(example)}
    for folder in MADE:
        shutil.rmtree(Path(app.srcdir) / folder, ignore_errors=True)
    for path, text in made.items():
        write_text(Path(app.srcdir) / path, text)
    for folder, texts in pages.items():
        for path, text in texts.items():
            write_text(Path(app.outdir) / folder / path, text)
    write_text(Path(app.outdir) / "_static" / "report.css", stylesheet())


def _as_meant(app: Sphinx, what: str, name: str, found: object, options: object, lines: list[str]) -> None:
    """Keep a docstring's words from being read as markup.

    Bars are absolute values, not substitutions, and a letter with a stop is no item of a list. Napoleon, which comes
    next, takes the first line of a property up to a colon for its type, unless the line ends there.
    """
    barred = (_BAR.sub(lambda bar: bar[1] or r"\|", line) for line in lines)
    lines[:] = [_LETTER.sub(r"\1\.", line) for line in barred]
    head, colon, rest = lines[0].partition(": ") if lines else ("", "", "")
    if colon and what in ("property", "attribute", "data"):
        lines[:1] = [f"{head}:", rest]


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the pages before Sphinx looks for sources."""
    app.connect("builder-inited", write)
    app.connect("autodoc-process-docstring", _as_meant, priority=400)
    return {"version": boundaudit.__version__, "parallel_read_safe": True, "parallel_write_safe": True}
