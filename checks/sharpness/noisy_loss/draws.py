"""The loss under noise: over good draws, on average, and in a figure."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import evaluated
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.noisy_loss.passes import (
    BENT,
    BY_UNUSED,
    COUNT,
    CROSSED,
    FIRST_ORDER,
    LOGIT,
    RESIDUAL,
    SAMPLING,
    TOTAL,
    TURN,
    TURNED,
    UNUSED,
    UNUSED_SIZE,
    VALUE,
    VALUES,
    of_draws,
)
from boundaudit.checks.sharpness.noisy_loss.rows import NORMALISER, WITH_ROOTS, bend, cross, first, margin, unused
from boundaudit.checks.sharpness.noisy_loss.scalars import (
    FLAT,
    at_most,
    cauchy,
    claim,
    formula,
    mean,
    node,
    rms,
    samples,
    tail,
    together,
)
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.checks.sharpness.taylor.noisy import published
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.averages import a_av, e_av, n_av, q_av, v_av, x_av
from boundaudit.derivations.sharpness.bound.noisy import loss
from boundaudit.derivations.sharpness.bound.numbers import SIZES
from boundaudit.derivations.sharpness.gradients import G_U, G_U_SHARP
from boundaudit.derivations.sharpness.noisy_loss import BETA, FLICKER, LESS, MARGIN, MORE
from boundaudit.derivations.sharpness.parameters import t, u

Inputs = Literal["average", "sample"]
"""All inputs on average, or any sample of them."""

SAMPLED = (
    f"The left side is a mean over 128 draws, up to {SAMPLING:.0%}, and so are the axioms on means over noise: the "
    "whole is supported, by steps of which the checker accepts each."
)
"""Why a claim about means over draws is not proved."""


def sampled(name: str, latex: str, measure: Measure) -> Quantity:
    """A mean over draws that stands for one over noise."""
    return Quantity(name, measure, latex, rounding=SAMPLING, scale=1e-9, nonnegative=True)


def over_draws(part: str) -> Measure:
    """A mean over inputs and draws of one of their numbers."""
    rows = of_draws(part)
    return lambda points, device: np.array([row.mean() for row in rows(points, device)])


def moved_over(room: Callable[[Point], float]) -> Measure:
    """The mean over inputs and draws of how far an output moves over a margin, squared and at most one."""
    rows = of_draws("change")

    def measure(points: Sequence[Point], device: str) -> Array:
        found = zip(rows(points, device), points, strict=True)
        return np.array([np.minimum((row / room(point)) ** 2, 1).mean() for row, point in found])

    return measure


BAD = sampled("share of draws that are not good", r"\beta", over_draws("bad"))
ALL_PARTS = (FIRST_ORDER, BY_UNUSED, BENT, CROSSED)


def mean_square(*families: Family) -> sp.Expr:
    """Of a sum, over inputs and draws."""
    return mean(sum(family[t] for family in families) ** 2, COUNT)


def root_mean_square(family: Family) -> sp.Expr:
    """Over inputs and draws."""
    return rms(family[t], COUNT)


_axiom = functools.partial(claim, role="axiom", domain=FLAT, expected="supported")
_LABEL = "sharpness.noisy_loss.draws"
_TILT = sp.exp(TURN.atom)

along = _axiom(
    label=f"{_LABEL}.along",
    statement="At every good draw weights stay below e^Ω a along the way from a to ã. So unused rows add at most C e^Ω "
    "times how far they may move, the softmax bends by at most C/2 e^Ω Σ a (Δl - c)², by the mean value theorem, and "
    "values and attention together add at most e^Ω times the roots of Σ a Δv² and Σ a (Δl - c)².",
    cases=(
        Case("unused", left=root_mean_square(BY_UNUSED), right=TOTAL.atom * _TILT * root_mean_square(UNUSED_SIZE)),
        Case("bend", left=root_mean_square(BENT), right=TOTAL.atom / 2 * _TILT * root_mean_square(TURNED)),
        Case("cross", left=root_mean_square(CROSSED), right=_TILT * sp.sqrt(mean(VALUES[t] * TURNED[t], COUNT))),
    ),
)
given = _axiom(
    label=f"{_LABEL}.given",
    statement="Over noise a mean is at most the largest of those given what comes before. Given layer 1 the blocks of "
    "the first-order part are uncorrelated; the mean squares of averages under attention are at most those of fourth "
    "moments of rows.",
    cases=(
        *(
            Case(f"first,{case.case}", left=root_mean_square(FIRST_ORDER), right=case.left)
            for case in first.members
        ),
        Case("unused", left=root_mean_square(UNUSED_SIZE), right=UNUSED),
        Case("logits", left=root_mean_square(TURNED), right=LOGIT.atom**2),
        Case("values", left=root_mean_square(VALUES), right=VALUE.atom**2),
    ),
)  # fmt: skip
rare = _axiom(
    label=f"{_LABEL}.rare",
    statement="A draw is bad with probability at most the sum of those with which one of its variables exceeds κ "
    "standard deviations, or a length of k of them √k + κ: each is at most e^(-κ²/2).",
    left=BAD, right=lambda: theory.BAD, rests_on=(tail.label,),
)  # fmt: skip
CHANGE = {
    "average": node("bound on the change, average", r"\Delta", formula(lambda: theory.change(theory.AVERAGE_INPUT))),
    "sample": node("bound on the change, sample", r"\Delta", formula(lambda: theory.change(theory.EVERY_INPUT))),
}
"""Δ, short for the sum of the bounds on the four parts."""


def _bounded(inputs: Inputs) -> list[Claim]:
    """The four parts with their bounds."""
    return [next(member for member in first.members if member.case == inputs), unused, bend, cross]


short = _axiom(
    label=f"{_LABEL}.short", relation="=",
    statement="Δ is the sum of the bounds on the four parts, written out in T, D, u, ω, σ, κ, C and the logits.",
    cases=tuple(
        Case(name, left=sp.Add(*(one.right for one in _bounded(name)), evaluate=False), right=CHANGE[name])
        for name in ("average", "sample")
    ),
)  # fmt: skip

# --- the steps from a sum of parts to their bounds ------------------------------------------------


def pairs(*families: Family) -> tuple[Any, ...]:
    """Cauchy and Schwarz for every two of them."""
    found = itertools.combinations(families, 2)
    return NORMALISER, *(Instance(cauchy.label, {n_av: COUNT, a_av: one, q_av: other}) for one, other in found)


def _holds(less: Any, more: Any) -> Instance:
    return Instance(at_most.label, {v_av: less, x_av: more})


def _weighted(by: Any, less: Any, more: Any) -> Instance:
    return Instance("sharpness.averages.weighted", {e_av: by, v_av: less, x_av: more})


def replaced(
    inputs: Inputs, case: str, whole: Callable[[Sequence[sp.Expr], sp.Expr], sp.Expr], others: dict[Any, Any]
) -> list[Step]:
    """The steps from root mean squares of parts over draws to their bounds."""
    bounded = _bounded(inputs)
    over = [root_mean_square(part) for part in ALL_PARTS]
    before, after = [one.left for one in bounded], [one.right for one in bounded]

    def grows(less: Sequence[Any], more: Sequence[Any], kind: str = "", **whole: Any) -> Instance:
        sizes = dict(zip((*LESS[:5], *MORE[:5]), (*less, *more), strict=True))
        return Instance(f"{together.label}[{case}{kind}]", {**sizes, **others, **whole})

    values, turned = root_mean_square(VALUES), root_mean_square(TURNED)
    product = mean(VALUES[t] * TURNED[t], COUNT)
    layer_1 = (
        NORMALISER, rare.label, f"{given.label}[first,{inputs}]",
        f"{along.label}[unused]", f"{given.label}[unused]",
        _weighted(TOTAL.atom * _TILT, root_mean_square(UNUSED_SIZE), UNUSED.atom),
        f"{along.label}[bend]", f"{given.label}[logits]", _weighted(TOTAL.atom / 2 * _TILT, turned, LOGIT.atom**2),
        f"{along.label}[cross]", f"{given.label}[values]",
        Instance(cauchy.label, {n_av: COUNT, a_av: VALUES, q_av: TURNED}),
        _weighted(values, turned, LOGIT.atom**2), _weighted(LOGIT.atom**2, values, VALUE.atom**2),
        Instance("sharpness.averages.root", {e_av: sp.sqrt(product), x_av: (VALUE.atom * LOGIT.atom) ** 2}),
        _weighted(_TILT, sp.sqrt(product), VALUE.atom * LOGIT.atom),
        grows((*over, BAD.atom), (*before, theory.BAD)),
    )  # fmt: skip
    signs = (_holds(0, size) for size in (*before, theory.BAD, *others.values()))
    closed = (
        *WITH_ROOTS, *signs, _holds(theory.BAD, theory.BAD), *(one.label for one in bounded),
        f"{short.label}[{inputs}]",
        grows((*before, theory.BAD), (*after, theory.BAD), ",summed", d_nl=CHANGE[inputs].atom),
    )  # fmt: skip
    return [
        Step(whole(before, theory.BAD), "given layer 1", "along the way, moments and the union bound", layer_1),
        Step(whole([CHANGE[inputs].atom], theory.BAD), "each part by its bound", "", closed),
    ]


# --- the loss under noise of a finite size, clipped at one, with no allowance P -------------------

_ROOT = root_mean_square(RESIDUAL)
_WHOLE = mean_square(RESIDUAL, *ALL_PARTS)
_CLIPPED = sampled(
    "mean over inputs and noise of min(loss, 1)", r"\mathbb{E}\min(L(\Theta + \varepsilon), 1)", over_draws("clipped")
)

change = claim(
    label="sharpness.noisy_loss.change", role="axiom", expected="supported",
    statement="What noise adds to an output is the sum of four parts, so that the mean clipped loss is at most the "
    "mean square on good draws of the error without noise and of the four, and the share of the others.",
    domain=FLAT, left=_CLIPPED, right=_WHOLE + BAD.atom,
)  # fmt: skip


def _case(inputs: Inputs, statement: str) -> Case:
    """The claim over some inputs: one part after the other by its bound."""

    def whole(parts: Sequence[sp.Expr], bad: sp.Expr) -> sp.Expr:
        return theory.all_parts((_ROOT, *parts), bad)

    measured = [root_mean_square(part) for part in ALL_PARTS]
    last = replaced(inputs, "loss", whole, {LESS[5]: _ROOT})
    chain = proof(
        f"sharpness.noisy_loss.clipped.{inputs}", f"The clipped loss under noise, {inputs}", FLAT,
        Step(_CLIPPED, "mean loss, clipped at one"),
        Step(_WHOLE + BAD.atom, "error and change on good draws", "four parts", (NORMALISER, change.label)),
        Step(whole(measured, BAD.atom), "error and four parts", "Cauchy and Schwarz",
             pairs(RESIDUAL, *ALL_PARTS)),
        *last, samples=samples(8),
    )  # fmt: skip
    return Case(inputs, statement=statement, right=last[-1].value, derivation=chain)


_SAYS = (
    "Under noise of any size σ the mean of min(loss, 1) of the construction, over {0} and draws, is at most "
    "(√L + Δ)² + ((T+1)(T+4D+11)+1) e^(-κ²/2) for every κ up to 8 at which good draws leave active rows on their "
    "plateaus. L is the mean loss there without noise. Δ = σ √(C² {1}/u² + …) + … is a closed form of first and "
    "second order in σ, in T, D, ω, C = Σ c and the logits of layer 2. For sets of one size D, T ≥ 4 and any positive "
    "coefficients."
)

clipped = claim(
    label="sharpness.noisy_loss.clipped", expected="supported", role="improvement",
    statement="Under noise of any size σ the mean of min(loss, 1) of the construction, over all inputs and draws, is "
    "at most (√L + Δ)² + ((T+1)(T+4D+11)+1) e^(-κ²/2). L is the mean loss without noise, and Δ = σ √(C² "
    "(20D³+52D²+8D)/u² + …) + … is a closed form of first and second order in σ. κ is at most 8 and so small that good "
    "draws leave active rows on their plateaus. For sets of one size D, T ≥ 4 and any positive coefficients, C their "
    "sum.",
    left=_CLIPPED, domain=FLAT, rests_on=(margin.label,),
    limitations=(
        SAMPLED,
        "Nothing is said where good draws may leave plateaus. What the far tail adds to the unclipped loss is open.",
    ),
    cases=(
        _case("average", _SAYS.format("all inputs", "(20D³+52D²+8D)")),
        _case("sample", _SAYS.format("any sample of inputs", "64D²(D+1)")),
    ),
)  # fmt: skip


# --- measured, as printed, and as proved ----------------------------------------------------------

_DRAWN = (1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 0.002265676, 5e-3, 1e-2)
_SIGMA = np.union1d(np.geomspace(1.2e-6, 2e-2, 50), _DRAWN)
_KAPPA = np.linspace(3.5, 8, 91)
_NAMES = {1: "steep", 2: "wide"}


def _printed(bound: Callable[[], sp.Expr], width: int) -> Array:
    values = evaluated(lambda: (sigma**2 * bound()).subs({**SIZES, u: width}))
    return values([{"sigma": size} for size in _SIGMA], "cpu")


@functools.cache
def proved(width: int) -> Array:
    """The proved bound on E min(L, 1) with the best κ at each σ of the figure; 1 where none is known."""
    grid = [{"sigma": size, "kappa_nl": deviations} for size in _SIGMA for deviations in _KAPPA]
    bound = evaluated(lambda: loss(width, "average"))(grid, "cpu")
    room = evaluated(lambda: (MARGIN - BETA - FLICKER).subs({**SIZES, u: width}))(grid, "cpu")
    least: Array = np.where(room >= 0, bound, 1).clip(max=1).reshape(len(_SIGMA), -1).min(1)
    return least


def _measured(width: int, pairs: int) -> Series:
    found = [published(width, size, pairs).mean(1) for size in _DRAWN]
    low, middle, high = (list(ends) for ends in zip(*found, strict=True))
    return Series("measured", _DRAWN, middle, low, high, drawn="points")


def _panel(width: int, setting: Setting) -> Panel:
    curves = {
        "σ² G_u, printed with P = 0": _printed(lambda: G_U, width),
        "σ² G, sharp bound on |∇f|²": _printed(lambda: G_U_SHARP, width),
        "proved": proved(width),
    }
    lines = [Series(name, _SIGMA.tolist(), values.tolist()) for name, values in curves.items()]
    points = _measured(width, 256 if setting.profile == "smoke" else 4096)
    return Panel(_NAMES[width], "standard deviation σ", "mean of min(loss, 1)", [points, *lines], log="xy")


study = Study(
    label="sharpness.noisy_loss.study",
    title="The loss under noise at T = 20, D = 2, ω = 10: as printed, and as proved",
    caption="The mean over all inputs and draws of min(loss, 1), with intervals that miss it once in a million. Below "
    "σ = 10⁻⁴ the loss without noise is nearly all of it, and no σ² G bounds that; the proved bound holds throughout, "
    "and says nothing where it is 1.",
    claims=("sharpness.noisy_loss.clipped", "sharpness.taylor.noisy.printed"),
    compute=lambda setting: [_panel(width, setting) for width in _NAMES],
    paper=PAPER,
    place=("Theorem 2", "Theorem 17", "Appendix E"),
)
