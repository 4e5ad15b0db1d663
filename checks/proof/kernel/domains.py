"""Domains as data: declare a parameter, add a relation, fix a choice, compare two domains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import Tree, canonical_json, from_json, names, substitute
from boundaudit.checks.language.statement import Statement

Domain = Mapping[str, Any]
_TREES = ("low", "high", "length", "rows", "columns", "square_sum", "count", "size", "of")


def parameter(domain: Domain, name: str, *kinds: str) -> dict[str, Any]:
    """The declaration of a parameter whose range is of one of some kinds."""
    for found in domain["parameters"]:
        if found["name"] == name and found["range"] in kinds:
            return dict(found)
    raise Rejected(f"{name} is no parameter with range {' or '.join(kinds)}")


def trees_of(declared: Mapping[str, Any]) -> dict[str, Tree]:
    """The expressions in the declaration of a parameter, by what they say."""
    return {key: from_json(declared[key]) for key in _TREES if declared.get(key) is not None}


def declare(domain: Domain, *added: Mapping[str, Any]) -> dict[str, Any]:
    """The domain with further parameters."""
    return {"parameters": [*domain["parameters"], *added], "where": list(domain["where"])}


def stands_alone(domain: Domain, name: str, *instead: Mapping[str, Any]) -> dict[str, Any]:
    """The domain with other declarations, put last, in place of a parameter on which no other range rests."""
    others = [found for found in domain["parameters"] if found["name"] != name]
    for other in others:
        if any(name in names(tree) for tree in trees_of(other).values()):
            raise Rejected(f"the range of {other['name']} depends on {name}")
    return {"parameters": [*others, *instead], "where": list(domain["where"])}


def assume(domain: Domain, *relations: Sequence[Any]) -> dict[str, Any]:
    """The domain cut by further relations ``(relation, left, right)``."""
    return {"parameters": list(domain["parameters"]), "where": [*domain["where"], *map(list, relations)]}


def with_lemmas(statement: Statement, lemmas: Sequence[Statement]) -> Statement:
    """The statement with lemmas among the relations of its domain; each may stand on those before it."""
    domain = statement.domain
    for lemma in lemmas:
        if not implies(domain, lemma.domain):
            raise Rejected("a lemma speaks of another domain")
        signs = ("<=", ">=") if lemma.relation == "=" else (lemma.relation,)
        domain = assume(domain, *((relation, lemma.left, lemma.right) for relation in signs))
    return Statement(statement.left, statement.relation, statement.right, domain)


def implies(domain: Domain, weaker: Domain) -> bool:
    """Whether every parameter and relation of one domain stands in another, word for word."""
    relations = {canonical_json(entry) for entry in domain["where"]}
    return all(canonical_json(entry) in relations for entry in weaker["where"]) and all(
        any(_within(declared, entry) for declared in domain["parameters"]) for entry in weaker["parameters"]
    )


def _within(declared: Mapping[str, Any], wider: Mapping[str, Any]) -> bool:
    """Whether a declaration is the same as another, or narrows its choices: what holds for all holds for some."""
    if declared["range"] == wider["range"] == "choices" and declared["name"] == wider["name"]:
        known = {canonical_json(value) for value in wider["values"]}
        return all(canonical_json(value) in known for value in declared["values"])
    return canonical_json(declared) == canonical_json(wider)


def fixed(statement: Statement, name: str, value: Tree) -> Statement:
    """The statement with one parameter replaced by a value."""
    put = {name: value}
    others = [found for found in statement.domain["parameters"] if found["name"] != name]
    placed = [{**found, **{key: substitute(tree, put) for key, tree in trees_of(found).items()}} for found in others]
    where = [[r, substitute(from_json(a), put), substitute(from_json(b), put)] for r, a, b in statement.domain["where"]]
    left, right = substitute(statement.left, put), substitute(statement.right, put)
    return Statement(left, statement.relation, right, {"parameters": placed, "where": where})
