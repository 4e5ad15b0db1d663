"""What `quadratics` computes with: linear equations and quadratic forms over the rational functions of parameters."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import Tree, rational

_HALF = Fraction(1, 2)

Powers = tuple[tuple[int, int], ...]
"""A monomial in the variables: positions of atoms with exponents."""
Form = dict[Powers, Ratio]
"""A polynomial in the variables: its coefficients."""
Row = list[Ratio]
"""A linear equation: the coefficients of its unknowns, and what they add up to."""


class Matrix:
    """A quadratic polynomial as a symmetric matrix; -1 stands for the constant 1."""

    def __init__(self, form: NormalForm, poly: Form) -> None:
        self._form = form
        self.entries: dict[tuple[int, int], Ratio] = {}
        for powers, coefficient in poly.items():
            places = [k for k, power in powers for _ in range(power)]
            first, second = sorted([*places, -1, -1][:2])
            whole = first == second
            self.entries[first, second] = coefficient if whole else form.scale(_HALF, coefficient)

    def at(self, one: int, other: int) -> Ratio:
        """An entry."""
        return self.entries.get((min(one, other), max(one, other)), self._form.constant(0))

    def polarised(self, other: Matrix, i: int, j: int) -> Ratio:
        """Twice the mixed determinant of two matrices at two places."""
        form = self._form
        crossed = form.add(form.multiply(self.at(i, i), other.at(j, j)), form.multiply(self.at(j, j), other.at(i, i)))
        return form.subtract(crossed, form.scale(2, form.multiply(self.at(i, j), other.at(i, j))))

    def tree(self, place: int) -> Tree:
        """A variable, or 1."""
        return rational(1) if place < 0 else self._form.atoms[place].key

    def candidates(self) -> list[int]:
        """Variables of which a square can be taken off: nothing is divided by what may be zero."""
        places = sorted({k for pair in self.entries for k in pair}, reverse=True)
        return [k for k in places if (k, k) in self.entries and self._divides(k)]

    def _divides(self, pivot: int) -> bool:
        try:
            weight, _ = self._square(pivot)
            return self._form.bounds(Ratio(weight.den)).nonzero
        except Rejected:
            return False

    def _ratios(self, pivot: int) -> dict[int, Ratio]:
        diagonal = self.at(pivot, pivot)
        inverse = Ratio(diagonal.den, diagonal.num)
        row = {k for pair in self.entries if pivot in pair for k in pair}
        return {k: self._form.multiply(self.at(pivot, k), inverse) for k in sorted(row)}

    def _square(self, pivot: int) -> tuple[Ratio, dict[int, Ratio]]:
        """The square in which a variable occurs: its weight, and the coefficients of its root."""
        # Where that may be zero, the root is multiplied by what it is divided by: y² (x + z/y)² is (y x + z)².
        ratios = self._ratios(pivot)
        common = Ratio(self._form.constant(1).num)
        for den in (Ratio(ratio.den) for ratio in ratios.values()):
            if not self._form.bounds(den).nonzero:
                common = Ratio(common.num * (den.num / common.num.gcd(den.num)))
        inverse = Ratio(self._form.constant(1).num, common.num)
        weight = self._form.multiply(self.at(pivot, pivot), inverse, inverse)
        return weight, {k: self._form.multiply(ratio, common) for k, ratio in ratios.items()}

    def eliminated(self, pivot: int) -> tuple[Ratio, dict[int, Ratio]]:
        """Take off the square in which a variable occurs: its weight, and the coefficients of its root."""
        diagonal, ratios = self.at(pivot, pivot), self._ratios(pivot)
        square = self._square(pivot)
        for one, other in itertools.combinations_with_replacement(sorted(ratios), 2):
            taken = self._form.multiply(diagonal, ratios[one], ratios[other])
            left = self._form.subtract(self.at(one, other), taken)
            if left.num.is_zero():
                self.entries.pop((one, other), None)
            else:
                self.entries[one, other] = left
        return square


def direction(form: NormalForm, rows: Sequence[Row], count: int) -> Row | None:
    """The way in which solutions of linear equations in so many unknowns may move, where it is one."""
    solved = reduced(form, rows)
    if solved is None or len(solved) != count - 1:
        return None
    pivots = [next(k for k, entry in enumerate(row) if not entry.num.is_zero()) for row in solved]
    (free,) = set(range(count)) - set(pivots)
    at = {pivot: form.scale(-1, row[free]) for pivot, row in zip(pivots, solved, strict=True)}
    return [at.get(k, form.constant(1)) for k in range(count)]


def reduced(form: NormalForm, rows: Sequence[Row]) -> list[Row] | None:
    """Linear equations in echelon form, the right side last; None where they contradict each other."""
    left: list[Row] = [list(row) for row in rows]
    found: list[Row] = []
    for column in range(len(rows[0]) - 1 if rows else 0):
        pivot = next((row for row in left if not row[column].num.is_zero()), None)
        if pivot is None:
            continue
        left.remove(pivot)
        inverse = Ratio(pivot[column].den, pivot[column].num)
        pivot = [form.multiply(entry, inverse) for entry in pivot]
        left, found = (
            [[form.subtract(a, form.multiply(row[column], b)) for a, b in zip(row, pivot, strict=True)] for row in some]
            for some in (left, found)
        )
        found.append(pivot)
    return None if any(not row[-1].num.is_zero() for row in left) else found
