"""What a run finds of an axiom counts for the proofs of the same run that cite it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.statements import UNIT, claim, x

from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.run.settling import judged_again

CLAIMS = {
    "own.axiom": claim(x, "<=", 1, UNIT, label="own.axiom", role="axiom"),
    "own.claim": claim(x, "<=", 2, UNIT, label="own.claim", expected="proved"),
    "own.other": claim(x, "<=", 3, UNIT, label="own.other", expected="proved"),
}


def proved(label: str, cites: str) -> Receipt:
    chain = {"kind": "chain", "nodes": [], "steps": [{"uses": [{"cites": cites}], "proof": {}}]}
    proof = Evidence("proof", "holds", "the whole domain", 1, whole_domain=True, engine="steps", certificate=chain)
    return Receipt(label, "", "", Findings.judged(CLAIMS[label], [proof]))


def verdicts(axiom: str) -> Mapping[str, Any]:
    receipts = {
        "own.axiom": Receipt("own.axiom", "", "", Findings(axiom, "")),
        "own.claim": proved("own.claim", "own.axiom"),
        "own.other": proved("own.other", "own.claim"),
    }
    found = judged_again(receipts, lambda label: (CLAIMS[label],))
    return {label: (receipt.findings.verdict, receipt.findings.reason) for label, receipt in found.items()}


def test_a_proof_from_what_stands_stays() -> None:
    assert verdicts("supported") == {}


def test_a_proof_from_an_axiom_that_falls_falls_with_what_rests_on_it() -> None:
    for fallen in ("refuted", "vacuous", "undecided"):
        assert verdicts(fallen) == {
            "own.claim": ("undecided", "own.axiom, which its proof cites, does not stand here"),
            "own.other": ("undecided", "own.claim, which its proof cites, does not stand here"),
        }
