"""What binds the parameters of a domain: relations, alternatives among them, and a relation for all values of an index.

As data, a domain's ``where`` lists entries of three kinds:

=========================================  =================================================================
``[sign, left, right]``                    an inequality; an equation is two of them
``["or", [entry, …], [entry, …], …]``      at least one of these lists of inequalities holds
``["all", low, high, [sign, left, right]]``  the inequality at each index ``("b", 0)`` from low up to high
=========================================  =================================================================
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy as sp
from flint import fmpq

from boundaudit import InputError
from boundaudit.checks.language.arithmetic import Undefined
from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.compare import all_of, compare
from boundaudit.checks.language.expression import Tree, bound, entry, names, rational
from boundaudit.checks.language.translate import require_own_names, to_tree

ORDERS = {sp.Le: ("<=",), sp.Ge: (">=",), sp.Lt: ("<",), sp.Gt: (">",), sp.Eq: ("<=", ">=")}
"""The inequalities that a relation of SymPy's is: two where it is an equation."""
ALLOWED = {"<=": {-1, 0}, ">=": {0, 1}, "<": {-1}, ">": {1}}
"""The signs of left minus right that an inequality allows."""
_MOST_WAYS = 16
_LONGEST = 10_000
"""Values of an index that are looked at one by one: of more nothing is known."""
_KNOWN = "inequalities, Eq, Ne, Or, And or ForAll"

Entry = Sequence[Any]


class ForAll(sp.logic.boolalg.Boolean):  # type: ignore[misc]
    """A relation for all values of an index, for `Domain(where=…)`; nothing where the upper end lies below the lower.

    Example:
        >>> from boundaudit import Domain, ForAll, Integers, Reals, Vector
        >>> T, t = sp.symbols("T t", integer=True, positive=True)
        >>> v = sp.IndexedBase("v", real=True)
        >>> grows = ForAll(v[t + 1] <= 2 * v[t], (t, 1, T - 1))
        >>> Domain({T: Integers(1), v: Vector(T, Reals(0))}, where=[grows]).contains({"T": 2, "v": (1, 3)})
        False

    Args:
        relation: An inequality or an equation of SymPy's.
        limits: The index, an integer, with the first and the last of its values.
    """

    def __new__(cls, relation: Any, limits: Any) -> ForAll:
        """Check that it is a relation over one index."""
        if type(relation) not in ORDERS:
            remedy = "write such as ForAll(v[i] <= m, (i, 1, n)), one for each relation"
            raise InputError("ForAll", "one inequality or Eq", relation, remedy)
        if len(limits) != 3 or not isinstance(limits[0], sp.Symbol):
            raise InputError("ForAll", "an index with two ends, such as (i, 1, n)", limits, "write these")
        found: ForAll = super().__new__(cls, relation, sp.Tuple(*limits))
        return found

    @property
    def relation(self) -> Any:
        """What holds at each value of the index."""
        return self.args[0]

    @property
    def limits(self) -> tuple[Any, ...]:
        """The index with its ends, as a sum has them."""
        return (self.args[1],)

    @property
    def free_symbols(self) -> set[Any]:
        """What it speaks of beside its index."""
        index, *ends = self.args[1]
        return set().union(*(end.free_symbols for end in ends), self.relation.free_symbols - {index})


def ways(relation: Any) -> list[list[Any]]:
    """Lists of inequalities and equations, one of which has to hold where a condition, also with and, or, not, does.

    Raises:
        InputError: where it is something else, or leaves too much open.
    """
    if type(relation) in ORDERS:
        return [[relation]]
    found: list[list[Any]] = []
    if isinstance(relation, sp.Ne):
        found = [[sign(relation.lhs, relation.rhs, evaluate=False)] for sign in (sp.Lt, sp.Gt)]
    elif isinstance(relation, sp.Or):
        found = list(itertools.chain.from_iterable(map(ways, sp.ordered(relation.args))))
    elif isinstance(relation, sp.And):
        parts = itertools.product(*map(ways, sp.ordered(relation.args)))
        found = [list(itertools.chain.from_iterable(part)) for part in itertools.islice(parts, _MOST_WAYS + 1)]
    if not found:
        raise InputError("domain.where", f"SymPy {_KNOWN}", relation, "write such as x <= y, Eq(x, y) or Ne(x, y)")
    if len(found) > _MOST_WAYS:
        raise InputError("domain.where", f"at most {_MOST_WAYS} alternatives", relation, "state claims for parts of it")
    return found


def entries(relation: Any) -> list[list[Any]]:
    """A condition as data: entries, all of which hold where it does.

    Raises:
        InputError: where it is no condition.
    """
    if isinstance(relation, ForAll):
        require_own_names(relation.limits, relation.relation.lhs, relation.relation.rhs)
        index, low, high = relation.limits[0]
        left, right = (bound(to_tree(side), index.name) for side in (relation.relation.lhs, relation.relation.rhs))
        ends = to_tree(low), to_tree(high)
        return [["all", *ends, [sign, left, right]] for sign in ORDERS[type(relation.relation)]]
    if isinstance(relation, sp.And):
        return [entry for part in sp.ordered(relation.args) for entry in entries(part)]
    told = [[each for one in way for each in _inequalities(one)] for way in ways(relation)]
    return told[0] if len(told) == 1 else [["or", *told]]


def _inequalities(relation: Any) -> Iterator[list[Any]]:
    yield from ([sign, to_tree(relation.lhs), to_tree(relation.rhs)] for sign in ORDERS[type(relation)])


def trees(found: Entry) -> Iterator[Tree]:
    """The expressions of an entry; those of a relation for all values of an index speak of it as ``("b", 0)``."""
    if found[0] == "or":
        yield from (tree for way in found[1:] for each in way for tree in each[1:])
    elif found[0] == "all":
        yield from (*found[1:3], *found[3][1:])
    else:
        yield from found[1:]


def spoken_of(found: Entry) -> set[str]:
    """The parameters of an entry."""
    return set().union(*map(names, trees(found)))


def holds(found: Entry, point: Mapping[str, Any]) -> bool | None:
    """Whether an entry holds at an exact point; None where it cannot be decided, or where a side has no value."""
    if found[0] == "or":
        answers = [all_of(holds(each, point) for each in way) for way in found[1:]]
        return True if True in answers else None if None in answers else False
    try:
        if found[0] == "all":
            return all_of(holds(each, point) for each in instances(found, point))
        sign = compare(found[1], found[2], point)
    except Undefined:
        return None
    return None if sign is None else sign in ALLOWED[found[0]]


def instances(found: Entry, point: Mapping[str, Any]) -> Iterator[Entry]:
    """The inequalities, one for each value of its index, that a relation for all of them is at a point.

    Raises:
        Undefined: where an end is no integer there, or where there are too many.
    """
    low, high = span(found, point)
    if high - low >= _LONGEST:
        raise Undefined(f"a relation for {high - low + 1} values of an index")
    sign, left, right = found[3]
    yield from ([sign, entry(left, rational(i)), entry(right, rational(i))] for i in range(low, high + 1))


def span(found: Entry, point: Mapping[str, Any]) -> tuple[int, int]:
    """The first and the last index of a relation for all values of one; the last is the smaller where there is none.

    Raises:
        Undefined: where an end is no integer.
    """
    low, high = (evaluate(end, point) for end in found[1:3])
    if not (isinstance(low, fmpq) and isinstance(high, fmpq) and low.q == high.q == 1):
        raise Undefined("an end that is no integer")
    return int(low.p), int(high.p)
