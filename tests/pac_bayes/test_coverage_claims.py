"""The claims on coverage: 10⁵ samples each, or 20,000 whole sequences; verdicts, and figures."""

from __future__ import annotations

import numpy as np
import pytest

from boundaudit import Claim
from boundaudit.checks.evidence.collect import collect_evidence
from boundaudit.checks.evidence.profile import PROFILES
from boundaudit.checks.evidence.trial import EXCLUDED, Trials, count
from boundaudit.checks.pac_bayes import betting, broken, law_of_losses, limits
from boundaudit.checks.pac_bayes.coverage import error, forms, scales, study
from boundaudit.checks.pac_bayes.coverage.learners import LEARNERS, learners
from boundaudit.checks.records.study import Setting, Study
from boundaudit.checks.records.study_record import record
from boundaudit.numeric.pac_bayes.betting import betting_limit
from boundaudit.numeric.pac_bayes.forms import FORMS

STATED = (
    betting.anytime, law_of_losses.coin_betting, law_of_losses.split_kl,
    *forms.forms, scales.scales, error.error, *limits.covering, limits.double,
)  # fmt: skip
CONTROLS = (
    betting.tightened,
    law_of_losses.tightened,
    broken.tightened,
    broken.limit_tightened,
    broken.shortcut,
    broken.confidence,
)
CLAIMS = {member.label: member for claim in (*STATED, *CONTROLS) for member in claim.members}
LEARNED = [
    *(f"pac_bayes.coverage.{form}[{name}]" for form in FORMS for name in learners(form)),
    *(
        member.label
        for claim in (
            betting.anytime,
            betting.tightened,
            law_of_losses.coin_betting,
            law_of_losses.split_kl,
            law_of_losses.tightened,
            broken.tightened,
        )
        for member in claim.members
    ),
]
TRIALS = 100_000
FEWER = 20_000
"""Where a sample is an array of hundreds of draws."""


@pytest.mark.parametrize("label", CLAIMS)
@pytest.mark.slow
def test_verdict_is_as_expected(label: str) -> None:
    claim = CLAIMS[label]
    found = collect_evidence(claim, lambda label: (), PROFILES["smoke"], seed=3, device="cpu")
    assert found.verdict == claim.expected
    assert claim.expected == "refuted" or (found.mutation and found.mutation.count("unexplained") == 0)


def test_what_is_broken_on_purpose_is_a_control_and_nothing_else_falls() -> None:
    assert {claim.role for claim in CONTROLS} == {"control"}
    assert [
        label for label, claim in CLAIMS.items() if (claim.expected == "refuted") != (claim.role == "control")
    ] == []


def frequency_of(claim: Claim, place: int, trials: int = TRIALS) -> Trials:
    point = claim.domain.grid(1000)[place]
    return Trials([point], count(claim, [point], trials, 11, "cpu"), trials, 11)


@pytest.mark.parametrize("label", LEARNED)
@pytest.mark.slow
def test_forms_keep_to_delta_and_tightened_ones_do_not(label: str) -> None:
    # The last point of a grid has the largest m.
    claim = CLAIMS[label]
    found = frequency_of(claim, -1, FEWER if "[path," in label else TRIALS)
    delta = float(found.points[0]["delta"])
    assert bool(found.upper(EXCLUDED)[0] < delta) == (claim.expected == "supported")
    assert bool(found.lower(EXCLUDED)[0] > delta) == (claim.expected == "refuted")


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


@pytest.mark.slow
@pytest.mark.parametrize("label", [f"pac_bayes.limits.{name}[{law}]" for law in limits.LAWS for name in limits.LIMITS])
def test_limits_keep_to_delta(label: str) -> None:
    claim = CLAIMS[label]
    point = claim.domain.grid(1000)[-1]
    found = Trials([point], count(claim, [point], FEWER, 0, "cpu"), FEWER, 0)
    assert found.upper(EXCLUDED)[0] < float(point["delta"])


@pytest.mark.slow
@pytest.mark.parametrize("study", [study.study, limits.study], ids=lambda study: study.label)
def test_figures_cross_delta(study: Study) -> None:
    for panel in record(study, Setting("smoke", 0, "cpu"))["panels"]:
        for series in panel["series"][:-1]:
            assert series["y"][-1] < 0.06
            assert series["y"][0] > 0.5


@pytest.mark.slow
def test_five_per_cent_off_the_chi_squared_form_are_too_much_on_arcs() -> None:
    fails = LEARNERS["arcs"].fails
    events = int(fails({"delta": 0.2}, TRIALS, 11, form="chi-squared", factor=broken.CUT).sum())
    assert Trials([{}], np.array([events]), TRIALS, 11).lower(EXCLUDED)[0] > 0.2
