"""Events: by the probabilities of all ways in which they come out together, which say all of any law of them.

Of m events there are 2^m such ways, the atoms of the algebra that they generate. A probability is a sum of theirs, so
that what is claimed of probabilities of finitely many events is claimed of these numbers, whatever the law.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from boundaudit import InputError
from boundaudit.checks.language.abstract.declared import Declared
from boundaudit.checks.language.abstract.terms import P
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.domain.ranges import Range
from boundaudit.checks.language.translate import Quotient

_MOST = 4
"""Events that depend on each other, of which there are sixteen ways to come out."""


@dataclass(frozen=True)
class Event(Declared):
    """An event, for `Space`: it stands in ``P``, with ``&``, ``|`` and ``~``.

    Example:
        >>> Event().sentence("A")
        'A an event'

    Attributes:
        apart: A name for a part of chance: events of one part depend on each other in any way, those of different
            parts not at all.
    """

    apart: str = ""

    @property
    def reads(self) -> str:  # type: ignore[override]
        """With the part of chance, where it has a name."""
        return "{name} an event" + (", independent of all but “{apart}”" if self.apart else "")


class Events:
    """The events of a claim, as probabilities of how they come out.

    ``ranges`` has, by the first event of each part, parameters in its place; ``where`` that those of a part add up to
    one.
    """

    def __init__(self, declared: Mapping[Any, Event]) -> None:
        self._parts: list[dict[tuple[bool, ...], Any]] = []
        self._events: list[list[Any]] = []
        self.ranges: dict[Any, dict[Any, Range]] = {}
        self.where: list[Any] = []
        for _, found in itertools.groupby(
            sorted(declared, key=lambda x: declared[x].apart), lambda x: declared[x].apart
        ):
            events = list(found)
            if len(events) > _MOST:
                remedy = "give some of them another part, Event(apart=…), or write them as random variables"
                raise InputError("Space", f"at most {_MOST} events of one part of chance", len(events), remedy)
            ways = {way: sp.Symbol(_named(events, way), nonnegative=True)
                    for way in itertools.product((True, False), repeat=len(events))}  # fmt: skip
            if any(way in found for found in self.ranges.values() for way in ways.values()):
                raise InputError(
                    "Space", "events whose names stay apart with “not” before them", events[0], "rename one"
                )
            self._events.append(events)
            self._parts.append(ways)
            self.ranges[events[0]] = dict.fromkeys(ways.values(), Reals(0, 1))
            self.where.append(sp.Eq(sp.Add(*ways.values()), 1))

    def value(self, term: P) -> Any:
        """A probability of events, without such a term inside, as a sum of probabilities or a quotient of two.

        Raises:
            InputError: where it is no probability.
        """
        if not isinstance(term, P):
            raise InputError(type(term).__name__, "numbers inside, which events are not", term, "write such as P(A)")
        (of,), given = term.of, term.given
        if given is None:
            return self._probability(of)
        known = sp.And(*given) if isinstance(given, sp.Tuple) else given
        return Quotient(self._probability(sp.And(of, known)), self._probability(known))

    def _probability(self, of: Any) -> Any:
        """The probabilities of all ways in which it comes true, added up."""
        spoken_of = [k for k, events in enumerate(self._events) if of.free_symbols & set(events)]
        found = sp.S.Zero
        for ways in itertools.product(*(self._parts[k].items() for k in spoken_of)):
            truth = {
                event: sp.true if happens else sp.false
                for k, (way, _) in zip(spoken_of, ways, strict=True)
                for event, happens in zip(self._events[k], way, strict=True)
            }
            comes = of.xreplace(truth)
            if comes not in (True, False):
                remedy = "write such as P(A & ~B), and events of random variables by themselves"
                raise InputError("P", "declared events with and, or, not", of, remedy)
            found += sp.Mul(*(chance for _, chance in ways)) if comes else 0
        return found


def _named(events: list[Any], way: tuple[bool, ...]) -> str:
    """Such as ``P(A, not B)``."""
    told = (event.name if happens else f"not {event.name}" for event, happens in zip(events, way, strict=True))
    return f"P({', '.join(told)})"
