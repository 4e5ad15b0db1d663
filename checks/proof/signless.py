"""Two sizes are equal where what they are the sizes of is: an equation without them, up to its sign.

|π - h[T]| = |1 - a - b|^(T - 1) |π - h[1]| from π - h[T] = (1 - a - b)^(T - 1) (π - h[1]), which an induction proves.
"""

from __future__ import annotations

import itertools
from typing import Any

from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.expression import Tree, children, multiply, rational, rebuild
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import LEAST_DEPTH, Attempt, Context, Lemma, psatz
from boundaudit.checks.proof.general import by_instance, declared_as
from boundaudit.checks.proof.kernel.domains import signs, with_lemmas

NAME = "signless"
_X, _Y = ("v", "x"), ("v", "y")
_EQUAL = {"parameters": [declared_as(name, Range()) for name in "xy"], "where": [[sign, _X, _Y] for sign in signs("=")]}
_SIZES = Statement(("abs", _X), "=", ("abs", _Y), _EQUAL)


def signless(statement: Statement, context: Context) -> Attempt:
    """Prove an equation of sizes by an equation of what they are the sizes of, one of them or the other turned."""
    left, ways = _without_sizes(statement.left)[0], _without_sizes(statement.right)
    speaks = left != statement.left and statement.right not in ways
    if statement.relation != "=" or not speaks or context.budget.depth < LEAST_DEPTH:
        return Attempt("unknown", NAME)
    domain = statement.domain
    for right in ways:
        equation = Statement(left, "=", right, domain)
        if (proof := context.prove(equation).certificate) is not None:
            sizes = Statement(("abs", left), "=", ("abs", right), with_lemmas(statement, [equation]).domain)
            found = by_instance(
                sizes, _SIZES, context.prove(_SIZES).certificate or {}, {"x": left, "y": right}, context
            )
            sides: dict[str, Any] = {
                sign: psatz(["n"], [["where", len(domain["where"]) + k]]) for k, sign in enumerate(signs("="), 2)
            }
            lemmas = [Lemma(equation, proof), Lemma(sizes, found or {})]
            return Attempt("proved", NAME, {"kind": "both", **sides, "lemmas": [each.to_json() for each in lemmas]})
    return Attempt("unknown", NAME)


def _without_sizes(tree: Tree) -> list[Tree]:
    """A product of sizes and their powers, or a size, without them, what is inside turned or not."""
    match tree:
        case ("abs", inside):
            return [inside, multiply(rational(-1), inside)]
        case ("*" | "^", *_):
            return [rebuild(tree, parts) for parts in itertools.product(*map(_without_sizes, children(tree)))]
    return [tree]
