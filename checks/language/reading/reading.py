"""From a text to the claim that it states: which names are vectors, which are integers, where each ranges."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp
from sympy.core.facts import InconsistentAssumptions

from boundaudit import InputError
from boundaudit.checks.language.abstract.extremes import Maximum, Minimum
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.digest import digest
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.domain.assumptions import granted
from boundaudit.checks.language.printing import text_of
from boundaudit.checks.language.reading.domains import Conditions, domain_of
from boundaudit.checks.language.reading.entries import numbers, settle
from boundaudit.checks.language.reading.grammar import Grammar
from boundaudit.checks.language.reading.parts import RELATIONS, Relation, plain_name, real
from boundaudit.checks.language.reading.tokens import Token, Unreadable, tokens
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.language.verdicts import Kind
from boundaudit.checks.language.written import factors, is_sure, kept_in

_KINDS: dict[str, Kind] = {"<=": "Upper", ">=": "Lower", "=": "Identity"}
_WEAKER = {"<": "<=", ">": ">="}
_WORDS = {"<=": "is at most", ">=": "is at least", "=": "equals"}
_OPENING, _CLOSING = ("(", "[", "{", "⟨", "⌊", "⌈"), (")", "]", "}", "⟩", "⌋", "⌉")


@dataclass(frozen=True)
class Understood:
    """What a text was read as."""

    claim: Claim  # of a chain of relations, one with a case for each
    inferred: tuple[str, ...]  # what was decided where the text left a choice, and why
    missing: tuple[str, ...]  # what the text does not say and was taken as widely as possible


def read(text: str, *, where: Sequence[str] = (), integer: Sequence[str] = (), **fields: Any) -> Claim:
    r"""Read a relation as it stands in a paper, or as it is typed, into a claim.

    Example:
        >>> from boundaudit import read
        >>> claim = read(r"\sum_{t=1}^{T} \frac{1}{\sqrt t} \le 2\sqrt T - 1 \quad\text{for } T \ge 1")
        >>> claim.text
        'Sum(1/sqrt(t), (t, 1, T)) <= 2*sqrt(T) - 1'
        >>> claim.domain.sentence()
        '1 ≤ T'

    Args:
        text: LaTeX or plain text; conditions may follow "for".
        where: Further conditions, such as ``"0 <= p <= 1"``.
        integer: Names of integers beyond those that the text shows to be integers.
        **fields: Fields of the claim, such as ``label``, ``place`` or ``expected``.

    Returns:
        The claim; of a chain a ≤ b ≤ c, one with a case for each relation. What the text left open is said in its
        ``limitations``.

    Raises:
        InputError: where something cannot be read; an `Unreadable` says where in the text.
    """
    frame = sys._getframe(1)
    fields = {"source": f"{frame.f_code.co_filename}:{frame.f_lineno}", **fields}
    return understand(text, where=where, integer=integer, **fields).claim


def understand(text: str, *, where: Sequence[str] = (), integer: Sequence[str] = (), **fields: Any) -> Understood:
    """Read a text as `read` does, and say what was inferred and what is missing.

    Raises:
        InputError: where something cannot be read.
    """
    try:
        return _Reader(text, where, integer).understood(fields)
    except RecursionError:
        raise InputError("text", "a shorter formula", f"{text[:60]}…", "name a part of it by a symbol") from None


class _Reader:
    """One text, with the conditions beside it."""

    def __init__(self, text: str, where: Sequence[str], integer: Sequence[str]) -> None:
        formula, conditions = _split(tokens(text))
        parts = [(text, part) for part in conditions]
        parts += [(said, part) for said in where for part in _without_brackets(tokens(said))]
        spelled = {token.text for part in (formula, *(found for _, found in parts)) for token in part}
        self._text = text
        self._said = Conditions(integers=dict.fromkeys(integer, "you say so"))
        self._grammars: list[Grammar] = []
        for source, found in parts:
            opened = found[1:] if found[0].kind == "for" else found
            self._grammars.append(Grammar(source, opened, self._said.vectors, spelled))
            before = len(self._said.relations)
            self._said.read(self._grammars[-1])
            self._said.relations[before:] = [replace(r, source=source) for r in self._said.relations[before:]]
        stated = Grammar(text, formula, self._said.vectors, spelled)
        self._grammars.insert(0, stated)
        self.stated = stated.relations()
        if not self.stated or stated.next.kind != "end":
            stated.fail("<=, >= or = and another side" if not self.stated else "a sign", "complete the formula here")
        for relation in self.stated:
            if relation.sign == "!=":
                raise Unreadable(text, relation.at, "<=, >= or =", "write one of these")
        self._inferred = [note for grammar in self._grammars for note in grammar.notes]
        whole = {name for grammar in self._grammars for name in grammar.names}
        runs = [name for name in sorted(whole) if len(name) > 1 and set(name) <= whole]
        self._inferred += [f"{name} is read as one name (else write {'*'.join(name)})" for name in runs]
        self._settle_subscripts()

    # --- vectors ----------------------------------------------------------------------------------

    def _settle_subscripts(self) -> None:
        """A subscript is an index where it counts, or else part of a name."""
        everything = [*self._expressions()]
        entries = {entry for part in everything for entry in part.atoms(sp.Indexed)}
        outside = {*self._said.vectors}.union(*map(numbers, everything))
        self._bound = bound = {name for grammar in self._grammars for name in grammar.bound}

        def counts(entry: Any) -> bool:
            return not plain_name(entry) or bool(numbers(entry.indices[0]) & (bound | outside))

        vectors = {str(entry.base) for entry in entries if counts(entry)} | set(self._said.vectors)
        self._require_known(entries, vectors)
        named = self._named_apart(entries, sorted(vectors & outside - set(self._said.vectors)))
        vectors = {named.get(name, name) for name in vectors}
        names = {entry: real(plain_name(entry)) for entry in entries if str(entry.base) not in {*vectors, *named}}
        bases = {name: sp.IndexedBase(of, real=True) for name, of in named.items()}
        names |= {entry: bases[str(entry.base)][entry.indices[0]] for entry in entries if str(entry.base) in bases}
        self._replace(names)
        entries = {entry.xreplace(names) for entry in entries}
        self._entries = [entry for entry in entries if isinstance(entry, sp.Indexed)]
        ends = {
            name for grammar in self._grammars for _, *ends in grammar.sums for end in ends for name in numbers(end)
        }
        zero = {high.name for grammar in self._grammars for _, low, high in grammar.sums if high.is_Symbol and low != 1}
        self._inferred += settle(self.stated, self._said, vectors, ends - bound, zero)
        self._put_in_what_is_given()
        words = {word: name for grammar in self._grammars for word, name in grammar.words.items() if name in vectors}
        self._inferred += [f"{word} is a name of its own, no entry of {name}" for word, name in words.items()]
        spelled: dict[str, list[str]] = {name: [name, of] for name, of in named.items()}
        for entry, symbol in sorted(names.items(), key=str):
            if symbol.is_Symbol:
                spelled.setdefault(str(entry.base), []).append(symbol.name)
        places = [name for grammar in self._grammars for name in grammar.names]
        self._order = list(dict.fromkeys(name for place in places for name in spelled.get(place, [place])))

    def _require_known(self, entries: Iterable[Any], vectors: set[str]) -> None:
        """A condition on x_i beside x_1 is one on every entry, and is nothing where nobody says how many there are."""
        stated = {entry for relation in self.stated for side in relation.sides for entry in side.atoms(sp.Indexed)}
        for entry in sorted({*entries} - stated, key=str):
            name, index = str(entry.base), entry.indices[0]
            if name not in vectors and index.is_Symbol and name in {str(found.base) for found in stated}:
                remedy = f"write {name} in R^2, or a condition on each of its entries"
                raise InputError("text", f"how many entries {name} has", text_of(entry), remedy)

    def _put_in_what_is_given(self) -> None:
        """Entries that a condition gives for every index, as steps η_t = c/√t, are written out: no vector is left."""
        for given in [relation for relation in self._said.relations if relation.sign == "="]:
            if given.over is None:
                continue
            index, first, last = given.over
            name = str(getattr(given.left, "base", ""))
            whole = given.left.has(sp.Indexed) and given.left.args[1:] == (index,)
            of_all = whole and first == 1 and last == self._said.vectors[name]
            formula = {entry for relation in self.stated for side in relation.sides for entry in side.atoms(sp.Indexed)}
            used = {entry for part in self._expressions() for entry in part.atoms(sp.Indexed)}
            if not of_all or name in {str(entry.base) for entry in given.right.atoms(sp.Indexed)}:
                continue
            if any(str(entry.base) == name for entry in formula):
                self._said.relations.remove(given)
                values = {e: given.right.xreplace({index: e.indices[0]}) for e in used if str(e.base) == name}
                self._replace(values)
                self._entries = [entry for entry in self._entries if str(entry.base) != name]
                del self._said.vectors[name]
                self._inferred.append(f"{text_of(given.left)} is written as {text_of(given.right)}")

    def _named_apart(self, entries: Iterable[Any], twice: Sequence[str]) -> dict[str, str]:
        """Names for vectors that share theirs with a number, λ_i beside λ: where a sum counts them there is no doubt.

        Raises:
            InputError: where none does.
        """
        counted = {str(entry.base) for entry in entries if numbers(entry.indices[0]) & self._bound}
        taken = {name for grammar in self._grammars for name in grammar.names}
        named = {}
        for name in twice:
            if name not in counted or f"{name}s" in taken:
                remedy = f"rename one of them: {name}' or \\bar {name}"
                raise InputError("text", "a name for each thing", f"{name} with an index and without", remedy)
            named[name] = f"{name}s"
            self._inferred.append(f"{name} with an index is an entry of {name}s, and {name} without one a number")
        return named

    def _first_values(self) -> dict[Any, Any]:
        """The first value of every index of a sum, and of every index of a condition."""
        found: dict[Any, Any] = {}
        conditions = [relation.over for relation in self._said.relations if relation.over]
        for index, low in (
            *((real(index), low) for grammar in self._grammars for index, low, _ in grammar.sums),
            *((index, low) for index, low, _ in conditions),
        ):
            found[index] = sp.Min(found.get(index, low), low)
        return found

    def _expressions(self) -> Iterator[Any]:
        for relation in (*self.stated, *self._said.relations):
            yield from (relation.left, relation.right)
        yield from (sp.sympify(length, strict=True) for length in self._said.vectors.values())

    def _replace(self, names: dict[Any, Any]) -> None:
        for found in (self.stated, self._said.relations):
            found[:] = [replace(r, left=r.left.xreplace(names), right=r.right.xreplace(names)) for r in found]
        for grammar in self._grammars:
            grammar.risks = [(word, part.xreplace(names)) for word, part in grammar.risks]
            grammar.sums = [(i, low.xreplace(names), high.xreplace(names)) for i, low, high in grammar.sums]

    # --- integers, domain -------------------------------------------------------------------------

    def _parameters(self) -> list[str]:
        self._require_apart()
        relations = (*self.stated, *self._said.relations)
        free = {*self._said.vectors}.union(*(relation.free for relation in relations))
        free |= {name for length in self._said.vectors.values() for name in numbers(sp.sympify(length, strict=True))}
        counting = {relation.over[0].name for relation in relations if relation.over}
        lost = {s.name for grammar in self._grammars for _, part in grammar.risks for s in part.atoms(sp.Symbol)}
        free |= lost - self._bound - counting  # SymPy makes one of x/x
        unknown = [name for name in self._said.integers if name not in free]
        if unknown:
            raise InputError("integer", f"names of the text: {', '.join(sorted(free))}", unknown[0], "correct the name")
        return [name for name in self._order if name in free]

    def _require_apart(self) -> None:
        """An index that counts a sum of the formula is nothing outside of that sum."""
        stated = self._grammars[0]
        for name in sorted(stated.bound):
            if any(name in relation.free for relation in self.stated):
                remedy = "put the sum's terms in brackets, or give one of the two another letter"
                raise Unreadable(self._text, stated.last_place(name), f"{name} inside of its sum only", remedy)
            for relation in self._said.relations:
                if name in relation.free:
                    remedy = "leave this condition out: its range stands at the sum"
                    raise InputError("text", f"{name} inside of its sum only", relation.text, remedy)

    def _infer_integers(self, names: Sequence[str]) -> dict[str, Any]:
        """Ends of sums, lengths, indices and binomial coefficients; and where the sums begin."""
        starts: dict[str, Any] = {}

        def whole_in(part: Any, why: str) -> None:
            symbols = {s: sp.Symbol(s.name, integer=True) for s in part.free_symbols if s.is_Symbol}
            if part.is_integer is None and part.xreplace(symbols).is_integer:
                for name in sorted({s.name for s in symbols} & set(names) - set(self._said.vectors)):
                    if self._said.integers.setdefault(name, why) is why:
                        self._inferred.append(f"{name} is an integer: {why}")

        for grammar in self._grammars:
            for _, low, high in grammar.sums:
                whole_in(low, "a sum begins there")
                whole_in(high, "a sum ends there")
                if high.is_Symbol and low.is_number:
                    starts.setdefault(high.name, low)
        whole = {real(name): sp.Symbol(name, integer=True) for name in {*self._said.integers, *self._bound}}
        for index, *ends in (found for grammar in self._grammars for found in grammar.sums):
            for end in ends:
                if end is not sp.oo and not end.xreplace(whole).is_integer:
                    raise InputError("text", f"whole ends of the sum over {index}", end, "write such as floor(n/2)")
        for length in self._said.vectors.values():
            whole_in(sp.sympify(length, strict=True), "so many entries has a vector")
        for entry in self._entries:
            whole_in(entry.indices[0], "it counts entries of a vector")
        for relation in self._said.relations:
            for end in (relation.over or ())[1:]:
                whole_in(end, "an index of a condition ends there")
        for part in self._expressions():
            for found in part.atoms(sp.binomial, sp.factorial):
                for argument in found.args:
                    whole_in(argument, f"it stands in a {'factorial' if found.func is sp.factorial else 'binomial'}")
        return starts

    # --- the claim --------------------------------------------------------------------------------

    def understood(self, fields: dict[str, Any]) -> Understood:
        """The claim, and what was decided on the way."""
        names = self._parameters()
        if not names:
            remedy = "put a name for one of the numbers, and say where it ranges"
            raise InputError("text", "a relation with at least one parameter", "numbers alone", remedy)
        starts = self._infer_integers(names)
        domain, missing = domain_of(names, self._said.relations, self._said.integers, self._said.vectors, starts)
        self._require_kept(domain)
        self.stated = [self._sayable(relation, missing) for relation in self.stated]
        sides = [{"left": r.left, "relation": r.sign, "right": r.right, "kind": _KINDS[r.sign]} for r in self.stated]
        stated: dict[str, Any] = sides[0] if len(sides) == 1 else {
            "cases": tuple(Case(str(number), **side) for number, side in enumerate(sides, 1))
        }  # fmt: skip
        formula = ", and ".join(f"{text_of(r.left)} {_WORDS[r.sign]} {text_of(r.right)}" for r in self.stated)
        written = self._written(domain)
        label = f"read.{self._key(written)[:8]}"
        claim = Claim(**{
            "label": label, "statement": f"{formula}; {domain.sentence()}.", "domain": written,
            "limitations": tuple(missing), "source": "text:1", **stated, **fields,
        })  # fmt: skip
        for member in claim.members:
            member.validate()
        return Understood(claim, tuple(dict.fromkeys(self._inferred)), tuple(missing))

    def _written(self, domain: Domain) -> Domain | Space:
        """The domain, or a `Space` where an extreme over an index has to be written out."""
        if not any(side.has(Maximum, Minimum) for r in self.stated for side in (r.left, r.right)):
            return domain
        bases = {name: sp.IndexedBase(name, real=True) for name in self._said.vectors}
        return Space({bases.get(name, real(name)): found for name, found in domain.ranges.items()}, domain.where)

    def _key(self, domain: Domain | Space) -> str:
        """A digest of what is claimed."""
        sides = [side for r in self.stated for side in (r.left, r.right)]
        if isinstance(domain, Space):
            domain, sides = domain.written_out(sides)
        trees = iter(map(to_tree, sides))
        return digest([*([next(trees), r.sign, next(trees)] for r in self.stated), domain.to_json()])

    def _sayable(self, relation: Relation, missing: list[str]) -> Relation:
        """A relation that claims can state: not strict."""
        sign = _WEAKER.get(relation.sign, relation.sign)
        if sign != relation.sign:
            missing.append(f"the text says {relation.sign}, what is claimed is {sign}: claims are not strict")
        if any(side.has(sp.I, sp.zoo, sp.nan) for side in (relation.left, relation.right)):
            raise Unreadable(self._text, relation.at, "two real sides", "leave out what divides by zero")
        return replace(relation, sign=sign)

    def _require_kept(self, domain: Domain) -> None:
        """SymPy simplifies √x² to x, and x/x to one: that is read only where the domain says that it is the same."""
        stated, said = (
            set().union(*(kept_in(side) for relation in of for side in relation.sides))
            for of in (self.stated, self._said.relations)
        )
        known, spread = {}, {}
        for name, found in domain.ranges.items():
            facts = granted(found.entries if isinstance(found, Vector) else found)  # type: ignore[arg-type]
            try:
                known[name] = sp.Dummy(name, real=True, **dict.fromkeys(facts, True))
            except InconsistentAssumptions:
                raise InputError(
                    "text", f"a range of {name}", domain.sentence(), "leave out what excludes it"
                ) from None
            spread[name] = _spread(found)
        for index, low in self._first_values().items():
            positive = low.is_positive and (index.name not in known or known[index.name].is_positive)
            known[index.name] = sp.Dummy(index.name, integer=True, positive=positive or None)
        same = {real(name): symbol for name, symbol in known.items()}
        wide = {real(name): inner for name, inner in spread.items() if inner is not None}
        entries = {entry: known.get(str(entry.base), sp.Dummy(real=True)) for entry in self._entries}

        def sure(kind: str, part: Any) -> bool:
            part = part.xreplace(entries)
            inside = part.xreplace(wide).xreplace(same)
            return is_sure(kind, part.xreplace(same)) or is_sure(kind, sp.together(inside))

        for kind, part, kept in (
            (*risk, said if place else stated) for place, of in enumerate(self._grammars) for risk in of.risks
        ):
            for factor in [part] if sure(kind, part) else sp.Mul.make_args(part):
                if not sure(kind, factor) and not {(kind, each) for each in factors(factor)} <= kept:
                    shown = {"logarithm": "log", "quotient": "1/"}.get(kind, kind)
                    got = f"{shown}({text_of(part)}), which SymPy simplifies away"
                    remedy = "write what is left of it, or narrow the domain"
                    raise InputError("text", f"a {kind} that stays", got, remedy)


def _spread(found: Range) -> Any:
    """The numbers of a range as values of an expression of one number of at least zero; none of a closed interval."""
    if not isinstance(found, (Integers, Reals)):
        return None
    low, high = (None if end is None else sp.sympify(end, strict=True) for end in (found.low, found.high))
    if low is None or not all(end is None or end.is_number for end in (low, high)):
        return None
    if isinstance(found, Integers):
        return low + sp.Dummy(integer=True, nonnegative=True)
    inner = sp.Dummy(**{"positive" if found.open_low else "nonnegative": True})
    if high is None:
        return low + inner
    return (low + high * inner) / (1 + inner) if found.open_high else None


def _split(found: list[Token]) -> tuple[list[Token], list[list[Token]]]:
    """The tokens of the formula and of the conditions around it, each with an end."""
    found, *behind = _without_brackets(found)
    depth, level = 0, []
    for token in found:
        depth += (token.kind in _OPENING) - (token.kind in _CLOSING)
        level.append(depth)
    top = [i for i, token in enumerate(found) if level[i] <= 0]
    before: list[list[Token]] = []
    start = 0
    if found[0].kind == "for":
        cuts = [i for i in top if found[i].kind == ":"] or [i for i in top if found[i].kind == ","]
        start = cuts[-1] + 1 if cuts else 0
        before = [_ended(found, 0, start - 1)] if cuts else []
    cut = next((i for i in top if i > start and found[i].kind in ("for", ",", ";", ":")), len(found) - 1)
    after = [_ended(found, cut + 1, len(found) - 1)] if cut + 1 < len(found) - 1 else []
    return _ended(found, start, cut), [*before, *after, *behind]


def _without_brackets(found: list[Token]) -> list[list[Token]]:
    """A text, and the condition that it ends with in brackets, as in "… (x > 0)", if there is one; each with an end."""
    depth, says = 0, False
    for place in range(len(found) - 2, 0, -1):
        depth += (found[place].kind in _CLOSING) - (found[place].kind in _OPENING)
        says = says or (depth == 1 and found[place].kind in {*RELATIONS, "in"})
        if depth == 0:
            if says and found[place].kind == "(":
                return [_ended(found, 0, place), _ended(found, place + 1, len(found) - 2)]
            break
    return [found]


def _ended(found: Sequence[Token], start: int, end: int) -> list[Token]:
    return [*found[start:end], Token("end", "", found[end].at, found[end].at)]
