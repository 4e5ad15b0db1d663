"""Speed of bounds: the inverse of the binary kl, the best noise, and certificates."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch

from boundaudit.numeric.pac_bayes import certified_inverse, inverse_binary_kl
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.certificate import losses
from boundaudit.numeric.sharpness.bound.examples import example_target
from boundaudit.numeric.sharpness.bound.forms import BOUNDS
from boundaudit.numeric.sharpness.bound.path import Path
from boundaudit.numeric.timing import timed

PAIRS = example_target(20, 2, 10)
INVERSES = 10**6
CERTIFIED = 200
DRAWS = 20000


def bound_speed(device: str) -> dict[str, Any]:
    """Seconds of a million inverses at once, two hundred certified ones, three forms' best σ, and a certificate."""
    generator = torch.Generator().manual_seed(0)
    risks, budgets = torch.rand(2, INVERSES, generator=generator, dtype=torch.float64)
    some = list(zip(risks[:CERTIFIED].tolist(), budgets[:CERTIFIED].tolist(), strict=True))
    constants, posterior = published(20, 2, 10), Path.of(PAIRS).posterior(10**6, 4.0, 1.0)
    proxy = {"shared-variance": {"proxy": 0.01}, "separate-prior-variance": {"proxy": 0.01}, "clipped": {}}
    work: dict[str, Callable[[], Any]] = {
        f"inverses of the binary kl, {INVERSES} at once": lambda: inverse_binary_kl(risks, budgets),
        f"certified inverses, {CERTIFIED}": lambda: [certified_inverse(*pair) for pair in some],
        **{
            f"best σ, {form}": functools.partial(BOUNDS[form], constants, samples=1e6, delta=0.05, **options)
            for form, options in proxy.items()
        },
        f"certificate at T=20, {DRAWS} noisy networks": lambda: losses(
            PAIRS, posterior, samples=10**6, draws=DRAWS, inputs_per_draw=1, device=device
        ),
    }
    return {name: timed(one)[0] for name, one in work.items()}
