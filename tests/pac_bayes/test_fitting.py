"""Posteriors trained on a bound: what is certified holds, pays for everything, and is nothing that depends on luck."""

import functools
import math
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, TensorDataset

from boundaudit import InputError, fit_posterior
from boundaudit.numeric.pac_bayes import (
    SCALES,
    Certificate,
    FittedPosterior,
    Posterior,
    Prior,
    bounded_cross_entropy,
    certified_bound,
    certified_posterior,
    optimised_posterior,
    trained_weights,
    zero_one_loss,
)

DELTA = 0.05
PAGE = Path(__file__).parents[2] / "reports" / "FIT-POSTERIOR.md"


def halves(count: int, seed: int) -> tuple[Tensor, Tensor]:
    """Points of the plane and on which side of a line they are, a tenth of them the other way round."""
    generator = torch.Generator().manual_seed(seed)
    inputs = torch.randn(count, 2, generator=generator)
    other = torch.rand(count, generator=generator) < 0.1
    return inputs, ((inputs.sum(-1) > 0) ^ other).long()


def linear() -> nn.Module:
    torch.manual_seed(0)
    return nn.Linear(2, 2)


def fitted(module: nn.Module | None = None, data: Any = None, **options: Any) -> FittedPosterior:
    chosen = {"surrogate": bounded_cross_entropy, "steps": 60, "rate": 0.1, "draws": 200, "progress": False}
    data = halves(2000, 1) if data is None else data
    found: FittedPosterior = fit_posterior(
        linear() if module is None else module, zero_one_loss, data, **{**chosen, **options}
    )
    return found


@functools.cache
def plain() -> FittedPosterior:
    """What the other ones are compared with."""
    return fitted()


# --- S networks at once -----------------------------------------------------------------------------


class Lines:
    """S linear classifiers, each with its own sample, as losses of weights (S, d)."""

    def __init__(self, inputs: Tensor, signs: Tensor, batch: int, seed: int) -> None:
        self.inputs, self.signs, self.batch = inputs, signs, batch
        self.generator = torch.Generator().manual_seed(seed)

    def _margins(self, weights: Tensor) -> Tensor:
        at = torch.randint(self.signs.shape[1], (self.batch,), generator=self.generator)
        return self.signs[:, at] * torch.einsum("snd,sd->sn", self.inputs[:, at], weights)

    def surrogate(self, weights: Tensor, step: int) -> Tensor:
        return torch.sigmoid(-4 * self._margins(weights)).mean(-1)

    def error(self, weights: Tensor, draw: int) -> Tensor:
        return (self._margins(weights) <= 0).double().mean(-1)


def coins(networks: int, samples: int, features: int, batch: int, seed: int) -> Lines:
    """Labels that are coin tosses: whatever is learned, its true risk is 1/2."""
    generator = torch.Generator().manual_seed(seed)
    inputs = torch.randn(networks, samples, features, generator=generator, dtype=torch.float64)
    signs = torch.randint(2, (networks, samples), generator=generator).double() * 2 - 1
    return Lines(inputs, signs, batch, seed)


def certified_after(lines: Lines, trusted: float, draws: int) -> list[Certificate]:
    """Of what was trained on a bound for ``trusted`` samples, which overfits where there are fewer."""
    networks, samples, features = lines.inputs.shape
    prior = Prior(torch.zeros(features), torch.ones(1), grid=SCALES)
    begin = Posterior(torch.zeros(networks, features), torch.ones(1))
    generator = torch.Generator().manual_seed(5)
    posterior = optimised_posterior(
        lines.surrogate, begin, prior, trusted, DELTA, steps=150, rate=0.05, generator=generator
    )
    return certified_posterior(lines.error, posterior, prior, samples, DELTA, draws=draws, generator=generator)


@pytest.mark.slow
def test_what_is_certified_covers_and_five_percent_less_does_not() -> None:
    values = [one.value for one in certified_after(coins(4, 40_000, 2, 500, 1), 40_000, 2000)]
    assert min(values) >= 0.5
    assert sum(0.95 * value < 0.5 for value in values) > DELTA * len(values)


@pytest.mark.slow
def test_what_is_learned_by_heart_is_paid_for() -> None:
    found = certified_after(coins(100, 60, 100, 60, 2), 1e6, 500)
    assert max(one.limit for one in found) < 0.45
    assert sum(one.value < 0.5 for one in found) <= DELTA * len(found)


@pytest.mark.slow
def test_no_network_of_a_stack_sees_another() -> None:
    lines, other = coins(3, 100, 4, 20, 3), coins(3, 100, 4, 20, 3)
    other.signs[1] *= -1

    def weights(of: Lines) -> tuple[Tensor, Tensor]:
        prior, begin = Prior(torch.zeros(4), torch.ones(1), grid=SCALES), Posterior(torch.zeros(3, 4), torch.ones(1))
        generator = torch.Generator().manual_seed(1)
        found = optimised_posterior(of.surrogate, begin, prior, 100, DELTA, steps=20, rate=0.1, generator=generator)
        return found.mean, trained_weights(of.surrogate, found.mean, steps=5)

    for one, another in zip(weights(lines), weights(other), strict=True):
        assert torch.equal(one[[0, 2]], another[[0, 2]])
        assert not torch.allclose(one[1], another[1])


def test_a_certificate_is_the_bound_at_its_limit_with_all_choices_paid_for() -> None:
    lines = coins(2, 500, 3, 500, 4)
    prior = Prior(torch.zeros(3), torch.ones(1), grid=(0.5, 1.0, 2.0), blocks=(1, 2))
    posterior = Posterior(torch.ones(2, 3), torch.tensor(0.7))
    for one in certified_posterior(lines.error, posterior, prior, 500, DELTA, draws=300, form="quadratic"):
        spent = [entry.delta for entry in one.ledger.entries]
        assert spent[0] == pytest.approx(DELTA / 10)
        assert math.fsum(spent) <= DELTA
        each = spent[1] / 9
        assert one.value == pytest.approx(certified_bound(one.limit, one.kl, 500, each, "quadratic"), rel=1e-12)
        assert one.exact == pytest.approx(certified_bound(one.risk, one.kl, 500, each, "quadratic"), rel=1e-12)
        assert one.risk < one.limit < one.value


@pytest.mark.slow
def test_training_on_the_bound_begins_where_it_says_nothing() -> None:
    lines, told = coins(2, 400, 3, 100, 6), []
    lines.signs = torch.sign(lines.inputs[..., 0])
    prior, begin = Prior(torch.zeros(3), torch.ones(1)), Posterior(torch.full((2, 3), -30.0), torch.tensor(1e-4))
    optimised_posterior(
        lines.surrogate, begin, prior, 400, DELTA, steps=800, rate=0.2,
        generator=torch.Generator().manual_seed(0), told=lambda done, bounds: told.append(bounds),
    )  # fmt: skip
    assert len(told) == 800
    assert bool((told[0] > 1).all())
    assert bool((told[-1] < 0.4).all())


# --- any module -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_fitted_posterior_holds_for_its_own_draws() -> None:
    found = plain()
    inputs, targets = halves(20_000, 2)
    true = torch.stack([zero_one_loss(found.draw(seed)(inputs), targets).mean() for seed in range(20)]).mean()
    assert 0.09 < float(true) < found.value < 0.25
    assert found.risk < found.limit < found.value
    assert found.exact < found.value
    assert 0 < found.surrogate < 1
    assert math.fsum(entry.delta for entry in found.ledger.entries) <= DELTA
    assert {name: tuple(sigma.shape) for name, sigma in found.sigma.items()} == {"weight": (2, 2), "bias": (2,)}
    assert found.samples == 2000


@pytest.mark.slow
def test_a_seed_gives_the_same_posterior_and_leaves_module_and_global_state_alone() -> None:
    module, before = linear(), torch.random.get_rng_state()
    weights = {name: value.clone() for name, value in module.state_dict().items()}
    one, again, other = plain(), fitted(module), fitted(module, seed=1)
    assert (one.value, one.kl, one.surrogate) == (again.value, again.kl, again.surrogate)
    assert one.value != other.value
    assert torch.equal(one.draw(3).weight, again.draw(3).weight)  # type: ignore[arg-type]
    assert not torch.equal(one.draw(3).weight, one.draw(4).weight)  # type: ignore[arg-type]
    assert all(torch.equal(value, weights[name]) for name, value in module.state_dict().items())
    assert all(parameter.grad is None for parameter in module.parameters())
    assert torch.equal(linear().weight, module.weight)  # type: ignore[arg-type]
    torch.random.set_rng_state(before)


@pytest.mark.slow
def test_a_prior_from_a_split_knows_nothing_of_the_rest_which_alone_counts() -> None:
    inputs, targets = halves(2000, 1)
    rest = torch.randperm(2000, generator=torch.Generator().manual_seed(0))[500:]
    flipped = targets.clone()
    flipped[rest] = 1 - flipped[rest]
    found, other = (fitted(data=(inputs, at), split=0.25) for at in (targets, flipped))
    assert found.samples == 1500
    assert torch.equal(found.prior.mean, other.prior.mean)
    assert not torch.allclose(found.prior.mean, plain().prior.mean)
    assert found.kl < plain().kl < other.kl
    assert torch.equal(found.counted, rest)


@pytest.mark.slow
def test_a_module_that_was_trained_before_begins_the_posterior_and_leaves_the_prior_where_it_was() -> None:
    trained = plain().draw(0)
    found = fitted(start=trained, steps=0)
    assert torch.equal(found.prior.mean, plain().prior.mean)
    assert torch.equal(found.weights.mean[0].float(), torch.cat([p.detach().flatten() for p in trained.parameters()]))
    assert found.risk < fitted(steps=0).risk
    assert found.kl > fitted(steps=0).kl


@pytest.mark.slow
def test_a_loader_is_its_samples_and_a_module_may_take_several_inputs() -> None:
    class Sum(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.own = linear()

        def forward(self, one: Tensor, two: Tensor) -> Tensor:
            output: Tensor = self.own(torch.stack([one, two], -1))
            return output

    inputs, targets = halves(2000, 1)
    loader = DataLoader(TensorDataset(inputs, targets), batch_size=300)
    assert fitted(data=loader).value == plain().value
    assert fitted(Sum(), ((inputs[:, 0], inputs[:, 1]), targets)).value == plain().value


def test_tied_weights_count_once_and_frozen_ones_not_at_all() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second, self.last = nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)
            self.second.weight = self.first.weight
            self.last.requires_grad_(False)

        def forward(self, inputs: Tensor) -> Tensor:
            output: Tensor = self.last(torch.relu(self.second(torch.relu(self.first(inputs)))))
            return output

    module = Tied()
    found = fitted(module, steps=5, draws=10)
    assert set(found.sigma) == {"first.weight", "first.bias", "second.bias"}
    drawn = found.draw(0)
    assert drawn.first.weight is drawn.second.weight  # type: ignore[union-attr]
    assert not torch.equal(drawn.first.weight, module.first.weight)  # type: ignore[union-attr, arg-type]
    assert torch.equal(drawn.last.weight, module.last.weight)  # type: ignore[union-attr, arg-type]


@pytest.mark.slow
def test_more_draws_leave_less_of_the_value_to_them() -> None:
    few, many = fitted(draws=20), plain()
    assert many.value - many.exact < (few.value - few.exact) / 3


def test_a_bar_shows_it_only_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    fitted(steps=2, draws=2, split=0.5, progress=True)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert all(part in shown.err for part in ("prior", "posterior", "certificate", "2/2"))
    fitted(steps=2, draws=2)
    assert capsys.readouterr().err == ""


def test_losses_for_samples_are_bounded_and_have_gradients() -> None:
    logits = torch.tensor([[0.0, 0.0], [300.0, 0.0], [0.0, 300.0], [2.0, -1.0]], dtype=torch.float64)
    targets = torch.tensor([0, 0, 0, 1])
    assert zero_one_loss(logits, targets).tolist() == [0, 0, 1, 1]
    losses = bounded_cross_entropy(logits, targets)
    assert losses.tolist() == pytest.approx([math.log(0.50005) / math.log(1e-4), 0, 1, 0.3306], abs=1e-3)
    assert float(losses.min()) >= 0
    assert float(losses.max()) <= 1
    mild = (logits / 30).requires_grad_()
    assert torch.autograd.gradcheck(lambda at: bounded_cross_entropy(at, targets), (mild,))


class Doubled(nn.Linear):
    """Nothing but a linear layer in training mode with dropout."""

    def __init__(self) -> None:
        super().__init__(2, 2)
        self.dropout = nn.Dropout()


@pytest.mark.parametrize(("field", "options"), [
    ("surrogate", {"surrogate": None}), ("loss", {"surrogate": nn.functional.cross_entropy}),
    ("loss", {"surrogate": lambda output, targets: output[:, 0] * 10}),
    ("loss", {"surrogate": lambda output, targets: output[:, 0] * math.nan}), ("split", {"split": 1.0}),
    ("split", {"split": -0.1}), ("steps", {"steps": -1}), ("prior_steps", {"prior_steps": -1}), ("batch", {"batch": 0}),
    ("draws", {"draws": 1}), ("delta", {"delta": 0.0}), ("delta", {"delta": 1.5}), ("form", {"form": "none such"}),
    ("form", {"form": "disintegrated"}), ("sample_moment", {"form": "unexpected-bernstein", "steps": 10**9}),
    ("scale", {"scale": 0.0}), ("start", {"start": nn.Linear(3, 2)}), ("module", {"module": Doubled()}),
    ("module", {"module": nn.ReLU()}), ("data", {"data": (torch.zeros(3, 2), torch.zeros(4))}),
    ("data", {"data": (torch.zeros(0, 2), torch.zeros(0))}),
])  # fmt: skip
def test_what_cannot_be_used_is_refused_in_one_line(field: str, options: dict[str, Any]) -> None:
    with pytest.raises(InputError) as caught:
        fitted(**{"steps": 3, "draws": 5, **options})
    assert caught.value.field == field
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "losses", [lambda weights, draw: weights.sum(-1) * 0 + 2, lambda weights, draw: -weights[:, 0]]
)
def test_a_stack_refuses_losses_outside_the_unit_interval(losses: Callable[[Tensor, int], Tensor]) -> None:
    posterior = Posterior(torch.ones(2, 3), torch.tensor(0.1))
    with pytest.raises(InputError, match="loss: expected numbers from 0 to 1"):
        certified_posterior(losses, posterior, Prior(torch.zeros(3), torch.ones(1)), 100, DELTA, draws=2)


@pytest.mark.acceptance
def test_the_page_runs_and_prints_what_it_shows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = PAGE.read_text(encoding="utf-8").replace('"draws": 2000', '"draws": 400')  # which costs the certificates
    file = tmp_path / "page.py"
    file.write_text("\n\n".join(re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)), encoding="utf-8")
    runpy.run_path(str(file))
    printed = capsys.readouterr().out.splitlines()
    (shown,) = re.findall(r"^```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for line, wanted in zip(printed, shown.splitlines(), strict=False):
        assert line.split()[0] == wanted.split()[0]
        certified, risk = (float(number) for number in re.findall(r"0\.\d+", line))
        shown_certified, shown_risk = (float(number) for number in re.findall(r"0\.\d+", wanted))
        assert risk == pytest.approx(shown_risk, abs=0.01)
        assert risk < shown_certified < certified < shown_certified + 0.04
    spent = [float(line.split()[1]) for line in printed if line.startswith("  δ")]
    assert math.fsum(spent) == pytest.approx(DELTA)
