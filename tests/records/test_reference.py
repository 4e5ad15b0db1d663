"""The shipped run and its report; a change is noticed. ``make check`` asks whether the run is current."""

import dataclasses
import re
from typing import Any

import pytest
from tests.shipped import shipped_run

from boundaudit.checks.language.verdicts import STANDING
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit
from boundaudit.checks.run.cached import catalogue
from boundaudit.checks.run.registry import Registry
from boundaudit.checks.run.shipped import registry_for
from boundaudit.reports import reference as keeper
from boundaudit.reports.formats.formulas import mathml
from boundaudit.reports.formats.markdown import render_audit

pytestmark = pytest.mark.slow

LABEL = "sharpness.mlp.height"


@pytest.fixture(scope="module")
def shipped() -> Run:
    return shipped_run()


def test_the_report_is_that_of_the_shipped_run(shipped: Run) -> None:
    files = render_audit(shipped)
    assert keeper.committed() == files
    assert len(files["AUDIT.md"].encode()) < 20_000


def test_every_fallen_printed_statement_has_a_true_one_in_its_place(shipped: Run) -> None:
    audit = Audit(shipped)
    fallen = [audited for audited in audit.claims.values() if audited.claim.role == "printed"]
    fallen = [audited for audited in fallen if not any(f.verdict in STANDING for f in audited.found.values())]
    fallen = [audited for audited in fallen if audited.verdict == "refuted"]
    assert len(fallen) >= 10
    for audited in fallen:
        assert audited.claim.repair is not None, audited.claim.label
        assert audit.claim(audited.claim.repair).verdict in STANDING, audited.claim.label


def test_every_theorem_that_falls_says_where_and_what_stands_instead(shipped: Run) -> None:
    for row in Audit(shipped).theorems:
        if row.state.startswith("falls"):
            assert row.failures, row.theorem.number
            assert row.theorem.successor, row.theorem.number


def test_statements_are_distinct() -> None:
    claims = catalogue().claims.values()
    assert len({claim.statement for claim in claims}) == len(claims)


def test_meanings_are_distinct(shipped: Run) -> None:
    """By the fingerprints of the shipped run, which ``make check`` compares with those of the claims."""
    seen: dict[str, str] = {}
    for claim in catalogue().claims.values():
        for label in [case.label for case in claim.cases if claim.missing is None]:
            assert seen.setdefault(shipped.receipts[label].fingerprint, label) == label


@pytest.mark.parametrize(("change", "finding"), [
    ({"statement": "Something else."}, []),
    ({"right": 1}, [f"{LABEL}: the statement or the code that measures it has changed"]),
    ({"label": "sharpness.mlp.tall"}, [f"{LABEL}: a receipt without a claim", "sharpness.mlp.tall: no receipt"]),
    ({"expected": "refuted"}, [f"{LABEL}: proved, expected refuted"]),
])  # fmt: skip
def test_a_changed_claim_is_noticed_and_changed_words_are_none(
    shipped: Run, change: dict[str, Any], finding: list[str]
) -> None:
    known = registry_for((LABEL,))
    changed = dataclasses.replace(known.claims[LABEL], **change)
    receipts = {label: receipt for label, receipt in shipped.receipts.items() if label in known.members}
    run = dataclasses.replace(shipped, receipts=receipts, studies={})
    claims = [changed if label == LABEL else claim for label, claim in known.claims.items()]
    assert keeper.stale(run, Registry([*claims, *known.derivations.values()])) == finding


def test_missing_steps_and_prices_are_noticed(shipped: Run) -> None:
    known = registry_for(("covering.*",))
    receipts = {label: receipt for label, receipt in shipped.receipts.items() if label in known.members}
    bare = dataclasses.replace(shipped, receipts=receipts, derivations={}, prices={})
    chains = [f"{label}: no steps of its chain" for label in shipped.derivations if label.startswith("covering.")]
    prices = [f"{label}: no price" for label in shipped.prices if "Trauger" in label or "Edelman" in label]
    found = [line for line in keeper.stale(bare, known) if "without a study" not in line]
    assert sorted(found) == sorted([*chains, *prices])
    assert min(len(chains), len(prices)) > 10


def test_a_receipt_reads_back_as_it_was_written(shipped: Run) -> None:
    for receipt in shipped.receipts.values():
        assert Receipt.from_json(receipt.to_json()).to_json() == receipt.to_json()


def test_the_records_are_small_and_hold_neither_prose_nor_timings_nor_paths(shipped: Run) -> None:
    assert shipped.timings == {}
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    proofs = [receipt.findings.proof for receipt in shipped.receipts.values()]
    chains = [proof.certificate or {} for proof in proofs if proof is not None and proof.engine == "chain"]
    steps = [step for chain in chains for step in chain["steps"]]
    shown = len(steps) + sum(len(use["conditions"]) for step in steps for use in step["uses"])
    assert sum(path.stat().st_size for path in files) < 3_200 * len(shipped.receipts) + 2_000 * shown
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    assert str(FOLDER) not in text
    word = r'(?:[^"\\]|\\.)*'  # of a JSON string: a sentence is one with spaces in it
    prose = "\n".join(re.findall(f'"{word} {word} {word}"', text))
    assert not [claim.statement for claim in catalogue().claims.values() if claim.statement in prose]


def test_every_formula_of_a_theorem_is_drawn() -> None:
    formulas = {theorem.number: theorem.formula for theorem in catalogue().theorems if theorem.formula}
    assert [number for number, formula in formulas.items() if "<math" not in str(mathml(formula))] == []
