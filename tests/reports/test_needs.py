"""needs.json: what sphinx-needs and its importers require, and that no word of a claims file becomes markup there."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest

from boundaudit import __version__
from boundaudit.checks.language.theorem import Theorem
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.formats.needs import render_needs

from .sample_run import COINS, THEOREMS

LISTS = {"tags", "links"}


def needs_of(run: Run, known: Catalogue) -> dict[str, dict[str, Any]]:
    """The needs by their title."""
    found = json.loads(json.dumps(render_needs(run, known), allow_nan=False))
    assert set(found) == {"project", "current_version", "versions"}
    assert found["current_version"] == __version__
    (version,) = found["versions"].values()
    assert version["needs_amount"] == len(version["needs"])
    for name, need in version["needs"].items():
        assert need["id"] == name
        assert re.fullmatch("[A-Z0-9_]{5,}", name)
        assert set(need["links"]) <= set(version["needs"])
        for field, value in need.items():
            assert all(isinstance(part, str) for part in value) if field in LISTS else isinstance(value, str)
    return {need["title"]: need for need in version["needs"].values()}


def test_every_theorem_and_claim_is_a_need_with_its_verdict(run: Run, known: Catalogue) -> None:
    found = needs_of(run, known)
    assert len(found) == len(THEOREMS) + len(known.claims)
    theorem, claim = found["Theorem 3: Variance"], found["coins.variance.printed"]
    assert (theorem["type"], theorem["status"]) == ("req", "stands in part")
    assert (claim["type"], claim["status"], claim["expected"]) == ("spec", "refuted", "refuted")
    assert claim["tags"] == ["claim", "printed"]
    assert claim["source"] == "claims/coins.py:12"
    assert "Case plot: refuted\n\nCase biased: proved" in claim["content"]


def test_links_lead_to_what_a_need_rests_on(run: Run, known: Catalogue) -> None:
    found = needs_of(run, known)
    three, six = found["Theorem 3: Variance"]["id"], found["Theorem 6: Gap"]
    assert (found["Theorem 3: Variance"]["links"], six["links"]) == ([], [three])
    assert found["coins.product"]["links"] == [three, found["coins.variance.bound"]["id"]]
    assert found["series.flat"]["links"] == [found["Lemma 7: A flat series"]["id"]]


def test_labels_that_differ_in_case_alone_have_ids_of_their_own(run: Run, known: Catalogue) -> None:
    entry = known.claims["series.flat"]
    case = replace(entry.cases[0], label="series.FLAT")
    twin = replace(entry, label="series.FLAT", cases=[case])
    receipts = {**run.receipts, "series.FLAT": replace(run.receipts["series.flat"], label="series.FLAT")}
    found = needs_of(replace(run, receipts=receipts), replace(known, claims={**known.claims, "series.FLAT": twin}))
    assert {found["series.flat"]["id"], found["series.FLAT"]["id"]} == {"SERIES_FLAT", "SERIES_FLAT_2"}


@pytest.mark.parametrize(
    "words",
    [
        ".. raw:: html\n\n   <script>alert(1)</script>", "`x <javascript:alert(1)>`_", "[[copy('status')]]",
        "|sub| *strong* link_ :raw:`x`", "::\n\n  code", "javascript:alert(1)",
    ],
)  # fmt: skip
def test_hostile_words_are_no_markup(run: Run, known: Catalogue, words: str) -> None:
    """Neither a directive, which begins a line, nor a role, link or substitution, nor a function of sphinx-needs."""
    theorem = Theorem(number="Lemma 1", title=words, says=words, formula=words, answer=words, paper=COINS)
    claims = {**known.claims, "series.flat": replace(known.claims["series.flat"], statement=words)}
    found = needs_of(run, replace(known, theorems=(theorem,), claims=claims))
    (title,) = [title for title in found if title.startswith("Lemma 1: ")]
    for need in (found[title], found["series.flat"]):
        assert "[[" not in need["title"] + need["content"]
        assert "\n" not in need["title"]
        for paragraph in need["content"].split("\n\n"):
            said = re.fullmatch(r"(?:It says|Formula|Case|The authors' answer)[^:]*: (.*)", paragraph)
            assert said is not None
            assert not re.search(r"[`*_|<>:]", re.sub(r"\\.", "", said[1]))


def test_the_authors_answer_is_told(run: Run, known: Catalogue) -> None:
    changed = (replace(THEOREMS[0], version="v2", answer="A misprint; corrected in v3."), *THEOREMS[1:])
    need = needs_of(run, replace(known, theorems=changed))["Theorem 3: Variance"]
    assert need["version"] == "v2"
    assert "The authors' answer: A misprint; corrected in v3." in need["content"]
