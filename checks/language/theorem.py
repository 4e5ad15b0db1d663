"""A numbered statement of a paper, and the claims that encode it. Labels and words only: it loads without SymPy.

What was printed is kept apart in three ways. *Readings* are what the text may mean: one of them was meant, and the
first decides. *Settings* are what a reading speaks of: networks, ranges of coefficients, sizes. *Conjuncts* are what it
asserts in a setting, all of it. A paper's statements stand in one TOML file, which people edit who know no Python.
"""

from __future__ import annotations

import itertools
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import MISSING, astuple, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from boundaudit import InputError
from boundaudit.checks.language.labels import require_visible
from boundaudit.checks.language.notebook import Formula, card

UNTESTED = ("not yet read", "a definition")
"""What a statement may be said to be whose claims nobody has written."""
STATES = ("stands", "stands in part", "falls", "not testable", *UNTESTED)
"""Of a statement, in the reading that decides: stands in part where it holds in some settings and fails in others."""

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
        parts: What stands in that formula and is too long to be read first, in LaTeX, an equation a line.
    """

    true: str
    where: str
    instead: str
    changes: str
    formula: str = ""
    parts: str = ""

    def __post_init__(self) -> None:
        """Short, and in words that people can read."""
        require_visible("brief", *astuple(self))
        words = sum(len(said.split()) for said in (self.true, self.where, self.instead, self.changes))
        if words > MOST_WORDS:
            raise InputError("brief", f"at most {MOST_WORDS} words", words, "say less")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What the text may mean.

    Example:
        >>> Reading(name="for large T", settings={"T ≥ 100": ["example.tail"], "T ≥ 1000": ["example.tail"]}).labels
        ('example.tail',)

    Attributes:
        name: In a few words; empty where there is one reading.
        why: What speaks for it, or against it.
        settings: By setting, the labels of all that is asserted there; the name is empty where there is one setting.
            A label without a case means all its cases, which then are settings of their own. A setting without labels
            is one that nothing here judges.
    """

    name: str = ""
    why: str = ""
    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Lists stand for tuples, as in TOML."""
        settings = {name: tuple(labels) for name, labels in self.settings.items()}
        object.__setattr__(self, "settings", settings)
        require_visible("reading", self.name, self.why, *settings, *self.labels)

    @property
    def labels(self) -> tuple[str, ...]:
        """All that it asserts anywhere."""
        return tuple(dict.fromkeys(itertools.chain.from_iterable(self.settings.values())))


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
        printed: Labels of the claims that state its parts as printed; those of its readings, where these are given.
        readings: What the text may mean, the strongest plausible reading first: it decides. One, of all that is
            printed, unless given.
        successor: The label of the best claim that stands in its place; None where it stands or none is known.
        improvement: The label of the sharpest true claim.
        derived_from: Numbers of the printed statements that its proof uses.
        missing: Why nothing of it can be tested, or what of it was not read; "not yet read" and "a definition" are
            states.
        paper: Short citation.
        version: The version of the paper that was read, such as ``"v1"``.
        answer: What the authors answered to what was found, in short; empty where there is no answer.
        numbers: What it says at the sizes that the paper speaks of, for a statement without a brief.
        brief: What a reader asks of it first, answered.
        symbols: What the paper's symbols mean that stand in its words and formulas.
        core: Whether it is one of those for which the paper is read; they are told first.
        source: File and line, where it was read from a file.
    """

    number: str
    title: str
    says: str
    formula: str = ""
    printed: tuple[str, ...] = ()
    readings: tuple[Reading, ...] = ()
    successor: str | None = None
    improvement: str | None = None
    derived_from: tuple[str, ...] = ()
    missing: str = ""
    paper: str = ""
    version: str = ""
    answer: str = ""
    numbers: str = ""
    brief: Brief | None = None
    symbols: Mapping[str, str] = field(default_factory=dict)
    core: bool = False
    source: str = field(default="", compare=False)

    @property
    def label(self) -> str:
        """Number and paper: unique over all papers."""
        return f"{self.number}, {self.paper}" if self.paper else self.number

    def __post_init__(self) -> None:
        """A theorem rests on others, not on itself, and is said in words that people can read."""
        if not self.number or self.number != self.number.strip():
            raise InputError("number", "such as Theorem 10, without spaces around it", repr(self.number), "correct it")
        if self.readings:
            labels = dict.fromkeys(itertools.chain.from_iterable(reading.labels for reading in self.readings))
            if unread := ", ".join(dict.fromkeys(self.printed).keys() - labels.keys()):
                expected = "labels of its readings: what none of them asserts decides nothing"
                raise InputError(f"{self.number}.printed", expected, unread, "name it in a setting")
            object.__setattr__(self, "printed", tuple(labels))
        elif self.printed:
            object.__setattr__(self, "readings", (Reading(settings={"": self.printed}),))
        words = (self.title, self.says, self.formula, self.missing, self.paper, self.version, self.answer, self.numbers)
        require_visible(self.number, self.number, *words)
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


def theorem_of(data: Mapping[str, Any]) -> Theorem:
    """A statement from plain data, as TOML and JSON hold it: lists for tuples, tables for readings and the brief.

    Raises:
        InputError: for a field that there is not, or one of another type.
    """
    _require_fields(Theorem, data)
    for n, reading in enumerate(data.get("readings", ())):
        _require_fields(Reading, reading, f"readings[{n}].")
    if data.get("brief") is not None:
        _require_fields(Brief, data["brief"], "brief.")
    lists = {name: tuple(value) for name, value in data.items() if isinstance(value, (list, tuple))}
    brief = Brief(**data["brief"]) if data.get("brief") is not None else None
    readings = tuple(Reading(**found) for found in data.get("readings", ()))
    return Theorem(**{**data, **lists, "brief": brief, "readings": readings})


def _is_words(value: object) -> bool:
    return isinstance(value, str)


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_is_words, value))


def _is_table(value: object, of: Callable[[object], bool] = _is_words) -> bool:
    return isinstance(value, Mapping) and all(map(of, value.values()))


_TYPES: dict[str, tuple[str, Callable[[object], bool]]] = {
    "str": ("words in quotes", _is_words),
    "str | None": ("a label in quotes", lambda value: value is None or _is_words(value)),
    "bool": ("true or false", lambda value: isinstance(value, bool)),
    "tuple[str, ...]": ('a list such as ["Lemma 1"]', _is_list),
    "Mapping[str, str]": ("a table of words in quotes", _is_table),
    "Mapping[str, tuple[str, ...]]": (
        'a table of lists of labels such as ["coin.x"]', lambda value: _is_table(value, _is_list),
    ),
    "Brief | None": ("a table", lambda value: value is None or isinstance(value, Mapping)),
    "tuple[Reading, ...]": (
        "a table [[theorem.readings]] for each",
        lambda value: isinstance(value, (list, tuple)) and all(isinstance(each, Mapping) for each in value),
    ),
}  # fmt: skip
"""What a field of each type is in a file, in words, and whether a value is that."""


def _require_fields(of: type[Theorem | Reading | Brief], data: Mapping[str, object], place: str = "") -> None:
    """Require plain data that has the fields of a class, as their types are, and no others."""
    known = {each.name: each for each in fields(of)}
    for name, value in data.items():
        if name not in known:
            raise InputError(f"{place}{name}", f"one of {', '.join(known)}", "another field", "correct its name")
        expected, fits = _TYPES[str(known[name].type)]
        if not fits(value):
            raise InputError(f"{place}{name}", expected, repr(value), "correct the field")
    for name, each in known.items():
        if name not in data and each.default is MISSING and each.default_factory is MISSING:
            raise InputError(f"{place}{name}", _TYPES[str(each.type)][0], "none", "add the field")


def read_theorems(path: Path | str) -> tuple[Theorem, ...]:
    """The statements of a paper.

    Args:
        path: A TOML file: ``paper`` for all, a table ``[symbols]`` of what symbols mean, and for each statement a table
            ``[[theorem]]`` of the fields of `Theorem`.

    Returns:
        The statements, in the order of the file.

    Raises:
        InputError: for a file that does not hold such tables; it names the line.
    """
    text, data = _parsed(Path(path))
    tables = data.get("theorem")
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        got = "none" if tables is None else "a single one, or another value"
        raise InputError(str(path), "TOML with a table [[theorem]] for each statement", got, "correct it")
    lines = [n for n, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[\s*theorem\s*\]\]", line)]
    lines = lines if len(lines) == len(tables) else [1] * len(tables)
    found: dict[str, Theorem] = {}
    for line, table in zip(lines, tables, strict=True):
        theorem = _read(f"{path}:{line}", data, table)
        if (first := found.setdefault(theorem.label, theorem)) is not theorem:
            got = f"{theorem.number}, as in {first.source}"
            raise InputError(f"{path}:{line}: number", "one that no other statement has", got, "rename one")
    return tuple(found.values())


_SHARED = {"paper": "str", "symbols": "Mapping[str, str]", "cases": "Mapping[str, str]"}
"""What stands in a file beside its statements, and its types."""


def _parsed(path: Path) -> tuple[str, dict[str, Any]]:
    """A file's text, and its tables: those that there are, each of its type."""
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        got = "more levels of brackets than can be read" if isinstance(error, RecursionError) else error
        raise InputError(str(path), "TOML with a table [[theorem]] for each statement", got, "correct it") from None
    for name, value in data.items():
        if name == "theorem":
            continue
        line = next((n for n, line in enumerate(text.splitlines(), 1) if re.match(rf"\W*{re.escape(name)}\b", line)), 1)
        if name not in _SHARED:
            known = ", ".join(("theorem", *_SHARED))
            raise InputError(f"{path}:{line}: {name}", f"one of {known}", "another name", "correct it")
        expected, fits = _TYPES[_SHARED[name]]
        if not fits(value):
            raise InputError(f"{path}:{line}: {name}", expected, repr(value), "correct it")
    return text, data


def read_cases(path: Path) -> dict[str, str]:
    """What the names of cases of a paper's claims mean, in words: the table ``[cases]`` of the file of its statements.

    By part of a name, such as ``steep``, or by a whole label where a part means something else there.
    """
    return dict(_parsed(path)[1].get("cases", {}))


def _used(symbols: Mapping[str, str], table: Mapping[str, Any]) -> dict[str, str]:
    """The symbols that stand in a statement's words and formulas; Greek letters are the same in both."""
    words = " ".join([table["says"], table.get("formula", ""), *table.get("brief", {}).values()])
    plain = re.sub(r"\\(var)?([A-Za-z]+)", _letter, words)
    return {name: said for name, said in symbols.items() if re.search(rf"(?<![^\W\d]){re.escape(name)}(?!\w)", plain)}


def _letter(command: re.Match[str]) -> str:
    """A Greek letter for its command in LaTeX, and a space for any other command."""
    size = "CAPITAL" if command[2][0].isupper() else "SMALL"
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {command[2].upper()}")
    except KeyError:
        return " "


def _read(place: str, shared: Mapping[str, Any], table: Mapping[str, Any]) -> Theorem:
    """A statement by its table and what the file says of all."""
    try:
        if "source" in table:
            raise InputError("source", "no such field in a file", repr(table["source"]), "leave it out")
        read = theorem_of({"paper": shared.get("paper", ""), **table, "source": place})
        used = _used(shared.get("symbols", {}), table)
        return read if "symbols" in table else replace(read, symbols=used)
    except InputError as error:
        raise InputError(f"{place}: {error.field}", *error.args[1:]) from None
