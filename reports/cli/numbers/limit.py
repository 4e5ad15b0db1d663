"""`boundaudit limit`: what exact limits predict, of attention for a user's own sizes, or of a user's own model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.options import COUNT, FINITE, PATH, SEED, json_option, option
from boundaudit.reports.cli.pages import PAGE, check_page, tell


@click.group()
def limit() -> None:
    """What an exact limit of attention predicts: of high dimension after training, of infinite width before it."""


@limit.command("attention-erm")
@option("--alpha", type=FINITE, multiple=True, required=True, metavar="α", help="Samples over d²; may be repeated.")
@option("--penalty", type=FINITE, required=True, metavar="λ", help="Weight decay λ ‖W‖²; 0 for its limit.")
@option("--noise", type=FINITE, required=True, metavar="Δ", help="Variance of the noise of a label.")
@option("--width-ratio", type=FINITE, required=True, metavar="κ₀", help="Width of the target over d, p₀/d.")
@option("--tokens", type=COUNT, default=1, metavar="T", help="1: linear read-out; more: softmax.")
@option("--student-ratio", type=FINITE, default=1.0, metavar="κ", help="Width of the student.")
@option("--spike", "spikes", type=FINITE, multiple=True, metavar="θ", help="An eigenvalue beside the target's bulk.")
@option("--beta", type=FINITE, default=1.0, help="Inverse temperature of the student.")
@option("--target-beta", type=FINITE, default=1.0, help="Inverse temperature of the target.")
@PAGE
@json_option
def attention_erm(alpha: tuple[float, ...], out: Path | None, as_json: bool, **settings: Any) -> int:
    """Boncoraglio et al. 2025: errors, rank and spectrum of single-head attention trained in high dimension.

    With the thresholds of interpolation or of recovery, and, for one token, the error at the best penalty and that of
    the best estimator.
    """
    check_page(out)
    from boundaudit.reports.limit.attention_erm import attention_erm as computed
    from boundaudit.reports.limit.attention_erm import shown

    found = computed(alpha, **settings)
    return tell(shown(found), found, out, as_json=as_json)


@limit.command("model")
@click.argument("model", metavar="FILE.py|NAME")
@option("--alpha", type=FINITE, multiple=True, required=True, metavar="α", help="Samples over d; may be repeated.")
@option("--seed", type=SEED, default=0, help="Of the simulations.")
@PAGE
@json_option
def own_model(model: str, alpha: tuple[float, ...], seed: int, out: Path | None, as_json: bool) -> int:
    """What replica-symmetric equations predict for a model of your own, each number beside its simulation.

    FILE.py assigns a Model of teacher, channel, noise, loss and penalty to `model`; it is run, as claims files are.
    NAME is a shipped one: ridge, lasso, phase_retrieval, attention, gated. Status 1: simulation contradicts a number.
    """
    check_page(out)
    from boundaudit.reports.limit.model import own_model as computed
    from boundaudit.reports.limit.model import shown

    found = computed(model, alpha, seed=seed)
    tell(shown(found), found, out, as_json=as_json)
    return 1 if found["contradicted"] else 0


@limit.command("infinite-width")
@option("--tokens", type=COUNT, metavar="s", help="Tokens; orthogonal ones without --gram.")
@option("--heads", type=COUNT, default=1, metavar="H", help="Heads.")
@option("--gram", type=PATH, metavar="G.npy", help="The tokens' products over the width, an array of shape (s, s).")
@option("--token", type=COUNT, default=1, help="Whose output, counted from 1.")
@option("--query-variance", type=FINITE, default=1.0, help="Of a weight, times the width.")
@option("--key-variance", type=FINITE, default=1.0, help="The same of W_K.")
@option("--value-variance", type=FINITE, default=1.0, help="The same of W_V.")
@option("--output-variance", type=FINITE, default=1.0, help="The same of W_O.")
@option("--width", "widths", type=COUNT, multiple=True, metavar="n", help="Also the exact law at this width.")
@option(
    "--inputs", type=click.Choice(["features", "fixed"]), default="features",
    help="With --width: random features, or inputs with exactly the Gram matrix n G.",
)  # fmt: skip
@option("--seed", type=SEED, default=0, help="Of the integration.")
@PAGE
@json_option
def infinite_width(tokens: int | None, gram: Path | None, out: Path | None, as_json: bool, **settings: Any) -> int:
    """Sakai, Karakida & Imaizumi 2025: the law of one output of an attention layer at initialisation.

    Moments with their errors, quantiles, the density, how far it is from a normal law, and the same at finite widths.
    """
    check_page(out)
    if tokens is None and gram is None:
        raise InputError("--tokens", "the number of tokens, or --gram", "neither", "give one of them")
    from boundaudit.numeric.infinite_width import read_gram
    from boundaudit.reports.limit.infinite_width import infinite_width as computed
    from boundaudit.reports.limit.infinite_width import shown

    found = computed(tokens, gram=None if gram is None else read_gram(gram), **settings)
    return tell(shown(found), found, out, as_json=as_json)
