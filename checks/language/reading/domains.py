"""From the conditions of a text to a domain: "for all T ≥ 2", "x in [0, 1]", "v in R^d", "for integers n, k".

What the text leaves open is taken as widely as the kind of number allows, and said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.abstract.extremes import Maximum, Minimum
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.printing import text_of
from boundaudit.checks.language.reading.grammar import Grammar
from boundaudit.checks.language.reading.parts import RELATIONS, Relation, real
from boundaudit.checks.language.relations import ForAll

TURNED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "=", "!=": "!="}
_MADE = {"<=": sp.Le, ">=": sp.Ge, "<": sp.Lt, ">": sp.Gt, "=": sp.Eq, "!=": sp.Ne}
_ANY_INTEGER = "the text says that it is any integer"
EACH = "each"
"""The index of a condition on every entry of a vector that a text names as a whole."""


@dataclass
class Conditions:
    """What a text says of its parameters: relations in order, why a name is an integer's, lengths of vectors."""

    relations: list[Relation] = field(default_factory=list)
    integers: dict[str, str] = field(default_factory=dict)
    vectors: dict[str, Any] = field(default_factory=dict)

    def read(self, grammar: Grammar) -> None:
        """Read conditions, with commas or "and" between them, up to the end."""
        before: Relation | None = None
        between: list[str] = []
        while grammar.next.kind != "end":
            found = self._read_one(grammar, before, later=bool(between))
            between = list(_passed(grammar, ",", ";", "and", "for"))
            if grammar.next.kind != "end" and not between:
                grammar.fail("a condition", "write such as T >= 1, x in [0, 1] or n integer")
            before = found[0] if len(found) == 1 and between == [","] else None

    def _read_one(self, grammar: Grammar, before: Relation | None, *, later: bool) -> list[Relation]:
        """Names, or a relation, or both; kinds of numbers before or behind."""
        leading = list(_passed(grammar, "kind", "filler"))
        at = grammar.next.at
        subjects = self._listed(grammar)
        found: list[Relation] = []
        if grammar.take("in"):
            self._read_set(grammar, subjects)
        elif grammar.next.kind in RELATIONS:
            found = grammar.relations(subjects[-1])
            self.relations += [*self._run(grammar, found), *(replace(found[0], left=name) for name in subjects[:-1])]
            self.relations += self._shared(grammar, before, subjects, found)
        elif not all(map(_is_name, subjects)):
            grammar.fail("a condition", "write such as T >= 1, x in [0, 1]; of thousands 1000, without a comma", at)
        trailing = list(_passed(grammar, "kind", "filler"))
        told = [*subjects, *(relation.right for relation in found)]
        for word in (*leading, *trailing):
            named = [part for part in (told[:1] if word == "integer" and word in leading else told) if part.is_Symbol]
            goes_on = later if word in trailing else any(grammar.ahead(sign, "name") for sign in (",", "and"))
            if word == "integers" and len(named) == 1 and goes_on:
                grammar.fail("which are integers", "write integer n >= 1 for one, x, y integer for all", at)
            for subject in named or grammar.fail("a name", "write such as n integer", at):
                self._note(subject, word, at)
        return found

    def _run(self, grammar: Grammar, found: Sequence[Relation]) -> Sequence[Relation]:
        """Relations as they are; ``i = 1, …, n`` as ``1 <= i <= n``."""
        first = found[0]
        if len(found) > 1 or first.sign != "=" or not first.left.is_Symbol:
            return found
        if not (grammar.ahead(",", "…") or grammar.ahead(",", "number", ",", "…")):
            return found
        while not grammar.take("…"):
            grammar.need(grammar.next.kind)
        grammar.need(",")
        self._note(first.left, "integer", first.at)
        return [replace(first, sign=">="), replace(first, sign="<=", right=grammar.expression())]

    def _shared(
        self, grammar: Grammar, before: Relation | None, subjects: Sequence[Any], found: Sequence[Relation]
    ) -> list[Relation]:
        """What 0 < x, y < 1 says beside 0 < x and y < 1: each of the two ends is said of both."""
        if before is None or len(found) > 1 or before.sign[0] != found[0].sign[0] or before.sign[0] in "=!":
            return []
        names, end = [before.right, *subjects], found[0].right
        if not all(map(_is_name, names)) or before.left in names or end.free_symbols & set(names):
            return []
        told = f"{text_of(before.left)} {before.sign} {', '.join(map(text_of, names))} {found[0].sign} {text_of(end)}"
        if not before.left.is_number:
            two = f"{told} is read as two conditions, {before.text} and {found[0].text}"
            grammar.notes += [two] if _is_name(before.left) else []
            return []
        grammar.notes.append(f"{told} is said of {' and '.join(map(text_of, names))}")
        return [replace(found[0], left=before.right), *(replace(before, right=name) for name in subjects)]

    def _listed(self, grammar: Grammar) -> list[Any]:
        """An expression, or names with commas between them."""
        found = [grammar.expression()]
        while _is_name(found[-1]) and list(_passed(grammar, ",")):
            list(_passed(grammar, "and", "filler"))
            if grammar.next.kind == "…":
                grammar.fail("one name for all entries", "write such as x_i >= 0, which is said of every entry")
            found.append(grammar.expression())
        return found

    def _note(self, subject: Any, word: str, at: int) -> None:
        """That what a word speaks of is a kind of number."""
        if word in ("positive", "nonnegative"):
            self.relations.append(Relation(">" if word == "positive" else ">=", subject, sp.Integer(0), at))
        elif word in ("integer", "integers", "natural"):
            self.integers[subject.name] = "the text says so"

    def _read_set(self, grammar: Grammar, subjects: Sequence[Any]) -> None:
        at = grammar.next.at
        if not all(map(_is_name, subjects)):
            grammar.fail("names before ∈", "write x in [0, 1]", at)
        ends, why = self._set(grammar, at)
        names = [one.name for one in subjects if one.is_Symbol]
        if grammar.take("^"):
            self.vectors |= dict.fromkeys(names, grammar.exponent())
            subjects = [sp.IndexedBase(name, real=True)[real(EACH)] for name in names]
        if why and any(isinstance(one, sp.Indexed) for one in subjects):
            grammar.fail("entries that are real numbers", "write such as v_i in [0, 1], or a sum over numbers", at)
        self.integers |= dict.fromkeys(names, why) if why else {}
        self.relations += [Relation(sign, subject, end, at) for subject in subjects for sign, end in ends]

    def _set(self, grammar: Grammar, at: int) -> tuple[list[tuple[str, Any]], str]:
        """The ends of a set, and why it is one of integers, if it is."""
        if grammar.take("mathbb") or grammar.next.text in ("R", "N", "Z"):
            braced = grammar.take("{")
            letter = grammar.need("name").text
            if letter not in ("R", "N", "Z") or (braced and not grammar.take("}")):
                grammar.fail("R, N or Z", "write such as x in R", at)
            grammar.notes += ["natural numbers begin at 1"] if letter == "N" else []
            why = {"R": "", "N": "the text says so", "Z": _ANY_INTEGER}[letter]
            return [(">=", sp.Integer(1))] if letter == "N" else [], why
        if grammar.next.text == "{":
            grammar.take("(", "{")
            low = grammar.expression()
            grammar.need(",")
            if not grammar.take("…"):
                remedy = "write \\{1, \\dots, n\\}, or an interval [0, 1]; of {0, 1}, 0 <= x <= 1 and x integer"
                grammar.fail("the dots of a list", remedy)
            grammar.need(",")
            high = grammar.expression()
            grammar.need(")" if grammar.next.kind == ")" else "}")
            return [(">=", low), ("<=", high)], "the text lists its values"
        opening = grammar.take("[", "(") or grammar.fail("an interval or R, N, Z", "write such as x in [0, 1]", at)
        low = grammar.expression()
        if opening.kind == "[" and grammar.take("]"):
            return [(">=", sp.Integer(1)), ("<=", low)], "[n] is read as 1, …, n"
        grammar.need(",")
        high = sp.oo if grammar.take("∞") else grammar.expression()
        closing = grammar.take("]", ")") or grammar.fail("the end of an interval", "write ] or )")
        below = [("<=" if closing.kind == "]" else "<", high)] if high is not sp.oo else []
        return [(">=" if opening.kind == "[" else ">", low), *below], ""


def _is_name(found: Any) -> bool:
    """Whether it is a number's name, or an entry's."""
    return bool(found.is_Symbol or isinstance(found, sp.Indexed))


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
        """Take a limit where there is none yet, and say whether it was taken."""
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
    """The domain of some parameters, in order, and a sentence for each range that nobody told.

    By name there are why a parameter is an integer, lengths of those that are vectors, and where a sum begins that a
    parameter ends.

    Raises:
        InputError: where ranges depend on each other in a circle: a name stands for two things.
    """
    bounds = {name: Bounds() for name in names}
    reads = {name: _names(vectors.get(name, 0), names) for name in names}
    where: list[Any] = []
    for relation in _distinct(part for whole in relations for part in _plain(whole)):
        for subject, end, sign in (
            (relation.left, relation.right, relation.sign), (relation.right, relation.left, TURNED[relation.sign]),
        ):  # fmt: skip
            name, used = _subject(subject, end, relation.over, names, vectors), _names(end, names)
            if name is None or name in _reached(used, reads):
                continue
            if bounds[name].admit(sign, end, integer=name in integers):
                reads[name] |= used
                break
        else:
            where += _made(relation)
    missing = []
    ranges: dict[str, Range] = {}
    while len(ranges) < len(names):
        ready = [name for name in names if name not in ranges and reads[name] <= set(ranges)]
        if not ready:
            raise InputError("text", "a name for each thing", f"two of {', '.join(reads)}", "rename one of them")
        name = ready[0]
        found = bounds[name]
        if name in integers and found.low is None:
            if integers[name] == _ANY_INTEGER:
                remedy = f"say such as {name} >= 0, and state it of -{name} too"
                raise InputError("text", f"a smallest value of {name}", "any integer", remedy)
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


def _subject(
    side: Any, end: Any, over: tuple[Any, Any, Any] | None, names: Sequence[str], vectors: dict[str, Any]
) -> str | None:
    """The parameter that a condition is about: a number, or every entry of a vector."""
    if side.is_Symbol:
        return str(side.name) if over is None and side.name in names and side.name not in vectors else None
    if isinstance(side, sp.Indexed) and over is not None:
        index, low, high = over
        every = side.indices[0] == index and low == 1 and sp.expand(high - vectors[str(side.base)]) == 0
        return str(side.base) if every and index not in end.free_symbols else None
    return None


def _distinct(relations: Iterable[Relation]) -> Iterator[Relation]:
    """Each relation once, also where it is written the other way round."""
    seen: set[Relation] = set()
    for relation in relations:
        turned = replace(relation, sign=TURNED[relation.sign], left=relation.right, right=relation.left)
        if not {relation, turned} & seen:
            yield relation
        seen.add(relation)


def _plain(relation: Relation) -> list[Relation]:
    """|x| <= c as -c <= x <= c, and that a maximum is at most c for every index; any other relation as it is."""
    for side, other, sign in ((*relation.sides, relation.sign), (*relation.sides[::-1], TURNED[relation.sign])):
        if isinstance(side, sp.Abs) and sign in ("<=", "<") and _is_name(side.args[0]):
            upper = replace(relation, sign=sign, left=side.args[0], right=other)
            return [replace(upper, sign=TURNED[sign], right=-other), upper]
        held = ("<=", "<") if isinstance(side, Maximum) else (">=", ">") if isinstance(side, Minimum) else ()
        if sign in held and relation.over is None:
            return _plain(replace(relation, sign=sign, left=side.function, right=other, over=tuple(side.limits[0])))
    if any(side.has(Maximum, Minimum) for side in relation.sides):
        remedy = "write a condition on every entry, such as v_i <= 1"
        raise InputError("text", "a condition without a maximum or a minimum", relation.text, remedy)
    return [relation]


def _made(relation: Relation) -> list[Any]:
    """A condition as SymPy has it; none where it is always met."""
    made = _MADE[relation.sign](relation.left, relation.right)
    if made is sp.true:
        return []
    if made is sp.false or (relation.over and relation.sign == "!="):
        remedy = "write > or <, or leave it out"
        raise InputError("text", "a condition that can be met, and is no ≠ of entries", relation.text, remedy)
    return [made if relation.over is None else ForAll(made, relation.over)]


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
