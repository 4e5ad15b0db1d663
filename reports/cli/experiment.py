"""`boundaudit experiment`: the papers' experiments, run again."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from boundaudit.reports.cli.output import SEED, console, json_option
from boundaudit.reports.cli.pages import PAGE, check_page, tell


@click.group()
def experiment() -> None:
    """An experiment of a paper, with intervals and what may be concluded from it."""


def _options(**profiles: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """The options that all experiments have, with what each profile is."""
    told = "; ".join(f"{name}: {what}" for name, what in profiles.items())
    profile = click.option(
        "--profile", type=click.Choice([*profiles]), default="smoke", show_default=True, help=f"{told}."
    )
    seed = click.option("--seed", type=SEED, default=0, show_default=True, help="Of everything that is drawn.")
    device = click.option("--device", default="auto", show_default=True, help="auto, cpu or cuda.")

    def decorated(command: Callable[..., int]) -> Callable[..., int]:
        for option in (json_option, PAGE, device, seed, profile):
            command = option(command)
        return command

    return decorated


@experiment.command("sparse-majority")
@_options(smoke="short sequences and an easier task, within a minute", paper="T = 20 to 200, hours, meant for a GPU")
def sparse_majority(**call: Any) -> int:
    """Trauger & Tewari 2024: do gap and norm of trained attention move with the length of its input?

    One layer of attention learns the majority of a few of T bits until it makes no error; all runs of one T are trained
    together. Slopes against log T come with intervals over runs.
    """
    return _run(
        "sparse_majority", lambda length, epoch, going: f"T = {length}: epoch {epoch:,}, {going} runs go on", **call
    )


@experiment.command("infinite-width")
@_options(
    smoke="within a minute", paper="the published widths and draws, with all weight matrices drawn, meant for a GPU"
)
def infinite_width(**call: Any) -> int:
    """Sakai, Karakida & Imaizumi 2025: how fast does one output of an attention layer reach its limit?

    The law at finite width by exact sampling and by integration against the limit, distances with their floors, rates
    in the width with intervals, and the normal law of infinitely many heads.
    """
    return _run("infinite_width", lambda heads, width: f"H = {heads}, n = {width}", **call)


@experiment.command("attention-erm")
@_options(
    smoke="small dimensions, within a minute, which leaves most errors undecided",
    standard="the same dimensions with runs enough to decide them, a quarter of an hour",
    paper="up to d = 400 with softmax, meant for a GPU",
)
def attention_erm(**call: Any) -> int:
    """Boncoraglio et al. 2025: does trained attention have the errors and spectra of its high-dimensional limit?

    Empirical risk minimisation at several dimensions, extrapolated in 1/d with intervals, against the state evolution;
    an interval of more than 3 % to each side leaves a prediction undecided.
    """
    return _run("attention_erm", lambda setting, dimension, done: f"{setting}: d = {dimension}, {done} runs", **call)


def _run(
    name: str, said: Callable[..., str], *, profile: str, seed: int, device: str, out: Path | None, as_json: bool
) -> int:
    """Run an experiment, telling what it is at, and print it."""
    from boundaudit.checks.run.runner import resolve_device

    where = resolve_device(device)
    check_page(out)
    import torch

    torch.set_num_threads(1)  # as in the workers of a run: more of them cost small tensors more than they save
    module = import_module(f"boundaudit.reports.experiment.{name}")
    with console(stderr=True).status("drawing data") as status:
        found = getattr(module, name)(profile, seed=seed, device=where, told=lambda *at: status.update(said(*at)))
    return tell(module.shown(found), found, out, as_json=as_json)
