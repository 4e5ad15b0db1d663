"""Simulated samples against exact probabilities, enumeration and drawn weights."""

import itertools
import math

import mpmath
import numpy as np
import pytest
import torch
from scipy import stats
from torch import Tensor

from boundaudit.numeric.pac_bayes import coverage
from boundaudit.numeric.pac_bayes.coverage import Learned, exceeds
from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound

TRIALS = 100_000


def close_to(events: Tensor, probability: float) -> bool:
    """Within an interval that a true probability leaves once in 10^9."""
    n = len(events)
    low, high = stats.binom.ppf([5e-10, 1 - 5e-10], n, probability)
    return bool(low <= int(events.sum()) <= high)


@pytest.mark.parametrize(("doublings", "risk", "samples"), [(0, 0.3, 20), (6, 0.2, 30), (20, 0.97, 5)])
def test_best_of_few_has_the_law_of_the_least_binomial(doublings: int, risk: float, samples: int) -> None:
    learned = coverage.best_of(doublings, risk, samples, TRIALS, 1)
    for k in range(samples + 1):
        at_most = -math.expm1(2**doublings * stats.binom.logsf(k, samples, risk))
        assert close_to(learned.risk * samples <= k + 0.5, at_most)
    assert float(learned.kl[0]) == pytest.approx(doublings * math.log(2))


def test_best_of_very_many_has_the_law_of_the_least_binomial() -> None:
    samples, risk, number = 1000, mpmath.mpf("0.6"), mpmath.mpf(2) ** 200
    learned = coverage.best_of(200, 0.6, samples, TRIALS, 2)
    with mpmath.workdps(80):
        for k in (340, 345, 350):
            below = mpmath.fsum(
                mpmath.binomial(samples, i) * risk**i * (1 - risk) ** (samples - i) for i in range(k + 1)
            )
            at_most = -mpmath.expm1(number * mpmath.log1p(-below))
            assert close_to(learned.risk * samples <= k + 0.5, float(at_most))


def small_set() -> tuple[Tensor, Tensor]:
    losses = torch.tensor([[0, 1, 1], [1, 0, 1], [0, 0, 1], [1, 1, 0]], dtype=torch.float64)
    return losses, torch.tensor([0.5, 0.3, 0.2], dtype=torch.float64)


@pytest.mark.slow
def test_gibbs_posterior_fails_as_often_as_enumeration_says() -> None:
    losses, inputs = small_set()
    events = exceeds(coverage.gibbs(losses, inputs, 0.7, 4, TRIALS, 3), 4, 0.6, "maurer", value=0.7)
    probability = 0.0
    for sample in itertools.product(range(3), repeat=4):
        risks = losses[:, list(sample)].mean(-1)
        weights = torch.softmax(-0.7 * 4 * risks, 0)
        kl, risk = float((weights * (4 * weights).log()).sum()), float(weights @ risks)
        bound = 0.7 * float(pac_bayes_bound(risk, kl, 4, 0.6, "maurer"))
        if float(weights @ losses @ inputs) > bound:
            probability += float(inputs[list(sample)].prod())
    assert 0.01 < probability < 0.99
    assert close_to(events, probability)


def test_network_risk_is_that_of_drawn_weights() -> None:
    rng = np.random.default_rng(4)
    features, chance = torch.from_numpy(rng.standard_normal((4, 3))), torch.tensor([0.9, 0.2, 0.5, 0.7]).double()
    learned = coverage.network(features, chance, 3.0, 2.0, 20, 1, 5)
    cells = torch.cat([chance, 1 - chance]) / 4
    counts = torch.from_numpy(np.random.default_rng(5).multinomial(20, cells.numpy(), size=1)[0] / 20)
    mean = 3 * (counts[:4] - counts[4:]) @ features
    drawn = mean + torch.from_numpy(rng.standard_normal((400_000, 3)))
    positive = drawn @ features.T > 0
    errs = torch.where(positive, 1 - chance, chance).mean()
    seen = torch.where(positive, counts[4:], counts[:4]).sum(-1).mean()
    assert float(learned.true[0]) == pytest.approx(float(errs), abs=2e-3)
    assert float(learned.risk[0]) == pytest.approx(float(seen), abs=2e-3)
    by_hand = sum(x**2 / 8 + 1 / 8 - 0.5 - math.log(0.5) for x in mean.tolist())
    assert float(learned.kl[0]) == pytest.approx(by_hand, rel=1e-12)


def test_lookup_network_by_a_plain_loop() -> None:
    rng, risks, norms = np.random.default_rng(6), [], []
    seen, labels = rng.integers(7, size=(3, 9)), rng.integers(2, size=(3, 9)) * 2 - 1
    for row, signs in zip(seen.tolist(), labels.tolist(), strict=True):
        weights = [1.5 * sum(y for x, y in zip(row, signs, strict=True) if x == unit) for unit in range(7)]
        risks.append(np.mean([stats.norm.cdf(-y * weights[x]) for x, y in zip(row, signs, strict=True)]))
        norms.append(sum(w * w for w in weights) / 2)
    learned = coverage.lookup(7, 1.5, 9, 3, 6)
    assert learned.risk.tolist() == pytest.approx(risks)
    assert learned.kl.tolist() == pytest.approx(norms)


def test_two_hypotheses_err_as_in_closed_form() -> None:
    learned = coverage.two_hypotheses(1000, TRIALS, 7)
    expected = (1 - 1 / 1000) ** 1000 / 1000
    assert expected == pytest.approx(3.67695e-4, rel=1e-5)
    assert close_to(learned.true > 0, 1000 * expected)


def test_bracket_contains_the_bound_and_is_narrow() -> None:
    risk = torch.linspace(0, 1, 11, dtype=torch.float64)
    learned = Learned(risk, risk, torch.ones_like(risk))
    low, high = coverage.bracketed(learned, 50, 0.05, 0.1)
    bound = pac_bayes_bound(risk, 1.0, 50, 0.05, "maurer")
    assert bool(((low <= bound) & (bound <= high)).all())
    assert 0.04 < float((high - low).max()) <= 0.1


def test_law_of_scales_has_mean_zero_and_constant_one() -> None:
    rates = torch.logspace(-5, 3, 4001, dtype=torch.float64)
    spread = coverage.spread(rates)
    assert 0.99 < float(spread.max()) < 1
    with mpmath.workdps(60):
        chances = [mpmath.mpf("0.95") * mpmath.exp(-(mpmath.mpf(3 * j) ** 2) / 2) for j in range(1, 9)]
        rest = 1 - sum(chances)
        above = sum(3 * j * q for j, q in enumerate(chances, start=1)) / rest
        for rate in (1e-5, 0.3, 0.999, 1.001, 3.0, 7.5, 40.0):
            moment = rest * mpmath.exp(-rate * above)
            moment += sum(q * mpmath.exp(3 * j * rate) for j, q in enumerate(chances, start=1))
            wanted = float(2 * mpmath.log(moment) / mpmath.mpf(rate) ** 2)
            assert float(coverage.spread(torch.tensor(rate, dtype=torch.float64))) == pytest.approx(wanted, rel=1e-9)


def test_scales_come_with_their_chances_and_entropies() -> None:
    learned = coverage.scales(0.05, TRIALS, 8)
    for j in range(1, 9):
        shown = (learned.true - learned.risk - 3 * j).abs() < 0.5
        assert close_to(shown, 0.99 * 0.95 * 0.05)
        arc = 0.95 * math.exp(-((3 * j) ** 2) / 2) / (0.99 * 0.95 * 0.05)
        assert float(learned.kl[shown][0]) == pytest.approx(-math.log(arc), rel=1e-12)
    idle = learned.kl == 0
    assert bool((learned.risk[idle] > learned.true[idle]).all())


def test_factors_tighten_the_value_and_the_excess() -> None:
    learned = Learned(torch.tensor([0.5, 0.5]), torch.tensor([0.4, 0.4]), torch.tensor([1.0, 1.0]))
    bound = float(pac_bayes_bound(0.4, 1.0, 100, 0.05, "mcallester"))
    for by_value, by_excess in ((0.49 / bound, 1.0), (1.0, 0.09 / (bound - 0.4))):
        assert bool(exceeds(learned, 100, 0.05, "mcallester", value=by_value, excess=by_excess).all())
    for by_value, by_excess in ((0.51 / bound, 1.0), (1.0, 0.11 / (bound - 0.4))):
        assert not bool(exceeds(learned, 100, 0.05, "mcallester", value=by_value, excess=by_excess).any())


def test_draws_from_a_gibbs_posterior_come_with_their_weights_and_divergences() -> None:
    losses, inputs = small_set()
    mean = coverage.gibbs(losses, inputs, 0.7, 4, TRIALS, 3)
    draw = coverage.gibbs(losses, inputs, 0.7, 4, TRIALS, 3, "draw")
    assert float((draw.risk - mean.risk).mean()) == pytest.approx(0, abs=0.01)
    assert float((draw.kl - mean.kl).mean()) == pytest.approx(0, abs=0.01)
    sample = coverage.gibbs(losses, inputs, 0.7, 4, 1, 3)
    weights = torch.softmax(-0.7 * 4 * (losses @ _shares(inputs, 4, 3)), 0)
    assert float(sample.risk[0]) == pytest.approx(float(weights @ losses @ _shares(inputs, 4, 3)))
    for kind, wanted in (
        ("renyi", float((4 * weights**2).sum().log())),
        ("chi-squared", float((4 * weights**2).sum()) - 1),
    ):
        assert float(coverage.gibbs(losses, inputs, 0.7, 4, 1, 3, kind).kl[0]) == pytest.approx(wanted)


def _shares(inputs: Tensor, samples: int, seed: int) -> Tensor:
    return torch.from_numpy(np.random.default_rng(seed).multinomial(samples, inputs.numpy(), size=1)[0] / samples)


def test_law_of_losses_has_the_risk_as_its_mean() -> None:
    losses, inputs = small_set()
    learned, values, weights = coverage.gibbs_law(losses / 2 + losses.roll(1, 0) / 2, inputs, 0.7, 9, 50, 4)
    assert values.tolist() == [0.0, 0.5, 1.0]
    assert torch.allclose(weights.sum(-1), torch.ones(50, dtype=torch.float64))
    assert torch.allclose(weights @ values, learned.risk)


def test_paths_continue_their_samples() -> None:
    losses, inputs = small_set()
    first, second = coverage.gibbs_path(losses, inputs, 0.0, (1, 2), 1000, 5)
    assert bool(((2 * second.risk - first.risk) * 4).round().ge(1).all())
    assert close_to(first.risk == 0.75, 0.2)


def test_network_draws_have_the_mean_of_the_posterior() -> None:
    rng = np.random.default_rng(4)
    features, chance = torch.from_numpy(rng.standard_normal((4, 3))), torch.tensor([0.9, 0.2, 0.5, 0.7]).double()
    given = (features, chance, 3.0, 2.0, 200, 20_000, 5)
    mean, draw, renyi = (coverage.network(*given, kind) for kind in ("posterior", "draw", "renyi"))
    assert float((draw.true - mean.true).mean()) == pytest.approx(0, abs=5e-3)
    assert float((draw.kl - mean.kl).mean()) == pytest.approx(0, abs=0.02)
    assert bool((renyi.kl >= mean.kl).all())


def test_arcs_fail_as_often_as_they_are_made_to() -> None:
    for factor, often in ((1.0, 0.049), (0.95, 0.049 + 0.949 / 0.95**2)):
        learned = coverage.arcs(0.1, TRIALS, 6)
        events = exceeds(learned, 1, 0.1, "chi-squared", excess=factor, variance=1.0)
        assert close_to(events, often * 0.1)
    loss = learned.true - learned.risk
    variance = sum(1e-4 * float((loss == depth).double().mean()) * float(depth) ** 2 for depth in loss.unique())
    assert 0.9 < variance <= 1.0
