"""Domains as data: declare a parameter, add a relation, fix a choice, compare two domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boundaudit.checks.language.expression import Tree, canonical_json, from_json, substitute
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Rejected

Domain = Mapping[str, Any]
_TREES = ("low", "high", "length", "square_sum", "count", "size", "of")


def parameter(domain: Domain, name: str, *kinds: str) -> dict[str, Any]:
    """The declaration of a parameter.

    Args:
        domain: A domain as JSON.
        name: Which parameter.
        kinds: Ranges it may have.

    Returns:
        Its entry among the domain's parameters.

    Raises:
        Rejected: where there is none of that name and kind.
    """
    for found in domain["parameters"]:
        if found["name"] == name and found["range"] in kinds:
            return dict(found)
    raise Rejected(f"{name} is no parameter with range {' or '.join(kinds)}")


def declare(domain: Domain, *added: Mapping[str, Any]) -> dict[str, Any]:
    """The domain with further parameters.

    Returns:
        A new domain.
    """
    return {"parameters": [*domain["parameters"], *added], "where": list(domain["where"])}


def assume(domain: Domain, *relations: Sequence[Any]) -> dict[str, Any]:
    """The domain cut by further relations ``(relation, left, right)``.

    Returns:
        A new domain.
    """
    return {"parameters": list(domain["parameters"]), "where": [*domain["where"], *map(list, relations)]}


def with_lemmas(statement: Statement, lemmas: Sequence[Statement]) -> Statement:
    """The statement with lemmas among the relations of its domain.

    Returns:
        A statement that holds where the given one does, provided the lemmas hold.

    Raises:
        Rejected: where the domain of a lemma is not implied by that of the statement.
    """
    relations: list[tuple[str, Tree, Tree]] = []
    for lemma in lemmas:
        if not implies(statement.domain, lemma.domain):
            raise Rejected("a lemma speaks of another domain")
        signs = ("<=", ">=") if lemma.relation == "=" else (lemma.relation,)
        relations.extend((relation, lemma.left, lemma.right) for relation in signs)
    return Statement(statement.left, statement.relation, statement.right, assume(statement.domain, *relations))


def implies(domain: Domain, weaker: Domain) -> bool:
    """Whether every parameter and relation of one domain stands in another, word for word.

    A choice may have been narrowed: what holds for all of its values holds for some of them.

    Returns:
        True where what holds on ``weaker`` holds on ``domain`` for that reason.
    """
    relations = {canonical_json(entry) for entry in domain["where"]}
    return all(canonical_json(entry) in relations for entry in weaker["where"]) and all(
        any(_within(declared, entry) for declared in domain["parameters"]) for entry in weaker["parameters"]
    )


def _within(declared: Mapping[str, Any], wider: Mapping[str, Any]) -> bool:
    """Whether a parameter ranges where another declaration of it does."""
    if declared["range"] == wider["range"] == "choices" and declared["name"] == wider["name"]:
        known = {canonical_json(value) for value in wider["values"]}
        return all(canonical_json(value) in known for value in declared["values"])
    return canonical_json(declared) == canonical_json(wider)


def fixed(statement: Statement, name: str, value: Tree) -> Statement:
    """The statement with one parameter replaced by a value.

    Returns:
        A statement on the domain of the other parameters.
    """
    put = {name: value}
    others = [_put(found, put) for found in statement.domain["parameters"] if found["name"] != name]
    where = [[r, substitute(from_json(a), put), substitute(from_json(b), put)] for r, a, b in statement.domain["where"]]
    left, right = substitute(statement.left, put), substitute(statement.right, put)
    return Statement(left, statement.relation, right, {"parameters": others, "where": where})


def _put(declared: Mapping[str, Any], values: Mapping[str, Tree]) -> dict[str, Any]:
    replaced = {key: substitute(from_json(declared[key]), values) for key in _TREES if declared.get(key) is not None}
    return {**declared, **replaced}
