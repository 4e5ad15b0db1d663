"""The largest and the smallest of expressions over an index: taken at an index where each is attained."""

from __future__ import annotations

from typing import Any, ClassVar

import sympy as sp
from sympy.concrete.expr_with_limits import ExprWithLimits

from boundaudit import InputError
from boundaudit.checks.language.domain import Integers
from boundaudit.checks.language.relations import ForAll


class Extreme(ExprWithLimits):  # type: ignore[misc]
    """An extreme over an index."""

    is_extended_real = True
    told: ClassVar[str]
    """How it is called."""

    def __new__(cls, function: Any, limits: Any) -> Any:
        """Check that there is one index with two ends."""
        if not isinstance(limits, (tuple, sp.Tuple)) or len(limits) != 3 or not isinstance(limits[0], sp.Symbol):
            raise InputError(cls.__name__, "an index with two ends, such as (i, 1, n)", limits, "write these")
        return super().__new__(cls, function, limits)

    def _latex(self, printer: Any) -> str:
        index, low, high = map(printer._print, self.limits[0])
        return rf"\{self.told}_{{{low} \le {index} \le {high}}} {printer._print(self.function)}"

    def taken(self, name: str) -> tuple[Any, Integers, Any, ForAll]:
        """What stands for it: its expression at an index of some name where it is attained.

        The index, its range, the expression there, and that no other is beyond it.
        """
        index, low, high = self.limits[0]
        at = sp.Symbol(name, integer=True)
        there = self.function.xreplace({index: at})
        pair = (self.function, there) if isinstance(self, Maximum) else (there, self.function)
        return at, Integers(low, high), there, ForAll(sp.Le(*pair, evaluate=False), (index, low, high))


class Maximum(Extreme):
    """The largest of an expression over an index; where there is none, a claim says nothing.

    Example:
        >>> i, n = sp.symbols("i n", integer=True, positive=True)
        >>> v = sp.IndexedBase("v", real=True)
        >>> Maximum(v[i], (i, 1, n))
        Maximum(v[i], (i, 1, n))

    Args:
        function: An expression in the index.
        limits: The index, an integer, with the first and the last of its values.
    """

    told = "max"


class Minimum(Extreme):
    """The smallest of an expression over an index, as `Maximum`."""

    told = "min"
