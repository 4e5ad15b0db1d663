"""What a statement follows from: a complete list of cases, a product's factors, images of its sides, a new variable.

===================  ==========================================================================================
``"cases"``          each case of ``split`` has one of ``proofs``
``"product"``        the goal is the product of ``factors`` by its normal form; ``proofs`` shows each to be
                     non-negative
``"increasing"``     the goal is ``large`` - ``small`` by its normal form; ``proof`` compares their images under
                     ``function``: ``log`` and ``square`` ask for sides known to be positive and non-negative,
                     ``exp`` for nothing
``"substitution"``   ``variable`` = ``value``, an expression in the parameter that ``new`` declares and in the
                     others; ``inverse`` says which value of that gives a value of the variable
``"for all"``        ``lemma`` is shown for any integer ``index`` between two ``ends``; ``proof`` may use it as
                     one more relation for all indices
===================  ==========================================================================================

A split is one of these:

===========================  =====================================================================
``["choices", name]``        each value of a parameter
``["sign", tree]``           the tree ≥ 0, the tree ≤ 0
``["trichotomy", tree]``     the tree < 0, = 0, > 0
``["around", name, tree]``   a parameter below a point, at it, and above
``["at", name, tree]``       the range of a parameter below a point, and above; both hold the point
``["end", name, side]``      a parameter at its ``low`` or ``high`` end, and the range without that end
``["alternatives", k]``      each list of inequalities of which relation k of the domain says that one holds
===========================  =====================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    add,
    bound,
    from_json,
    multiply,
    names,
    square,
    substitute,
    subtract,
)
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.kernel import domains
from boundaudit.checks.proof.kernel.domains import Domain


def case_statements(statement: Statement, split: Any) -> list[Statement]:
    """One statement for each case of a split; together they say the same as the given one."""
    match split:
        case ["choices", name]:  # each value of a parameter
            values = domains.parameter(statement.domain, name, "choices")["values"]
            return [domains.fixed(statement, name, from_json(value)) for value in values]
        case ["sign" | "trichotomy" as rule, data]:  # the sign of (-1)ⁿ splits by the parity of n
            tree = from_json(data)
            NormalForm(statement.domain).ratio(tree)
            known = [[">="], ["<="]] if rule == "sign" else [["<"], ["<=", ">="], [">"]]
            cut = [domains.assume(statement.domain, *((sign, tree, ZERO) for sign in signs)) for signs in known]
            return [domains.on(statement, domain) for domain in cut]
        case ["around", name, data]:
            return _around(statement, name, from_json(data))
        case ["at", name, data]:
            return [domains.on(statement, domain) for domain in _halves(statement.domain, name, from_json(data))]
        case ["end", name, ("low" | "high") as side]:
            return _end(statement, name, side)
        case ["alternatives", position]:
            return _alternatives(statement, position)
    raise Rejected(f"unknown split into cases: {split}")


def _alternatives(statement: Statement, position: Any) -> list[Statement]:
    """The statement with one after the other of some alternatives among the relations of its domain."""
    where = statement.domain["where"]
    if type(position) is not int or not 0 <= position < len(where) or where[position][0] != "or":
        raise Rejected(f"relation {position} of the domain leaves no alternatives")
    before, after = where[:position], where[position + 1 :]
    cut = ([*before, *way, *after] for way in where[position][1:])
    return [domains.on(statement, {**statement.domain, "where": list(relations)}) for relations in cut]


def _around(statement: Statement, name: str, point: Tree) -> list[Statement]:
    """The statement below a point that has a value everywhere, at it where it lies in the range, and above."""
    declared = _declared(statement.domain, name, point)
    ends, opened = trees_of(declared), declared.get("open", (False, False))
    below, above = (
        domains.on(statement, domains.assume(statement.domain, (sign, ("v", name), point))) for sign in "<>"
    )
    there = domains.fixed(statement, name, point)
    signs = (("low", ">" if opened[0] else ">="), ("high", "<" if opened[1] else "<="))
    within = [(sign, point, ends[side]) for side, sign in signs if side in ends]
    return [below, domains.on(there, domains.assume(there.domain, *within)), above]


def _halves(domain: Domain, name: str, point: Tree) -> list[Domain]:
    """The domain with a range cut at a point that has a value everywhere; either half may be empty somewhere."""
    declared = _declared(domain, name, point)
    below, above = {**declared, "high": point}, {**declared, "low": point}
    if declared["range"] == "reals":
        low_open, high_open = declared["open"]
        below["open"], above["open"] = [low_open, False], [False, high_open]
    # The point may use any other parameter: this one is declared last, and none may rest on it.
    return [domains.stands_alone(domain, name, half) for half in (below, above)]


def _declared(domain: Domain, name: str, point: Tree) -> dict[str, Any]:
    """The declaration of a number that may lie on either side of a point, an expression in the others."""
    if name in names(point):
        raise Rejected(f"the point depends on {name}")
    NormalForm(domain).ratio(point)
    return domains.parameter(domain, name, "reals", "integers")


def _end(statement: Statement, name: str, side: str) -> list[Statement]:
    """The statement at an end of a range, and on the range without it."""
    declared = domains.parameter(statement.domain, name, "reals", "integers")
    if declared[side] is None:
        raise Rejected(f"the range of {name} has no {side} end")
    end, low = from_json(declared[side]), side == "low"
    if declared["range"] == "integers":
        form = NormalForm(statement.domain)
        if not form.is_integer(form.ratio(end)):
            raise Rejected(f"the {side} end of {name} is not known to be an integer: the next one may be nearer")
        inner = {**declared, side: add(end, ONE) if low else subtract(end, ONE)}
    else:
        low_open, high_open = declared["open"]
        inner = {**declared, "open": [True, high_open] if low else [low_open, True]}
    others = [inner if found["name"] == name else found for found in statement.domain["parameters"]]
    return [domains.fixed(statement, name, end), domains.on(statement, {**statement.domain, "parameters": others})]


def factor_statements(statement: Statement, factors: Sequence[Tree]) -> list[Statement]:
    """That each factor of the goal is non-negative, or positive where the goal has to be."""
    if not factors or not NormalForm(statement.domain).vanishes(subtract(statement.goal, multiply(*factors))):
        raise Rejected("the goal is not the product of these factors")
    return [Statement(ZERO, domains.sign(statement), factor, statement.domain) for factor in factors]


def image_statement(statement: Statement, function: str, small: Tree, large: Tree) -> Statement:
    """The comparison of two images under an increasing function, from which that of the sides follows."""
    form = NormalForm(statement.domain)
    if not form.vanishes(subtract(statement.goal, subtract(large, small))):
        raise Rejected("the goal is not the difference of these sides")
    sizes = [form.range_of(side) for side in (small, large)]
    positive, nonnegative = all(size.positive for size in sizes), all(size.nonnegative for size in sizes)
    if not {"log": positive, "square": nonnegative, "exp": True}.get(function):
        raise Rejected(f"not an increasing function of what these sides are known to be: {function}")
    low, high = (square(x) if function == "square" else (function, x) for x in (small, large))
    return Statement(low, domains.sign(statement), high, statement.domain)


def substituted(statement: Statement, name: str, new: Mapping[str, Any], value: Tree, inverse: Tree) -> Statement:
    """The statement with a value in a new parameter, declared last, put in place of an old one."""
    # To every value of the old parameter belongs one of the new, by the inverse: what holds for all of these
    # holds for all of those.
    domain = statement.domain
    domains.parameter(domain, name, "reals", "integers")
    declared = {"name": new["name"], "range": "reals", **{key: new[key] for key in ("low", "high", "open")}}
    others = domains.stands_alone(domain, name)
    form = NormalForm(domain)
    if not form.vanishes(subtract(substitute(value, {new["name"]: inverse}), ("v", name))):
        raise Rejected("the inverse does not give the old parameter back")
    if not domains.lies_within(form, inverse, declared):
        raise Rejected("the inverse is not known to lie in the range of the new parameter")
    put = domains.fixed(statement, name, value)
    return domains.on(put, {**put.domain, "parameters": [*others["parameters"], declared]})


def generalised(domain: Domain, lemma: Statement, name: str, low: Tree, high: Tree) -> Domain:
    """The domain with what a lemma says of an index, an integer between two ends under a fresh name, for all."""
    if not domains.implies(domains.with_index(domain, name, low, high), lemma.domain):
        raise Rejected("what is said of an index rests on more than the domain")
    left, right = (bound(side, name) for side in (lemma.left, lemma.right))
    return domains.assume(domain, *(("all", low, high, [sign, left, right]) for sign in domains.signs(lemma.relation)))
