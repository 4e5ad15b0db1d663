"""Which recorded proofs Coq accepts too: judgements of exported certificates, each bound to what was judged.

``coq.json`` is written by ``python -m tests.coq``. A claim whose statement or certificate, or that of anything that its
proof cites, is another one today has no judgement.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.language.digest import digest_of
from boundaudit.checks.language.expression import canonical_json
from boundaudit.checks.records.run_folder import Run

FILE = Path(__file__).with_name("coq.json")
ACCEPTED = "accepted"


def certificate_key(run: Run, label: str) -> str | None:
    """A hash of a proof, statement and certificate, and of all that it cites; None where the run has no proof."""
    proof = _proof(run, label)
    if proof is None or not proof.certificate:
        return None
    found: dict[str, str] = {}
    left = [label]
    while left:
        name = left.pop()
        found[name] = run.receipts[name].spelled if name in run.receipts else "null"
        proof = _proof(run, name)  # none of an axiom, which is a premise as it stands
        left += [other for other in (() if proof is None else proof.cites) if other not in found]
    return digest_of(f"{{{','.join(f'{canonical_json(name)}:{found[name]}' for name in sorted(found))}}}")


def _proof(run: Run, label: str) -> Evidence | None:
    return run.receipts[label].findings.proof if label in run.receipts else None


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
