"""What the checker accepts of a proof by the sign of a derivative along a real parameter v.

===========  ==========================================================================================
``valley``   ``base``: goal ≥ 0 at v = ``anchor``; ``slope``, for the ``shape`` ``rising``: the derivative
             is ≥ 0 and the anchor v's lower end; for ``falling``: ≤ 0, and the upper end
``fading``   ``bound``: goal ≥ -``size``/v, the size an expression in the others; ``slope``: the derivative
             is ≤ 0, and v has no upper end: what falls for ever, to no less than 0, is never below
``concave``  ``low``, ``high``: goal ≥ 0 at both ends; ``curvature``: the second derivative is ≤ 0
===========  ==========================================================================================

The anchor is an expression in the other parameters between v's ends; an open end may be the anchor, for the goal is
continuous where it is defined. The way from the anchor stays within v's range: hence no other range may depend on v,
and relations of the domain that mention v are not used. (Our derivation, from the mean value theorem.)
"""

from __future__ import annotations

from boundaudit.checks.language.algebra.derivatives import derivative
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.expression import ZERO, Tree, multiply, names, rational, substitute, subtract
from boundaudit.checks.language.statement import Statement, trees_of
from boundaudit.checks.proof.kernel import domains
from boundaudit.checks.proof.kernel.domains import Domain


def along(domain: Domain, name: str) -> Domain:
    """The domain in which one moves along a real parameter, without the relations that mention it."""
    # Only the inside of its range counts: the mean value theorem asks for no derivative at the ends.
    inside = {**domains.parameter(domain, name, "reals"), "open": [True, True]}
    domains.stands_alone(domain, name)
    parameters = [inside if found["name"] == name else found for found in domain["parameters"]]
    return {"parameters": parameters, "where": domains.free_of(domain, name)}


def base_statement(statement: Statement, name: str, anchor: Tree) -> Statement:
    """The goal at an anchor that lies between the parameter's ends, on the domain of the other parameters."""
    if name in names(anchor):
        raise Rejected(f"the anchor depends on {name}")
    others = domains.stands_alone(along(statement.domain, name), name)
    closed = {**domains.parameter(statement.domain, name, "reals"), "open": (False, False)}
    if not domains.lies_within(NormalForm(others), anchor, closed):
        raise Rejected(f"the anchor is not known to lie between the ends of {name}")
    return Statement(ZERO, domains.sign(statement), substitute(statement.goal, {name: anchor}), others)


def slope_statement(statement: Statement, name: str, anchor: Tree, shape: str) -> Statement:
    """The sign of the derivative that keeps the goal from falling on the way from the anchor."""
    domain, slope = along(statement.domain, name), derivative(statement.goal, name)
    ahead = NormalForm(domain).range_of(subtract(("v", name), anchor))
    if shape == "rising" and ahead.nonnegative:
        return Statement(slope, ">=", ZERO, domain)
    if shape == "falling" and (-ahead).nonnegative:
        return Statement(slope, "<=", ZERO, domain)
    raise Rejected(f"a valley of the shape {shape} does not start at this anchor")


def fading_statements(statement: Statement, name: str, size: Tree) -> dict[str, Statement]:
    """That the goal is nowhere less than -size/v, and falls as v grows."""
    domain = along(statement.domain, name)
    if name in names(size) or domains.parameter(domain, name, "reals")["high"] is not None:
        raise Rejected(f"the goal does not fade as {name} grows")
    least = multiply(rational(-1), size, ("^", ("v", name), rational(-1)))
    slope = Statement(derivative(statement.goal, name), "<=", ZERO, domain)
    return {"bound": Statement(least, "<=", statement.goal, domain), "slope": slope}


def concave_statements(statement: Statement, name: str) -> dict[str, Statement]:
    """The goal at both ends, and the sign of its second derivative between them."""
    domain = along(statement.domain, name)
    ends = trees_of(domains.parameter(domain, name, "reals"))
    if not {"low", "high"} <= ends.keys():
        raise Rejected(f"the range of {name} has not two ends")
    found = {side: base_statement(statement, name, ends[side]) for side in ("low", "high")}
    curvature = derivative(derivative(statement.goal, name), name)
    return {**found, "curvature": Statement(curvature, "<=", ZERO, domain)}
