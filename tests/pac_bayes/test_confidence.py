"""Confidence limits for a mean: hand-computed values, and what is refused."""

import math

import mpmath
import numpy as np
import pytest
import torch

from boundaudit import InputError
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import from_json
from boundaudit.checks.pac_bayes.confidence import chernoff
from boundaudit.derivations.pac_bayes import confidence as theory
from boundaudit.numeric.pac_bayes import betting_limit, kl_limit, maurer_pontil

LIMITS = (maurer_pontil, kl_limit, betting_limit)


def test_maurer_pontil_by_hand() -> None:
    draws = torch.tensor([0.0, 0.2, 0.4, 1.0], dtype=torch.float64)
    variance, log = (0.16 + 0.04 + 0.0 + 0.36) / 3, math.log(2 / 0.05)
    expected = 0.4 + math.sqrt(2 * variance * log / 4) + 7 * log / 9
    assert float(maurer_pontil(draws, 0.05)) == pytest.approx(expected, rel=1e-14)
    assert float(maurer_pontil(10 * draws, 0.05, largest=10.0)) == pytest.approx(10 * expected, rel=1e-14)


def test_kl_limit_is_chernoffs() -> None:
    draws = torch.tensor([0.0] * 30 + [1.0] * 10, dtype=torch.float64)
    limit = mpmath.mpf(float(kl_limit(draws, 0.1)))
    entropy = 0.25 * mpmath.log(0.25 / limit) + 0.75 * mpmath.log(0.75 / (1 - limit))
    assert float(entropy) == pytest.approx(math.log(10) / 40, rel=1e-12)
    assert float(kl_limit(4 * draws, 0.1, largest=4.0)) == pytest.approx(4 * float(limit), rel=1e-13)


def test_the_theorems_speak_of_these_limits() -> None:
    draws = torch.tensor([0.0, 0.2, 0.4, 1.0], dtype=torch.float64)
    log = math.log(2 / 0.05)
    numbers = {theory.s_ci: math.sqrt(2 * log / 4), theory.a_ci: math.sqrt(2 * log / 3), theory.m: 4}
    limit = theory.limit(float(draws.mean()), float(draws.std())).subs(numbers)
    assert float(limit) == pytest.approx(float(maurer_pontil(draws, 0.05)), rel=1e-14)
    assert float(theory.DELTA.subs(numbers)) == pytest.approx(0.05, rel=1e-14)
    mean = float(kl_limit(draws, 0.1))
    odds = {theory.o_R: mean / (1 - mean), theory.o_ci: 2 / 3, theory.m: 4}
    assert float(theory.KL.subs(odds)) == pytest.approx(math.log(10) / 4, rel=1e-12)


def test_next_to_nothing_can_be_taken_off_chernoffs() -> None:
    point = from_json({
        "m": 1, "o_R": 1, "o_ci": "1/10000", "n_sam": 2, "q_sam": ("1/2", "1/2"), "r_cis": (0, 1),
    })  # fmt: skip
    assert chernoff.domain.contains(point)
    failure, allowed = (float(side_values(side, [point], "cpu")[0]) for side in (chernoff.left, chernoff.right))
    assert 0.99 * allowed < failure <= allowed


def test_no_error_seen_gives_the_exact_limit() -> None:
    draws = torch.zeros(100, dtype=torch.float64)
    assert float(kl_limit(draws, 0.05)) == pytest.approx(1 - 0.05 ** (1 / 100), rel=1e-14)
    assert float(kl_limit(torch.ones(100, dtype=torch.float64), 0.05)) == 1.0


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(
    ("draws", "largest"),
    [
        ([5.0, 7.0], 1.0), ([0.2, -0.1], 1.0), ([0.2, math.nan], 1.0), ([[0.1, 0.2], [0.3, 1.1]], 1.0),
        ([0.2, math.inf], 1.0), ([1.0, 2.1], 2.0), ([], 1.0), (0.3, 1.0),
    ],
)  # fmt: skip
def test_draws_outside_of_what_a_limit_holds_for_are_bad_input(limit, draws, largest) -> None:
    with pytest.raises(InputError, match="draws"):
        limit(torch.tensor(draws, dtype=torch.float64), 0.05, largest)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize(("given", "name"), [
    *(((delta,), "delta") for delta in (0.0, 1.0, -0.1, 2.0, math.nan)),
    *(((0.05, largest), "largest") for largest in (0.0, -1.0, math.inf, math.nan)),
])  # fmt: skip
def test_a_delta_or_a_largest_value_that_is_none_is_bad_input(limit, given, name) -> None:
    with pytest.raises(InputError, match=name):
        limit(torch.tensor([0.1, 0.2]), *given)


def test_one_draw_has_no_variance_but_a_chernoff_limit() -> None:
    one = torch.tensor([[0.3], [0.0]], dtype=torch.float64)
    with pytest.raises(InputError, match="at least 2"):
        maurer_pontil(one, 0.05)
    assert float(kl_limit(one, 0.05)[1]) == pytest.approx(0.95)


@pytest.mark.parametrize("limit", LIMITS)
def test_arrays_lists_and_single_precision_are_draws_too(limit) -> None:
    draws = np.random.default_rng(0).random((3, 20)).astype(np.float32)[:, ::-1]
    expected = limit(torch.from_numpy(draws.astype(np.float64)), 0.05)
    assert torch.equal(limit(draws, 0.05), expected)
    assert torch.equal(limit(torch.from_numpy(draws.copy()), 0.05), expected)
    assert torch.equal(limit(draws.tolist(), 0.05), expected)


@pytest.mark.parametrize("limit", LIMITS)
def test_limits_of_many_sets_of_draws_are_mapped(limit) -> None:
    draws = torch.from_numpy(np.random.default_rng(0).random((3, 20)))
    assert torch.equal(torch.func.vmap(lambda row: limit(row, 0.05))(draws), limit(draws, 0.05))
