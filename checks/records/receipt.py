"""Receipts: what a run keeps about one claim, bound to its statement and to the code that measured it.

One line of JSON each: key, verdict, evidence with witness and worst case, mutants' fates, certificate. What a claim
says and what rests on it come from the registry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.language.expression import digest
from boundaudit.checks.records.provenance import code_of

if TYPE_CHECKING:
    from boundaudit.checks.language.claim import Claim

ENGINE_VERSION = 2
"""Raised where evidence of the same claim would come out otherwise."""


def evidence_key(claim: Claim) -> str:
    """What evidence is bound to: the statement, the code that measures it, and the engine's version.

    Returns:
        A hash that changes with any of them; evidence under another key is stale.
    """
    from boundaudit.checks.language.claim import Quantity

    measures = [side.measure for side in (claim.left, claim.right) if isinstance(side, Quantity)]
    return digest([claim.fingerprint, code_of(*measures), ENGINE_VERSION])


@dataclass(frozen=True)
class Receipt:
    """What a run keeps about one claim, or one case of it.

    Attributes:
        label: The label, with the case in brackets.
        key: What the findings are bound to.
        fingerprint: A hash of the statement's meaning.
        findings: What was found.
    """

    label: str
    key: str
    fingerprint: str
    findings: Findings

    @property
    def chapter(self) -> str:
        """Its file: the first two parts of the label."""
        return chapter(self.label)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, one line of a receipts file.

        Returns:
            Label, key, fingerprint and findings.
        """
        return {"label": self.label, "key": self.key, "fingerprint": self.fingerprint, **self.findings.to_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Receipt:
        """Read it back."""
        return cls(data["label"], data["key"], data["fingerprint"], Findings.from_json(data))


def chapter(label: str) -> str:
    """The chapter of a label: its sub-package and the next part.

    Returns:
        Such as ``sharpness.norms``.
    """
    return ".".join(label.partition("[")[0].split(".")[:2])
