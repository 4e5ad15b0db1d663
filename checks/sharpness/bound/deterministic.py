"""The bound at the paper's example, with the construction's own loss under noise, and for the parameters themselves."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, at_points, combined, evaluated
from boundaudit.checks.measurements import measured as deterministic_measured
from boundaudit.checks.sharpness.targets import PAPER, STEEP, TRAPEZOIDS, WIDE
from boundaudit.derivations.pac_bayes.binary_kl import binary_kl
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness.bound import deterministic as theorem
from boundaudit.derivations.sharpness.bound import noisy as theory
from boundaudit.derivations.sharpness.bound.deterministic import NORM
from boundaudit.derivations.sharpness.noisy_loss import kappa_nl
from boundaudit.numeric.sharpness.autodiff import gradients, repeat
from boundaudit.numeric.sharpness.bound import deterministic as network
from boundaudit.numeric.sharpness.bound.budgets import Budgets, published
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.oracle import evaluate
from boundaudit.numeric.sharpness.rescaling import rescale
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Appendix E",))

POSITIVE = Reals(0, open_low=True)
NONNEGATIVE = Reals(0)
SAMPLES = Integers(1, tested_to=10**7)
MILLION = Integers(10**6, 10**6)
FEW = Integers(8192, 8192)
"""As many samples as the paper's experiments have."""
EACH: dict[Trapezoid, tuple[int, Choices]] = {"steep": (1, STEEP), "wide": (2, WIDE)}
"""Both trapezoids: u, and the range that holds nothing else."""

TARGET = Target(20, tuple((2 * n + 1, 2 * n + 2) for n in range(10)), (10**-0.5,) * 10)
"""Ten pairs of bits side by side with coefficients of unit length."""
PUBLISHED = published(20, 2, 10)
SETTING = {"samples": 1e6, "delta": 0.05, "proxy": 0.01}

AT_E3 = "At T = 20, D = 2, ω = 10 with S = 0.01 and δ = 5 %; S must hold at draws of the posterior."
PAIRS = "For ten pairs of bits with coefficients 1/√10; means are over all 2^20 inputs."
COUNTED = "What is gained is the norm inside a logarithm, at the price of p: it is parameter counting, not flatness."


def best(noise: str) -> Choices:
    """A single σ, near the best."""
    return Choices(best=sp.Rational(noise))


@functools.cache
def own_norm(mlp: Trapezoid = "steep") -> float:
    """‖Θ‖² of the construction."""
    return float(norms_squared(TargetBatch.stack([TARGET]), mlp=mlp)["total"][0])


def with_norm(norm: float) -> Budgets:
    """The printed sharpness beside another squared norm."""
    return Budgets({"all": PUBLISHED.sharpness_total}, {"all": norm}, {"all": PUBLISHED.count}, 0.0)


# --- means over all inputs, from one of each kind ---------------------------------------------------


def _half() -> list[tuple[list[int], float]]:
    """Five pairs of bits up to their order and that of the bits in them: bits, and the share of inputs like them."""
    return [
        ([0, 0] * zeros + [1, 1] * ones + [0, 1] * (5 - zeros - ones),
         math.comb(5, zeros) * math.comb(5 - zeros, ones) * 2 ** (5 - zeros - ones) / 4**5)
        for zeros in range(6) for ones in range(6 - zeros)
    ]  # fmt: skip


@functools.cache
def kinds_of_inputs() -> tuple[Tensor, Tensor]:
    """One input of each kind, bits (n, 20), and its share: rows of the first five pairs are active, others not."""
    kinds = list(itertools.product(_half(), _half()))
    bits = torch.tensor([first + second for (first, _), (second, _) in kinds])
    return bits, torch.tensor([share * other for (_, share), (_, other) in kinds], dtype=torch.float64)


@dataclass(frozen=True)
class Measured:
    """The construction for `TARGET`.

    Attributes:
        budgets: sharpness, squared norm and size by block, and the loss without noise.
        coordinates: A of single coordinates, Σ √a_i |θ_i|; W2's, which pairs share alike, by their mean.
    """

    budgets: Budgets
    coordinates: float

    @property
    def shared(self) -> float:
        """A of the seven blocks."""
        norms = self.budgets.norms_squared
        return math.fsum(math.sqrt(found * norms[block]) for block, found in self.budgets.sharpness.items())

    @property
    def isotropic(self) -> float:
        """A of one variance for all."""
        return math.sqrt(self.budgets.sharpness_total * self.budgets.norm_total)


@functools.cache
def measured(mlp: Trapezoid, factor: float = 1.0) -> Measured:
    """The rescaled construction: means over all inputs, by automatic differentiation at one of each kind."""
    bits, share = kinds_of_inputs()
    batch = TargetBatch.stack([TARGET])
    blocks = rescale(build(batch, mlp=mlp), factor)
    found = gradients(repeat(blocks, len(bits)), batch.repeat(len(bits)), bits)
    squares = {name: (weight.flatten(1).square() * share[:, None]).sum(0) for name, weight in found.named()}
    weights = {name: weight[0].flatten() for name, weight in blocks.named()}
    coordinates = math.fsum(_coordinates(name, squares[name], weights[name]) for name in squares)
    budgets = Budgets(
        {name: float(value.sum()) for name, value in squares.items()},
        {name: float(value.square().sum()) for name, value in weights.items()},
        {name: value.numel() for name, value in weights.items()},
        _loss(mlp),
    )
    return Measured(budgets, coordinates)


def _coordinates(name: str, squares: Tensor, weight: Tensor) -> float:
    # The order of pairs, which the kinds of inputs leave out, moves squares only among W2's rows.
    if name == "W2":
        squares = squares[weight != 0].mean().expand_as(weight)
    return float((squares.sqrt() * weight.abs()).sum())


def _loss(mlp: Trapezoid) -> float:
    """The mean squared error over all inputs."""
    bits, share = kinds_of_inputs()
    batch = TargetBatch.stack([TARGET])
    error = forward(build(batch, mlp=mlp), batch, bits)[0] - evaluate(TARGET, bits)
    return float((error.square() * share).sum())


# --- from points to numbers -----------------------------------------------------------------------


def at_trapezoid(value: Callable[[Trapezoid], float]) -> Measure:
    """A number of each trapezoid."""
    return at_points(lambda point: value(TRAPEZOIDS[int(point["u"])]))


# --- Theorem 2 with the construction's own loss under noise, and for the parameters themselves ----

_SETTING = "At T = 20, D = 2, ω = 10 and coefficients 1/√10, pairs of bits side by side"
_LOSS = ("sharpness.noisy_loss.clipped", "sharpness.bound.clipped.own", "sharpness.exactness.leak.upper")
_CLIPPED = "The loss is clipped at one: what its far tail adds to the unclipped loss under noise is left open."


def _at(noise: str, deviations: str) -> Domain:
    return Domain({sigma: best(noise), kappa_nl: Choices(best=sp.Rational(deviations))})


_PRINTED: dict[tuple[Trapezoid, str], tuple[str, str]] = {
    ("steep", "average"): ("5", "0.0816"), ("steep", "sample"): ("4.95", "0.1245"),
    ("wide", "average"): ("5.2", "0.0337"), ("wide", "sample"): ("5.2", "0.0484"),
}  # fmt: skip
"""κ and the value at the printed σ, by trapezoid and inputs."""

loss = claim(
    label="sharpness.bound.noisy.loss", place=("Appendix E", "Theorem 17"), expected="certified",
    statement=f"{_SETTING}, the mean of min(loss, 1) of the construction under noise of the printed size "
    "σ = 0.002265676 is on average over inputs at most 0.0816 (steep) and 0.0337 (wide), and over any sample of inputs "
    "at most 0.1245 and 0.0484, beside the printed σ² G_u = 0.0797 that takes P for nothing.",
    rests_on=_LOSS, limitations=(PAIRS, _CLIPPED),
    cases=tuple(
        Case(
            f"{mlp},{inputs}", left=lambda width=EACH[mlp][0], inputs=inputs: theory.loss(width, inputs),
            right=sp.Rational(value), domain=_at("0.002265676", deviations),
        )
        for (mlp, inputs), (deviations, value) in _PRINTED.items()
    ),
)  # fmt: skip

_BEST: dict[tuple[Trapezoid, str], tuple[str, str, str]] = {
    ("steep", "average"): ("0.00204", "5.1", "0.2359"), ("steep", "sample"): ("0.00188", "5.15", "0.2669"),
    ("wide", "average"): ("0.00246", "5.1", "0.1908"), ("wide", "sample"): ("0.00234", "5.15", "0.2074"),
}  # fmt: skip
"""σ, κ and the value."""

theorem_2 = claim(
    label="sharpness.bound.noisy.theorem-2", place=("Appendix E", "Theorem 2"), expected="certified",
    statement="Put the proved bound on the mean of min(loss, 1) under noise in the place of σ²(G_u + P) in Theorem 2, "
    "with the printed squared norm, S = 0.01 and m = 10⁶. At the best σ Theorem 2's bound is then at most 0.2359 "
    "(steep) and 0.1908 (wide) for the mean over all inputs, and 0.2669 and 0.2074 for that over any sample; printed "
    "is 0.239 with P = 0. This is at T = 20, D = 2, ω = 10, with coefficients 1/√10 and pairs of bits side by side.",
    rests_on=(loss.label,), improves="sharpness.bound.numbers.printed",
    limitations=(
        PAIRS, COUNTED, _CLIPPED, "S = 0.01 and that the learner's norm and noisy loss are at most the construction's "
        "remain assumptions.",
    ),
    cases=tuple(
        Case(
            f"{mlp},{inputs}", left=lambda width=EACH[mlp][0], inputs=inputs: theory.theorem_2(width, inputs),
            right=sp.Rational(value), domain=_at(noise, deviations),
        )
        for (mlp, inputs), (noise, deviations, value) in _BEST.items()
    ),
)  # fmt: skip

_KL: dict[tuple[Trapezoid, str], tuple[str, str, str]] = {
    ("steep", "average"): ("0.0001493", "6.45", "0.02016"), ("steep", "sample"): ("0.0000928", "6.5", "0.02333"),
    ("wide", "average"): ("0.0002402", "6.45", "0.01871"), ("wide", "sample"): ("0.0001681", "6.45", "0.02184"),
}  # fmt: skip

kl = claim(
    label="sharpness.bound.noisy.kl", place=("Appendix E",), relation=">=", expected="certified",
    statement="Without P and without a sub-Gaussian constant, E min(loss, 1) under noise is with probability at least "
    "0.95 at most 0.02333 (steep) and 0.02184 (wide) for any sample. It is at most 0.02016 and 0.01871 if the mean "
    "over the sample equals that over all inputs. This is at T = 20, D = 2, ω = 10, with coefficients 1/√10, pairs of "
    "bits side by side, m = 10⁶ samples, the construction's own squared norm and a prior of variance σ² + L/p.",
    rests_on=(*_LOSS, "pac_bayes.binary_kl.moment.maurer", "pac_bayes.gaussian.separate.shorter"),
    improves=theorem_2.label, limitations=(PAIRS, COUNTED),
    cases=tuple(
        Case(
            f"{mlp},{inputs}",
            left=lambda width=EACH[mlp][0], inputs=inputs, value=value: binary_kl(
                theory.loss(width, inputs), sp.Rational(value)
            ),
            right=lambda width=EACH[mlp][0]: theory.allowed(width),
            domain=_at(noise, deviations),
        )
        for (mlp, inputs), (noise, deviations, value) in _KL.items()
    ),
)  # fmt: skip


# --- no sharpness and no Gibbs risk ---------------------------------------------------------------

deterministic_claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2", "Appendix E"))
_DIRECTION = sp.Symbol("direction")
_SEVERAL = Choices(half=sp.Rational(1, 2), two=2)
_SIZES = dict.fromkeys(NORM.values(), _SEVERAL) | {
    NORM["Gamma"]: Choices(none=0, one=1), NORM["W2"]: Choices(weak=sp.Rational(1, 1000), strong=10),
}  # fmt: skip
_ORDER = ("W1", "V1", "M", "Gamma", "F", "W2", "V2")
_STRONG = 10.0
"""The norm of what a bound does not read: attention of this size picks one key; for W1's own gradient it must not."""


def _norm_of_gradient(block: str) -> Measure:
    """Over its bound, at the input of ones where the weights of given norms are aligned, else at a random one."""
    unread = 1.0 if block == "W1" else _STRONG

    def of(at: Columns) -> Tensor:
        direction = at.points[0]["direction"]
        norms = torch.stack([at.real(f"n_{name}", unread) for name in _ORDER], 1).cpu()
        bits = torch.ones(len(at), 3, dtype=torch.bool)
        if direction:
            drawn = torch.rand(3, generator=torch.Generator().manual_seed(direction)) < 1 / 2
            bits = drawn.expand(len(at), 3)
        weights = network.pointing(norms, 3, aligned=not direction, seed=direction)
        return network.block_gradients(weights, bits)[block]

    most = evaluated(lambda: theorem.GRADIENTS[block])
    return combined(lambda norm, bound: norm / bound, deterministic_measured(of, "direction"), most)


_REACHED = {"W1": sp.Rational(1, 8), "W2": sp.Rational(1, 4)}
"""Where the bound is loose on all weights tried: a covariance is bounded by spreads that do not occur together."""


def _block(block: str) -> Case:
    return Case(
        block,
        left=Quantity(
            f"norm of the output's gradient by {block} over its bound",
            _norm_of_gradient(block),
            rf"\|\nabla_{{{block}}} f\| / \mathrm{{bound}}",
        ),
        right=_REACHED.get(block, sp.Integer(1)),
        domain=lambda: Domain({norm: _SIZES[norm] for norm in NORM.values() if theorem.GRADIENTS[block].has(norm)}
                              | {_DIRECTION: Choices(aligned=0, random=1, another=2)}),
    )  # fmt: skip


gradient = deterministic_claim(
    label="sharpness.bound.deterministic.gradient",
    statement="For weights of the published layout with given Frobenius norms of the blocks, the gradient of the "
    "output by a block is at most the product of the norms that a change of this block passes through; at the random "
    "and aligned weights tried the gradient by W1 is at most 1/8 of it, and that by W2 1/4.",
    limitations=(
        "Measured at T = 3 for two norms of each block, at random directions and at aligned ones, which attain the "
        "bounds for V1, M, Gamma, F and V2 but for the part of c with W2.",
        "The bounds hold for all weights by the derivation, a share below 1 on these weights alone.",
    ),
    cases=tuple(_block(block) for block in theorem.GRADIENTS),
)


clip = deterministic_claim(
    label="sharpness.bound.deterministic.clip", kind="Tight", expected="proved",
    statement="The root of min(loss, M) changes by no more than the output does, for absolute errors e_s ≤ e_f "
    "and every clip M > 0.",
    left=theorem.CLIPPED_CHANGE, right=theorem.error_1 - theorem.error_2,
    domain=Domain({
        theorem.error_1: Reals(0, tested_to=10), theorem.error_2: Reals(0, theorem.error_1),
        theorem.RANGE: Reals(0, open_low=True, tested_to=10),
    }),
    equality=({"e_f": 2, "e_s": 1, "s_c": 3},),
)  # fmt: skip
