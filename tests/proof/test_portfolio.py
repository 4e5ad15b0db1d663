"""The portfolio decides the eleven inequalities, and never believes an engine."""

import dataclasses
import functools
import json
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp

from boundaudit.checks.language.expression import rational
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof import eleven as yardsticks
from boundaudit.checks.proof import portfolio
from boundaudit.checks.proof.eleven import eleven, table
from boundaudit.checks.proof.engine import Budget, Context, Lemma, Refuted
from boundaudit.checks.proof.kernel.checker import Certificate, check
from boundaudit.checks.proof.portfolio import ENGINES, prove
from boundaudit.checks.proof.witness import refutes

from .stated import claim, integers

ELEVEN = eleven()
UNIT = {"name": "p", "range": "reals", "low": rational(0), "high": rational(1), "open": [False, False]}


def variance_at_most(bound: Fraction) -> Statement:
    variance = ("*", ("v", "p"), ("+", rational(1), ("*", rational(-1), ("v", "p"))))
    return Statement(variance, "<=", rational(bound), {"parameters": [UNIT], "where": []})


@pytest.mark.slow
@pytest.mark.parametrize("entry", ELEVEN, ids=[entry.name for entry in ELEVEN])
def test_all_eleven_are_decided(entry: Any) -> None:
    attempt = prove(entry.statement, touch_points=entry.touch_points)
    assert attempt.outcome == ("proved" if entry.true else "refuted"), attempt.notes
    if entry.true:
        check(entry.statement, json.loads(json.dumps(attempt.certificate)))
    else:
        assert refutes(entry.statement, attempt.counterexample or {})


@pytest.mark.slow
def test_no_engine_alone_decides_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a tenth of the usual budget, with which the portfolio still decides all."""
    monkeypatch.setattr(yardsticks, "prove", functools.partial(prove, budget=Budget(boxes=400, steps=600_000)))
    rows = table()
    assert [row["portfolio"] for row in rows] == ["proved"] * 9 + ["refuted"] * 2
    for engine in ENGINES:
        outcomes = [row["decided by engine"][engine] for row in rows]
        assert "unknown" in outcomes
        assert "refuted" not in outcomes[:9]
        assert "proved" not in outcomes[9:]


def test_the_same_statement_gives_the_same_certificate() -> None:
    for entry in ELEVEN[:4]:
        first, second = (prove(entry.statement, touch_points=entry.touch_points) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("gap", [Fraction(1, 100), Fraction(1, 10**4), Fraction(1, 10**9)])
def test_a_bound_below_the_maximum_is_refuted_however_near(gap: Fraction) -> None:
    assert prove(variance_at_most(Fraction(1, 4))).outcome == "proved"
    attempt = prove(variance_at_most(Fraction(1, 4) - gap))
    assert attempt.outcome == "refuted"
    assert attempt.counterexample == {"p": Fraction(1, 2)}


def test_a_lying_engine_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    def liar(statement: Statement, context: Context) -> Certificate:
        return {"kind": "identity"}

    def accuser(statement: Statement, context: Context) -> None:
        raise Refuted({"p": Fraction(1, 2)})

    monkeypatch.setattr(portfolio, "ENGINES", {"identity": liar, "probe": accuser})
    attempt = prove(variance_at_most(Fraction(1, 4)))
    assert attempt.outcome == "unknown"
    assert len(attempt.notes) == 2


def test_no_statement_rests_on_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[Certificate | None] = []

    def asks(statement: Statement, context: Context) -> None:
        answers.append(context.prove(statement))

    monkeypatch.setattr(portfolio, "ENGINES", {"asks": asks})
    assert prove(variance_at_most(Fraction(1, 4)), engines=["asks"]).outcome == "unknown"
    assert answers == [None]


def test_a_forged_lemma_is_not_believed() -> None:
    half = variance_at_most(Fraction(1, 8))
    forged = Lemma(half, {"kind": "identity"})
    attempt = prove(variance_at_most(Fraction(1, 7)), lemmas=[forged])
    assert attempt.outcome != "proved"


def test_unneeded_lemmas_are_left_out() -> None:
    statement = variance_at_most(Fraction(1, 4))
    lemma = Lemma(statement, prove(statement).certificate or {})
    weaker = prove(variance_at_most(Fraction(1, 3)), lemmas=[lemma])
    assert weaker.outcome == "proved"
    elsewhere = dataclasses.replace(statement, domain={"parameters": [{**UNIT, "name": "r"}], "where": []})
    apart = prove(statement, lemmas=[Lemma(elsewhere, {"kind": "identity"})])
    assert "lemmas" not in (apart.certificate or {})


@pytest.mark.parametrize("steps", [1, 30, 1000, 30_000])
def test_a_proof_that_runs_out_is_no_fault(steps: int) -> None:
    turn = ("v", "p")
    curve = ("+", ("sin", turn), ("*", rational(-1), turn, ("cos", turn)))
    share = ("*", curve, ("^", ("+", curve, ("cos", turn)), rational(-1)))
    statement = Statement(
        ("log", share), "<=", ("^", share, rational(Fraction(7, 5))), {"parameters": [UNIT], "where": []}
    )
    assert prove(statement, budget=Budget(steps=steps, depth=3)).outcome == "unknown"


def test_what_is_asked_for_may_have_no_value_at_all_points() -> None:
    """Such as 1/(n-1)! at n = 0."""
    n = sp.Symbol("n", integer=True)
    assert prove(claim(sp.factorial(n) / sp.factorial(n - 1), "=", n, integers("n", 0))).outcome == "unknown"
