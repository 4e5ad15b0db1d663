"""A numbered statement of a paper, and the claims that encode it. Labels and words only: it loads without SymPy."""

from __future__ import annotations

import tomllib
from dataclasses import astuple, dataclass
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.language.labels import require_visible
from boundaudit.checks.language.notebook import Formula, card

STATES = (
    "stands",
    "stands in some readings",
    "falls",
    "falls in every reading we could recover",
    "not testable",
    "not yet read",
)


MOST_WORDS = 120
"""Of a brief."""


@dataclass(frozen=True, kw_only=True)
class Brief:
    """What a reader asks of a statement first, answered so that nothing else need be read.

    Attributes:
        true: Whether it is true as printed.
        where: From where on not: in the paper's own range, then in the smallest case.
        instead: What to write in its place, how surely it holds and what it assumes.
        changes: What that changes.
        formula: Of what to write, in LaTeX, broken into lines that a narrow screen holds.
    """

    true: str
    where: str
    instead: str
    changes: str
    formula: str = ""

    def __post_init__(self) -> None:
        """Short, and in words that people can read."""
        require_visible("brief", *astuple(self))
        words = sum(len(said.split()) for said in (self.true, self.where, self.instead, self.changes))
        if words > MOST_WORDS:
            raise InputError("brief", f"at most {MOST_WORDS} words", words, "say less")


def read_briefs(path: Path) -> dict[str, Brief]:
    """The briefs of a paper.

    Args:
        path: A TOML file with a table for each number, of the fields of `Brief`.

    Returns:
        The briefs by number.

    Raises:
        InputError: for a file that does not hold such tables.
    """
    found: dict[str, Brief] = {}
    field = str(path)
    try:
        for number, fields in tomllib.loads(path.read_text(encoding="utf-8")).items():
            field = f"{path}: {number}"
            found[number] = Brief(**fields)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InputError(field, "a table of the fields of `Brief` for each number", error, "correct it") from None
    return found


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
        version: The version of the paper that was read, such as ``"v1"``.
        answer: What the authors answered to what was found, in short; empty where there is no answer.
        brief: What a reader asks of it first, answered.
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
    version: str = ""
    answer: str = ""
    brief: Brief | None = None

    @property
    def label(self) -> str:
        """Number and paper: unique over all papers."""
        return f"{self.number}, {self.paper}" if self.paper else self.number

    def __post_init__(self) -> None:
        """A theorem rests on others, not on itself, and is said in words that people can read."""
        words = (self.number, self.title, self.says, self.formula, self.missing, self.paper, self.version, self.answer)
        require_visible(self.number, *words)
        if self.number in self.derived_from:
            raise InputError(f"{self.number}.derived_from", "other statements", self.number, "drop it")

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        facts = {
            "says": self.says, "formula": Formula(self.formula), "paper": f"{self.paper} {self.version}".strip(),
            "as printed": ", ".join(self.printed), "in its place": self.successor or "",
            "sharper": self.improvement or "", "derived from": ", ".join(self.derived_from),
            "not tested": self.missing, "the authors' answer": self.answer,
        }  # fmt: skip
        return card(f"{self.number}: {self.title}" if self.title else self.number, facts)
