"""What a reader asks of a statement first is answered for every one: from its brief, or from the record alone."""

from dataclasses import replace

import pytest
from tests.shipped import audit

from boundaudit import Brief
from boundaudit.checks.language.theorem import MOST_WORDS
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.addresses import case_words
from boundaudit.checks.run.audit import Audit
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.answers import CHANGES, CLOSE, INSTEAD, RESERVED, TRUE, WHERE, answers

TOLD = ("printed", "successor", "improvement")


def asked(audit: Audit, number: str) -> dict[str, str]:
    (row,) = audit.theorem(number)
    return {each.question: each.said for each in answers(row, audit.claims)}


@pytest.mark.slow
def test_every_statement_is_answered_in_few_words() -> None:
    for row in audit().theorems:
        found = answers(row, audit().claims)
        assert found[0].question == TRUE
        assert sum(len(each.said.split()) for each in found) <= MOST_WORDS, row.theorem.label


@pytest.mark.slow
def test_how_surely_a_statement_stands_is_said_as_its_weakest_part_does() -> None:
    for row in audit().theorems:
        if row.state == "stands" and row.theorem.brief is None:
            said = answers(row, audit().claims)[0].said
            assert said.startswith("Yes") is (row.strength.partition(",")[0] in ("proved", "certified")), (
                row.theorem.label
            )


@pytest.mark.slow
def test_another_reading_that_falls_is_told_with_its_first_failure() -> None:
    found = asked(audit(), "Theorem 9")
    assert found[TRUE].startswith("Yes, proved, read as “4(D+1) units suffice”")  # and by Coq, where that was asked
    assert found[WHERE] == "Read as “4(D+1) units are needed” it is false: 4 against 8 at D = 1, u = 1."


def test_how_near_a_bound_is_reached_and_what_is_reserved() -> None:
    found = asked(audit(), "Lemma 15")
    assert "apart by a factor of 2 or more" in found[CLOSE]
    assert found[RESERVED].startswith("Stated for one column of X")
    assert CLOSE not in asked(audit(), "Lemma 21")  # a statement about a probability


def test_what_does_not_stand_is_not_called_true(run: Run, known: Catalogue) -> None:
    assert asked(Audit(run, known), "Theorem 3")[TRUE] == "In part: 1 proved and 1 refuted of its 2 parts."
    first, *others = known.theorems
    falls = replace(first, readings=(), printed=("coins.variance.printed[plot]",))
    assert asked(Audit(run, replace(known, theorems=(falls, *others))), "Theorem 3")[TRUE] == "No, refuted."


def test_a_brief_is_told_as_it_is(run: Run, known: Catalogue) -> None:
    brief = Brief(true="No.", where="Everywhere.", instead="Nothing.", changes="All.")
    first, *others = known.theorems
    audit = Audit(run, replace(known, theorems=(replace(first, brief=brief), *others)))
    assert asked(audit, first.number) == {TRUE: "No.", WHERE: "Everywhere.", INSTEAD: "Nothing.", CHANGES: "All."}


def test_names_of_cases_are_words() -> None:
    told = [audited for audited in audit().claims.values() if audited.claim.role in TOLD]
    cases = [case for audited in told for case in audited.cases if case.case]
    plain = {case.label for case in cases if case.said == case.case and not case.case.isupper() and len(case.case) > 2}
    assert plain == {
        "sharpness.activations.tokens[rows]", "sharpness.activations.tokens[entries]",
        "sharpness.activations.tokens[bits]",
    }  # fmt: skip
    assert not [case.label for case in cases if "-" in case.said and case.said == case.case]
    assert case_words("sharpness.norms.total.printed[wide,no-floor]") == "flanks 2/(4D) wide, any positive coefficients"
    assert case_words("mine.odd[no-such-word]") == "no such word"
