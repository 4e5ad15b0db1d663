"""Proofs about softmax: a vector that stands in exponentials becomes the logarithm of one of positive entries.

With x = exp z the weights exp z[i]/Σ exp z[j] are x[i]/Σ x[j], and what is known of laws is known of them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from boundaudit.checks.language.expression import ZERO, Tree, children, rebuild, walk
from boundaudit.checks.language.statement import Statement, put_in
from boundaudit.checks.proof.engine import LEAST_DEPTH, Context, Lemma, from_lemma
from boundaudit.checks.proof.general import by_instance
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.domains import mapped


def softmax(statement: Statement, context: Context) -> Certificate | None:
    """Prove the statement about positive entries of which a vector's are the logarithms."""
    if context.budget.depth < LEAST_DEPTH or statement.relation == "=":
        return None
    for vector in dict.fromkeys(_exponents(statement)):
        new = f"exp {vector}"
        put: dict[str, Tree] = {new: ("exp", ("item", vector, ("b", 0)))}
        lemma = _of_positive(statement, vector, new)
        proof = by_instance(statement, context.lemma(lemma), put, context)
        if proof is not None:
            said = mapped(lemma, functools.partial(_back, new, vector), statement.domain)
            return from_lemma(statement, Lemma(said, proof))
    return None


def _exponents(statement: Statement) -> Iterator[str]:
    """Free vectors, sums of whose exponentials are divided by or in logarithms."""
    free = {
        found["name"] for found in statement.domain["parameters"]
        if found["range"] == "vector" and found["low"] is found["high"] is found["square_sum"] is None
    }  # fmt: skip
    nodes = [node for side in (statement.left, statement.right) for node in walk(side)]
    inside = [node[1] for node in nodes if node[0] == "log" or (node[0] == "^" and node[2] == ("q", -1, 1))]
    for total in (node for tree in inside for node in walk(tree) if node[0] == "sum"):
        for power in (node[1] for node in walk(total[3]) if node[0] == "exp"):
            yield from (node[1] for node in walk(power) if node[0] == "item" and node[1] in free)


def _of_positive(statement: Statement, vector: str, new: str) -> Statement:
    """The statement in a vector of positive entries."""

    def general(tree: Tree) -> Tree:
        inner = [general(part) for part in children(tree)]
        return ("log", ("item", new, *inner)) if tree[:2] == ("item", vector) else rebuild(tree, inner)

    domain = statement.domain
    parameters = [
        {**found, "name": new, "low": ZERO, "open": [True, False]} if found["name"] == vector else found
        for found in domain["parameters"]
    ]
    where = [put_in(given, general) for given in domain["where"]]
    return mapped(statement, general, {"parameters": parameters, "where": where})


def _back(new: str, vector: str, tree: Tree) -> Tree:
    inner = [_back(new, vector, part) for part in children(tree)]
    return ("exp", ("item", vector, *inner)) if tree[:2] == ("item", new) else rebuild(tree, inner)
