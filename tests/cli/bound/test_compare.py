"""`boundaudit bound compare`: all rows with what they take, as a table and as a page."""

import functools
from pathlib import Path
from typing import Any

import pytest
from tests.command import Call
from tests.shipped import shipped_run

from boundaudit.numeric.sharpness import bound as calculators

CLASS = ("--length", 20, "--degree", 2, "--sparsity", 10)
SAMPLE = ("--samples", "1e6", "--delta", 0.05)


@pytest.mark.slow
def test_a_comparison_writes_one_whole_page(call: Call, bound: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    fewer = functools.partial(calculators.under_noise, draws=12)
    monkeypatch.setattr(calculators, "under_noise", fewer)
    options = ("compare", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--draws", 100)
    found = bound(*options, "--out", "folder/page.html")
    page = Path("folder/page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    forms = [row["form"] for row in found["rows"]]
    assert forms == [
        "published", "repaired", "per-group", "decoupled-prior", "clipped-kl", "norm-alone", "certified",
        "occam", "occam-grid", "hold-out", "chernoff", "covering-shape",
    ]  # fmt: skip
    assert all(form in page for form in forms)
    by_form = {row["form"]: row for row in found["rows"]}
    assert by_form["published"]["informative_from"] == 13664
    for form in ("published", "repaired", "per-group", "decoupled-prior"):
        row = by_form[form]
        assert row["subgaussian_met"] is (row["subgaussian_measured"] <= 0.01)
        assert row["loss_under_noise"]["measured"] < row["loss_under_noise"]["assumed"]
        assert (row["assumptions_checked"], row["informative"]) == (False, None)
    assert by_form["decoupled-prior"]["subgaussian_met"] is True
    assert [form for form, row in by_form.items() if row["oracle"]] == ["certified", "chernoff"]
    assert by_form["occam"]["value"] == pytest.approx(3.55e-4, rel=0.02)
    assert by_form["chernoff"]["value"] < by_form["hold-out"]["value"] < by_form["occam"]["value"]
    assert by_form["occam"]["value"] < by_form["occam-grid"]["value"]
    assert any("occam" in sentence for sentence in found["says"])
    assert all(text in found["notes"] for row in found["rows"] for text in row["assumes"])
    assert call("bound", *options, "--out", "folder").code == 2


@pytest.mark.slow
def test_the_table_is_readable_at_a_hundred_columns_and_calls_vacuous_numbers_so(call: Call) -> None:
    options = (*CLASS, "--samples", 8192, "--subgaussian", 0.01, "--draws", 0)
    ended = call("bound", "compare", *options)
    assert ended.code == 0, ended.err
    table, _, rest = ended.out.partition("published, repaired")
    assert max(len(line.rstrip()) for line in table.splitlines()) <= 100
    assert rest.startswith(" and covering-shape are vacuous: which of them is smaller says nothing.")
    assert "domination block by block" in rest


@pytest.mark.slow
def test_measured_numbers_leave_out_what_they_say_nothing_about(bound: Any) -> None:
    options = ("compare", *CLASS, *SAMPLE, "--subgaussian", 0.01, "--trace", 5911.0)
    assert [row["form"] for row in bound(*options)["rows"]] == [
        "published", "repaired", "decoupled-prior", "clipped-kl", "norm-alone", "covering-shape",
    ]  # fmt: skip


def test_a_certificate_needs_a_sample_that_can_be_held(call: Call) -> None:
    ended = call("bound", "compare", *CLASS, "--samples", "1e12", "--subgaussian", 0.01)
    assert ended.code == 2
    assert "--draws 0" in ended.err


@pytest.mark.slow
def test_what_a_form_stands_on_is_in_the_registry_and_stands() -> None:
    from boundaudit.checks.run.addresses import find_shipped
    from boundaudit.reports.bound.forms import CERTIFIED, FORMS, NORM_ALONE, OCCAM, OWN_MODEL

    receipts = shipped_run().receipts
    for labels in (CERTIFIED, NORM_ALONE, OCCAM, OWN_MODEL, *(form.claims for form in FORMS.values())):
        assert labels
        for label in labels:
            found = [receipts[member.label].findings.verdict for member in find_shipped(label)]
            assert found
            assert set(found) <= {"proved", "certified", "supported"}, label
