"""What is certified of learned networks: against the truth by enumeration, and against the formula written out."""

import math
from dataclasses import replace

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.pac_bayes import binary_kl, inverse_binary_kl
from boundaudit.numeric.pac_bayes.posterior.stacked import Posterior, Prior
from boundaudit.numeric.pac_bayes.posterior.training import certified_posterior
from boundaudit.numeric.sharpness import Target, constant_risk
from boundaudit.numeric.sharpness.learner import Certified, Network, Plan, certified_from_start, certified_learner
from boundaudit.numeric.sharpness.learner.data import Sample, Samples, losses
from boundaudit.numeric.sharpness.learner.learning import FACTORS, SPLIT_FACTORS
from boundaudit.numeric.sharpness.oracle import evaluate

TARGET = Target(6, ((1, 2), (3, 5)), (0.8, 0.6))
SAMPLES, DELTA = 4000, 0.05
PLAN = Plan(starts=3, steps=300, batch=128, posterior_steps=300, posterior_batch=128, noise=0.03, draws=2000)


@pytest.fixture(scope="module")
def found() -> Certified:
    return certified_learner(TARGET, samples=SAMPLES, plan=PLAN, delta=DELTA)


@pytest.mark.slow
def test_certified_values_lie_between_truth_and_baseline(found: Certified) -> None:
    for learned in (found.from_start, found.from_split):
        assert learned.truth.high < learned.certificate.value < constant_risk(TARGET, 1.0)
        assert learned.starts[learned.best].learned
        assert learned.certificate.risk < learned.certificate.limit
    best = found.from_start.starts[found.from_start.best].certificate
    values = [start.certificate.value for start in found.from_start.starts if start.certificate is not None]
    assert len(values) == PLAN.starts
    assert best is not None
    assert best.value == min(values)


@pytest.mark.slow
def test_the_price_of_starts_and_scales_is_in_the_value(found: Certified) -> None:
    groups = len(Network(6, 12).groups)
    paid = {
        "start": (found.from_start, SAMPLES, DELTA / PLAN.starts, len(FACTORS) ** groups),
        "split": (found.from_split, SAMPLES // 2, DELTA, len(SPLIT_FACTORS)),
    }
    for learned, samples, delta, choices in paid.values():
        best = learned.certificate
        budget = (best.kl + math.log(2 * math.sqrt(samples) * choices / (0.9 * delta))) / samples
        assert best.samples == samples
        assert best.value == pytest.approx(float(inverse_binary_kl(best.limit, budget)), rel=1e-6)


def test_networks_of_a_stack_see_samples_of_their_own_target() -> None:
    targets = [Target(6, ((1, 2),), (1.0,)), Target(6, ((3,), (4,)), (0.6, 0.8)), TARGET]
    stack = Samples.stack([Sample.of(target, torch.arange(64)) for target in targets], networks=2)
    generator = torch.Generator().manual_seed(0)
    shared, own = stack.shared(10, generator), stack.own(12, 10, generator)
    assert torch.equal(shared.bits[::2], shared.bits[1::2])
    for row in range(12):
        target = targets[row // 2 % 3]
        torch.testing.assert_close(own.wanted[row], evaluate(target, own.bits[row]).float())
        if row < 6:
            torch.testing.assert_close(shared.wanted[row], evaluate(target, shared.bits[row]).float())


@pytest.mark.slow
def test_several_targets_are_learned_as_one_stack() -> None:
    """Each by its own networks: the other's loss would be above a quarter."""
    targets = [Target(4, ((1, 2),), (1.0,)), Target(4, ((3, 4),), (1.0,))]
    plan = Plan(starts=2, steps=300, batch=64, posterior_steps=200, posterior_batch=64, draws=200)
    found = certified_from_start(targets, samples=2000, network=Network(4, 12), plan=plan, delta=DELTA, seeds=[0, 1])
    for learned in found:
        assert learned.truth.middle < learned.certificate.value < 0.25
        assert learned.starts[learned.best].training_loss < 0.05


@pytest.mark.slow
def test_hold_out_is_one_network_on_the_other_half(found: Certified) -> None:
    held = found.held_out
    assert held.samples == SAMPLES // 2
    assert held.truth.low == held.truth.middle == held.truth.high < held.betting
    assert float(binary_kl(held.loss, held.chernoff)) * held.samples == pytest.approx(math.log(1 / DELTA), rel=1e-6)
    assert held.betting < held.chernoff


def test_true_risks_are_means_over_all_inputs() -> None:
    network, generator = Network(6, 12, "full"), torch.Generator().manual_seed(0)
    everything = Sample.population(TARGET, 2**6, generator)
    assert sorted(map(tuple, everything.bits.int().tolist())) == sorted(set(map(tuple, everything.bits.int().tolist())))
    weights = network.start(2, generator)
    wanted = torch.tensor(
        [0.8 * (bits[0] == bits[1]) + 0.6 * (bits[2] == bits[4]) for bits in everything.bits.tolist()]
    )
    torch.testing.assert_close(everything.wanted, wanted.float())
    expected = (network.outputs(weights, everything.bits) - wanted).square().clamp_max(1)
    torch.testing.assert_close(losses(network, weights, everything), expected, rtol=1e-4, atol=1e-5)
    few = Sample.population(TARGET, 10, generator)
    assert len(few) == 10


def test_a_start_that_does_not_train_stays_in_its_row() -> None:
    plan = replace(PLAN, steps=1, posterior_steps=2, draws=50)
    found = certified_learner(TARGET, samples=200, plan=plan)
    assert found.from_start.failed == found.from_split.failed == PLAN.starts
    assert all(start.certificate is not None for start in found.from_start.starts)
    assert found.from_start.truth.middle < found.from_start.certificate.value


@pytest.mark.slow
def test_bounds_hold_for_networks_that_fit_noise() -> None:
    """Trained long on few samples, so that the loss on them is far below the truth."""
    plan = replace(PLAN, starts=2, steps=200, posterior_steps=50, draws=200)
    target = Target(8, ((1, 2), (3, 4), (5, 6), (7, 8)), (0.5,) * 4)
    found = certified_learner(target, samples=60, network=Network(8, 12, "full"), plan=plan)
    best = found.from_start.starts[found.from_start.best]
    assert best.training_loss < found.held_out.truth.middle
    assert found.from_start.truth.low < found.from_start.certificate.value
    assert found.from_split.truth.low < found.from_split.certificate.value
    assert found.held_out.truth.middle < found.held_out.betting


@pytest.mark.slow
def test_the_same_seed_learns_the_same() -> None:
    plan = replace(PLAN, steps=20, posterior_steps=5, draws=20)
    first, again, other = (certified_learner(TARGET, samples=100, plan=plan, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_several_draws_at_once_are_as_good_as_one_by_one() -> None:
    posterior = Posterior(torch.zeros(2, 3), torch.tensor([[0.2], [0.8]]))
    prior = Prior(torch.zeros(3), torch.ones(3))
    rows = []
    for at_once in (1, 7):
        seen: list[int] = []

        def mean(weights: torch.Tensor, draw: int, seen: list[int] = seen) -> torch.Tensor:
            seen.append(len(weights))
            return weights.abs().clamp_max(1).mean(-1)

        generator = torch.Generator().manual_seed(0)
        rows.append(
            certified_posterior(mean, posterior, prior, 1000, 0.05, draws=2000, at_once=at_once, generator=generator)
        )
        assert sum(seen) == 2 * 2000
        assert max(seen) == 2 * at_once
    for one, many in zip(*rows, strict=True):
        assert one.risk == pytest.approx(many.risk, abs=0.02)
        assert one.limit == pytest.approx(many.limit, abs=0.03)
    assert rows[1][0].risk < rows[1][1].risk / 2


@pytest.mark.parametrize(
    ("change", "field"),
    [({"samples": 3}, "samples"), ({"samples": 10**9}, "samples"), ({"delta": 1.0}, "delta"),
     ({"target": Target(63, ((1, 2),), (1.0,))}, "length")],
)  # fmt: skip
def test_what_cannot_be_learned_is_refused(change: dict[str, object], field: str) -> None:
    call: dict[str, object] = {"target": TARGET, "samples": 100, "plan": PLAN} | change
    with pytest.raises(InputError, match=field):
        certified_learner(**call)  # type: ignore[arg-type]
