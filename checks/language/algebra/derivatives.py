"""Derivatives of trees, by one parameter.

Where a derivative's tree has a finite ball over a box, the expression is differentiable on that box: every singularity
of an elementary function (a root at zero, a logarithm, a quotient) stays one in its derivative. A floor, an absolute
value, a maximum and branches have kinks and are refused; a proof by cases removes them first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ONE, ZERO, Tree, add, multiply, names, rational, walk

_MINUS = rational(-1)
_HALF = Fraction(1, 2)


class NotDifferentiable(Rejected):
    """The expression may have a kink or a jump in this parameter, or its sum's length depends on it."""


def derivative(tree: Tree, name: str) -> Tree:
    """The partial derivative by a scalar parameter."""
    if all(node[0] not in ("v", "item") or node[1] != name for node in walk(tree)):
        return ZERO
    head = tree[0]
    if head == "v":
        return ONE
    if head == "+":
        return _sum(*(derivative(part, name) for part in tree[1:]))
    if head == "*":
        return _product_rule(tree[1:], name)
    if head == "^":
        return _power_rule(tree[1], tree[2], name)
    if head in _CHAIN:
        return _product(_CHAIN[head](tree[1]), derivative(tree[1], name))
    if head == "sum" and name not in names(tree[1]) | names(tree[2]):
        return ("sum", tree[1], tree[2], derivative(tree[3], name))
    raise NotDifferentiable(f"{head!r} has no derivative by {name!r} everywhere")


_CHAIN: dict[str, Callable[[Tree], Tree]] = {
    "log": lambda a: ("^", a, _MINUS),
    "exp": lambda a: ("exp", a),
    "sin": lambda a: ("cos", a),
    "cos": lambda a: _product(_MINUS, ("sin", a)),
    # 2 exp(-a²)/√π
    "erf": lambda a: _product(
        rational(2), ("^", ("pi",), rational(-_HALF)), ("exp", _product(_MINUS, ("^", a, rational(2))))
    ),
}


def _product_rule(factors: tuple[Tree, ...], name: str) -> Tree:
    # (f g h)' = f' g h + f g' h + f g h'
    slopes = (derivative(factor, name) for factor in factors)
    return _sum(*(_product(*factors[:i], slope, *factors[i + 1 :]) for i, slope in enumerate(slopes)))


def _power_rule(base: Tree, exponent: Tree, name: str) -> Tree:
    # (b^e)' = e b^(e-1) b' + b^e log(b) e', the second term only where the exponent varies.
    lowered = _sum(exponent, _MINUS)
    power = ("^", base, lowered) if lowered != ONE else base
    through_base = _product(exponent, power, derivative(base, name))
    if name not in names(exponent):
        return through_base
    through_exponent = _product(("^", base, exponent), ("log", base), derivative(exponent, name))
    return _sum(through_base, through_exponent)


def _sum(*terms: Tree) -> Tree:
    """The sum of trees with zeros folded away."""
    constant = sum((Fraction(*t[1:]) for t in terms if t[0] == "q"), Fraction(0))
    rest = [t for t in terms if t[0] != "q"]
    return add(*rest, *([rational(constant)] if constant or not rest else []))


def _product(*factors: Tree) -> Tree:
    """The product of trees with zeros and ones folded away."""
    flat = [part for f in factors for part in (f[1:] if f[0] == "*" else (f,))]
    constant = math.prod((Fraction(*f[1:]) for f in flat if f[0] == "q"), start=Fraction(1))
    rest = [f for f in flat if f[0] != "q"]
    if not constant:
        return ZERO
    return multiply(*([rational(constant)] if constant != 1 or not rest else []), *rest)
