"""The example that ships: its three verdicts, by the command line and as the README tells it."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit

from .command import EXAMPLE, Call

README = Path(__file__).parents[1] / "README.md"


def test_one_is_proved_one_supported_one_refuted(example_run: Run) -> None:
    verdicts = {label: receipt.findings.verdict for label, receipt in example_run.receipts.items()}
    assert verdicts == {"example.logarithm": "proved", "example.spectral": "supported", "example.variance": "refuted"}
    claims = Audit(example_run).claims
    assert set(claims) == set(verdicts)
    assert all(audited.as_expected for audited in claims.values())


def test_the_proof_speaks_for_the_whole_domain_and_names_its_engine(example_run: Run) -> None:
    (proof,) = [e for e in example_run.receipts["example.logarithm"].findings.evidence if e.method == "proof"]
    assert proof.whole_domain
    assert proof.engine
    assert proof.certificate


def test_the_false_one_has_the_counterexample_that_its_comment_names(example_run: Run) -> None:
    witness = example_run.receipts["example.variance"].findings.witness
    assert witness is not None
    assert witness.point == {"p": Fraction(1, 2)}
    assert float(witness.left) == 0.25
    assert float(witness.right) == 0.24


def test_the_measured_one_has_no_proof_and_says_how_hard_it_was_looked_for(example_run: Run) -> None:
    audited = Audit(example_run).claim("example.spectral")
    found = audited.found["example.spectral"]
    assert {e.method for e in found.evidence if e.outcome == "holds"} == {"search", "sweep"}
    looked = sum(e.evaluations for e in found.evidence)
    assert found.reason.startswith(f"{looked} evaluations")
    assert audited.ratio is not None
    assert 0.9 < audited.ratio <= 1


def test_it_is_the_file_that_is_imported_from_the_package(call: Call) -> None:
    from importlib import resources

    packaged = resources.files("boundaudit.reports").joinpath("examples", "my_claims.py")
    assert packaged.read_text(encoding="utf-8") == EXAMPLE.read_text(encoding="utf-8")


def test_what_the_readme_shows_of_it_is_what_it_holds() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert [block for block in blocks if 'label="example.' in block and block.strip() not in text] == []
