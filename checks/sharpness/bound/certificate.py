"""Bounds with a Monte-Carlo certificate of the loss under noise, at the paper's own setting."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Probability, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.targets import BOTH, PAPER, SPARSITY, TRAPEZOIDS
from boundaudit.derivations.pac_bayes.symbols import N_2, m, p_n, sigma
from boundaudit.derivations.pac_bayes.symbols import delta as fail
from boundaudit.derivations.sharpness.bound import certificate as theorem
from boundaudit.derivations.sharpness.bound.certificate import kappa_a
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.sharpness.bound import certificate as measured
from boundaudit.numeric.sharpness.bound.budgets import published
from boundaudit.numeric.sharpness.bound.grid import Path, best, best_noise, group_sharpness
from boundaudit.numeric.sharpness.bound.posterior import Posterior, block_groups, by_block, frozen, used_groups
from boundaudit.numeric.sharpness.bound.shared_variance import truncated_optimum
from boundaudit.numeric.sharpness.constant_baseline import constant_risk
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))
E3 = Target(20, tuple((2 * t + 1, 2 * t + 2) for t in range(10)), (10**-0.5,) * 10)
"""T = 20, D = 2, ω = 10: pairs that tile the bits."""

DELTA, ETA = 0.045, 0.005
DRAWS = 4000
_BLOCKS = tuple(theorem.COUNTS)

_RANGES: dict[Any, Any] = {
    T: Integers(2, tested_to=6), D: Integers(1, T), omega: SPARSITY, u: BOTH,
    c: Vector(omega, Reals(0, open_low=True)), sp.Symbol("S"): Subsets(omega, D, T),
}  # fmt: skip

# --- what noise costs -----------------------------------------------------------------------------


def _price(points: Sequence[Point], device: str) -> Array:
    def one(p: Point) -> float:
        target = Target(p["T"], p["S"], tuple(float(entry) for entry in p["c"]))
        noise = dict.fromkeys(_BLOCKS, float(p["sigma"]))
        return by_block(target, noise, mlp=TRAPEZOIDS[p["u"]]).total_kl

    return np.array([one(p) for p in points])


price = claim(
    label="sharpness.bound.certificate.price",
    statement="With the prior's variance σ² + L/p for every block, noise σ on all entries of the construction costs "
    "the sum of (p/2) ln(1 + L/(pσ²)) nats, entry by entry.",
    left=Quantity(
        "relative entropy of noise on the construction, summed over entries", _price,
        r"\sum_i \mathrm{KL}(\mathcal N(\theta_i, \sigma^2) \| \mathcal N(0, \tau_i^2))", rounding=1e-10,
    ),
    relation="=",
    right=theorem.PRICE,
    domain=Domain({**_RANGES, sigma: Reals(0, open_low=True, tested_to=1)}),
    limitations=("One σ for all blocks; each block keeps a prior of its own.",),
)  # fmt: skip

optimum = claim(
    label="sharpness.bound.certificate.optimum",
    statement="Nats and loss together, κ a v + (p/2) ln(1 + L/(p v)), which is convex in v, have slope 0 at "
    "v = (√(L² + 2p²L/(κa)) - L)/(2p), that is v (p v + L) = p L/(2κa).",
    left=theorem.BEST * (p_n * theorem.BEST + N_2),
    relation="=",
    right=p_n * N_2 / (2 * kappa_a),
    domain=Domain({
        kappa_a: Reals(0, open_low=True), N_2: Reals(0, open_low=True), p_n: Integers(1, tested_to=500),
    }),
    expected="certified",
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
    label="sharpness.bound.certificate.coverage",
    statement="A certificate's limit falls below the risk on the sample with probability at most η, where the risk is "
    "known exactly: for a posterior of 2000 noisy networks, 200 draws.",
    left=Probability(
        "probability that the certificate misses the risk", _missed, r"\mathbb{P}[u < \mathbb{E}_\rho \hat L_M]"
    ),
    relation="<=",
    right=fail,
    domain=Domain({
        fail: Reals(sp.Rational(1, 10), sp.Rational(1, 3)),
        sp.Symbol("limit"): Choices(maurer_pontil=0, betting=1, kl=2),
    }),
    mode="with probability at least 1-η",
    limitations=("Maurer & Pontil 2009, Theorem 4; Waudby-Smith & Ramdas 2024, one-sided; Chernoff.",),
)  # fmt: skip

# --- the paper's own setting ----------------------------------------------------------------------

_SAMPLES = Choices(few=8192, million=10**6)


def _chosen(
    build_posterior: Callable[..., Posterior], *, pruned: bool, nats: float, limits: Mapping[str, float]
) -> Any:
    """From m to a posterior whose noise is the best for κ = ``nats`` m nats per unit of loss, up to limits."""

    @functools.cache
    def posterior(samples: int) -> Posterior:
        batch = TargetBatch.stack([E3])
        mean = build(batch, pruned=pruned)
        groups = used_groups(mean) if pruned else block_groups(mean)
        sharp = group_sharpness(mean, batch, groups)
        noise = {
            name: min(best_noise(sharp[name], g.norm, g.size, nats * samples), limits.get(name, np.inf))
            for name, g in groups.items()
        }
        return build_posterior(E3, noise)

    return posterior


_BY_BLOCK = _chosen(by_block, pruned=False, nats=4, limits={"W1": 0.12, "V1": 0.025})
_FROZEN = _chosen(frozen, pruned=True, nats=4, limits={"W1": 0.28, "V1": 0.024})


@functools.cache
def _certified(which: str, samples: int) -> float:
    if which == "sub-blocks":
        return best(Path.of(E3), samples=samples, draws=DRAWS, pilot=200).value
    posterior = {"by block": _BY_BLOCK, "frozen": _FROZEN}[which](samples)
    found = measured.certificate(E3, posterior, samples=samples, draws=DRAWS, inputs_per_draw=1, eta=ETA)
    return measured.certified_value(found, posterior.total_kl, samples=samples, delta=DELTA)


def _share(which: str) -> Measure:
    return lambda points, device: np.array([_certified(which, p["m"]) / _published(p["m"]) for p in points])


_NORM = float(norms_squared(TargetBatch.stack([E3]))["total"])


def _published(samples: int) -> float:
    """The published optimum 3 (G_u S² L/(4m))^(1/3) for S = 1/100, with the construction's true norm as L."""
    budgets = replace(published(20, 2, 10), norms_squared={"all": _NORM})
    return truncated_optimum(budgets, samples=samples, proxy=0.01)[1]


_ONE_SAMPLE = "One training set and one set of 4000 draws, each from a fixed seed; longer certificates give less."
_VALID = (
    "A bound on E min(loss, 1) of the noisy network at the construction, with probability at least 0.95; a learner "
    "enters by any posterior of no larger value. Steep trapezoid; priors are made for T, D, ω and C."
)


def _beside(which: str, factor: int, words: str) -> Claim:
    return claim(
        label=f"sharpness.bound.certificate.{which.replace(' ', '-')}",
        statement=f"At T = 20, D = 2, ω = 10 the bound certified with {words} is at most 1/{factor} of the published "
        "optimum with S = 0.01, at 8192 samples and at a million, and needs no S.",
        left=Quantity(
            f"certified bound over the published one, {which}", _share(which),
            r"\mathrm{kl}^{-1}(u, (K + \ln(2\sqrt m/\delta))/m) / B^*",
        ),
        relation="<=",
        right=sp.Rational(1, factor),
        domain=Domain({m: _SAMPLES}),
        mode="with probability at least 1-δ-η",
        rests_on=("sharpness.bound.certificate.price", "sharpness.bound.certificate.coverage"),
        limitations=(_VALID, _ONE_SAMPLE),
    )  # fmt: skip


by_blocks = _beside("by block", 2, "one σ and one prior for each of the seven blocks")
frozen_blocks = _beside("frozen", 10, "entries frozen that every construction leaves at zero")
with_sub_blocks = _beside("sub-blocks", 20, "all parameters, sub-block priors and free columns")


def _ratio(first: str, second: str) -> Measure:
    return lambda points, device: np.array([_certified(first, p["m"]) / _certified(second, p["m"]) for p in points])


def _order(first: str, second: str, bound: sp.Expr, label: str, statement: str) -> Claim:
    return claim(
        label=f"sharpness.bound.certificate.order.{label}",
        statement=statement,
        left=Quantity(f"certified bound, {first} over {second}", _ratio(first, second), r"B_1 / B_2"),
        relation="<=",
        right=bound,
        domain=Domain({m: _SAMPLES}),
        rests_on=tuple(f"sharpness.bound.certificate.{name.replace(' ', '-')}" for name in (first, second)),
        limitations=(_ONE_SAMPLE,),
    )


freezing = _order(
    "frozen", "by block", sp.Rational(2, 5), "freezing",
    "Freezing what every construction leaves at zero takes the bound to at most 2/5, at either size.",
)  # fmt: skip
sub_blocking = _order(
    "sub-blocks", "frozen", sp.Rational(4, 5), "sub-blocks",
    "Sub-block priors keep all 2014 parameters and still give at most 4/5 of the bound with 446.",
)  # fmt: skip

_FIRST = 2000


@functools.cache
def _yardstick() -> float:
    return constant_risk(E3, 1.0)


def _at_first(points: Sequence[Point], device: str) -> Array:
    return np.array([_certified("sub-blocks", p["m"]) / _yardstick() for p in points])


informative = claim(
    label="sharpness.bound.certificate.informative",
    statement="2000 samples are enough for a certified bound below the best constant's E min(loss, 1) = 0.23535.",
    left=Quantity(
        "certified bound over the best constant's clipped loss", _at_first,
        r"B / \min_a \mathbb{E}\min((f-a)^2, 1)",
    ),
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({m: Choices(first=_FIRST)}),
    mode="with probability at least 1-δ-η",
    rests_on=("sharpness.bound.certificate.sub-blocks",),
    limitations=(_VALID, _ONE_SAMPLE, "The published optimum is below 1/4 only from a million samples on."),
)  # fmt: skip
