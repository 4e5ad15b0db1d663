"""Proofs by induction over an integer parameter on which sums or exponents grow.

The step asks for goal(n+1) ≥ 0 where goal(n) ≥ 0 is known. With a multiple s ≥ 0 of the latter, goal(n+1) - s·goal(n)
speaks of no sum and of no growing power any more: it is proved as a statement of its own. Where one side is free of n,
what the sum still lacks is taken off it first (Σ 1/k² ≤ 2 - 1/n instead of 2).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    ONE,
    ZERO,
    Tree,
    from_json,
    is_closed,
    multiply,
    names,
    opened,
    rational,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import Attempt, Context
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.induction import base_statements, step_statement
from boundaudit.checks.proof.kernel.sums import without_last
from boundaudit.checks.proof.multipliers import multipliers
from boundaudit.checks.proof.witness import probe

NAME = "induction"
_MOST_TERMS = 40
_SHARES = (Fraction(1), Fraction(2), Fraction(1, 2))


def induction(statement: Statement, context: Context) -> Attempt:
    """Climb along each parameter that ends a sum or stands in an exponent.

    Returns:
        Proved with a certificate of kind induction, or of kind psatz from a stronger statement proved so, or unknown.
    """
    for name, start in _ladders(statement):
        found = _climb(statement, name, start, context) or _from_stronger(statement, name, start, context)
        if found is not None:
            return Attempt("proved", NAME, found)
    return Attempt("unknown", NAME)


def _ladders(statement: Statement) -> Iterator[tuple[str, Tree]]:
    """Parameters with the values at which to start: another parameter that ends there, else the lower end."""
    integers = [found for found in statement.domain["parameters"] if found["range"] == "integers"]
    for declared in integers:
        name = declared["name"]
        if declared["low"] is not None and any(_grows(node, name) for node in walk(statement.goal)):
            ended = (
                ("v", k["name"]) for k in integers if k["high"] is not None and from_json(k["high"]) == ("v", name)
            )
            yield name, next(ended, from_json(declared["low"]))


def _grows(node: Tree, name: str) -> bool:
    if node[0] == "sum":
        return name in names(node[2])
    return node[0] == "^" and name in names(node[2]) and name not in names(node[1])


def _climb(statement: Statement, name: str, start: Tree, context: Context) -> Certificate | None:
    try:
        step = _step(step_statement(statement, name, start, 1), context)
        bases = [context.prove(base).certificate for base in base_statements(statement, name, start, 1)] if step else []
    except Rejected:
        return None
    if step is None or None in bases:
        return None
    return {"kind": NAME, "variable": name, "start": start, "bases": bases, "step": step}


# --- the step ------------------------------------------------------------------------------------


def _step(step: Statement, context: Context) -> Certificate | None:
    """The last terms of the sums written apart, and what remains."""
    name = step.domain["parameters"][-1]["name"]
    nodes = [*walk(step.left), *walk(step.right)]
    found: list[Tree] = []
    for total in dict.fromkeys(node for node in nodes if node[0] == "sum" and is_closed(node)):
        if name in names(total[2]):
            step = without_last(step, total)
            found.append(total)
    proof = _passed_on(step, context)
    for total in reversed(found):
        proof = proof and {"kind": "last term", "sum": total, "proof": proof}
    return proof


def _passed_on(step: Statement, context: Context) -> Certificate | None:
    if step.relation == "=":
        sides = {sign: Statement(step.left, sign, step.right, step.domain) for sign in ("<=", ">=")}
        proofs = {sign: multipliers(side, context).certificate for sign, side in sides.items()}
        return None if None in proofs.values() else {"kind": "both", **proofs}
    direct = multipliers(step, context).certificate
    return direct or next(_by_multiples(step, context), None)


def _by_multiples(step: Statement, context: Context) -> Iterator[Certificate]:
    """Proofs from a multiple of the statement at n, and a lemma about what remains."""
    *where, (relation, *sides) = step.domain["where"]
    domain = {**step.domain, "where": where}
    form = NormalForm(domain)
    before = form.ratio(Statement(sides[0], relation, sides[1], domain).goal)
    after = form.ratio(step.goal)
    way = 1 if relation.startswith("<") else -1
    pairs = zip((step.left, step.right)[::way], sides[::way], strict=True)
    small, large = (_quotient(form, *pair) for pair in pairs)
    for multiple in (form.constant(1), large, small):
        if multiple is not None and form.bounds(multiple).nonnegative:
            rest = form.subtract(after, form.multiply(multiple, before))
            yield from _with_rest(step, form, multiple, rest, None, context)
    if small is not None and large is not None and form.bounds(large).nonnegative:
        yield from _with_rest(step, form, large, form.subtract(large, small), sides[::way][0], context)


def _quotient(form: NormalForm, after: Tree, before: Tree) -> Ratio | None:
    """A side at n + 1 over the same at n, where that is known and speaks of no sum."""
    try:
        found = form.ratio(multiply(after, ("^", before, rational(-1))))
    except Rejected:
        return None
    return None if any(form.atoms[k].key[0] == "sum" for k in form.used(found.num * found.den)) else found


def _with_rest(
    step: Statement, form: NormalForm, multiple: Ratio, rest: Ratio, times: Tree | None, context: Context
) -> Iterator[Certificate]:
    """goal(n+1) as the multiple of goal(n) and the rest, times a non-negative side where one is given."""
    *where, _ = step.domain["where"]
    if len(rest.num) > _MOST_TERMS or (times is not None and not form.range_of(times).nonnegative):
        return
    terms: list[list[Any]] = [[["n", 1]], [[["where", len(where)], 1], [["sign", form.tree(multiple)], 1]]]
    found: Certificate = {"kind": "psatz"}
    if not rest.num.is_zero():
        lemma = Statement(ZERO, "<=", form.tree(rest), {**step.domain, "where": where})
        if probe(lemma, context).outcome == "refuted" or (proof := context.prove(lemma).certificate) is None:
            return
        found["lemmas"] = [{"statement": lemma.to_json(), "certificate": proof}]
        terms.append([[["where", len(where) + 1], 1], *([] if times is None else [[["sign", times], 1]])])
    yield {**found, "terms": [{"weight": [1, 1], "factors": factors} for factors in terms]}


# --- a stronger statement ------------------------------------------------------------------------


def _from_stronger(statement: Statement, name: str, start: Tree, context: Context) -> Certificate | None:
    """The bound less a share of the last term, or of n times that, which sums to what later terms may add."""
    small, large = (
        (statement.left, statement.right) if statement.relation == "<=" else (statement.right, statement.left)
    )
    if statement.relation == "=" or statement.is_strict or small[0] != "sum" or name in names(large):
        return None
    last = opened(small, small[2])
    for factor in (ONE, ("v", name)):
        for share in _SHARES:
            less = multiply(rational(share), factor, last)
            stronger = Statement(small, "<=", subtract(large, less), statement.domain)
            if not NormalForm(statement.domain).range_of(less).nonnegative or _fails(stronger, context):
                continue
            proof = _climb(stronger, name, start, context)
            if proof is not None:
                terms: list[Any] = [["n", 1], [["where", len(statement.domain["where"])], 1], [["sign", less], 1]]
                return {
                    "kind": "psatz",
                    "lemmas": [{"statement": stronger.to_json(), "certificate": proof}],
                    "terms": [{"weight": [1, 1], "factors": [term]} for term in terms],
                }
    return None


def _fails(statement: Statement, context: Context) -> bool:
    return probe(statement, context).outcome == "refuted"
