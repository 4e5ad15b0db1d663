"""From a run to files: folders and single files, sizes at a thousand claims, and what cannot be written."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.counted import calls_in

from boundaudit import InputError
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run import audit
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.figures.drawing import MOST_POINTS, Scale, thinned
from boundaudit.reports.formats.html import render_site
from boundaudit.reports.formats.markdown import render_markdown
from boundaudit.reports.formats.render import write_report


@pytest.fixture
def known_to_all(known: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "catalogue", lambda files: known)


def many(run: Run, known: Catalogue, copies: int) -> tuple[Run, Catalogue]:
    """The same claims again and again under other names."""
    receipts, claims = dict(run.receipts), dict(known.claims)
    for i in range(copies):
        for label, entry in known.claims.items():
            name = f"{label}-{i}"
            cases = [replace(case, label=case.label.replace(label, name)) for case in entry.cases]
            claims[name] = replace(entry, label=name, cases=cases)
            for case, old in zip(cases, entry.cases, strict=True):
                receipts[case.label] = replace(run.receipts[old.label], label=case.label)
    return replace(run, receipts=receipts), replace(known, claims=claims)


@pytest.mark.slow
def test_a_thousand_claims_stay_small_and_quick(run: Run, known: Catalogue) -> None:
    many_run, many_known = many(run, known, 110)
    assert len(many_known.claims) > 990
    sites: list[dict[str, str]] = []
    assert calls_in(lambda: sites.append(render_site(many_run, many_known))) < 12_000_000
    (site,) = sites
    assert sum(len(text.encode()) for text in site.values()) < 6_000_000
    assert len(site["index.html"].encode()) < 300_000
    assert len(render_markdown(many_run, many_known).encode()) < 120_000


@pytest.mark.slow
@pytest.mark.usefixtures("known_to_all")
def test_a_new_folder_replaces_the_old_one_and_nothing_else(run: Run, tmp_path: Path) -> None:
    write_report(run, "html", tmp_path)
    (tmp_path / "report" / "theorems" / "gone.html").write_text("old")
    write_report(run, "html", tmp_path)
    assert not (tmp_path / "report" / "theorems" / "gone.html").exists()
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "report").mkdir(parents=True)
    (elsewhere / "report" / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="can be written"):
        write_report(run, "html", elsewhere)
    assert (elsewhere / "report" / "mine.txt").read_text() == "mine"


@pytest.mark.usefixtures("known_to_all")
def test_without_a_browser_there_is_no_pdf(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="Chromium on PATH"):
        write_report(run, "pdf", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_thinned_lines_keep_ends_and_extremes() -> None:
    spots = [(i / 10, float(i == 777)) for i in range(5000)]
    kept = thinned(spots)
    assert len(kept) <= MOST_POINTS
    assert kept[0] == spots[0]
    assert kept[-1] == spots[-1]
    assert max(y for _, y in kept) == 1.0
    assert thinned([(0.01, 0.0), (0.02, 0.0)]) == [(0.0, 0.0)]


@pytest.mark.parametrize(("values", "log"), [
    ([0.0], False), ([5.0, 5.0], False), ([-1e300, 1e300], False), ([1e-300, 1e300], True), ([2.0], True),
    ([1, 3], True),
])  # fmt: skip
def test_scales_have_ticks_within(values: list[float], log: bool) -> None:
    scale = Scale.over(values, 0, 100, log=log)
    ticks = scale.ticks()
    assert 1 <= len(ticks) <= 12
    assert all(-1e-6 <= scale(value) <= 100 + 1e-6 for value, _ in ticks)
