"""Remark 4 and Appendices A and E: which sub-Gaussian constant, and at which parameters."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.abstract.laws import Random
from boundaudit.checks.language.abstract.space import Space
from boundaudit.checks.language.abstract.terms import E
from boundaudit.checks.language.claim import Case, Claim, Probability
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import evaluated
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import PAPER, STEEP, TRAPEZOIDS, WIDE
from boundaudit.derivations.pac_bayes.subgaussian import (
    BEYOND,
    KEARNS_SAUL_BY_ODDS,
    ON_RANGE,
    a,
    count,
    loss,
    p,
    reach,
    t,
)
from boundaudit.derivations.pac_bayes.symbols import M_c, delta
from boundaudit.derivations.sharpness import subgaussian as theorem
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.enumeration import Inputs
from boundaudit.numeric.pac_bayes.subgaussian import proxy
from boundaudit.numeric.sharpness import subgaussian as perturbed_measured
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))


def tiling(length: int) -> Target:
    """Disjoint pairs with equal coefficients of unit length."""
    half = length // 2
    return Target(length, tuple((2 * n + 1, 2 * n + 2) for n in range(half)), (half**-0.5,) * half)


# --- Remark 4: bounded, hence sub-Gaussian -----------------------------------------------------------


_ANY_LOSS = Space({t: Reals(tested_to=10), M_c: Reals(0, open_low=True, tested_to=4), loss: Random(Reals(0, M_c))})

bounded = claim(
    label="sharpness.subgaussian.bounded", role="printed", place=("Remark 4",), reading="certain", expected="proved",
    statement="A loss ℓ between 0 and M, with mean R, has sub-Gaussian constant at most M/2: ln E exp(t(ℓ-R)) is at "
    "most M²t²/8 for every t, for every law with finitely many values.",
    left=sp.log(E(sp.exp(t * (loss - E(loss))))), right=M_c**2 * t**2 / 8, domain=_ANY_LOSS,
    rests_on=("pac_bayes.subgaussian.hoeffding",), repairs=("sharpness.subgaussian.estimate",),
    limitations=(
        "Attained by a fair coin. Gaussian noise leaves no bound on the loss: for one at every θ it must be clipped.",
    ),
)  # fmt: skip

second_moment = claim(
    label="sharpness.subgaussian.second-moment", place=("Appendix A",), expected="proved",
    statement="A loss ℓ that is not negative has a squared sub-Gaussian constant of at most E ℓ² in its lower tail, at "
    "every parameter: E exp(-tℓ) is at most exp(t² E ℓ²/2 - tR) for t ≥ 0. The lower tail is all that the bound on the "
    "risk needs.",
    left=E(sp.exp(-t * loss)), right=sp.exp(t**2 * E(loss**2) / 2 - t * E(loss)),
    domain=Space({t: Reals(0, tested_to=10), loss: Random(Reals(0, tested_to=4))}),
    rests_on=("pac_bayes.subgaussian_pac_bayes.one-sided",), improves="sharpness.subgaussian.bounded",
    limitations=("Sharper than half the range where E ℓ² is below M²/4.",),
)  # fmt: skip

# --- the constant inside the bound --------------------------------------------------------------------

inside = claim(
    label="sharpness.subgaussian.inside", kind="Tight", place=("Theorem 2", "Appendix E"), expected="proved",
    statement="No sub-Gaussian constant common to all parameters is needed: each hypothesis may have its own constant "
    "S(θ) of the lower tail. With probability at least 1-δ, for all posteriors, the risk R and the loss r on m samples "
    "have E R ≤ E r + λ E S(θ)²/(2m) + (KL + ln(1/δ))/λ, because E_S E_π exp(λ(R-r) - λ²S(θ)²/(2m)) ≤ 1.",
    left=theorem.INSIDE, right=sp.Integer(1),
    domain=Domain({theorem.share: Reals(0, 1), theorem.spare: Reals(0), theorem.spare_other: Reals(0)}),
    equality=({"w_1sg": 1, "x_1sg": 0, "x_2sg": 0},),
    rests_on=("pac_bayes.subgaussian.lower-tail", "pac_bayes.change_of_measure.markov"),
    repairs=("sharpness.subgaussian.printed",),
    limitations=(
        "For two hypotheses, with the amounts by which ln E exp(λ(R-r)) over m samples stays below λ²S²/(2m); any "
        "posterior goes in the same way. The step to the bound is Markov's and Donsker and Varadhan's.",
    ),
)  # fmt: skip


# --- the rule by which the constant is estimated --------------------------------------------------

rule_claim = functools.partial(Claim, paper=PAPER, place=("Appendix A",))
_GENERAL = "pac_bayes.subgaussian."

_RANGES = Domain({a: Choices(rare=4, rarer=6, rarest=10), reach: Reals(1, 22)})

on_range = rule_claim(
    label="sharpness.subgaussian.range", role="printed", reading="plausible", expected="refuted",
    statement="The least S with E exp(t(ℓ-R)) ≤ exp(S²t²/2) on a range |t| ≤ t_max satisfies this for all t. For a "
    "loss that is one with probability p = 1/(1+exp(2a)) and else zero, a = 4, 6 or 10, and t_max from 1 to 22.",
    left=KEARNS_SAUL_BY_ODDS, right=ON_RANGE, domain=_RANGES, rests_on=(_GENERAL + "kearns-saul",),
    limitations=("The rule gives no range, and 2 ln((1-p)/p) lies beyond any fixed one for p small enough.",),
)  # fmt: skip

on_range_repaired = rule_claim(
    label="sharpness.subgaussian.range-repaired", expected="proved",
    statement="Take the least S² with E exp(t(ℓ-R)) ≤ exp(S²t²/2) on a range |t| ≤ t_max, or 2(max-R)/t_max if that is "
    "larger. It satisfies the inequality for all t. For a loss that is one with probability p = 1/(1+exp(2a)) and else "
    "zero, a = 4, 6 or 10, and t_max from 1 to 22.",
    left=KEARNS_SAUL_BY_ODDS, right=lambda: sp.Max(ON_RANGE, BEYOND), domain=_RANGES,
    rests_on=(_GENERAL + "tail", _GENERAL + "kearns-saul"), repairs=("sharpness.subgaussian.range",),
    limitations=("Both sides are values of S²; p < 1/2.",),
)  # fmt: skip


def _count_below(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    """How often the constant of a sample is below that of the loss, with p < 1/2."""
    generator = np.random.default_rng(seed)
    events = []
    for point in points:
        seen = generator.binomial(point["n_sg"], point["p_sg"], trials) / point["n_sg"]
        share = torch.tensor([point["p_sg"], *np.unique(seen)], dtype=torch.float64)
        values = torch.tensor([0.0, 1.0], dtype=torch.float64).expand(len(share), 2)
        true, *found = proxy(values, torch.stack([1 - share, share], -1)).value.tolist()
        events.append(sum(np.array(found)[np.unique(seen, return_inverse=True)[1]] < true * (1 - 1e-8)))
    return np.array(events, dtype=np.int64)


estimate = rule_claim(
    label="sharpness.subgaussian.estimate", role="printed", reading="plausible", expected="refuted",
    statement="The sub-Gaussian constant that is measured on 100 to 1000 losses is below that of the law they are "
    "drawn from with probability at most δ.",
    left=Probability(
        "probability that the constant of n losses is below that of the loss", _count_below,
        r"\mathbb{P}(\hat S_n < S)",
    ),
    right=delta,
    domain=Domain(
        {
            p: Reals(sp.Rational(1, 10000), sp.Rational(2, 5)),
            count: Integers(100, 1000),
            delta: Reals(sp.Rational(1, 50), sp.Rational(1, 4)),
        }
    ),
    limitations=(
        "The rule has no confidence level, and its use in a bound supposes one. The losses here are 0 and 1.",
    ),
)  # fmt: skip


# --- the constant at constructions with noise -----------------------------------------------------

perturbed_claim = functools.partial(Claim, paper=PAPER)


_INPUTS = 2**8
"""Random inputs, whose law stands for that of all 2²⁰: rare large losses are missed."""


@functools.lru_cache(maxsize=64)
def _beyond(mlp: Trapezoid, size: float, draws: int, seed: int, device: str) -> int:
    """In how many draws the constant of a perturbed construction of twenty bits exceeds 0.01."""
    batch = TargetBatch.stack([tiling(20)], device=device)
    bits = next(Inputs(20, "random", _INPUTS, seed=seed).batches(_INPUTS, device=device))
    parts = perturbed_measured.perturbed_losses(build(batch, mlp=mlp), batch, bits, size, draws, seed)
    return sum(int(perturbed_measured.exceeds(part, float(theorem.CLAIMED)).sum()) for part in parts)


def _count_beyond(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    sizes = evaluated(theorem.optimal_sigma)(points, device)
    events = [
        _beyond(TRAPEZOIDS[point["u"]], float(size), trials, seed, device)
        for point, size in zip(points, sizes, strict=True)
    ]
    return np.array(events, dtype=np.int64)


_EXAMPLE: dict[Any, Choices] = {T: Choices(example=20), D: Choices(pairs=2), omega: Choices(tiling=10)}
_SAMPLED = "Random inputs stand for all 2²⁰: rare large losses are missed, and with them a part of the constant."


def _at_draws(trapezoid: Choices, rare: int, expected: str) -> dict[str, Any]:
    """The constant at draws of the posterior around one construction."""
    return {
        "statement": "Networks drawn around the construction, at the σ that is best in the bound for S = 0.01 and a "
        f"million samples, have a sub-Gaussian constant above 0.01 with probability at most 1/{rare}. For ten disjoint "
        "pairs of twenty bits with equal coefficients.",
        "left": Probability(
            "probability that the two-sided constant at θ* + σz exceeds 0.01", _count_beyond,
            r"\mathbb{P}(S(\theta^* + \sigma z) > 0.01)",
        ),
        "right": sp.Rational(1, rare),
        "domain": Domain({**_EXAMPLE, u: trapezoid}),
        "expected": expected,
        "limitations": (
            _SAMPLED,
            "No constant can hold at every draw: the noise has full support, and the loss at one draw or another is as "
            "large as one likes. The text measures it at the trained parameters.",
        ),
    }  # fmt: skip


printed = perturbed_claim(
    label="sharpness.subgaussian.printed", role="printed", place=("Theorem 2", "Appendix A", "Appendix E"),
    reading="plausible",
    statement="The sub-Gaussian constant 0.01, measured at trained parameters, holds at the parameters that the "
    "PAC-Bayes bound is about.",
    rests_on=("sharpness.subgaussian.range", "sharpness.subgaussian.estimate"),
    cases=(
        Case(
            "prior-centre",
            statement="The sub-Gaussian constant 0.01 holds at every parameter that the prior can draw, its centre "
            "θ = 0 among them, for ten disjoint pairs of twenty bits with coefficients 1/√10.",
            left=lambda: theorem.centre_cumulant(),
            right=theorem.CLAIMED**2 * t**2 / 2,
            domain=Domain({t: Reals(tested_to=4)}),
            expected="refuted",
            limitations=(
                "The usual theorem asks for the constant on the whole support of the prior; the text does not say for "
                "which parameters it is assumed.",
            ),
        ),
        Case("posterior,steep", **_at_draws(STEEP, 50, "refuted")),
        Case("posterior,wide", **_at_draws(WIDE, 12, "supported")),
    ),
)  # fmt: skip


# --- the figure ---------------------------------------------------------------------------------------

_SIGMAS = (5.7513e-5, 1e-4, 5e-4, 2.2657e-3, 5e-3)
_LEVELS = (0.1, 0.5, 0.9)


def _panel(mlp: Trapezoid, setting: Setting) -> Panel:
    inputs, draws = {"smoke": (128, 4), "deep": (2**14, 60)}.get(setting.profile, (2**11, 12))
    batch = TargetBatch.stack([tiling(20)], device=setting.device)
    bits = next(Inputs(20, "random", inputs, seed=setting.seed).batches(inputs, device=setting.device))
    found = []
    for n, size in enumerate(_SIGMAS):
        parts = perturbed_measured.perturbed_losses(build(batch, mlp=mlp), batch, bits, size, draws, setting.seed + n)
        found.append(perturbed_measured.constants(torch.cat(list(parts))))
    series = [_spread("both tails", [one.two_sided for one in found])]
    series.append(_spread("lower tail", [one.lower for one in found]))
    for name, values in (("both tails", [o.two_sided for o in found]), ("lower tail", [o.lower for o in found])):
        rms = [float(value.square().mean().sqrt()) for value in values]
        series.append(Series(f"{name}, root mean square", _SIGMAS, rms))
    series.append(Series("0.01", _SIGMAS, [float(theorem.CLAIMED)] * len(_SIGMAS)))
    title = f"{mlp} trapezoid, T = 20, D = 2, ω = 10; {draws} draws, {inputs} inputs"
    return Panel(title, "σ", "S(θ* + σz)", series, log="xy")


def _spread(name: str, values: Sequence[Tensor]) -> Series:
    level = torch.tensor(_LEVELS, dtype=torch.float64)
    low, middle, high = torch.stack([value.cpu().quantile(level) for value in values], 1).tolist()
    return Series(f"{name}, median and deciles", _SIGMAS, middle, low=low, high=high, drawn="points")


study = Study(
    label="sharpness.subgaussian.by-noise",
    title="The sub-Gaussian constant at perturbed parameters",
    caption="Median and first and ninth decile over draws of the noise, and the root mean square, which is what the "
    "bound with S(θ)² inside pays for. The constant of random inputs stands for that of all: rare large losses are "
    "missed. It shrinks with σ, so that one number cannot serve while σ is optimised.",
    claims=("sharpness.subgaussian.printed", "sharpness.subgaussian.second-moment"),
    compute=lambda setting: [_panel("steep", setting), _panel("wide", setting)],
    paper=PAPER,
    place=("Appendix A",),
)
