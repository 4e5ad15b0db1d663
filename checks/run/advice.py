"""What to try next where a claim is neither proved nor refuted: the open step, a hypothesis, a weaker constant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import sympy as sp

from boundaudit.checks.evidence.collect import MUTANT_BUDGET
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.grounds import TOO_COARSE, Find, is_rounding, obstacles
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.claim import Claim, Probability
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.expression import multiply, rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.chain import prove_chain
from boundaudit.checks.proof.portfolio import prove

_LOOKED_AT = 64
OPEN = ("supported", "undecided")
"""Verdicts after which there is something to try."""


def advice(claim: Claim, findings: Findings, find: Find) -> str | None:
    """The next thing to try, in one line; None where there is none: the claim is decided, or can only be measured."""
    if findings.verdict not in OPEN or claim.missing is not None or isinstance(claim.left, Probability):
        return None
    if claim.derivation is not None:
        return _open_step(claim, find)
    if claim.statement_form is None:
        return "a measured side: give it a definition, or a derivation whose steps are proved claims and axioms"
    if not is_rounding(claim):
        return TOO_COARSE
    lemma = "name a lemma in rests_on"
    steps = "" if isinstance(claim.written("domain"), Space) else "write the steps as a Derivation"  # which has none
    for words, statement in _weaker(claim, claim.statement_form):
        if prove(statement, budget=MUTANT_BUDGET).outcome == "proved":
            return f"it is proved {words}: where the difference is needed, {steps or lemma}"
    return f"no engine proves it, nor four times the bound: {', or '.join(filter(None, (steps, lemma)))}"


def _open_step(claim: Claim, find: Find) -> str | None:
    """What of a derivation is not proved, the first of it."""
    chain, statement = claim.derivation, claim.proof_form
    apart = list(chain.misfits(claim))
    if apart or statement is None:
        return f"its derivation is of something else: {apart[0]}" if apart else None
    cited = {label: find(label) for label in chain.claims}
    unproved = [
        label for label, found in cited.items() if any(c.role != "axiom" and c.expected != "proved" for c in found)
    ]
    if unproved:
        return f"prove {unproved[0]}, which its derivation uses, and pin it to proved"
    known = {label: found[0].proof_form for label, found in cited.items() if len(found) == 1}
    notes = prove_chain(statement, chain.first, chain.links, {k: v for k, v in known.items() if v is not None}).notes
    if notes:
        return f"open: {notes[0]}"
    if not is_rounding(claim):
        return TOO_COARSE
    return next(obstacles(claim, find), f"its steps hold; look at what they use: {', '.join(chain.claims)}")


def _weaker(claim: Claim, statement: Statement) -> Iterator[tuple[str, Statement]]:
    """The statement under one hypothesis more, and with a weaker constant."""
    for words, domain in _narrower(claim.domain):
        if domain.is_somewhere(_LOOKED_AT):  # of nothing anything is proved
            yield f"for {words}", replace(statement, domain=domain.to_json())
    if statement.relation == "=":
        return
    for factor, times in ((2, "twice"), (4, "four times")):
        scale = rational(factor)
        if statement.relation == "<=":
            yield f"with {times} the right side", replace(statement, right=multiply(scale, statement.right))
        else:
            yield f"with {times} the left side", replace(statement, left=multiply(scale, statement.left))


def _narrower(domain: Domain) -> Iterator[tuple[str, Domain]]:
    """The domain under one hypothesis more."""
    for name, found in domain.ranges.items():
        if isinstance(found, Integers) and isinstance(found.low, (int, sp.Integer)):
            yield f"{name} >= {found.low + 1}", domain.replace(**{name: replace(found, low=found.low + 1)})
        if isinstance(found, Reals):
            if found.low is None:
                yield f"{name} >= 0", domain.replace(**{name: replace(found, low=0)})
            if found.low in (None, 0):
                high = found.high
                low = sp.Rational(high) / 2 if isinstance(high, (int, sp.Rational)) else sp.S.One
                yield f"{name} >= {low}", domain.replace(**{name: replace(found, low=low, open_low=False)})
            if found.high is None:
                yield f"{name} <= 1", domain.replace(**{name: replace(found, high=1)})
