"""A campaign: thousands of random statements of known truth, judged in this process by what no proof speaks for.

A verdict rests on search, sweep and exact points, and on the engines that fail fast: all that decides whether a false
statement is refuted, or supported in error. Mutants, regions and the slow engines are left out.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from boundaudit import Claim
from boundaudit.checks.evidence.batch import Batch, violation
from boundaudit.checks.evidence.collect import MUTANT_BUDGET, MUTANT_ENGINES
from boundaudit.checks.evidence.evidence import Evidence, Worst
from boundaudit.checks.evidence.profile import PROFILES, Profile
from boundaudit.checks.evidence.search import search
from boundaudit.checks.evidence.sweep import coverage, exact_points, sweep, sweep_points
from boundaudit.checks.evidence.verdict import judge
from boundaudit.checks.proof.portfolio import prove

from .random_polynomials import random_polynomials
from .random_statements import random_truths
from .statement import Truth

PROFILED = ("smoke", "standard")
OLDER = 10
"""One in so many statements is of the older kinds: known inequalities under substitutions, written-out products."""


@dataclass(frozen=True)
class Judged:
    """A statement and what became of it.

    Attributes:
        truth: The statement.
        profile: How hard each method looked.
        verdict: The verdict.
        violated: Whether the worst case that was seen, in floating point, is a violation beyond the error budget.
        seconds: Processor time.
    """

    truth: Truth
    profile: str
    verdict: str
    violated: bool
    seconds: float

    @property
    def is_missed(self) -> bool:
        """Whether a false statement was not refuted, and is said to stand."""
        return self.truth.holds is not True and self.verdict in ("supported", "certified", "proved")

    @property
    def is_wrong(self) -> bool:
        """Whether the verdict is never excused: a proof of what is false, a refutation of what is true, or worse."""
        if self.truth.holds is True:
            return self.verdict == "refuted"
        return self.verdict in ("proved", "certified") or (self.verdict == "supported" and self.violated)


def statements(seed: int, count: int) -> list[Truth]:
    """The statements of a campaign; the same seed gives the same ones."""
    older = random_truths(seed, count // OLDER)
    return [*random_polynomials(seed, count - len(older)), *older]


def campaign(truths: Sequence[Truth], profiles: Sequence[str] = PROFILED) -> Iterator[Judged]:
    """Judge statements in each of some profiles."""
    for truth in truths:
        claim = truth.claim()
        for name in profiles:
            start = time.process_time()
            verdict, worst = _judged(claim, PROFILES[name])
            yield Judged(truth, name, verdict, _is_violated(claim, worst), time.process_time() - start)


def _judged(claim: Claim, profile: Profile) -> tuple[str, Worst | None]:
    """The verdict, and the worst case that the evidence names."""
    evidence = [
        search(
            claim, smallest=profile.smallest, examples=profile.examples, generations=profile.generations, seed=0,
            device="cpu",
        )
    ]  # fmt: skip
    if evidence[0].witness is None:
        proof = _proof(claim)
        batch = Batch.measure(claim, sweep_points(claim.domain, profile.sweep, 0), "cpu")
        if proof.outcome == "holds":
            evidence = [proof, sweep(claim, batch, 0, "cpu", confirm_suspects=False)]
        else:
            evidence += [exact_points(claim, profile.grid, 0), sweep(claim, batch, 0, "cpu")]
            evidence.append(coverage(claim, batch, profile.sweep))
    evidence = [found for found in evidence if found.outcome != "inapplicable"]
    return judge(evidence)[0], Batch.worse(claim, *(found.worst for found in evidence))


def _proof(claim: Claim) -> Evidence:
    """What the fast engines prove."""
    assert claim.statement_form is not None
    found = prove(claim.statement_form, engines=MUTANT_ENGINES, budget=MUTANT_BUDGET)
    outcome = "holds" if found.outcome == "proved" else "inapplicable"
    return Evidence("proof", outcome, "the whole domain", 1, whole_domain=True, engine=found.engine)


def _is_violated(claim: Claim, worst: Worst | None) -> bool:
    if worst is None:
        return False
    return bool(violation(claim.relation, np.array([worst.left]), np.array([worst.right]))[0] > claim.rounding)


def told(judged: Judged) -> str:
    """One statement that was missed, or judged wrongly, in one line."""
    truth = judged.truth
    where = ", ".join(f"{name} = {value}" for name, value in truth.at.items())
    return (
        f"{'WRONG ' if judged.is_wrong else ''}{judged.profile}: {judged.verdict}: {truth.name}: {truth.left} "
        f"{truth.relation} {truth.right} on {truth.domain.sentence()}; false at {where}"
    )


def summary(judged: Sequence[Judged]) -> str:
    """A Markdown table: for each profile the verdicts, the share of false statements missed, and what is wrong."""
    lines = ["| profile | statements | kind | " + " | ".join(_COLUMNS) + " |"]
    lines.append("| --- | ---: | --- | " + " | ".join("---:" for _ in _COLUMNS) + " |")
    for name in dict.fromkeys(found.profile for found in judged):
        for kind, members in _kinds([found for found in judged if found.profile == name]).items():
            lines.append(f"| {name} | {len(members)} | {kind} | {' | '.join(_cells(members))} |")
    return "\n".join(lines)


_VERDICTS = ("proved", "certified", "supported", "refuted", "undecided", "vacuous")
_COLUMNS = (*_VERDICTS, "missed", "wrong", "CPU s")


def _kinds(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    kinds = {
        "true": [found for found in judged if found.truth.holds is True],
        "false": [found for found in judged if found.truth.holds is False],
        "false on a set with a volume": [f for f in judged if f.truth.holds is False and not f.truth.thin],
        "false at single points": [f for f in judged if f.truth.holds is False and f.truth.thin],
        "without a value somewhere": [found for found in judged if found.truth.holds not in (True, False)],
    }
    return {kind: members for kind, members in kinds.items() if members}


def _cells(members: Sequence[Judged]) -> list[str]:
    counts = Counter(found.verdict for found in members)
    missed = "" if members[0].truth.holds is True else f"{sum(f.is_missed for f in members) / len(members):.2%}"
    wrong = sum(found.is_wrong for found in members)
    return [
        *(str(counts[verdict]) for verdict in _VERDICTS),
        missed,
        str(wrong),
        f"{sum(f.seconds for f in members):.0f}",
    ]
