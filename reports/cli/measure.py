"""`boundaudit measure`: build the construction for a target and measure it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from boundaudit.reports.cli.output import console, emit_json, json_option, number

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.construction import Layout
    from boundaudit.numeric.sharpness.mlp import Trapezoid


@click.command()
@click.argument("target", type=click.Path(path_type=Path), metavar="TARGET.json")
@click.option(
    "--layout",
    default="published",
    show_default=True,
    help="published (T+2 channels) or separate-data (T+3).",
)
@click.option("--mlp", default="steep", show_default=True, help="The trapezoid: steep or wide.")
@click.option("--scale", default="2", show_default=True, help="λ of the logits λ log T, or inf for the ideal network.")
@click.option("--inputs", default=None, help="all, or random:N. [default: all up to 20 bits]")
@click.option("--at", default=None, metavar="BITS", help="One input, its bits written from position 1.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of random inputs.")
@click.option("--device", default="auto", show_default=True, help="auto, cpu or cuda.")
@json_option
def measure(
    target: Path, layout: str, mlp: str, scale: str, inputs: str | None, at: str | None, seed: int, device: str,
    as_json: bool,
) -> int:  # fmt: skip
    """Measure norms and exactness of the construction for a target function.

    TARGET.json is such as {"length": 6, "components": [[1, 2], [3, 6]], "coefficients": [0.6, 0.8]}, with positions
    counted from 1.
    """
    from boundaudit.numeric.sharpness import measure as numeric
    from boundaudit.numeric.sharpness.target import load_target

    found = numeric.measure(
        load_target(target),
        layout=cast("Layout", layout),
        mlp=cast("Trapezoid", mlp),
        scale=_number(scale),
        inputs=inputs,
        at=at,
        seed=seed,
        device=device,
    )
    if as_json:
        emit_json(found)
    else:
        _table(found)
    return 0


def _number(scale: str) -> float | str:
    """The scale as a number where it is one; the measurement rejects what is left."""
    try:
        return float(scale)
    except ValueError:
        return scale


def _table(found: dict[str, Any]) -> None:
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(justify="right")
    for section, values in found.items():
        for name, value in values.items() if isinstance(values, dict) else [("", values)]:
            shown = number(value, 15) if isinstance(value, float) else str(value)
            table.add_row(f"{section} {name}".replace("_", " ").strip(), shown)
    console().print(table)
