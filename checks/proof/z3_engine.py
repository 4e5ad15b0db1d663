"""z3 on polynomial and square-root forms: counterexamples, and advice where to look for a proof.

A model is a counterexample once exact evaluation confirms it. ``unsat`` names
the hypotheses that contradict the negated goal; multipliers are then sought
among those alone, and only what they prove counts. Budgets are resource units.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import z3
from flint import fmpq_mpoly

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import Tree, from_json
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.hypotheses import Hypotheses
from boundaudit.checks.proof.multipliers import candidate_labels, search
from boundaudit.checks.proof.witness import refutes

_DIGITS = 20
_DEGREE = 6
"""The largest total degree that z3 is asked about: beyond it single steps of its procedure outrun any budget."""


def by_z3(statement: Statement, context: Context) -> Attempt:
    """Ask z3 whether the negated goal contradicts the hypotheses.

    Returns:
        Proved with a certificate of kind psatz, refuted with an exact point, or unknown.
    """
    if statement.relation == "=":
        return Attempt("unknown", "z3", notes=("z3 is asked about inequalities",))
    hypotheses = Hypotheses(statement.domain)
    candidates = candidate_labels(hypotheses, statement.goal)
    labels = [label for label in candidates if _degree(hypotheses.excess(label)[0]) <= _DEGREE]
    if _degree(hypotheses.form.ratio(statement.goal)) > _DEGREE:
        return Attempt("unknown", "z3", notes=(f"z3 is asked about degrees up to {_DEGREE}",))
    solver, variables = _question(hypotheses, statement, labels, context.budget.resource)
    answer = solver.check()
    if answer == z3.sat:
        point = _point(statement, hypotheses.form, variables, solver.model())
        if point is not None and refutes(statement, point):
            return Attempt("refuted", "z3", counterexample=point)
        return Attempt("unknown", "z3", notes=("z3 has a model, but no exact point of the domain confirms it",))
    if answer == z3.unsat:
        core = {str(name) for name in solver.unsat_core()}
        chosen = [label for k, label in enumerate(labels) if f"h{k}" in core]
        found = search(hypotheses, statement.goal, chosen, context.budget.columns)
        if found.certificate is not None:
            return Attempt("proved", "z3", found.certificate, effort=found.effort)
        return Attempt("unknown", "z3", notes=("unsat by z3 alone: no certificate, so nothing is proved",))
    return Attempt("unknown", "z3", notes=("z3 ran out of resources",))


def _question(
    hypotheses: Hypotheses, statement: Statement, labels: list[Any], resource: int
) -> tuple[z3.Solver, list[Any]]:
    """The hypotheses, each under a name, and the negated goal."""
    form = hypotheses.form
    goal = form.ratio(statement.goal)
    excesses = [hypotheses.excess(label) for label in labels]
    variables = [_variable(form, position) for position in range(len(form.atoms))]
    solver = z3.Solver()
    solver.set("rlimit", resource)
    solver.set("random_seed", 0)
    for position, atom in enumerate(form.atoms):
        if atom.relation is not None:
            value = atom.relation.value
            solver.add(
                variables[position] ** atom.relation.degree * _z3(value.den, variables) == _z3(value.num, variables)
            )
    for declared in statement.domain["parameters"]:
        found = form.find(("v", declared["name"])) if declared["range"] == "choices" else None
        if found is not None:
            options = [form.ratio(from_json(value)).num for value in declared["values"]]
            solver.add(z3.Or([_z3(found.num, variables) == _z3(option, variables) for option in options]))
    for k, (value, strict) in enumerate(excesses):
        solver.assert_and_track(_positive(value, variables, strict=strict), f"h{k}")
    solver.add(_positive(Ratio(-goal.num, goal.den), variables, strict=True))
    return solver, variables


def _degree(value: Ratio) -> int:
    """The total degree of what z3 would be told about a ratio: numerator times denominator."""
    return int(value.num.total_degree() + value.den.total_degree())


def _variable(form: NormalForm, position: int) -> Any:
    atom = form.atoms[position]
    return z3.ToReal(z3.Int(f"x{position}")) if atom.integer else z3.Real(f"x{position}")


def _positive(value: Ratio, variables: list[Any], *, strict: bool) -> Any:
    """num/den > 0 or ≥ 0, without the division."""
    product = _z3(value.num, variables) * _z3(value.den, variables)
    return product > 0 if strict else product >= 0


def _z3(poly: fmpq_mpoly, variables: list[Any]) -> Any:
    total: Any = z3.RealVal(0)
    for value, monomial in NormalForm.terms(poly):
        term: Any = z3.Q(value.numerator, value.denominator)
        for position, power in enumerate(monomial.degrees()):
            for _ in range(int(power)):
                term = term * variables[position]
        total = total + term
    return total


def _point(statement: Statement, form: NormalForm, variables: list[Any], model: Any) -> dict[str, Any] | None:
    """The scalar parameters of a model; None where the domain has others."""
    point: dict[str, Any] = {}
    for declared in statement.domain["parameters"]:
        key: Tree = ("v", declared["name"])
        position = next((k for k, atom in enumerate(form.atoms) if atom.key == key), None)
        if position is None:
            return None
        value = _number(model.eval(variables[position], model_completion=True))
        point[declared["name"]] = int(value) if declared["range"] == "integers" else value
    return point


def _number(value: Any) -> Fraction:
    """A rational of the model; an algebraic number to some digits, to be confirmed afterwards."""
    exact = value.approx(_DIGITS) if z3.is_algebraic_value(value) else value
    return Fraction(exact.as_fraction())
