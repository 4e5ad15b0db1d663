"""Which recorded proofs Coq accepts too: judgements of exported certificates, each bound to what was judged.

``coq.json`` is written by ``python -m tests.coq``. A claim whose statement or certificate, or that of anything that its
proof cites, is another one today has no judgement.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from boundaudit.checks.language.digest import digest
from boundaudit.checks.records.run_folder import Run

FILE = Path(__file__).with_name("coq.json")
ACCEPTED = "accepted"


def certificate_key(run: Run, label: str) -> str | None:
    """A hash of a proof, statement and certificate, and of all that it cites; None where the run has no proof."""
    found: dict[str, Any] = {}
    left = [label]
    while left:
        name = left.pop()
        receipt = run.receipts.get(name)
        proof = None if receipt is None else receipt.findings.proof
        found[name] = receipt and [
            receipt.fingerprint,
            proof and proof.certificate,
        ]  # an axiom is a premise, as it stands
        left += [other for other in (() if proof is None else proof.cites) if other not in found]
    return digest(found) if found[label] and found[label][1] else None


@functools.cache
def judgements(file: Path) -> dict[str, dict[str, str]]:
    """What Coq said by label: a word, the key of the certificate, the hash of the file that was judged."""
    found: dict[str, dict[str, str]] = json.loads(file.read_text("utf-8"))["judged"]
    return found


def accepted_by_coq(run: Run, label: str) -> bool:
    """Whether Coq accepted the very proof that a run holds of a claim."""
    found = judgements(FILE).get(label)
    key = None if found is None or found["word"] != ACCEPTED else certificate_key(run, label)
    return found is not None and key is not None and key == found["key"]
