"""A numbered statement of a paper, and the claims that encode it. Labels and words only: it loads without SymPy."""

from __future__ import annotations

from dataclasses import dataclass

from boundaudit import InputError
from boundaudit.checks.language.labels import require_visible

STATES = (
    "stands",
    "stands in some readings",
    "falls",
    "falls in every reading we could recover",
    "not testable",
    "not yet read",
)


@dataclass(frozen=True, kw_only=True)
class Theorem:
    """A numbered statement of a paper: theorem, lemma, proposition, equation, printed table or figure.

    Example:
        >>> from boundaudit import Theorem
        >>> lemma = Theorem(
        ...     number="Lemma 1",
        ...     title="The logarithm",
        ...     says="The logarithm grows no faster than its argument.",
        ...     printed=("example.logarithm",),
        ...     paper="A draft",
        ... )
        >>> lemma.label
        'Lemma 1, A draft'

    Attributes:
        number: Canonical reference, such as ``"Theorem 10"``.
        title: A few words.
        says: What it says, in one sentence of ours.
        formula: Its main formula as read, in LaTeX.
        printed: Labels of the claims that state its parts as printed; their cases are the readings.
        successor: The label of the best claim that stands in its place; None where it stands or none is known.
        improvement: The label of the sharpest true claim.
        derived_from: Numbers of the printed statements that its proof uses.
        missing: Why nothing of it can be tested, or what of it was not read.
        paper: Short citation.
    """

    number: str
    title: str
    says: str
    formula: str = ""
    printed: tuple[str, ...] = ()
    successor: str | None = None
    improvement: str | None = None
    derived_from: tuple[str, ...] = ()
    missing: str = ""
    paper: str = ""

    @property
    def label(self) -> str:
        """Number and paper: unique over all papers."""
        return f"{self.number}, {self.paper}" if self.paper else self.number

    def __post_init__(self) -> None:
        """A theorem rests on others, not on itself, and is said in words that people can read."""
        require_visible(self.number, self.number, self.title, self.says, self.formula, self.missing, self.paper)
        if self.number in self.derived_from:
            raise InputError(f"{self.number}.derived_from", "other statements", self.number, "drop it")
