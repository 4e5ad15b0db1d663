"""A bound for somebody's own model from its loss under noise, measured: no domination, no Taylor step, no constant S.

The posterior is N(θ, σ² I), σ and θ whatever the sample made of them. Its mean clipped loss on the sample enters by
Chernoff's upper limit from independent draws, and the prior N(θ₀, τ² I) by the best τ of a grid that is fixed
beforehand and paid for, so that neither ‖θ - θ₀‖ nor σ has to be known before the sample is seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.certified import certified_inverse, log_over
from boundaudit.numeric.pac_bayes.forms import certified_bound
from boundaudit.numeric.pac_bayes.gaussian import gaussian_kl
from boundaudit.numeric.pac_bayes.union import UnionLedger
from boundaudit.numeric.sharpness.bound.occam import rounded_up
from boundaudit.numeric.sharpness.bound.setting import check_positive, check_setting

TAU = 2 ** (torch.arange(-640, 640, dtype=torch.float64) / 32)
"""The prior's standard deviations: from 2⁻²⁰ to 2²⁰ in steps of 2 %."""

_NUMBERS = 2**22
"""Weights of noisy models held at once."""


@dataclass(frozen=True)
class NoisyRisk:
    """A mean clipped loss under noise on the sample, from independent draws.

    Attributes:
        mean: of min(loss, M) over the draws.
        draws: how many: independent noise each, with independent inputs of the sample or all of them.
        sigma: σ of the noise on every parameter.
        norm_squared: ‖θ - θ₀‖², θ₀ the prior's centre: zero, or the initialisation.
        parameters: p.
        clip: M.
    """

    mean: float
    draws: int
    sigma: float
    norm_squared: float
    parameters: int
    clip: float = 1.0

    def __post_init__(self) -> None:
        """Reject what is no such mean."""
        for name in ("sigma", "norm_squared", "clip"):
            check_positive(name, getattr(self, name))
        for name in ("draws", "parameters"):
            if getattr(self, name) < 1:
                raise InputError(name, "at least 1", getattr(self, name), f"correct {name}")
        if not 0 <= self.mean <= self.clip:
            raise InputError("mean", f"from 0 to {self.clip:g}", self.mean, "take the mean of min(loss, clip)")

    @property
    def noise_to_norm(self) -> float:
        """σ√p/‖θ - θ₀‖: from 1 on the noise is longer than what was learned."""
        return self.sigma * math.sqrt(self.parameters / self.norm_squared)


@dataclass(frozen=True)
class OwnBound:
    """A bound on E min(loss, M) of the noisy model.

    Attributes:
        value: the bound; with probability at least 1-δ over sample and draws.
        limit: the upper limit of the clipped loss under noise on the sample.
        kl: K, at the best prior of the grid.
        tau: that prior's standard deviation.
        union: what δ is spent on.
    """

    value: float
    limit: float
    kl: float
    tau: float
    union: UnionLedger


def own_model_bound(found: NoisyRisk, *, samples: float, delta: float, draws_delta: float | None = None) -> OwnBound:
    """M kl⁻¹(u/M, (K + ln(2√m/δ'))/m), δ' for each prior of the grid, from the loss measured on the sample of size m.

    δ is for everything together; `draws_delta` of it, half unless given, goes to the limit u.

    Raises:
        InputError: for a number out of range.
    """
    check_setting(samples, delta)
    union = UnionLedger(delta)
    eta = union.spend("Monte-Carlo limit of the loss under noise", delta / 2 if draws_delta is None else draws_delta)
    share = union.spend("PAC-Bayes bound, for each prior of the grid", union.left, len(TAU))
    risk = certified_inverse(min(1.0, rounded_up(found.mean / found.clip)), log_over(eta, found.draws))
    # Apart, as the share of the norm that one of many parameters has is lost beside 1.
    kls = found.norm_squared / (2 * TAU**2) + found.parameters * gaussian_kl(0.0, found.sigma, TAU).clamp_min(0)
    kl, at = kls.min(0)
    value = certified_bound(risk, float(kl) * (1 + 1e-12), samples, share)
    limit, value = (min(found.clip, rounded_up(found.clip * x)) for x in (risk, value))
    return OwnBound(value, limit, float(kl), float(TAU[at]), union)


def noisy_risk(
    module: nn.Module, loss: Callable[[Tensor, Tensor], Tensor], inputs: Tensor, targets: Tensor, *, sigma: float,
    draws: int = 2000, inputs_per_draw: int = 1, clip: float = 1.0, centre: Tensor | None = None, seed: int = 0,
) -> NoisyRisk:  # fmt: skip
    """Measure a module's clipped loss under noise on every parameter, on the sample that it was trained on.

    Example:
        >>> import torch
        >>> from boundaudit.numeric.sharpness.bound import noisy_risk
        >>> def squared(output, target):
        ...     return (output - target).square().squeeze(-1)
        >>> model, x = torch.nn.Linear(3, 1).double(), torch.randn(50, 3, dtype=torch.float64)
        >>> found = noisy_risk(model, squared, x, model(x).detach(), sigma=0.01, draws=100)
        >>> found.parameters, found.mean < 0.01
        (4, True)

    Args:
        module: deterministic in evaluation mode, in which it is run; its parameters are left as they are.
        loss: from outputs and targets of n inputs to n losses that are at least 0.
        inputs: the sample, shape (m, …).
        targets: shape (m, …).
        sigma: σ.
        draws: independent noisy modules.
        inputs_per_draw: random inputs that each of them sees.
        clip: M.
        centre: θ₀, all parameters in one row; zero if None. It must not depend on the sample.
        seed: of noise and inputs, which are drawn on the CPU.

    Raises:
        InputError: where the losses are not n numbers that are at least 0, or a number is out of range.
    """
    check_positive("sigma", sigma)
    check_positive("clip", clip)
    check_positive("draws", draws)
    named = dict(module.named_parameters())
    flat = torch.cat([weight.detach().flatten() for weight in named.values()])
    stream, training = torch.Generator().manual_seed(seed), module.training

    def one(noise: Tensor, chosen: Tensor) -> Tensor:
        parts = torch.split(flat + sigma * noise, [weight.numel() for weight in named.values()])
        weights = {name: part.view_as(named[name]) for name, part in zip(named, parts, strict=True)}
        return loss(torch.func.functional_call(module, weights, (inputs[chosen],)), targets[chosen])

    means, run = [], max(1, _NUMBERS // len(flat))
    module.eval()
    try:
        for start in range(0, draws, run):
            count = min(run, draws - start)
            noise = torch.randn(count, len(flat), generator=stream, dtype=torch.float64).to(flat)
            chosen = torch.randint(len(inputs), (count, inputs_per_draw), generator=stream).to(inputs.device)
            with torch.no_grad():
                losses = torch.vmap(one)(noise, chosen)
            _check(losses, (count, inputs_per_draw))
            means.append(losses.double().clamp_max(clip).mean(-1).cpu())
    finally:
        module.train(training)
    moved = flat if centre is None else flat - centre.to(flat)
    return NoisyRisk(
        float(torch.cat(means).mean()), draws, sigma, float(moved.double().square().sum()), len(flat), clip
    )


def _check(losses: Tensor, shape: tuple[int, int]) -> None:
    """Require one loss for each input, none below 0; one that is not a number counts as one."""
    if losses.shape != shape:
        raise InputError("loss", f"one loss for each of {shape[1]} inputs", tuple(losses.shape[1:]), "do not average")
    if not bool((losses >= 0).all()):
        raise InputError("loss", "numbers that are at least 0", float(losses.min()), "use a loss such as squared error")
