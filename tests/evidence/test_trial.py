"""Probabilities by trials: exact intervals, verdicts, mutants and the way back to the same counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import sympy as sp
from scipy import stats

from boundaudit import Claim, Domain, InputError, Integers, Point, Probability, Reals, symbol
from boundaudit.checks.evidence.collect import gather
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.evidence.trial import CONFIRMED, EXCLUDED, Trials
from boundaudit.checks.run.registry import Registry
from boundaudit.checks.run.reproduce import again

n = symbol("n", integer=True, positive=True)
p = symbol("p", positive=True)


def some_head(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    """How often n tosses of a coin with P(head) = p show a head."""
    rng = np.random.default_rng(seed)
    return np.array([int((rng.random((trials, a["n"])) < a["p"]).any(-1).sum()) for a in points])


EVENT = Probability("some head in n tosses", some_head, r"\mathrm{P}(\text{head})")
COINS = Domain({n: Integers(1, 5), p: Reals(sp.Rational(1, 20), sp.Rational(1, 10))})


FAIRER = COINS.replace(p=Reals(sp.Rational(2, 5), sp.Rational(1, 2)))


def receipt_of(
    right: Any, relation: str = "<=", expected: str = "supported", domain: Domain = COINS, profile: str = "smoke"
) -> tuple[Claim, dict[str, Any]]:
    claim = Claim(
        label="example.head",
        statement="Tosses show a head with some probability.",
        left=EVENT,
        relation=relation,
        right=right,
        domain=domain,
        expected=expected,
    )
    return claim, gather(claim, Registry([claim]), PROFILES[profile], seed=0, device="cpu")


def test_intervals_are_clopper_and_pearsons() -> None:
    trials = Trials([{"n": 1}] * 3, np.array([0, 7, 50]), 50, 0)
    for i, events in enumerate((0, 7, 50)):
        # SciPy finds these ends as roots, to about 1e-11.
        for level in (CONFIRMED, EXCLUDED):
            exact = stats.binomtest(events, 50, alternative="greater").proportion_ci(1 - level / 3, "exact")
            assert trials.lower(level)[i] == pytest.approx(exact.low, abs=1e-10)
        exact = stats.binomtest(events, 50, alternative="less").proportion_ci(1 - CONFIRMED / 3, "exact")
        assert trials.upper(CONFIRMED)[i] == pytest.approx(exact.high, abs=1e-10)


def test_a_union_bound_with_room_is_supported_and_its_halves_die() -> None:
    _, receipt = receipt_of(sp.Rational(3, 2) * n * p + sp.Rational(1, 10))
    assert receipt["verdict"] == "supported"
    assert receipt["mutation"]["killed"] >= 1
    assert receipt["mutation"]["direction"]["fate"] == "killed"
    assert receipt["evidence"][0]["method"] == "trial"


def test_a_bound_below_the_probability_is_refuted_and_counts_come_back() -> None:
    claim, receipt = receipt_of(p / 4, expected="refuted")
    assert receipt["verdict"] == "refuted"
    witness = receipt["evidence"][0]["witness"]
    assert float(witness["left"]) > float(witness["right"])
    found = again(claim, receipt)
    assert found["agrees"] is True
    receipt["evidence"][0]["certificate"]["events"][0] += 1
    assert again(claim, receipt)["agrees"] is False


def test_a_lower_bound_on_a_probability() -> None:
    assert receipt_of(sp.Rational(2, 3) * p, ">=", domain=FAIRER, profile="standard")[1]["verdict"] == "supported"
    assert receipt_of(n * p * 3 + sp.Rational(1, 4), ">=", "refuted")[1]["verdict"] == "refuted"


def test_a_bound_of_one_is_vacuous() -> None:
    assert receipt_of(sp.Integer(1))[1]["verdict"] == "vacuous"


def test_the_probability_itself_stays_undecided() -> None:
    assert receipt_of(1 - (1 - p) ** n)[1]["verdict"] == "undecided"


def test_a_probability_stands_on_the_left_of_an_inequality() -> None:
    with pytest.raises(InputError, match=r"example\.head\.left.*only on the left"):
        receipt_of(p, "=")
