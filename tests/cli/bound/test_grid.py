"""`boundaudit bound grid`: certified and published bounds class by class."""

import re
from typing import Any

import pytest
from tests.command import Call, refused

from boundaudit.reports.cli import progress


@pytest.mark.slow
def test_a_grid_tells_on_stderr_how_far_it_is(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS", 0.001)
    small = ("--length", 4, "--degrees", "1", "--sparsities", "1,2", "--samples", "8192", "--draws", 100)
    ended = call("bound", "grid", *small, "--json")
    assert (ended.code, len(ended.json)) == (0, 2)
    assert {"row 1 of 2", "row 2 of 2"} <= set(re.findall(r"row \d of \d", ended.err))


@pytest.mark.slow
def test_the_grid_takes_its_delta_for_both_bounds(bound: Any) -> None:
    options = ("grid", "--length", 8, "--degrees", "2", "--sparsities", "1", "--samples", "8192", "--draws", 100)
    usual, strict = (bound(*options, "--delta", delta)[0] for delta in (0.05, 1e-6))
    assert strict["certified"] > usual["certified"]
    assert strict["published"] > usual["published"]


@pytest.mark.slow
def test_the_grid_shows_published_and_certified_with_their_baselines(bound: Any) -> None:
    rows = bound("grid", "--degrees", "2", "--sparsities", "1,10", "--samples", "8192", "--draws", 200)
    assert [row["sparsity"] for row in rows] == [1, 10]
    assert rows[1]["published_informs_from"] == 874464
    assert rows[1]["both_vacuous"] is False
    assert rows[1]["clipped_baseline"] == pytest.approx(241 / 1024, rel=1e-12)
    assert all(row["certified"] < row["published"] for row in rows)
    assert all(row["certified_informs_from"] < row["published_informs_from"] for row in rows)


@pytest.mark.parametrize(("changed", "names"), [
    ({"--degrees": "0"}, "--degrees"), ({"--degrees": "two"}, "--degrees"), ({"--sparsities": "30"}, "sparsity"),
    ({"--length": 30}, "--length"), ({"--samples": "1.5"}, "--samples"), ({"--samples": "1e12"}, "samples"),
    ({"--delta": 2}, "delta"), ({"--subgaussian": 0}, "subgaussian"), ({"--draws": 1}, "draws"),
])  # fmt: skip
def test_one_line_names_what_is_wrong_in_a_grid(call: Call, changed: dict[str, object], names: str) -> None:
    given = {"--degrees": "2", "--sparsities": "1", "--samples": "8192"} | changed
    refused(call("bound", "grid", *(part for pair in given.items() for part in pair)), names)
