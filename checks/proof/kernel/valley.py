"""What the checker accepts of a proof by the sign of a derivative.

Along one real parameter v, the goal is non-negative at an anchor and does not
fall on the way from there to any other value::

    {"kind": "valley", "variable": v, "anchor": tree, "shape": shape, "base": certificate, "slope": certificate}

With d the derivative of the goal by v, ``base`` proves goal ≥ 0 at v = anchor, and ``slope`` proves

===========  ==========================================================================
``rising``   d ≥ 0, where the anchor is v's lower end
``falling``  d ≤ 0, where the anchor is v's upper end
===========  ==========================================================================

The anchor is an expression in the other parameters between v's ends; an open end
may be the anchor, for the goal is continuous where it is defined. The way from the
anchor stays within v's range: hence no other range may depend on v, and relations of
the domain that mention v are not used. (Our derivation, from the mean value theorem.)

Or the goal is concave in v between two ends, and therefore nowhere less than at both::

    {"kind": "concave", "variable": v, "low": certificate, "high": certificate, "curvature": certificate}
"""

from __future__ import annotations

from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ZERO, Tree, from_json, names, substitute, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.differentiate import NotDifferentiable, derivative
from boundaudit.checks.proof.kernel.domains import Domain, parameter, trees_of


def along(domain: Domain, name: str) -> dict[str, Any]:
    """The domain in which one moves along a real parameter, without the relations that mention it."""
    # Only the inside of its range counts: the mean value theorem asks for no derivative at the ends.
    inside = {**parameter(domain, name, "reals"), "open": [True, True]}
    for other in domain["parameters"]:
        if any(name in names(tree) for tree in trees_of(other).values()):
            raise Rejected(f"the range of {other['name']} depends on {name}")
    kept = [[r, a, b] for r, a, b in domain["where"] if name not in names(from_json(a)) | names(from_json(b))]
    return {"parameters": [inside if p["name"] == name else p for p in domain["parameters"]], "where": kept}


def base_statement(statement: Statement, name: str, anchor: Tree) -> Statement:
    """The goal at an anchor that lies between the parameter's ends, on the domain of the other parameters."""
    if name in names(anchor):
        raise Rejected(f"the anchor depends on {name}")
    domain = along(statement.domain, name)
    others = {**domain, "parameters": [other for other in domain["parameters"] if other["name"] != name]}
    ends = trees_of(parameter(domain, name, "reals"))
    gaps = [subtract(anchor, ends["low"])] if "low" in ends else []
    gaps += [subtract(ends["high"], anchor)] if "high" in ends else []
    form = NormalForm(others)
    if not all(form.range_of(gap).nonnegative for gap in gaps):
        raise Rejected(f"the anchor is not known to lie between the ends of {name}")
    return Statement(ZERO, "<" if statement.is_strict else "<=", substitute(statement.goal, {name: anchor}), others)


def slope_statement(statement: Statement, name: str, anchor: Tree, shape: str) -> Statement:
    """The sign of the derivative that keeps the goal from falling on the way from the anchor."""
    domain = along(statement.domain, name)
    try:
        slope = derivative(statement.goal, name)
    except NotDifferentiable as error:
        raise Rejected(str(error)) from error
    ahead = NormalForm(domain).range_of(subtract(("v", name), anchor))
    if shape == "rising" and ahead.nonnegative:
        return Statement(slope, ">=", ZERO, domain)
    if shape == "falling" and (-ahead).nonnegative:
        return Statement(slope, "<=", ZERO, domain)
    raise Rejected(f"a valley of the shape {shape} does not start at this anchor")


def concave_statements(statement: Statement, name: str) -> dict[str, Statement]:
    """The goal at both ends, and the sign of its second derivative between them."""
    domain = along(statement.domain, name)
    ends = trees_of(parameter(domain, name, "reals"))
    try:
        curvature = derivative(derivative(statement.goal, name), name)
        found = {side: base_statement(statement, name, ends[side]) for side in ("low", "high")}
    except (NotDifferentiable, KeyError) as error:
        raise Rejected(f"the goal is not concave along {name}: {error}") from error
    return {**found, "curvature": Statement(curvature, "<=", ZERO, domain)}
