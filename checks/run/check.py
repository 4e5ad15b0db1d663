"""A run looked at again, without any engine that made it: certificates, counterexamples, verdicts.

Every receipt is held against the claim of its label as the registry states it now. Certificates go to the proof
checker, counterexamples and recorded cases to exact and ball arithmetic, trials are judged by their counts again, and
the verdict is derived from the evidence once more. What measurements found is not measured again: `verify` does that.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from boundaudit import InputError
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.reference import FOLDER, stored
from boundaudit.checks.records.run_folder import Run, claims_of
from boundaudit.checks.records.standing import flaw
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.checks.run.doubts import Doubt
from boundaudit.checks.run.named_files import require_named
from boundaudit.checks.run.own_files import load_files
from boundaudit.checks.run.settling import bears
from boundaudit.checks.run.shipped import built_in
from boundaudit.checks.run.workers import Limits, Lost, Say, Workers, can_fork

_TOGETHER = 20
"""Receipts that a worker looks at in one go."""
_LIMITS = Limits(seconds=300, gigabytes=4)
"""What so many may use: a forged certificate can ask for any amount of work."""


@dataclass(frozen=True)
class Checked:
    """What came of looking at a run again."""

    run: str  # its folder
    claims: int  # receipts that were looked at
    certificates: int  # those that the proof checker was given
    counterexamples: int  # those that were evaluated
    measured: int  # verdicts on measurements that were not made again
    doubts: list[Doubt]  # the receipts that do not stand
    absent: list[str]  # claims and cases of the same files, or of the suite, of which the run knows nothing

    def to_json(self) -> dict[str, Any]:
        """What `check --json` prints."""
        return asdict(self)


def check_folder(folder: Path, progress: Callable[[int], None] = lambda done: None) -> Checked:
    """Look at every receipt of a run again, those that contradict themselves among them, on all cores.

    ``progress`` is told from time to time how many have been looked at.

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
    checker = _checker(run, dict(_flaws_by_workers(run, folder, progress)))
    doubts += sorted(checker.doubts(run.receipts), key=lambda doubt: doubt.label)
    evidence = [found for receipt in run.receipts.values() for found in receipt.findings.evidence]
    return Checked(
        str(folder), len(run.receipts) + len(refused),
        sum(found.method == "proof" and found.outcome == "holds" for found in evidence),
        sum(found.witness is not None for found in evidence),
        sum(receipt.findings.verdict == "supported" for receipt in run.receipts.values()), doubts, _absent(run),
    )  # fmt: skip


def _absent(run: Run) -> list[str]:
    """What a run could have and has not: one of a few claims is no other than one from which the rest was taken."""
    if run.files or run.path == FOLDER:
        known: Iterable[str] = (load_files(run.files) if run.files else built_in()).members
    else:
        known = claims_of(FOLDER)  # to load the whole suite takes long
    return sorted({*known} - {*run.receipts, *run.manifest.claims, *run.manifest.errors})


def _refused(error: InputError) -> Doubt:
    """A receipt that reading refuses: its verdict is not what its evidence gives, or it is none."""
    place, _, field = error.field.partition(": ")
    label, _, name = field.partition(": ")
    return Doubt(label or place, f"{name} {error.args[2]}".strip(), error.args[1])


def _flaws_by_workers(run: Run, folder: Path, progress: Callable[[int], None]) -> Iterator[tuple[str, str | None]]:
    """What each receipt says that does not stand, whatever it cites, found by processes side by side."""
    labels = list(run.receipts)
    parts = [tuple(labels[start : start + _TOGETHER]) for start in range(0, len(labels), _TOGETHER)]
    fork = can_fork()
    _checker_of.cache_clear()  # the folder may have changed
    if fork:
        _checker_of(folder)  # what every copy of this process then has
    with Workers(os.cpu_count() or 1, functools.partial(_look, folder), lambda part: _LIMITS, fork=fork) as workers:
        for done, ended in enumerate(workers.results(parts), 1):
            progress(min(done * _TOGETHER, len(labels)))
            if isinstance(ended.result, Lost):
                yield from ((label, f"not checked: {ended.result.reason}") for label in ended.job)
            else:
                yield from ended.result


def _look(folder: Path, labels: Sequence[str], say: Say) -> list[tuple[str, str | None]]:
    """In a worker."""
    checker = _checker_of(folder)
    return [(label, checker.flaw(label)) for label in labels]


@functools.lru_cache(maxsize=1)
def _checker_of(folder: Path) -> _Checker:
    return _checker(Run.load(folder, doubt=lambda error: None), {})


def _checker(run: Run, flaws: dict[str, str | None]) -> _Checker:
    require_named(run.files)
    return _Checker(run, load_files(run.files).find if run.files else find_shipped, flaws)


def doubts_in(run: Run, labels: Iterable[str]) -> list[Doubt]:
    """A doubt for each of some receipts of a run that does not stand.

    Raises:
        InputError: where a user's own claims file cannot be read.
    """
    return _checker(run, {}).doubts(labels)


class _Checker:
    """Receipts of one run against their claims, each looked at once; ``flaws`` are known of receipts by themselves."""

    def __init__(self, run: Run, find: Callable[[str], Sequence[Claim]], flaws: dict[str, str | None]) -> None:
        self._receipts = run.receipts
        self._find = find
        self._flaws = flaws
        self._found: dict[str, str | None] = {}

    def doubts(self, labels: Iterable[str]) -> list[Doubt]:
        """A doubt for each receipt that does not stand."""
        found = ((label, self._wrong(label)) for label in labels)
        return [Doubt(label, self._receipts[label].findings.verdict, what) for label, what in found if what is not None]

    def _wrong(self, label: str) -> str | None:
        """What of a receipt, or of what it cites, does not stand."""
        if label not in self._found:
            self._found[label] = "it rests on itself"  # unless found otherwise before one comes back to it
            self._found[label] = self.flaw(label) or self._cited(self._receipts[label])
        return self._found[label]

    def flaw(self, label: str) -> str | None:
        """What of a receipt, taken by itself, does not stand, in one line; None where all stands."""
        if label not in self._flaws:
            self._flaws[label] = self._flaw(self._receipts[label], self._find(label))
        return self._flaws[label]

    def _flaw(self, receipt: Receipt, claims: Sequence[Claim]) -> str | None:
        if len(claims) != 1:
            return "no claim of that label"
        (claim,) = claims
        try:
            if claim.fingerprint != receipt.fingerprint:
                return "the claim states something else now"
        except ValueError as error:
            return f"the claim's statement: {error}"
        return flaw(claim, receipt.findings, self._find)

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
        (claim,) = members
        if (here := self._receipts.get(label)) is not None:
            return bears(claim, here.findings.verdict) and self._wrong(label) is None
        known = stored(label)
        return known is not None and bears(claim, known.verdict) and flaw(claim, known, self._find) is None
