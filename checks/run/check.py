"""A run looked at again, without any engine that made it: certificates, counterexamples, verdicts.

Every receipt is held against the claim of its label as the registry states it now. Certificates go to the proof
checker, counterexamples and recorded cases to exact and ball arithmetic, trials are judged by their counts again, and
the verdict is derived from the evidence once more. What measurements found is not measured again: `verify` does that.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from boundaudit import InputError
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.verdicts import STANDING
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.reference import stored
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.standing import flaw
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.checks.run.doubts import Doubt
from boundaudit.checks.run.named_files import require_named
from boundaudit.checks.run.own_files import load_files


@dataclass(frozen=True)
class Checked:
    """What came of looking at a run again.

    Attributes:
        run: Its folder.
        claims: How many receipts were looked at.
        certificates: How many certificates the proof checker was given.
        counterexamples: How many counterexamples were evaluated.
        measured: How many verdicts rest on measurements that were not made again.
        doubts: The receipts that do not stand.
    """

    run: str
    claims: int
    certificates: int
    counterexamples: int
    measured: int
    doubts: list[Doubt]

    def to_json(self) -> dict[str, Any]:
        """What `check --json` prints."""
        return asdict(self)


def check_folder(folder: Path, progress: Callable[[str], None] = lambda label: None) -> Checked:
    """Look at every receipt of a run again, those that contradict themselves among them.

    Args:
        folder: The run.
        progress: Told of each label before it is looked at.

    Returns:
        What was found.

    Raises:
        InputError: where the folder is no run, or a user's own claims file cannot be read.
    """
    errors: list[InputError] = []
    run = Run.load(folder, doubt=errors.append)
    refused = [_refused(error) for error in errors]
    told = {doubt.label for doubt in refused}
    missing = [Doubt(name, "listed", "no receipt") for name in run.manifest.claims if name not in run.receipts]
    listed = set(run.manifest.claims)
    added = [Doubt(name, "a receipt", "not listed in the manifest") for name in run.receipts if name not in listed]
    doubts = [*refused, *(doubt for doubt in missing if doubt.label not in told), *added]
    doubts += doubts_in(run, run.receipts, progress)
    evidence = [found for receipt in run.receipts.values() for found in receipt.findings.evidence]
    return Checked(
        str(folder), len(run.receipts) + len(refused),
        sum(found.method == "proof" and found.outcome == "holds" for found in evidence),
        sum(found.witness is not None for found in evidence),
        sum(receipt.findings.verdict == "supported" for receipt in run.receipts.values()), doubts,
    )  # fmt: skip


def _refused(error: InputError) -> Doubt:
    """A receipt that reading refuses: its verdict is not what its evidence gives, or it is none."""
    place, _, field = error.field.partition(": ")
    label, _, name = field.partition(": ")
    return Doubt(label or place, f"{name} {error.args[2]}".strip(), error.args[1])


def doubts_in(run: Run, labels: Iterable[str], progress: Callable[[str], None] = lambda label: None) -> list[Doubt]:
    """What of some receipts of a run does not stand.

    Args:
        run: The run.
        labels: Of its receipts.
        progress: Told of each label before it is looked at.

    Returns:
        A doubt for each that does not.

    Raises:
        InputError: where a user's own claims file cannot be read.
    """
    require_named(run.files)
    find = load_files(run.files).find if run.files else find_shipped
    checker = _Checker(run, find)
    doubts = []
    for label in labels:
        progress(label)
        found = checker.wrong(label)
        if found is not None:
            doubts.append(Doubt(label, run.receipts[label].findings.verdict, found))
    return doubts


class _Checker:
    """Receipts of one run against their claims, each looked at once."""

    def __init__(self, run: Run, find: Callable[[str], Sequence[Claim]]) -> None:
        self._receipts = run.receipts
        self._find = find
        self.wrong = functools.cache(self._wrong)

    def _wrong(self, label: str) -> str | None:
        """What of a receipt does not stand, in one line; None where all stands."""
        receipt, claims = self._receipts[label], self._find(label)
        if len(claims) != 1:
            return "no claim of that label"
        (claim,) = claims
        try:
            if claim.fingerprint != receipt.fingerprint:
                return "the claim states something else now"
        except ValueError as error:
            return f"the claim's statement: {error}"
        return flaw(claim, receipt.findings, self._find) or self._cited(receipt)

    def _cited(self, receipt: Receipt) -> str | None:
        """What a proof by steps cites and does not stand: a claim that is not proved, an axiom that has fallen."""
        proof = receipt.findings.proof
        cited = () if proof is None else proof.cites
        return next((f"{label}, which it cites, does not stand" for label in cited if not self._stands(label)), None)

    def _stands(self, label: str) -> bool:
        """Whether a claim is proved, or an axiom stands: in this run, or else in the one that ships with the suite."""
        members = self._find(label)
        if len(members) != 1:
            return False
        here, enough = self._receipts.get(label), STANDING if members[0].role == "axiom" else ("proved",)
        if here is not None:
            return here.findings.verdict in enough and self.wrong(label) is None
        known = stored(label)
        return known is not None and known.verdict in enough and flaw(members[0], known, self._find) is None
