"""`boundaudit bound`: a bound as a number with its parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from boundaudit import InputError
from boundaudit.reports.cli.options import COUNT, DELTA, FINITE, PATH, SEED, WHOLE, json_option, option
from boundaudit.reports.cli.output import answer, console, leaves, show_facts, table, tell_written
from boundaudit.reports.cli.progress import working
from boundaudit.reports.wording import brief

if TYPE_CHECKING:
    from boundaudit.reports.bound.request import Request


DRAWS = click.IntRange(max=10**6)
"""Networks of a certificate, each of which is run."""


@click.group()
def bound() -> None:
    """A bound as a number with its parts, what it assumes, and whether it says anything."""


def _class_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that name a class or a target, a sample, and what was measured."""
    for each in reversed(_CLASS_OPTIONS):
        command = each(command)
    return command


_CLASS_OPTIONS = (
    option("--length", type=COUNT, metavar="T", help="Bits of the input."),
    option("--degree", type=COUNT, metavar="D", help="Positions in each component."),
    option("--sparsity", type=COUNT, metavar="ω", help="Number of components."),
    option("--target", type=PATH, metavar="FILE", help="A target, for all three."),
    option("--samples", type=WHOLE, required=True, metavar="m", help="Size of the sample, such as 1e6."),
    DELTA,
    option("--subgaussian", type=FINITE, metavar="S", help="Sub-Gaussian constant of the loss."),
    option("--mlp", default="steep", help="The trapezoid of the repaired budgets."),
    option("--trace", type=FINITE, help="Measured trace of the loss Hessian on the sample."),
    option("--norm-squared", type=FINITE, help="Measured squared norm of the parameters."),
    option("--parameters", type=COUNT, help="Number of parameters."),
    option("--risk", type=FINITE, help="Measured loss on the sample without noise."),
    option(
        "--measured", type=PATH, metavar="FILE",
        help="JSON with trace, norm_squared, parameters, risk; flags come first.",
    ),
)  # fmt: skip


def _request(options: dict[str, Any]) -> Request:
    """Take what `_CLASS_OPTIONS` gave out of a command's options."""
    from boundaudit.reports.bound.request import Measured, request

    names = ("trace", "norm_squared", "parameters", "risk")
    measured = Measured.read(options.pop("measured"), Measured(**{name: options.pop(name) for name in names}))
    return request(measured=measured, **options)


_EXAMPLE = """\b
Example:
  boundaudit bound sharpness --length 20 --degree 2 --sparsity 10 --samples 1e6 --subgaussian 0.01
"""


@bound.command(epilog=_EXAMPLE)
@_class_options
@option(
    "--form",
    help="published, repaired, per-group, decoupled-prior (its variance apart from the posterior's) or clipped-kl. "
    "[default: repaired]",
)  # fmt: skip
@option("--budgets", help="published or repaired constants. [default: as the form is named]")
@option("--perturbation", default="none", metavar="P", help="none, analytic, derived or a number.")
@option("--sigma", type=FINITE, metavar="σ", help="The noise. [default: the best]")
@option("--clip", type=FINITE, metavar="M", help="Where clipped-kl clips the loss. [default: 1]")
@option("--noisy-risk", type=FINITE, metavar="R", help="Measured mean of min(loss, M) at --sigma.")
@option("--noisy-draws", type=COUNT, metavar="N", help="It is a mean over N independent draws.")
@option("--noisy-delta", type=FINITE, help="Part of δ for that mean. [default: half]")
@json_option
def sharpness(
    subgaussian: float | None, form: str | None, budgets: str | None, perturbation: str, sigma: float | None,
    clip: float | None, noisy_risk: float | None, noisy_draws: int | None, noisy_delta: float | None, as_json: bool,
    **options: Any,
) -> int:  # fmt: skip
    """Theorem 2's bound for a class of targets, from sharpness and norm.

    Without --sigma the best σ is taken; it depends on no sample, so nothing is paid for it. The perturbation P enters
    as σ²(G + P); derived puts our bound on the loss under noise, clipped at 1, in place of E + σ²(G + P).

    For a model of your own give --trace, --norm-squared, --parameters and --risk; no class is needed. Such a bound
    rests on a Taylor step and is not called informative. With --noisy-risk the loss under noise is measured instead:
    give --sigma, --noisy-draws, --norm-squared and --parameters beside it.
    """
    asked = _request(options)
    if noisy_risk is not None:
        from boundaudit.reports.bound.own_model import own_model_record

        _check_noisy(form, subgaussian, budgets, perturbation)
        found = own_model_record(
            asked, risk=noisy_risk, draws=noisy_draws, draws_delta=noisy_delta, sigma=sigma,
            clip=1.0 if clip is None else clip,
        )  # fmt: skip
        return show_record(found, as_json=as_json)
    for name, value in (("--noisy-draws", noisy_draws), ("--noisy-delta", noisy_delta)):
        if value is not None:
            raise InputError(name, "--noisy-risk beside it", "none", "give --noisy-risk, or leave it out")
    from boundaudit.reports.bound.sharpness import sharpness_bound

    bounded = sharpness_bound(
        asked, form or "repaired", subgaussian=subgaussian, clip=clip, perturbation=perturbation, sigma=sigma,
        budgets=budgets,
    )  # fmt: skip
    return show_record(bounded.to_json(), as_json=as_json)


def _check_noisy(form: str | None, subgaussian: float | None, budgets: str | None, perturbation: str) -> None:
    """Reject what a measured loss under noise has no use for."""
    if form not in (None, "clipped-kl"):
        raise InputError("--form", "clipped-kl with --noisy-risk", form, "leave --form out: draws bound clipped losses")
    given = {"--subgaussian": subgaussian, "--budgets": budgets}
    if perturbation != "none":
        given["--perturbation"] = perturbation
    for name, value in given.items():
        if value is not None:
            raise InputError(name, "none with --noisy-risk", value, f"leave {name} out: nothing is taken from it")


@bound.command()
@_class_options
@option("--perturbation", default="none", metavar="P", help="none, analytic, derived or a number.")
@option("--clip", type=FINITE, default=1.0, metavar="M", help="Where losses are clipped.")
@option("--draws", type=DRAWS, show_default="enough", help="Noisy networks of the certificate; 0: none.")
@option("--seed", type=SEED, default=0, help="Seed of the certificate's sample and draws.")
@option("--out", type=PATH, metavar="FILE.html", help="Write a page.")
@json_option
def compare(draws: int | None, seed: int, out: Path | None, as_json: bool, **options: Any) -> int:
    """All forms side by side, with what each takes for granted and the smallest sample at which it says something.

    The page that --out writes adds curves against m and against σ. Forms with a sub-Gaussian constant need
    --subgaussian and are left out without it; S as measured is √(E S(θ)²) around the construction. "informs if" marks a
    value that stands only where the notes hold for the network that was learned.
    """
    from boundaudit.reports.bound.compare import compare as computed
    from boundaudit.reports.cli.pages import check_page

    check_page(out)
    given = {name: options.pop(name) for name in ("subgaussian", "perturbation", "clip")}
    asked = _request(options)
    found = computed(asked, **given, draws=draws, seed=seed)
    if out is not None:
        from boundaudit.reports.bound.compare import curves
        from boundaudit.reports.figures.studies import Figure
        from boundaudit.reports.formats.files import write_text
        from boundaudit.reports.formats.html import rendered

        study = Figure(label="bounds", title="Bounds", panels=curves(asked, **given))
        write_text(out, rendered("bounds.html.j2", found=found, study=study))
    answer(found, partial(_compared, found), as_json=as_json)
    if out is not None and not as_json:
        tell_written(out)
    return 0


def _compared(found: dict[str, Any]) -> None:
    """The table, what the comparison comes to, and the notes that its last column names."""
    titles = ("form", "value", "baseline", "says", "informs from", "KL", "S measured", "notes")
    rows = (
        (
            row["form"], brief(row["value"]), brief(row["constant_baseline"]), _says(row),
            brief(row["informative_from"]), brief(row["kl"]), brief(row.get("subgaussian_measured")),
            " ".join(str(n) for n, text in enumerate(found["notes"], 1) if text in (row["bounds"], *row["assumes"])),
        )
        for row in found["rows"]
    )  # fmt: skip
    out = console()
    out.print(table(titles, rows, right=(1, 2, 4, 5, 6), whole=range(8)))
    for sentence in found["says"]:
        out.print(sentence)
    width = len(str(len(found["notes"])))
    show_facts((f"{n:>{width}}", text) for n, text in enumerate(found["notes"], 1))


def _says(row: dict[str, Any]) -> str:
    """Whether a row informs; if all that it assumes holds, where that is unchecked."""
    return "vacuous" if row["vacuous"] else "informs" if row["informative"] else "informs if"


@bound.command()
@option("--length", type=COUNT, default=20, metavar="T", help="Bits of the input, at most 20.")
@option("--degrees", default="1,2,3,4,5", help="Values of D.")
@option("--sparsities", default="1,7,14,20", help="Values of ω.")
@option("--samples", default="8192,1e5,1e6", help="Values of m.")
@option("--subgaussian", type=FINITE, default=0.01, help="S of the published form.")
@DELTA
@option("--draws", type=DRAWS, default=4000, help="Noisy networks of each certificate.")
@option("--seed", type=SEED, default=0, help="Seed of components, samples and draws.")
@json_option
def grid(length: int, degrees: str, sparsities: str, samples: str, as_json: bool, **asked: Any) -> int:
    """The best certified bound class by class, beside the published one and the best constant prediction.

    Certified is E min(loss, 1) of the noisy construction for a random target of the class, without a sub-Gaussian
    constant: an oracle, as it knows the target. Published is Theorem 2's with the constant given. Beside each stand the
    baseline, the risk of the best constant prediction, and a sample from which the bound is below it: for the certified
    one the smallest found, each tried on its own at the whole δ, so that no one δ holds for the search.
    """
    from boundaudit.reports.bound.grid import grid_rows

    lists = {"--degrees": degrees, "--sparsities": sparsities, "--samples": samples}
    of_degree, of_sparsity, sizes = (integers(name, text) for name, text in lists.items())
    most, found = len(of_degree) * len(of_sparsity) * len(sizes), []
    with working(f"row 1 of {most:,}") as update:
        for row in grid_rows(length, of_degree, of_sparsity, samples=sizes, **asked):
            found.append(row)
            update(f"row {min(len(found) + 1, most):,} of {most:,}")
    answer(found, partial(_in_a_grid, found), as_json=as_json)
    return 0


def _in_a_grid(rows: Sequence[Mapping[str, Any]]) -> None:
    shown = (
        (*(brief(row[name]) for _, name in _GRID_COLUMNS), "both vacuous" if row["both_vacuous"] else "")
        for row in rows
    )
    every = range(len(_GRID_COLUMNS) + 1)
    console().print(table([*(title for title, _ in _GRID_COLUMNS), ""], shown, right=every, whole=every))


_GRID_COLUMNS = (
    ("D", "degree"), ("ω", "sparsity"), ("m", "samples"),
    ("certified", "certified"), ("baseline", "clipped_baseline"), ("smallest found", "certified_informs_from"),
    ("published", "published"), ("baseline", "constant_baseline"), ("informs from", "published_informs_from"),
)  # fmt: skip


def integers(name: str, text: str) -> list[int]:
    """Numbers separated by commas, such as 8192,1e6."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = [math.nan]
    if not all(value >= 1 and value.is_integer() for value in numbers):
        raise InputError(name, "whole numbers of at least 1 separated by commas", text, "write such as 8192,1e6")
    return [int(value) for value in numbers]


_FORMS = """\b
Forms:
  mcallester, maurer, seeger, quadratic, catoni   losses in [0, 1]
  lambda                                          the same, for all λ in (0, 2) at once
  disintegrated, disintegrated-renyi              the same, for one network drawn from the posterior
  unexpected-bernstein, empirical-bernstein       the same, by the mean square or the variance on the sample
  subgaussian                                     losses with E exp(t(R - ℓ)) ≤ exp(t²S²/2)
  second-moment                                   losses that are at least 0, with E ℓ² ≤ v; v alone gives R ≤ √v
  chi-squared                                     losses with a variance of at most v in the prior's mean
"""


@bound.command("pac-bayes", epilog=_FORMS)
@option("--risk", type=FINITE, required=True, metavar="R", help="Gibbs risk on the sample.")
@option("--kl", type=FINITE, required=True, metavar="K", help="KL of posterior to prior, in nats; see below.")
@option("--samples", type=WHOLE, required=True, metavar="m", help="Size of the sample.")
@option("--delta", type=FINITE, default=0.05, help="Probability of failure, all together.")
@option("--form", default="maurer", help="See below.")
@option("--temperature", type=FINITE, metavar="C", help="Catoni's C, fixed in advance. [default: a grid]")
@option("--tradeoff", type=FINITE, metavar="λ", help="For lambda. [default: the best]")
@option("--order", type=FINITE, metavar="α", help="For disintegrated-renyi, fixed in advance.")
@option("--subgaussian", type=FINITE, metavar="S", help="For subgaussian.")
@option("--moment", type=FINITE, metavar="v", help="For second-moment: at least E ℓ².")
@option("--variance", type=FINITE, metavar="v", help="For chi-squared.")
@option("--sample-moment", type=FINITE, metavar="v", help="For unexpected-bernstein.")
@option("--sample-variance", type=FINITE, metavar="V", help="For empirical-bernstein: unbiased.")
@option("--rate", type=FINITE, metavar="λ", help="For forms with λ, fixed in advance. [default: a grid]")
@option("--variance-rate", type=FINITE, metavar="κ", help="For empirical-bernstein, with --rate.")
@option("--draws", type=COUNT, metavar="N", help="The risk is a mean over N posterior draws.")
@option("--draws-delta", type=FINITE, help="Part of δ for that mean. [default: half]")
@option("--choices", multiple=True, metavar="NAME=N", help="N values tried of what had to be fixed; repeatable.")
@json_option
def pac_bayes(
    risk: float, kl: float, samples: float, delta: float, form: str, draws: int | None, draws_delta: float | None,
    choices: tuple[str, ...], as_json: bool, **given: float | None,
) -> int:  # fmt: skip
    """A PAC-Bayes bound on the Gibbs risk of any posterior; the value is certified from above.

    With --draws the risk is a Monte-Carlo mean, which enters by its own confidence limit. With --choices, such as
    sigma-grid=40 or prior=7, δ is shared among all combinations. The ledger says what of δ went where.

    For disintegrated --kl is the logarithm of posterior over prior density at the drawn network, for
    disintegrated-renyi Rényi's divergence and for chi-squared the chi-squared divergence.
    """
    from boundaudit.numeric.pac_bayes import PacBayesSetting
    from boundaudit.reports.bound.pac_bayes import pac_bayes_record

    given["proxy"] = given.pop("subgaussian")
    setting = PacBayesSetting(
        risk=risk, kl=kl, samples=samples, delta=delta, form=form, draws=draws, draws_delta=draws_delta,
        parameters={name: value for name, value in given.items() if value is not None},
        choices=dict(_choice(text) for text in choices),
    )  # fmt: skip
    return show_record(pac_bayes_record(setting), as_json=as_json)


@bound.command("chain-of-thought")
@option("--length", type=COUNT, required=True, metavar="T", help="Bits of the input, and steps of the chain.")
@option("--samples", type=WHOLE, required=True, metavar="m", help="Prompts in the sample.")
@DELTA
@option(
    "--form", default="shared-variance",
    help="shared-variance (one for prior and posterior, as in Theorem 2), or without S: clipped, margin or derived.",
)  # fmt: skip
@option("--subgaussian", type=FINITE, metavar="S", help="Sub-Gaussian constant, for shared-variance.")
@option("--norm", default="published", help="published budgets, or those of steep or wide.")
@option("--error", type=FINITE, default=0.1, help="Error that the needed samples are for.")
@json_option
def chain_of_thought(length: int, as_json: bool, **asked: Any) -> int:
    """Theorems 7 and 8, repaired: error probabilities of a chain of T steps and of one pass.

    By what the sample is made of: m prompts with all steps of their chains (whole chains), as many of them as have m
    steps (equal labels), one step of each of m prompts (one step), or the parity of all bits of m prompts (one pass).
    A wrong step costs a squared loss of at least 1/4 (clipped), or needs noise that bridges what the construction
    leaves of 1/2 (margin; derived takes no Taylor step). With probability at least 1-δ over the sample; a coin
    reaches 1/2.
    """
    from boundaudit.reports.bound.chain_of_thought import chain_record

    return show_record(chain_record(length, **asked), as_json=as_json)


def _choice(text: str) -> tuple[str, int]:
    name, _, count = text.partition("=")
    if not name or not count.isdecimal():
        raise InputError("--choices", "NAME=N with a whole number N", text, "write such as sigma-grid=40")
    return name, int(count)


def show_record(found: dict[str, Any], *, as_json: bool) -> int:
    """Print a record, every value on a line of its own."""
    told = dict(found)
    if told.get("informative", False) is None:
        told["informative"] = "not known: what it assumes is unchecked"
        told.pop("vacuous", None)  # "no" would be read as a promise
    each = ((name, one) for name, value in leaves(told) for one in (value if isinstance(value, list) else [value]))
    lines = ((name, _entry(value)) for name, value in each if value is not None)
    answer(found, partial(show_facts, lines), as_json=as_json)
    return 0


def _entry(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_entry(part)}" for key, part in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return brief(value, 15) if isinstance(value, float) else str(value)
