"""Entries of vectors: how many a text speaks of, and what it says of all of them.

A sum's index runs within the sums around it. An index that only conditions have stands for every entry that there is;
one that is free in the formula counts the entries that a sum or a declaration gives to the vector.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from boundaudit import InputError
from boundaudit.checks.language.printing import text_of
from boundaudit.checks.language.reading.domains import EACH, TURNED, Conditions
from boundaudit.checks.language.reading.parts import INDICES, Relation, real

Limits = tuple[tuple[Any, ...], ...]
"""Indices of sums with their ends, the innermost first."""


def occurrences(part: Any, around: Limits = ()) -> Iterator[tuple[Any, Limits]]:
    """Every entry in an expression, with the limits of the sums around it."""
    if isinstance(part, sp.Indexed):
        yield part, around
    elif isinstance(part, ExprWithLimits):
        limits = tuple(tuple(limit) for limit in part.limits)
        yield from occurrences(part.function, (*limits, *around))
        for place, (_, *ends) in enumerate(limits, 1):
            for end in ends:
                yield from occurrences(end, (*limits[place:], *around))
    else:
        for inner in part.args:
            yield from occurrences(inner, around)


def numbers(part: Any) -> set[str]:
    """The names of what is free in an expression outside of its entries."""
    if isinstance(part, sp.Indexed):
        return set()
    if isinstance(part, ExprWithLimits):
        found = numbers(part.function)
        for index, *ends in part.limits:  # a sum's ends may speak of the indices around it
            found = (found - {index.name}).union(*map(numbers, ends))
        return found
    return {part.name} if part.is_Symbol else set().union(*map(numbers, part.args))


def reached(index: Any, around: Limits, *, last: bool) -> Any:
    """The first or the last value of an index: s of ∑_{s=1}^{t} within ∑_{t=1}^{T} reaches T."""
    for symbol, low, high in around:
        if symbol in index.free_symbols:
            ends = index.xreplace({symbol: low}), index.xreplace({symbol: high})
            if index.is_polynomial(symbol) and sp.degree(index, symbol) == 1:
                index = ends[bool(index.coeff(symbol).is_positive) == last]
            else:
                index = largest(ends) if last else sp.Min(*ends)
    return index


def largest(of: Iterable[Any], zero: Container[str] = ()) -> Any:
    """The largest of some lengths, none of which is below one but for names that may be zero: of 1, n and 2n, 2n."""
    found = [sp.sympify(each, strict=True) for each in of]
    names = {s for each in found for s in each.free_symbols if s.is_Symbol}
    signs = {symbol: {"nonnegative" if symbol.name in zero else "positive": True} for symbol in names}
    whole = {symbol: sp.Dummy(symbol.name, integer=True, **signs[symbol]) for symbol in names}
    return sp.Max(*(each.xreplace(whole) for each in found)).xreplace({dummy: s for s, dummy in whole.items()})


def settle(
    stated: Sequence[Relation], said: Conditions, vectors: Iterable[str], ends: set[str], zero: set[str]
) -> list[str]:
    """Decide how long vectors are, and for which indices conditions hold; sentences say what was decided.

    Lengths are added to the conditions, and over which index each relation holds. Names in the ends of sums are
    numbers, also where they are indices; some may be zero.

    Raises:
        InputError: where a length or a range is not told.
    """
    told = {name for relation in stated for side in relation.sides for name in numbers(side)} | ends
    told |= {name for length in said.vectors.values() for name in numbers(sp.sympify(length, strict=True))}
    for relation in said.relations:
        _require_apart(relation)
    said.relations = _apart(said.relations, {name for relation in stated for name in relation.free}, told)
    said.relations = _by_source(said.relations, told)
    ranges = _Ranges.of(said, told)
    ends = ends.union(*(numbers(end) for pair in ranges.found.values() for end in pair if end is not None))
    zero = zero | {name for relation in said.relations for name in _zeroed(relation)}
    lengths = _Lengths(dict(said.vectors), ranges, zero)
    for relation in (*stated, *said.relations):
        for side in relation.sides:
            for entry, around in occurrences(side):
                lengths.note(entry, around, ends)
    lengths.settle(vectors)
    said.relations = ranges.over(said.relations, lengths.known)
    within, counted = lengths.within(said.relations)
    said.relations += within
    fresh = {name: length for name, length in lengths.known.items() if name not in said.vectors}
    said.vectors |= fresh
    alone = [relation for relation in said.relations if relation.over is None and _indices(relation)]
    return [
        *(f"{name} is a vector of length {text_of(fresh[name])}, the largest index that it has" for name in fresh),
        *counted, *_everywhere(said.relations), *(f"{relation.text} is said of that entry alone" for relation in alone),
    ]  # fmt: skip


def _require_apart(relation: Relation) -> None:
    """An index that counts a sum of a condition is nothing outside of that sum."""
    sums = {total for side in relation.sides for total in side.atoms(ExprWithLimits)}
    if both := relation.free & {limit[0].name for total in sums for limit in total.limits}:
        remedy = "put the sum's terms in brackets, or give one of the two another letter"
        raise InputError("text", f"{min(both)} inside of its sum only", relation.text, remedy)


def _apart(relations: Sequence[Relation], free: set[str], told: set[str]) -> list[Relation]:
    """Conditions on x_i where the formula has a free x_i too: said of all entries, with an index of their own."""
    symbols = {symbol for relation in relations for side in relation.sides for symbol in side.atoms(sp.Symbol)}
    used = free.union(told, (symbol.name for symbol in symbols))
    fresh = next(real(name) for name in INDICES if name not in used)
    made = []
    for relation in relations:
        own = {real(name): fresh for name in _indices(relation) & free - told}
        made.append(replace(relation, left=relation.left.xreplace(own), right=relation.right.xreplace(own)))
    return made


def _by_source(relations: Sequence[Relation], told: set[str]) -> list[Relation]:
    """Conditions with an index of their own where one text of several says how far it goes, and the others do not."""
    found = list(relations)
    used = {symbol.name for r in found for side in r.sides for symbol in side.atoms(sp.Symbol)}
    for name in sorted({name for relation in relations for name in _indices(relation)} - told):
        sources = dict.fromkeys(r.source for r in relations if name in _indices(r))
        for source in [s for s in sources if any(r.source == s and real(name) in r.sides for r in relations)]:
            if len(sources) > 1:
                fresh = next(other for other in INDICES if other not in used | told)
                own = {real(name): real(fresh)}
                for place, r in enumerate(found):
                    if r.source == source:
                        found[place] = replace(r, left=r.left.xreplace(own), right=r.right.xreplace(own))
                used.add(fresh)
    return found


@dataclass
class _Ranges:
    """Indices that conditions alone have, each with the first and the last of its values where the text says so."""

    found: dict[str, list[Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, said: Conditions, told: set[str]) -> _Ranges:
        """Those of some conditions; what only says where an index ranges is no condition any more."""
        names = {name for relation in said.relations for name in _indices(relation)} - told
        ranges = cls({name: [None, None] for name in names})
        said.relations = [relation for relation in said.relations if not ranges._take(relation)]
        said.integers = {name: why for name, why in said.integers.items() if name not in names}
        return ranges

    def _take(self, relation: Relation) -> bool:
        """Take the range of an index from a relation, where that is what it says."""
        for name, end, sign in _both_ways(relation):
            if name in self.found and not end.has(sp.Indexed):
                if sign == "!=" or not _is_whole(end) or numbers(end) & set(self.found):
                    raise InputError("text", f"a range of {name}", text_of(end), f"write such as 1 <= {name} <= n")
                low = end + 1 if sign == ">" else end if sign in (">=", "=") else None
                high = end - 1 if sign == "<" else end if sign in ("<=", "=") else None
                for place, value in enumerate((low, high)):
                    if value is not None and self.found[name][place] not in (None, value):
                        raise InputError("text", f"one range of {name}", relation.text, "give the others another index")
                    self.found[name][place] = self.found[name][place] if value is None else value
                return True
        return False

    def index_of(self, relation: Relation) -> Any:
        """The index over which a relation holds, or nothing."""
        names = sorted(_indices(relation) & set(self.found))
        if len(names) > 1:
            raise InputError("text", "one index in a condition", relation.text, "write such as x_i <= x_{i+1}")
        return real(names[0]) if names else None

    def over(self, relations: Sequence[Relation], lengths: dict[str, Any]) -> list[Relation]:
        """The relations with the range of their index; the length of a vector may follow from that of another."""
        made = list(relations)
        waiting = [place for place, relation in enumerate(relations) if self.index_of(relation) is not None]
        while waiting:
            known = (place for place in waiting if self._last(relations[place], lengths) is not None)
            place = next(known, waiting[0])
            waiting.remove(place)
            made[place] = self._over(relations[place], lengths)
        return made

    def _over(self, relation: Relation, lengths: dict[str, Any]) -> Relation:
        """A relation with the range of its index; vectors that have no length yet reach as far."""
        index, last = self.index_of(relation), self._last(relation, lengths)
        steps = [(str(entry.base), _step(entry, index, relation)) for entry in _counted(relation, index)]
        if last is None:
            name = steps[0][0]
            remedy = f"write 1 <= {index} <= n, or declare {name} in R^n"
            raise InputError("text", f"how many entries {name} has", relation.text, remedy)
        first, low = self.found[index.name][0], min(step for _, step in steps)
        first = 1 - low if first is None else first
        if (first + low).is_number and first + low < 1:
            raise InputError("text", "entries that are counted from 1", relation.text, "shift the index")
        for name in {name for name, _ in steps} - set(lengths):
            lengths[name] = last + max(step for other, step in steps if other == name)
        return replace(relation, over=(index, first, last))

    def _last(self, relation: Relation, lengths: dict[str, Any]) -> Any:
        """The last value of a relation's index: what the text says, or the last that all vectors have."""
        index = self.index_of(relation)
        if (said := self.found[index.name][1]) is not None:
            return said
        entries = _counted(relation, index)
        known = [lengths[str(e.base)] - _step(e, index, relation) for e in entries if str(e.base) in lengths]
        return sp.Min(*known) if known else None


@dataclass
class _Lengths:
    """How long vectors are, by the entries that a text has."""

    known: dict[str, Any]  # by name, those that are declared first
    ranges: _Ranges  # of indices of conditions
    zero: set[str]  # names of numbers that may be zero
    summed: dict[str, list[Any]] = field(default_factory=dict)  # largest indices in sums, by name of the vector
    plain: dict[str, list[Any]] = field(default_factory=dict)  # indices that are numbers of the text otherwise
    loose: dict[str, list[Any]] = field(default_factory=dict)  # indices that are nothing else

    def note(self, entry: Any, around: Limits, ends: set[str]) -> None:
        """Note what an entry says of its vector's length."""
        name, index = str(entry.base), entry.indices[0]
        free = {symbol.name for symbol in index.free_symbols if symbol.is_Symbol}
        inside = {limit[0].name for limit in around}
        if each := (free - inside) & set(self.ranges.found):
            said = {real(one): self.ranges.found[one][1] for one in each}
            if None not in said.values():
                self.summed.setdefault(name, []).append(index.xreplace(said))
            return
        low, high = (reached(index, around, last=last) for last in (False, True))
        if low.is_number and low < 1:
            raise InputError("text", f"entries of {name} that are counted from 1", "an index of 0", "shift the index")
        if high is sp.oo or high.has(sp.Indexed):
            remedy = "give its index an end that is a number"
            raise InputError("text", f"finitely many entries of {name}", high, remedy)
        kind = self.summed if free & inside else self.plain if numbers(high) <= ends else self.loose
        kind.setdefault(name, []).append(high)

    def settle(self, vectors: Iterable[str]) -> None:
        """Decide the lengths that are not declared; nothing is decided of what conditions alone speak of."""
        for name in sorted(vectors):
            if name not in self.known:
                found = [*self.summed.get(name, ()), *self.plain.get(name, ())]
                if name not in self.summed:
                    found += self.loose.pop(name, ())
                if found:
                    self.known[name] = largest(found, self.zero)

    def within(self, relations: Sequence[Relation]) -> tuple[list[Relation], list[str]]:
        """That the indices which are free in the formula count entries that there are, and this in sentences."""
        ends: dict[Any, list[tuple[Any, Any, str]]] = {}
        for name, indices in self.loose.items():
            for index in indices:
                constant, counter = index.as_coeff_Add()
                ends.setdefault(counter, []).append((1 - constant, self.known[name] - constant, name))
        made, notes = [], []
        for counter, found in ends.items():
            low, high = max(first for first, _, _ in found), sp.Min(*(last for _, last, _ in found))
            made += [Relation(">=", counter, low, 0), Relation("<=", counter, high, 0)]
            of = " and ".join(sorted({name for *_, name in found}))
            notes.append(f"{text_of(counter)} counts entries of {of}: {low} <= {text_of(counter)} <= {text_of(high)}")
        return [one for one in made if not any(_implies(given, one) for given in relations)], notes


def _everywhere(relations: Sequence[Relation]) -> list[str]:
    """In sentences, what holds for every value of an index."""
    told: dict[Any, list[str]] = {}
    for relation in relations:
        if relation.over and relation.over[0].name != EACH:
            told.setdefault(relation.over, []).append(relation.text)
    return [
        f"for every {index} from {text_of(first)} to {text_of(last)}: {', '.join(dict.fromkeys(texts))}"
        for (index, first, last), texts in told.items()
    ]


def _both_ways(relation: Relation) -> Iterator[tuple[str, Any, str]]:
    """The names that are one side of a relation, with the other side and the sign between them."""
    left, right = relation.sides
    for side, other, sign in ((left, right, relation.sign), (right, left, TURNED[relation.sign])):
        if side.is_Symbol:
            yield side.name, other, sign


def _zeroed(relation: Relation) -> Iterator[str]:
    """The name that a relation lets be zero or less, where it is one that says from where on."""
    for name, end, sign in _both_ways(relation):
        if sign in (">", ">=", "!=", "=") and not (end.is_number and end >= (0 if sign == ">" else 1)):
            yield name


def _implies(given: Relation, relation: Relation) -> bool:
    """Whether a relation says at least what another says of a name: i >= 2 that i >= 1."""
    same = (end for name, end, sign in _both_ways(given) if real(name) == relation.left and sign[0] == relation.sign[0])
    signed = 1 if relation.sign == ">=" else -1
    return any(((end - relation.right) * signed).is_nonnegative for end in same)


def _indices(relation: Relation) -> set[str]:
    """The names in indices of a relation's entries that no sum counts."""
    return {
        symbol.name
        for side in relation.sides for entry, around in occurrences(side)
        for symbol in entry.indices[0].free_symbols - {limit[0] for limit in around} if symbol.is_Symbol
    }  # fmt: skip


def _counted(relation: Relation, index: Any) -> list[Any]:
    """The entries of a relation that an index counts."""
    found = {entry for side in relation.sides for entry, _ in occurrences(side) if entry.indices[0].has(index)}
    return sorted(found, key=str)


def _step(entry: Any, index: Any, relation: Relation) -> Any:
    """How far an entry's index lies above the one that counts."""
    step = entry.indices[0] - index
    if not step.is_Integer:
        remedy = f"write such as x_{index} or x_{{{index}+1}}"
        raise InputError("text", f"a condition on entries at {index} or {index}+1", relation.text, remedy)
    return step


def _is_whole(end: Any) -> bool:
    return bool(end.xreplace({s: sp.Symbol(s.name, integer=True) for s in end.free_symbols}).is_integer)
