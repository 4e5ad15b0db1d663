"""The scoreboard as LaTeX tables, for a paper that cites the audit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Row
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.document import build_document
from boundaudit.reports.wording import brief_point, ratio_range, shortened

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "×": r"$\times$", "≤": r"$\le$", "≥": r"$\ge$",
    "ω": r"$\omega$", "σ": r"$\sigma$", "δ": r"$\delta$", "λ": r"$\lambda$", "…": r"\ldots{}",
    "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "Γ": r"$\Gamma$", "ε": r"$\varepsilon$", "η": r"$\eta$",
    "θ": r"$\theta$", "μ": r"$\mu$", "π": r"$\pi$", "ρ": r"$\rho$", "Σ": r"$\Sigma$", "—": "---",
    "√": r"$\surd$", "∞": r"$\infty$", "²": r"$^2$", "–": "--", "−": "$-$", "’": "'",
}  # fmt: skip


def render_latex(run: Run, known: Catalogue | None = None) -> str:
    """Render the scoreboard as tables of ``booktabs`` and ``longtable``, to be taken in with ``input``."""
    document = build_document(run, known)
    lines = [
        r"% \usepackage{booktabs,longtable}",
        f"% {' '.join(document.outcome.split())}",
        *_overview(document.statements),
    ]
    for paper, rows in document.statements.items():
        lines.extend(_table(paper, rows))
    return "\n".join(lines) + "\n"


def _overview(papers: Mapping[str, list[Row]]) -> Iterator[str]:
    """How many statements of each paper are in each state."""
    counts = {paper: Counter(row.state for row in rows) for paper, rows in papers.items()}
    states = sorted({state for found in counts.values() for state in found})
    if not states:
        return
    columns = rf"p{{.34\linewidth}}*{{{len(states)}}}{{p{{{0.5 / len(states):.3f}\linewidth}}}}"
    yield rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}"
    yield r"\caption{Statements as printed, by paper}\\"
    yield rf"\toprule Paper & {' & '.join(map(_text, states))} \\ \midrule \endhead"
    yield r"\bottomrule \endfoot"
    for paper, found in counts.items():
        yield " & ".join([_text(paper), *(str(found[state]) for state in states)]) + r" \\"
    yield r"\end{longtable}"


def _table(paper: str, rows: list[Row]) -> Iterator[str]:
    yield r"\begin{longtable}{@{}p{.27\linewidth}p{.15\linewidth}p{.28\linewidth}p{.12\linewidth}p{.12\linewidth}@{}}"
    yield rf"\caption{{Statements of {_text(paper)}}}\\"
    yield r"\toprule Statement & As printed & First fails at & Price & Falls with it \\ \midrule \endhead"
    yield r"\bottomrule \endfoot"
    for row in rows:
        yield " & ".join(_cells(row)) + r" \\"
    yield r"\end{longtable}"


def _cells(row: Row) -> Iterator[str]:
    failure = row.failure
    yield _text(f"{row.theorem.number} {row.theorem.title}".strip())
    yield _text(row.state)
    yield "" if failure is None else _text(shortened(brief_point(failure.witness.to_json()["point"]), 80))
    yield _text(ratio_range(row.price))
    yield _text(", ".join(row.falls_with_it))


def _text(words: str) -> str:
    """Words as any engine shows them: Latin letters as they are, a sign that it may lack as a question mark."""
    return "".join(_SPECIAL.get(c, c if c < "\u0180" else "?") for c in " ".join(words.split()))
