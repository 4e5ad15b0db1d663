"""What a domain says, in the words that engines read: of vectors that are zero, of sums by rows and by columns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import suppress

from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ZERO, from_json, is_closed, square, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Lemma, fresh_index, psatz
from boundaudit.checks.proof.kernel.domains import Domain, holding, plain
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses, inequality
from boundaudit.checks.proof.kernel.sums import exchanged
from boundaudit.checks.proof.lengths import squares_in
from boundaudit.checks.proof.multipliers import search

_HALF = ("q", 1, 2)
_PRODUCTS = 400
"""Products of what is known of a sum of squares that are looked at."""


def restated(statement: Statement) -> list[Lemma]:
    """The relations that follow at once and do not stand among those of the domain yet."""
    found = [*_balls(statement.domain), *_zeros(statement.domain), *_columns(statement)]
    return [lemma for lemma in found if not _stands(lemma.statement)]


def _stands(found: Statement) -> bool:
    """Whether a relation stands among those of its domain."""
    return holding(found.domain, found)["where"][-1] in found.domain["where"]


def _balls(domain: Domain) -> Iterator[Lemma]:
    """What is declared of sums of squares."""
    for declared in domain["parameters"]:
        if declared["range"] == "vector" and declared["square_sum"] is not None:
            label = ["square_sum", declared["name"]]
            bound = Hypotheses(domain).derive(label)
            yield Lemma(Statement(bound.small, "<=", bound.large, domain), psatz(["n"], [label]))


def _zeros(domain: Domain) -> Iterator[Lemma]:
    """Of a sum of squares, or its root, that is at most 0, that each of them is 0."""
    for place in plain(domain):
        sign, *sides = domain["where"][place]
        less, more, _ = inequality(sign, *map(from_json, sides))
        parts = squares_in(less) or squares_in(("^", less, _HALF)) if more == ZERO else []
        labels = [["where", place], ["sign", less], *(["sign", square(part)] for part in parts)]
        wanted = (Statement(part, way, ZERO, domain) for part in parts for way in ("<=", ">="))
        for each in itertools.filterfalse(_stands, wanted):
            with suppress(Rejected):  # what has no value everywhere
                if (proof := search(Hypotheses(domain), each.goal, labels, _PRODUCTS)) is not None:
                    yield Lemma(each, proof)


def _columns(statement: Statement) -> Iterator[Lemma]:
    """What is said of double sums row by row said column by column, where the statement speaks of columns."""
    domain, index = statement.domain, fresh_index(statement.domain)
    nodes = {node for side in (statement.left, statement.right) for node in walk(side)}
    wanted = {node[1:3] for node in nodes if node[0] == "sum" and not is_closed(node)}
    indices = [index, f"{index}'"]
    for place in plain(domain) if wanted else ():
        sign, *sides = domain["where"][place]
        left, right = map(from_json, sides)
        for total in dict.fromkeys((*walk(left), *walk(right))):
            if total[0] == "sum" and total[1:3] in wanted and is_closed(total):
                with suppress(Rejected):
                    turned = exchanged(Statement(left, sign, right, domain), total, *indices)
                    other = exchanged(Statement(total, "<=", ZERO, domain), total, *indices).left
                    back = {"kind": "exchange", "sum": other, "indices": indices}
                    yield Lemma(turned, {**back, "proof": psatz(["n"], [["where", place]])})
