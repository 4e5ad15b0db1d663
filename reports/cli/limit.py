"""`boundaudit limit`: what exact limits of attention predict, for a user's own sizes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.output import FINITE, SEED, json_option
from boundaudit.reports.cli.pages import PAGE, check_page, tell


@click.group()
def limit() -> None:
    """What an exact limit of attention predicts: of high dimension after training, of infinite width before it."""


@limit.command("infinite-width")
@click.option("--tokens", type=int, default=None, metavar="s", help="Tokens; orthogonal ones without --gram.")
@click.option("--heads", type=int, default=1, show_default=True, metavar="H", help="Heads.")
@click.option(
    "--gram", type=click.Path(path_type=Path), default=None, metavar="G.npy",
    help="The tokens' products over the width, an array of shape (s, s).",
)  # fmt: skip
@click.option("--token", type=int, default=1, show_default=True, help="Whose output, counted from 1.")
@click.option("--query-variance", type=FINITE, default=1.0, show_default=True, help="Of a weight, times the width.")
@click.option("--key-variance", type=FINITE, default=1.0, show_default=True, help="The same of W_K.")
@click.option("--value-variance", type=FINITE, default=1.0, show_default=True, help="The same of W_V.")
@click.option("--output-variance", type=FINITE, default=1.0, show_default=True, help="The same of W_O.")
@click.option("--width", "widths", type=int, multiple=True, metavar="n", help="Also the exact law at this width.")
@click.option(
    "--inputs", type=click.Choice(["features", "fixed"]), default="features", show_default=True,
    help="With --width: random features, or inputs with exactly the Gram matrix n G.",
)  # fmt: skip
@click.option("--seed", type=SEED, default=0, show_default=True, help="Of the integration.")
@PAGE
@json_option
def infinite_width(tokens: int | None, gram: Path | None, out: Path | None, as_json: bool, **settings: Any) -> int:
    """Sakai, Karakida & Imaizumi 2025: the law of one output of an attention layer at initialisation.

    Moments with their errors, quantiles, the density, how far it is from a normal law, and the same at finite widths.
    """
    check_page(out)
    if tokens is None and gram is None:
        raise InputError("--tokens", "the number of tokens, or --gram", "neither", "give one of them")
    from boundaudit.reports.limit.infinite_width import infinite_width as computed
    from boundaudit.reports.limit.infinite_width import shown

    found = computed(tokens, gram=None if gram is None else _array(gram), **settings)
    return tell(shown(found), found, out, as_json=as_json)


def _array(path: Path) -> Any:
    """A matrix of floats from a .npy file; nothing in it is ever executed."""
    import numpy as np

    try:
        found = np.load(path, allow_pickle=False, mmap_mode="r")
    except (OSError, ValueError, EOFError, SyntaxError) as error:
        why = " ".join(str(error).split())[:120] or type(error).__name__
        raise InputError("--gram", "a .npy file of numbers", f"{path}: {why}", "write it with numpy.save") from None
    if not isinstance(found, np.ndarray) or found.dtype.kind not in "fiu" or found.ndim != 2:
        got = f"{path}: {getattr(found, 'dtype', type(found).__name__)}, shape {getattr(found, 'shape', None)}"
        raise InputError("--gram", "a matrix of real numbers", got, "write it with numpy.save")
    if found.shape[0] > LARGEST:
        raise InputError("--gram", f"at most {LARGEST} tokens", found.shape[0], "give fewer tokens")
    return np.array(found, dtype=np.float64)


LARGEST = 4096
"""Tokens of a Gram matrix that is read."""
