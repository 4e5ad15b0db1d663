"""What the checker accepts about sums and integers: terms, telescoping, exchange, a last term apart, induction.

Each rule turns a statement and a part of the certificate into what is left to prove; engines and the checker share
these functions.

By induction over an integer parameter n, a statement holds at the first values n = start, start + 1, …, each shown by
one of ``bases``, and passes on from n to n + 1, shown by ``step``. The start is an integer in terms of the other
parameters, and none of the parameter's values lies below it. One climbs from it to the upper end of the parameter's
range, the other parameters fixed: hence ends of ranges and relations that mention n are not used, and no length may
rest on it. The step proves the statement at n + 1 where n is at least the last base, and where the statement at n is
one more relation of the domain.
"""

from __future__ import annotations

from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import (
    FOLDS,
    ONE,
    ZERO,
    Tree,
    add,
    from_json,
    multiply,
    names,
    opened,
    rational,
    replaced,
    substitute,
    subtract,
    summation,
    walk,
)
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.kernel import domains
from boundaudit.checks.proof.kernel.domains import Domain


def terms_statement(statement: Statement, total: Tree, name: str) -> Statement:
    """That each term of a sum is non-negative, where the goal has the same normal form as that sum."""
    # The index becomes an integer parameter of a new name, and vector entries at the index become reals, of which holds
    # what the domain says of all indices of the sum.
    domain, index = domains.with_index(statement.domain, name, *_ends(total)), ("v", name)
    added = total[3][1:] if total[3][0] == "+" else total[3:]
    whole = add(*((*total[:3], part) for part in added))  # a quotient of its own would not come apart again
    if not NormalForm(statement.domain).vanishes(subtract(statement.goal, whole)):
        raise Rejected("the goal is not the sum of these terms")
    of_all = (given for given in domain["where"] if given[0] == "all")
    said = [domains.at_index(given, index) for given in of_all if (*map(from_json, given[1:3]),) == _ends(total)]
    body = opened(total, index)
    nodes = (node for tree in (body, *(side for _, *sides in said for side in sides)) for node in walk(tree))
    for vector in sorted({node[1] for node in nodes if node[0] == "item" and node[2:] == (index,)}):
        item, number = ("item", vector, index), ("v", f"{vector}_{name}")
        NormalForm(domain).ratio(item)  # the index lies within the vector
        declared = domains.parameter(domain, vector, "vector")
        fresh = {key: declared.get(key) for key in ("low", "high", "open")}
        domain = domains.declare(domain, {"name": number[1], "range": "reals", **fresh})
        body = replaced(body, item, number)
        said = [[sign, *(replaced(side, item, number) for side in sides)] for sign, *sides in said]
    return Statement(ZERO, "<=", body, domains.assume(domain, *said))


def telescoped(statement: Statement, total: Tree, name: str, antidifference: Tree) -> Statement:
    """The statement with a sum replaced by the value of its antidifference, in a new name, at the upper end."""
    # A(high) stands for the sum where A(i) - A(i-1) = body(i), A(low - 1) = 0 and high ≥ low - 1.
    low, high = _ends(total)
    indexed, form = domains.with_index(statement.domain, name, low, high), NormalForm(statement.domain)
    if not form.range_of(add(subtract(high, low), ONE)).nonnegative:
        raise Rejected("the upper end of the sum is not known to reach the lower end less 1")
    before = substitute(antidifference, {name: subtract(("v", name), ONE)})
    if not NormalForm(indexed).vanishes(subtract(subtract(antidifference, before), opened(total, ("v", name)))):
        raise Rejected("the difference of the antidifference is not the body of the sum")
    if not form.vanishes(substitute(antidifference, {name: subtract(low, ONE)})):
        raise Rejected("the antidifference does not vanish before the first term")
    value = substitute(antidifference, {name: high})
    return domains.mapped(statement, lambda side: replaced(side, total, value), statement.domain)


def exchanged(statement: Statement, total: Tree, outer: str, inner: str) -> Statement:
    """The statement with the indices of a double sum, under new names, exchanged."""
    # What has a value everywhere has it in either order, the ends of an empty sum too.
    form, body = NormalForm(statement.domain), opened(total, ("v", outer))
    form.ratio(total)
    factors = list(body[1:]) if body[0] == "*" else [body]
    within = next((factor for factor in factors if factor[0] == "sum"), ZERO)
    low, high = _ends(within)
    domains.require_integers(form, low, high, *_ends(total))  # so that the inner ends have no outer index
    domains.require_fresh(domains.with_index(statement.domain, outer, *_ends(total)), inner)
    factors[factors.index(within)] = opened(within, ("v", inner))
    other = summation(inner, low, high, summation(outer, *_ends(total), multiply(*factors)))
    return domains.mapped(statement, lambda side: replaced(side, total, other), statement.domain)


def without_last(statement: Statement, total: Tree) -> Statement:
    """The statement with the last term of a sum or product, which is known to have one, written apart."""
    if total[0] not in FOLDS:
        raise Rejected("neither a sum nor a product")
    low, high, form = *total[1:3], NormalForm(statement.domain)
    domains.require_integers(form, low, high)
    if not form.range_of(subtract(high, low)).nonnegative:
        raise Rejected("the sum is not known to have a term")
    join = add if total[0] == "sum" else multiply
    apart = join((total[0], low, subtract(high, ONE), total[3]), opened(total, high))
    return domains.mapped(statement, lambda side: replaced(side, total, apart), statement.domain)


def _ends(total: Tree) -> tuple[Tree, Tree]:
    if total[0] != "sum":
        raise Rejected("not a sum")
    return total[1], total[2]


def base_statements(statement: Statement, name: str, start: Tree, count: int) -> list[Statement]:
    """The statement at the first values of a parameter."""
    if count < 1:
        raise Rejected("an induction needs a base")
    low = domains.on(statement, _climbing(statement.domain, name, start))
    return [domains.fixed(low, name, add(start, rational(step))) for step in range(count)]


def step_statement(statement: Statement, name: str, start: Tree, count: int) -> Statement:
    """The statement at n + 1, on a domain whose last relations are the statement at n."""
    climbing = _climbing(statement.domain, name, start, count - 1)
    *others, declared = climbing["parameters"]
    ends = trees_of(declared)
    high = subtract(ends["high"], ONE) if "high" in ends else None
    domain = domains.holding({**climbing, "parameters": [*others, {**declared, "high": high}]}, statement)
    return domains.mapped(statement, lambda side: substitute(side, {name: add(("v", name), ONE)}), domain)


def _climbing(domain: Domain, name: str, start: Tree, steps: int | None = None) -> Domain:
    """The domain with a parameter, now the last, from so many steps after a start up, and nothing else about it."""
    declared, form = domains.parameter(domain, name, "integers"), NormalForm(domain)
    if name in names(start) or not form.is_integer(form.ratio(start)):
        raise Rejected(f"the start is not an integer in terms of the parameters other than {name}")
    if not form.range_of(subtract(("v", name), start)).nonnegative:
        raise Rejected(f"{name} may lie below the start")
    freed = [found if found["name"] == name else _freed(found, name) for found in domain["parameters"]]
    low = start if steps is None else add(start, rational(steps))
    return domains.stands_alone(
        {"parameters": freed, "where": domains.free_of(domain, name)}, name, {**declared, "low": low}
    )


def _freed(declared: dict[str, Any], name: str) -> dict[str, Any]:
    """A declaration without the ends that mention a parameter: its range can only grow."""
    ends = trees_of(declared)
    return {**declared, **{side: None for side in ends.keys() & {"low", "high"} if name in names(ends[side])}}
