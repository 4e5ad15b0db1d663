"""All evidence for one claim."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from flint import fmpq

from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.evidence.evidence import Evidence, confirm, holds_at
from boundaudit.checks.evidence.mutants import judge_mutants
from boundaudit.checks.evidence.profile import Profile
from boundaudit.checks.evidence.search import search
from boundaudit.checks.evidence.shrink import shrink
from boundaudit.checks.evidence.sweep import grid_certificate, sweep, sweep_points
from boundaudit.checks.evidence.trial import judge_trial_mutants, judge_trials, run_trials
from boundaudit.checks.evidence.verdict import STANDING, judge
from boundaudit.checks.language import points as point_json
from boundaudit.checks.language.balls import evaluate
from boundaudit.checks.language.claim import Claim, Probability
from boundaudit.checks.language.expression import names
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.checker import check
from boundaudit.checks.proof.engine import Attempt, Budget, Lemma, Rejected
from boundaudit.checks.proof.portfolio import prove
from boundaudit.checks.records.receipt import Receipt, evidence_key, receipt
from boundaudit.checks.run.registry import Registry


def gather(
    claim: Claim,
    registry: Registry,
    profile: Profile,
    *,
    seed: int,
    device: str,
    stored: Receipt | None = None,
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
    if isinstance(claim.left, Probability):
        return _count(claim, registry, profile, seed, device)
    batch = Batch.measure(claim, sweep_points(claim, profile.sweep, seed), device)
    current = stored if stored is not None and stored["evidence_key"] == evidence_key(claim) else None
    effort = {"smallest": profile.smallest, "examples": profile.examples, "generations": profile.generations}
    evidence = [
        _proof(claim, registry) if current is None else _stored_proof(claim, current),
        _equality(claim),
        grid_certificate(claim, profile.grid, seed),
        search(claim, **effort, seed=seed, device=device),
        sweep(claim, batch, seed, device),
        *([] if current is None else [_recheck(claim, current, device)]),
    ]
    evidence = _in_order(claim, [e for e in evidence if e.outcome != "inapplicable"])
    mutation = None
    if judge(evidence)[0] in STANDING:
        lemmas = _lemmas(claim, registry) if current is None and claim.statement_form else ()
        mutation = judge_mutants(
            claim,
            batch,
            most=profile.mutants,
            prove=lambda statement: current is None and _is_proved(statement, lemmas),
            seed=seed,
            device=device,
            killed=_killed(current),
        )
    return receipt(claim, registry, evidence, mutation, batch)


def _killed(stored: Receipt | None) -> list[str]:
    """A few mutants that the reference receipt saw die: a quick run judges these again."""
    found = [] if stored is None or stored["mutation"] is None else stored["mutation"]["mutants"]
    return [mutant["name"] for mutant in found if mutant["fate"] == "killed"][:4]


def _count(claim: Claim, registry: Registry, profile: Profile, seed: int, device: str) -> Receipt:
    """The evidence for a claim about a probability: trials."""
    trials = run_trials(claim, profile.trial_points, profile.trials, seed, device)
    evidence = [judge_trials(claim, trials, seed, device)]
    stands = judge(evidence)[0] in STANDING
    mutation = judge_trial_mutants(claim, trials, profile.mutants, device) if stands else None
    return receipt(claim, registry, evidence, mutation, None)


def _in_order(claim: Claim, evidence: list[Evidence]) -> list[Evidence]:
    """The smallest counterexample speaks first; one that no search reached is shrunk."""
    known = [e.witness for e in evidence if e.witness is not None]
    if known and all(witness.order is None for witness in known):
        evidence = [e if e.witness is None else replace(e, witness=shrink(claim, e.witness)) for e in evidence]
    return sorted(evidence, key=lambda e: e.witness is None or e.witness.order is None)


# --- proofs ---------------------------------------------------------------------------------------


def _stored_proof(claim: Claim, stored: Receipt) -> Evidence:
    """The certificate of a reference receipt, checked again; none where the reference had no proof."""
    statement = claim.statement_form
    for kept in stored["evidence"]:
        if statement and kept["method"] == "proof" and kept["outcome"] == "holds":
            if _is_accepted(statement, kept["certificate"]):
                return _proved(claim, kept["engine"], kept["certificate"])
            return Evidence("proof", "undecided", "the stored certificate was rejected", 0)
    return Evidence("proof", "inapplicable", "the reference receipt holds no proof", 0)


def _proof(claim: Claim, registry: Registry) -> Evidence:
    """A new proof, checked; or an engine's counterexample, confirmed."""
    statement = claim.statement_form
    if statement is None:
        return Evidence("proof", "inapplicable", "a side has no definition to reason about", 0)
    attempt = attempt_proof(claim, registry)
    if attempt.outcome == "proved" and attempt.certificate is not None:
        return _proved(claim, attempt.engine, attempt.certificate)
    if attempt.counterexample is not None:
        point = {str(name): value for name, value in attempt.counterexample.items()}
        complete = set(point) == set(claim.domain.ranges)
        witness = confirm(statement, point, claim.domain.contains(point)) if complete else None
        if witness is not None:
            return Evidence(
                "proof",
                "violated",
                "an engine found a counterexample",
                1,
                True,
                attempt.engine,
                witness=witness,
            )
    return Evidence("proof", "inapplicable", "no engine decides it", 0, notes=attempt.notes)


MUTANT_BUDGET = Budget(boxes=200, evaluations=2000, columns=300, resource=200_000, depth=3)
MUTANT_ENGINES = ("identity", "factoring", "multipliers", "termwise", "cases")
"""What a proof that a mutant holds too may cost, and the engines that fail fast."""


def _is_proved(statement: Statement, lemmas: tuple[Lemma, ...]) -> bool:
    return prove(statement, lemmas=lemmas, engines=MUTANT_ENGINES, budget=MUTANT_BUDGET).outcome == "proved"


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
    """Whether the sides are equal where the claim says so; exact algebra decides.

    A wrong equality case says nothing against the inequality: it leaves the claim undecided as stated.

    Returns:
        The evidence; inapplicable where no rational equality case is stated.
    """
    statement = claim.statement_form
    points = [{str(name): _exact_value(value) for name, value in point.items()} for point in claim.equality]
    exact = [point for point in points if None not in point.values()]
    if statement is None or not exact:
        return Evidence("certificate", "inapplicable", "no rational equality case to decide", 0)
    same = Statement(statement.left, "=", statement.right, statement.domain)
    for point in exact:
        shown = ", ".join(f"{name} = {value}" for name, value in point_json.to_json(point).items())
        if claim.domain.contains(point) is not True:
            return Evidence("certificate", "undecided", f"the stated equality case {shown} is not in the domain", 1)
        if holds_at(same, point) is not True:
            return Evidence("certificate", "undecided", f"the stated equality case {shown} does not give equality", 1)
    covers = f"equality attained at {len(exact)} stated points, in exact arithmetic"
    return Evidence("certificate", "holds", covers, len(exact))


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


def _recheck(claim: Claim, stored: Receipt, device: str) -> Evidence:
    """The stored worst case, measured again."""
    if stored["worst"] is None:
        return Evidence("sweep", "inapplicable", "no stored worst case", 0)
    point = point_json.from_json(stored["worst"]["point"])
    batch = Batch.measure(claim, [point], device)
    decision = batch.decide()
    outcome = decision.outcome if batch.telling else "undecided"
    covers = "the worst case of the reference receipts, measured again"
    return Evidence(
        "sweep", outcome, covers, batch.telling, worst=batch.worst(), witness=decision.witness, notes=decision.notes,
        device=device,
    )  # fmt: skip
