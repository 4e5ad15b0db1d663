"""How close to zero an algebraic number can be without being it: a bound that makes its sign decidable in balls.

Every number that is built of rationals by sums, products, quotients and roots is U/L with algebraic integers U and L of
a field whose degree is at most the product of the roots' degrees. Where U is not zero, its norm is an integer that is
not zero either, so that |U| is at least 1 over the product of its other conjugates (Burnikel, Funke, Mehlhorn, Schirra
and Schmitt 2001, "A separation bound for real algebraic expressions").
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from boundaudit.checks.language.expression import Tree, children

_LARGEST_POWER = 10**6
"""A power or a root of a higher degree has a bound that no ball reaches."""


def separation(tree: Tree) -> float | None:
    """Bits b below which an algebraic number is zero: the value is 0 or of a size of at least 2^-b.

    None for a tree, without parameters, sums, floors and branches, that is no such number.
    """
    roots: dict[Tree, int] = {}
    found = _conjugates(tree, roots)
    if found is None:
        return None
    above, below = found
    degree = math.prod(roots.values())
    return below + (degree - 1) * above if degree <= _LARGEST_POWER else None


_Sizes = tuple[float, float]
"""Binary logarithms of what all conjugates of U and of L are at most, in size, for a number U/L."""


def _conjugates(tree: Tree, roots: dict[Tree, int]) -> _Sizes | None:
    """The sizes of a number; its roots are added to those that are known, each with its degree."""
    head = tree[0]
    if head == "q":
        return _log2(abs(tree[1])), _log2(tree[2])
    if head not in ("+", "*", "^", "abs", "max", "min"):
        return None
    parts = [_conjugates(part, roots) for part in children(tree)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    if head == "^":
        return _power(tree, known[0], roots)
    if head == "*":
        return sum(above for above, _ in known), sum(below for _, below in known)
    if head == "+":
        return _total(known)
    # An absolute value, the largest or the smallest is one of its arguments, or minus that.
    return max(above for above, _ in known), max(below for _, below in known)


def _total(parts: Sequence[_Sizes]) -> _Sizes:
    """The sizes of a sum: over a common denominator, as many terms as there are parts."""
    below = sum(part[1] for part in parts)
    return max(part[0] - part[1] for part in parts) + below + _log2(len(parts)), below


def _power(tree: Tree, base: _Sizes, roots: dict[Tree, int]) -> _Sizes | None:
    """The sizes of a power whose exponent is a literal rational: a root of degree q, to the power p."""
    if tree[2][0] != "q" or max(abs(tree[2][1]), tree[2][2]) > _LARGEST_POWER:
        return None
    power, degree = tree[2][1:]
    above, below = base
    if degree > 1:
        roots[("^", tree[1], ("q", 1, degree))] = degree
        if above >= below:
            above = (above + (degree - 1) * below) / degree
        else:
            below = ((degree - 1) * above + below) / degree
    return (power * above, power * below) if power >= 0 else (-power * below, -power * above)


def _log2(value: int) -> float:
    """The binary logarithm of an integer; 0 for 0, whose conjugates are at most 1 in size."""
    return math.log2(value) if value else 0.0
