"""`boundaudit experiment`: the papers' experiments, run again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from boundaudit.reports.cli.output import SEED, complain, json_option
from boundaudit.reports.cli.pages import PAGE, check_page, tell
from boundaudit.reports.cli.progress import Pace, working

_OUT = click.option(
    "--out", type=click.Path(path_type=Path), default=None, metavar="DIR",
    help="A new folder for results.json, rows.parquet and page.html.",
)  # fmt: skip
_RESUME = click.option("--resume", is_flag=True, help="Go on with the interrupted run of the same --out.")


@click.group()
def experiment() -> None:
    """An experiment of a paper, with intervals and what may be concluded from it."""


_Decorator = Callable[[Callable[..., int]], Callable[..., int]]


def _options(*written: _Decorator, **profiles: str) -> _Decorator:
    """The options that all experiments have, with those that say what is written and what each profile is."""
    told = "; ".join(f"{name}: {what}" for name, what in profiles.items())
    profile = click.option(
        "--profile", type=click.Choice([*profiles]), default="smoke", show_default=True, help=f"{told}."
    )
    seed = click.option("--seed", type=SEED, default=0, show_default=True, help="Of everything that is drawn.")
    device = click.option("--device", default="auto", show_default=True, help="auto, cpu or cuda.")

    def decorated(command: Callable[..., int]) -> Callable[..., int]:
        for option in (json_option, *(written or (PAGE,)), device, seed, profile):
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
    return _page(
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
    return _page("infinite_width", lambda heads, width: f"H = {heads}, n = {width}", **call)


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
    return _page("attention_erm", lambda setting, dimension, done: f"{setting}: d = {dimension}, {done} runs", **call)


@experiment.command("generalization-gap")
@_options(
    _RESUME, _OUT,
    smoke="T = 10 and 27 networks, within two minutes on two cores",
    small="T = 12 and 48 networks, half an hour",
    paper="T = 20, m = 8192, 11 functions in each of 20 classes, meant for a GPU",
)  # fmt: skip
def generalization_gap(**call: Any) -> int:
    """Lintilhac & Shaikh 2026, Section 2.1: how does the generalization gap grow with degree and sparsity?

    Two-layer transformers learn random sparse targets until the training loss is 0.02, all of them as one stack. The
    gap is exact, over all 2^T inputs; networks that do not reach that loss stay in the table.
    """
    pace = Pace()
    return _folder(
        "generalization_gap",
        lambda epoch, most, going: f"epoch {epoch:,} of {most:,}{pace(epoch, most)}; {going} networks go on", **call,
    )  # fmt: skip


@experiment.command("learner-grid")
@_options(
    _RESUME, _OUT,
    smoke="T = 10, within two minutes",
    paper="T = 20, m = 8192, 3 functions in each of 20 classes, half an hour on a processor",
)  # fmt: skip
def learner_grid(**call: Any) -> int:
    """Lintilhac & Shaikh 2026, Section 2: for which classes can a learner certify something from 8192 samples?

    Networks of the construction's shape learn random sparse targets from random weights; certified values with the
    starts that failed, beside the true risk, the best constant and Theorem 2 as printed.
    """
    return _folder("learner_grid", lambda what, done: f"{what}: {done} functions done", **call)


@experiment.command("domination")
@_options(
    _RESUME, _OUT,
    smoke="T = 10, within three minutes on two cores",
    small="T = 12 on a processor, half an hour",
    paper="T = 20 and the paper's grid, meant for a GPU",
)  # fmt: skip
def domination(**call: Any) -> int:
    """Lintilhac & Shaikh 2026, Section 2.2: are learned networks flatter and smaller than the construction?

    Norm, trace of the loss's Hessian and expected loss under noise of learned networks beside those of the construction
    for the same function and inputs.
    """
    return _folder("domination", lambda what, done: f"{what}: {done:,}", **call)


@experiment.command("perturbation")
@_options(
    _RESUME, _OUT,
    smoke="a few classes at short lengths, within a minute",
    small="the paper's classes at T = 20 with fewer inputs and sizes of noise, a quarter of an hour on a processor",
    paper="the paper's grid of degree, sparsity, length and noise, 10 functions a class, meant for a GPU",
)  # fmt: skip
def perturbation(**call: Any) -> int:
    """Lintilhac & Shaikh 2026, Section 2.3: by how much does noise change the construction's sharpness?

    The trace of the loss's Hessian under noise of standard deviation σ against that without noise: quantiles with
    confidence intervals, beside the analytic allowance and the average along the heat flow.
    """
    return _folder("perturbation", lambda where, done: f"{where}: {done:,} networks", **call)


@experiment.command("interpretability")
@_options(
    _RESUME, _OUT,
    smoke="T = 10, within two minutes on two cores",
    small="T = 16 on a processor, a quarter of an hour",
    paper="T = 20 and more functions, meant for a GPU",
)  # fmt: skip
def interpretability(**call: Any) -> int:
    """Lintilhac & Shaikh 2026, Section 2.4: do rows of learned attention show the components of the target?

    A small network with a linear read-out is trained; its attention rows are scored against the target's components
    beside a null distribution, and the learned function of one variable is followed through its oscillations.
    """
    return _folder("interpretability", lambda what, done: f"{what}: {done:,}", **call)


@experiment.command("property-testing")
@_options(
    _RESUME, _OUT,
    smoke="T = 10, within a minute",
    paper="T = 20, 8 functions in each of 20 classes, three minutes on a processor",
)  # fmt: skip
def property_testing(**call: Any) -> int:
    """Lintilhac & Shaikh 2026, Appendix H: at which degree and sparsity do testers first accept?

    The published testers beside exact ones on random sparse targets: the first level that each accepts, with its spread
    and its queries.
    """
    return _folder("property_testing", lambda what, done: f"{what}: {done:,}", **call)


@experiment.command("chain-of-thought")
@_options(
    _RESUME, _OUT,
    smoke="T = 6, 7 and 8, within three minutes on two cores",
    small="T = 8 to 12 on a processor, a quarter of an hour",
    paper="lengths up to T = 20, meant for a GPU",
)  # fmt: skip
def chain_of_thought(**call: Any) -> int:
    """Lintilhac & Shaikh 2026, Section 3: parity step by step against one pass.

    An iteration head with cyclic positions, constructed and trained, against the same network that has to say the
    parity of all bits at once.
    """
    return _folder("chain_of_thought", lambda what, done: f"{what}: {done:,}", **call)


@experiment.command("norm-bounds")
@_options(
    _RESUME, _OUT,
    smoke="4 million samples and 24 heads, within a minute",
    standard="100 million samples and 90 heads, five minutes on a processor",
    large="a billion samples and 432 heads, meant for a GPU",
)  # fmt: skip
def norm_bounds(**call: Any) -> int:
    """Trauger & Tewari 2024, Sakai & Imaizumi 2026: does a norm-based bound say something, and do norms order gaps?

    One attention head is trained within caps of one on streamed samples, until the bound of its class is below the
    range of the loss. Heads with other caps, lengths and shares of turned labels, trained on few samples as stacks, are
    ordered by norms, spectra and exponents of their weights, beside their measured gaps.
    """
    paces: defaultdict[str, Pace] = defaultdict(Pace)
    return _folder(
        "norm_bounds", lambda what, done, most: f"{what}: {done:,} of {most:,}{paces[what](done, most)}", **call
    )


def _folder(name: str, said: Callable[..., str], *, out: Path | None, resume: bool, **call: Any) -> int:
    """Run an experiment that keeps what it has done, telling what it is at, and print it."""
    from boundaudit.reports.experiment.running import run_experiment

    try:
        return _run(name, partial(run_experiment, name, out=out, resume=resume), said, **call)
    except KeyboardInterrupt:
        again = f"; the same call with --out {out} --resume goes on" if out else ""
        complain(f"interrupted{again}")
        return 3


def _page(name: str, said: Callable[..., str], *, out: Path | None, **call: Any) -> int:
    """Run an experiment, telling what it is at, print it, and write its page."""
    check_page(out)

    def run(profile: str, **given: Any) -> dict[str, Any]:
        found: dict[str, Any] = getattr(_module(name), name)(profile, **given)
        return found

    return _run(name, run, said, page=out, **call)


def _module(name: str) -> ModuleType:
    return import_module(f"boundaudit.reports.experiment.{name}")


def _run(
    name: str, run: Callable[..., dict[str, Any]], said: Callable[..., str], *, profile: str, seed: int, device: str,
    as_json: bool, page: Path | None = None,
) -> int:  # fmt: skip
    from boundaudit.checks.run.runner import resolve_device

    where = resolve_device(device)
    import torch

    torch.set_num_threads(1)  # as in the workers of a run: more of them cost small tensors more than they save
    with working("drawing data") as update:
        found = run(profile, seed=seed, device=where, told=lambda *at: update(said(*at)))
    return tell(_module(name).shown(found), found, page, as_json=as_json)
