"""Proofs in which means get names: a sum inside of another one becomes a number, of which the sum is what is known.

E(exp(λ(X - E X))) is so E(exp(λ(X - μ))), where E X = μ: a sum that is linear in its weights.
"""

from __future__ import annotations

from collections.abc import Iterator

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import Tree, is_closed, replaced, walk
from boundaudit.checks.language.relations import trees
from boundaudit.checks.language.statement import Statement, put_in
from boundaudit.checks.proof.engine import Attempt, Context, Lemma
from boundaudit.checks.proof.general import declared_as
from boundaudit.checks.proof.kernel.citing import instance
from boundaudit.checks.proof.kernel.domains import assume, declare, mapped

NAME = "named"


def named(statement: Statement, context: Context) -> Attempt:
    """Give names to sums inside of sums."""
    put = {f"mean {k}": total for k, total in enumerate(dict.fromkeys(_inner(statement)), 1)}
    if not put:
        return Attempt("unknown", NAME)
    lemma = _with_names(statement, put)
    found = context.prove(lemma)
    if found.certificate is None:
        return Attempt("unknown", NAME, effort=found.effort)
    conditions, _ = instance(statement.domain, {"cites": "", "map": put}, {"": lemma})
    proofs = [context.prove(condition).certificate for condition in conditions]
    certificate = {"kind": "instance", "lemma": Lemma(lemma, found.certificate).to_json(), "map": put,
                   "conditions": proofs}  # fmt: skip
    return Attempt("unknown" if None in proofs else "proved", NAME, certificate, effort=found.effort)


def _inner(statement: Statement) -> Iterator[Tree]:
    """The closed sums inside of other sums, and inside of what is said of all indices."""
    relations = statement.domain["where"]
    inside = [side for given in relations if given[0] == "all" for side in trees(given)]
    sides = [statement.left, statement.right, *(side for given in relations for side in trees(given))]
    inside += [node[3] for side in sides for node in walk(side) if node[0] == "sum"]
    for body in inside:
        yield from (node for node in walk(body) if node[0] == "sum" and is_closed(node))


def _with_names(statement: Statement, put: dict[str, Tree]) -> Statement:
    """The statement about numbers that the sums are."""
    form = NormalForm(statement.domain)

    def general(tree: Tree) -> Tree:
        for name, total in put.items():
            tree = replaced(tree, total, ("v", name))
        return tree

    domain = {**statement.domain, "where": [put_in(given, general) for given in statement.domain["where"]]}
    domain = declare(domain, *(declared_as(name, form.range_of(total)) for name, total in put.items()))
    same = ((sign, total, ("v", name)) for name, total in put.items() for sign in ("<=", ">="))
    return mapped(statement, general, assume(domain, *same))
