"""The error of all statistical decisions of a run together."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest
import sympy as sp
from tests.statements import claim, collected

from boundaudit import Domain, Integers, Probability
from boundaudit.checks.evidence.collect import collect_evidence
from boundaudit.checks.evidence.family import CONFIRMED, EXCLUDED, family_wise
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.language.points import Point

n = sp.Symbol("n", integer=True, positive=True)
HALF = sp.Rational(1, 2)


def found(chance: float, seed: int = 0) -> Findings:
    """What trials say of a coin whose heads are claimed to come up at most every other time."""

    def count(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
        return np.random.default_rng(seed).binomial(trials, chance, len(points))

    coin = claim(Probability("heads", count, "P"), "<=", HALF, Domain({n: Integers(1, tested_to=99)}),
                 label="coin.heads", mode="with probability")  # fmt: skip
    return collect_evidence(coin, lambda label: [], PROFILES["smoke"], seed=seed, device="cpu")


def test_the_levels_of_all_decisions_add_up() -> None:
    decisions = [found(0.1), found(0.9), found(0.5)]
    assert [one.verdict for one in decisions] == ["supported", "refuted", "undecided"]
    assert family_wise(decisions) == {"decisions": 3, "error": pytest.approx(3 * (CONFIRMED + EXCLUDED))}


def test_what_no_trial_decides_costs_nothing_and_a_probability_is_at_most_one() -> None:
    other = collected(claim(n, "<=", n + 1, Domain({n: Integers(1, tested_to=9)})))
    assert family_wise([other]) == {"decisions": 0, "error": 0.0}
    assert family_wise([found(0.1)] * 20_000)["error"] == 1.0


def test_a_probability_at_its_bound_is_not_decided() -> None:
    """At a level of 5 % one in twenty or so would be confirmed by one of its points."""
    assert {found(0.5, seed).verdict for seed in range(80)} == {"undecided"}
