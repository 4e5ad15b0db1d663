"""From SymPy to expression trees: the only door through which formulas enter the engine."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.matrices.expressions.matexpr import MatrixElement

from boundaudit import MOST_DIGITS, InputError
from boundaudit.checks.language.expression import ONE, ZERO, Tree, add, is_name, multiply, rational, subtract, summation
from boundaudit.checks.language.unbound import unbound

_FUNCTIONS = {
    sp.log: "log",
    sp.exp: "exp",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.Abs: "abs",
    sp.floor: "floor",
    sp.gamma: "gamma",
    sp.erf: "erf",
    sp.binomial: "binomial",
}
_MOST_INDICES = 2
"""Of an entry, which is then that of a matrix."""
_MOST_BITS = int(MOST_DIGITS * math.log2(10))
_MINUS = rational(-1)
_NO_VALUE = ("^", ZERO, _MINUS)
"""What stands where cases leave a gap: where a series has no value, SymPy's cases for it do."""


def _negative(tree: Tree) -> Tree:
    return multiply(_MINUS, tree)


def _quotient(above: Tree, below: Tree) -> Tree:
    inverse = ("^", below, _MINUS)
    return inverse if above == ONE else multiply(above, inverse)


_REWRITTEN: dict[Any, Callable[[Tree], Tree]] = {
    sp.ceiling: lambda a: _negative(("floor", _negative(a))),
    sp.tan: lambda a: _quotient(("sin", a), ("cos", a)),
    sp.sinh: lambda a: _quotient(subtract(("exp", a), ("exp", _negative(a))), rational(2)),
    sp.cosh: lambda a: _quotient(add(("exp", a), ("exp", _negative(a))), rational(2)),
    # 1 - 2/(exp(2a) + 1), which does not overflow in floats
    sp.tanh: lambda a: subtract(ONE, _quotient(rational(2), add(("exp", multiply(rational(2), a)), ONE))),
    sp.asinh: lambda a: ("log", add(a, ("^", add(("^", a, rational(2)), ONE), rational(Fraction(1, 2))))),
    sp.acosh: lambda a: ("log", add(a, ("^", subtract(("^", a, rational(2)), ONE), rational(Fraction(1, 2))))),
    sp.atanh: lambda a: _quotient(("log", _quotient(add(ONE, a), subtract(ONE, a))), rational(2)),
    sp.sign: lambda a: ("if<", a, _MINUS, ("if=", a, ZERO, ONE)),
    sp.erfc: lambda a: subtract(ONE, ("erf", a)),
    sp.factorial: lambda a: ("gamma", add(a, ONE)),
    # the logarithm of a is there because the function is complex where a is negative
    sp.loggamma: lambda a: add(("log", ("gamma", a)), multiply(ZERO, ("log", a))),
}
_LATTICE = {sp.Max: "max", sp.Min: "min"}
_FOLDED = (sp.Sum, sp.Product)


class Branches(sp.Function):  # type: ignore[misc]
    """What a Piecewise is: out of a sum inside of a sum SymPy would take one, with the index that it speaks of.

    Example:
        >>> x = sp.Symbol("x", real=True)
        >>> to_tree(Branches((x, x > 0), (0, True))) == to_tree(sp.Piecewise((x, x > 0), (0, True)))
        True
    """

    is_extended_real = True


class Quotient(sp.Function):  # type: ignore[misc]
    """A quotient that SymPy does not cancel: it has no value where what it divides by is zero.

    Example:
        >>> x = sp.Symbol("x", real=True)
        >>> Quotient(x, x), to_tree(Quotient(x, x)) == to_tree(sp.S.One)
        (Quotient(x, x), False)
    """

    nargs = 2
    is_extended_real = True


def uncancelled(side: Any) -> Any:
    """A side with quotients that SymPy does not cancel when it learns what it is that they divide by.

    Example:
        >>> x, y = sp.symbols("x y", real=True)
        >>> uncancelled(y / x).xreplace({y: x})
        x*Quotient(1, x)
    """
    if not isinstance(side, sp.Basic):
        return side
    return side.replace(
        lambda part: part.is_Pow and part.exp.could_extract_minus_sign() and not part.base.is_nonzero,
        lambda part: Quotient(sp.S.One, part.base**-part.exp),
    )


def to_tree(expression: Any) -> Tree:
    """Translate a SymPy expression, or a number; a Python float stands for the decimal that is typed for it.

    Raises:
        InputError: where a number is not finite, SymPy has computed with a float, or a function is not on the
            engine's whitelist.
    """
    if isinstance(expression, (int, float, Fraction)) and not isinstance(expression, bool):
        if isinstance(expression, float) and not math.isfinite(expression):
            raise InputError("expression", "finite numbers", expression, "leave a limit out where there is none")
        exact = Fraction(repr(float(expression)) if isinstance(expression, float) else expression)
        return _exact(exact.numerator, exact.denominator)
    return _translated(expression) if isinstance(expression, sp.Basic) else _compound(expression)


@functools.lru_cache(maxsize=2**16, typed=True)
def _translated(expression: sp.Basic) -> Tree:
    """Translate a SymPy expression, each distinct part once: long definitions repeat theirs."""
    if isinstance(expression, sp.Rational):
        return _exact(int(expression.p), int(expression.q))
    if isinstance(expression, sp.Float) and expression.is_finite:
        # SymPy rounds as soon as it computes with one: exp(0.5) is another number by the time it comes here.
        exact = Fraction(str(float(expression)))
        remedy = f"write Rational({exact.numerator}, {exact.denominator}), if that is what is meant"
        raise InputError("expression", "exact numbers", f"the float {float(expression)}", remedy)
    if expression is sp.pi:
        return ("pi",)
    if expression is sp.E:
        return ("exp", ONE)
    if isinstance(expression, sp.Indexed) and len(expression.indices) <= _MOST_INDICES:
        return ("item", _named(str(expression.base)), *map(to_tree, expression.indices))
    if isinstance(expression, sp.Symbol):
        return ("v", _named(expression.name))
    if isinstance(expression, (sp.Piecewise, Branches)):
        return _piecewise(expression.args)
    if isinstance(expression, Quotient):
        return _quotient(*map(to_tree, expression.args))
    if isinstance(expression, sp.Limit) or (isinstance(expression, _FOLDED) and _is_series(expression)):
        return _evaluated(expression)
    if isinstance(expression, _FOLDED):
        return _folded(expression)
    return _compound(expression)


def _exact(numerator: int, denominator: int) -> Tree:
    bits = max(numerator.bit_length(), denominator.bit_length())
    if bits > _MOST_BITS:
        remedy = "write it as an unevaluated power, or divide both sides by it"
        raise InputError("expression", f"numbers of at most {MOST_DIGITS:,} digits", f"one of {bits:,} bits", remedy)
    return ("q", numerator, denominator)


def _is_series(expression: sp.Sum | sp.Product) -> bool:
    return any(not end.is_finite and end.is_infinite for _, *ends in expression.limits for end in ends)


def _evaluated(expression: sp.Basic) -> Tree:
    """A series or a limit, by the value that SymPy finds for it, if that is its value at all parameters."""
    _require_uniform(expression, unbound(expression))
    if isinstance(expression, sp.Sum):
        factor, rest = expression.function.as_independent(*(index for index, *_ in expression.limits), as_Add=False)
        if not factor.is_number:  # the terms are all zero where it is, whatever they would add up to
            series = multiply(to_tree(factor), to_tree(sp.Sum(rest, *expression.limits)))
            return ("if=", to_tree(factor), ZERO, series)
    try:
        value = expression.doit()
        sided = isinstance(expression, sp.Limit) and expression.func(*expression.args[:3], "-").doit() != value
    except (NotImplementedError, ValueError):
        value, sided = expression, False
    if sided:  # SymPy comes from above, unless it is told otherwise
        raise InputError("expression", "a limit that is one from either side", expression, "write its value")
    if value == expression:
        raise InputError(
            "expression",
            "a series, an infinite product or a limit whose value SymPy knows",
            expression,
            "write its value",
        )
    if isinstance(value, sp.Piecewise):
        return _piecewise([case for case in value.args if case[0] != expression])
    return to_tree(value)


def _require_uniform(expression: sp.Basic, parameters: set[Any]) -> None:
    """SymPy gives a limit for parameters in general, and sums terms that have no value at some as if they had one."""
    if isinstance(expression, sp.Limit):
        if parameters or expression.has(sp.Piecewise):  # of which SymPy takes the case at the point, from either side
            remedy = "write its value, which SymPy finds for parameters in general alone, and not of cases"
            raise InputError("expression", "a limit without parameters and cases", expression, remedy)
        return
    if any(low is sp.oo or high is -sp.oo for _, low, high in expression.limits):
        raise InputError("expression", "a series that begins before it ends", expression, "write its value")
    indices = {
        index: sp.Dummy(integer=True, nonnegative=low.is_nonnegative or None, positive=low.is_positive or None)
        for index, low, _ in expression.limits
    }
    terms = expression.function.xreplace(indices)
    for part in terms.atoms(sp.Pow, sp.log, sp.gamma, sp.loggamma, sp.factorial):
        of = part.args[0]
        if isinstance(part, sp.Pow):
            known = part.exp.is_nonnegative or of.is_nonzero
        else:
            known = of.is_positive or (of.is_nonnegative and isinstance(part, sp.factorial))
        if unbound(of) & parameters and not known:
            remedy = "write its value, or declare symbols with assumptions that show it"
            shown = part.xreplace({dummy: index for index, dummy in indices.items()})
            raise InputError("expression", "a series whose terms have a value at all parameters", shown, remedy)


def _piecewise(cases: Sequence[Any]) -> Tree:
    """Branches one in the other."""
    if not cases:
        return _NO_VALUE
    (value, condition), *rest = cases
    return _branch(condition, to_tree(value), _piecewise(rest))


def _branch(condition: Any, then: Tree, other: Tree) -> Tree:
    """The one tree where a condition of SymPy's holds, the other elsewhere."""
    if condition in (True, False):
        return then if condition else other
    if isinstance(condition, sp.Not):
        return _branch(condition.args[0], other, then)
    if isinstance(condition, sp.And):
        return functools.reduce(lambda inner, part: _branch(part, inner, other), condition.args, then)
    if isinstance(condition, sp.Or):
        return functools.reduce(lambda outer, part: _branch(part, then, outer), condition.args, other)
    if type(condition) not in _RELATIONS:
        raise InputError("expression", "conditions with <, <=, =, and, or, not", condition, "rewrite the condition")
    head, turned, swapped = _RELATIONS[type(condition)]
    difference = subtract(to_tree(condition.lhs), to_tree(condition.rhs))
    parts = (other, then) if swapped else (then, other)
    return (head, _negative(difference) if turned else difference, *parts)


_RELATIONS = {
    sp.StrictLessThan: ("if<", False, False),
    sp.LessThan: ("if<=", False, False),
    sp.StrictGreaterThan: ("if<", True, False),
    sp.GreaterThan: ("if<=", True, False),
    sp.Equality: ("if=", False, False),
    sp.Unequality: ("if=", False, True),
}


def _named(name: str) -> str:
    if not is_name(name):
        raise InputError("expression", "names that do not start with #", name or "an empty one", "rename the symbol")
    return name


def _folded(expression: sp.Sum | sp.Product) -> Tree:
    """Nested sums or products for one over several indices; SymPy lists the innermost first."""
    tree, head = to_tree(expression.function), "sum" if isinstance(expression, sp.Sum) else "product"
    require_own_names(expression.limits, expression.function)
    for index, low, high in expression.limits:
        tree = summation(index.name, to_tree(low), to_tree(high), tree, head)
    return tree


_ANGLES = (sp.acos, "cos", "0 to pi"), (sp.asin, "sin", "-pi/2 to pi/2"), (sp.atan, "tan", "-pi/2 to pi/2")


def require_own_names(limits: Collection[Any], *bodies: Any) -> None:
    """Require that what is bound is told from all else by its name: a tree knows no more of it.

    Raises:
        InputError: where an index has the name of another symbol.
    """
    known = {index for index, *_ in limits}
    spoken_of = known.union(*map(unbound, bodies), *(unbound(end) for _, *ends in limits for end in ends))
    numbers = [each.name for each in spoken_of if isinstance(each, sp.Symbol)]
    for index in known:
        if numbers.count(index.name) > 1:
            raise InputError("expression", "an index with a name of its own", index.name, "rename the index")


_INSTEAD: tuple[tuple[Any, str, str, str], ...] = (
    (sp.Integral, "closed forms, sums and products", "an Integral", "write its value, or measure it by a Quantity"),
    (sp.Derivative, "closed forms", "a Derivative", "write it out: expression.diff(x)"),
    *(
        (kind, "no angles of numbers", f"an {kind.__name__}", f"name the angle: theta from {span}, and {of}(theta)")
        for kind, of, span in _ANGLES
    ),
    (
        (bool, sp.logic.boolalg.Boolean), "one side", "a relation, or its truth",
        "give the two sides as left and right and the sign as relation='<=', or relation=sp.Le(a, b) alone",
    ),
)  # fmt: skip
"""What is none of the engine's expressions: what it wants, what this is called, and what to write instead."""


def _compound(expression: Any) -> Tree:
    for kind, expected, called, remedy in _INSTEAD:
        if isinstance(expression, kind):
            raise InputError("expression", expected, f"{called}: {expression}", remedy)
    if isinstance(expression, (sp.MatrixExpr, sp.MatrixBase, MatrixElement, sp.Indexed)):
        remedy = "measured sides only: matrices are read by a Quantity"
        raise InputError("expression", "numbers and entries of vectors", expression, remedy)
    arguments = [to_tree(part) for part in getattr(expression, "args", ())]
    if isinstance(expression, sp.Add):
        return add(*arguments)
    if isinstance(expression, sp.Mul):
        return multiply(*arguments)
    if isinstance(expression, sp.Pow):
        return ("^", arguments[0], arguments[1])
    if type(expression) in _REWRITTEN:
        return _REWRITTEN[type(expression)](arguments[0])
    head = _FUNCTIONS.get(type(expression)) or _LATTICE.get(type(expression))
    if head is None or not arguments:
        names = [found.__name__ for found in (*_FUNCTIONS, *_REWRITTEN, *_LATTICE)]
        known = ", ".join(sorted([*names, "sqrt", "Sum", "Product", "Piecewise"], key=str.lower))
        raise InputError("expression", f"arithmetic with {known}", expression, "see reports/WRITING-CLAIMS.md")
    return (head, *arguments)
