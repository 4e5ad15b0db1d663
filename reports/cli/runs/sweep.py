"""`boundaudit sweep`: both sides of a claim at up to 10⁹ points of its domain, as a Parquet file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from boundaudit import InputError
from boundaudit.reports.cli.options import PATH, SEED, WHOLE, json_option, option
from boundaudit.reports.cli.output import console, emit_json
from boundaudit.reports.cli.progress import working

if TYPE_CHECKING:
    from boundaudit.checks.evidence.sweep_table import Swept
    from boundaudit.checks.language.claim import Claim

_OUT = Path("boundaudit-sweeps")
_EPILOG = """\b
Examples:
  boundaudit sweep sharpness.mlp.slope --points 1e6 --out slope.parquet
  boundaudit sweep sharpness.norms.F.printed --run boundaudit-runs/NEWEST
  boundaudit report boundaudit-runs/NEWEST      draws a sample of what was swept

\b
The columns are the parameters and left, right, ratio, violation, holds. In Python:
  import pyarrow.parquet
  for group in pyarrow.parquet.ParquetFile("slope.parquet").iter_batches(): ...
"""


@click.command(epilog=_EPILOG)
@click.argument("labels", nargs=-1, required=True, metavar="LABEL…")
@option("--points", type=WHOLE, default=10_000, metavar="N", help="Points for each case.")
@option("--seed", type=SEED, default=0, help="The random points derive from it.")
@option("--device", default="auto", help="Where to measure: auto, cpu or cuda.")
@option(
    "--out", type=PATH, metavar="DIR_OR_FILE",
    help=f"A folder, or for one case a file that ends in .parquet. [default: ./{_OUT}]",
)  # fmt: skip
@option(
    "--run", "folder", type=PATH, metavar="DIR",
    help="Sweep claims of this run, one of your own claims file too, into its folder: the report samples them.",
)  # fmt: skip
@json_option
def sweep(
    labels: tuple[str, ...], points: float, seed: int, device: str, out: Path | None, folder: Path | None, as_json: bool
) -> int:
    """Evaluate both sides of claims at many points of their domains; of a claim with cases each by itself.

    A domain of at most 6,000 points is swept whole; else the first 6,000 are those of a sweep of `verify`, a grid and
    random points, and the others random. The same seed gives the same rows. Memory does not grow with N, and a file
    appears when it is complete.
    """
    from boundaudit.checks.evidence.sweep_table import MOST

    if not 1 <= points <= MOST:
        raise InputError("--points", f"1 to {MOST:,}", f"{points:g}", "correct it")
    if out is not None and folder is not None:
        raise InputError("--out", "either --out or --run", "both", "drop one of them")
    from boundaudit.checks.evidence.sweep_stream import require_sides, sweep_to
    from boundaudit.checks.language.progress import watched
    from boundaudit.checks.run.runner import resolve_device

    claims = _claims(labels, folder)
    for claim in claims:
        require_sides(claim)
    paths = _paths(claims, out or _OUT, folder)
    on = "cpu" if device == "auto" and not any(claim.is_measured for claim in claims) else resolve_device(device)
    found = []
    for claim, path in zip(claims, paths, strict=True):
        with working(claim.label) as update, watched(update):
            swept = sweep_to(path, claim, int(points), seed=seed, device=on)
        found.append({**swept.to_json(), "path": str(path)})
        if not as_json:
            _tell(swept, path)
    if as_json:
        emit_json(found)
    return 0


def _claims(labels: Sequence[str], folder: Path | None) -> list[Claim]:
    """The claims and cases that labels mean: of a run, or of the suite."""
    from boundaudit.checks.run.addresses import find_shipped

    found: dict[str, Claim] = {}
    if folder is None:
        for label in labels:
            members = find_shipped(label)
            if not members:
                raise InputError("label", "a label of the suite", label, "see `boundaudit list`, or name a --run")
            found |= {claim.label: claim for claim in members}
        return list(found.values())
    from boundaudit.checks.run.reproduce import claim_of
    from boundaudit.reports.cli.lookup import members_in, run_with

    for label in labels:
        run = run_with(label, folder)
        found |= {name: claim_of(run, run.receipts[name]) for name in members_in(run, label)}
    return list(found.values())


def _paths(claims: Sequence[Claim], out: Path, folder: Path | None) -> list[Path]:
    from boundaudit.checks.evidence.sweep_table import ENDING, FOLDER

    if folder is None and out.suffix == ENDING:
        if len(claims) > 1:
            cases = ", ".join(claim.label for claim in claims)
            raise InputError("--out", "a folder, for several cases", f"{out} for {cases}", "drop its ending")
        return [out]
    place = out if folder is None else folder / FOLDER
    return [place / (claim.label.replace("/", "%2F") + ENDING) for claim in claims]


def _tell(swept: Swept, path: Path) -> None:
    from boundaudit.reports.figures.sweeps import counted, worst_case

    screen = console()
    screen.print(f"{swept.label}: {swept.claim}", style="bold", markup=False)
    screen.print(counted(swept), markup=False)
    if swept.worst is not None:
        screen.print(worst_case(swept), markup=False)
    screen.print(str(path), soft_wrap=True, markup=False)
