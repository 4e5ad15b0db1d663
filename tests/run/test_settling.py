"""What a run finds of an axiom counts for the proofs of the same run that cite it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.statements import UNIT, claim, x

from boundaudit.checks.evidence.evidence import Evidence
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.run.runner import verify
from boundaudit.checks.run.settling import is_doubted, judged_again

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


def test_an_axiom_that_stands_again_is_heard() -> None:
    """The receipt of a proof that its own run has judged again is no later run's."""
    axiom = Receipt("own.axiom", "", "", Findings("refuted", ""))
    whole = proved("own.claim", "own.axiom")
    again = judged_again({"own.axiom": axiom, "own.claim": whole}, lambda label: (CLAIMS[label],))
    assert is_doubted(again["own.claim"])
    assert not is_doubted(whole)


def test_a_proof_from_what_stands_stays() -> None:
    assert verdicts("supported") == {}


def test_a_proof_from_an_axiom_that_falls_falls_with_what_rests_on_it() -> None:
    for fallen in ("refuted", "vacuous", "undecided"):
        assert verdicts(fallen) == {
            "own.claim": ("undecided", "own.axiom, which its proof cites, does not stand here"),
            "own.other": ("undecided", "own.claim, which its proof cites, does not stand here"),
        }


FILE = """
import numpy as np
import sympy as sp
from boundaudit import Claim, Derivation, Domain, Integers, Quantity, Reals, Step

n = sp.Symbol("n", integer=True, positive=True)
x, y, z = sp.symbols("x y z", real=True)
numbers = Quantity("m", lambda points, device: np.array([9.0 if p["n"] == 32 else 1.0 for p in points]), "m",
                   enclosure=lambda p: (9, 9) if p["n"] == 32 else (1, 1), of=("n",))
axiom = Claim(label="own.axiom", statement="m is 1.", role="axiom", left=numbers, relation="=", right=1,
              domain=Domain({n: Integers(1, MOST)}))
domain = Domain({x: Reals(0, 1), y: Reals(0, 1), z: Reals(0, 1), n: Integers(1, 31)})
left, middle = numbers.atom + x * y * z, 1 + x * y * z
steps = (Step(left, "m"), Step(middle, "one", "", "own.axiom"), Step(sp.Integer(2), "two", ""))
chain = Derivation(label="own.chain", title="Two", steps=steps, domain=domain,
                   samples={"one": {"n": 1, "x": 1, "y": 1, "z": 1}})
bound = Claim(label="own.bound", statement="It is at most 2.", left=left, right=2, domain=domain, expected="proved",
              derivation=chain)
"""


@pytest.mark.slow
def test_a_later_run_with_a_true_axiom_proves_again(tmp_path: Path) -> None:
    """Though nothing of the claim itself has changed since the run in which the axiom fell."""
    file, known, found = tmp_path / "own_claims.py", None, []
    for most in ("None", "31"):
        file.write_text(FILE.replace("MOST", most), encoding="utf-8")
        run = verify(files=[file], out=tmp_path / f"run{most}", profile="smoke", device="cpu", known=known)
        known = run.receipts
        found.append([known[label].findings.verdict for label in ("own.axiom", "own.bound")])
    assert found == [["refuted", "undecided"], ["supported", "proved"]]
