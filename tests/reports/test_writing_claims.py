"""The page "Writing claims": its blocks are one file that runs and gets the verdicts that it names."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp
from tests.statements import at_a_glance

from boundaudit import InputError
from boundaudit.checks.language import translate
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit
from boundaudit.checks.run.describe import described
from boundaudit.checks.run.own_files import load_files
from boundaudit.checks.run.registry import Registry
from boundaudit.checks.run.runner import summary

PAGE = Path(__file__).parents[2] / "reports" / "WRITING-CLAIMS.md"


@pytest.fixture(scope="module")
def page_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("page")
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    file = folder / "page_claims.py"
    file.write_text("\n\n".join(blocks), encoding="utf-8")
    return at_a_glance((), file, folder / "run")


@pytest.mark.acceptance
def test_every_claim_of_the_page_gets_the_verdict_that_it_names(page_run: Run) -> None:
    # Two chains and a study have labels too.
    told = PAGE.read_text(encoding="utf-8").count('label="page.') - 3
    assert len({label.partition("[")[0] for label in page_run.receipts}) == told
    found = summary(page_run)
    assert (found.unexpected, found.errors) == ([], {})


@pytest.mark.acceptance
def test_the_chain_and_the_figure_are_computed(page_run: Run) -> None:
    assert page_run.derivations.keys() == {"page.chain"}
    assert page_run.studies.keys() == {"page.figure"}


def test_the_page_names_every_function_that_is_allowed() -> None:
    formulas = PAGE.read_text(encoding="utf-8").partition("## Formulas")[2].partition("## Domains")[0]
    allowed = {
        *translate._FUNCTIONS, *translate._REWRITTEN, *translate._LATTICE, sp.Sum, sp.Product, sp.Limit, sp.Piecewise,
    }  # fmt: skip
    assert [function.__name__ for function in allowed if f"`{function.__name__}`" not in formulas] == []


def test_a_function_that_is_not_allowed_is_answered_with_the_page() -> None:
    with pytest.raises(InputError, match=PAGE.name):
        translate.to_tree(sp.besselj(0, sp.Symbol("x")))


@pytest.mark.acceptance
def test_a_proof_says_what_it_assumes(page_run: Run) -> None:
    claims = load_files(page_run.files).claims
    known = described(Registry([claims[f"page.network.{name}"] for name in ("chain-rule", "unit", "gradient")]))
    audited = Audit(page_run, known).claims
    gradient = audited["page.network.gradient"]
    assert gradient.assumes == ["page.network.chain-rule"]
    assert gradient.strength == "proved, assuming 1 axiom"
    assert audited["page.network.unit"].strength == "proved"
    without = dict(page_run.receipts)
    del without["page.network.unit"]
    assert Audit(replace(page_run, receipts=without), known).claims["page.network.gradient"].assumes == [
        "page.network.chain-rule", "page.network.unit",
    ]  # fmt: skip
