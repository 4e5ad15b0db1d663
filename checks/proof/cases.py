"""An engine that splits into cases: values of a choice, signs inside absolute values, parities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.expression import BRANCHES, Tree, is_closed, names, rational, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.kernel.cases import case_statements
from boundaudit.checks.proof.rewriting import solved


def cases(statement: Statement, context: Context) -> Attempt:
    """Split along the first parameter or atom that has cases, and prove each.

    Returns:
        Proved with a certificate of kind cases, or unknown.
    """
    split = next(_splits(statement), None)
    if split is None:
        return Attempt("unknown", "cases")
    proofs, effort = [], {"cases": 0}
    for case in case_statements(statement, split):
        found = context.prove(case)
        effort["cases"] += 1
        if found.certificate is None:
            return Attempt("unknown", "cases", notes=(f"stuck in a case of {split}",), effort=effort)
        proofs.append(found.certificate)
    return Attempt("proved", "cases", {"kind": "cases", "split": split, "proofs": proofs}, effort=effort)


def _splits(statement: Statement) -> Iterator[list[Any]]:
    """Branches first, then absolute values (maxima are made of them), parities, choices."""
    form = NormalForm(statement.domain)
    nodes = [node for node in walk(statement.goal) if node[0] in BRANCHES and _is_free(node, statement)]
    yield from (_split(form, node[1]) for node in nodes if not form.has(node))
    goal = form.ratio(statement.goal)
    keys = [form.atoms[position].key for position in form.used(goal.num * goal.den)]
    nodes = [node for key in keys for node in walk(key) if _is_free(node, statement)]
    yield from (["sign", node[1]] for node in nodes if node[0] == "abs")
    yield from (["sign", node] for node in nodes if node[0] == "^" and node[1] == rational(-1))
    mentioned = {name for key in keys for name in names(key)}
    for declared in statement.domain["parameters"]:
        if declared["range"] == "choices" and declared["name"] in mentioned:
            yield ["choices", declared["name"]]


def _split(form: NormalForm, condition: Tree) -> list[Any]:
    """Around the root of a condition that is linear in a parameter, else by its sign."""
    ratio = form.ratio(condition)
    for name in sorted(names(condition)):
        root = solved(form, ratio, ("v", name), name)
        if root is not None:
            return ["around", name, root]
    return ["trichotomy", condition]


def _is_free(node: Tree, statement: Statement) -> bool:
    """Whether a node mentions declared names only, not the index of a sum around it."""
    return is_closed(node) and names(node) <= {found["name"] for found in statement.domain["parameters"]}
