"""A Monte-Carlo certificate of the loss under noise: it needs no Hessian, no sub-Gaussian constant, no small noise.

A draw is a noisy network on a few inputs of the training set, drawn with replacement; its value is the mean of
min((f - y)², M). Draws are independent given the training set and their mean is the posterior's risk on it, so that
an upper confidence limit for a mean of bounded draws holds for that risk. What is derived here beyond the paper:

    E min(loss, M) ≤ M kl⁻¹(u/M, (K + ln(2√m/δ))/m)   with probability at least 1-δ-η,

u the limit at confidence 1-η and K the relative entropy of posterior to prior. Whatever the draws, u is about
M ln(1/η)/n above their mean at least: what that adds to the value is the sampling surplus. Draws of another sample, on
which the noise is chosen too, say how many keep it small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch
from flint import arb, ctx
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.pac_bayes.betting import betting_limit
from boundaudit.numeric.pac_bayes.certified import BITS, upper_end
from boundaudit.numeric.pac_bayes.confidence import kl_limit, maurer_pontil
from boundaudit.numeric.pac_bayes.forms import certified_bound, pac_bayes_bound
from boundaudit.numeric.sharpness.autodiff import flatten, unflatten
from boundaudit.numeric.sharpness.bound.posterior import Posterior
from boundaudit.numeric.sharpness.bound.setting import LONGEST
from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.target import Target

Limit = Literal["maurer-pontil", "betting", "kl"]

NUMBERS = 2**19
"""Numbers that a run of noisy networks holds at once, a few times over: 4 MiB of float64 each time."""

SURPLUS = 0.02
"""The share of the value that its draws may cost."""

MOST = 2**18
"""The most draws that are made unasked: some ten seconds at T = 20."""

_FEWEST = 1000


@dataclass(frozen=True)
class Certificate:
    """What the draws say about E_ρ L̂_M."""

    mean: float  # of the draws
    upper: float  # u ≥ E_ρ L̂_M with probability at least 1-η
    draws: int
    eta: float  # η
    clip: float  # M
    limit: Limit


def certificate(
    target: Target, posterior: Posterior, *, samples: int, draws: int, inputs_per_draw: int = 4, clip: float = 1.0,
    eta: float = 0.005, seed: int = 0, limit: Limit = "betting", device: str = "cpu",
) -> Certificate:  # fmt: skip
    """Certify the loss under noise on a training set of m uniform inputs.

    The seed draws training set and, independent of it, draws, all on the CPU: but for rounding the certificate does not
    depend on device or memory. A draw sees some inputs of the training set; η is how often u may fall below the risk.

    Raises:
        InputError: for a number out of range.
    """
    found = losses(
        target, posterior, samples=samples, draws=draws, inputs_per_draw=inputs_per_draw, clip=clip, seed=seed,
        device=device,
    )  # fmt: skip
    return Certificate(float(found.mean()), float(upper_limit(found, eta, clip, limit)), draws, eta, clip, limit)


def certified_value(found: Certificate, kl: float, *, samples: int, delta: float) -> float:
    """M kl⁻¹(u/M, (K + ln(2√m/δ))/m), rounded up in ball arithmetic, at most M.

    A bound on E min(loss, M) of the noisy network with probability at least 1-δ-η, u from its training set of size m.
    """
    with ctx.workprec(BITS):
        clip = arb(found.clip)
        risk = min(1.0, upper_end(arb(found.upper) / clip))
        return min(found.clip, upper_end(clip * certified_bound(risk, kl, samples, delta, "maurer")))


def sampling_surplus(found: Certificate, kl: float, *, samples: int, delta: float) -> float:
    """What the draws cost: by what share the value is above that of endless draws with the same mean."""
    endless = replace(found, upper=found.mean)
    value, least = (certified_value(one, kl, samples=samples, delta=delta) for one in (found, endless))
    return value / least - 1


def enough_draws(
    pilot: Tensor, kl: float, *, samples: int, delta: float, eta: float, clip: float = 1.0, surplus: float = SURPLUS,
    most: int = MOST,
) -> int:  # fmt: skip
    """How many draws keep the sampling surplus small, as far as other draws can say; at most `most`.

    From losses of the posterior on another sample, in [0, M], (draws,): the number n by which the mean with √(2V
    ln(1/η)/n) + M ln(1/η)/n on top, which betting limits come near to, costs the share `surplus` of the value.
    """
    sizes = _FEWEST * 2 ** torch.arange(0, max(0.0, math.log2(most / _FEWEST)), 1 / 16, dtype=torch.float64)
    rate, mean = math.log(1 / eta) / sizes, pilot.mean()
    limits = (mean + torch.sqrt(2 * pilot.var() * rate) + clip * rate).clamp_max(clip)
    value, *values = pac_bayes_bound(torch.cat([mean[None], limits]) / clip, kl, samples, delta).tolist()
    enough = (size for size, at in zip(sizes.tolist(), values, strict=True) if at <= (1 + surplus) * value)
    return math.ceil(next(enough, most))


def losses(
    target: Target, posterior: Posterior, *, samples: int, draws: int, inputs_per_draw: int = 4, clip: float = 1.0,
    seed: int = 0, device: str = "cpu",
) -> Tensor:  # fmt: skip
    """The independent draws of a `certificate`, of its arguments, in [0, M], float64, (draws,); InputError as there."""
    _check(target, samples, draws, inputs_per_draw, clip)
    seeds = np.random.SeedSequence(seed).generate_state(2, np.uint64) >> np.uint64(1)
    training = torch.randint(2**target.length, (samples,), generator=torch.Generator().manual_seed(int(seeds[0])))
    stream = np.random.Generator(np.random.SFC64(seeds[1]))
    shifts = torch.arange(target.length - 1, -1, -1)
    parts = []
    for noisy in _networks(posterior, inputs_per_draw, draws, stream, device):
        chosen = training[stream.integers(samples, size=(len(noisy), inputs_per_draw))]
        bits = ((chosen[..., None] >> shifts) & 1).bool().to(device)
        wanted = evaluate(target, bits.flatten(0, 1)).reshape(bits.shape[:2])
        parts.append((outputs(noisy, bits) - wanted).square().clamp_max(clip).mean(-1).cpu())
    return torch.cat(parts)[:draws]


def outputs(blocks: Blocks, bits: Tensor) -> Tensor:
    """Outputs (B, n) of networks of the published layout, one length, no padding, at (B, n, T); by what is read."""
    (count, inputs, length), rows = bits.shape, bits.shape[-1] + 1
    z = torch.cat([bits.to(blocks.V2), blocks.V2.new_zeros(count, inputs, 1)], dim=-1)
    key, query = z[..., None, :], z[..., :, None]
    w1 = blocks.W1[:, None].mT
    logits = w1[..., :rows, :rows] + key * w1[..., :rows, rows:]
    logits = logits + query * (w1[..., rows:, :rows] + key * w1[..., rows:, rows:])
    into = (blocks.V1 @ blocks.M)[:, None]  # the MLP alone reads what attention 1 moved
    moved = torch.softmax(logits, -1) @ (into[..., :rows, :] + query * into[..., rows:, :])
    hidden = (moved + blocks.Gamma[:, None, None]).relu_().flatten(1, 2)
    stream = (hidden @ blocks.F).reshape(count, inputs, rows, length + 2)
    stream.diagonal(dim1=-2, dim2=-1).add_(1.0)
    asked = stream[:, :, -1] @ blocks.W2.mT
    logit, value = (stream @ torch.stack([asked, blocks.V2[:, None].expand_as(asked)], dim=-1)).unbind(-1)
    return (torch.softmax(logit, -1) * value).sum(-1)


def upper_limit(draws: Tensor, eta: float, clip: float, limit: Limit) -> Tensor:
    """An upper confidence limit, at most M, for the mean of n ≥ 2 independent draws (..., n) in [0, M]; shape (...).

    It falls below the mean with probability η at most.

    Raises:
        InputError: for an unknown limit, draws outside [0, M] or an η outside (0, 1).
    """
    if limit not in _LIMITS:
        raise InputError("limit", f"one of {', '.join(_LIMITS)}", limit, "choose one of these")
    return _LIMITS[limit](draws, eta, clip).clamp_max(clip)


_LIMITS: Mapping[str, Callable[[Tensor, float, float], Tensor]] = {
    "maurer-pontil": maurer_pontil, "betting": betting_limit, "kl": kl_limit,
}  # fmt: skip


def _networks(
    posterior: Posterior, inputs: int, draws: int, stream: np.random.Generator, device: str
) -> Iterator[Blocks]:
    """Noisy networks in runs, whose size is the network's alone: a longer certificate begins with a shorter one's."""
    mean, sigma = (flatten(blocks)[0] for blocks in (posterior.mean, posterior.sigma))
    free = sigma.nonzero()[:, 0]
    rows = posterior.mean.V2.shape[-1]
    run = max(1, NUMBERS // (len(mean) + 2 * inputs * rows**2))
    for _ in range(0, draws, run):
        flat = torch.from_numpy(stream.standard_normal((run, len(free)))).mul_(sigma[free]).add_(mean[free])
        if len(free) < len(mean):
            flat = mean.repeat(run, 1).index_copy_(1, free, flat)
        yield unflatten(flat.to(device), posterior.mean)


def _check(target: Target, samples: int, draws: int, inputs: int, clip: float) -> None:
    numbers = {"samples": (samples, 1), "draws": (draws, 2), "inputs_per_draw": (inputs, 1)}
    for name, (value, least) in numbers.items():
        if value < least:
            raise InputError(name, f"an integer of at least {least}", value, f"correct {name}")
    if not 0 < clip < math.inf:
        raise InputError("clip", "a positive number", clip, "correct clip")
    if target.length > LONGEST:
        raise InputError("length", f"at most {LONGEST}", target.length, "shorten the input")
