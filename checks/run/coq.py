"""Recorded proofs as Coq files: which certificates of a run are written, and why the rest are not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from boundaudit import InputError
from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.coq.book import Known
from boundaudit.checks.proof.coq.documents import PRELUDE, document, prelude
from boundaudit.checks.proof.coq.terms import NotExported, identifier
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.checks.run.own_files import load_files


@dataclass(frozen=True)
class Exported:
    """What became of one certificate: the name of its file, or in one line why there is none."""

    label: str
    kind: str
    file: str | None = None
    why: str | None = None

    def to_json(self) -> dict[str, Any]:
        """What ``export --coq --json`` prints of it."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def export_coq(run: Run, labels: Sequence[str], write: Callable[[str, str], None]) -> list[Exported]:
    """Write certificates of a run as Coq files, and the file that they require; all that there are without labels.

    ``write`` takes the name of a file and its text.

    Raises:
        InputError: where a label names no proof of the run, or the claim states something else now.
    """
    find = load_files(run.files).find if run.files else find_shipped
    wanted = list(dict.fromkeys(labels)) or [name for name, found in run.receipts.items() if found.findings.proof]
    proofs = [(label, *_proof(run, label, find)) for label in wanted]
    write(f"{PRELUDE}.v", prelude())
    names: set[str] = set()
    return [
        _exported(label, claim, proof, _file_name(label, names), _cited(run, proof, find), write)
        for label, claim, proof in proofs
    ]


def _cited(run: Run, proof: Evidence, find: Callable[[str], Sequence[Claim]]) -> Known:
    """What a chain cites, and what that cites, with the certificates that the run holds; axioms have none."""
    found: dict[str, tuple[Statement, Any]] = {}
    left = list(proof.cites)
    while left:
        label = left.pop()
        receipt, members = run.receipts.get(label), find(label)
        if label in found or receipt is None or len(members) != 1 or members[0].proof_form is None:
            continue
        cited = receipt.findings.proof
        if members[0].role == "axiom":
            found[label] = (members[0].proof_form, None)
        elif cited is not None and cited.certificate is not None:
            found[label] = (members[0].proof_form, cited.certificate)
            left += cited.cites
    return found


def _proof(run: Run, label: str, find: Callable[[str], Sequence[Claim]]) -> tuple[Claim, Evidence]:
    """A claim with the proof that the run holds of it."""
    receipt, members = run.receipts.get(label), find(label)
    if receipt is None or len(members) != 1:
        raise InputError("label", "a claim, or a case of one, of the run", label, "see `boundaudit list`")
    proof = receipt.findings.proof
    if proof is None or proof.certificate is None:
        raise InputError(label, "a proof with a certificate", receipt.findings.verdict, "name a claim that is proved")
    if members[0].fingerprint != receipt.fingerprint:
        raise InputError(label, "a record of what the claim states now", "an older one", "run `boundaudit verify`")
    return members[0], proof


def _file_name(label: str, taken: set[str]) -> str:
    """A name for a file that no other label has."""
    stem = word = identifier(label)
    number = 1
    while word.lower() in taken:
        number += 1
        word = f"{stem}_{number}"
    taken.add(word.lower())
    return f"{word}.v"


def _exported(
    label: str, claim: Claim, proof: Evidence, file: str, known: Known, write: Callable[[str, str], None]
) -> Exported:
    certificate, statement = dict(proof.certificate or {}), claim.proof_form
    kind = str(certificate["kind"])
    if statement is None:
        return Exported(label, kind, why="the claim is about probabilities")
    try:
        text = document(label, statement, certificate, known)
    except NotExported as reason:
        return Exported(label, kind, why=str(reason))
    write(file, text)
    return Exported(label, kind, file)
