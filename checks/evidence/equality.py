"""Whether the sides of a claim are equal where it says so."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq

from boundaudit.checks.evidence.evidence import Evidence, holds_at
from boundaudit.checks.language import points as point_json
from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.expression import names
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree


def equality(claim: Claim) -> Evidence:
    """Whether the sides are equal where the claim says so; exact algebra decides.

    A wrong equality case says nothing against the inequality: it leaves the claim undecided as stated. Inapplicable
    where no rational one is stated.
    """
    statement = claim.statement_form
    points = [{name: _exact_value(value) for name, value in point.items()} for point in claim.equality_points]
    exact = [point for point in points if None not in point.values()]
    if statement is None or not exact:
        return Evidence("equality", "inapplicable", "no rational equality case to decide", 0)
    same = Statement(statement.left, "=", statement.right, statement.domain)
    for point in exact:
        shown = ", ".join(f"{name} = {value}" for name, value in point_json.to_json(point).items())
        if claim.domain.contains(point) is not True:
            return Evidence("equality", "undecided", f"the stated equality case {shown} is not in the domain", 1)
        if holds_at(same, point) is not True:
            return Evidence("equality", "undecided", f"the stated equality case {shown} does not give equality", 1)
    return Evidence("equality", "holds", f"attained at {len(exact)} stated points, in exact arithmetic", len(exact))


def _exact_value(value: Any) -> Any:
    """A stated value as points hold it: an int, a Fraction or a tuple of them; None where it is not rational."""
    if isinstance(value, (tuple, list)):
        entries = tuple(_exact_value(entry) for entry in value)
        return None if None in entries else entries
    tree = to_tree(value)
    found = None if names(tree) else evaluate(tree, {})
    if not isinstance(found, fmpq):
        return None
    return int(found.p) if found.q == 1 else Fraction(int(found.p), int(found.q))
