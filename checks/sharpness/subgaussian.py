"""Remark 4 and Appendices A and E: which sub-Gaussian constant, and at which parameters."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.claim import Claim, Measure, Probability, Quantity
from boundaudit.checks.domain import Choices, Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.floats import Array, evaluate_float
from boundaudit.checks.points import Point, columns
from boundaudit.checks.sharpness.targets import BOTH, PAPER, SPARSITY, TRAPEZOIDS, batch_of, by_trapezoid
from boundaudit.checks.study import Panel, Series, Setting, Study
from boundaudit.checks.translate import to_tree
from boundaudit.derivations.pac_bayes.subgaussian import (
    BEYOND,
    KEARNS_SAUL_BY_ODDS,
    ON_RANGE,
    a,
    count,
    p,
    reach,
    t,
)
from boundaudit.derivations.pac_bayes.symbols import delta, m, sigma
from boundaudit.derivations.sharpness import subgaussian as theorem
from boundaudit.derivations.sharpness.loss_hessian import n_d
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.enumeration import Inputs, bit_strings
from boundaudit.numeric.pac_bayes.subgaussian import Side, proxy
from boundaudit.numeric.sharpness import subgaussian as measured
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.oracle import evaluate, evaluate_batch
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER)
_RULE = ("Appendix A",)
_EXAMPLE = "The target of ten components on disjoint pairs of twenty bits with coefficients 1/√10; loss (network - f)²."
_GENERAL = "pac_bayes.subgaussian."


def _tiling(length: int) -> Target:
    """Disjoint pairs with equal coefficients of unit length."""
    half = length // 2
    return Target(length, tuple((2 * n + 1, 2 * n + 2) for n in range(half)), (half**-0.5,) * half)


# --- Remark 4: bounded, hence sub-Gaussian -----------------------------------------------------------


def _of_centre(points: Sequence[Point], device: str) -> Array:
    """The two-sided constant of f², over all inputs of each target."""

    def one(chosen: Sequence[Point]) -> Tensor:
        equal = [{**point, "c": [point["omega"] ** -0.5] * point["omega"]} for point in chosen]
        bits = bit_strings(chosen[0]["T"], 0, 2 ** chosen[0]["T"], device=device)
        return proxy(evaluate_batch(batch_of(equal, device), bits).square()).value

    values = np.empty(len(points))
    for length in {point["T"] for point in points}:
        index = [n for n, point in enumerate(points) if point["T"] == length]
        values[index] = one([points[n] for n in index]).cpu().numpy()
    return values


bounded = claim(
    label="sharpness.subgaussian.bounded",
    statement="A loss between 0 and M has sub-Gaussian constant at most M/2; here the loss f² of θ = 0 with "
    "coefficients 1/√ω, at most ω.",
    left=Quantity("sub-Gaussian constant of f²", _of_centre, r"S(0)", rounding=1e-8),
    relation="<=",
    right=theorem.LARGEST_CENTRE / 2,
    domain=Domain(
        {
            T: Integers(3, 5),
            D: Integers(1, T - 1),
            omega: Integers(2, T),
            sp.Symbol("S"): Subsets(omega, D, T),
        }
    ),
    place=("Remark 4",),
    reading="certain",
    rests_on=(_GENERAL + "hoeffding",),
    repairs=("sharpness.subgaussian.estimate",),
    limitations=(
        "Attained by one component, a fair coin; here two at least. Gaussian noise leaves no bound on the "
        "loss: for one at every θ it must be clipped.",
    ),
)

# --- the prior's centre ------------------------------------------------------------------------------

centre = claim(
    label="sharpness.subgaussian.centre",
    statement="The constant 0.01 holds at every parameter that the prior can draw, its centre θ = 0 among them.",
    left=theorem.CENTRE_CUMULANT,
    relation="<=",
    right=theorem.CLAIMED**2 * t**2 / 2,
    domain=Domain({t: Reals(tested_to=4)}),
    place=("Appendix E",),
    reading="plausible",
    expected="refuted",
    limitations=(
        _EXAMPLE,
        "The usual theorem asks for the constant on the whole support of the prior; the text does not say for which "
        "parameters it is assumed.",
    ),
)

centre_needed = claim(
    label="sharpness.subgaussian.centre-needed",
    statement="No constant below 2.013983 serves at θ = 0: at t = 1.47423 the square is needed.",
    left=2 * theorem.CENTRE_CUMULANT / t**2,
    relation=">=",
    right=theorem.PRIOR_CONSTANT**2,
    domain=Domain({t: Choices(attained=sp.Rational(147423, 10**5))}),
    place=("Appendix E",),
    expected="certified",
    limitations=(_EXAMPLE,),
)


def _enumerated(side: Side) -> Measure:
    """The same from all inputs of the example."""

    def measure(points: Sequence[Point], device: str) -> Array:
        squares = evaluate(_tiling(20), bit_strings(20, 0, 2**20, device=device)).square()
        values, counts = torch.unique(squares, return_counts=True)
        return np.full(len(points), float(proxy(values, counts.double() / 2**20, side=side).value))

    return measure


_ONE_POINT = Domain({n_d: Choices(none=0)})

enumerated = claim(
    label="sharpness.subgaussian.enumerated",
    statement="Over all 2²⁰ inputs the constant of the loss of θ = 0 is 2.01398321 for both tails, to nine digits.",
    left=Quantity("two-sided constant of f² over all inputs", _enumerated("both"), r"S(0)", rounding=5e-9),
    relation="=",
    right=sp.Rational(201398321, 10**8),
    domain=_ONE_POINT,
    place=("Appendix E",),
    rests_on=("sharpness.subgaussian.centre-needed",),
    limitations=(_EXAMPLE, "Branch and bound over all t."),
)

enumerated_lower = claim(
    label="sharpness.subgaussian.enumerated-lower",
    statement="For the lower tail it is the standard deviation of f², 1.6163230.",
    left=Quantity("one-sided constant of f² over all inputs", _enumerated("lower"), r"S_-(0)", rounding=5e-9),
    relation="=",
    right=sp.sqrt(theorem.CENTRE_VARIANCE),
    domain=_ONE_POINT,
    place=("Appendix E",),
    limitations=(_EXAMPLE, "Branch and bound over all t < 0."),
)

_PAPER_SIZES = Domain({T: Choices(example=20), D: Choices(example=2), omega: Choices(example=10)})

unconditional = claim(
    label="sharpness.subgaussian.unconditional",
    statement="With the constant of the prior's centre in place of 0.01 the truncated bound at a million samples is "
    "worth 8.2, not 0.239.",
    left=theorem.OPTIMUM_AT_PRIOR,
    relation=">=",
    right=sp.Rational(82, 10),
    domain=_PAPER_SIZES,
    place=("Appendix E",),
    expected="certified",
    rests_on=("sharpness.subgaussian.centre-needed",),
    limitations=("The two-sided constant; the printed norm and sharpness.",),
)

# --- the constant inside the bound --------------------------------------------------------------------

_LIKELY = Choices(rare=sp.Rational(1, 100), tenth=sp.Rational(1, 10), half=sp.Rational(1, 2))
_SAMPLE, _RATE = Integers(1, tested_to=200), Reals(0, tested_to=100)

each = claim(
    label="sharpness.subgaussian.each",
    statement="ln E exp(λ(R-r)) over m samples is at most λ²S²/(2m) with S² = p(1-p), for a loss of one with "
    "probability p ≤ 1/2.",
    left=theorem.MOMENT_OF_GAP,
    relation="<=",
    right=theorem.ALLOWED,
    domain=Domain({p: _LIKELY, m: _SAMPLE, theorem.rate: _RATE}),
    place=("Appendix E",),
    expected="certified",
    rests_on=(_GENERAL + "lower-tail",),
)

inside = claim(
    label="sharpness.subgaussian.inside",
    statement="With each hypothesis's own constant in the exponent, E_S E_π exp(λ(R-r) - λ²S(θ)²/(2m)) ≤ 1: with "
    "probability at least 1-δ, for all posteriors, E R ≤ E r + λ E S(θ)²/(2m) + (KL + ln(1/δ))/λ, and no constant "
    "for all parameters is needed.",
    left=theorem.INSIDE,
    relation="<=",
    right=sp.Integer(1),
    domain=Domain(
        {
            p: _LIKELY,
            theorem.p_other: _LIKELY,
            theorem.share: Reals(0, 1),
            m: _SAMPLE,
            theorem.rate: _RATE,
        }
    ),
    place=("Theorem 2", "Appendix E"),
    expected="certified",
    rests_on=("sharpness.subgaussian.each",),
    repairs=("sharpness.subgaussian.centre", "sharpness.subgaussian.posterior"),
    limitations=(
        "Two hypotheses with losses of zero and one; the step to the bound is Markov's and Donsker-Varadhan's.",
    ),
)

truncation = claim(
    label="sharpness.subgaussian.truncation",
    statement="A posterior cut off where the constant is too large, with mass 1-η left, has relative entropy at most "
    "KL/(1-η) to the prior cut off likewise.",
    left=theorem.CUT,
    relation="<=",
    right=theorem.WHOLE,
    domain=Domain(
        {
            theorem.outside: Choices(few=sp.Rational(3, 100), many=sp.Rational(3, 10)),
            theorem.prior_outside: Choices(
                few=sp.Rational(1, 100), some=sp.Rational(1, 10), many=sp.Rational(3, 10), most=sp.Rational(4, 5)
            ),
            theorem.inner: Choices(few=sp.Rational(1, 10), many=sp.Rational(2, 3)),
            theorem.prior_inner: Choices(
                few=sp.Rational(1, 50), some=sp.Rational(1, 10), many=sp.Rational(2, 3), most=sp.Rational(9, 10)
            ),
        }
    ),
    place=("Appendix E",),
    expected="certified",
    limitations=("Three hypotheses, of which the third is cut off; both sides times 1-η.",),
)

# --- perturbed constructions --------------------------------------------------------------------------


def _networks(of: Callable[[Tensor], Tensor]) -> Measure:
    """A number of the loss of each perturbed network, over all inputs of its target."""

    def one(chosen: Sequence[Point], mlp: Trapezoid, device: str) -> Tensor:
        targets = batch_of(chosen, device)
        blocks, length = build(targets, mlp=mlp), chosen[0]["T"]
        size = torch.tensor([float(point["sigma"]) for point in chosen], dtype=torch.float64)
        noises = [gaussian(targets[n : n + 1], blocks[n : n + 1], point["n_d"]) for n, point in enumerate(chosen)]
        rows = [torch.cat(parts) for parts in zip(*([w for _, w in e.named()] for e in noises), strict=True)]
        noisy = moved(blocks, blocks.with_weights(rows), size)
        return of(measured.losses(noisy, targets, bit_strings(length, 0, 2**length, device=device))).cpu()

    def by_size(chosen: Sequence[Point], mlp: Trapezoid, device: str) -> Tensor:
        found = torch.empty(len(chosen), dtype=torch.float64)
        sizes = [(point["T"], point["D"]) for point in chosen]
        for size in set(sizes):
            index = [n for n, other in enumerate(sizes) if other == size]
            found[index] = one([chosen[n] for n in index], mlp, device)
        return found

    return lambda points, device: by_trapezoid(points, lambda chosen, mlp: by_size(chosen, mlp, device))


second_moment = claim(
    label="sharpness.subgaussian.second-moment",
    statement="At perturbed parameters the square of the constant of the lower tail, which is all that the bound on "
    "the risk needs, is at most E ℓ².",
    left=Quantity(
        "square of the one-sided constant at perturbed parameters",
        _networks(lambda losses: proxy(losses, side="lower").value.square()), r"S_-(\theta^* + \sigma z)^2",
        rounding=1e-8,
    ),
    relation="<=",
    right=Quantity(
        "second moment of the loss at perturbed parameters", _networks(lambda losses: losses.square().mean(-1)),
        r"\mathbb{E} \ell^2", rounding=1e-8,
    ),
    domain=Domain(
        {
            T: Integers(3, 5),
            D: Integers(1, 2),
            omega: SPARSITY,
            u: BOTH,
            c: Vector(omega, Reals(0, open_low=True)),
            sp.Symbol("S"): Subsets(omega, D, T),
            sigma: Choices(small=sp.Rational(1, 1000), optimum=sp.Rational(1, 370), large=sp.Rational(1, 20)),
            n_d: Integers(0, 1000),
        }
    ),
    place=("Appendix A",),
    rests_on=(_GENERAL + "second-moment",),
    limitations=("All inputs of lengths up to 5; one draw of the noise per point.",),
)  # fmt: skip


@functools.lru_cache(maxsize=64)
def _beyond(length: int, mlp: Trapezoid, size: float, draws: int, seed: int, device: str) -> int:
    """In how many draws the constant of a perturbed construction exceeds 0.01."""
    batch = TargetBatch.stack([_tiling(length)], device=device)
    parts = measured.perturbed_losses(
        build(batch, mlp=mlp), batch, bit_strings(length, 0, 2**length, device=device), size, draws, seed
    )
    return sum(int(measured.exceeds(part, float(theorem.CLAIMED)).sum()) for part in parts)


def _count_beyond(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    sizes = np.broadcast_to(evaluate_float(to_tree(theorem.OPTIMAL_SIGMA), columns(points)), len(points))
    events = [
        _beyond(point["T"], TRAPEZOIDS[point["u"]], float(size), trials, seed, device)
        for point, size in zip(points, sizes, strict=True)
    ]
    return np.array(events, dtype=np.int64)


posterior = claim(
    label="sharpness.subgaussian.posterior",
    statement="At the bound's own optimal σ for S = 0.01 and a million samples, networks drawn around the construction "
    "have a sub-Gaussian constant of at most 0.01, nineteen times in twenty.",
    left=Probability(
        "probability that the two-sided constant at θ* + σz exceeds 0.01", _count_beyond,
        r"\mathbb{P}(S(\theta^* + \sigma z) > 0.01)",
    ),
    relation="<=",
    right=sp.Rational(1, 20),
    domain=Domain({T: Choices(six=6), D: Choices(pairs=2), omega: Choices(tiling=3), u: BOTH}),
    place=("Theorem 2", "Appendix A", "Appendix E"),
    reading="plausible",
    expected="refuted",
    limitations=(
        "Three disjoint pairs of six bits with equal coefficients, all 64 inputs. With the steep trapezoid it fails, "
        "with the wide one it holds there; the figure has twenty bits.",
        "That the constant must hold at the posterior's draws follows from the proof; the text measures it at the "
        "trained parameters.",
    ),
)  # fmt: skip

# --- the rule of Appendix A ---------------------------------------------------------------------------

_RANGES = Domain({a: Choices(rare=4, rarer=6, rarest=10), reach: Reals(1, 22)})

on_range = claim(
    label="sharpness.subgaussian.range",
    statement="The least S with E exp(t(ℓ-R)) ≤ exp(S²t²/2) on a range |t| ≤ t_max serves for all t.",
    left=KEARNS_SAUL_BY_ODDS,
    relation="<=",
    right=ON_RANGE,
    domain=_RANGES,
    place=_RULE,
    reading="plausible",
    expected="refuted",
    rests_on=(_GENERAL + "kearns-saul",),
    limitations=(
        "A loss of one with probability p = 1/(1+exp(2a)). The rule gives no range; any fixed one is exceeded by "
        "2 ln((1-p)/p) for p small enough.",
    ),
)

on_range_repaired = claim(
    label="sharpness.subgaussian.range-repaired",
    statement="The larger of that and 2(max-R)/t_max serves for all t.",
    left=KEARNS_SAUL_BY_ODDS,
    relation="<=",
    right=sp.Max(ON_RANGE, BEYOND),
    domain=_RANGES,
    place=_RULE,
    expected="certified",
    rests_on=(_GENERAL + "tail", _GENERAL + "kearns-saul"),
    repairs=("sharpness.subgaussian.range",),
    limitations=("A loss of one with probability p = 1/(1+exp(2a)), p < 1/2; as S².",),
)


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


estimate = claim(
    label="sharpness.subgaussian.estimate",
    statement="The constant of a sample's empirical law is below that of the loss with probability at most δ.",
    left=Probability(
        "probability that the constant of n losses is below that of the loss", _count_below,
        r"\mathbb{P}(\hat S_n < S)",
    ),
    relation="<=",
    right=delta,
    domain=Domain(
        {
            p: Reals(sp.Rational(1, 10000), sp.Rational(2, 5)),
            count: Integers(100, 1000),
            delta: Reals(sp.Rational(1, 50), sp.Rational(1, 4)),
        }
    ),
    place=_RULE,
    reading="plausible",
    expected="refuted",
    limitations=("The rule has no confidence level; its use in a bound takes this for granted. Losses 0 and 1.",),
)  # fmt: skip

unseen = claim(
    label="sharpness.subgaussian.unseen",
    statement="A thousand losses, each one once in 10 000, are all zero with probability 0.904833: the estimate is "
    "then zero, and the constant 0.233.",
    left=theorem.NOTHING_SEEN,
    relation="<=",
    right=sp.Rational(1, 2 * 10**6),
    domain=Domain({p: Choices(rare=sp.Rational(1, 10000))}),
    place=_RULE,
    expected="certified",
    rests_on=(_GENERAL + "rare",),
)

# --- the figure ---------------------------------------------------------------------------------------

_SIGMAS = (5.7513e-5, 1e-4, 5e-4, 2.2657e-3, 5e-3)
_LEVELS = (0.1, 0.5, 0.9)


def _panel(mlp: Trapezoid, setting: Setting) -> Panel:
    inputs, draws = {"smoke": (128, 4), "deep": (2**14, 60)}.get(setting.profile, (2**11, 12))
    batch = TargetBatch.stack([_tiling(20)], device=setting.device)
    bits = next(Inputs(20, "random", inputs, seed=setting.seed).batches(inputs, device=setting.device))
    found = []
    for n, size in enumerate(_SIGMAS):
        parts = measured.perturbed_losses(build(batch, mlp=mlp), batch, bits, size, draws, setting.seed + n)
        found.append(measured.constants(torch.cat(list(parts))))
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
    claims=("sharpness.subgaussian.posterior", "sharpness.subgaussian.second-moment"),
    compute=lambda setting: [_panel("steep", setting), _panel("wide", setting)],
    paper=PAPER,
    place=_RULE,
)
