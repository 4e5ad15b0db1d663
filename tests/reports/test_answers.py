"""The version of a paper that was read, and its authors' answer: on the page, in JSON and on the terminal."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.command import Call, write_claims

from boundaudit import InputError, Theorem
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.formats.html import render_site

from .sample_run import THEOREMS

ANSWER = "We <b>agree</b>; version 3 has 1/4."
BODY = f"""
from boundaudit import Theorem

x = variance(label="coin.x", right=TOO_SMALL, expected="refuted", role="printed", paper="Me", place=("Lemma 1",))
lemma = Theorem(
    number="Lemma 1", title="Variance", says="Small.", printed=("coin.x",), paper="Me", version="v2", answer={ANSWER!r}
)
"""


def answered(known: Catalogue) -> Catalogue:
    return replace(known, theorems=(replace(THEOREMS[0], version="v2", answer=ANSWER), *THEOREMS[1:]))


@pytest.mark.slow
def test_the_page_of_a_theorem_shows_both(run: Run, known: Catalogue) -> None:
    page = render_site(run, answered(known))["theorems/theorem-3.html"]
    assert "Moments of Coin Flips, v2</p>" in page
    assert "<dt>The authors&#39; answer</dt>" in page or "<dt>The authors' answer</dt>" in page
    assert "We &lt;b&gt;agree&lt;/b&gt;; version 3 has 1/4." in page
    assert "answer</dt>" not in render_site(run, known)["theorems/theorem-3.html"]


def test_json_has_both_and_the_catalogue_keeps_them(run: Run, known: Catalogue) -> None:
    kept = Catalogue.from_json(answered(known).to_json())
    rows = [row.to_json() for row in Audit(run, kept).theorems]
    assert (rows[0]["version"], rows[0]["answer"]) == ("v2", ANSWER)
    assert (rows[1]["version"], rows[1]["answer"]) == (None, None)


@pytest.mark.slow
def test_show_tells_both_for_the_theorem_and_for_its_claims(call: Call, tmp_path: Path) -> None:
    call("verify", write_claims(tmp_path, BODY, "answered.py"), "--profile", "smoke", "--workers", 1, "--out", "run")
    for label in ("coin.x", "Lemma 1"):
        found = call("show", label, "--run", "run", "--json").json
        assert (found["version"], found["answer"]) == ("v2", ANSWER)
        words = " ".join(call("show", label, "--run", "run").out.split())
        assert f"the authors' answer {ANSWER}" in words
        assert "Me, v2" in words


def test_an_answer_is_words_that_people_can_read() -> None:
    with pytest.raises(InputError, match="control or bidirectional"):
        Theorem(number="Lemma 1", title="", says="", answer="\u202eyes")
