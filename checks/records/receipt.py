"""Receipts: what a run keeps about one claim, bound to its statement and to the code that measured it.

One line of JSON each: key, verdict, evidence with witness and worst case, mutants' fates, certificate. What a claim
says and what rests on it come from the registry. A receipt that is read is not believed: its verdict is the one that
its evidence gives, or it is refused.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundaudit import InputError
from boundaudit.checks.evidence.evidence import NO_VALUE
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.verdict import judge
from boundaudit.checks.language.digest import digest
from boundaudit.checks.language.expression import canonical_json
from boundaudit.checks.language.labels import LONGEST, is_member
from boundaudit.checks.language.verdicts import VERDICTS
from boundaudit.checks.records.border import Misfit, conform
from boundaudit.checks.records.provenance import code_of

if TYPE_CHECKING:
    from boundaudit.checks.language.claim import Claim

ENGINE_VERSION = 5
"""Raised where evidence of the same claim would come out otherwise."""
_BY_ITSELF = ("not testable", "undecided")
"""Verdicts of a claim without any evidence: nothing was to be gathered, or nothing could be."""


def evidence_key(claim: Claim) -> str:
    """What evidence is bound to: the statement, the code that measures it, its error budgets, and the engine's version.

    A hash that changes with any of them; evidence under another key is stale.
    """
    from boundaudit.checks.language.claim import measured_in

    nodes = [] if claim.derivation is None else [step.value for step in claim.derivation.steps]
    parts = [part for side in (claim.left, claim.right, *nodes) for part in measured_in(side)]
    named = ("measure", "enclosure", "standard_error")
    called = [of for part in parts for name in named if (of := getattr(part, name, None)) is not None]
    read = list(dict.fromkeys(called))
    proof = [] if claim.derivation is None else [claim.derivation.meaning]
    budgets = [f"{part.rounding:.3g} {part.scale:.3g}" for part in parts]
    return digest([claim.fingerprint, code_of(*read), budgets, ENGINE_VERSION, *proof])


@dataclass(frozen=True)
class Receipt:
    """What a run keeps about one claim, or one case of it, whose label then ends in brackets."""

    label: str
    key: str  # what the findings are bound to
    fingerprint: str  # a hash of the statement's meaning
    findings: Findings

    @property
    def chapter(self) -> str:
        """Its file: the first two parts of the label."""
        return chapter(self.label)

    @functools.cached_property
    def spelled(self) -> str:
        """Its statement and certificate as they are hashed: with a proof, and again with each that rests on it."""
        proof = self.findings.proof
        return canonical_json([self.fingerprint, proof and proof.certificate])

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, one line of a receipts file."""
        return {"label": self.label, "key": self.key, "fingerprint": self.fingerprint, **self.findings.to_json()}

    @classmethod
    def from_json(cls, data: Any, place: str = "receipt") -> Receipt:
        """Read back what `to_json` wrote, or somebody else.

        Raises:
            InputError: where a field is missing or no such thing, or the verdict is not what the evidence gives; it
                names the place, the label and the field.
        """
        label = data.get("label") if isinstance(data, Mapping) else None
        if not is_member(label):
            raise Misfit("label", f"a label of a claim, of at most {LONGEST} characters", label).at(place)
        try:
            _check_said(data)
            found = cls(str(label), data["key"], data["fingerprint"], Findings.from_json(data))
            conform(found, cls)
            _check_points(found.findings)
            _check_cited(found.findings)
            return replace(found, findings=_derived(found.findings))
        except Misfit as misfit:
            raise misfit.at(f"{place}: {label}") from None
        except KeyError as missing:
            raise Misfit("", f"the field {missing.args[0]}", "none").at(f"{place}: {label}") from None
        except InputError as error:
            raise Misfit(error.args[0], *error.args[1:3]).at(f"{place}: {label}") from None
        except (TypeError, ValueError, AttributeError, RecursionError) as error:
            raise Misfit("", "a receipt", error).at(f"{place}: {label}") from None


def _derived(findings: Findings) -> Findings:
    """The findings with the reason that their evidence gives."""
    if findings.verdict not in VERDICTS:
        raise Misfit("verdict", ", ".join(VERDICTS), findings.verdict)
    if not findings.evidence and findings.verdict in _BY_ITSELF:
        return findings
    killed = None if findings.mutation is None else findings.mutation.deaths
    verdict, reason = judge(findings.evidence, killed=killed)
    if verdict != findings.verdict:
        raise Misfit("verdict", f"{verdict}, as the evidence says", findings.verdict)
    return replace(findings, reason=reason)


def _check_said(data: Mapping[str, Any]) -> None:
    """Nothing is null: what there is nothing to say of is left out."""
    parts = [("", data), *((f"evidence[{i}].", found) for i, found in enumerate(data.get("evidence", ())))]
    for place, part in parts:
        for name, value in part.items():
            if value is None:
                raise Misfit(f"{place}{name}", "a value", "null")


def _check_points(findings: Findings) -> None:
    """The values of recorded points, and the sides of counterexamples, are numbers."""
    recorded = [("worst", findings.worst)]
    for i, evidence in enumerate(findings.evidence):
        witness = evidence.witness
        field = f"evidence[{i}]"
        recorded += [(f"{field}.worst", evidence.worst), *((f"{field}.path", step.worst) for step in evidence.path)]
        if witness is not None:
            _check_values(f"{field}.witness.point", tuple(witness.point.values()))
            for side in ("left", "right"):
                _check_decimal(f"{field}.witness.{side}", getattr(witness, side))
    for field, worst in recorded:
        if worst is not None:
            _check_values(f"{field}.point", tuple(worst.point.values()))


def _check_cited(findings: Findings) -> None:
    """What proofs by steps cite are labels: whoever shows a claim names them, though no checker has looked."""
    for i, evidence in enumerate(findings.evidence):
        try:
            cited = all(isinstance(label, str) for label in evidence.cites)
        except (LookupError, TypeError, AttributeError):
            cited = False
        if not cited:
            raise Misfit(f"evidence[{i}].certificate", "steps that name what they use", "others")


def _check_values(field: str, values: tuple[Any, ...], depth: int = 2) -> None:
    """Numbers, vectors of numbers, or families of subsets."""
    for value in values:
        if isinstance(value, tuple) and depth:
            _check_values(field, value, depth - 1)
        elif isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
            raise Misfit(field, "numbers, or lists of them", value)


def _check_decimal(field: str, text: str) -> None:
    try:
        if text != NO_VALUE:
            float(text)
    except ValueError:
        raise Misfit(field, "a decimal", text) from None


def chapter(label: str) -> str:
    """The chapter of a label: its sub-package and the next part, such as ``sharpness.norms``."""
    return ".".join(label.partition("[")[0].split(".")[:2])
