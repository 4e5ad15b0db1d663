"""Proofs in which exponentials and logarithms of sums give way to their tangents at 0 and at 1.

e^z is at least 1 + z, and log S at most S - 1: as in Bernstein's bound of an exponential moment, what is left is often
linear in the sums.
"""

from __future__ import annotations

from collections.abc import Iterator

from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Ratio
from boundaudit.checks.language.expression import ONE, ZERO, Tree, add, multiply, rational, subtract, walk
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.calculus import with_calculus
from boundaudit.checks.proof.engine import WEAK, Context, from_lemma, has, negative, with_proof
from boundaudit.checks.proof.kernel.checker import Certificate
from boundaudit.checks.proof.weighted import weighted


def linearised(statement: Statement, context: Context) -> Certificate | None:
    """Put the tangent in place of an exponential or a logarithm of sums."""
    if statement.relation not in WEAK or not grows(statement.goal):
        return None
    form = NormalForm(statement.domain)
    goal = form.ratio(statement.goal)
    for by, grown, line in _grown(form, goal):
        term, turned = form.multiply(by, form.ratio(grown)), by if grown[0] == "exp" else form.scale(-1, by)
        if form.bounds(turned).nonnegative:
            left = form.add(form.subtract(goal, term), form.multiply(by, form.ratio(line)))
            rest = Statement(ZERO, "<=", form.tree(left), statement.domain)
            lemma = with_proof(rest, weighted(rest, with_calculus(context)))
            if lemma is not None:
                tangent = ["tangent", grown if grown[0] == "exp" else grown[1]]
                return from_lemma(statement, lemma, [["sign", form.tree(turned)], tangent])
    return None


def grows(tree: Tree) -> bool:
    """Whether there is an exponential, a logarithm or a power in it that is none of rational exponent."""
    return any(node[0] in ("exp", "log") or (node[0] == "^" and node[2][0] != "q") for node in walk(tree))


def _grown(form: NormalForm, goal: Ratio) -> Iterator[tuple[Ratio, Tree, Tree]]:
    """Exponentials and logarithms of sums in the terms of a goal, after what they are multiplied by, with tangents."""
    under = (goal.den if len(goal.den) == 1 else form.constant(1).den).degrees()
    for number, monomial in form.terms(goal.num):
        degrees = enumerate(zip(monomial.degrees(), under, strict=True))
        powers = {k: int(above) - int(below) for k, (above, below) in degrees if above != below}
        of_sums = [k for k in powers if has(form.atoms[k].key, "sum")]
        term = form.scale(number, Ratio(monomial, goal.den))
        grow = tuple(k for k in powers if form.atoms[k].key[0] == "exp")
        alone = tuple(k for k in grow if k in of_sums)
        for chosen in dict.fromkeys((alone, grow)) if alone else ():
            exponents = [multiply(rational(powers[k]), form.atoms[k].key[1]) for k in chosen]
            taken = form.exp(form.ratio(negative(add(*exponents))))
            yield form.multiply(term, taken), ("exp", add(*exponents)), add(ONE, *exponents)
        for k in of_sums:
            if form.atoms[k].key[0] == "log" and powers[k] == 1:
                by = form.scale(number, Ratio(monomial.derivative(k), goal.den))
                yield by, form.atoms[k].key, subtract(form.atoms[k].key[1], ONE)
