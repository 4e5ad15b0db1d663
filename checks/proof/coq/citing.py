"""Instances of what a chain cites, or of what a certificate brings along, and chains of steps, in Coq."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boundaudit.checks.language.expression import ONE, ZERO, Tree, from_json, substitute, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.coq.along import Way, moved
from boundaudit.checks.proof.coq.book import Book, Certificate, Cited, application, instance_of, labels_of
from boundaudit.checks.proof.coq.propositions import Premise, conclusion, end_name, premises, range_premises
from boundaudit.checks.proof.coq.terms import NotExported, identifier, text
from boundaudit.checks.proof.kernel.citing import instance, lemma_of, step_statements
from boundaudit.checks.proof.kernel.domains import Domain, declare, on


def by_instance(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """An instance of a statement that the certificate brings along."""
    lemma = lemma_of(certificate)
    label = book.part(lemma, certificate["lemma"]["certificate"], name)
    cited = Cited(label, lemma, {}, is_axiom=False)
    lines, _ = _use(book, statement.domain, {**certificate, "cites": ""}, cited, name)
    return [*lines, "first [assumption | lra]."]


def by_chain(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """Every step from one side to the other, with instances of what it cites."""
    nodes, steps = [from_json(node) for node in certificate["nodes"]], certificate["steps"]
    cited = {label: book.cited(label) for label in labels_of(certificate)}
    lines: list[str] = []
    for k, (needed, step) in enumerate(zip(step_statements(statement, nodes, statement.domain), steps, strict=True)):
        domain: Domain = statement.domain
        inner: list[str] = []
        for use in step["uses"]:
            more, domain = _use(book, domain, use, cited[use["cites"]], name)
            inner += more
        part = Statement(needed.left, needed.relation, needed.right, dict(domain))
        label = book.part(part, step["proof"], name)
        lines += [f"assert (step_{k} : {conclusion(needed)}).", "{", *(f"  {line}" for line in inner)]
        lines += [f"  exact {application(label, part, part)}.", "}"]
    return [*lines, "lra."]


def _use(book: Book, domain: Domain, use: Mapping[str, Any], cited: Cited, name: str) -> tuple[list[str], Domain]:
    """The lines that add an instance to the premises, and the domain with it."""
    conditions, after = instance(domain, use, {use["cites"]: cited.statement})
    here = Statement(ONE, "=", ONE, dict(domain))
    lines, moving = list[str](), []
    for condition, proof in zip(conditions, use["conditions"], strict=True):
        fresh = book.name_under("condition")
        lines += _condition(book, condition, proof, here, fresh, name)
        moving += [fresh] if len(condition.domain["parameters"]) > len(domain["parameters"]) else []
    values = {parameter: from_json(data, depth=1) for parameter, data in use.get("map", {}).items()}
    put = {identifier(parameter): _value(cited, parameter, tree) for parameter, tree in values.items()}
    added = [premise for premise in premises(after) if premise not in premises(domain)]
    if use.get("along"):
        return [*lines, *_all_along(book, here, use["along"], cited, values, name), *_noted(added, "moves")], after
    total = use.get("over")
    if total is None:
        lines.append(f"pose proof {instance_of(cited, here, put)} as instance; cbv beta in instance.")
        return [*lines, "literal_powers_in instance.", *_noted(added, "instance")], after
    index = identifier(total["index"])
    inside = declare(
        domain,
        {"name": total["index"], "range": "integers", "low": from_json(total["low"]), "high": from_json(total["high"])},
    )
    fact = instance_of(cited, Statement(ONE, "=", ONE, inside), put)
    for premise in added:
        known = " ".join(end_name(total["index"], side) for side in ("integer", "low", "high"))
        at_index = "".join(f"pose proof ({condition} {index} {known}) as {condition}_here; " for condition in moving)
        shown = f"{at_index}pose proof {fact} as instance; cbv beta in instance; literal_powers_in instance"
        lines.append(f"assert ({premise.name} : {premise.claim}).")
        way = f"intros {index} {known}; {shown}; weighted instance"
        lines.append(f"{{ first [apply total_ordered | apply Rle_ge, total_ordered]; [whole | whole | {way}]. }}")
    return lines, after


def _value(cited: Cited, parameter: str, tree: Tree) -> str:
    """What stands in place of a parameter: a number, or the entries of a vector."""
    declared = next(found for found in cited.statement.domain["parameters"] if found["name"] == parameter)
    return f"(fun i_0 : R => {text(tree, ('i_0',))})" if declared["range"] == "vector" else text(tree)


def _noted(added: Sequence[Premise], fact: str) -> list[str]:
    """The lines that add to the premises what a fact says."""
    lines = [f"assert ({premise.name} : {premise.claim}) by (first [exact {fact} | lra])." for premise in added]
    return [*lines, f"clear {fact}."]


def _all_along(
    book: Book, here: Statement, way: Mapping[str, Any], cited: Cited, values: Mapping[str, Tree], name: str
) -> list[str]:
    """The lines that show how a function with a slope that is cited compares at two ends."""
    if cited.statement.relation == "=":
        raise NotExported("an equation of slopes all along a parameter")
    index, low, high, function = (way["index"], *(from_json(way[key]) for key in ("low", "high", "function")))
    ends = {"name": index, "range": "reals", "low": low, "high": high, "open": [False, False]}
    inside, lines = declare(here.domain, ends), [f"assert (ordered : {text(low)} <= {text(high)}) by lra."]
    there = {**values, index: ("v", index)}
    left, right = (substitute(side, there) for side in (cited.statement.left, cited.statement.right))
    put = {name_: substitute(tree, {index: ("v", "inner")}) for name_, tree in there.items()}
    texts = {identifier(name_): _value(cited, name_, tree) for name_, tree in put.items()}
    slope = Statement(subtract(left, right), ">=" if cited.statement.relation == ">=" else "<=", ZERO, inside)
    fact = instance_of(cited, on(slope, inside), texts)
    return [*lines, *moved(book, here, slope, inside, Way(index, function, low, high), fact, name)]


def _condition(
    book: Book, condition: Statement, proof: Certificate, here: Statement, fresh: str, name: str
) -> list[str]:
    """A condition of an instance among what is known; for each value of the index where it has one."""
    label = book.part(condition, proof, name)
    there = {declared["name"] for declared in here.domain["parameters"]}
    new = [declared for declared in condition.domain["parameters"] if declared["name"] not in there]
    if not new:
        return [f"pose proof {application(label, condition, here)} as {fresh}."]
    bound, known = "", []
    for index in new:
        given = range_premises(index)
        bound += f"forall {identifier(index['name'])} : R, " + "".join(f"{premise.claim} -> " for premise in given)
        known += [identifier(index["name"]), *(premise.name for premise in given)]
    return [
        f"assert ({fresh} : {bound}{conclusion(condition)}).",
        f"{{ intros {' '.join(known)}. exact {application(label, condition, condition)}. }}",
    ]
