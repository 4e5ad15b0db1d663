"""`boundaudit theorems` and `boundaudit show "Theorem N"`: the scoreboard of a made-up paper and of the suite."""

from typing import Any

import pytest
from tests.command import SUITE, Call, write_claims
from tests.schemas import validator

from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.runner import verify

PAPER = """
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.theorem import Theorem

ames = partial(Theorem, paper="Ames 2024")
said = partial(variance, paper="Ames 2024", role="printed")

basis = said(label="coin.basis", right=QUARTER, place=("Lemma 1",), expected="proved")
exact = variance(label="coin.exact", relation="=", right=p - p**2, place=("Lemma 1",), improves="coin.basis")
bound = said(label="coin.bound", right=TOO_SMALL, place=("Theorem 2",), expected="refuted",
             cases=(Case("all"), Case("rare", domain=Domain({p: Reals(0, sp.Rational(1, 4))}), expected="proved")))
small = said(label="coin.small", right=sp.Rational(1, 10), place=("Theorem 3",), expected="refuted")
stead = variance(label="coin.stead", right=1, place=("Theorem 3",), repairs=("coin.small",), expected="proved")
sharp = variance(label="coin.sharp", right=QUARTER, place=("Theorem 3",), improves="coin.stead", expected="proved")
step = variance(label="coin.step", right=QUARTER + p, place=("Theorem 3",), expected="proved")
other = variance(label="other.claim", right=2, paper="Bold 2023", role="printed", place=("Theorem 2",))

theorems = [
    ames(number="Lemma 1", title="Variance", says="A variance is at most 1/4.", printed=("coin.basis",),
         improvement="coin.exact"),
    ames(number="Theorem 2", title="Bound", says="It is at most 6/25.", formula=r"p(1-p) \\le 6/25",
         printed=("coin.bound",), derived_from=("Lemma 1",)),
    ames(number="Theorem 3", title="Small", says="It is at most 1/10.", printed=("coin.small",),
         successor="coin.stead", improvement="coin.sharp", derived_from=("Theorem 2",)),
    ames(number="Remark 4", title="Later", says="It is small.", missing="the constant is left open"),
    ames(number="Theorem 5", title="", says="", missing="not yet read"),
    Theorem(number="Theorem 2", title="Another", says="Of another paper.", paper="Bold 2023", printed=("other.claim",)),
]
"""


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("paper")
    return verify(files=[write_claims(folder, PAPER)], out=folder / "run", profile="smoke", device="cpu")


@pytest.fixture
def rows(call: Call, paper: Run) -> dict[tuple[str, str], dict[str, Any]]:
    ended = call("theorems", "--run", paper.path, "--json")
    assert (ended.code, ended.err) == (0, "")
    validator("theorems").validate(ended.json)
    return {(row["paper"], row["number"]): row for row in ended.json}


def numbers(call: Call, *options: object) -> list[str]:
    return [row["number"] for row in call("theorems", *options, "--json").json]


# --- JSON -----------------------------------------------------------------------------------------


def test_every_statement_has_a_row(rows: dict[tuple[str, str], dict[str, Any]]) -> None:
    assert list(rows) == [
        *(("Ames 2024", number) for number in ("Lemma 1", "Theorem 2", "Theorem 3", "Remark 4", "Theorem 5")),
        ("Bold 2023", "Theorem 2"),
    ]


def test_states_follow_from_the_verdicts_of_the_claims(rows: dict[tuple[str, str], dict[str, Any]]) -> None:
    assert {number: (row["state"], row["stands_fully"]) for (_, number), row in list(rows.items())[:-1]} == {
        "Lemma 1": ("stands", True), "Theorem 2": ("stands in part", False), "Theorem 3": ("falls", False),
        "Remark 4": ("not testable", False), "Theorem 5": ("not yet read", False),
    }  # fmt: skip
    cases = rows["Ames 2024", "Theorem 2"]["cases"]
    assert [(case["case"], case["verdict"]) for case in cases] == [("all", "refuted"), ("rare", "proved")]
    assert cases[0]["first_failure"]["point"] == {"p": "1/2"}
    assert float(cases[0]["first_failure"]["left"]) > float(cases[0]["first_failure"]["right"])


def test_prices_compare_right_sides(rows: dict[tuple[str, str], dict[str, Any]]) -> None:
    row = rows["Ames 2024", "Theorem 3"]
    assert (row["successor"], row["improvement"]) == ("coin.stead", "coin.sharp")
    for name, ratio in (("price", 10), ("gain", 2.5)):
        assert row[name]["low"] == pytest.approx(ratio)
        assert row[name]["high"] == pytest.approx(ratio)
    assert row["claims"] == {"printed": 1, "successor": 1, "improvement": 1, "lemma": 1, "axiom": 0, "control": 0}
    lemma = rows["Ames 2024", "Lemma 1"]
    # An identity has no price against a bound.
    assert (lemma["price"], lemma["improvement"], lemma["gain"]) == (None, "coin.exact", None)


# --- for people -----------------------------------------------------------------------------------


def test_the_table_has_a_row_a_theorem(call: Call, paper: Run) -> None:
    ended = call("theorems", "--run", paper.path)
    head, *lines = ended.out.splitlines()
    assert head.split("  ")[0] == "statement"
    (three,) = [line for line in lines if line.startswith("Theorem 3")]
    for part in ("Theorem 3 Small", "falls", "p = ", "coin.stead", "×10"):
        assert part in three
    (two,) = [line for line in lines if line.startswith("Theorem 2 Bound")]
    assert "stands in part" in two
    assert "p = 1/2: 0.25" in two
    assert two.rstrip().endswith("Theorem 3")
    assert len([line for line in lines if line and line[0] != " "]) == 6
    again = f"not checked again (`boundaudit check {paper.path}` does that)"
    assert ended.err == f"read from {paper.path}: 9 claims and cases, profile smoke, {again}\n"


@pytest.mark.slow
def test_rows_are_filtered_by_state_and_paper(call: Call, paper: Run) -> None:
    here = ("--run", paper.path)
    assert numbers(call, *here, "--state", "falls") == ["Theorem 3"]
    assert numbers(call, *here, "--state", "not yet read") == ["Theorem 5"]
    assert numbers(call, *here, "--state", "a definition") == []
    everything = ["Lemma 1", "Theorem 2", "Theorem 3", "Remark 4", "Theorem 5"]
    for words in ("coin", "ames", "Ames 2024"):
        assert numbers(call, *here, "--paper", words) == everything
    assert numbers(call, *here, "--paper", "other") == numbers(call, *here, "--paper", "bold") == ["Theorem 2"]
    assert numbers(call, *here, "--paper", "coin", "--state", "stands") == ["Lemma 1"]
    assert numbers(call, *here, "--paper", "bold", "--state", "falls") == []


def test_show_of_a_number_tells_the_theorem_and_its_claims(call: Call, paper: Run) -> None:
    shown = call("show", "Theorem 3", "--run", paper.path)
    words = " ".join(shown.out.split())
    assert shown.out.startswith("Theorem 3: Small  falls\n")
    for part in ("It is at most 1/10.", "Ames 2024", "coin.stead", "×10", "coin.sharp", "×2.5"):
        assert part in words
    assert "derived from Theorem 2" in words
    for role, line in (("printed", "refuted coin.small"), ("successor", "proved coin.stead"),
                       ("improvement", "proved coin.sharp"), ("lemma", "proved coin.step")):  # fmt: skip
        assert f"{role} {line}" in words
    assert "control" not in words
    assert shown.err.startswith("read from ")


def test_show_of_a_number_in_json_is_its_row_with_its_claims(
    call: Call, paper: Run, rows: dict[tuple[str, str], dict[str, Any]]
) -> None:
    found = call("show", "theorem 3", "--run", paper.path, "--json").json
    members = found.pop("members")
    assert found == rows["Ames 2024", "Theorem 3"]
    listed = call("list", "--run", paper.path, "--place", "Theorem 3", "--json").json
    assert members == listed
    assert [row["label"] for row in members] == ["coin.small", "coin.stead", "coin.sharp", "coin.step"]


def test_a_number_of_two_papers_means_both(call: Call, paper: Run) -> None:
    found = call("show", "Theorem 2", "--run", paper.path, "--json").json
    assert [row["paper"] for row in found] == ["Ames 2024", "Bold 2023"]
    assert call("show", "Theorem 2", "--run", paper.path).out.count("Theorem 2: ") == 2


# --- of the suite ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_speaks_of_the_statements_that_it_audited(in_suite: Call) -> None:
    shown = in_suite("theorems", *SUITE, "--json").json
    validator("theorems").validate(shown)
    assert "Theorem 9" in {row["number"] for row in shown if row["cases"]}
    assert "Theorem 10" not in {row["number"] for row in shown}
    assert {row["state"] for row in shown if not row["cases"]} <= {"not testable", "not yet read", "a definition"}
    by_package = numbers(in_suite, *SUITE, "--paper", "sharpness")
    assert by_package == numbers(in_suite, *SUITE, "--paper", "lintilhac")
    assert in_suite("show", "Theorem 9", *SUITE, "--json").json["number"] == "Theorem 9"
    ended = in_suite("show", "Theorem 10", *SUITE)
    assert ended.code == 2
    assert "a statement whose printed claims are in boundaudit-runs/run" in ended.err
