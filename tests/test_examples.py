"""The example that ships: its three verdicts, by the command line and as the README tells it."""

from __future__ import annotations

import re
from pathlib import Path

from boundaudit.checks.records.run_folder import Run

from .command import EXAMPLE, Call

README = Path(__file__).parents[1] / "README.md"


def test_one_is_proved_one_supported_one_refuted(example_run: Run) -> None:
    verdicts = {label: receipt["verdict"] for label, receipt in example_run.receipts.items()}
    assert verdicts == {"example.logarithm": "proved", "example.spectral": "supported", "example.variance": "refuted"}
    assert all(receipt["as_expected"] for receipt in example_run.receipts.values())


def test_the_proof_speaks_for_the_whole_domain_and_names_its_engine(example_run: Run) -> None:
    (proof,) = [e for e in example_run.receipts["example.logarithm"]["evidence"] if e["method"] == "proof"]
    assert proof["whole_domain"]
    assert proof["engine"]
    assert proof["certificate"]


def test_the_false_one_has_the_counterexample_that_its_comment_names(example_run: Run) -> None:
    witnesses = [e["witness"] for e in example_run.receipts["example.variance"]["evidence"] if e["witness"]]
    assert witnesses[0]["point"] == {"p": "1/2"}
    assert float(witnesses[0]["left"]) == 0.25
    assert float(witnesses[0]["right"]) == 0.24


def test_the_measured_one_has_no_proof_and_says_how_hard_it_was_looked_for(example_run: Run) -> None:
    receipt = example_run.receipts["example.spectral"]
    assert {e["method"] for e in receipt["evidence"] if e["outcome"] == "holds"} == {"search", "sweep"}
    looked = sum(e["evaluations"] for e in receipt["evidence"])
    assert receipt["reason"].startswith(f"{looked} evaluations")
    assert 0.9 < receipt["ratio"] <= 1


def test_it_is_the_file_that_is_imported_from_the_package(call: Call) -> None:
    from importlib import resources

    packaged = resources.files("boundaudit.reports").joinpath("examples", "my_claims.py")
    assert packaged.read_text(encoding="utf-8") == EXAMPLE.read_text(encoding="utf-8")


def test_what_the_readme_shows_of_it_is_what_it_holds() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert [block for block in blocks if 'label="example.' in block and block.strip() not in text] == []
