"""The LaTeX tables: read by a small parser, and compiled where an engine is at hand."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.document import build_document
from boundaudit.reports.formats.latex import _text, render_latex

TABLE = re.compile(r"\\begin\{longtable\}(.*?)\\end\{longtable\}", re.DOTALL)
CELLS = re.compile(r"(?<!\\)&")
ENGINE = next(filter(None, map(shutil.which, ("pdflatex", "tectonic", "xelatex", "lualatex"))), "")


def rows(table: str) -> list[list[str]]:
    """The head and the rows of a table, in cells."""
    head = re.search(r"\\toprule (.*?) \\\\ \\midrule", table)
    assert head is not None
    body = [line.removesuffix(r" \\") for line in table.split(r"\endfoot")[1].strip().splitlines()]
    return [CELLS.split(line) for line in (head.group(1), *body)]


def test_papers_then_statements(run: Run, known: Catalogue) -> None:
    document = build_document(run, known)
    overview, *papers = map(rows, TABLE.findall(render_latex(run, known)))
    assert len(overview) - 1 == len(papers) == len(document.papers)
    for table in (overview, *papers):
        assert {len(row) for row in table} == {len(table[0])}
    for counted, table in zip(overview[1:], papers, strict=True):
        assert sum(map(int, counted[1:])) == len(table) - 1


def test_braces_balance(run: Run, known: Catalogue) -> None:
    text = render_latex(run, known)
    bare = re.sub(r"\\[\\{}]", "", text)
    assert bare.count("{") == bare.count("}")


@pytest.mark.parametrize(("words", "shown"), [
    ("a_b & c%", r"a\_b \& c\%"), ("\\input{x}", r"\textbackslash{}input\{x\}"),
    ("$1^2 ~ #3", r"\$1\textasciicircum{}2 \textasciitilde{} \#3"), ("√2 ≤ ∞", r"$\surd$2 $\le$ $\infty$"),
    ("two\nlines", "two lines"), ("Müller 漢", "Müller ?"),
])  # fmt: skip
def test_text_is_escaped(words: str, shown: str) -> None:
    assert _text(words) == shown


@pytest.mark.skipif(not ENGINE, reason="no TeX engine")
def test_tables_compile(run: Run, known: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "tables.tex").write_text(render_latex(run, known))
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\usepackage{booktabs,longtable}\\begin{document}\\input{tables}\\end{document}"
    )
    stop = () if ENGINE.endswith("tectonic") else ("-interaction=nonstopmode", "-halt-on-error")
    ended = subprocess.run([ENGINE, *stop, "main.tex"], cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stdout[-2000:]
