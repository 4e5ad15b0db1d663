"""Lengths of vectors: what ReLU and the projection on the unit ball do to them, and how errors of layers add up."""

from collections.abc import Callable
from typing import Any

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

d_len = symbol("d_len", "entries of a vector", integer=True, positive=True)
i_len = symbol("i_len", "an entry's number", integer=True, positive=True)
a_len = vector("a_len", "a vector")
b_len = vector("b_len", "another vector")
L_len = symbol("L_len", "layers", integer=True, positive=True)
y_len = vector("y_len", "numbers, one before each layer and one after the last")
l_len = symbol("l_len", "by how much a layer enlarges an error", positive=True)
u_len = symbol("u_len", "a number", real=True)
v_len = symbol("v_len", "another number", real=True)
f_len = symbol("f_len", "what a vector is divided by", positive=True)
g_len = symbol("g_len", "what another vector is divided by", positive=True)
r_len = symbol("r_len", "what a vector is no longer than", nonnegative=True)
s_len = symbol("s_len", "what another vector is no longer than", nonnegative=True)
p_len = symbol("p_len", "length of a vector", nonnegative=True)
q_len = symbol("q_len", "length of another vector", nonnegative=True)
c_len = symbol("c_len", "inner product of both", real=True)

Entries = Callable[[Any], Any]
"""From an entry's number to an expression."""


def squared(entry: Entries, entries: Any = d_len) -> sp.Expr:
    """The squared length of a vector.

    Args:
        entry: from its number.
        entries: how many there are.

    Returns:
        Σ entry².
    """
    return sp.Sum(entry(i_len) ** 2, (i_len, 1, entries))


def length(entry: Entries, entries: Any = d_len) -> sp.Expr:
    """The length of a vector.

    Args:
        entry: from its number.
        entries: how many there are.

    Returns:
        √Σ entry².
    """
    return sp.sqrt(squared(entry, entries))


def projected(entry: Entries, entries: Any = d_len) -> Entries:
    """The projection of a vector on the unit ball.

    Args:
        entry: from its number.
        entries: how many there are.

    Returns:
        Its entries.
    """
    longest = sp.Max(length(entry, entries), 1)
    return lambda i: entry(i) / longest


def apart(one: Entries, other: Entries) -> Entries:
    """The difference of two vectors."""
    return lambda i: one(i) - other(i)


def first(i: Any) -> Any:
    """The one vector."""
    return a_len[i]


def second(i: Any) -> Any:
    """The other vector."""
    return b_len[i]


PRODUCT = sp.Sum(a_len[i_len] * b_len[i_len], (i_len, 1, d_len))
_ENDS = sp.Max(p_len, 1), sp.Max(q_len, 1)
IN_BALL = (p_len / _ENDS[0]) ** 2 + (q_len / _ENDS[1]) ** 2 - 2 * c_len / (_ENDS[0] * _ENDS[1])
"""The squared distance of two vectors that are projected on the unit ball, from their lengths and product."""
ANYWHERE = p_len**2 + q_len**2 - 2 * c_len
SCALED = squared(lambda i: a_len[i] / f_len - b_len[i] / g_len)
SCALED_OPEN = (length(first) / f_len) ** 2 + (length(second) / g_len) ** 2 - 2 * PRODUCT / (f_len * g_len)
STEPS = sp.Sum(y_len[i_len + 1] - y_len[i_len], (i_len, 1, L_len))
"""From each number to the next."""
GROWN_STEPS = sp.Sum(l_len ** (L_len - i_len) * (y_len[i_len + 1] - l_len * y_len[i_len]), (i_len, 1, L_len))
"""What each layer adds, enlarged by every later one."""
GROWN_STEPS_OPEN = sp.Sum(
    l_len ** (L_len - i_len) * y_len[i_len + 1] - l_len ** (L_len + 1 - i_len) * y_len[i_len], (i_len, 1, L_len)
)
