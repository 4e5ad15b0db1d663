"""`boundaudit bound learner`: networks trained from random weights, certified."""

from __future__ import annotations

from typing import Any

import click

from boundaudit.reports.cli.numbers.bound import integers
from boundaudit.reports.cli.numbers.experiment import FOLDER, RESUME, run_and_keep
from boundaudit.reports.cli.options import COUNT, DEVICE, FINITE, SEED, json_option, option

_EXAMPLE = """\b
Example:
  boundaudit bound learner --profile smoke --out learned
"""


@click.command(epilog=_EXAMPLE)
@option(
    "--profile", type=click.Choice(["smoke", "standard"]), default="smoke",
    help="smoke: 4 starts, within three minutes; standard: 16 starts and more samples, meant for a GPU.",
)  # fmt: skip
@option("--length", type=COUNT, default=20, metavar="T", help="Bits of the input.")
@option("--degree", type=COUNT, default=2, metavar="D", help="Positions in each component.")
@option("--sparsity", type=COUNT, default=10, metavar="ω", help="Number of components.")
@option("--samples", metavar="m,…", help="Sizes of the sample. [default: the profile's]")
@option("--delta", type=FINITE, default=0.05, help="Probability of failure of each bound.")
@option("--seed", type=SEED, default=0, help="Of target, samples and networks.")
@DEVICE
@FOLDER
@RESUME
@json_option
def learner(
    profile: str, length: int, degree: int, sparsity: int, samples: str | None, delta: float, **call: Any
) -> int:
    """A learned network, certified: no sharpness, no sub-Gaussian constant.

    Networks of the construction's shape are trained from random weights on m samples of a random sparse target, and a
    Gaussian posterior around each minimises a PAC-Bayes bound, certified by draws. Beside it stand a prior learned on
    one half of the sample, hold-out on the other half, Theorem 2 and the best constant prediction. Compact networks are
    zero in every entry that no construction of the class uses; full ones have all entries.
    """
    sizes = [] if samples is None else integers("--samples", samples)
    from boundaudit.reports.experiment.learner import Asked

    asked = Asked.of(profile, sizes, length=length, degree=degree, sparsity=sparsity, delta=delta)
    return run_and_keep("learner", asked, profile=profile, **call)
