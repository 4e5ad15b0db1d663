"""JUnit XML: the structure that tools read, what fails, and that nothing in a run can break or enter it."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.formats.junit import render_junit

COUNTS = {"tests", "failures", "errors", "skipped", "time", "name"}
ALLOWED = {
    "testsuites": (COUNTS, {"testsuite"}), "testsuite": (COUNTS, {"testcase"}),
    "testcase": ({"classname", "name", "file", "line", "time"}, {"failure", "error", "skipped", "system-out"}),
    "failure": ({"type", "message"}, set()), "error": ({"type", "message"}, set()), "skipped": ({"message"}, set()),
    "system-out": (set(), set()),
}  # fmt: skip
"""Attributes and children of each element."""


def parsed(run: Run, known: Catalogue) -> ET.Element:
    return ET.fromstring(render_junit(run, known))


def case(root: ET.Element, label: str) -> ET.Element:
    (found,) = [element for element in root.iter("testcase") if element.get("name") == label]
    return found


@pytest.fixture
def root(run: Run, known: Catalogue) -> ET.Element:
    errors = {"coins.lost": "left: expected a number, got none"}
    return parsed(replace(run, manifest=replace(run.manifest, errors=errors)), known)


def test_the_structure_is_that_of_junit(root: ET.Element) -> None:
    assert root.tag == "testsuites"
    for element in root.iter():
        attributes, children = ALLOWED[element.tag]
        assert set(element.attrib) == attributes
        assert {child.tag for child in element} <= children
        if element.tag == "testcase":
            assert len(element) == 1
            assert int(element.attrib["line"]) > 0
            assert float(element.attrib["time"]) >= 0


def test_the_counts_are_those_of_the_cases(root: ET.Element, run: Run) -> None:
    assert len(list(root.iter("testcase"))) == len(run.receipts) + 1
    for suite in [root, *root.iter("testsuite")]:
        cases = list(suite.iter("testcase"))
        assert int(suite.attrib["tests"]) == len(cases)
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert int(suite.attrib[attribute]) == sum(element.find(tag) is not None for element in cases)
        assert float(suite.attrib["time"]) == pytest.approx(sum(float(element.attrib["time"]) for element in cases))


def test_a_verdict_that_is_not_pinned_fails_and_says_where(root: ET.Element) -> None:
    failed = [element for element in root.iter("testcase") if element.find("failure") is not None]
    assert [element.get("name") for element in failed] == ["coins.gap.printed"]
    assert (failed[0].get("file"), failed[0].get("line")) == ("claims/coins.py", "12")
    failure = failed[0].find("failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == (
        "certified", "coins.gap.printed: certified, expected proved",
    )  # fmt: skip
    told = (failure.text or "").splitlines()
    assert told[0] == "A statement about coins.gap.printed."
    assert told[-1] == "claims/coins.py:12"
    assert "see it again: boundaudit reproduce 'coins.gap.printed'" in told


def test_a_pinned_refutation_passes_an_open_constant_is_skipped_and_bad_input_is_an_error(root: ET.Element) -> None:
    assert [child.tag for child in case(root, "series.flat")] == ["system-out"]
    assert [child.tag for child in case(root, "series.rate")] == ["skipped"]
    error = case(root, "coins.lost").find("error")
    assert error is not None
    assert error.text == "left: expected a number, got none\n:1"


HOSTILE = "<script>alert(1)</script> ]]> & \" ' \x1b[31m \x00 \ufffe \u202e"


def test_hostile_words_stay_words(run: Run, known: Catalogue) -> None:
    label = "coins.variance.bound"
    entry = replace(known.claims[label], statement=HOSTILE, source='a<b>&".py:3')
    changed = replace(known, claims={**known.claims, label: entry})
    bad = replace(run, manifest=replace(run.manifest, errors={f"x.{HOSTILE}": HOSTILE}))
    text = render_junit(bad, changed)
    assert "<script" not in text
    root = ET.fromstring(text)
    assert {element.tag for element in root.iter()} == set(ALLOWED)
    assert case(root, label).get("file") == 'a<b>&".py'
    assert "<script>alert(1)</script> ]]> & \" ' \\u001b[31m \\u0000" in "".join(case(root, label).itertext())
