"""Controls on coverage with 10⁵ samples each, and figures; the verdicts of the claims are what `verify` gives."""

import pytest

from boundaudit.checks.evidence.trial import count
from boundaudit.checks.pac_bayes import broken, limits
from boundaudit.numeric.pac_bayes.betting import betting_limit

CLAIMS = {member.label: member for claim in (broken.shortcut, *limits.covering) for member in claim.members}
TRIALS = 100_000


def test_a_rate_chosen_late_fails_as_often_as_it_must() -> None:
    claim = CLAIMS["pac_bayes.broken.shortcut[late rate]"]
    point = claim.domain.grid(1000)[0]
    often = count(claim, [point], TRIALS, 11, "cpu")[0] / TRIALS
    assert often == pytest.approx(8 * 0.99 * 0.95 * float(point["delta"]), rel=0.05)


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
