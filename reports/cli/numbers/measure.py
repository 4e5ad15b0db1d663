"""`boundaudit measure`: build the construction for a target and measure it."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Any

import click

from boundaudit.reports.cli.options import COUNT, DEVICE, PATH, json_option, option
from boundaudit.reports.cli.output import answer, leaves, show_facts
from boundaudit.reports.wording import brief


@click.command()
@click.argument("target", type=PATH, metavar="TARGET.json")
@option(
    "--layout",
    help="published (T+2 channels), separate-data (T+3), separate-positions (T+3, without the bits around the MLP) or "
    "extended (T+2; the MLP reads positions too). "
    "[default: published, extended for a negative coefficient]",
)
@option("--mlp", default="steep", help="The trapezoid: steep or wide.")
@option("--scale", default="2", help="λ of the logits λ log T, or inf for the ideal network.")
@option("--pruned", is_flag=True, help="Leave out the hidden units with output weight zero.")
@option("--inputs", help="all, or random:N. [default: all up to 20 bits]")
@option("--at", metavar="BITS", help="One input, its bits written from position 1.")
@option("--seed", type=int, default=0, help="Seed of random inputs and noise.")
@option("--hessian", is_flag=True, help="Also measure the Hessians of the loss and of the network.")
@option("--sigma", metavar="σ", help="Also measure with noise N(0, σ²) on every parameter.")
@option("--draws", type=COUNT, help="Perturbed networks for --sigma. [default: 100]")
@option("--error", metavar="ε", help="Also say the smallest λ whose error is at most ε.")
@DEVICE
@json_option
def measure(target: Path, as_json: bool, **asked: Any) -> int:
    """Measure norms, exactness and curvature of the construction for a target function.

    TARGET.json is such as {"length": 6, "components": [[1, 2], [3, 6]], "coefficients": [0.6, 0.8]}, with positions
    counted from 1. Components may differ in size and coefficients may be negative: then an extension of the
    published construction is measured.

    Gradients and the loss Hessian's trace are exact at every input; inputs on a kink of a hidden unit have none and
    are counted in "kinks". The network Hessian's operator norm is taken over 16 random inputs, or over those given
    where they are no more.

    With --sigma, quantiles of the error over the draws come with 95 % intervals. Where neither --inputs nor --at
    is given, those errors are taken over all inputs up to 12 bits, else over 4096 random ones.
    """
    import numpy as np

    from boundaudit.numeric.sharpness import load_target
    from boundaudit.numeric.sharpness import measure as measured

    with np.errstate(over="ignore"):  # an interval of huge coefficients may be infinite
        numbers = {name: _number(asked[name]) for name in ("scale", "sigma", "error")}
        found = measured(load_target(target), **asked | numbers)
    facts = ((name, _shown(value)) for name, value in leaves(found))
    answer(found, partial(show_facts, facts, justify="right"), as_json=as_json)
    return 0


def _number(text: str | None) -> float | str | None:
    """A text as a number where it is one; the measurement rejects what is left."""
    try:
        number = None if text is None else float(text)
    except ValueError:
        return text
    return text if number is not None and math.isinf(number) and "inf" not in str(text).lower() else number


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_shown, value)) or "none"
    return brief(value, 15) if value is None or isinstance(value, float) else str(value)
