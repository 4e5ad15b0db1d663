"""The portfolio: engines in order of cost, and nothing believed that the checker does not accept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from boundaudit import InputError
from boundaudit.checks.language.algebra.normal_form import NormalForm
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.arithmetic import Exhausted, Undefined, remaining
from boundaudit.checks.language.arithmetic import effort as allowance
from boundaudit.checks.language.expression import ZERO, Tree, names, square
from boundaudit.checks.language.progress import doing
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.averaged import averaged
from boundaudit.checks.proof.beyond import beyond
from boundaudit.checks.proof.binomials import binomials
from boundaudit.checks.proof.boxes import boxes
from boundaudit.checks.proof.budgets import budgets
from boundaudit.checks.proof.calculus import calculus
from boundaudit.checks.proof.cases import cases, sizes
from boundaudit.checks.proof.centres import centres
from boundaudit.checks.proof.chords import chords
from boundaudit.checks.proof.cleared import cleared
from boundaudit.checks.proof.contacts import contacts
from boundaudit.checks.proof.contraposed import contraposed
from boundaudit.checks.proof.curved import curved
from boundaudit.checks.proof.divided import divided
from boundaudit.checks.proof.eased import eased
from boundaudit.checks.proof.engine import Attempt, Budget, Context, Engine, Lemma, Refuted
from boundaudit.checks.proof.factoring import cofactor, factoring
from boundaudit.checks.proof.families import families
from boundaudit.checks.proof.forms import forms
from boundaudit.checks.proof.freed import freed
from boundaudit.checks.proof.general import numbers
from boundaudit.checks.proof.induction import induction
from boundaudit.checks.proof.integrals import integrals
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.kernel.defined import demands
from boundaudit.checks.proof.kernel.domains import implies, with_lemmas
from boundaudit.checks.proof.lengths import lengths
from boundaudit.checks.proof.linearised import linearised
from boundaudit.checks.proof.monotone import monotone
from boundaudit.checks.proof.multipliers import multipliers
from boundaudit.checks.proof.named import named
from boundaudit.checks.proof.narrowed import narrowed
from boundaudit.checks.proof.ordered import ordered
from boundaudit.checks.proof.ordering import ordering
from boundaudit.checks.proof.paired import paired
from boundaudit.checks.proof.powers import powers
from boundaudit.checks.proof.prefixes import prefixes
from boundaudit.checks.proof.quadratics import quadratics
from boundaudit.checks.proof.quotients import quotients
from boundaudit.checks.proof.remainders import remainders
from boundaudit.checks.proof.restated import restated
from boundaudit.checks.proof.rows import at_entries, led_on, rows, said, summed
from boundaudit.checks.proof.sampling import points, signs
from boundaudit.checks.proof.schwarz import schwarz
from boundaudit.checks.proof.shares import shares
from boundaudit.checks.proof.shifted import shifted
from boundaudit.checks.proof.signless import signless
from boundaudit.checks.proof.softmax import softmax
from boundaudit.checks.proof.strictly import strictly
from boundaudit.checks.proof.substitution import substitution
from boundaudit.checks.proof.sums import (
    both_sides,
    by_logarithms,
    exchange,
    identity,
    telescope,
    termwise,
    under_function,
)
from boundaudit.checks.proof.supposed import supposed
from boundaudit.checks.proof.symmetrised import symmetrised
from boundaudit.checks.proof.tangents import tangents
from boundaudit.checks.proof.weighted import weighted
from boundaudit.checks.proof.witness import probe, refutes

ENGINES: Mapping[str, Engine] = {
    "identity": identity,
    "said": said,
    "probe": probe,
    "factoring": factoring,
    "rows": rows,
    "linearised": linearised,
    "chords": chords,
    "powers": powers,
    "quotients": quotients,
    "by logarithms": by_logarithms,
    "exchange": exchange,
    "named": named,
    "softmax": softmax,
    "summed": summed,
    "ordered": ordered,
    "divided": divided,
    "eased": eased,
    "families": families,
    "signless": signless,
    "under a function": under_function,
    "freed": freed,
    "supposed": supposed,
    "monotone": monotone,
    "tangents": tangents,
    "shares": shares,
    "strictly": strictly,
    "weighted": weighted,
    "averaged": averaged,
    "centres": centres,
    "sizes": sizes,
    "contacts": contacts,
    "symmetrised": symmetrised,
    "schwarz": schwarz,
    "substitution": substitution,
    "forms": forms,
    "term by term": paired,
    "lengths": lengths,
    "shifted": shifted,
    "quadratics": quadratics,
    "multipliers": multipliers,
    "beyond": beyond,
    "binomials": binomials,
    "telescope": telescope,
    "termwise": termwise,
    "budgets": budgets,
    "integrals": integrals,
    "cleared": cleared,
    "remainders": remainders,
    "induction": induction,
    "prefixes": prefixes,
    "entries": numbers,
    "at entries": at_entries,
    "led on": led_on,
    "cofactor": cofactor,
    "calculus": calculus,
    "narrowed": narrowed,
    "contraposed": contraposed,
    "curved": curved,
    "cases": cases,
    "ordering": ordering,
    "boxes": boxes,
    "both sides": both_sides,
}


def prove(
    statement: Statement,
    *,
    lemmas: Sequence[Lemma] = (),
    touch_points: Sequence[Mapping[str, Tree]] = (),
    engines: Sequence[str] | None = None,
    budget: Budget | None = None,
) -> Attempt:
    """Try to prove or refute a statement with engines among `ENGINES`, in this order, all by default.

    Lemmas may be used where their domain is implied; at touch points the goal is known to vanish; each engine may spend
    the budget. Proved is what has a certificate that the checker has accepted, refuted what fails at an exact point
    that was evaluated again; unknown comes with a note from each engine that said why.

    Raises:
        InputError: where an engine is unknown.

    Example:
        >>> x = {"name": "x", "range": "reals", "low": ("q", 0, 1), "high": None, "open": [False, False]}
        >>> domain = {"parameters": [x], "where": []}
        >>> log = ("log", ("+", ("q", 1, 1), ("v", "x")))
        >>> prove(Statement(log, "<=", ("v", "x"), domain)).outcome
        'proved'
        >>> prove(Statement(("v", "x"), "<=", log, domain)).outcome
        'refuted'
    """
    names = tuple(ENGINES) if engines is None else tuple(engines)
    for name in names:
        if name not in ENGINES:
            raise InputError("engines", f"names among {', '.join(ENGINES)}", name, "correct the name")
    usable = tuple(lemma for lemma in lemmas if _is_usable(statement, lemma))
    spent = budget or Budget()
    target = with_lemmas(statement, [lemma.statement for lemma in usable])
    with allowance(spent.steps):
        try:
            found = _run(target, names, tuple(dict(point) for point in touch_points), spent)
        except Exhausted as problem:
            return Attempt("unknown", "portfolio", notes=(str(problem),))
    if found.certificate is None:
        return found
    return replace(found, certificate=_with_lemmas(statement, found.certificate, usable))


def _run(
    statement: Statement,
    names: tuple[str, ...],
    touch_points: tuple[dict[str, Tree], ...],
    budget: Budget,
    above: tuple[Statement, ...] = (),
) -> Attempt:
    """The engines one after the other, each allowed to prove sub-goals, others than those above, with less depth."""
    if budget.depth == 0:
        return Attempt("unknown", "portfolio", notes=("too many nested sub-goals",))
    smaller = replace(budget, boxes=budget.boxes // 2, depth=budget.depth - 1)

    def sub_goal(goal: Statement) -> Certificate | None:
        if goal in above:  # it would rest on itself
            return None
        with allowance(remaining() * 3 / 4):
            return _run(goal, tuple(ENGINES), (), smaller, above).certificate

    above = (*above, statement)
    context = Context(sub_goal, budget, touch_points)
    values = (*restated(statement), *_values(statement, context))
    statement = with_lemmas(statement, [lemma.statement for lemma in values])
    above = (*above, statement) if values else above
    notes: list[str] = []
    for name in names:
        doing(f"proof by {name}: at most {budget.boxes} boxes, {budget.steps} steps")
        found = _attempt(name, statement, context)
        if found.outcome != "unknown":
            proof = found.certificate and _carrying(values, found.certificate)
            return replace(found, certificate=proof, notes=tuple(notes))
        notes += [f"{name}: {note}" for note in found.notes]
    return Attempt("unknown", "portfolio", notes=tuple(notes))


def _values(statement: Statement, context: Context) -> tuple[Lemma, ...]:
    """What the ranges do not show of arguments of logarithms, roots and quotients, and of a square that is positive."""
    try:
        wanted = [demand for side in (statement.left, statement.right) for demand in demands(side, statement.domain)]
    except (Rejected, Exhausted):
        return ()
    ways = [[*_signed(demand), demand] for demand in wanted if implies(statement.domain, demand.domain)]
    if statement.is_strict and statement.left == ZERO:
        ways.append(_signed(statement))
    # That something has one sign says more than that it is not zero.
    found = (next(filter(None, map(context.lemma, way)), None) for way in ways)
    return tuple(lemma for lemma in found if lemma is not None)


def _signed(demand: Statement) -> list[Statement]:
    """Of ``0 < base²`` the sign of the base, where points of the domain show but one; of a sum, that it is positive."""
    base = demand.right[1]
    if demand.right != square(base):
        return []
    known = names(base) <= set(at := points(demand.domain))
    seen = (set(np.ravel(signs(base, at)).tolist()) if known else set()) - {0} or {1}
    sides = {1: (ZERO, base), -1: (base, ZERO)}
    return [Statement(sides[sign][0], "<", sides[sign][1], demand.domain) for sign in seen] if len(seen) == 1 else []


def _carrying(lemmas: Sequence[Lemma], certificate: Certificate) -> Certificate:
    """The certificate with lemmas before those that it has."""
    if not lemmas:
        return certificate
    return {**certificate, "lemmas": [*(lemma.to_json() for lemma in lemmas), *certificate.get("lemmas", ())]}


def _attempt(name: str, statement: Statement, context: Context) -> Attempt:
    """What one engine finds; what it cannot express is unknown, and so is what the checker or a point does not show."""
    try:
        with allowance(remaining() / 2):
            proof = ENGINES[name](statement, context)
        if proof is None:
            return Attempt("unknown", name)
        check(statement, proof)
        return Attempt("proved", name, proof)
    except Refuted as found:
        if refutes(statement, found.point):
            return Attempt("refuted", name, counterexample=found.point)
        note = "a counterexample was not confirmed"
    except (Rejected, Undefined, Exhausted, InputError) as problem:
        note = str(problem)
    except Exception as fault:  # the other engines may still decide; the note stays with the evidence
        note = f"failed: {type(fault).__name__}: {fault}"
    return Attempt("unknown", name, notes=(note,))


def _is_usable(statement: Statement, lemma: Lemma) -> bool:
    """Whether its proof is accepted, the domain implies its own, and its sides have a normal form."""
    if not implies(statement.domain, lemma.statement.domain):
        return False
    try:
        check(lemma.statement, lemma.certificate)
        NormalForm(with_lemmas(statement, [lemma.statement]).domain)
    except Rejected:
        return False
    return True


def _with_lemmas(statement: Statement, certificate: Certificate, lemmas: Sequence[Lemma]) -> Certificate:
    """The certificate with the lemmas it uses, checked again as a whole."""
    try:
        check(statement, certificate)
    except Rejected:
        whole = _carrying(lemmas, certificate)
        check(statement, whole)
        return whole
    return certificate
