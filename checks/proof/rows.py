"""Engines for what holds at each index: a row of a matrix as a vector, and what is said of each, summed."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    children,
    entry,
    from_json,
    is_closed,
    rebuild,
    replaced,
    square,
    subtract,
    walk,
)
from boundaudit.checks.language.relations import trees
from boundaudit.checks.language.statement import Statement, put_in
from boundaudit.checks.proof.engine import (
    SIZE_OF_ENTRY,
    WEAK,
    Context,
    Lemma,
    by_terms,
    closed,
    fresh_index,
    from_lemma,
    negative,
    psatz,
    term,
    with_proof,
)
from boundaudit.checks.proof.general import by_instance, numbers
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.kernel.domains import Domain, at_index, implies, mapped, on, plain, with_lemmas
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.potentials import telescoped_sum
from boundaudit.checks.proof.weighted import proved_without_weights


def rows(statement: Statement, context: Context) -> Certificate | None:
    """A row that alone is spoken of as a vector, with what is said of each row at this one."""
    nodes = [node for side in (statement.left, statement.right) for node in walk(side)]
    matrices = {found["name"]: found for found in statement.domain["parameters"] if found["range"] == "matrix"}
    spoken = list(dict.fromkeys(node[1:3] for node in nodes if node[0] == "item" and node[1] in matrices))
    row = spoken[0][1] if spoken else None
    if row is None or not is_closed(row) or any(other != row for _, other in spoken):
        return None
    called = {name: f"row of {name}" for name, _ in spoken}
    put = {vector: ("item", name, row, ("b", 0)) for name, vector in called.items()}
    vectors = [_vector(vector, matrices[name]) for name, vector in called.items()]
    kept = [found for found in statement.domain["parameters"] if found["range"] != "matrix"]

    def general(tree: Tree) -> Tree:
        if tree[0] == "item" and tree[1] in called and tree[2] == row:
            return ("item", called[tree[1]], general(tree[3]))
        return rebuild(tree, [general(part) for part in children(tree)])

    said = (put_in(given, general) for given in _at(statement.domain, row))
    domain = {"parameters": [*kept, *vectors], "where": [given for given in said if not _speaks_of(given, matrices)]}
    of_vectors = mapped(statement, general, domain)
    weak = statement.relation in WEAK
    found = proved_without_weights(of_vectors, context) if weak else context.prove(of_vectors)
    said_of_row = functools.partial(_said_of_row, row)
    return by_instance(statement, with_proof(of_vectors, found), put, context, first=said_of_row)


def _vector(name: str, matrix: dict[str, Any]) -> dict[str, Any]:
    entries = {key: matrix.get(key) for key in ("low", "high", "open")}
    return {"name": name, "range": "vector", "length": matrix["columns"], "square_sum": None, **entries}


def _at(domain: Domain, row: Tree) -> Iterator[Any]:
    """The relations of a domain, those about all indices at one of them."""
    for given in domain["where"]:
        yield at_index(given, row) if given[0] == "all" else given


def _speaks_of(given: Any, matrices: Any) -> bool:
    return any(node[0] == "item" and node[1] in matrices for tree in trees(given) for node in walk(tree))


def _said_of_row(row: Tree, condition: Statement, _: Context) -> Certificate | None:
    """A proof of what is asked of a row from what the domain says of each index, at this one."""
    for position, given in enumerate(condition.domain["where"]):
        if given[0] == "all" and [condition.relation, condition.left, condition.right] == at_index(given, row):
            return psatz(["n"], [["each", position, row]])
    return None


def summed(statement: Statement, context: Context) -> Certificate | None:
    """What is said of all indices of a sum, summed; of an equation also that the squared differences sum to zero."""
    sums = {node[1:3] for side in (statement.left, statement.right) for node in walk(side) if node[0] == "sum"}
    found = (_sums(statement.domain, k, limits) for k, limits in _about_all(statement.domain, sums))
    return _from(statement, itertools.chain(*found), context.prove)


def led_on(statement: Statement, context: Context) -> Certificate | None:
    """What leads from each entry to the next, summed up to entries that are spoken of alone, of numbers."""
    domain = statement.domain
    said = [from_json(side) for place in plain(domain) for side in domain["where"][place][1:]]
    spoken = {item[1] for side in (statement.left, statement.right, *said) for item in _items(side) if is_closed(item)}
    found = []
    for position, given in enumerate(domain["where"]):
        limits = [from_json(end) for end in given[1:3]] if given[0] == "all" else []
        if (
            limits
            and all(map(is_closed, limits))
            and spoken & {item[1] for side in trees(given) for item in _items(side)}
        ):
            found.append(_sums(domain, position, (limits[0], limits[1]), whole=True))
    lemmas = (_begun(lemma) for lemma in itertools.chain(*found))
    return _from(statement, lemmas, functools.partial(_of_the_last, context=context))


def _of_the_last(statement: Statement, context: Context) -> Certificate | None:
    """A proof, of numbers, that does not need the bounds of single entries which the goal does not speak of."""
    domain, spoken = statement.domain, {*_items(statement.left), *_items(statement.right)}
    bounds = {place for place, item, *_ in _bounds(domain) if item not in spoken}
    where = [given for place, given in enumerate(domain["where"]) if place not in bounds]
    plainer = on(statement, {**domain, "where": where})
    lemma = with_proof(plainer, numbers(plainer, context))
    return lemma and {"kind": "given", "lemmas": [lemma.to_json()]}


def _bounds(domain: Domain) -> Iterator[tuple[int, Tree, Tree, int]]:
    """Relations between an entry and what speaks of none: their places, the entry, its bound, and 1 if from above."""
    for place in plain(domain):
        small, large, _ = Hypotheses(domain).derive(["where", place])
        for item, end, side in ((small, large, 1), (large, small, -1)):
            if item[0] == "item" and not _items(end):
                yield place, item, end, side


def _items(tree: Tree) -> list[Tree]:
    return [node for node in walk(tree) if node[0] == "item"]


def _begun(lemma: Lemma) -> Lemma:
    """The lemma ``0 ≤ …`` with the bounds of entries that relations state, as of the first, in place of these."""
    domain, form = lemma.statement.domain, NormalForm(lemma.statement.domain)
    for place, item, end, side in _bounds(domain):
        right = lemma.statement.right
        by = form.number(form.ratio(subtract(replaced(right, item, ONE), replaced(right, item, ZERO))))
        if item in _items(right) and by is not None and by * side > 0:
            put = form.tree(form.ratio(replaced(right, item, end)))
            proof = from_lemma(lemma.statement, lemma, term(["where", place], weight=abs(by)))
            lemma = Lemma(Statement(ZERO, "<=", put, domain), proof)
    return lemma


def said(statement: Statement, _: Context) -> Certificate | None:
    """What is said of all indices, at one of the entries in a goal."""
    for label in _said(statement.domain, _indices(statement)):
        with suppress(Rejected):
            check(statement, proof := psatz(["n"], [label]))
            return proof
    return None


def _indices(statement: Statement) -> list[Tree]:
    """Those of the entries in a goal."""
    nodes = dict.fromkeys(node for side in (statement.left, statement.right) for node in walk(side))
    return list(dict.fromkeys(index for node in nodes if node[0] == "item" for index in node[2:] if is_closed(index)))


def _said(domain: Domain, indices: Iterable[Tree]) -> Iterator[list[Any]]:
    """The labels of what is said of all indices, at some of them."""
    spoken = [k for k, given in enumerate(domain["where"]) if given[0] == "all"]
    return (["each", *pair] for pair in itertools.product(spoken, indices))


def at_entries(statement: Statement, context: Context) -> Certificate | None:
    """What is said of all indices at those of entries in a goal, and sums of sizes against these terms, of numbers."""
    sums, indices = closed((statement.left, statement.right), "sum"), _indices(statement)
    parts = (["part", *pair] for pair in itertools.product(sums, indices))
    hypotheses, labels = Hypotheses(statement.domain), [*_said(statement.domain, indices), *parts]
    return _from(statement, _derived(hypotheses, labels), functools.partial(numbers, context=context))


def _derived(hypotheses: Hypotheses, labels: Iterable[Any]) -> Iterator[Lemma]:
    for label in labels:
        with suppress(Rejected):
            small, large, strict = hypotheses.derive(label)
            known = Statement(small, "<" if strict else "<=", large, hypotheses.domain)
            yield Lemma(known, psatz(["n"], [label]))


def _from(
    statement: Statement, lemmas: Iterable[Lemma], prove: Callable[[Statement], Certificate | None]
) -> Certificate | None:
    """A proof from those of some lemmas that stand and say what the domain does not."""
    known: list[Lemma] = []
    for lemma in lemmas:
        with suppress(Rejected):
            check(lemma.statement, lemma.certificate)
            known.append(lemma)
    target = with_lemmas(statement, [lemma.statement for lemma in known])
    found = None if implies(statement.domain, target.domain) else prove(target)
    carried = [lemma.to_json() for lemma in known]
    return found and {**found, "lemmas": [*carried, *found.get("lemmas", ())]}


def _about_all(domain: Domain, sums: Container[tuple[Tree, Tree]]) -> Iterator[tuple[int, tuple[Tree, Tree]]]:
    """The places of relations for all indices of some sums, and these indices."""
    for position, given in enumerate(domain["where"]):
        if given[0] == "all" and (limits := (from_json(given[1]), from_json(given[2]))) in sums:
            yield position, limits


def _sums(domain: Domain, position: int, limits: tuple[Tree, Tree], *, whole: bool = False) -> Iterator[Lemma]:
    """A relation for all indices, summed; with the one after it, where they are an equation, its squares too."""
    sign, *sides = domain["where"][position][3]
    left, right = (from_json(side, depth=1) for side in sides)
    if sign in ("<", ">"):
        return
    small, large = (left, right) if sign == "<=" else (right, left)
    index, total = fresh_index(domain), ("sum", *limits, subtract(large, small))
    alike = [place for place, _ in _about_all(domain, [limits])]

    def termwise(total: Tree, proof: Certificate) -> Lemma:
        return Lemma(Statement(ZERO, "<=", total, domain), by_terms(total, index, proof))

    def said(place: int) -> list[Any]:
        """What the relation at a place says of a term: those about all indices of a sum come after all others."""
        return ["where", len(domain["where"]) + alike.index(place)]

    plain = termwise(total, psatz(["n"], [said(position)]))
    of_entries = {len(node) for node in walk(total[3]) if node[0] == "item"} == {SIZE_OF_ENTRY}
    with suppress(Rejected):
        # of entries, the terms say as much as their sums apart
        found = telescoped_sum(plain, index, whole=whole) if of_entries else _apart(plain)
        if found is not None:
            yield found
    other = domain["where"][position + 1] if sign == "<=" and position + 1 < len(domain["where"]) else None
    if other == ["all", *domain["where"][position][1:3], [">=", *sides]]:
        apart = subtract(left, right)
        squared = psatz(["n"], term(square=entry(apart, ("v", index))))
        yield termwise(("sum", *limits, square(apart)), squared)
        nothing = psatz(["n"], [said(position), said(position + 1)])
        yield termwise(("sum", *limits, negative(square(apart))), nothing)


def _apart(lemma: Lemma) -> Lemma:
    """A lemma ``0 ≤ Σ (a - b)`` that speaks of its sums one by one, factors without the index before them."""
    domain, total = lemma.statement.domain, lemma.statement.right
    form, parts = NormalForm(domain), total[3][1:] if total[3][0] == "+" else total[3:]
    sums = add(*((*total[:3], part) for part in parts))
    return Lemma(Statement(ZERO, "<=", form.tree(form.ratio(sums)), domain), lemma.certificate)
