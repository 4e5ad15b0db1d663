"""Expression trees as Coq terms over R, in the functions of ``prelude.v``."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.expression import Tree

_RESERVED = frozenset(
    {
        "as",
        "at",
        "cofix",
        "else",
        "end",
        "exists",
        "exists2",
        "fix",
        "for",
        "forall",
        "fun",
        "if",
        "in",
        "let",
        "match",
        "mod",
        "return",
        "then",
        "using",
        "where",
        "with",
        "Prop",
        "Set",
        "Type",
        "R",
        "Z",
        "nat",
        "INR",
        "IZR",
        "PI",
        "exp",
        "ln",
        "sin",
        "cos",
        "Rabs",
        "Rmax",
        "Rmin",
        "floor",
        "root",
        "power",
        "total",
        "integer",
        "alternating",
        "named",
        "terms",
        "Lemma",
        "Theorem",
        "Definition",
        "Axiom",
        "Parameter",
        "Proof",
        "Qed",
        "is_derive",
    }
)
_BOUND = re.compile(r"i_\d+")
"""What indices are called."""
_FUNCTIONS = {"log": "ln", "exp": "exp", "sin": "sin", "cos": "cos", "abs": "Rabs", "floor": "floor"}
_MIDDLE = {"max": "Rmax", "min": "Rmin"}
_DECIDED = {"if<": "Rlt_dec", "if<=": "Rle_dec", "if=": "Req_EM_T"}


class NotExported(Exception):
    """A certificate that has no Coq proof yet; the message says why, in one line."""


def identifier(name: str) -> str:
    """A Coq identifier for a name: itself, where it is one that nothing else here uses."""
    word = re.sub(r"[^A-Za-z0-9_]+", "_", name)
    if not word[0].isalpha():
        word = f"v{word}"
    return f"{word}_" if word in _RESERVED or _BOUND.fullmatch(word) else word


def number(value: Fraction | int) -> str:
    """A rational as a Coq term."""
    exact = Fraction(value)
    top = str(exact.numerator) if exact.numerator >= 0 else f"({exact.numerator})"
    return top if exact.denominator == 1 else f"({top} / {exact.denominator})"


def fraction(value: Any) -> Fraction:
    """A rational of FLINT's as one of Python's."""
    return Fraction(int(value.p), int(value.q))


def less(strict: bool) -> str:
    """The sign of an inequality."""
    return "<" if strict else "<="


def powered(term: str, exponent: int) -> str:
    """A power as a factor of a product, or what one divides by."""
    return f"({term} ^ {exponent})" if exponent > 0 else f"(/ {term} ^ {-exponent})"


def text(tree: Tree, indices: Sequence[str] = ()) -> str:
    """An expression tree as a Coq term, in parentheses unless it is one word.

    ``indices`` are what those of the sums around it are called, the innermost first.

    Raises:
        NotExported: where the prelude has no such function.
    """
    head = tree[0]
    if head == "q":
        return number(Fraction(tree[1], tree[2]))
    if head == "v":
        return identifier(tree[1])
    if head == "b":
        return indices[tree[1]]
    if head == "pi":
        return "PI"
    if head == "item":
        return f"({' '.join([identifier(tree[1]), *(text(index, indices) for index in tree[2:])])})"
    if head == "product":
        raise NotExported("products")
    if head == "sum":
        return _sum(tree, indices)
    return compose(tree, [text(part, indices) for part in tree[1:]])


def _sum(tree: Tree, indices: Sequence[str]) -> str:
    low, high = (text(end, indices) for end in tree[1:3])
    name = f"i_{len(indices)}"
    return f"(total {low} {high} (fun {name} : R => {text(tree[3], (name, *indices))}))"


def compose(tree: Tree, parts: Sequence[str]) -> str:
    """The Coq term of a node that is no leaf and no sum, from its parts'; that of a literal exponent is not read.

    Raises:
        NotExported: where the prelude has no such function.
    """
    head = tree[0]
    if head in "+*":
        return f"({f' {head} '.join(parts)})" if len(parts) > 1 else parts[0]
    if head == "^":
        return f"(power {parts[0]} {parts[1]})" if tree[2][0] != "q" else raised(parts[0], Fraction(*tree[2][1:]))
    if head in _FUNCTIONS:
        return f"({_FUNCTIONS[head]} {parts[0]})"
    if head in _MIDDLE:
        return functools.reduce(lambda a, b: f"({_MIDDLE[head]} {a} {b})", parts)
    if head in _DECIDED:
        return f"(if {_DECIDED[head]} {parts[0]} 0 then {parts[1]} else {parts[2]})"
    raise NotExported(f"the function {head} is not in the prelude")


def raised(base: str, exponent: Fraction) -> str:
    """A power with a literal exponent."""
    root = base if exponent.denominator == 1 else f"(root {exponent.denominator} {base})"
    whole = abs(exponent.numerator)
    found = root if whole == 1 else "1" if whole == 0 else f"({root} ^ {whole})"
    return found if exponent >= 0 else f"(/ {found})"
