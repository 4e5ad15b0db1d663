"""What `boundaudit bench bounds` measures: the inverse of the binary kl, optimal noise, and certificates."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import torch

from boundaudit.numeric.pac_bayes import certified_inverse, inverse_binary_kl
from boundaudit.numeric.sharpness.bound import clipped, published, separate_prior_variance, shared_variance
from boundaudit.numeric.sharpness.bound.certificate import losses
from boundaudit.numeric.sharpness.bound.grid import Path
from boundaudit.numeric.sharpness.target import Target

PAIRS = Target(20, tuple((2 * t + 1, 2 * t + 2) for t in range(10)), (10**-0.5,) * 10)
INVERSES = 10**6
CERTIFIED = 200
DRAWS = 20000


def bounds(device: str) -> dict[str, Any]:
    """A million inverses at once, two hundred certified ones, the best σ of three forms, and draws of a certificate.

    Args:
        device: where the draws are computed.

    Returns:
        Seconds.
    """
    generator = torch.Generator().manual_seed(0)
    risks, budgets = torch.rand(2, INVERSES, generator=generator, dtype=torch.float64)
    some = list(zip(risks[:CERTIFIED].tolist(), budgets[:CERTIFIED].tolist(), strict=True))
    constants, posterior = published(20, 2, 10), Path.of(PAIRS).posterior(10**6, 4.0, 1.0)
    setting = {"samples": 1e6, "delta": 0.05}
    return {
        f"inverses of the binary kl, {INVERSES} at once": _seconds(lambda: inverse_binary_kl(risks, budgets)),
        f"certified inverses, {CERTIFIED}": _seconds(lambda: [certified_inverse(*pair) for pair in some]),
        "best σ, tied": _seconds(lambda: shared_variance(constants, proxy=0.01, **setting)),
        "best σ, decoupled": _seconds(lambda: separate_prior_variance(constants, proxy=0.01, **setting)),
        "best σ, clipped": _seconds(lambda: clipped(constants, **setting)),
        f"certificate at T=20, {DRAWS} noisy networks": _seconds(
            lambda: losses(PAIRS, posterior, samples=10**6, draws=DRAWS, inputs_per_draw=1, device=device)
        ),
    }


def _seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
