"""Hypotheses that compare atoms of a goal with each other: sums over the same index, and logarithms.

Inequalities between sums (Cauchy-Schwarz, one term against all, squares against the square) are offered for the
bodies that the goal's own sums suggest, and kept where they speak of no other sum.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from boundaudit.checks.language.algebra.ring import Atom, Rejected
from boundaudit.checks.language.expression import ONE, Tree, is_closed, multiply, rational, walk
from boundaudit.checks.proof.kernel.domains import Domain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses

_BODIES = 8
_LOGARITHMS = 4
_HALF = ("q", 1, 2)
_INDEX = ("b", 0)


def comparisons(domain: Domain, atoms: Sequence[Atom]) -> list[Any]:
    """Labels of hypotheses about several atoms at once.

    Args:
        domain: Where they hold.
        atoms: The atoms of a goal.

    Returns:
        Labels, each of which the checker can derive.
    """
    sums = [atom.key for atom in atoms if atom.key[0] == "sum"]
    offered = [*_about_sums(sums, [atom.key for atom in atoms])] if sums else []
    logs = [atom.key[1] for atom in atoms if atom.key[0] == "log"]
    if len(logs) <= _LOGARITHMS:
        offered += _about_logarithms(logs)
    return [label for label in offered if _adds_no_sum(domain, label, set(sums))]


def _about_sums(sums: Sequence[Tree], keys: Sequence[Tree]) -> Iterator[Any]:
    for total in sums:
        vectors = {node[1] for node in walk(total[3]) if node[0] == "item"}
        outside = (node for key in keys for node in walk(key) if node[0] == "item" and node[1] in vectors)
        for index in sorted({node[2] for node in outside if is_closed(node)}, key=repr):
            yield ["part", total, index]
    for limits in sorted({total[1:3] for total in sums}, key=repr):
        bodies = _factors([total[3] for total in sums if total[1:3] == limits])[:_BODIES]
        for body in bodies:
            yield ["squares", ("sum", *limits, body)]
        for pair in itertools.combinations_with_replacement([*bodies, ONE], 2):
            yield ["cauchy", *(("sum", *limits, body) for body in pair)]


def _factors(bodies: Sequence[Tree]) -> list[Tree]:
    """Whose products the bodies may be: entries, their sizes, the bodies themselves and their roots."""
    entries = [node for body in bodies for node in walk(body) if node[0] == "item" and node[2] == _INDEX]
    sizes = [node for body in bodies for node in walk(body) if node[0] == "abs"]
    roots = [("^", body, _HALF) for body in bodies]
    return sorted({*entries, *sizes, *bodies, *roots}, key=lambda tree: (len(repr(tree)), repr(tree)))


def _about_logarithms(arguments: Sequence[Tree]) -> Iterator[Any]:
    """Tangents and the Padé bound of quotients, and of the arguments themselves."""
    quotients = [multiply(a, ("^", b, rational(-1))) for a, b in itertools.permutations(arguments, 2)]
    yield from (["tangent", quotient] for quotient in quotients)
    yield from (["pade", tree] for tree in [*arguments, *quotients])


def _adds_no_sum(domain: Domain, label: Any, known: set[Tree]) -> bool:
    hypotheses = Hypotheses(domain)
    try:
        value = hypotheses.excess(label)[0]
    except Rejected:
        return False
    used = hypotheses.form.used(value.num * value.den)
    return {hypotheses.form.atoms[k].key for k in used if hypotheses.form.atoms[k].key[0] == "sum"} <= known
