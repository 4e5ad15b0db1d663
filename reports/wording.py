"""How values are written in a report: points, numbers, ratios, the two sides of a counterexample."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boundaudit.checks.language.theorem import Theorem
    from boundaudit.checks.run.audit import Row

_RELATIONS = {"<=": "≤", ">=": "≥", "=": "=", "~": "∼"}
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η", "kappa": "κ", "lambda": "λ",
    "sigma": "σ", "tau": "τ", "omega": "ω",
}  # fmt: skip
_PLURALS = {
    **{
        kind: f"{kind}s"
        for kind in ("Theorem", "Lemma", "Proposition", "Claim", "Remark", "Equation", "Section", "Figure", "Table")
    },
    "Appendix": "Appendices",
    "Corollary": "Corollaries",
}
_LONGEST_LIST = 12
_SHORT_LIST = 3


def relation(sign: str) -> str:
    """A relation as mathematicians write it, ``≤`` for ``<=``; what is not known stays as it is."""
    return _RELATIONS.get(sign, sign)


def greek(words: str) -> str:
    """Letters for their names, where these stand by themselves: ``1 ≤ ω ≤ T`` for ``1 ≤ omega ≤ T``."""
    return re.sub(r"(?<![A-Za-z0-9.])[a-z]+(?!\w)", lambda found: _GREEK.get(found[0], found[0]), words)


def number(value: Any) -> str:
    """A value of a point in at most ten significant digits, ``-`` where there is none."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return format(value, ".10g")
    return str(value)


def value_text(value: Any) -> str:
    """A value of a point: a number, a fraction, a vector, a matrix or a family of subsets.

    ``(1/2, 1/2)`` for a vector, ``[1, 0; 0, 1]`` for a matrix, ``{1, 2}, {3}`` for a family; of what is long, a
    part with the count of the rest, or its shape and extremes.
    """
    if not isinstance(value, list):
        return number(value)
    if _is_matrix(value):
        return _matrix_text(value)
    if any(isinstance(entry, list) for entry in value):
        return _cut(["{" + _cut([number(part) for part in entry]) + "}" for entry in value])
    return "(" + _cut([number(entry) for entry in value]) + ")"


def _is_matrix(value: list[Any]) -> bool:
    """Whether a list of lists holds rows of numbers: positions are positive integers that increase."""
    rows = [entry for entry in value if isinstance(entry, list)]
    return not all(row == sorted({p for p in row if isinstance(p, int) and p > 0}) for row in rows)


def _matrix_text(rows: list[list[Any]]) -> str:
    entries = [Fraction(entry) if isinstance(entry, str) else entry for row in rows for entry in row]
    if len(entries) > _LONGEST_LIST:
        return f"{len(rows)}×{len(rows[0])} matrix with entries {_span(entries)}"
    size = len(rows[0])
    return "[" + "; ".join(", ".join(map(number, entries[i : i + size])) for i in range(0, len(entries), size)) + "]"


def _span(entries: Sequence[Any]) -> str:
    """The extremes of some numbers."""
    low, high = (_brief(extreme(entries, key=Fraction)) for extreme in (min, max))
    return f"of {low}" if low == high else f"from {low} to {high}"


def _cut(parts: Sequence[str]) -> str:
    shown = list(parts[:_LONGEST_LIST])
    if len(parts) > len(shown):
        shown.append(f"… {len(parts) - len(shown)} more")
    return ", ".join(shown)


def point_text(point: Mapping[str, object]) -> str:
    """A point of a domain in one line: ``T = 3, c = (1/2, 1/2)``."""
    return ", ".join(f"{greek(name)} = {value_text(value)}" for name, value in point.items())


def exact_point(point: Mapping[str, object]) -> str:
    """A point in one line, its numbers with all their digits: ``x = 0.30000000000000004, A = [1, 0; 0, 1]``."""
    words = {name: value_text(value) if isinstance(value, list) else value for name, value in point.items()}
    return ", ".join(f"{name} = {value}" for name, value in words.items())


def brief_point(point: Mapping[str, object]) -> str:
    """A point in one line, of long values extremes or size: ``T = 60, c = 60 entries from 0.1291 to 0.1292``."""
    return ", ".join(f"{greek(name)} = {_brief(value)}" for name, value in point.items())


def _brief(value: Any) -> str:
    if not isinstance(value, list):
        return format(value, ".4g") if isinstance(value, float) else number(value)
    if any(isinstance(entry, list) for entry in value):
        return value_text(value) if len(value) <= _SHORT_LIST or _is_matrix(value) else f"{len(value)} subsets"
    if len(value) <= _SHORT_LIST:
        return "(" + ", ".join(_brief(entry) for entry in value) + ")"
    return f"{len(value)} entries {_span(value)}"


def sides(left: Any, right: Any) -> tuple[str, str]:
    """Both sides of a comparison, in at least six digits, and as many as it takes to tell them apart."""
    try:
        first, second = Decimal(str(left)), Decimal(str(right))
    except InvalidOperation:
        return number(left), number(right)
    for digits in range(6, 60):
        rounded = Context(prec=digits)
        shown = rounded.plus(first), rounded.plus(second)
        if first == second or shown[0] != shown[1]:
            return _decimal_text(shown[0]), _decimal_text(shown[1])
    return str(first), str(second)


def _decimal_text(value: Decimal) -> str:
    """Plain digits in the middle range, else an exponent; no trailing zeros."""
    plain = value.is_finite() and -5 <= value.adjusted() < 12
    return format(value.normalize(), "f") if plain or not value else format(value.normalize(), "g")


def ratio_text(ratio: float | None, digits: int = 6) -> str:
    """A ratio of left to right, ``-`` where there is none; one that only nearly is 1 reads ``1 - 2.0e-13``."""
    if ratio is None:
        return "-"
    text = _significant(ratio, digits)
    if text == "1" and ratio != 1:
        return f"1 {'-' if ratio < 1 else '+'} {abs(1 - ratio):.1e}"
    return text


def ratio_range(price: Mapping[str, Any] | None) -> str:
    """A price or a gain in words, such as ``×1.07 to ×4``; empty where there is none."""
    if price is None:
        return ""
    low, high = (f"×{_significant(price[end], 3)}" for end in ("low", "high"))
    return low if low == high else f"{low} to {high}"


def _significant(value: float, digits: int) -> str:
    """A number in so many digits; one below a billion needs no exponent for its size."""
    text = format(value, f".{digits}g")
    return f"{float(text):,.0f}" if "e+" in text and abs(value) < 1e9 else text


def shortened(words: str, most: int) -> str:
    """Words, cut with an ellipsis where they are longer than that."""
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def listed(words: Sequence[str], joint: str = "and") -> str:
    """Words in a sentence: ``a``, ``a and b``, ``a, b and c``."""
    return f" {joint} ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


def by_kind(numbers: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Numbers of statements by kind, such as Theorem; one with a name in place of a number is a kind of its own."""
    kinds: dict[str, list[str]] = {}
    for number in numbers:
        word = number.partition(" ")[0]
        kinds.setdefault(word if word in _PLURALS else number, []).append(number)
    return list(kinds.items())


def numbered(numbers: Sequence[str]) -> str:
    """Numbers of statements in a sentence: ``Theorems 6 and 8; Appendix A``."""
    told = []
    for kind, members in by_kind(numbers):
        several = f"{_PLURALS.get(kind, kind)} {listed([number.partition(' ')[2] for number in members])}"
        told.append(several if len(members) > 1 else members[0])
    return "; ".join(told)


def count(how_many: int, noun: str) -> str:
    """A number with its noun: ``1 claim``, ``2 claims``, ``1,000 claims``."""
    return f"{how_many:,} {noun}{'' if how_many == 1 else 's'}"


def record_text(entries: Mapping[str, str]) -> str:
    """Named entries in one line: ``name: value, …``."""
    return ", ".join(f"{name}: {entry}" for name, entry in entries.items())


def titled(theorem: Theorem) -> str:
    """A statement's number, with its title where it has one."""
    return f"{theorem.number}: {theorem.title}" if theorem.title else theorem.number


def brief(value: float | None, digits: int = 4) -> str:
    """A number in so many digits, as in a table; a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}g}"


def cell(value: str | float | bool | None) -> str:
    """A cell of a table in words or digits."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}" if isinstance(value, float) else value


def read_as(row: Row) -> str:
    """How a statement is read in its state: ``coefficients of at most one. Stands: T = 20. Falls: every T``."""
    if not row.readings:
        return ""
    decides = row.readings[0]
    words = {"stands": "Stands", "falls": "Falls", "not testable": "Leaves a constant open", "open": "Not judged"}
    told = (f"{word}: {'; '.join(found)}" for state, word in words.items() if (found := decides.where(state)))
    return ". ".join(filter(None, [decides.reading.name, *(told if row.state == "stands in part" else ())]))


def other_readings(row: Row) -> str:
    """Readings that decide nothing, with what came of each: ``any coefficients: falls``."""
    return "; ".join(f"{judged.reading.name}: {judged.state}" for judged in row.readings[1:])
