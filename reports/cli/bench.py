"""`boundaudit bench`: the suite's speed, each figure measured in this call."""

from __future__ import annotations

import click

from boundaudit.reports.cli.options import DEVICE, choose, json_option
from boundaudit.reports.cli.output import console, emit_json, table


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]…")
@DEVICE
@json_option
def bench(names: tuple[str, ...], device: str, as_json: bool) -> int:
    """Measure the suite's speed, from the construction to the proof engines.

    NAME is one of construction, norms, kinks, perturbed, projection, gradients, curvature, spectra, fourier,
    ensemble, bounds, limits, engines, commands (whole commands beside bare imports), suite (a smoke run of everything
    beside PEPit's examples); all of them without one.
    """
    from boundaudit.reports.bench import BENCHMARKS

    for name in names:
        choose("NAME", name, BENCHMARKS, "choose from these")
    from boundaudit.checks.run.runner import resolve_device

    where = resolve_device(device)
    found = {name: BENCHMARKS[name](where) for name in names or BENCHMARKS}
    if as_json:
        emit_json(found)
        return 0
    screen = console()
    for name, result in found.items():
        screen.print(f"\n{name}", style="bold")
        for key, value in result.items():
            if isinstance(value, list):
                screen.print(table(value[0], (map(_said, row.values()) for row in value)))
            else:
                screen.print(f"  {key}: {_said(value)}", markup=False)
    return 0


def _said(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
