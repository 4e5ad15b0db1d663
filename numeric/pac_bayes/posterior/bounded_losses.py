"""Losses in [0, 1], one for each sample: the error, and one that can be descended on in its place."""

from __future__ import annotations

import math

from torch import Tensor
from torch.nn.functional import cross_entropy

from boundaudit import InputError


def zero_one_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """1 where the largest of the logits (n, classes) is not that of the class (n,), shape (n,), without gradients."""
    return (logits.argmax(-1) != targets).to(logits.dtype)


def bounded_cross_entropy(logits: Tensor, targets: Tensor, least: float = 1e-4) -> Tensor:
    """The cross-entropy -ln p of the class over ln(1/least), with p at least ``least`` (Pérez-Ortiz et al. 2021).

    The floor is smooth, p + least (1 - p): the gradient fades where p is far below it, and is nowhere cut off. Logits
    have shape (n, classes), classes (n,), losses (n,), from 0 to 1.

    Raises:
        InputError: for a least probability that is not between 0 and 1.
    """
    if not 0 < least < 1:
        raise InputError("least", "a probability between 0 and 1", least, "correct least")
    chance = (-cross_entropy(logits, targets, reduction="none")).exp()
    return (chance + least * (1 - chance)).log() / math.log(least)
