"""`boundaudit graph`: what a theorem or a claim rests on, and what rests on it, in every format."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from tests.command import SUITE, Call, refused, strict_json, write_claims

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.runner import verify

REPAIRED, CLOSED = "sharpness.norms.F.repaired", "sharpness.norms.F.closed-form"
BODY = """
from boundaudit import Theorem

a = variance(label="coin.a", right=TOO_SMALL, expected="refuted", paper="Me")
b = variance(label="coin.b", right=QUARTER, rests_on=("coin.a",), paper="Me", expected="proved")
c = variance(label="coin.c", right=sp.Rational(1, 2), rests_on=("coin.b",), paper="Me", expected="proved")
d = variance(label="coin.d", right=1, rests_on=("coin.a",), paper="Me", expected="proved")
first = Theorem(number="Lemma 1", title='A "quoted" <b>name</b>', says="", printed=("coin.a",), paper="Me")
second = Theorem(number="Theorem 2", title="Two", says="", printed=("coin.b",), paper="Me", derived_from=("Lemma 1",))
third = Theorem(number="Theorem 3", title="Three", says="", printed=("coin.d",), paper="Me")
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of `BODY`."""
    folder = tmp_path_factory.mktemp("graph")
    return verify(files=[write_claims(folder, BODY)], out=folder / "run", profile="smoke", device="cpu")


@pytest.fixture
def own(call: Call, made: Run) -> Call:
    """Calls beside it."""
    Path("run").symlink_to(made.path)
    return call


def edges(found: dict[str, list[dict[str, str]]]) -> list[tuple[str, str]]:
    return [(edge["from"], edge["to"]) for edge in found["edges"]]


def test_a_claim_among_its_ancestors_and_descendants(own: Call) -> None:
    found = own("graph", "coin.b", "--run", "run", "--json").json
    assert (found["focus"], found["ancestors"], found["descendants"]) == (["coin.b"], ["coin.a"], ["coin.c"])
    assert edges(found) == [("coin.a", "coin.b"), ("coin.b", "coin.c")]  # and nothing of coin.d, its sibling
    states = {node["id"]: (node["kind"], node["state"]) for node in found["nodes"]}
    assert states == {
        "coin.a": ("claim", "refuted"), "coin.b": ("claim", "proved"), "coin.c": ("claim", "proved"),
    }  # fmt: skip


def test_a_theorem_among_its_ancestors_and_descendants(own: Call) -> None:
    found = own("graph", "theorem 2", "--run", "run", "--format", "json").json
    assert (found["ancestors"], found["descendants"]) == (["Lemma 1, Me"], [])
    assert [(node["name"], node["state"]) for node in found["nodes"]] == [("Lemma 1", "falls"), ("Theorem 2", "stands")]


def test_people_read_a_list(own: Call) -> None:
    ended = own("graph", "Lemma 1", "--run", "run")
    lines = [line.strip() for line in ended.out.splitlines() if line.strip()]
    assert lines == ['Lemma 1: A "quoted" <b>name</b>  falls', "falls with it (1)", "Theorem 2: Two  stands  ← Lemma 1"]
    assert ended.err.startswith("read from run: ")
    assert "not checked again (`boundaudit check run` does that)" in ended.err


def test_all_statements_where_none_is_named(own: Call) -> None:
    found = own("graph", "--run", "run", "--json").json
    assert [node["name"] for node in found["nodes"]] == ["Lemma 1", "Theorem 2", "Theorem 3"]
    assert own("graph", "--run", "run", "--paper", "Me", "--json").json == found


def test_the_drawing_stands_by_itself_and_holds_no_markup_of_others(own: Call) -> None:
    ended = own("graph", "Lemma 1", "--run", "run", "--format", "svg", "--out", "deep/graph.svg")
    assert (ended.code, ended.out) == (0, "deep/graph.svg\n")
    root = ET.parse("deep/graph.svg").getroot()
    svg = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{svg}svg"
    assert [text.text for text in root.iter(f"{svg}text")] == ["Lemma 1", "Theorem 2"]
    assert 'Lemma 1: A "quoted" <b>name</b>: falls' in [title.text for title in root.iter(f"{svg}title")]
    assert {element.tag.removeprefix(svg) for element in root.iter()} == {
        "svg", "style", "g", "rect", "text", "title", "path",
    }  # fmt: skip


def test_dot_quotes_what_it_must(own: Call) -> None:
    text = own("graph", "Lemma 1", "--run", "run", "--format", "dot").out
    assert text.startswith("digraph boundaudit {\n")
    assert 'tooltip="Lemma 1: A \\"quoted\\" <b>name</b>: falls"' in text
    assert '  "Lemma 1, Me" -> "Theorem 2, Me" [color=red, style=dashed];\n' in text
    assert text.rstrip().endswith("}")
    shown = own("graph", "Lemma 1", "--run", "run", "--format", "dot", "--json").json
    assert shown == {"format": "dot", "text": text.removesuffix("\n")}


@pytest.mark.slow
def test_shipped_claims_are_read_as_they_are(in_suite: Call) -> None:
    found = in_suite("graph", REPAIRED, *SUITE, "--json").json
    assert (CLOSED, REPAIRED) in edges(found)
    assert CLOSED in found["ancestors"]
    below = in_suite("graph", CLOSED, *SUITE, "--json").json
    assert REPAIRED in below["descendants"]
    assert below["ancestors"] == []


def test_json_goes_to_a_file_too(own: Call) -> None:
    shown = own("graph", "coin.b", "--run", "run", "--format", "json", "--out", "g.json", "--json").json
    assert shown == {"written": "g.json"}
    written = strict_json(Path("g.json").read_text(encoding="utf-8"))
    assert json.dumps(written) == json.dumps(own("graph", "coin.b", "--run", "run", "--json").json)


@pytest.mark.parametrize(("arguments", "culprit"), [
    (["coin.none"], "coin.none"), (["Theorem 99"], "Theorem 99"), (["coin.b", "--format", "png"], "--format"),
    (["coin.b", "--out", "x.svg"], "--out"), (["--paper", "nobody"], "--paper"),
    (["coin.b", "--format", "svg", "--out", "run/manifest.json/x"], "--out"),
], ids=str)  # fmt: skip
def test_bad_input_is_one_line(own: Call, arguments: list[str], culprit: str) -> None:
    refused(own("graph", *arguments, "--run", "run"), culprit)
