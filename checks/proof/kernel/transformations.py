"""Statements that a given one follows from: a product's factors, an increasing function of both sides, a new variable.

===================  ==========================================================================================
``"product"``        the goal is the product of ``factors`` by its normal form; ``proofs`` shows each to be
                     non-negative
``"increasing"``     the goal is ``large`` - ``small`` by its normal form; ``proof`` compares their images under
                     ``function``: ``log`` and ``square`` ask for sides known to be positive and non-negative,
                     ``exp`` for nothing
``"substitution"``   ``variable`` = ``value``, an expression in the parameter that ``new`` declares and in the
                     others; ``inverse`` says which value of that gives a value of the variable
===================  ==========================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ZERO, Tree, is_name, multiply, names, rational, substitute, subtract
from boundaudit.checks.language.statement import Relation, Statement
from boundaudit.checks.proof.kernel.domains import fixed, lies_within, on, parameter, stands_alone, trees_of


def factor_statements(statement: Statement, factors: Sequence[Tree]) -> list[Statement]:
    """That each factor of the goal is non-negative, or positive where the goal has to be."""
    if not factors or not NormalForm(statement.domain).vanishes(subtract(statement.goal, multiply(*factors))):
        raise Rejected("the goal is not the product of these factors")
    return [Statement(ZERO, _sign(statement), factor, statement.domain) for factor in factors]


def image_statement(statement: Statement, function: str, small: Tree, large: Tree) -> Statement:
    """The comparison of two images under an increasing function, from which that of the sides follows."""
    form = NormalForm(statement.domain)
    if not form.vanishes(subtract(statement.goal, subtract(large, small))):
        raise Rejected("the goal is not the difference of these sides")
    sizes = [form.range_of(side) for side in (small, large)]
    positive, nonnegative = all(size.positive for size in sizes), all(size.nonnegative for size in sizes)
    if not {"log": positive, "square": nonnegative, "exp": True}.get(function):
        raise Rejected(f"not an increasing function of what these sides are known to be: {function}")
    low, high = (("^", x, rational(2)) if function == "square" else (function, x) for x in (small, large))
    return Statement(low, _sign(statement), high, statement.domain)


def substituted(statement: Statement, name: str, new: Mapping[str, Any], value: Tree, inverse: Tree) -> Statement:
    """The statement with a value in a new parameter, declared last, put in place of an old one."""
    # To every value of the old parameter belongs one of the new, by the inverse: what holds for all of these
    # holds for all of those.
    domain = statement.domain
    parameter(domain, name, "reals", "integers")
    ends = trees_of({"low": new["low"], "high": new["high"]})
    low_open, high_open = map(bool, new["open"])
    declared = {"name": new["name"], "range": "reals", "low": None, "high": None, "open": [low_open, high_open], **ends}
    others = stands_alone(domain, name)
    taken = {other["name"] for other in others["parameters"]}
    if not is_name(new["name"]) or new["name"] in taken:
        raise Rejected(f"not a fresh parameter: {new['name']}")
    if not names(value) <= taken | {new["name"]} or not set().union(*map(names, ends.values())) <= taken:
        raise Rejected("the new parameter or its range is not in terms of the others")
    form = NormalForm(domain)
    if not form.vanishes(subtract(substitute(value, {new["name"]: inverse}), ("v", name))):
        raise Rejected("the inverse does not give the old parameter back")
    if not lies_within(form, inverse, declared):
        raise Rejected("the inverse is not known to lie in the range of the new parameter")
    put = fixed(statement, name, value)
    return on(put, {**put.domain, "parameters": [*others["parameters"], declared]})


def _sign(statement: Statement) -> Relation:
    return "<" if statement.is_strict else "<="
