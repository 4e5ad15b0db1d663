r"""Sums, products, maxima and minima over an index; norms and inner products, which are sums too.

A sum runs to the end of its term. A product or an extreme ends with the last factor that speaks of its index: ∏ s_i C
is (∏ s_i) C, which is told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from boundaudit.checks.language.abstract.extremes import Maximum, Minimum
from boundaudit.checks.language.printing import text_of
from boundaudit.checks.language.reading.parts import INDICES, plain_name, real

if TYPE_CHECKING:
    from boundaudit.checks.language.reading.grammar import Grammar
    from boundaudit.checks.language.reading.tokens import Token

_TOLD = {"Product": "product", "Maximum": "maximum", "Minimum": "minimum"}


def total(grammar: Grammar, function: str, token: Token) -> Any:
    r"""``\sum_{t=1}^{T} …``: up to the next plus, minus or relation, as far as it speaks of t where it is no sum."""
    limits: dict[str, Any] = {}
    while mark := grammar.take("_", "^"):
        limits[mark.kind] = _range(grammar, token.text) if mark.kind == "_" else _upper(grammar)
    indices, low, high = limits.get("_") or grammar.fail("a range", f"write such as \\{token.text}_{{t=1}}^{{T}}")
    high = limits.get("^") if high is None else high
    if high is None:
        grammar.fail("an upper end", f"write such as \\{token.text}_{{t=1}}^{{T}}")
    at = grammar.next.at
    factors = grammar.factors()
    last = len(factors) if function == "Sum" else _speaking(grammar, factors, indices, at)
    if outside := factors[last:]:
        grammar.mark_open()
        told = f"the {_TOLD[function]} over {', '.join(indices)}, of which it does not speak"
        grammar.notes.append(f"{text_of(sp.Mul(*outside))} stands outside of {told}")
    return sp.Mul(over(grammar, function, sp.Mul(*factors[:last]), indices, low, high), *outside)


def _speaking(grammar: Grammar, factors: Sequence[Any], indices: Sequence[str], at: int) -> int:
    """How many factors there are up to the last that speaks of an index."""
    found = [place for place, factor in enumerate(factors, 1) if {*map(real, indices)} & factor.free_symbols]
    if not found and len(factors) > 1:
        grammar.fail(f"a factor that speaks of {indices[-1]}", "put all of what it runs over in brackets", at)
    return max(found, default=1)


def plain(grammar: Grammar, function: str) -> Any:
    """``sum(1/t, t, 1, T)`` or ``Sum(1/t, (t, 1, T))``."""
    grammar.need("(")
    with grammar.inside("("):
        body = grammar.expression()
        grammar.need(",", "a comma and the index")
        braced = bool(grammar.take("("))
        index = grammar.name()
        grammar.need(",", "a comma and the lower end")
        low = grammar.expression()
        grammar.need(",", "a comma and the upper end")
        high = sp.oo if grammar.take("∞") else grammar.expression()
        for _ in range(1 + braced):
            grammar.need(")")
    return over(grammar, function, body, [index], low, high)


def over(grammar: Grammar, function: str, body: Any, indices: Sequence[str], low: Any, high: Any) -> Any:
    """A sum, or what else runs over indices, of an expression."""
    make: Callable[..., Any] = {"Maximum": Maximum, "Minimum": Minimum}.get(function) or getattr(sp, function)
    for index in reversed(indices):
        if index in {*map(str, low.free_symbols), *map(str, high.free_symbols)}:
            grammar.fail(f"ends that do not speak of {index}", "give the index a name of its own")
        grammar.bound.add(index)
        grammar.sums.append((index, low, high))
        body = make(body, (real(index), low, high))
    return body


def _range(grammar: Grammar, word: str) -> tuple[list[str], Any, Any]:
    r"""``t=1``, ``i,j=1``, ``i=1,\dots,n``, ``i \in [n]`` or ``1 \le i \le n``."""
    limits = "{1 \\le i \\le n}" if word in ("max", "min") else "{i=1}^{n}"
    written = f"write such as \\{word}_{limits}"
    if not grammar.take("{"):
        grammar.fail("a range in braces", written)
    first = grammar.expression()
    if grammar.take("<="):
        index = grammar.name()
        grammar.need("<=", "an upper end")
        found = [index], first, grammar.expression()
    else:
        indices = [plain_name(first) or grammar.fail("an index", "write such as {t=1}")]
        while grammar.take(","):
            indices.append(grammar.name())
        if grammar.next.kind in ("<", "!="):
            grammar.fail("a range of one index", "write the sums one by one: \\sum_{j=1}^{n} \\sum_{i=1}^{j-1}")
        if grammar.take("in"):
            found = indices, *_listed(grammar)
        elif grammar.take("="):
            low = grammar.expression()
            found = indices, low, _run(grammar) if grammar.next.kind == "," else None
        else:
            grammar.fail("where the index begins", written)
    grammar.need("}")
    return found


def _run(grammar: Grammar) -> Any:
    r"""The last of ``1, 2, \dots, n``, of which the first is read."""
    if grammar.ahead(",", "number", ",", "…"):
        grammar.need(",")
        grammar.need("number")
    grammar.need(",")
    if not grammar.take("…"):
        grammar.fail("the dots of a list", "write such as {i=1}^{n}")
    grammar.need(",")
    return grammar.expression()


def _listed(grammar: Grammar) -> tuple[Any, Any]:
    r"""``[n]`` or ``\{1, \dots, n\}``."""
    if grammar.take("["):
        high = grammar.expression()
        grammar.need("]")
        grammar.notes.append(f"[{text_of(high)}] is read as 1, …, {text_of(high)}")
        return sp.Integer(1), high
    if not grammar.take("("):
        grammar.fail("a set of indices", "write [n] or \\{1, \\dots, n\\}")
    low = grammar.expression()
    high = _run(grammar)
    grammar.need(")")
    return low, high


def _upper(grammar: Grammar) -> Any:
    """An upper end, infinity among them."""
    braced = bool(grammar.take("{"))
    found = sp.oo if grammar.take("∞") else grammar.expression() if braced else grammar.argument()
    if braced:
        grammar.need("}")
    return found


def norm(grammar: Grammar) -> Any:
    r"""``\|v\|``, ``\|v\|_1``, ``\|v\|_\infty``; an exponent may stand before the degree."""
    at = grammar.next.at
    entry, index, length = _entries(grammar, grammar.between("‖"), at)
    exponent = grammar.exponent() if grammar.take("^") else sp.Integer(1)
    degree = _upper(grammar) if grammar.take("_") else sp.Integer(2)
    if degree not in (1, 2, sp.oo):
        grammar.fail("the norm of degree 1, 2 or infinity", "write it out", at)
    if degree is sp.oo:
        return grammar.raised(Maximum(sp.Abs(entry), (index, 1, length)), exponent)
    found = sp.Sum(sp.Abs(entry) if degree == 1 else entry**2, (index, 1, length))
    return grammar.raised(found if degree == 1 else sp.sqrt(found), exponent)


def inner(grammar: Grammar) -> Any:
    r"""``\langle v, w\rangle``."""
    at = grammar.need("⟨").at
    with grammar.inside("⟨"):
        first = grammar.expression()
        grammar.need(",", "a comma and the other vector")
        second = grammar.expression()
    grammar.need("⟩")
    left, index, length = _entries(grammar, first, at)
    right = second.xreplace(
        {symbol: sp.IndexedBase(symbol.name, real=True)[index] for symbol in _vectors(grammar, second)}
    )
    return sp.Sum(left * right, (index, 1, length))


def _vectors(grammar: Grammar, of: Any) -> list[Any]:
    return [symbol for symbol in of.free_symbols if symbol.name in grammar.vectors]


def _entries(grammar: Grammar, of: Any, at: int) -> tuple[Any, Any, Any]:
    """An expression in vectors entry by entry: with its index, and the vectors' length."""
    inside = _vectors(grammar, of)
    lengths = {grammar.vectors[symbol.name] for symbol in inside}
    if len(lengths) != 1:
        grammar.fail("vectors of one length", "say it: … for v \\in \\mathbb{R}^d", at)
    index = real(next(name for name in INDICES if not grammar.has(name)))
    grammar.names.setdefault(index.name, at)
    grammar.bound.add(index.name)
    grammar.sums.append((index.name, sp.Integer(1), *lengths))
    entries = of.xreplace({symbol: sp.IndexedBase(symbol.name, real=True)[index] for symbol in inside})
    return entries, index, lengths.pop()
