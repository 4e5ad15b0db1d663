"""From the conditions of a text to a domain: "for all T ≥ 2", "x in [0, 1]", "v in R^d", "for integers n, k".

What the text leaves open is taken as widely as the kind of number allows, and said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.reading.grammar import RELATIONS, Grammar, Relation, real

_TURNED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "=", "!=": "!="}
_MADE = {"<=": sp.Le, ">=": sp.Ge, "<": sp.Lt, ">": sp.Gt, "=": sp.Eq, "!=": sp.Ne}
_EACH = "each"
"""The index of a condition on every entry of a vector that a text names as a whole."""


@dataclass
class Conditions:
    """What a text says of its parameters.

    Attributes:
        relations: In order.
        integers: Why a name is an integer's, by name.
        vectors: Lengths, by name.
    """

    relations: list[Relation] = field(default_factory=list)
    integers: dict[str, str] = field(default_factory=dict)
    vectors: dict[str, Any] = field(default_factory=dict)

    def read(self, grammar: Grammar) -> None:
        """Read conditions, with commas or "and" between them, up to the end."""
        while grammar.next.kind != "end":
            self._read_one(grammar)
            if grammar.next.kind != "end" and not list(_passed(grammar, ",", ";", "and", "for")):
                grammar.fail("a condition", "write such as T >= 1, x in [0, 1] or n integer")

    def _read_one(self, grammar: Grammar) -> None:
        """Names, or a relation, or both; kinds of numbers before or behind."""
        before = list(_passed(grammar, "kind", "filler"))
        at = grammar.next.at
        subjects = [grammar.expression()]
        while subjects[-1].is_Symbol and list(_passed(grammar, ",")):
            list(_passed(grammar, "and", "filler"))
            subjects.append(grammar.expression())
        chained: list[Any] = []
        if grammar.take("in"):
            self._read_set(grammar, subjects)
        elif grammar.next.kind in RELATIONS:
            for found in grammar.relations(subjects[-1]):
                chained.append(found.right)
                self.relations += [found, *(Relation(found.sign, s, found.right, at) for s in subjects[:-1])]
        behind = list(_passed(grammar, "kind", "filler"))
        told = [*subjects, *chained]
        for word in (*before, *behind):
            named = [part for part in (told[:1] if word == "integer" and word in before else told) if part.is_Symbol]
            for subject in named or grammar.fail("a name", "write such as n integer", at):
                self._note(subject, word, at)

    def _note(self, subject: Any, word: str, at: int) -> None:
        """That what a word speaks of is a kind of number."""
        if word in ("positive", "nonnegative"):
            self.relations.append(Relation(">" if word == "positive" else ">=", subject, sp.Integer(0), at))
        elif word in ("integer", "integers", "natural"):
            self.integers[subject.name] = "the text says so"

    def _read_set(self, grammar: Grammar, subjects: Sequence[Any]) -> None:
        at = grammar.next.at
        names = [s.name if s.is_Symbol else grammar.fail("names before ∈", "write x in [0, 1]", at) for s in subjects]
        ends: list[tuple[str, Any]] = []
        if grammar.take("mathbb") or grammar.next.text in ("R", "N", "Z"):
            braced = grammar.take("{")
            letter = grammar.need("name").text
            if letter not in ("R", "N", "Z") or (braced and not grammar.take("}")):
                grammar.fail("R, N or Z", "write such as x in R", at)
            if letter == "N":
                ends = [(">=", sp.Integer(1))]
                grammar.notes.append("natural numbers begin at 1")
            if letter != "R":
                self.integers |= dict.fromkeys(names, "the text says so")
        elif grammar.next.text == "{":
            grammar.take("(", "{")
            ends = [(">=", grammar.expression())]
            grammar.need(",")
            if not grammar.take("…"):
                grammar.fail("the dots of a list", "write \\{1, \\dots, n\\}, or an interval [0, 1]")
            grammar.need(",")
            ends.append(("<=", grammar.expression()))
            grammar.need(")" if grammar.next.kind == ")" else "}")
            self.integers |= dict.fromkeys(names, "the text lists its values")
        elif opening := grammar.take("[", "("):
            ends = [(">=" if opening.kind == "[" else ">", grammar.expression())]
            if opening.kind == "[" and grammar.take("]"):
                ends = [(">=", sp.Integer(1)), ("<=", ends[0][1])]
                self.integers |= dict.fromkeys(names, "[n] is read as 1, …, n")
            else:
                grammar.need(",")
                high = sp.oo if grammar.take("∞") else grammar.expression()
                closing = grammar.take("]", ")") or grammar.fail("the end of an interval", "write ] or )")
                ends += [("<=" if closing.kind == "]" else "<", high)] if high is not sp.oo else []
        else:
            grammar.fail("an interval or R, N, Z", "write such as x in [0, 1]", at)
        if grammar.take("^"):
            self.vectors |= dict.fromkeys(names, grammar.exponent())
            subjects = [sp.IndexedBase(name, real=True)[real(_EACH)] for name in names]
        self.relations += [Relation(sign, subject, end, at) for subject in subjects for sign, end in ends]


def _passed(grammar: Grammar, *kinds: str) -> Iterator[str]:
    """Tokens of some kinds, passed over."""
    while token := grammar.take(*kinds):
        yield token.text.lower()


@dataclass
class Bounds:
    """Where one parameter, or each entry of a vector, ranges."""

    low: Any = None
    high: Any = None
    open_low: bool = False
    open_high: bool = False

    def admit(self, sign: str, end: Any, *, integer: bool) -> bool:
        """Take a limit where there is none yet.

        Returns:
            Whether it was taken.
        """
        strict, below = sign in ("<", ">"), sign[0] == ">"
        if sign not in ("<=", ">=", "<", ">") or (self.low if below else self.high) is not None:
            return False
        if strict and integer:
            whole = end.xreplace({s: sp.Symbol(s.name, integer=True) for s in end.free_symbols if s.is_Symbol})
            if not whole.is_integer:
                return False
            strict, end = False, end + (1 if below else -1)
        if below:
            self.low, self.open_low = end, strict
        else:
            self.high, self.open_high = end, strict
        return True


def domain_of(
    names: Sequence[str], relations: Sequence[Relation], integers: dict[str, str], vectors: dict[str, Any],
    starts: dict[str, Any],
) -> tuple[Domain, list[str]]:  # fmt: skip
    """The domain of some parameters, and what nobody said of them.

    Args:
        names: The parameters, in order.
        relations: What has to hold.
        integers: Why a parameter is an integer, by name.
        vectors: Lengths of those that are vectors, by name.
        starts: Where a sum begins that a parameter ends, by name.

    Returns:
        The domain, and a sentence for each range that was left open.

    Raises:
        InputError: where ranges depend on each other in a circle: a name stands for two things.
    """
    bounds = {name: Bounds() for name in names}
    reads = {name: _names(vectors.get(name, 0), names) for name in names}
    where = []
    for relation in relations:
        for subject, end, sign in (
            (relation.left, relation.right, relation.sign), (relation.right, relation.left, _TURNED[relation.sign]),
        ):  # fmt: skip
            name, used = _subject(subject, names, vectors), _names(end, names)
            if name is None or name in _reached(used, reads):
                continue
            if bounds[name].admit(sign, end, integer=name in integers):
                reads[name] |= used
                break
        else:
            where.append(_MADE[relation.sign](relation.left, relation.right))
    missing = []
    ranges: dict[str, Range] = {}
    while len(ranges) < len(names):
        ready = [name for name in names if name not in ranges and reads[name] <= set(ranges)]
        if not ready:
            raise InputError("text", "a name for each thing", f"two of {', '.join(reads)}", "rename one of them")
        name = ready[0]
        found = bounds[name]
        if name in integers and found.low is None:
            found.low = starts.get(name, sp.Integer(1))
            taken = f"integers from {found.low} on are taken"
            missing.append(f"{name}: no smallest value is given; {taken} (else say such as {name} >= 2)")
        elif found.low is None and found.high is None:
            what, example = ("every entry of ", f"{name}_i") if name in vectors else ("", name)
            missing.append(
                f"{name}: no range is given; {what}{name} is any real number (else say such as {example} >= 0)"
            )
        ranges[name] = _range(found, integer=name in integers, length=vectors.get(name))
    made = {sp.IndexedBase(name, real=True) if name in vectors else real(name): ranges[name] for name in ranges}
    return Domain(made, where), missing


def _range(found: Bounds, *, integer: bool, length: Any) -> Range:
    if integer:
        return Integers(found.low, found.high)
    reals = Reals(found.low, found.high, open_low=found.open_low, open_high=found.open_high)
    return reals if length is None else Vector(length, reals)


def _subject(side: Any, names: Sequence[str], vectors: dict[str, Any]) -> str | None:
    """The parameter that a condition is about: a number, or every entry of a vector."""
    if side.is_Symbol:
        return str(side.name) if side.name in names and side.name not in vectors else None
    if isinstance(side, sp.Indexed) and side.indices[0].is_Symbol and side.indices[0].name not in names:
        return str(side.base)
    return None


def _names(expression: Any, names: Sequence[str]) -> set[str]:
    found = {
        symbol.name for symbol in sp.sympify(expression, strict=True).free_symbols if isinstance(symbol, sp.Symbol)
    }
    return found & set(names)


def _reached(used: set[str], reads: dict[str, set[str]]) -> set[str]:
    """What limits speak of, and what the limits of those speak of."""
    found, open_ = set(used), list(used)
    while open_:
        fresh = reads[open_.pop()] - found
        found |= fresh
        open_ += fresh
    return found
