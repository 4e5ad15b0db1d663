"""Proofs by induction over an integer parameter on which sums or exponents grow.

The step asks for goal(n+1) ≥ 0 where goal(n) ≥ 0 is known. With a multiple s ≥ 0 of the latter, goal(n+1) - s·goal(n)
speaks of no sum and of no growing power any more: it is proved as a statement of its own. Where one side is free of n,
what the sum still lacks is taken off it first (Σ 1/k² ≤ 2 - 1/n instead of 2).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio, Rejected
from boundaudit.checks.language.expression import (
    FOLDS,
    ONE,
    ZERO,
    Tree,
    from_json,
    multiply,
    names,
    opened,
    rational,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.engine import (
    WEAK,
    Context,
    Lemma,
    closed,
    from_lemma,
    has,
    ordered_sides,
    psatz,
    quotient,
    with_proof,
)
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.kernel.hypotheses import Hypotheses
from boundaudit.checks.proof.kernel.sums import base_statements, step_statement, without_last
from boundaudit.checks.proof.kernel.transformations import image_statement
from boundaudit.checks.proof.multipliers import candidate_labels, multipliers, search
from boundaudit.checks.proof.recursions import by_recursion
from boundaudit.checks.proof.witness import point_against

_MOST_TERMS = 40
_FAR = 100
"""A lower end beyond this is no good start, for the sums there are long: one climbs from 1."""
_SHARES = (Fraction(1), Fraction(2), Fraction(1, 2))


def induction(statement: Statement, context: Context) -> Certificate | None:
    """Climb along each parameter that ends a sum or stands in an exponent, or prove a stronger statement so."""
    for name, start in _ladders(statement):
        found = climb(statement, name, start, context) or _from_stronger(statement, name, start, context)
        if found is not None:
            return found
    return None


def _ladders(statement: Statement) -> Iterator[tuple[str, Tree]]:
    """Parameters with the values at which to start: another parameter that ends there, else the lower end."""
    recursive = any(entry[0] == "all" for entry in statement.domain["where"])
    integers = [found for found in statement.domain["parameters"] if found["range"] == "integers"]
    for declared in integers:
        name = declared["name"]
        if declared["low"] is not None and any(
            _grows(node, name, recursive=recursive) for node in walk(statement.goal)
        ):
            ended = (
                ("v", k["name"]) for k in integers if k["high"] is not None and from_json(k["high"]) == ("v", name)
            )
            low = from_json(declared["low"])
            yield name, next(ended, low)
            if low[0] == "q" and low[1] > _FAR * low[2]:
                yield name, ONE


def _grows(node: Tree, name: str, *, recursive: bool) -> bool:
    """Whether a part grows with a parameter; an entry does where something is said of all of them."""
    if node[0] in FOLDS:
        return name in names(node[2])
    if node[0] == "item":
        return recursive and name in names(node)
    if node[0] in ("gamma", "binomial"):
        return name in names(node)
    return node[0] == "^" and name in names(node[2]) and name not in names(node[1])


def climb(statement: Statement, name: str, start: Tree, context: Context) -> Certificate | None:
    """The bases and the step of an induction over a parameter from a start."""
    try:
        step = _step(step_statement(statement, name, start, 1), context)
        bases = [context.prove(base) for base in base_statements(statement, name, start, 1)] if step else []
    except Rejected:
        return None
    if step is None or None in bases:
        return None
    return {"kind": "induction", "variable": name, "start": start, "bases": bases, "step": step}


# --- the step ------------------------------------------------------------------------------------


def _step(step: Statement, context: Context) -> Certificate | None:
    """The last terms of the sums written apart, and what remains."""
    name = step.domain["parameters"][-1]["name"]
    found = [total for total in closed((step.left, step.right), *FOLDS) if name in names(total[2])]
    for total in found:
        step = without_last(step, total)
    proof = _passed_on(step, context)
    for total in reversed(found):
        proof = proof and {"kind": "last term", "sum": total, "proof": proof}
    return proof


def _passed_on(step: Statement, context: Context) -> Certificate | None:
    if step.relation == "=":
        hypotheses, proofs = Hypotheses(step.domain), {}
        for sign in ("<=", ">="):
            goal = Statement(step.left, sign, step.right, step.domain).goal
            labels = candidate_labels(hypotheses, goal)
            proofs[sign] = search(hypotheses, goal, labels, context.budget.columns)
            if proofs[sign] is None:
                return None
        return {"kind": "both", **proofs}
    direct = multipliers(step, context)
    return direct or next(_by_multiples(step, context), None) or by_recursion(step, context)


def _by_multiples(step: Statement, context: Context) -> Iterator[Certificate]:
    """Proofs from a multiple of the statement at n, and a lemma about what remains."""
    *where, (relation, *sides) = step.domain["where"]
    domain = {**step.domain, "where": where}
    form = NormalForm(domain)
    way = 1 if relation.startswith("<") else -1
    pairs = list(zip((step.left, step.right)[::way], sides[::way], strict=True))
    small, large = (_quotient(form, *pair) for pair in pairs)
    if small is not None and large is not None and form.bounds(large).positive:
        # goal(n+1) = large · goal(n) + large · (1 - small/large) · the smaller side at n
        lemma = Statement(form.tree(form.multiply(small, form.power(large, -1))), "<=", ONE, domain)
        yield from _with_lemma(step, form, large, lemma, [form.tree(large), pairs[0][1]], context)
    before, after = form.ratio(Statement(sides[0], relation, sides[1], domain).goal), form.ratio(step.goal)
    inner = int(any(has(total[3], *FOLDS) for side in sides for total in walk(side) if total[0] in FOLDS))
    for multiple in (form.constant(1), large, small):
        if multiple is not None and form.bounds(multiple).nonnegative:
            rest = form.subtract(after, form.multiply(multiple, before))
            if len(rest.num) <= _MOST_TERMS and _is_plain(form, rest, sums=inner):
                yield from _with_lemma(
                    step, form, multiple, Statement(ZERO, "<=", form.tree(rest), domain), [], context
                )


def _quotient(form: NormalForm, after: Tree, before: Tree) -> Ratio | None:
    """A side at n + 1 over the same at n, which may be 0, where that is known and plain."""
    try:
        above, below = form.ratio(after), form.ratio(before)
        if below.num.is_zero():
            return None
        whole, rest = divmod(above.num * below.den, below.num)
        if not rest.is_zero():
            found = form.ratio(quotient(after, before))
        else:
            found = form.multiply(Ratio(whole), form.power(Ratio(above.den), -1))
    except Rejected:
        return None
    return found if _is_plain(form, found) else None


def _is_plain(form: NormalForm, ratio: Ratio, sums: int = 0) -> bool:
    """Whether it speaks of no product, no factorial, and of no more than so many sums."""
    heads = [form.atoms[k].key[0] for k in form.used(ratio.num * ratio.den)]
    return {*heads}.isdisjoint(("product", "gamma")) and heads.count("sum") <= sums


def _with_lemma(
    step: Statement, form: NormalForm, multiple: Ratio, lemma: Statement, times: list[Tree], context: Context
) -> Iterator[Certificate]:
    """goal(n+1) as a multiple of goal(n) and of what a lemma says."""
    known = len(step.domain["where"])
    before = [["where", known - 1], ["sign", form.tree(multiple)]]
    left = [["where", known], *(["sign", side] for side in times)]
    if point_against(lemma) or not all(form.range_of(side).nonnegative for side in times):
        return
    proof = _by_logarithms(lemma, context) or multipliers(lemma, context) or context.prove(lemma)
    if proof is not None:
        yield psatz(["n"], before, left, lemmas=[Lemma(lemma, proof)])


def _by_logarithms(lemma: Statement, context: Context) -> Certificate | None:
    """A bound by 1 through the logarithm, which turns powers into products."""
    if lemma.right != ONE:
        return None
    try:
        proof = multipliers(image_statement(lemma, "log", lemma.left, ONE), context)
    except Rejected:
        return None
    sides = {"small": lemma.left, "large": ONE}
    return proof and {"kind": "increasing", "function": "log", **sides, "proof": proof}


# --- a stronger statement ------------------------------------------------------------------------


def _from_stronger(statement: Statement, name: str, start: Tree, context: Context) -> Certificate | None:
    """The bound less a share of the last term, or of n times that, which sums to what later terms may add."""
    small, large = ordered_sides(statement)
    recursive = any(entry[0] == "all" for entry in statement.domain["where"])  # what is left is an entry there
    if statement.relation not in WEAK or recursive or small[0] != "sum" or name in names(large):
        return None
    last = opened(small, small[2])
    for factor in (ONE, ("v", name)):
        for share in _SHARES:
            less = multiply(rational(share), factor, last)
            stronger = Statement(small, "<=", subtract(large, less), statement.domain)
            if NormalForm(statement.domain).range_of(less).nonnegative and not point_against(stronger):
                lemma = with_proof(stronger, climb(stronger, name, start, context))
                if lemma is not None:
                    return from_lemma(statement, lemma, [["sign", less]])
    return None
