"""A run beside its catalogue, both made by hand: verdicts of claims, states of theorems, what falls with what."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from boundaudit import InputError
from boundaudit.checks.evidence.evidence import Evidence, Witness, Worst
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.language.theorem import STATES, Theorem
from boundaudit.checks.language.verdicts import ROLES
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.audit import Audit, _meaningful, weakest
from boundaudit.checks.run.catalogue import Case, Catalogue, Entry, Side

HALF = {"p": Fraction(1, 2)}
SIDE = Side("x", "x")


def findings(verdict: str, ratio: float | None = None) -> Findings:
    witness = Witness(HALF, "0.25", "0.24") if verdict == "refuted" else None
    evidence = Evidence("search", "violated" if witness else "holds", "some points", 9, witness=witness)
    worst = None if ratio is None else Worst(HALF, ratio, 1.0)
    return Findings(verdict, "by hand", (evidence,), worst)


def entry(label: str, *cases: str, role: str = "printed", expected: dict[str, str] | None = None, **more: Any) -> Entry:
    """A claim with cases of these names, or without."""
    names = [(f"{label}[{name}]", name) for name in cases] or [(label, None)]
    pinned = expected or {}
    made = [
        Case(label=full, case=name, text="", latex="", left=SIDE, right=SIDE, domain="", reading="certain",
             expected=pinned.get(name or "", "supported"), limitations=(), symbols={})
        for full, name in names
    ]  # fmt: skip
    fields: dict[str, Any] = {
        "statement": "", "paper": "Ames", "place": ["Theorem 1"], "kind": "Upper", "mode": "always",
        "reading": "certain", "relation": "<=", "rests_on": [], "used_by": [], "blast_radius": [], "repair": None,
        "repairs": [], "improves": None, "missing": None, "source": "ames.py:1",
    }  # fmt: skip
    return Entry(label=label, role=role, cases=made, **fields | more)


def audit(
    claims: list[Entry], found: dict[str, Findings], theorems: tuple[Theorem, ...] = (), prices: Any = None
) -> Audit:
    receipts = {label: Receipt(label, "key", f"print of {label}", made) for label, made in found.items()}
    run = Run(Path("by-hand"), {"claims": list(found)}, receipts, prices=prices or {})
    return Audit(run, known=Catalogue({claim.label: claim for claim in claims}, theorems))


def theorem(number: str = "Theorem 1", *printed: str, paper: str = "Ames", **more: Any) -> Theorem:
    return Theorem(number=number, title=number, says="…", printed=printed, paper=paper, **more)


# --- states ---------------------------------------------------------------------------------------

STATE_OF = {
    "proved": ({"a.x": ("proved",)}, "stands"),
    "certified and supported": ({"a.x": ("certified",), "a.y": ("supported",)}, "stands"),
    "refuted": ({"a.x": ("refuted",)}, "falls"),
    "one part of two refuted": ({"a.x": ("proved",), "a.y": ("refuted",)}, "falls"),
    "every reading refuted": ({"a.x": ("refuted", "refuted")}, "falls"),
    "every reading of a part refuted": (
        {"a.x": ("refuted", "refuted"), "a.y": ("proved",)}, "falls",
    ),
    "one reading refuted": ({"a.x": ("refuted", "proved")}, "stands in part"),
    "one reading of a part refuted": ({"a.x": ("refuted", "supported"), "a.y": ("proved",)}, "stands in part"),
    "a certain part and every reading refuted": ({"a.x": ("refuted", "refuted"), "a.y": ("refuted",)}, "falls"),
    "all not testable": ({"a.x": ("not testable",), "a.y": ("not testable",)}, "not testable"),
    "some not testable": ({"a.x": ("not testable",), "a.y": ("proved",)}, "stands in part"),
    "a reading not testable, the other refuted": (
        {"a.x": ("not testable", "refuted")}, "falls",
    ),
    "undecided is no fall": ({"a.x": ("undecided",)}, "not testable"),
    "vacuous is no fall": ({"a.x": ("vacuous", "undecided")}, "not testable"),
    "undecided is no stand": ({"a.x": ("undecided",), "a.y": ("proved",)}, "not testable"),
    "a reading undecided": ({"a.x": ("undecided", "proved")}, "stands in part"),
}  # fmt: skip


@pytest.mark.parametrize(("verdicts", "state"), STATE_OF.values(), ids=STATE_OF.keys())
def test_a_state_follows_from_the_verdicts(verdicts: dict[str, tuple[str, ...]], state: str) -> None:
    claims, found = [], {}
    for label, of_cases in verdicts.items():
        names = [f"reading-{i}" for i in range(len(of_cases))] if len(of_cases) > 1 else []
        claims.append(entry(label, *names))
        found |= {case.label: findings(verdict) for case, verdict in zip(claims[-1].cases, of_cases, strict=True)}
    (row,) = audit(claims, found, (theorem("Theorem 1", *verdicts),)).theorems
    assert row.state == state
    assert row.state in STATES
    assert row.stands_fully is (state == "stands")
    assert [failure.label for failure in row.failures] == [
        label for label, made in found.items() if made.verdict == "refuted"
    ]


def test_without_printed_claims_the_theorem_says_why() -> None:
    rows = audit([], {}, (theorem("Theorem 1", missing="not yet read"), theorem("Theorem 2", missing="open"))).theorems
    assert [row.state for row in rows] == ["not yet read", "not testable"]
    assert [row.to_json()["missing"] for row in rows] == ["not yet read", "open"]


def test_a_statement_whose_claims_the_run_did_not_audit_is_left_out() -> None:
    claims = [entry("a.x"), entry("a.y"), entry("a.z", "one", "two")]
    theorems = (theorem("Theorem 1", "a.x"), theorem("Theorem 2", "a.y", derived_from=("Theorem 1",)))
    made = audit(claims, {"a.y": findings("proved"), "a.z[one]": findings("refuted")}, theorems)
    (row,) = made.theorems
    assert (row.theorem.number, row.state) == ("Theorem 2", "stands")
    assert not row.stands_fully  # nothing is known of what it is derived from
    made = audit(claims, {"a.z[one]": findings("refuted")}, (theorem("Theorem 3", "a.z"),))
    assert made.theorems[0].state == "falls"


def test_a_case_that_the_run_did_not_audit_leaves_its_statement_open() -> None:
    made = audit([entry("a.b", "short", "long")], {"a.b[short]": findings("supported")}, (theorem("Theorem 1", "a.b"),))
    (row,) = made.theorems
    assert row.state == "stands in part"
    assert row.readings[0].where("open") == ["long"]


def test_a_claim_that_is_named_twice_counts_once() -> None:
    found = {"a.x[one]": findings("proved"), "a.x[two]": findings("proved")}
    (row,) = audit([entry("a.x", "one", "two")], found, (theorem("Theorem 1", "a.x[one]", "a.x[two]"),)).theorems
    assert [case["label"] for case in row.to_json()["cases"]] == list(found)


# --- what rests on what ---------------------------------------------------------------------------


@pytest.fixture
def proof() -> Audit:
    """Lemma 1 stands, Lemma 2 falls; Theorems 3 and 4 use one each, Theorem 5 uses both by way of them."""
    claims = [entry(f"a.x{n}") for n in range(1, 7)]
    found = {f"a.x{n}": findings("refuted" if n == 2 else "proved") for n in range(1, 7)}
    theorems = (
        theorem("Lemma 1", "a.x1"), theorem("Lemma 2", "a.x2"), theorem("Theorem 3", "a.x3", derived_from=("Lemma 1",)),
        theorem("Theorem 4", "a.x4", derived_from=("Lemma 2", "Lemma 99")),
        theorem("Theorem 5", "a.x5", derived_from=("Theorem 4", "Theorem 3")), theorem("Lemma 2", "a.x6", paper="Bold"),
        theorem("Theorem 3", "a.x6", paper="Bold", derived_from=("Lemma 2",)),
    )  # fmt: skip
    return audit(claims, found, theorems)


def test_what_falls_with_a_statement(proof: Audit) -> None:
    radius = {(row.theorem.paper, row.theorem.number): list(row.blast_radius) for row in proof.theorems}
    assert radius == {
        ("Ames", "Lemma 1"): ["Theorem 3", "Theorem 5"], ("Ames", "Lemma 2"): ["Theorem 4", "Theorem 5"],
        ("Ames", "Theorem 3"): ["Theorem 5"], ("Ames", "Theorem 4"): ["Theorem 5"], ("Ames", "Theorem 5"): [],
        ("Bold", "Lemma 2"): ["Theorem 3"], ("Bold", "Theorem 3"): [],
    }  # fmt: skip


def test_what_falls_with_a_statement_and_what_only_loses_its_proof() -> None:
    theorems = (
        theorem("Lemma 1", "a.wrong"),
        theorem("Theorem 2", "a.wrong", derived_from=("Lemma 1",)),
        theorem("Theorem 3", "a.right", derived_from=("Lemma 1",)),
        theorem("Theorem 4", "a.right", derived_from=("Theorem 3",)),
    )
    found = {"a.wrong": findings("refuted"), "a.right": findings("proved")}
    lemma, _, third, _ = audit([entry("a.wrong"), entry("a.right")], found, theorems).theorems
    assert lemma.uses == {"Falls with it": ["Theorem 2"], "Loses its printed proof": ["Theorem 3", "Theorem 4"]}
    assert third.uses == {"Used by": ["Theorem 4"]}


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [(0.5, 2.4, True), (1, 1, False), (1, 41_560, False), (0.001, 0.27, True), (2e-2, 8e282, False)],
)  # fmt: skip
def test_a_ratio_without_end_is_no_price(low: float, high: float, told: bool) -> None:
    found = {"low": low, "high": high, "points": 9}
    assert _meaningful(found) == (found if told else None)


def test_a_statement_stands_fully_when_all_it_is_derived_from_does(proof: Audit) -> None:
    rows = {(row.theorem.paper, row.theorem.number): row for row in proof.theorems}
    assert {name for name, row in rows.items() if row.state == "stands"} == set(rows) - {("Ames", "Lemma 2")}
    assert {name for name, row in rows.items() if row.stands_fully} == {
        ("Ames", "Lemma 1"), ("Ames", "Theorem 3"), ("Bold", "Lemma 2"), ("Bold", "Theorem 3"),
    }  # fmt: skip


def test_a_circle_of_statements_ends() -> None:
    theorems = (
        theorem("Theorem 1", "a.x", derived_from=("Theorem 2",)),
        theorem("Theorem 2", "a.x", derived_from=("Theorem 1",)),
    )
    rows = audit([entry("a.x")], {"a.x": findings("proved")}, theorems).theorems
    assert [list(row.blast_radius) for row in rows] == [["Theorem 2"], ["Theorem 1"]]
    assert all(row.stands_fully for row in rows)


def test_numbers_are_found_in_every_paper_and_in_any_case(proof: Audit) -> None:
    assert [row.theorem.paper for row in proof.theorem("lemma 2")] == ["Ames", "Bold"]
    assert proof.theorem("Lemma 9") == []


def test_prices_and_roles_stand_beside_the_theorem() -> None:
    price = {"low": 1.5, "high": 4.0, "points": 3, "domain": "p"}
    prices = {"Theorem 1, Ames": {"label": "Theorem 1, Ames", "price": price, "gain": None}}
    roles = [entry(f"a.{role}", role=role) for role in ROLES] + [entry("a.far", place=["Theorem 2"])]
    found = {claim.label: findings("proved") for claim in roles}
    stated = theorem("Theorem 1", "a.printed", successor="a.successor", improvement="a.improvement")
    made = audit(roles, found, (stated, theorem("Theorem 1", "a.far", paper="Bold")), prices)
    row, other = made.theorems
    assert (row.price, row.gain) == (price, None)
    assert (other.price, other.gain) == (None, None)
    assert row.claims == dict.fromkeys(ROLES, 1)
    assert other.claims == dict.fromkeys(ROLES, 0)
    assert made.of(other.theorem) == []
    assert [audited.claim.label for audited in made.of(theorem("Theorem 2"))] == ["a.far"]


# --- claims ---------------------------------------------------------------------------------------


@pytest.fixture
def coins() -> Audit:
    claims = [
        entry("a.cases", "one", "two", "three", expected={"one": "refuted", "two": "proved"}),
        entry("a.lower", relation=">=", kind="Lower"),
        entry("a.equal", relation="=", kind="Identity", role="lemma"),
        entry("a.absent"),
    ]
    found = {
        "a.cases[one]": findings("refuted", 1.25), "a.cases[two]": findings("proved", 0.5),
        "a.lower": findings("undecided", 2.0), "a.equal": findings("proved", 1.0), "a.unknown": findings("proved"),
    }  # fmt: skip
    return audit(claims, found)


def test_claims_are_what_run_and_catalogue_share(coins: Audit) -> None:
    assert list(coins.claims) == ["a.cases", "a.lower", "a.equal"]
    assert coins.verdicts() == {"refuted": 1, "proved": 2, "undecided": 1}
    assert coins.roles()["printed"] == {"refuted": 1, "undecided": 1}
    assert coins.roles()["lemma"] == {"proved": 1}
    assert list(coins.roles()) == list(ROLES)


def test_a_claim_is_as_weak_as_its_weakest_case(coins: Audit) -> None:
    audited = coins.claim("a.cases")
    assert [case.case for case in audited.cases] == ["one", "two"]
    assert (audited.verdict, audited.expected, audited.as_expected) == ("refuted", "refuted", True)
    assert audited.witness == Witness(HALF, "0.25", "0.24")
    assert audited.fingerprints == {f"a.cases[{n}]": f"print of a.cases[{n}]" for n in ("one", "two")}
    assert not coins.claim("a.lower").as_expected
    order = ["refuted", "undecided", "vacuous", "not testable", "supported", "certified", "proved"]
    assert [weakest(order[i:]) for i in range(len(order))] == order


def test_the_ratio_is_that_of_the_worst_case(coins: Audit) -> None:
    assert coins.claim("a.cases").ratio == 1.25
    assert coins.claim("a.cases").ratio_of("a.cases[two]") == 0.5
    assert coins.claim("a.lower").ratio == 2
    assert coins.claim("a.equal").ratio is None
    lower = entry("a.x", "one", "two", relation=">=", kind="Lower")
    found = {"a.x[one]": findings("proved", 3.0), "a.x[two]": findings("refuted", 0.5)}
    assert audit([lower], found).claim("a.x").ratio == 0.5


def test_a_row_has_what_others_rely_on(coins: Audit) -> None:
    row = coins.claim("a.cases[two]").row()
    assert row == {
        "label": "a.cases", "paper": "Ames", "place": ["Theorem 1"], "kind": "Upper", "mode": "always",
        "role": "printed", "reading": "certain", "verdict": "refuted", "expected": "refuted",
        "assumes": [], "accepted_by_coq": [], "ratio": 1.25,
        "cases": [
            {"case": "one", "label": "a.cases[one]", "verdict": "refuted", "expected": "refuted"},
            {"case": "two", "label": "a.cases[two]", "verdict": "proved", "expected": "proved"},
        ],
    }  # fmt: skip
    assert coins.claim("a.lower").row()["cases"] == []


@pytest.mark.parametrize("label", ["a.absent", "a.unknown", "a.cases[three]", "a.cases[none]", "a.lower[one]", ""])
def test_a_label_that_the_run_has_not_is_refused(coins: Audit, label: str) -> None:
    with pytest.raises(InputError, match="a label of by-hand"):
        coins.claim(label)
