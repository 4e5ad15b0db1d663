"""Proofs by the sign of a derivative: find the anchor, divide it out, prove what remains.

The normal form of the derivative is factored over the rationals. A factor that is
linear in the parameter has its root where a valley may have its bottom; the ends
of the range serve where the goal rises or falls throughout. What a look at some
points already refutes is not tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import ONE, Tree, from_json, multiply, names, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.differentiate import NotDifferentiable, derivative
from boundaudit.checks.proof.kernel.valley import along, base_statement, slope_statement
from boundaudit.checks.proof.witness import probe

NAME = "derivative sign"


class Valley(NamedTuple):
    """A way to see the goal rise from an anchor, in the words of `valley_rules`."""

    variable: str
    anchor: Tree
    shape: str
    factor: Tree | None = None


def derivative_sign(statement: Statement, context: Context) -> Attempt:
    """Prove an inequality from a value at an anchor and the sign of a derivative.

    Args:
        statement: An inequality.
        context: Its ``prove`` is asked for the two sub-goals of each valley that a few points do not refute.

    Returns:
        Proved with a certificate of kind ``valley``, or unknown.
    """
    if statement.relation == "=":
        return Attempt("unknown", NAME, notes=("a valley proves inequalities, not equations",))
    notes: list[str] = []
    for valley in _valleys(statement):
        found = _prove(statement, valley, context)
        if isinstance(found, dict):
            return Attempt("proved", NAME, found, effort={"valleys": len(notes) + 1})
        notes.append(f"{valley.shape} along {valley.variable}: {found}")
    return Attempt("unknown", NAME, notes=tuple(notes), effort={"valleys": len(notes)})


def _prove(statement: Statement, valley: Valley, context: Context) -> Certificate | str:
    # The certificate, or what is missing.
    name, anchor, shape, factor = valley
    try:
        base = base_statement(statement, name, anchor)
        slope = slope_statement(statement, name, anchor, shape, factor)
    except Rejected as reason:
        return str(reason)
    if any(probe(part, context).outcome == "refuted" for part in (base, slope)):
        return "refuted at a point"
    proofs = {}
    for part, goal in (("base", base), ("slope", slope)):
        attempt = context.prove(goal)
        if attempt.outcome != "proved" or attempt.certificate is None:
            return f"the {part} is not proved"
        proofs[part] = attempt.certificate
    found = {"kind": "valley", "variable": name, "anchor": anchor, "shape": shape, **proofs}
    return found if factor is None else {**found, "factor": factor}


# --- where a valley may have its bottom ------------------------------------------------------------


def _valleys(statement: Statement) -> Iterator[Valley]:
    for parameter in statement.domain["parameters"]:
        if parameter["range"] == "reals" and parameter["name"] in names(statement.goal):
            yield from _vertices(statement, parameter["name"])
            for end, shape in (("low", "rising"), ("high", "falling")):
                if parameter[end] is not None:
                    yield Valley(parameter["name"], from_json(parameter[end]), shape)


def _vertices(statement: Statement, name: str) -> Iterator[Valley]:
    try:
        form = NormalForm(along(statement.domain, name))
        slope = form.ratio(derivative(statement.goal, name))
    except (Rejected, NotDifferentiable):
        return
    if slope.num.is_zero():
        return
    constant, factors = form.factors(slope)
    for poly, exponent in factors:
        line = linear(form, poly, name) if exponent > 0 else None
        if line is not None:
            anchor, lead = line
            powers = [(other, n - (other == poly)) for other, n in factors]
            parts = [rational(constant), lead, *(_power(form, other, n) for other, n in powers if n)]
            yield Valley(name, anchor, "vertex", multiply(*([p for p in parts if p != ONE] or [ONE])))


def linear(form: NormalForm, poly: fmpq_mpoly, name: str) -> tuple[Tree, Tree] | None:
    """Root and leading coefficient of a polynomial that is linear in a parameter, and in nothing made of it.

    Returns:
        Two trees; None where it is not linear, or the coefficient may vanish.
    """
    generator = form.find(("v", name))
    if generator is None:
        return None
    lead = poly.derivative(form.used(generator.num)[0])
    rest = poly - lead * generator.num
    if lead.is_zero() or name in form.names(lead) | form.names(rest):
        return None
    try:
        inverse = form.power(Ratio(lead), -1)
    except Rejected:
        return None
    return form.tree(form.multiply(Ratio(-rest), inverse)), form.tree(Ratio(lead))


def _power(form: NormalForm, poly: fmpq_mpoly, exponent: int) -> Tree:
    base = form.tree(Ratio(poly))
    return base if exponent == 1 else ("^", base, rational(exponent))
