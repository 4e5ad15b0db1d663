"""Randomness: everything random derives from one seed and what it is for.

What looks at a domain derives from the domain, so that claims on it share their points, and what is measured there;
what steps from a claim's own worst points, and its trials, from its label.
"""

from __future__ import annotations

import hashlib

import numpy as np


def derived_seed(seed: int, *names: str) -> int:
    """A seed of 63 bits for one method on one claim, the same on every machine and in every process."""
    text = ":".join([str(seed), *names])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def generator(seed: int, *names: str) -> np.random.Generator:
    """A generator for one method on one claim."""
    return np.random.default_rng(derived_seed(seed, *names))
