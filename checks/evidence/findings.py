"""What was found about one claim: its verdict, the evidence behind it, the fates of its mutants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boundaudit.checks.evidence.evidence import Evidence, Witness, Worst, present
from boundaudit.checks.evidence.region_record import Region
from boundaudit.checks.evidence.verdict import judge
from boundaudit.checks.language.verdicts import accepted

if TYPE_CHECKING:
    from boundaudit.checks.language.claim import Claim

FATES = ("killed", "slack", "unexplained")


@dataclass(frozen=True)
class Mutation:
    """The fates of a claim's mutants: for killed, slack and unexplained what was changed, and the flipped one's."""

    fates: Mapping[str, Sequence[str]]
    direction: str | None = None

    def count(self, fate: str) -> int:
        """How many mutants met a fate."""
        return len(self.fates.get(fate, ()))

    @property
    def deaths(self) -> int:
        """How many mutants were killed, the flipped direction among them: evidence that kills none is vacuous."""
        return self.count("killed") + (self.direction == "killed")

    @property
    def total(self) -> int:
        """How many mutants were judged."""
        return sum(map(self.count, FATES))

    @property
    def score(self) -> float | None:
        """Killed over killed and unexplained."""
        return mutation_score(self.count("killed"), self.count("unexplained"))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return present({**{fate: list(self.fates.get(fate, ())) for fate in FATES}, "direction": self.direction})

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Mutation:
        """Read it back."""
        return cls({fate: tuple(data.get(fate, ())) for fate in FATES}, data.get("direction"))


def mutation_score(killed: int, unexplained: int) -> float | None:
    """The share of mutants that are killed of those not shown to hold too; None where there are none."""
    return killed / (killed + unexplained) if killed + unexplained else None


@dataclass(frozen=True)
class Findings:
    """What was found about one claim."""

    verdict: str
    reason: str
    evidence: tuple[Evidence, ...] = ()  # a counterexample first
    worst: Worst | None = None  # over all methods
    mutation: Mutation | None = None  # for a claim that stands
    region: Region | None = None  # where a sweep found violations, for a refuted claim

    @classmethod
    def judged(
        cls,
        claim: Claim,
        evidence: Sequence[Evidence],
        worst: Worst | None = None,
        mutation: Mutation | None = None,
        region: Region | None = None,
    ) -> Findings:
        """The findings with the verdict that the evidence gives."""
        killed = None if mutation is None else mutation.deaths
        verdict, reason = judge(evidence, missing=claim.missing, killed=killed)
        return cls(verdict, reason, tuple(evidence), worst, mutation, region)

    @property
    def witness(self) -> Witness | None:
        """The first confirmed counterexample."""
        return next((e.witness for e in self.evidence if e.witness is not None), None)

    @property
    def proof(self) -> Evidence | None:
        """The proof that holds, if there is one."""
        return next((e for e in self.evidence if e.method == "proof" and e.outcome == "holds"), None)

    @property
    def has_proved_steps(self) -> bool:
        """Whether the proof is the claim's own derivation, of which every step is accepted."""
        return self.proof is not None and self.proof.engine == "chain"

    def ratio(self, claim: Claim) -> float | None:
        """The worst measured left/right; None for identities, rates and a right side of zero."""
        return None if self.worst is None or claim.kind in ("Identity", "Rate") else self.worst.ratio

    def as_expected(self, claim: Claim) -> bool:
        """Whether the verdict is the one that the claim expects, or a stronger one."""
        return accepted(self.verdict, claim.expected)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON for a receipt."""
        found = {
            "verdict": self.verdict,
            "reason": self.reason,
            "evidence": [e.to_json() for e in self.evidence],
            "worst": self.worst and self.worst.to_json(),
            "mutants": self.mutation and self.mutation.to_json(),
            "region": self.region and self.region.to_json(),
        }
        return present(found)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Findings:
        """Read them back."""
        return cls(
            data["verdict"],
            data["reason"],
            tuple(map(Evidence.from_json, data.get("evidence", ()))),
            Worst.from_json(data["worst"]) if "worst" in data else None,
            Mutation.from_json(data["mutants"]) if "mutants" in data else None,
            Region.from_json(data["region"]) if "region" in data else None,
        )
