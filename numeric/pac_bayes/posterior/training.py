"""A posterior that minimises a PAC-Bayes bound, and its certificate: for S networks at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.betting import betting_limit
from boundaudit.numeric.pac_bayes.forms import FORMS, pac_bayes_bound
from boundaudit.numeric.pac_bayes.paid import PacBayesSetting, PaidBound, paid_bound
from boundaudit.numeric.pac_bayes.posterior.stacked import Posterior, Prior
from boundaudit.numeric.pac_bayes.union import UnionLedger

Losses = Callable[[Tensor, int], Tensor]
"""From weights (S, P) and the number of the step or draw to each network's mean loss, shape (S,), from 0 to 1."""

Told = Callable[[int, Tensor], None]
"""Hears how many steps or draws are done, and what came of the last one, shape (S,)."""

ROUNDING = 1e-5
"""How far above 1 a mean in float32 may round."""

_FLOATS = 1 - 2.0**-20
"""Share of δ that a betting limit uses: what it sums in float64 is right to far better than the rest."""


def gibbs_form(name: str) -> None:
    """Raises InputError for a name that is no form, or for another divergence than the relative entropy."""
    names = [known for known, form in FORMS.items() if form.divergence == FORMS["maurer"].divergence]
    if name not in names:
        raise InputError("form", f"one of {', '.join(names)}", name, "choose one of these")


def bounded(losses: Tensor) -> Tensor:
    """Losses as float64 from 0 to 1; InputError where one is outside by more than rounding, or no number."""
    if not bool(((losses >= 0) & (losses <= 1 + ROUNDING)).all()):
        least, most = losses.min().item(), losses.max().item()
        raise InputError("loss", "numbers from 0 to 1", f"{least:g} to {most:g}", "divide by the largest loss and clip")
    return losses.double().clamp_max(1)


def descendable(losses: Tensor) -> Tensor:
    """Losses as they are; InputError where they have no gradient to descend on."""
    if not losses.requires_grad:
        raise InputError("surrogate", "a loss with a gradient", "none", "descend on one, such as bounded_cross_entropy")
    return losses


def trained_weights(
    losses: Losses, start: Tensor, *, steps: int, rate: float = 1e-3, told: Told = lambda done, risks: None
) -> Tensor:
    """Descend on the losses themselves: the mean of a prior from other samples, or where a posterior begins.

    The losses are the differentiable mean loss of a minibatch, which they take by the number of the step. Weights have
    shape (S, P), float64 in the end; Adam's rate falls linearly to 0; `told` hears each step's losses.

    Raises:
        InputError: for a loss outside [0, 1] or without a gradient.
    """
    weights = start.detach().double().clone().requires_grad_()
    for step, descend in enumerate(_descents([weights], steps, rate)):
        descend(found := bounded(descendable(losses(weights, step))))
        told(step + 1, found.detach())
    return weights.detach()


def optimised_posterior(
    losses: Losses, start: Posterior, prior: Prior, samples: float, delta: float, *,
    steps: int, rate: float = 1e-3, generator: torch.Generator | None = None, form: str = "quadratic",
    told: Told = lambda done, bounds: None, **parameters: float,
) -> Posterior:  # fmt: skip
    """Descend on a PAC-Bayes bound in means and scales of S posteriors, one draw of the weights a step.

    Losses are the differentiable mean loss of a minibatch of the m samples, by the number of the step; the prior was
    fixed before these were seen, and δ is that of all choices of its scale together. Adam's rate, of means and
    logarithms of scales, falls linearly to 0. The form is a name in `FORMS` for the Gibbs risk, of which "quadratic"
    has a gradient where it is vacuous, too; parameters are what it needs besides. `told` hears each step's bounds.

    Raises:
        InputError: for a loss outside [0, 1] or without a gradient, or what the form cannot use.
    """
    gibbs_form(form)
    each = delta / prior.choices

    def bounds(now: Posterior, step: int) -> Tensor:
        risk = bounded(descendable(losses(now.sample(generator), step)))
        return pac_bayes_bound(risk, now.kl(prior), samples, each, form, **parameters)

    return minimised(bounds, start, steps=steps, rate=rate, told=told)


def minimised(
    bounds: Callable[[Posterior, int], Tensor], start: Posterior, *, steps: int, rate: float, told: Told
) -> Posterior:
    """Descend on any bound, in means and logarithms of scales, and return the last posterior.

    Bounds, shape (S,), are of posteriors and the number of the step; rate and `told` as in `optimised_posterior`.
    """
    mean, logs = start.mean.detach().clone().requires_grad_(), start.scale.detach().log().requires_grad_()
    for step, descend in enumerate(_descents([mean, logs], steps, rate)):
        descend(found := bounds(Posterior(mean, logs.exp()), step))
        told(step + 1, found.detach())
    return Posterior(mean.detach(), logs.detach().exp())


def _descents(leaves: list[Tensor], steps: int, rate: float) -> Iterator[Callable[[Tensor], None]]:
    """A function for each step of Adam, which takes what each network descends on, shape (S,).

    As that is added up and Adam works entry by entry, no network sees another.
    """
    adam = torch.optim.Adam(leaves, lr=rate)

    def descend(values: Tensor) -> None:
        adam.zero_grad()
        values.sum().backward()  # type: ignore[no-untyped-call]
        adam.step()

    for step in range(steps):
        adam.param_groups[0]["lr"] = rate * (1 - step / steps)
        yield descend


@dataclass(frozen=True)
class Certificate:
    """A bound on the Gibbs risk of one posterior that holds with probability at least 1-δ, everything together.

    Attributes:
        value: the bound, certified from above.
        risk: the mean loss over draws, on all samples.
        limit: the upper confidence limit of the Gibbs risk on the samples, which entered the bound.
        exact: what the bound would be if the risk were exact: the rest of the value is due to the number of draws.
        kl: the relative entropy that entered, an upper end.
        samples: m.
        draws: of the weights.
        ledger: what of δ went where.
    """

    value: float
    risk: float
    limit: float
    exact: float
    kl: float
    samples: float
    draws: int
    ledger: UnionLedger


def certified_posterior(
    losses: Losses, posterior: Posterior, prior: Prior, samples: float, delta: float, *,
    draws: int, at_once: int = 1, draws_delta: float | None = None, generator: torch.Generator | None = None,
    form: str = "maurer", told: Told = lambda done, risks: None, **parameters: float,
) -> list[Certificate]:  # fmt: skip
    """Certify each of S posteriors, by draws of its weights.

    The losses of independent draws are nearly alike, so a limit by betting is far nearer to their mean than one that
    knows only the mean; it stays about ln(1/δ)/draws above it, so that many draws of few samples say more than few
    draws of all. A certificate is for one network: whoever keeps the best of several that saw the same samples divides
    δ by their number.

    Args:
        losses: of drawn weights the mean loss over all m samples, or over a random minibatch drawn anew each time.
        posterior: what to certify.
        prior: fixed before the samples were seen.
        samples: m.
        delta: δ of everything together.
        draws: how many, at least 2.
        at_once: draws to a call of the losses, whose weights then are (at_once S, P), all networks of a draw together;
            what is independent between draws has to be so within a call.
        draws_delta: the part of δ for the mean over draws; a tenth unless given.
        generator: of the draws, not used before for what the posterior was chosen by.
        form: of the bound, a name in `FORMS` for the Gibbs risk.
        told: hears each draw's losses.
        **parameters: what the form needs besides; without a temperature or rates a grid of them is paid for.

    Raises:
        InputError: for a loss outside [0, 1], too few draws, or what the form cannot use.
    """
    gibbs_form(form)
    part = delta / 10 if draws_delta is None else draws_delta
    share = UnionLedger(delta).spend("risk from draws", part)
    means, limits = limits_by_draws(losses, posterior, share, draws, generator, told, at_once)
    return [
        _certificate(*row, samples=samples, delta=delta, part=part, prior=prior, draws=draws, form=form, **parameters)
        for row in zip(means.tolist(), limits.tolist(), posterior.certified_kl(prior), strict=True)
    ]


def limits_by_draws(
    losses: Losses, posterior: Posterior, delta: float, draws: int, generator: torch.Generator | None, told: Told,
    at_once: int = 1,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Mean losses over at least 2 draws of the weights, and their upper confidence limits by betting.

    Losses of a draw have shape (S,) or (S, kinds), and so have means and limits; a limit falls below the mean with
    probability at most δ. `told` and `at_once` are as for `certified_posterior`.

    Raises:
        InputError: for a loss outside [0, 1], or too few draws.
    """
    if draws < 2:
        raise InputError("draws", "at least 2", draws, "draw more weights")
    seen = []
    with torch.no_grad():
        for first in range(0, draws, at_once):
            count = min(at_once, draws - first)
            some = Posterior(posterior.mean.repeat(count, 1), posterior.scale.repeat(count, 1))
            found = bounded(losses(some.sample(generator), first))
            seen.append(found.reshape(count, -1, *found.shape[1:]))
            told(first + count, seen[-1][-1])
    drawn = torch.cat(seen).movedim(0, -1)
    return drawn.mean(-1), betting_limit(drawn, delta * _FLOATS)


def _certificate(
    risk: float, limit: float, kl: float, *,
    samples: float, delta: float, part: float, prior: Prior, draws: int, form: str, **parameters: float,
) -> Certificate:  # fmt: skip
    ledger = UnionLedger(delta)
    ledger.spend("risk from draws", part)

    def paid(at: float) -> PaidBound:
        setting = PacBayesSetting(
            risk=at, kl=kl, samples=samples, delta=ledger.left, form=form, parameters=parameters,
            choices={"scales of the prior": prior.choices} if prior.choices > 1 else {},
        )  # fmt: skip
        return paid_bound(setting)

    bound = paid(limit)
    whole = UnionLedger(delta, [*ledger.entries, *bound.ledger.entries])
    return Certificate(bound.value, risk, limit, paid(risk).value, kl, samples, draws, whole)
