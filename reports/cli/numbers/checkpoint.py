"""`boundaudit bound checkpoint`: a classifier's head on frozen features, certified by labelled samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.options import COUNT, FINITE, PATH, SEED, json_option, option
from boundaudit.reports.cli.output import tell_written
from boundaudit.reports.cli.pages import check_page, tell
from boundaudit.reports.cli.progress import working

_EXAMPLE = """\b
Example:
  boundaudit bound checkpoint tuned.safetensors --data features.npz --pretrained pretrained.safetensors

\b
FILE.npz, as numpy.savez writes it:
  features  samples × features, what the frozen body hands to the head
  labels    a class from 0 for each sample
  logits    what the model makes of each; not needed, they show that features and head belong together
"""


@click.command(epilog=_EXAMPLE)
@click.argument("model", type=PATH, metavar="MODEL")
@option("--data", type=PATH, required=True, metavar="FILE.npz", help="Features and labels; see below.")
@option("--head", default="classifier", metavar="NAME", help="NAME.weight, NAME.bias.")
@option("--pretrained", type=PATH, metavar="BASE", help="MODEL before tuning: the prior's centre.")
@option("--rank", type=COUNT, metavar="r", help="Of an update of the head. [default: all of it]")
@option("--split", type=FINITE, default=0.5, help="Part of the samples that trains a prior.")
@option("--delta", type=FINITE, default=0.05, help="Probability of failure, all together.")
@option("--steps", type=click.IntRange(0), default=1000, help="Of each training.")
@option("--rate", type=FINITE, default=0.03, help="Adam's first.")
@option("--draws", type=click.IntRange(2), default=5000, help="Of each certificate.")
@option("--seed", type=SEED, default=0, help="Of the split and all draws.")
@option("--out", type=PATH, metavar="FILE.safetensors", help="Write the certified heads.")
@json_option
def checkpoint(out: Path | None, as_json: bool, **options: Any) -> int:
    """The error of a fine-tuned head, certified: PAC-Bayes on frozen features, with hold-out beside it.

    MODEL is a safetensors checkpoint. Its head may have seen every sample: no prior depends on it. The priors are
    centred at zero, or at the head of --pretrained, whose body must equal MODEL's, and at a head that a part of the
    samples trained. All rows hold together at δ, so that the least may be kept.
    """
    from boundaudit.reports.bound.checkpoint import Asked, certified_head, shown
    from boundaudit.reports.formats.files import write_bytes

    check_page(out, ".safetensors")
    if out is not None and out.exists():
        raise InputError("--out", "a new file", str(out), "choose another, or remove it")
    with working("reading") as update:
        found, made = certified_head(Asked(**options), update)
    if out is not None:
        from safetensors.torch import save

        write_bytes(out, save({name: value.detach().contiguous() for name, value in made.items()}))
        tell_written(out)
    return tell(shown(found), found, None, as_json=as_json)
