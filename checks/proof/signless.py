"""Two sizes are equal where what they are the sizes of is: an equation without them, up to its sign.

|π - h[T]| = |1 - a - b|^(T - 1) |π - h[1]| from π - h[T] = (1 - a - b)^(T - 1) (π - h[1]), which an induction proves.
"""

from __future__ import annotations

import itertools

from boundaudit.checks.language.algebra.ranges import Range
from boundaudit.checks.language.expression import Tree, children, rebuild
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import LEAST_DEPTH, Context, Lemma, negative, psatz
from boundaudit.checks.proof.general import by_instance, declared_as
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import signs, with_lemmas

_X, _Y = ("v", "x"), ("v", "y")
_EQUAL = {"parameters": [declared_as(name, Range()) for name in "xy"], "where": [[sign, _X, _Y] for sign in signs("=")]}
_MOST_WAYS = 16
_SIZES = Statement(("abs", _X), "=", ("abs", _Y), _EQUAL)


def signless(statement: Statement, context: Context) -> Certificate | None:
    """Prove an equation of sizes by an equation of what they are the sizes of, one of them or the other turned."""
    if statement.relation != "=" or context.budget.depth < LEAST_DEPTH:
        return None
    left, ways = _without_sizes(statement.left)[0], _without_sizes(statement.right)
    if left == statement.left or statement.right in ways or len(ways) > _MOST_WAYS:
        return None
    for right in ways:
        if (lemma := context.lemma(Statement(left, "=", right, statement.domain))) is not None:
            return _proved(lemma, context)
    return None


def _proved(equation: Lemma, context: Context) -> Certificate | None:
    """The sizes of both sides of an equation are equal: those of the goal, as the normal form sees."""
    said = equation.statement
    left, right, known = said.left, said.right, len(said.domain["where"])
    sizes = Statement(("abs", left), "=", ("abs", right), with_lemmas(said, [said]).domain)
    shown = by_instance(sizes, context.lemma(_SIZES), {"x": left, "y": right}, context)
    if shown is None:
        return None
    places = enumerate(signs("="), known + len(signs("=")))
    sides = {sign: psatz(["n"], [["where", place]]) for place, sign in places}
    lemmas = [equation.to_json(), Lemma(sizes, shown).to_json()]
    return {"kind": "both", "lemmas": lemmas} | sides


def _without_sizes(tree: Tree) -> list[Tree]:
    """A product of sizes and their powers, or a size, without them, what is inside turned or not."""
    match tree:
        case ("abs", inside):
            return [inside, negative(inside)]
        case ("*" | "^", *_):
            return [rebuild(tree, parts) for parts in itertools.product(*map(_without_sizes, children(tree)))]
    return [tree]
