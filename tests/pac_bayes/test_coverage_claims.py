"""Controls on coverage with 10⁵ samples each, and figures; the verdicts of the claims are what `verify` gives."""

from __future__ import annotations

import pytest

from boundaudit import Claim
from boundaudit.checks.evidence.trial import Trials, count
from boundaudit.checks.pac_bayes import betting, broken, law_of_losses, limits
from boundaudit.checks.pac_bayes.coverage import error, forms, scales
from boundaudit.numeric.pac_bayes.betting import betting_limit

STATED = (
    betting.anytime, law_of_losses.coin_betting, law_of_losses.split_kl,
    *forms.forms, scales.scales, error.error, *limits.covering, limits.double,
)  # fmt: skip
CONTROLS = (
    broken.shortcut,
    broken.confidence,
)
CLAIMS = {member.label: member for claim in (*STATED, *CONTROLS) for member in claim.members}
TRIALS = 100_000


def test_what_is_broken_on_purpose_is_a_control_and_nothing_else_falls() -> None:
    assert {claim.role for claim in CONTROLS} == {"control"}
    assert [
        label for label, claim in CLAIMS.items() if (claim.expected == "refuted") != (claim.role == "control")
    ] == []


def frequency_of(claim: Claim, place: int) -> Trials:
    point = claim.domain.grid(1000)[place]
    return Trials([point], count(claim, [point], TRIALS, 11, "cpu"), TRIALS, 11)


def test_a_rate_chosen_late_fails_as_often_as_it_must() -> None:
    found = frequency_of(CLAIMS["pac_bayes.broken.shortcut[late rate]"], 0)
    assert found.frequency[0] == pytest.approx(8 * 0.99 * 0.95 * float(found.points[0]["delta"]), rel=0.05)


@pytest.mark.slow
def test_a_single_draw_fails_with_the_chance_of_a_zero() -> None:
    point = {"delta": 0.05, "R_n": 0.96}
    assert count(CLAIMS["pac_bayes.limits.kl[one]"], [point], TRIALS, 1, "cpu")[0] / TRIALS == pytest.approx(
        0.04, rel=0.1
    )


@pytest.mark.parametrize(("mean", "factor"), [(0.9, 0.95), (0.9, 0.9), (0.9, 0.89), (0.3, 1.0), (0.05, 0.8)])
def test_betting_limits_are_judged_without_being_computed(mean: float, factor: float) -> None:
    draws = limits.bernoulli(mean, 60, 500, 5)
    found = limits.LIMITS["betting"].below(draws, mean, 0.2, factor)
    assert found.tolist() == (factor * betting_limit(draws, 0.2) < mean).tolist()
