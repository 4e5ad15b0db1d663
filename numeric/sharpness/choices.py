"""What a measurement of the construction can be asked for, each choice checked; loads no tensors."""

from __future__ import annotations

import math
from typing import Literal, get_args

from boundaudit import InputError

Layout = Literal["published", "separate-data", "separate-positions", "extended"]
Trapezoid = Literal["steep", "wide"]
IDEAL = math.inf
"""The scale λ of the ideal network: λ = 2 weights, softmaxes restricted to their intended support."""

MAX_SCALE = 100.0
"""Beyond it float64 no longer carries the digits of log c_t beside λ log T."""

MAX_DRAWS = 10**5
BLOCKS = ("W1", "V1", "M", "Gamma", "F", "W2", "V2")
"""The blocks of weights in the order of the forward pass."""


def check_choice(name: str, value: object, choices: object) -> None:
    """Raise InputError unless this is one of the words of a `Literal`."""
    known = get_args(choices)
    if value not in known:
        raise InputError(name, " or ".join(known), repr(value), "choose one of these")


def check_signs(layout: Layout, *, signed: bool) -> None:
    """Raise InputError for a negative coefficient in another layout than the extended."""
    if signed and layout != "extended":
        raise InputError("layout", "extended, for a negative coefficient", repr(layout), "use the extended layout")


def check_scale(scale: float) -> None:
    """Raise InputError unless 0 < λ <= `MAX_SCALE`, or λ is infinite: the ideal network's."""
    if not (0 < scale <= MAX_SCALE or scale == IDEAL):
        raise InputError("scale", f"a number in (0, {MAX_SCALE:g}] or inf", repr(scale), "the paper has 2")


def check_sigma(sigma: object) -> None:
    """Raise InputError unless the noise's standard deviation is a finite number of at least zero."""
    if isinstance(sigma, bool) or not isinstance(sigma, int | float) or not 0 <= sigma < math.inf:
        raise InputError("sigma", "a finite number of at least 0", repr(sigma), "give the standard deviation")


def check_draws(draws: object) -> None:
    """Raise InputError unless the number of perturbed networks is an integer from 2 to `MAX_DRAWS`."""
    if type(draws) is not int or not 2 <= draws <= MAX_DRAWS:
        raise InputError("draws", f"an integer from 2 to {MAX_DRAWS}", repr(draws), "the default is 100")


def check_error(error: object) -> None:
    """Raise InputError unless the error that the network may make is a positive finite number."""
    if isinstance(error, bool) or not isinstance(error, int | float) or not 0 < error < math.inf:
        raise InputError("error", "a positive finite number", repr(error), "give the largest error allowed")
