"""A run as JUnit XML: a test case for each claim, with its file and line; it passes when its verdict is as expected."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.catalogue import Catalogue
from boundaudit.reports.document.places import Outcome, outcomes

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_junit(run: Run, known: Catalogue | None = None) -> str:
    """Render a run as JUnit XML, a suite a file.

    A verdict that is not as expected is a failure, a claim that could not be judged an error, and one that leaves a
    constant open, as expected, is skipped. Attributes ``file`` and ``line`` are those that pytest writes in its family
    ``xunit1``.
    """
    files: dict[str, list[Outcome]] = {}
    for outcome in outcomes(run, known):
        files.setdefault(outcome.file or "boundaudit", []).append(outcome)
    root = ET.Element("testsuites", name="boundaudit")
    suites = [_suite(root, name, members) for name, members in files.items()]
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    root.set("time", _seconds(sum(member.seconds for members in files.values() for member in members)))
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(root: ET.Element, name: str, members: list[Outcome]) -> ET.Element:
    suite = ET.SubElement(root, "testsuite", name=_words(name))
    for member in members:
        _case(suite, member)
    suite.set("tests", str(len(members)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(attribute, str(len(suite.findall(f"testcase/{tag}"))))
    suite.set("time", _seconds(sum(member.seconds for member in members)))
    return suite


def _case(suite: ET.Element, outcome: Outcome) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=_words(outcome.file.removesuffix(".py").replace("/", ".")),
        name=_words(outcome.label), file=_words(outcome.file), line=str(outcome.line), time=_seconds(outcome.seconds),
    )  # fmt: skip
    message = _words(outcome.headline)
    text = _words("\n".join((*outcome.details, f"{outcome.file}:{outcome.line}")))
    if not outcome.verdict:
        ET.SubElement(case, "error", type="input", message=message).text = text
    elif not outcome.as_expected:
        ET.SubElement(case, "failure", type=outcome.verdict, message=message).text = text
    elif outcome.verdict == "not testable":
        ET.SubElement(case, "skipped", message=message)
    else:
        ET.SubElement(case, "system-out").text = f"{message}\n{text}"


def _seconds(value: float) -> str:
    return f"{value:.3f}"


def _words(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return _NO_XML.sub("\ufffd", text)
