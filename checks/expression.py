"""Expression trees: the one form in which statements are stored, hashed, evaluated and checked.

A tree is a nested tuple over a closed whitelist, and JSON lists of the same
shape read back to the same tree. No text is ever parsed.

======================================  =============================================
``("q", n, d)``                         the rational n/d, d > 0
``("v", name)``                         a parameter
``("item", vector, index)``             an entry of a vector parameter, counted from 1
``("+", a, b, …)``, ``("*", a, b, …)``  sum and product
``("^", base, exponent)``               power
``("log", a)``, ``("exp", a)``          natural logarithm and exponential
``("sin", a)``, ``("cos", a)``          sine and cosine
``("abs", a)``, ``("floor", a)``        absolute value, greatest integer
``("max", a, b, …)``, ``("min", …)``    largest and smallest
``("pi",)``                             the constant π
``("sum", index, low, high, body)``     body summed over low ≤ index ≤ high
======================================  =============================================

This module imports neither SymPy nor z3: the proof checker stands on it.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

import flint
import numpy as np
import numpy.typing as npt
from flint import arb, fmpq, fmpz

from boundaudit import InputError

Tree: TypeAlias = tuple[Any, ...]
Exact: TypeAlias = "int | Fraction | float"
Ball: TypeAlias = "fmpq | arb"
Array: TypeAlias = npt.NDArray[np.float64]

ZERO: Tree = ("q", 0, 1)
ONE: Tree = ("q", 1, 1)
_UNARY = ("log", "exp", "sin", "cos", "abs", "floor")
_NARY = ("+", "*", "max", "min")


class Undefined(ArithmeticError):
    """The expression has no value at this point, such as the logarithm of a negative number."""


def rational(value: Exact) -> Tree:
    """The leaf of an exact rational; a float stands for the dyadic rational it is.

    Returns:
        ``("q", numerator, denominator)`` in lowest terms.
    """
    exact = Fraction(value)
    return ("q", exact.numerator, exact.denominator)


def add(*terms: Tree) -> Tree:
    """The sum of trees.

    Returns:
        The only term where there is one, else a ``+`` node.
    """
    return terms[0] if len(terms) == 1 else ("+", *terms)


def multiply(*factors: Tree) -> Tree:
    """The product of trees.

    Returns:
        The only factor where there is one, else a ``*`` node.
    """
    return factors[0] if len(factors) == 1 else ("*", *factors)


def subtract(left: Tree, right: Tree) -> Tree:
    """The difference of two trees.

    Returns:
        ``left - right``; ``left`` itself where ``right`` is the literal zero.
    """
    return left if right == ZERO else ("+", left, ("*", rational(-1), right))


def children(tree: Tree) -> tuple[Tree, ...]:
    """The sub-trees of a node, in order.

    Returns:
        An empty tuple at a leaf.
    """
    head = tree[0]
    if head in ("q", "v", "pi"):
        return ()
    if head == "item":
        return (tree[2],)
    if head == "sum":
        return tree[2:]
    return tree[1:]


def rebuild(tree: Tree, parts: Sequence[Tree]) -> Tree:
    """The same node with other sub-trees, given in the order of `children`.

    Returns:
        The new node.
    """
    head = tree[0]
    if head in ("q", "v", "pi"):
        return tree
    if head in ("item", "sum"):
        return (head, tree[1], *parts)
    return (head, *parts)


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node of a tree, the root first.

    Yields:
        The nodes in depth-first order.
    """
    yield tree
    for part in children(tree):
        yield from walk(part)


def substitute(tree: Tree, values: Mapping[str, Tree]) -> Tree:
    """Replace parameters by trees; an index bound by a sum is left alone.

    Returns:
        The new tree.
    """
    if tree[0] == "v":
        return values.get(tree[1], tree)
    if tree[0] == "sum":
        inner = {name: value for name, value in values.items() if name != tree[1]}
        low, high = substitute(tree[2], values), substitute(tree[3], values)
        return ("sum", tree[1], low, high, substitute(tree[4], inner))
    return rebuild(tree, [substitute(part, values) for part in children(tree)])


def names(tree: Tree) -> set[str]:
    """The free parameters and vectors of a tree.

    Returns:
        Their names; indices bound by a sum are not among them.
    """
    if tree[0] == "v":
        return {tree[1]}
    found = set().union(*(names(part) for part in children(tree)))
    if tree[0] == "item":
        return found | {tree[1]}
    if tree[0] == "sum":
        return (found - {tree[1]}) | names(tree[2]) | names(tree[3])
    return found


def from_json(data: object, field: str = "expression") -> Tree:
    """Read a tree from parsed JSON, accepting nothing outside the whitelist.

    Returns:
        The tree.

    Raises:
        InputError: where a node is not one of the table above.
    """
    if not isinstance(data, (list, tuple)) or not data or not isinstance(data[0], str):
        raise InputError(field, 'a node such as ["+", a, b]', data, "write the tree as nested lists")
    head, rest = data[0], list(data[1:])
    if head == "q" and len(rest) == 2 and all(type(x) is int for x in rest) and rest[1] > 0:
        return ("q", rest[0], rest[1])
    if head == "v" and len(rest) == 1 and isinstance(rest[0], str):
        return ("v", rest[0])
    if head == "pi" and not rest:
        return ("pi",)
    if head == "item" and len(rest) == 2 and isinstance(rest[0], str):
        return ("item", rest[0], from_json(rest[1], field))
    if head == "sum" and len(rest) == 4 and isinstance(rest[0], str):
        return ("sum", rest[0], *(from_json(part, field) for part in rest[1:]))
    sized = (head in _NARY and rest) or (head in _UNARY and len(rest) == 1) or (head == "^" and len(rest) == 2)
    if sized:
        return (head, *(from_json(part, field) for part in rest))
    raise InputError(
        field, "a whitelisted node with its arguments", data, "see the table in boundaudit.checks.expression"
    )


def canonical_json(data: object) -> str:
    """The one spelling of a JSON value that is hashed and stored.

    Returns:
        JSON with sorted keys and no spaces.
    """
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(data: object) -> str:
    """A short stable hash of a JSON value.

    Returns:
        The first 16 hexadecimal digits of its SHA-256.
    """
    return hashlib.sha256(canonical_json(data).encode()).hexdigest()[:16]


# --- ball and exact evaluation -------------------------------------------------------------------


def to_ball(value: Exact) -> fmpq:
    """An exact number for ball arithmetic.

    Returns:
        The rational that ``value`` is; a float stands for itself, exactly.
    """
    exact = Fraction(value)
    return fmpq(exact.numerator, exact.denominator)


def evaluate(tree: Tree, point: Mapping[str, Any]) -> Ball:
    """The value at a point, exact where it is rational, else an enclosing ball at flint's precision.

    Args:
        tree: The expression.
        point: Values by parameter name: exact numbers, balls, or sequences of them for vectors.

    Returns:
        An ``fmpq`` where every operation was exact, else an ``arb`` that contains the value.

    Raises:
        Undefined: where the expression has no value at the point.
    """
    head = tree[0]
    if head == "q":
        return fmpq(tree[1], tree[2])
    if head == "v":
        return _as_ball(point[tree[1]])
    if head == "pi":
        return arb.pi()
    if head == "item":
        return _as_ball(_entry(point[tree[1]], _integer(evaluate(tree[2], point))))
    if head == "sum":
        low, high = (_integer(evaluate(part, point)) for part in tree[2:4])
        return sum((evaluate(tree[4], {**point, tree[1]: i}) for i in range(low, high + 1)), fmpq(0))
    values = [evaluate(part, point) for part in tree[1:]]
    if head == "^":
        return _power(values[0], values[1])
    return _UNARY_BALL[head](values[0]) if head in _UNARY else functools.reduce(_BINARY_BALL[head], values)


def _as_ball(value: Any) -> Ball:
    return value if isinstance(value, (fmpq, arb)) else to_ball(value)


def _entry(vector: Sequence[Any], index: int) -> Any:
    if not 1 <= index <= len(vector):
        raise Undefined(f"no entry {index} in a vector of length {len(vector)}")
    return vector[index - 1]


def _integer(value: Ball) -> int:
    if isinstance(value, fmpq) and value.q == 1:
        return int(value.p)
    raise Undefined(f"an index must be an integer, not {value}")


def _ball(value: Ball) -> arb:
    return value if isinstance(value, arb) else arb(value)


def _finite(value: arb) -> arb:
    if not value.is_finite():
        raise Undefined("no finite value here")
    return value


def _power(base: Ball, exponent: Ball) -> Ball:
    if isinstance(exponent, fmpq) and exponent.q == 1:
        if base == 0 and exponent < 0:
            raise Undefined("division by zero")
        if isinstance(base, fmpq):
            return base ** int(exponent.p)
        return _integer_power(base, int(exponent.p))
    if isinstance(exponent, fmpq) and exponent.q == 2:
        return _square_root(base) ** int(exponent.p) if exponent > 0 else _power(_square_root(base), fmpq(exponent.p))
    if base == 0 and exponent > 0:
        return fmpq(0)
    if not _ball(base) > 0:
        raise Undefined("a real power of a number that is not positive")
    return _finite(_ball(base) ** _ball(exponent))


def _integer_power(base: arb, exponent: int) -> arb:
    if base.mid() == 0 and base.rad() > 0:
        # Arb has no power of a ball around zero itself; its ends say all.
        if exponent < 0:
            raise Undefined("division by zero")
        power = base.upper() ** fmpz(exponent)
        power = power.union(-power)
    else:
        power = _finite(base ** fmpz(exponent))
    # An even power of a ball that straddles zero is not negative; the plain product would say it may be.
    return power if exponent % 2 else arb(power).nonnegative_part()


def _square_root(value: Ball) -> Ball:
    if isinstance(value, fmpq):
        if value < 0:
            raise Undefined("square root of a negative number")
        p, q = value.p.isqrt(), value.q.isqrt()
        if p * p == value.p and q * q == value.q:
            return fmpq(p, q)
        return arb(value).sqrt()
    if value < 0:
        raise Undefined("square root of a negative number")
    # A ball that straddles zero still has a root wherever the expression is defined.
    return _finite(arb.nonnegative_part(value).sqrt())


def _log(value: Ball) -> Ball:
    if value == 1:
        return fmpq(0)
    ball = _ball(value)
    if not ball > 0:
        raise Undefined("logarithm of a number that is not positive")
    return ball.log()


def _floor(value: Ball) -> Ball:
    if isinstance(value, fmpq):
        return fmpq(value.floor())
    low, high = value.lower().floor(), value.upper().floor()
    return low if low == high else low.union(high)


def _absolute(value: Ball) -> Ball:
    return abs(value) if isinstance(value, arb) else max(value, -value)


def _largest(a: Ball, b: Ball) -> Ball:
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return max(a, b)
    return _ball(a).max(_ball(b))


def _smallest(a: Ball, b: Ball) -> Ball:
    if isinstance(a, fmpq) and isinstance(b, fmpq):
        return min(a, b)
    return _ball(a).min(_ball(b))


_UNARY_BALL: dict[str, Callable[[Ball], Ball]] = {
    "log": _log,
    "exp": lambda a: fmpq(1) if a == 0 else _finite(_ball(a).exp()),
    "sin": lambda a: fmpq(0) if a == 0 else _ball(a).sin(),
    "cos": lambda a: fmpq(1) if a == 0 else _ball(a).cos(),
    "abs": _absolute,
    "floor": _floor,
}
_BINARY_BALL: dict[str, Callable[[Ball, Ball], Ball]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "max": _largest,
    "min": _smallest,
}


class precision:
    """Context manager: ball arithmetic with this many bits inside the block."""

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __enter__(self) -> None:
        self._before = flint.ctx.prec
        flint.ctx.prec = self._bits

    def __exit__(self, *_: object) -> None:
        flint.ctx.prec = self._before


# --- batched float evaluation --------------------------------------------------------------------

_UNARY_FLOAT = {"log": np.log, "exp": np.exp, "sin": np.sin, "cos": np.cos, "abs": np.abs, "floor": np.floor}
_BINARY_FLOAT = {"+": np.add, "*": np.multiply, "max": np.maximum, "min": np.minimum}


def evaluate_float(tree: Tree, columns: Mapping[str, Array]) -> Array:
    """The values at a batch of points in float64.

    Args:
        tree: The expression.
        columns: By parameter name, an array of shape (n,), or (n, k) for vectors padded to length k.

    Returns:
        Shape (n,), or () for a constant; NaN or infinite where the expression has no finite value.
    """
    with np.errstate(all="ignore"):
        return np.asarray(_float(tree, columns), dtype=np.float64)


def _float(tree: Tree, columns: Mapping[str, Array]) -> Any:
    head = tree[0]
    if head == "q":
        return _nearest(tree[1], tree[2])
    if head == "v":
        return columns[tree[1]]
    if head == "pi":
        return np.pi
    if head == "item":
        vector = columns[tree[1]]
        index = np.broadcast_to(np.asarray(_float(tree[2], columns), dtype=np.int64), vector.shape[:1])
        framed = np.pad(vector, ((0, 0), (1, 1)), constant_values=np.nan)
        return np.take_along_axis(framed, np.clip(index, 0, vector.shape[1] + 1)[:, None], axis=1)[:, 0]
    if head == "sum":
        return _float_sum(tree, columns)
    values = [_float(part, columns) for part in tree[1:]]
    if head == "^":
        return np.power(np.asarray(values[0], dtype=np.float64), values[1])
    if head in _UNARY:
        return _UNARY_FLOAT[head](values[0])
    return functools.reduce(_BINARY_FLOAT[head], values)


def _nearest(numerator: int, denominator: int) -> float:
    """The float nearest to a rational; infinite where it is larger than every float."""
    try:
        return numerator / denominator
    except OverflowError:
        return math.inf if numerator > 0 else -math.inf


def _float_sum(tree: Tree, columns: Mapping[str, Array]) -> Any:
    low, high = (np.asarray(_float(part, columns)) for part in tree[2:4])
    if high.size == 0:
        return high
    total: Any = 0.0
    for i in range(int(low.min()), int(high.max()) + 1):
        term = _float(tree[4], {**columns, tree[1]: np.asarray(float(i))})
        total = total + np.where((low <= i) & (i <= high), term, 0.0)
    return total


# --- plain text ----------------------------------------------------------------------------------

_BINDS = {"+": 1, "*": 2, "^": 3}


def to_text(tree: Tree) -> str:
    """A tree as a person would type it.

    Returns:
        Plain text; it is never parsed again.
    """
    head = tree[0]
    if head == "q":
        return str(tree[1]) if tree[2] == 1 else f"{tree[1]}/{tree[2]}"
    if head == "v":
        return str(tree[1])
    if head == "pi":
        return "pi"
    if head == "item":
        return f"{tree[1]}[{to_text(tree[2])}]"
    if head == "sum":
        low, high, body = (to_text(part) for part in tree[2:])
        return f"sum({body}, {tree[1]}={low}..{high})"
    parts = [_bracketed(part, head) for part in tree[1:]]
    if head == "+":
        return " + ".join(parts).replace("+ -", "- ")
    if head == "*":
        return "-" + "*".join(parts[1:]) if parts[0] == "(-1)" and len(parts) > 1 else "*".join(parts)
    if head == "^":
        return f"sqrt({to_text(tree[1])})" if tree[2] == ("q", 1, 2) else f"{parts[0]}^{parts[1]}"
    return f"{head}({', '.join(to_text(part) for part in tree[1:])})"


def _bracketed(tree: Tree, parent: str) -> str:
    text = to_text(tree)
    weak = _BINDS.get(tree[0], 4) <= _BINDS.get(parent, 0) and tree[0] != parent
    awkward = tree[0] == "q" and parent != "+" and (tree[1] < 0 or (tree[2] != 1 and parent == "^"))
    return f"({text})" if parent in _BINDS and (weak or awkward or (parent == "^" and tree[0] == "^")) else text
