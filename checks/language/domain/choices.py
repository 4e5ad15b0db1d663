"""A choice among named variants."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from boundaudit import InputError
from boundaudit.checks.language.domain.limits import Declaration, Env, Unit
from boundaudit.checks.language.translate import to_tree


class Choices:
    """Finitely many named variants, each with the rational it stands for in formulas.

    Example:
        >>> Choices(steep=1, wide=2).sentence("u")
        'u = 1 (steep) or 2 (wide)'
    """

    def __init__(self, **values: Any) -> None:
        if not values:
            raise InputError("Choices", "at least one name=value", "none", "name the variants")
        self.values: dict[str, Fraction] = {name: _rational(name, value) for name, value in values.items()}

    def to_json(self) -> Declaration:
        """The meaning, for fingerprints and the proof checker."""
        return {"range": "choices", "values": [to_tree(sp.Rational(v)) for v in self.values.values()]}

    def name_of(self, value: Any) -> str:
        """The name of a variant."""
        return next(name for name, known in self.values.items() if known == value)

    def sentence(self, name: str) -> str:
        """One phrase for the report, such as ``u = 1 (steep) or 2 (wide)``."""
        return f"{name} = " + " or ".join(f"{value} ({label})" for label, value in self.values.items())

    def _plain(self) -> list[Any]:
        return [int(v) if v.denominator == 1 else v for v in self.values.values()]

    def strategy(self, env: Env) -> st.SearchStrategy[Any]:
        """The Hypothesis strategy: the variants; it shrinks towards the first."""
        return st.sampled_from(self._plain())

    def from_unit(self, unit: Unit, env: Env) -> Any:
        """The variant at the next coordinate of the unit cube."""
        plain = self._plain()
        return plain[min(len(plain) - 1, math.floor(unit() * len(plain)))]

    def grid(self, env: Env) -> list[Any]:
        """All variants."""
        return self._plain()

    def smallest(self, env: Env, size: int) -> Iterator[Any]:
        """All variants in the order given."""
        yield from self._plain()

    def every(self, env: Env) -> Iterator[Any] | None:
        """All variants."""
        return iter(self._plain())

    def far(self, env: Env) -> Iterator[Any]:
        """Nothing lies beyond the variants."""
        return iter(())

    def near(self, value: Any, env: Env, step: float) -> Iterator[Any]:
        """Where a search that has come here looks next: the other variants."""
        yield from (other for other in self._plain() if other != value)

    def contains(self, value: Any, env: Env) -> bool | None:
        """Exact membership."""
        return Fraction(value) in self.values.values()

    def simpler(self, value: Any, env: Env) -> Iterator[Any]:
        """What a counterexample shrinks to: the variants named before."""
        yield from itertools.takewhile(lambda other: other != value, self._plain())

    def adapt(self, value: Any, env: Env) -> Any:
        """The same variant: no earlier parameter matters."""
        return value

    def relaxed(self) -> dict[str, Choices]:
        """The hypotheses that can be removed: none."""
        return {}


def _rational(name: str, value: Any) -> Fraction:
    """A variant's number; a float is the decimal that it shows, as in other ranges."""
    try:
        return Fraction(str(value) if isinstance(value, float) else value)
    except (TypeError, ValueError):
        raise InputError(f"Choices[{name}]", "a rational", value, "write such as Fraction(1, 2)") from None
