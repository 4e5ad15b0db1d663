"""A Coq proof as it grows: facts under names, each shown once, and places that are left with what was known there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Script:
    """Lines of a proof, and the names of the propositions that they have shown."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._known: dict[str, str] = {}
        self._counts: dict[str, int] = {}

    def fresh(self, stem: str) -> str:
        """A name that no other part of this proof has."""
        self._counts[stem] = self._counts.get(stem, 0) + 1
        return f"{stem}_{self._counts[stem]}"

    def say(self, line: str) -> None:
        """Add a tactic."""
        self.lines.append(line)

    def have(self, stem: str, claim: str, proof: str) -> str:
        """Show a proposition by a tactic that closes it, unless it is known; its name, which begins with the stem."""
        if claim not in self._known:
            name = self.fresh(stem)
            self.say(f"assert ({name} : {claim}) by ({proof}).")
            self._known[claim] = name
        return self._known[claim]

    def note(self, claim: str, name: str) -> None:
        """Remember what a proposition that is known is called."""
        self._known.setdefault(claim, name)

    def name_of(self, claim: str) -> str | None:
        """What a known proposition is called."""
        return self._known.get(claim)

    @contextmanager
    def inside(self, name: str, claim: Callable[[], str]) -> Iterator[None]:
        """A proof within the proof, of a claim that is known at its end: what is shown there is forgotten."""
        lines, known = self.lines, dict(self._known)
        self.lines = []
        try:
            yield
            inner = self.lines
        finally:
            self.lines, self._known = lines, known
        self.say(f"assert ({name} : {claim()}). {{")
        self.lines += [f"  {line}" for line in inner]
        self.say("}")
