"""The examples that ship: their verdicts, by the command line and as the site tells them."""

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit
from boundaudit.checks.run.own_files import load_files
from boundaudit.checks.run.runner import summary

from .command import EXAMPLE, Call
from .statements import at_a_glance

SPECTRAL, SGD, RATES = (
    EXAMPLE.with_name(f"{name}.py") for name in ("spectral_margin", "sgd_stability", "first_order_methods")
)
PAGE = Path(__file__).parents[1] / "reports" / "site" / "audit-and-report.md"
QUICK = (
    "margin.massart.*", "margin.lipschitz.*", "margin.maurey.fractional", "margin.maurey.mean", "margin.rademacher.*",
    "margin.bound.falls", "margin.bound.vanishes", "margin.bound.below-parameters", "margin.grid.union",
    "margin.network.three-layers",
)  # fmt: skip
"""Of the worked example, what is measured, counted or false, and a few quick proofs."""


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


def test_what_the_site_shows_of_it_is_what_it_holds() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert [block for block in blocks if 'label="example.' in block and block.strip() not in text] == []


@pytest.mark.acceptance
@pytest.mark.parametrize(("example", "quick"), [
    (SGD, ("sgd.convex.*", "sgd.variants.*", "sgd.expansion.s*", "sgd.general.*slip")),
    (RATES, ("methods.*",)),
])  # fmt: skip
def test_an_appendix_gets_the_verdicts_that_it_names(example: Path, quick: Sequence[str], tmp_path: Path) -> None:
    found = summary(at_a_glance(quick, example, tmp_path / "run"))
    assert (found.unexpected, found.errors) == ([], {})
    assert found.claims > 15


@pytest.mark.acceptance
def test_the_worked_example_gets_the_verdicts_that_it_names(tmp_path: Path) -> None:
    run = at_a_glance(QUICK, SPECTRAL, tmp_path / "run")
    found = summary(run)
    assert (found.unexpected, found.errors) == ([], {})
    pins = Counter(claim.expected for claim in load_files([SPECTRAL]).members.values())
    assert pins.items() >= {(word, found.verdicts[word]) for word in ("supported", "refuted")}
    assert set(found.verdicts) == {"proved", "supported", "refuted"}


@pytest.mark.slow
@pytest.mark.parametrize(("example", "told"), [
    (SPECTRAL, r"Of its (\d+) claims (\d+) are proved, (\d+) supported \(.*? (\d+) refuted"),
    (SGD, r"Of its (\d+) claims (\d+) are proved, (\d+) supported and (\d+) refuted, slips"),
    (RATES, r"Of its (\d+) claims (\d+) are proved, (\d+) supported and (\d+) refuted\."),
])  # fmt: skip
def test_the_site_counts_the_claims_of_an_example(example: Path, told: str) -> None:
    pins = Counter(claim.expected for claim in load_files([example]).members.values())
    found = re.search(told, _line(PAGE))
    assert found is not None
    assert [int(n) for n in found.groups()] == [pins.total(), pins["proved"], pins["supported"], pins["refuted"]]


def _line(path: Path) -> str:
    return " ".join(path.read_text(encoding="utf-8").split())
