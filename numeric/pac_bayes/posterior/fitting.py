"""A PAC-Bayes posterior for any PyTorch module: prior, optimised bound and certificate in one call."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.paid import PacBayesSetting, paid_bound
from boundaudit.numeric.pac_bayes.posterior.bars import bars
from boundaudit.numeric.pac_bayes.posterior.flat import FlatModule
from boundaudit.numeric.pac_bayes.posterior.module_sample import Data, ModuleSample, SampleLoss, picked
from boundaudit.numeric.pac_bayes.posterior.stacked import SCALES, Posterior, Prior
from boundaudit.numeric.pac_bayes.posterior.training import (
    Certificate,
    certified_posterior,
    gibbs_form,
    optimised_posterior,
    trained_weights,
)


@dataclass(frozen=True, eq=False)
class FittedPosterior(Certificate):
    """N(mean, diag σ²) on a module's trainable weights, with its certificate.

    Attributes:
        surrogate: the mean surrogate loss over the same draws, on the same samples.
        prior: what it was compared with.
        weights: the posterior of flat weights.
        module: the module, whose own weights are as they were.
        counted: the samples that the bound is over: all that the prior was not trained on.
    """

    surrogate: float
    prior: Prior
    weights: Posterior
    module: nn.Module
    counted: Tensor

    @property
    def sigma(self) -> dict[str, Tensor]:
        """The standard deviation of each weight, by the parameter's name."""
        return FlatModule(self.module).named(self.weights.scale[0])

    def draw(self, seed: int) -> nn.Module:
        """A copy of the module with drawn weights; the certificate is for the mean risk of draws, one a prediction."""
        return FlatModule(self.module).drawn(self.weights, seed)


def fit_posterior(
    module: nn.Module, loss: SampleLoss, data: Data, *,
    surrogate: SampleLoss | None = None, start: nn.Module | None = None, delta: float = 0.05, split: float = 0.0,
    steps: int = 2000,
    prior_steps: int | None = None, batch: int = 256, rate: float = 1e-2, scale: float = 0.03, draws: int = 10_000,
    form: str = "maurer", seed: int = 0, progress: bool = True,
) -> FittedPosterior:  # fmt: skip
    """Train a Gaussian posterior on a PAC-Bayes bound, and certify it.

    The prior is N(w, s²) around the module's weights, which must not know the samples: initialise the module, then
    call. With a ``split`` that part of the samples trains the prior's mean, and the bound is over the rest. s is chosen
    from a grid that a union bound pays for.

    Args:
        module: in evaluation mode; left as it is.
        loss: what is certified, for each sample from 0 to 1, such as `zero_one_loss`.
        data: inputs and targets, or a DataLoader that gives them in batches, each sample once. Inputs in a tuple are
            several arguments.
        surrogate: what is descended on, for each sample from 0 to 1, such as `bounded_cross_entropy`; the loss itself
            unless given.
        start: where the posterior's mean begins, such as the module after training on these samples; at the prior's
            mean unless given.
        delta: δ of everything together.
        split: the part of the samples, drawn at random, that the prior is trained on.
        steps: of the posterior.
        prior_steps: of the prior on its part; as many as the posterior's unless given.
        batch: samples of a step.
        rate: Adam's first.
        scale: the standard deviation that every weight of the posterior begins with.
        draws: of weights for the certificate, each with a minibatch; `FittedPosterior.exact` says what more would gain.
        form: of the certificate, a name in `FORMS` that needs no proxy or moment.
        seed: of the split, the minibatches and all draws: the same seed on the same device gives the same posterior.
        progress: whether a bar on stderr shows it.

    Raises:
        InputError: for a module, loss, data or option that cannot be used.

    Example:
        >>> import torch
        >>> from boundaudit.numeric.pac_bayes import bounded_cross_entropy, fit_posterior, zero_one_loss
        >>> _ = torch.manual_seed(0)
        >>> inputs = torch.randn(1000, 2)
        >>> fitted = fit_posterior(
        ...     torch.nn.Linear(2, 2), zero_one_loss, (inputs, (inputs.sum(-1) > 0).long()),
        ...     surrogate=bounded_cross_entropy, steps=200, rate=0.05, draws=300, progress=False,
        ... )
        >>> fitted.risk < fitted.limit < fitted.value < 0.15
        True
    """
    if not 0 <= split < 1:
        raise InputError("split", "a part from 0 to below 1", split, "correct split")
    counts = (("steps", steps, 0), ("prior_steps", prior_steps or 0, 0), ("batch", batch, 1), ("draws", draws, 2))
    for name, value, least in counts:
        if value < least:
            raise InputError(name, f"at least {least}", value, f"correct {name}")
    gibbs_form(form)
    paid_bound(
        PacBayesSetting(risk=0.0, kl=0.0, samples=2, delta=delta, form=form, parameters={})
    )  # fails now or never
    sample, trained = ModuleSample.gathered(module, loss, data), surrogate or loss
    begin = None if start is None else FlatModule(start).weights
    if begin is not None and begin.shape != sample.flat.weights.shape:
        got = f"{begin.shape[-1]} in place of {sample.flat.weights.shape[-1]}"
        raise InputError("start", "as many trainable weights as the module's", got, "give a copy of the module")
    picks = torch.Generator().manual_seed(seed)
    order = torch.randperm(sample.size, generator=picks)
    first, rest = order[: round(split * sample.size)], order[round(split * sample.size) :]
    mean, surrogates = sample.flat.weights, []
    noise = torch.Generator(mean.device).manual_seed(seed)

    def both(weights: Tensor, draw: int) -> Tensor:
        values = sample.losses(weights, [loss, trained], picked(rest, batch, picks))
        surrogates.append(values[1].mean())
        return values[0].mean()[None]

    with bars(progress) as bar:
        if len(first):
            many = steps if prior_steps is None else prior_steps
            losses = sample.minibatches(trained, first, batch, picks)
            mean = trained_weights(losses, mean, steps=many, rate=rate, told=bar("prior", many))
        prior = Prior(mean[0], torch.ones(1), grid=SCALES)
        losses = sample.minibatches(trained, rest, batch, picks)
        first_mean = mean if begin is None else begin
        posterior = optimised_posterior(
            losses, Posterior(first_mean, torch.tensor(scale)), prior, len(rest), delta,
            steps=steps, rate=rate, generator=noise, told=bar("posterior", steps),
        )  # fmt: skip
        (found,) = certified_posterior(
            both, posterior, prior, len(rest), delta,
            draws=draws, generator=noise, form=form, told=bar("certificate", draws),
        )  # fmt: skip
    gibbs = float(torch.stack(surrogates).mean())
    return FittedPosterior(**vars(found), surrogate=gibbs, prior=prior, weights=posterior, module=module, counted=rest)
