"""Domains as data: declare a parameter, add a relation, fix a choice, compare two domains."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import (
    Tree,
    canonical_json,
    entry,
    from_json,
    is_name,
    names,
    substitute,
    subtract,
)
from boundaudit.checks.language.statement import Relation, Statement, put_in, trees_of

Domain: TypeAlias = dict[str, Any]


def parameter(domain: Domain, name: str, *kinds: str) -> dict[str, Any]:
    """The declaration of a parameter whose range is of one of some kinds."""
    for found in domain["parameters"]:
        if found["name"] == name and found["range"] in kinds:
            return dict(found)
    raise Rejected(f"{name} is no parameter with range {' or '.join(kinds)}")


def placed(declared: Mapping[str, Any], values: Mapping[str, Tree]) -> dict[str, Any]:
    """The declaration with values put in place of other parameters."""
    return {**declared, **{key: substitute(tree, values) for key, tree in trees_of(declared).items()}}


def between(declared: Mapping[str, Any], value: Tree) -> Iterator[tuple[Tree, Relation, Tree]]:
    """What it means that a value lies between the ends of a declaration."""
    trees, (low_open, high_open) = trees_of(declared), declared.get("open", (False, False))
    if "low" in trees:
        yield trees["low"], "<" if low_open else "<=", value
    if "high" in trees:
        yield value, "<" if high_open else "<=", trees["high"]


def lies_within(form: NormalForm, value: Tree, declared: Mapping[str, Any]) -> bool:
    """Whether the ranges on a domain show that a value lies between the ends of a declaration."""
    gaps = [(form.range_of(subtract(large, small)), sign) for small, sign, large in between(declared, value)]
    return all(gap.positive if sign == "<" else gap.nonnegative for gap, sign in gaps)


def declare(domain: Domain, *added: Mapping[str, Any]) -> Domain:
    """The domain with further parameters."""
    return {"parameters": [*domain["parameters"], *added], "where": list(domain["where"])}


def require_integers(form: NormalForm, *ends: Tree) -> None:
    """Reject the ends of a sum that are not known to be integers."""
    if not all(form.is_integer(form.ratio(end)) for end in ends):
        raise Rejected("the ends of a sum are not known to be integers")


def require_fresh(domain: Domain, name: str) -> None:
    """Reject what is no name, or the name of a parameter."""
    if not is_name(name) or any(found["name"] == name for found in domain["parameters"]):
        raise Rejected(f"not a fresh name: {name}")


def with_index(domain: Domain, name: str, low: Tree, high: Tree) -> Domain:
    """The domain with the index of a sum, an integer between the sum's ends, under a fresh name."""
    require_fresh(domain, name)
    require_integers(NormalForm(domain), low, high)
    return declare(domain, {"name": name, "range": "integers", "low": low, "high": high})


def stands_alone(domain: Domain, name: str, *instead: Mapping[str, Any]) -> Domain:
    """The domain with other declarations, put last, in place of a parameter on which no other range rests."""
    others = [found for found in domain["parameters"] if found["name"] != name]
    for other in others:
        if any(name in names(tree) for tree in trees_of(other).values()):
            raise Rejected(f"the range of {other['name']} depends on {name}")
    return {"parameters": [*others, *instead], "where": list(domain["where"])}


def free_of(domain: Domain, name: str) -> list[Any]:
    """The relations of a domain that do not mention a parameter: another in its place would change nothing."""
    pairs = ((entry, put_in(entry, lambda tree: substitute(tree, {name: ("pi",)}))) for entry in domain["where"])
    return [entry for entry, changed in pairs if put_in(entry, lambda tree: tree) == changed]


def plain(domain: Domain) -> list[int]:
    """Where the inequalities stand among the relations of a domain: some are alternatives, some about all indices."""
    return [position for position, entry in enumerate(domain["where"]) if entry[0] not in ("or", "all")]


def at_index(given: Sequence[Any], index: Tree) -> list[Any]:
    """What a relation for all indices says at one of them."""
    sign, *sides = given[3]
    return [sign, *(entry(from_json(side, depth=1), index) for side in sides)]


def assume(domain: Domain, *relations: Sequence[Any]) -> Domain:
    """The domain cut by further relations ``(relation, left, right)``."""
    return {"parameters": list(domain["parameters"]), "where": [*domain["where"], *map(list, relations)]}


def holding(domain: Domain, *found: Statement) -> Domain:
    """The domain with what statements say among its relations."""
    return assume(domain, *((sign, each.left, each.right) for each in found for sign in signs(each.relation)))


def signs(relation: Relation) -> tuple[Relation, ...]:
    """The inequalities that a relation is: two where it is an equation."""
    return ("<=", ">=") if relation == "=" else (relation,)


def sign(statement: Statement) -> Relation:
    """How zero compares with what has to be as its goal."""
    return "<" if statement.is_strict else "<="


def on(statement: Statement, domain: Domain) -> Statement:
    """The same relation between the same sides on another domain."""
    return Statement(statement.left, statement.relation, statement.right, domain)


def mapped(statement: Statement, change: Callable[[Tree], Tree], domain: Domain) -> Statement:
    """The statement with changed sides, on a domain."""
    return Statement(change(statement.left), statement.relation, change(statement.right), domain)


def with_lemmas(statement: Statement, lemmas: Sequence[Statement]) -> Statement:
    """The statement with lemmas among the relations of its domain; each may stand on those before it."""
    for lemma in lemmas:
        if not implies(statement.domain, lemma.domain):
            raise Rejected("a lemma speaks of another domain")
        statement = on(statement, holding(statement.domain, lemma))
    return statement


def implies(domain: Domain, weaker: Domain) -> bool:
    """Whether every parameter and relation of one domain stands in another, word for word."""
    relations = {canonical_json(entry) for entry in domain["where"]}
    return all(canonical_json(given) in relations for given in weaker["where"]) and all(
        any(narrows(declared, found) for declared in domain["parameters"]) for found in weaker["parameters"]
    )


def narrows(declared: Mapping[str, Any], wider: Mapping[str, Any]) -> bool:
    """Whether a declaration is the same as another, or narrows its choices: what holds for all holds for some."""
    if declared["range"] == wider["range"] == "choices" and declared["name"] == wider["name"]:
        known = {canonical_json(value) for value in wider["values"]}
        return all(canonical_json(value) in known for value in declared["values"])
    return canonical_json(declared) == canonical_json(wider)


def fixed(statement: Statement, name: str, value: Tree) -> Statement:
    """The statement with one parameter replaced by a value."""
    put = functools.partial(substitute, values={name: value})
    others = [placed(found, {name: value}) for found in statement.domain["parameters"] if found["name"] != name]
    where = [put_in(entry, put) for entry in statement.domain["where"]]
    return mapped(statement, put, {"parameters": others, "where": where})
