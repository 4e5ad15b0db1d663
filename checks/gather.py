"""All evidence for one claim."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from boundaudit.checks import points as point_json
from boundaudit.checks.batch import Batch
from boundaudit.checks.claim import Claim
from boundaudit.checks.evidence import Evidence, confirm, holds_at
from boundaudit.checks.mutants import judge_mutants
from boundaudit.checks.profile import Profile
from boundaudit.checks.proof.checker import check
from boundaudit.checks.proof.engine import Attempt, Lemma, Rejected
from boundaudit.checks.proof.portfolio import prove
from boundaudit.checks.receipt import Receipt, evidence_key, receipt
from boundaudit.checks.registry import Registry
from boundaudit.checks.search import search
from boundaudit.checks.statement import Statement
from boundaudit.checks.sweep import grid_certificate, sweep, sweep_points
from boundaudit.checks.verdict import STANDING, judge


def gather(
    claim: Claim, registry: Registry, profile: Profile, *, seed: int, device: str, stored: Receipt | None = None
) -> Receipt:
    """Gather all evidence for one claim.

    Args:
        claim: The claim.
        registry: Where the claims live that it rests on.
        profile: How hard to look.
        seed: The run's seed.
        device: Where quantities are measured.
        stored: A reference receipt; where its key is current, its certificate and worst case are checked again.

    Returns:
        The receipt, plain JSON.
    """
    if claim.missing is not None:
        return receipt(claim, registry, [], None, None)
    batch = Batch.measure(claim, sweep_points(claim, profile.sweep, seed), device)
    current = stored if stored is not None and stored["evidence_key"] == evidence_key(claim) else None
    proof = _proof(claim, registry, current)
    effort = {"smallest": profile.smallest, "examples": profile.examples, "generations": profile.generations}
    evidence = [
        proof,
        _equality(claim),
        grid_certificate(claim, profile.grid),
        search(claim, **effort, seed=seed, device=device),
        sweep(claim, batch, seed, device),
        *([] if current is None else [_recheck(claim, current, device)]),
    ]
    evidence = [e for e in evidence if e.outcome != "inapplicable"]
    # The smallest counterexample speaks first.
    evidence.sort(key=lambda e: e.witness is None or e.witness.order is None)
    mutation = None
    if judge(evidence)[0] in STANDING:
        lemmas = _lemmas(claim, registry)
        mutation = judge_mutants(
            claim,
            batch,
            most=profile.mutants,
            prove=lambda statement: prove(statement, lemmas=lemmas).outcome == "proved",
            seed=seed,
            device=device,
        )
    return receipt(claim, registry, evidence, mutation, batch)


# --- proofs ---------------------------------------------------------------------------------------


def _proof(claim: Claim, registry: Registry, stored: Receipt | None) -> Evidence:
    """A checked proof: the stored certificate where it is still accepted, else a new one."""
    statement = claim.statement_form
    if statement is None:
        return Evidence("proof", "inapplicable", "a side has no definition to reason about", 0)
    for kept in (stored or {}).get("evidence", []):
        if kept["method"] == "proof" and kept["outcome"] == "holds" and _is_accepted(statement, kept["certificate"]):
            return _proved(claim, kept["engine"], kept["certificate"])
    attempt = attempt_proof(claim, registry)
    if attempt.outcome == "proved" and attempt.certificate is not None:
        return _proved(claim, attempt.engine, attempt.certificate)
    if attempt.counterexample is not None:
        point = {str(name): value for name, value in attempt.counterexample.items()}
        complete = set(point) == set(claim.domain.ranges)
        witness = confirm(statement, point, claim.domain.contains(point)) if complete else None
        if witness is not None:
            return Evidence("proof", "violated", "an engine found a counterexample", 1, True, attempt.engine, witness=witness)
    return Evidence("proof", "inapplicable", "no engine decides it", 0, notes=attempt.notes)


def _is_accepted(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    try:
        check(statement, dict(certificate))
    except Rejected:
        return False
    return True


def _proved(claim: Claim, engine: str, certificate: Mapping[str, Any]) -> Evidence:
    covers = f"the whole domain: {claim.domain.sentence()}"
    return Evidence("proof", "holds", covers, 1, whole_domain=True, engine=engine, certificate=certificate)


@functools.cache
def attempt_proof(claim: Claim, registry: Registry) -> Attempt:
    """Try to prove a claim, with the proved claims that it rests on as lemmas.

    Returns:
        What the portfolio found.

    Raises:
        ValueError: where the claim has no statement in canonical form.
    """
    if claim.statement_form is None:
        raise ValueError(f"{claim.label} has no statement in canonical form")
    return prove(claim.statement_form, lemmas=_lemmas(claim, registry), touch_points=claim.touch_points)


def _lemmas(claim: Claim, registry: Registry) -> tuple[Lemma, ...]:
    lemmas = []
    for label in claim.rests_on:
        other = registry.claims.get(label)
        if other is None or other.statement_form is None or other.missing is not None:
            continue
        attempt = attempt_proof(other, registry)
        if attempt.outcome == "proved" and attempt.certificate is not None:
            lemmas.append(Lemma(other.statement_form, attempt.certificate))
    return tuple(lemmas)


# --- equality and stored worst cases --------------------------------------------------------------


def _equality(claim: Claim) -> Evidence:
    """Whether a tight claim is attained where it says so; exact algebra decides."""
    statement = claim.statement_form
    if statement is None or not claim.equality or claim.kind != "Tight":
        return Evidence("certificate", "inapplicable", "no equality case to decide", 0)
    same = Statement(statement.left, "=", statement.right, statement.domain)
    for point in claim.equality:
        exact = {str(name): value for name, value in point.items()}
        answer = holds_at(same, exact) if claim.domain.contains(exact) else None
        if answer is not True:
            witness = confirm(same, exact, claim.domain.contains(exact))
            outcome = "violated" if witness else "undecided"
            return Evidence("certificate", outcome, "the stated equality cases", len(claim.equality), witness=witness)
    n = len(claim.equality)
    return Evidence("certificate", "holds", f"equality attained at {n} stated points, in exact arithmetic", n)


def _recheck(claim: Claim, stored: Receipt, device: str) -> Evidence:
    """The stored worst case, measured again."""
    if stored["worst"] is None:
        return Evidence("sweep", "inapplicable", "no stored worst case", 0)
    point = point_json.from_json(stored["worst"]["point"])
    batch = Batch.measure(claim, [point], device)
    witness, undecided = batch.decide()
    outcome = "violated" if witness else "undecided" if undecided else "holds"
    covers = "the worst case of the reference receipts, measured again"
    return Evidence("sweep", outcome, covers, 1, worst=batch.worst(), witness=witness, device=device)
