"""The Markdown: the same statements as the page, no timings, tables that stay tables."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.reports.markdown import render_markdown


@pytest.fixture
def text(run: Run) -> str:
    return render_markdown(run)


def test_refuted_claims_in_one_line_each(text: str) -> None:
    lines = [line for line in text.splitlines() if line.startswith("- **[`")]
    assert len(lines) == 2
    assert "The variance of a coin is at most 6/25. Fails at p = 1/2: left = 0.25, right = 0.24." in lines[0]
    assert "(reading: plausible)" in lines[0]
    assert "Blast radius 2:" in lines[0]
    assert lines[1].endswith("Repaired by [`series.quadratic`](#claim-series.quadratic).")


def test_no_timings_dates_or_paths(text: str, run: Run) -> None:
    assert render_markdown(replace(run, timings={})) == text
    assert str(run.path) not in text
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", text)
    assert "seconds" not in text


def test_links_lead_to_anchors(text: str, run: Run) -> None:
    anchors = set(re.findall(r'<a id="([^"]+)"></a>', text))
    assert anchors == {f"claim-{label}" for label in run.receipts}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


def test_tables_are_rectangular(text: str) -> None:
    for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.M):
        widths = {len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}
        assert len(widths) == 1, table


def test_every_formula_is_a_block(text: str, run: Run) -> None:
    for receipt in run.receipts.values():
        assert f"```math\n{receipt['claim']['latex']}\n```" in text


def test_text_cannot_become_markup(run: Run) -> None:
    receipt = run.receipts["coins.variance"]
    hostile = {**receipt["claim"], "statement": "1. <img src=x> | *a* `b`\n# c", "latex": "x\n```\n# y"}
    text = render_markdown(replace(run, receipts={"coins.variance": {**receipt, "claim": hostile}}))
    assert "1\\. \\<img src=x\\> \\| \\*a\\* \\`b\\` \\# c" in text
    assert "```math\nx ''' # y\n```" in text


def test_a_study_is_a_table_per_panel(text: str) -> None:
    section = text.split("## How it depends on the parameters")[1].split("\n## ")[0]
    assert "`coins.gap-by-samples`, Ames \\& Bold 2024, Moments of Coin Flips, Theorem 6; draws [`coins.var" in section
    assert "| samples m | 1/√m | 1/m | measured \\| mean |\n" in section
    assert "| 10 | 0.3162 | 0.1 | 0.25 \\[0.125, 0.5\\] |\n" in section
    assert "| 3 | - | - |\n" in section
    assert "Not positive, hence not on a logarithmic axis: 1 value of measured | mean." in section


def test_where_a_refuted_claim_is_true(text: str) -> None:
    section = text.split("#### `series.flat`")[1].split("#### ")[0]
    told = "No violation at the 25 of 40 swept points with n ≥ 2; all 9 with n = 1 and x ≥ 0.95 violate it."
    assert f"- Where it is true: {told} 1 point within rounding of equality.\n" in section
    assert "| n ↓ x → | ≤ 0.9 | ≤ 1 |\n| --- | ---: | ---: |\n| 1 | 17 % | 100 % |\n| 2–9 | 0 % | 0 % |\n" in section
    assert "| 4 | 0.989 | x = 0.25, v = (0.5, 0.5) |\n| 60 | 0.997 | x = 0.9 |\n| 90 | 1.00677 | x = 1 |\n" in section
    assert text.count("Where it is true") == 1


def test_ends_in_one_newline(text: str) -> None:
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert "\n\n\n" not in text
