"""Bounds with a certificate of the loss under noise, over the paper's grid, and for one rounded network."""

from __future__ import annotations

import functools
import itertools
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Probability, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, at_points
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.bound.deterministic import TARGET, own_norm, with_norm
from boundaudit.checks.sharpness.targets import BOTH, PAPER, SPARSITY, batch_of, by_trapezoid
from boundaudit.derivations.pac_bayes.symbols import N_2, delta, m, p_n
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness.bound import certificate as theorem
from boundaudit.derivations.sharpness.bound import occam as theory
from boundaudit.derivations.sharpness.bound.certificate import kappa_a
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl
from boundaudit.numeric.sharpness.bound import certificate as measured
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.grid import Cell, best, grid
from boundaudit.numeric.sharpness.bound.occam import rounded_coefficients, rounding_error
from boundaudit.numeric.sharpness.bound.path import Path, best_noise, group_sharpness
from boundaudit.numeric.sharpness.bound.posterior import Posterior, block_groups, by_block, frozen, used_groups
from boundaudit.numeric.sharpness.bound.shared_variance import truncated_optimum
from boundaudit.numeric.sharpness.constant_baseline import constant_risk
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate, evaluate_batch
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))

DELTA, ETA = 0.045, 0.005
DRAWS = 4000

# --- what noise costs -----------------------------------------------------------------------------

optimum = claim(
    label="sharpness.bound.certificate.optimum", relation="=", expected="proved",
    statement="Nats and loss together, κ a v + (p/2) ln(1 + L/(p v)), which is convex in the noise's variance v, have "
    "slope 0 at v = (√(L² + 2p²L/(κa)) - L)/(2p), that is v (p v + L) = p L/(2κa), for all κa, L > 0 and p ≥ 1.",
    left=theorem.BEST * (p_n * theorem.BEST + N_2), right=p_n * N_2 / (2 * kappa_a),
    domain=Domain({
        kappa_a: Reals(0, open_low=True), N_2: Reals(0, open_low=True), p_n: Integers(1, tested_to=500),
    }),
)  # fmt: skip

# --- coverage of the limits -----------------------------------------------------------------------

_LIMITS: Mapping[int, measured.Limit] = {0: "maurer-pontil", 1: "betting", 2: "kl"}
_POOL, _DRAWN = 2000, 200


@functools.cache
def _pool() -> Tensor:
    """Losses of noisy networks: with equal weights they are a finite posterior whose risk is their mean."""
    target = Target(4, ((1, 2), (3, 4)), (0.5**0.5,) * 2)
    noise = {"W1": 0.3, "V1": 0.1, "M": 0.03, "Gamma": 0.03, "F": 0.1, "W2": 0.1, "V2": 0.1}
    return measured.losses(target, by_block(target, noise), samples=1000, draws=_POOL, inputs_per_draw=1)


def _missed(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    pool, stream = _pool(), torch.Generator().manual_seed(seed)
    drawn = pool[torch.randint(_POOL, (trials, _DRAWN), generator=stream)]
    limits = [measured.upper_limit(drawn, float(p["delta"]), 1.0, _LIMITS[p["limit"]]) for p in points]
    return np.array([int((limit < pool.mean()).sum()) for limit in limits], dtype=np.int64)


coverage = claim(
    label="sharpness.bound.certificate.coverage", mode="with probability at least 1-η",
    statement="The upper limit of the risk on the sample, from 200 draws of a posterior of 2000 noisy networks whose "
    "risk is known exactly, falls below that risk with probability at most η, for η from 1/10 to 1/3 and Maurer and "
    "Pontil's limit, the betting limit and Chernoff's.",
    left=Probability(
        "probability that the certificate misses the risk", _missed, r"\mathbb{P}[u < \mathbb{E}_\rho \hat L_M]"
    ),
    right=fail,
    domain=Domain({
        fail: Reals(sp.Rational(1, 10), sp.Rational(1, 3)),
        sp.Symbol("limit"): Choices(maurer_pontil=0, betting=1, kl=2),
    }),
    limitations=("Maurer & Pontil 2009, Theorem 4; Waudby-Smith & Ramdas 2024, one-sided; Chernoff.",),
)  # fmt: skip

# --- the paper's own setting ----------------------------------------------------------------------


def _chosen(
    build_posterior: Callable[..., Posterior], *, pruned: bool, nats: float, limits: Mapping[str, float]
) -> Any:
    """From m to a posterior whose noise is the best for κ = ``nats`` m nats per unit of loss, up to limits."""

    @functools.cache
    def posterior(samples: int) -> Posterior:
        batch = TargetBatch.stack([TARGET])
        mean = build(batch, pruned=pruned)
        groups = used_groups(mean) if pruned else block_groups(mean)
        sharp = group_sharpness(mean, batch, groups)
        noise = {
            name: min(best_noise(sharp[name], g.norm, g.size, nats * samples), limits.get(name, np.inf))
            for name, g in groups.items()
        }
        return build_posterior(TARGET, noise)

    return posterior


_BY_BLOCK = _chosen(by_block, pruned=False, nats=4, limits={"W1": 0.12, "V1": 0.025})
_FROZEN = _chosen(frozen, pruned=True, nats=4, limits={"W1": 0.28, "V1": 0.024})


@functools.cache
def _certified(which: str, samples: int) -> float:
    if which == "sub-blocks":
        return best(Path.of(TARGET), samples=samples, draws=DRAWS, pilot=200).value
    posterior = {"by-block": _BY_BLOCK, "frozen": _FROZEN}[which](samples)
    found = measured.certificate(TARGET, posterior, samples=samples, draws=DRAWS, inputs_per_draw=1, eta=ETA)
    return measured.certified_value(found, posterior.total_kl, samples=samples, delta=DELTA)


def _published(samples: int) -> float:
    """The printed optimum 3 (G_u S² L/(4m))^(1/3) for S = 1/100, with the construction's true norm as L."""
    return truncated_optimum(with_norm(own_norm()), samples=samples, proxy=0.01)[1]


_ONE_SAMPLE = "One training set and one set of 4000 draws, each from a fixed seed; longer certificates give less."
_VALID = (
    "A bound on E min(loss, 1) of the noisy network at the construction, with probability at least 0.95; a learner "
    "enters by any posterior of no larger value. Steep trapezoid; priors are made for T, D, ω and C."
)
_STEP = (
    "sharpness.bound.certificate.coverage", "sharpness.bound.certificate.optimum",
    "pac_bayes.binary_kl.moment.maurer", "pac_bayes.gaussian.separate.value",
)  # fmt: skip


def _beside(which: str, factor: int) -> Case:
    left = Quantity(
        f"certified bound over the printed one, {which}",
        at_points(lambda p: _certified(which, p["m"]) / _published(p["m"])),
        r"\mathrm{kl}^{-1}(u, (K + \ln(2\sqrt m/\delta))/m) / B^*",
    )  # fmt: skip
    return Case(which, left=left, right=sp.Rational(1, factor))


def _order(first: str, second: str, share: sp.Rational) -> Case:
    left = Quantity(
        f"certified bound, {first} over {second}",
        at_points(lambda p: _certified(first, p["m"]) / _certified(second, p["m"])), r"B_1 / B_2",
    )  # fmt: skip
    return Case(f"{first},{second}", left=left, right=share)


values = claim(
    label="sharpness.bound.certificate.values", mode="with probability at least 1-δ-η",
    statement="At T = 20, D = 2, ω = 10, with 8192 or a million samples, a bound on E min(loss, 1) is certified "
    "without a sub-Gaussian constant. It is compared with the printed bound at its best σ, for S = 0.01 and the "
    "construction's own norm. With one σ and one prior for each of the seven blocks it is at most half of the printed "
    "bound. With the entries held fixed that every construction leaves at zero it is at most a tenth of the printed "
    "bound, and 2/5 of the bound by blocks. With a prior for each part of a block and all 2014 parameters it is at "
    "most a twentieth of the printed bound, and 4/5 of the bound with entries held fixed.",
    domain=Domain({m: Choices(few=8192, million=10**6)}), rests_on=_STEP, improves="sharpness.bound.optimum.printed",
    limitations=(_VALID, _ONE_SAMPLE),
    cases=(
        _beside("by-block", 2), _beside("frozen", 10), _beside("sub-blocks", 20),
        _order("frozen", "by-block", sp.Rational(2, 5)), _order("sub-blocks", "frozen", sp.Rational(4, 5)),
    ),
)  # fmt: skip

informative = claim(
    label="sharpness.bound.certificate.informative", mode="with probability at least 1-δ-η", role="improvement",
    statement="At T = 20, D = 2, ω = 10 a sample of 2000 is enough for a certified bound on E min(loss, 1) of at most "
    "0.23535, the best constant's. All parameters are noisy, and each part of a block has a prior.",
    left=Quantity(
        "certified bound over the best constant's clipped loss",
        at_points(lambda p: _certified("sub-blocks", p["m"]) / constant_risk(TARGET, 1.0)),
        r"B / \min_a \mathbb{E}\min((f-a)^2, 1)",
    ),
    right=sp.Integer(1), domain=Domain({m: Choices(first=2000)}), rests_on=_STEP,
    limitations=(_VALID, _ONE_SAMPLE, "The printed optimum is below 1/4 only from a million samples on."),
)  # fmt: skip


# --- the best certified bound against m for the paper's whole grid --------------------------------

_DEGREES, _SPARSITIES = (1, 2, 3, 4, 5), (1, 7, 14, 20)
_PROXY = 0.01


def _grid_published(cell: Cell, samples: int) -> float:
    target = cell.target
    return truncated_optimum(published(target.length, target.degree, target.sparsity), samples=samples, proxy=_PROXY)[1]


def _published_informative(cell: Cell) -> float:
    """The m at which 3 (G_u S² L/(4m))^(1/3) is the constant baseline."""
    return (_grid_published(cell, 1) / cell.constant_baseline) ** 3


def _panel(degree: int, cells: Sequence[Cell]) -> Panel:
    series = []
    for cell in cells:
        sizes = [float(m) for m in cell.best]
        name = f"ω = {cell.target.sparsity}"
        series.append(Series(f"certified, {name}", sizes, [b.value for b in cell.best.values()], drawn="points"))
        series.append(Series(f"published, {name}", sizes, [_grid_published(cell, m) for m in cell.best]))
    level = statistics.fmean(cell.constant_baseline for cell in cells)
    series.append(Series("best constant, mean over ω", sizes, [level] * len(sizes)))
    return Panel(f"T = 20, D = {degree}", "samples m", "bound on the expected loss", series, log="xy")


def _first_panel(cells: Sequence[Cell]) -> Panel:
    series = []
    for sparsity in sorted({cell.target.sparsity for cell in cells}):
        own = [cell for cell in cells if cell.target.sparsity == sparsity]
        degrees = [float(cell.target.degree) for cell in own]
        first = [math.nan if cell.informative is None else float(cell.informative) for cell in own]
        series.append(Series(f"certified, ω = {sparsity}", degrees, first, drawn="points"))
        series.append(Series(f"published, ω = {sparsity}", degrees, [_published_informative(cell) for cell in own]))
    title = "Smallest m below the best constant"
    return Panel(title, "degree D", "samples m", series, log="y")


def _study(setting: Setting) -> list[Panel]:
    smoke = setting.profile == "smoke"
    degrees, sparsities = ((2,), (1, 7)) if smoke else (_DEGREES, _SPARSITIES)
    samples = (8192, 10**6) if smoke else (8192, 10**5, 10**6, 10**7)
    draws, pilot = (500, 50) if smoke else (3000, 100)
    cells = list(grid((20,), degrees, sparsities, samples=samples, draws=draws, pilot=pilot, seed=setting.seed))
    panels = [_panel(degree, [cell for cell in cells if cell.target.degree == degree]) for degree in degrees]
    return [*panels, _first_panel(cells)]


study = Study(
    label="sharpness.bound.grid.samples",
    title="The best certified bound against the number of samples, for the whole grid",
    caption="Certified: min(loss, 1) of the noisy construction with sub-block priors, confidence 95 %, no "
    "sub-Gaussian constant, components at random. Published: the optimum over σ with S = 0.01 assumed, without "
    "ln(1/δ), residual and P, for the unclipped loss. A bound says something below the best constant's clipped loss.",
    claims=("sharpness.bound.certificate.values", "sharpness.bound.certificate.informative"),
    compute=_study,
    paper=PAPER,
)


# --- what the choice and the rounding of coefficients cost ----------------------------------------


def _largest_error(at: Columns, mlp: Trapezoid) -> Tensor:
    """The largest |network with rounded coefficients - target| over all inputs, over what it is at most."""
    batch, cells = batch_of(at), at.whole("n_oc").tolist()
    rows = [rounded_coefficients(row, n) for row, n in zip(batch.coefficients.tolist(), cells, strict=True)]
    moved = torch.tensor(rows, dtype=torch.float64, device=at.device).where(batch.coefficients > 0, 0.0)
    rounded, length = replace(batch, coefficients=moved), batch.max_length
    bits = bit_strings(length, 0, 2**length, device=at.device)
    errors = (forward(build(rounded, mlp=mlp), rounded, bits) - evaluate_batch(batch, bits)).abs().amax(-1)
    limits = [rounding_error(length, w, n) for w, n in zip(batch.sparsity.tolist(), cells, strict=True)]
    return errors / errors.new_tensor(limits)


rounding = claim(
    label="sharpness.bound.occam.rounding", role="improvement",
    statement="Let every coefficient be rounded to the middle of one of n ≤ 128 equal cells of [0, 1]. The "
    "construction with these coefficients is then within C N/(C T² + N) + ω/(2n) of the target on every input, C = √ω "
    "+ ω/(2n) and N = T+1-ω. For coefficients from T⁻⁴ to 1 in the unit ball, T from 4 to 6 and D ≤ 2.",
    left=Quantity(
        "largest error with rounded coefficients, over its bound", by_trapezoid(_largest_error, "T", "D"),
        r"\max_x |\hat f(x) - f(x)| / (\mathrm{leak} + \omega/(2n))", rounding=1e-9,
    ),
    right=sp.Integer(1),
    domain=Domain(
        {
            T: Integers(4, 6),
            D: Integers(1, 2),
            omega: SPARSITY,
            u: BOTH,
            c: Vector(omega, Reals(T**-4, 1), square_sum=1),
            sp.Symbol("S"): Subsets(omega, D, T),
            theory.n: Integers(1, 128),
        }
    ),
    rests_on=("sharpness.exactness.leak.upper",),
    limitations=("Derived here. The leak is that of the rounded target, whose coefficients sum to C at most.",),
)  # fmt: skip

_CLASS = tuple(itertools.combinations(tuple(itertools.combinations(range(1, 6), 2)), 2))


@functools.cache
def _losses() -> Tensor:
    """Losses of all 45 constructions of two pairs of five bits on the 32 inputs, where the first is the target's."""
    bits, half = bit_strings(5, 0, 32), (0.5**0.5,) * 2
    batch = TargetBatch.stack([Target(5, components, half) for components in _CLASS])
    target = Target(5, _CLASS[0], half)
    return (forward(build(batch), batch, bits) - evaluate(target, bits)).square().clamp_max(1.0)


def _occam_missed(points: Sequence[Point], trials: int, seed: int, device: str) -> npt.NDArray[np.int64]:
    """How often the risk of a construction that the sample chooses is above its bound: of all, the worst choice."""
    losses, stream = _losses(), torch.Generator().manual_seed(seed)
    found = []
    for point in points:
        drawn = torch.randint(losses.shape[-1], (trials, point["m"]), generator=stream)
        means = losses[:, drawn].mean(-1)
        budget = (np.log(len(losses)) + np.log(1 / float(point["delta"]))) / point["m"]
        bounds = inverse_binary_kl(means, torch.tensor(budget, dtype=torch.float64))
        found.append(int((bounds < losses.mean(-1, keepdim=True)).any(0).sum()))
    return np.array(found, dtype=np.int64)


occam_coverage = claim(
    label="sharpness.bound.occam.coverage", role="improvement", mode="with probability at least 1-δ",
    statement="With probability at least 1-δ over the sample every one of H constructions has an E min(loss, 1) of at "
    "most kl⁻¹(r, (ln H + ln(1/δ))/m), r its loss on the sample; so has one that is chosen by the sample. Counted for "
    "the 45 constructions of two pairs of five bits and 10 to 100 samples.",
    left=Probability(
        "probability that some construction's risk is above its bound", _occam_missed,
        r"\mathbb{P}[\exists h: R(h) > \mathrm{kl}^{-1}(r(h), (\ln H + \ln(1/\delta))/m)]",
    ),
    right=delta, domain=Domain({m: Integers(10, 100), delta: Reals(sp.Rational(1, 20), sp.Rational(1, 3))}),
    rests_on=("pac_bayes.limits.kl",), limitations=("Chernoff's bound for each and the union bound.",),
)  # fmt: skip
