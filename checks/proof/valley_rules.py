"""What the checker accepts of a proof by the sign of a derivative.

Along one real parameter v, the goal is non-negative at an anchor and does not
fall on the way from there to any other value::

    {"kind": "valley", "variable": v, "anchor": tree, "shape": shape,
     "base": certificate, "slope": certificate, "factor": tree}

With d the derivative of the goal by v, ``base`` proves goal ≥ 0 at v = anchor, and ``slope`` proves

===========  ==========================================================================
``rising``   d ≥ 0, where the anchor is v's lower end
``falling``  d ≤ 0, where the anchor is v's upper end
``vertex``   factor ≥ 0, where d = (v - anchor) · factor by its normal form
===========  ==========================================================================

The anchor is an expression in the other parameters between v's ends; an open end
may be the anchor, for the goal is continuous where it is defined. The way from the
anchor stays within v's range: hence no other range may depend on v, and relations of
the domain that mention v are not used. (Our derivation, from the mean value theorem.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm, equal
from boundaudit.checks.language.expression import ZERO, Tree, from_json, multiply, names, substitute, subtract, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.box_rules import Check
from boundaudit.checks.proof.differentiate import NotDifferentiable, derivative
from boundaudit.checks.proof.domains import parameter
from boundaudit.checks.proof.engine import Certificate, Rejected

_TREES = ("low", "high", "length", "square_sum", "count", "size", "of")


def along(domain: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The domain in which one moves along a parameter.

    Args:
        domain: A domain as JSON.
        name: A parameter with a range of reals.

    Returns:
        The domain with the inside of the parameter's range (the mean value theorem asks for no derivative at
        the ends), and without the relations that mention the parameter.

    Raises:
        Rejected: where there is no such parameter, or the range of another one depends on it.
    """
    inside = {**parameter(domain, name, "reals"), "open": [True, True]}
    for other in domain["parameters"]:
        if any(name in names(from_json(other[key])) for key in _TREES if other.get(key) is not None):
            raise Rejected(f"the range of {other['name']} depends on {name}")
    kept = [[r, a, b] for r, a, b in domain["where"] if name not in names(from_json(a)) | names(from_json(b))]
    return {"parameters": [inside if p["name"] == name else p for p in domain["parameters"]], "where": kept}


def base_statement(statement: Statement, name: str, anchor: Tree) -> Statement:
    """The goal at the anchor.

    Args:
        statement: The inequality to prove.
        name: The parameter along which one moves.
        anchor: Its value to start from, in the other parameters.

    Returns:
        A statement on the domain of the other parameters.

    Raises:
        Rejected: where the anchor is not known to lie between the parameter's ends, depends on it, or would
            be captured by a sum of the goal.
    """
    indices = {node[1] for node in walk(statement.goal) if node[0] == "sum"}
    if names(anchor) & {name, *indices}:
        raise Rejected(f"the anchor depends on {name} or on the index of a sum")
    domain = along(statement.domain, name)
    others = {**domain, "parameters": [other for other in domain["parameters"] if other["name"] != name]}
    form, ends = NormalForm(others), parameter(domain, name, "reals")
    above = [subtract(anchor, from_json(ends["low"]))] if ends["low"] is not None else []
    below = [subtract(from_json(ends["high"]), anchor)] if ends["high"] is not None else []
    if not all(form.range_of(gap).nonnegative for gap in (*above, *below)):
        raise Rejected(f"the anchor is not known to lie between the ends of {name}")
    return Statement(substitute(statement.goal, {name: anchor}), ">=", ZERO, others)


def slope_statement(statement: Statement, name: str, anchor: Tree, shape: str, factor: Tree | None) -> Statement:
    """The sign of the derivative that keeps the goal from falling on the way from the anchor.

    Args:
        statement: The inequality to prove.
        name: The parameter along which one moves.
        anchor: Where one starts.
        shape: ``rising``, ``falling`` or ``vertex``.
        factor: The derivative divided by ``name - anchor``, for a vertex.

    Returns:
        A statement on the domain in which one moves along the parameter.

    Raises:
        Rejected: where there is no derivative, the anchor is not the end that the shape needs, or the
            factor is none.
    """
    domain = along(statement.domain, name)
    try:
        slope = derivative(statement.goal, name)
    except NotDifferentiable as error:
        raise Rejected(str(error)) from error
    step = subtract(("v", name), anchor)
    if shape == "vertex" and factor is not None:
        if not equal(slope, multiply(step, factor), domain):
            raise Rejected(f"the factor times {name} minus the anchor is not the derivative")
        return Statement(factor, ">=", ZERO, domain)
    ahead = NormalForm(domain).range_of(step)
    if shape == "rising" and ahead.nonnegative:
        return Statement(slope, ">=", ZERO, domain)
    if shape == "falling" and (-ahead).nonnegative:
        return Statement(slope, "<=", ZERO, domain)
    raise Rejected(f"a valley of the shape {shape} does not start at this anchor")


def check_valley(statement: Statement, certificate: Certificate, check: Check) -> None:
    """Accept a proof by the sign of a derivative, or raise.

    Args:
        statement: What is to be proved.
        certificate: Its claimed proof, of kind ``valley``.
        check: The checker of its two sub-proofs.

    Raises:
        Rejected: where the statement is an equation, the valley is none, or a sub-proof is rejected.
    """
    if statement.relation == "=":
        raise Rejected("a valley proves inequalities, not equations")
    name, anchor = certificate["variable"], from_json(certificate["anchor"])
    factor = from_json(certificate["factor"]) if "factor" in certificate else None
    check(base_statement(statement, name, anchor), certificate["base"])
    check(slope_statement(statement, name, anchor, certificate["shape"], factor), certificate["slope"])
