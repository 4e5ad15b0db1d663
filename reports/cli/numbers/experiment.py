"""`boundaudit experiment`: the papers' experiments, run again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from boundaudit.reports.cli.options import DEVICE, PATH, SEED, json_option, option
from boundaudit.reports.cli.output import interrupted
from boundaudit.reports.cli.pages import PAGE, check_page, tell
from boundaudit.reports.cli.progress import Pace, working
from boundaudit.reports.experiment.shared.words import experiments

FOLDER = option("--out", type=PATH, metavar="DIR", help="A new folder for results.json, rows.parquet and page.html.")
RESUME = option("--resume", is_flag=True, help="Go on with the interrupted run of the same --out.")


@click.group()
def experiment() -> None:
    """An experiment of a paper, with intervals and what may be concluded from it."""


def _added(name: str, words: Mapping[str, Any]) -> None:
    """One of them as a command: it writes a page, or keeps what it has done in a folder."""
    profiles = "; ".join(f"{profile}: {what}" for profile, what in words["profiles"].items())
    options = (
        json_option, *((PAGE,) if "page" in words else (RESUME, FOLDER)), DEVICE,
        option("--seed", type=SEED, default=0, help="Of everything that is drawn."),
        option("--profile", type=click.Choice([*words["profiles"]]), default="smoke", help=f"{profiles}."),
    )  # fmt: skip
    command: Callable[..., int] = _at_once if "page" in words else run_and_keep

    def called(**call: Any) -> int:
        return command(name, **call)

    for each in options:
        called = each(called)
    experiment.command(name, help=words["help"])(called)


def _at_once(name: str, *, profile: str, seed: int, device: str, out: Path | None, as_json: bool) -> int:
    """Run an experiment, telling what it is at, print it, and write its page."""
    check_page(out)
    from boundaudit.reports.experiment.shared.running import module_of, run_at_once

    where = _ready(device)
    with working("drawing data") as update:
        found = run_at_once(name, profile, seed=seed, device=where, told=_saying(name, update))
    return tell(module_of(name).shown(found), found, out, as_json=as_json)


def run_and_keep(
    name: str, asked: object = None, *, profile: str, seed: int, device: str, out: Path | None, resume: bool,
    as_json: bool,
) -> int:  # fmt: skip
    """The same of one that keeps what it has done, as asked or as its profile has it."""
    from boundaudit.reports.experiment.shared.running import module_of, run_kept

    where = _ready(device)
    try:
        with working("drawing data") as update:
            told = _saying(name, update)
            found = run_kept(name, profile, asked, seed=seed, device=where, out=out, resume=resume, told=told)
    except KeyboardInterrupt:
        return interrupted(out)
    return tell(module_of(name).shown(found), found, None, as_json=as_json)


def _ready(device: str) -> str:
    """Where to compute, on one thread, as in the workers of a run: more cost small tensors more than they save."""
    from boundaudit.checks.run.runner import resolve_device

    where = resolve_device(device)
    import torch

    torch.set_num_threads(1)
    return where


def _saying(name: str, update: Callable[[str], None]) -> Callable[..., None]:
    """Hears what an experiment is at, and says it, with the pace of work of known size."""
    paces: defaultdict[object, Pace] = defaultdict(Pace)
    says: str = experiments()[name]["says"]

    def told(*at: Any) -> None:
        update(says.format(*at, pace=paces[at[0]](*at[1:3]) if "{pace}" in says else ""))

    return told


for _name, _words in experiments().items():
    if "help" in _words:  # else it is a command of another group
        _added(_name, _words)
