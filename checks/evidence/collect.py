"""All evidence for one claim, the cheapest that can decide first.

What an earlier run proved or refuted is checked again and needs no search. Else a proof is tried; an accepted one
needs neither search nor sample. Only what stays open is searched and sampled. A sweep is made in any case: the mutants
need it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace

from boundaudit.checks.evidence.ascent import best_apart
from boundaudit.checks.evidence.batch import RECHECKING, Batch
from boundaudit.checks.evidence.counterexample import counterexample
from boundaudit.checks.evidence.derivation import measured_once
from boundaudit.checks.evidence.equality import equality
from boundaudit.checks.evidence.eventually import judge_tails
from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.grounds import TOO_COARSE, Find, budget, is_ground, is_rounding, obstacles
from boundaudit.checks.evidence.mutants import judge_mutants
from boundaudit.checks.evidence.profile import PROFILES, Profile
from boundaudit.checks.evidence.region import region
from boundaudit.checks.evidence.search import search
from boundaudit.checks.evidence.shrink import shrink
from boundaudit.checks.evidence.sweep import coverage, exact_points, sweep, sweep_points
from boundaudit.checks.evidence.trial import Trials, judge_trial_mutants, judge_trials, run_trials
from boundaudit.checks.evidence.verdict import judge
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.claim import Claim, Probability
from boundaudit.checks.language.modes import growing
from boundaudit.checks.language.progress import doing
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.verdicts import STANDING
from boundaudit.checks.proof.chain import prove_chain
from boundaudit.checks.proof.engine import Attempt, Budget, Lemma
from boundaudit.checks.proof.kernel import Certificate, Rejected, check
from boundaudit.checks.proof.kernel.citing import Known
from boundaudit.checks.proof.portfolio import prove

Stored = Callable[[str], Findings | None]
"""From a label to what an earlier run found about that claim: certificates and counterexamples are checked again."""


def nothing_stored(label: str) -> None:
    """What a run knows that starts from nothing."""


def collect_evidence(
    claim: Claim,
    find: Find,
    profile: Profile,
    *,
    seed: int,
    device: str,
    stored: Stored = nothing_stored,
    counts: Trials | None = None,
) -> Findings:
    """Collect all evidence for one claim without cases; ``find`` gives the claims that it rests on.

    What an earlier run found decides again, whatever code found it: a certificate that the checker accepts, a
    counterexample that ball arithmetic confirms. Others are looked for only where neither does. Of a probability its
    counts by the same code say where to count anew.
    """
    if claim.missing is not None:
        return Findings.judged(claim, [])
    if isinstance(claim.left, Probability):
        return _count(claim, profile, seed, device, counts)
    doing(f"sweep: {profile.sweep} points")
    batch = Batch.measure(claim, sweep_points(claim.domain, profile.sweep, seed), device)
    known = stored(claim.label)
    evidence = list(_decided(claim, find, stored)) or _searched(claim, find, profile, batch, seed, device, stored)
    refuted = any(e.witness is not None for e in evidence)
    decided = refuted or any(e.whole_domain and e.outcome == "holds" for e in evidence)
    evidence += [sweep(claim, batch, seed, device, confirm_suspects=not decided, refuted=refuted), equality(claim)]
    evidence += [] if decided else [coverage(claim, batch, profile.sweep)]
    evidence = _in_order(claim, evidence)
    grows = growing(claim.mode, claim.domain)
    if grows is not None and judge(evidence)[0] not in STANDING:
        # What is violated somewhere may hold from somewhere on: `claim` is from here on the tail that is judged.
        look = functools.partial(_sampled, profile=profile, seed=seed, device=device)
        claim, evidence = judge_tails(claim, grows, batch, look, lambda opposite: _is_proved(opposite, ()))
        batch = Batch.measure(claim, sweep_points(claim.domain, profile.sweep, seed), device)
    verdict = judge(evidence)[0]
    mutation = None
    if verdict in STANDING:
        doing(f"mutants: at most {profile.mutants}")
        mutation = judge_mutants(
            claim,
            batch,
            most=profile.mutants,
            prove=lambda statement: _is_proved(statement, _lemmas(claim, find, stored)),
            seed=seed,
            device=device,
            first=() if known is None or known.mutation is None else known.mutation.fates["killed"][:2],
        )
    witnesses = [e.witness.point for e in evidence if e.witness is not None]
    where = region(batch, witnesses) if verdict == "refuted" else None
    cases = [e.worst for e in evidence] + [e.witness.as_worst() for e in evidence if e.witness is not None]
    return Findings.judged(claim, evidence, Batch.worse(claim, *cases), mutation, where)


@functools.cache
def _decided(claim: Claim, find: Find, stored: Stored) -> tuple[Evidence, ...]:
    """What decides by itself: an earlier run's certificate or counterexample, checked again, once in a process."""
    known, statement = stored(claim.label), claim.proof_form
    if known is None:
        return ()
    if known.proof is not None and known.proof.certificate is not None and statement is not None:
        certificate = dict(known.proof.certificate)
        by_steps = claim.derivation is not None and certificate.get("kind") == "chain"
        stands = is_rounding(claim) and (not by_steps or _may_be_proved(claim, find, stored))
        accepted = stands and _is_accepted(statement, certificate, _known(claim, find) if by_steps else {})
        return (_proved(str(known.proof.engine), certificate),) if accepted else ()
    if known.witness is not None and set(known.witness.point) == set(claim.domain.ranges):
        point = known.witness.point
        again = counterexample(claim, point, known.witness.order)
        if again is not None:
            kept = next(e for e in known.evidence if e.witness is not None)
            return (replace(kept, witness=again),)
    return ()


STARTS = 16
"""Points of the sweep, those that come closest to a violation, from which the search goes on."""


def _sampled(claim: Claim, profile: Profile, seed: int, device: str) -> list[Evidence]:
    """Search, exact points and a sweep: what speaks for a claim without proving it."""
    batch = Batch.measure(claim, sweep_points(claim.domain, profile.sweep, seed), device)
    looked = [_search(claim, profile, batch, seed, device), exact_points(claim, profile.grid, seed)]
    looked += [sweep(claim, batch, seed, device), coverage(claim, batch, profile.sweep)]
    return [e for e in looked if e.outcome != "inapplicable"]


def _search(claim: Claim, profile: Profile, batch: Batch, seed: int, device: str) -> Evidence:
    """A search that goes on from where a sweep came closest to a violation."""
    best = best_apart(claim.domain, batch.points, batch.score, STARTS)
    closest = [(batch.points[i], float(batch.score[i])) for i in best]
    return search(
        claim, smallest=profile.smallest, examples=profile.examples, generations=profile.generations, seed=seed,
        device=device, starts=closest,
    )  # fmt: skip


def _searched(
    claim: Claim, find: Find, profile: Profile, batch: Batch, seed: int, device: str, stored: Stored
) -> list[Evidence]:
    """Proof, search and exact points, until one decides; the pinned verdict or the sweep says which to try first."""
    if claim.expected == "refuted" or _is_refuted(batch):
        found = _search(claim, profile, batch, seed, device)
        if found.witness is not None:
            return [found]
        return [found, exact_points(claim, profile.grid, seed), _proof(claim, find, stored)]
    if claim.expected == "certified":
        every = exact_points(claim, profile.grid, seed)
        if every.whole_domain and every.outcome == "holds":
            return [every]
    left_open = profile.quick and claim.expected != "proved" and stored(claim.label) is not None
    steps = None if claim.derivation is None else _by_steps(claim, find, stored, profile.chain, seed, device)
    proof = steps
    if steps is None or (steps.method != "proof" and not left_open):
        proof = Evidence("proof", "inapplicable", "", 0) if left_open else _proof(claim, find, stored)
    assert proof is not None
    if proof.method == "proof" and proof.outcome == "holds":
        return [proof]
    proof = steps or proof
    if profile.quick and proof.outcome == "holds":
        return [proof]
    found = _search(claim, profile, batch, seed, device)
    return [found, proof] if found.witness is not None else [found, exact_points(claim, profile.grid, seed), proof]


def _is_refuted(batch: Batch) -> bool:
    """Whether the point of a sweep that is furthest beyond the claim is a counterexample: then there is no proof."""
    if not len(batch.points) or batch.violation.max() <= batch.claim.rounding:
        return False
    with effort(RECHECKING):
        return counterexample(batch.claim, batch.points[int(batch.violation.argmax())]) is not None


def _count(claim: Claim, profile: Profile, seed: int, device: str, earlier: Trials | None) -> Findings:
    """The evidence for a claim about a probability: trials."""
    doing(f"trials: {profile.trials} at each of {profile.trial_points} points")
    trials = run_trials(claim, profile.trial_points, profile.trials, seed, device, earlier)
    evidence = judge_trials(claim, trials, seed, device)
    stands = judge([evidence])[0] in STANDING
    mutation = judge_trial_mutants(claim, trials, profile.mutants, device) if stands else None
    return Findings.judged(claim, [evidence], evidence.worst, mutation)


def _in_order(claim: Claim, evidence: list[Evidence]) -> list[Evidence]:
    """The smallest counterexample speaks first; one that no search reached is shrunk, as a search did its own."""
    evidence = [e for e in evidence if e.outcome != "inapplicable"]
    if all(e.witness is None or e.witness.order is None for e in evidence):
        shrunk = (None if e.witness is None or e.method == "search" else shrink(claim, e.witness) for e in evidence)
        evidence = [replace(e, witness=found or e.witness) for e, found in zip(evidence, shrunk, strict=True)]
    return sorted(evidence, key=_rank)


def _rank(evidence: Evidence) -> tuple[bool, bool]:
    """Violations before points without a value, and the smallest counterexample first."""
    witness = evidence.witness
    return witness is None or witness.is_valueless, witness is None or witness.order is None


# --- proofs ---------------------------------------------------------------------------------------


def _proof(claim: Claim, find: Find, stored: Stored) -> Evidence:
    """A new proof, checked; or an engine's counterexample, confirmed."""
    statement = claim.statement_form
    if statement is None:
        return Evidence("proof", "inapplicable", "a side has no definition to reason about", 0)
    attempt = attempt_proof(claim, find, stored)
    if attempt.outcome == "proved" and attempt.certificate is not None:
        return _proved(attempt.engine, attempt.certificate)
    if attempt.counterexample is not None:
        point = {str(name): value for name, value in attempt.counterexample.items()}
        complete = set(point) == set(claim.domain.ranges)
        witness = counterexample(claim, point) if complete else None
        if witness is not None:
            found = "an engine found a counterexample"
            return Evidence("proof", "violated", found, 1, True, attempt.engine, witness=witness)
    return Evidence("proof", "inapplicable", "no engine decides it", 0, notes=attempt.notes)


MUTANT_BUDGET = Budget(boxes=200, steps=100_000, columns=300, depth=3)
MUTANT_ENGINES = ("identity", "factoring", "multipliers", "termwise", "cases")
"""What a proof that a mutant holds too may cost, and the engines that fail fast."""


def _is_proved(statement: Statement, lemmas: tuple[Lemma, ...]) -> bool:
    return prove(statement, lemmas=lemmas, engines=MUTANT_ENGINES, budget=MUTANT_BUDGET).outcome == "proved"


def _is_accepted(statement: Statement, certificate: Certificate, known: Known) -> bool:
    try:
        check(statement, certificate, known)
    except Rejected:
        return False
    return True


def _proved(engine: str, certificate: Certificate) -> Evidence:
    return Evidence("proof", "holds", "the whole domain", 1, whole_domain=True, engine=engine, certificate=certificate)


@functools.cache
def attempt_proof(claim: Claim, find: Find, stored: Stored = nothing_stored) -> Attempt:
    """Try to prove a claim, with the proved claims that it rests on as lemmas.

    Raises:
        ValueError: where the claim has no statement in canonical form.
    """
    if claim.statement_form is None:
        raise ValueError(f"{claim.label} has no statement in canonical form")
    lemmas = _lemmas(claim, find, stored)
    found = prove(claim.statement_form, lemmas=lemmas, touch_points=claim.touch_points)
    if found.outcome == "proved" and not is_rounding(claim):
        return Attempt("unknown", found.engine, notes=(TOO_COARSE,))
    return found


@functools.cache
def _by_steps(claim: Claim, find: Find, stored: Stored, points: int, seed: int, device: str) -> Evidence:
    """What the claim's derivation is worth: a proof or, by samples, a chain that the checker accepts; an argument."""
    chain, statement = claim.derivation, claim.proof_form
    apart = list(chain.misfits(claim))
    if apart or statement is None:
        return Evidence("derivation", "inapplicable", "; ".join(apart), 0)
    found = measured_once(chain, points, seed, device)
    false = [step.name for step, holds in zip(chain.steps[1:], found.holds, strict=True) if not holds]
    if false:
        against = f"the step to “{false[0]}” of its derivation is false at a measured point, or has no value there"
        return Evidence("derivation", "undecided", "the derivation", found.points, against=against)
    notes = [f"no proof: {label} is not proved" for label in _unsettled(claim, find, stored)]
    notes += [f"no proof: {wrong}" for wrong in obstacles(claim, find)]
    if not notes:
        attempt = prove_chain(statement, chain.first, chain.links, _known(claim, find))
        if attempt.certificate is not None and is_ground(claim, find):
            return _proved(attempt.engine, attempt.certificate)
        if attempt.certificate is not None:
            covers = (
                f"{len(chain.steps) - 1} steps, each accepted by the checker; no proof, as some of what they stand on "
                f"is measured by sampling, up to {budget(claim, find):.0%}; "
                f"each holds at {found.points} measured points"
            )
            return Evidence("derivation", "holds", covers, found.points, seed=seed, device=device)
        notes += (note if len(note) <= _LONGEST_NOTE else f"{note[:_LONGEST_NOTE]}…" for note in attempt.notes)

    def is_argued(label: str) -> bool:
        members = find(label)
        return bool(members) and all(_is_argued(member, find, stored, points, seed, device) for member in members)

    gaps = list(chain.gaps(is_argued))
    if gaps:
        return Evidence("derivation", "inapplicable", gaps[0], 0, notes=(*gaps[1:], *notes))
    cited = sum(bool(step.uses) for step in chain.steps)
    covers = (
        f"an argument of {len(chain.steps) - 1} steps that nothing but people has checked, {cited} of them by claims; "
        f"each holds at {found.points} measured points"
    )
    return Evidence("derivation", "holds", covers, found.points, notes=tuple(notes), seed=seed, device=device)


def _unsettled(claim: Claim, find: Find, stored: Stored) -> Iterator[str]:
    """The labels that a claim's chain cites and that are neither proved nor axioms that stand."""
    for label in claim.derivation.claims:
        members = find(label)
        if len(members) != 1 or not _is_settled(members[0], find, stored):
            yield label


def _may_be_proved(claim: Claim, find: Find, stored: Stored) -> bool:
    """Whether a claim's chain proves it once every step is accepted."""
    return is_ground(claim, find) and not any(_unsettled(claim, find, stored))


def _known(claim: Claim, find: Find) -> Known:
    """What the chain of a claim may cite, once all of it is settled."""
    cited = [(label, member.proof_form) for label in claim.derivation.claims for member in find(label)]
    return {label: statement for label, statement in cited if statement is not None}


@functools.cache
def _is_settled(claim: Claim, find: Find, stored: Stored) -> bool:
    """Whether a claim is proved: by an earlier certificate or a new one, or by steps; an axiom has to be measured."""
    if claim.role == "axiom":  # where it speaks of formulas alone, points that are drawn are not enough
        batch = Batch.measure(claim, sweep_points(claim.domain, MEASURED_FOR_AXIOMS, 0), "cpu")
        holds = sweep(claim, batch, 0, "cpu").outcome == "holds"
        return holds and (claim.is_measured or _search(claim, PROFILES["smoke"], batch, 0, "cpu").outcome == "holds")
    if claim.missing is not None or claim.expected != "proved" or claim.proof_form is None:
        return False
    if _decided(claim, find, stored):
        return True
    if claim.derivation is not None:
        if not _may_be_proved(claim, find, stored):
            return False
        chain = claim.derivation
        return prove_chain(claim.proof_form, chain.first, chain.links, _known(claim, find)).outcome == "proved"
    return claim.statement_form is not None and attempt_proof(claim, find, stored).outcome == "proved"


_LONGEST_NOTE = 300
"""Characters of why a step is open."""
MEASURED_FOR_AXIOMS = 60
"""Points at which an axiom is measured before a proof may stand on it; its own receipt tells more."""


def _is_argued(claim: Claim, find: Find, stored: Stored, points: int, seed: int, device: str) -> bool:
    """Whether a claim is proved, or an argument leads to it."""
    if _is_settled(claim, find, stored):
        return True
    return claim.derivation is not None and _by_steps(claim, find, stored, points, seed, device).outcome == "holds"


def _lemmas(claim: Claim, find: Find, stored: Stored) -> tuple[Lemma, ...]:
    """The claims that it rests on and that are proved: by an earlier certificate, or anew."""
    lemmas = []
    for other in (member for label in claim.rests_on for member in find(label)):
        if other.missing is not None or other.statement_form is None or other.expected != "proved":
            continue
        decided = _decided(other, find, stored)
        certificate = decided[0].certificate if decided else attempt_proof(other, find, stored).certificate
        if certificate is not None:
            lemmas.append(Lemma(other.statement_form, dict(certificate)))
    return tuple(lemmas)
