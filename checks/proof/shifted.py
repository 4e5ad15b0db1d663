"""Proofs with a whole number counted from zero: (1 + 1/d)^(n-1) ≤ e for n from 1 on is a statement about n - 1.

An exponent that vanishes at the least number is a difference in the normal form; counted from zero it is a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import ZERO, Tree, from_json, names, subtract, walk
from boundaudit.checks.language.statement import Statement, put_in
from boundaudit.checks.proof.engine import Context, put_for
from boundaudit.checks.proof.general import by_instance
from boundaudit.checks.proof.kernel.checker import Certificate


def shifted(statement: Statement, context: Context) -> Certificate | None:
    """Put a parameter in the place of an exponent that is a whole number less its least value."""
    for declared, exponent in _exponents(statement):
        general = _general(statement, declared, exponent)
        if declared["name"] not in names(general.goal):
            proof = by_instance(statement, context.lemma(general), {_NAME: exponent}, context)
            if proof is not None:
                return proof
    return None


_NAME = "counted from zero"


def _exponents(statement: Statement) -> Iterator[tuple[Mapping[str, Any], Tree]]:
    """Whole numbers, each with an exponent that is the number less its least value, which is not zero."""
    form = NormalForm(statement.domain)
    nodes = {node[2]: None for side in (statement.left, statement.right) for node in walk(side) if node[0] == "^"}
    for declared in statement.domain["parameters"]:
        low = declared.get("low")
        if declared["range"] == "integers" and low is not None and low[0] == "q" and low[1]:
            less = subtract(("v", declared["name"]), from_json(low))
            yield from ((declared, node) for node in nodes if names(node) and form.vanishes(subtract(node, less)))


def _general(statement: Statement, declared: Mapping[str, Any], exponent: Tree) -> Statement:
    """The statement about the exponent, as a parameter from zero on."""
    put: dict[Tree, Tree] = {exponent: ("v", _NAME)}
    high = declared["high"] and subtract(from_json(declared["high"]), from_json(declared["low"]))
    new = {"name": _NAME, "range": "integers", "low": ZERO, "high": high}
    domain = {
        "parameters": [new if found is declared else found for found in statement.domain["parameters"]],
        "where": [put_in(given, lambda tree: put_for(tree, put)) for given in statement.domain["where"]],
    }
    return Statement(put_for(statement.left, put), statement.relation, put_for(statement.right, put), domain)
