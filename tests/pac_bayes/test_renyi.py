"""The theorem on one hypothesis by Rényi's divergence: that its formula is the calculator's, and needs what it asks."""

import math

import pytest
import sympy as sp
import torch

from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.points import Point, from_json
from boundaudit.checks.pac_bayes.renyi import theorem
from boundaudit.derivations.pac_bayes import renyi as theory
from boundaudit.derivations.pac_bayes.symbols import delta
from boundaudit.numeric.pac_bayes import pac_bayes_bound


def test_it_speaks_of_the_bound_that_is_calculated() -> None:
    risk, divergence = 0.2, 3.0
    value = float(
        pac_bayes_bound(torch.tensor(risk, dtype=torch.float64), divergence, 50, 0.05, "disintegrated-renyi", order=1.5)
    )
    reached = 50 * (risk * math.log(risk / value) + (1 - risk) * math.log((1 - risk) / (1 - value)))
    allowed = theory.threshold(divergence + math.log(2 * math.sqrt(50)), sp.log(2 / delta))
    assert float(allowed.subs({delta: 0.05, theory.t_o: 0.5})) == pytest.approx(reached, rel=1e-9)


def _each_sample_has_its_own(count: int) -> Point:
    """On each of as many samples as hypotheses the posterior is one of these, whose φ is large there alone."""

    def matrix(own: str, other: str) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(own if s == h else other for h in range(count)) for s in range(count))

    share = (f"1/{count}",) * count
    return from_json({
        "delta": "9/10", "xi_m": 1, "t_o": 100, "n_sam": count, "n_a": count, "q_sam": share, "w_pi": share,
        "x_all": matrix(str(0.9999 * math.log(count)), "-100"), "r_sam": matrix("1", "1e-9"),
    })  # fmt: skip


def test_without_the_divergence_it_is_false() -> None:
    point = _each_sample_has_its_own(6)
    assert theorem.domain.contains(point)
    assert float(side_values(theorem.left, [point], "cpu")[0]) < 1e-6
    alone = theory.fails(theory.q_sam[theory.s_a] * theory.drawn(theory.i_a), theory.x_all[theory.s_a, theory.i_a], 1)
    failure = theory.over_samples(theory.total(alone))
    assert float(side_values(failure, [point], "cpu")[0]) > 0.99
