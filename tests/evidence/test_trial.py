"""Probabilities by trials: exact intervals, verdicts, mutants and the way back to the same counts."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import sympy as sp
from scipy import stats

from boundaudit import Claim, Domain, InputError, Integers, Point, Probability, Reals, symbol
from boundaudit.checks.evidence.collect import collect_evidence
from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.evidence.trial import CONFIRMED, EXCLUDED, Trials, run_trials
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


def found_of(
    right: Any, relation: str = "<=", expected: str = "supported", domain: Domain = COINS, profile: str = "smoke"
) -> tuple[Claim, Findings]:
    claim = Claim(
        label="example.head",
        statement="Tosses show a head with some probability.",
        left=EVENT,
        relation=relation,
        right=right,
        domain=domain,
        expected=expected,
    )
    claim.validate()
    return claim, collect_evidence(claim, lambda label: (), PROFILES[profile], seed=0, device="cpu")


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
    _, found = found_of(sp.Rational(3, 2) * n * p + sp.Rational(1, 10))
    assert found.verdict == "supported"
    assert found.mutation is not None
    assert found.mutation.count("killed") >= 1
    assert found.mutation.direction == "killed"
    assert found.evidence[0].method == "trial"


def test_a_bound_below_the_probability_is_refuted_and_counts_come_back() -> None:
    claim, found = found_of(p / 4, expected="refuted")
    assert found.verdict == "refuted"
    assert found.witness is not None
    assert float(found.witness.left) > float(found.witness.right)
    assert again(claim, found).agrees is True
    record = found.to_json()
    record["evidence"][0]["certificate"]["events"][0] += 1
    assert again(claim, Findings.from_json(record)).agrees is False


def test_a_lower_bound_on_a_probability() -> None:
    assert found_of(sp.Rational(2, 3) * p, ">=", domain=FAIRER, profile="standard")[1].verdict == "supported"
    assert found_of(n * p * 3 + sp.Rational(1, 4), ">=", "refuted")[1].verdict == "refuted"


def test_a_bound_of_one_is_vacuous() -> None:
    assert found_of(sp.Integer(1))[1].verdict == "vacuous"


def test_the_probability_itself_stays_undecided() -> None:
    assert found_of(1 - (1 - p) ** n)[1].verdict == "undecided"


def test_a_probability_stands_on_the_left_of_an_inequality() -> None:
    with pytest.raises(InputError, match=r"example\.head\.left.*only on the left"):
        found_of(p, "=")


def bursting(looked: list[Point]) -> Claim:
    """A bound that a narrow range breaks, and where it was looked at."""

    def burst(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
        looked.extend(points)
        rng = np.random.default_rng(seed)
        return np.array([rng.binomial(trials, 0.6 if 0.30 < a["p"] < 0.34 else 0.05) for a in points])

    return Claim(
        label="example.burst", statement="A burst.", left=Probability("burst", burst, "p"), relation="<=",
        right=sp.Rational(1, 4), domain=Domain({p: Reals(0, 1, open_low=True)}),
    )  # fmt: skip


def test_a_bound_that_a_narrow_range_breaks_is_refuted() -> None:
    claim = bursting([])
    for profile in ("smoke", "standard"):
        found = collect_evidence(claim, lambda label: (), PROFILES[profile], seed=0, device="cpu")
        assert found.verdict == "refuted"
        assert found.witness is not None
        assert 0.30 < found.witness.point["p"] < 0.34


def test_a_race_costs_no_more_than_its_budget() -> None:
    spent = []

    def never(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
        spent.append(len(points) * trials)
        return np.zeros(len(points), dtype=np.int64)

    claim = Claim(
        label="example.never", statement="Never.", left=Probability("never", never, "p"), relation="<=",
        right=p, domain=Domain({p: Reals(sp.Rational(1, 9), 1)}),
    )  # fmt: skip
    trials = run_trials(claim, 24, 2000, 0, "cpu")
    assert sum(spent) <= 24 * 2000
    assert spent[-1] == len(trials.points) * 2000


def test_what_an_earlier_run_counted_says_where_to_look() -> None:
    looked: list[Point] = []
    claim = bursting(looked)
    earlier = run_trials(claim, 24, 2000, 1, "cpu")
    looked.clear()
    found = collect_evidence(claim, lambda label: (), PROFILES["smoke"], seed=0, device="cpu", counts=earlier)
    assert found.verdict == "refuted"
    assert found.witness is not None
    assert found.witness.point in [{"p": point["p"]} for point in earlier.points]
    assert len(looked) == 4  # no race: the earlier winner, and three others that nothing chose
    fresh = run_trials(claim, 6, 100, 1, "cpu", earlier)
    assert fresh.seed != earlier.seed  # draws that chose a point would choose it again


def test_an_earlier_count_that_is_wrong_decides_nothing() -> None:
    claim, _ = found_of(sp.Rational(3, 2) * n * p + sp.Rational(1, 10))
    lie = Trials([{"n": 5, "p": 0.09}], np.array([2000]), 2000, 0)
    found = collect_evidence(claim, lambda label: (), PROFILES["smoke"], seed=0, device="cpu", counts=lie)
    assert found.verdict == "supported"
