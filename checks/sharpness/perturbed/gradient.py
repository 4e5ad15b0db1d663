"""Theorem 30: how far noise moves the gradient."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Probability, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.sharpness.perturbed.shared import (
    ANY_NOISE,
    COUNTED_WIDTH,
    EXHAUSTIVE,
    FIRST_ORDER,
    HALVINGS,
    LONG,
    NO_FLOOR,
    NOISE,
    PRINTED_WIDTH,
    SMALL,
    THREE,
    Network,
    exceeding,
    halved,
    noisy,
    one_by_one,
    over,
    stretched,
    stretched_by_floor,
)
from boundaudit.checks.sharpness.perturbed.shared import claim as any_claim
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import perturbed_gradient as theorem
from boundaudit.derivations.sharpness.parameters import D, T, d, omega
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, PRINTED, rate, three_components
from boundaudit.numeric.sharpness.autodiff import hessian
from boundaudit.numeric.sharpness.moments import finite, first_order, sampled

_claim = functools.partial(any_claim, place=("Theorem 30",))

_SIZES = Domain({T: Integers(2, tested_to=64), D: Integers(1, T), omega: Integers(1, T), d: Integers(1, tested_to=64)})
_WITHOUT_SIGMA = "Two terms stand without σ in the numbers that the formula was recovered from."

vanishes = _claim(
    label="sharpness.perturbed.gradient.vanishes",
    statement="Without noise the printed bound on the change of the gradient is zero.",
    left=theorem.WITHOUT_NOISE,
    relation="<=",
    right=sp.Integer(0),
    domain=_SIZES,
    reading="plausible",
    expected="refuted",
    limitations=(_WITHOUT_SIGMA,),
)

left_over = _claim(
    label="sharpness.perturbed.gradient.left-over",
    statement="Without noise the printed bound on the change of the gradient is 64√2 D² ω² log T (d+2).",
    left=theorem.WITHOUT_NOISE,
    relation="=",
    right=theorem.LEFT_OVER,
    domain=_SIZES,
    expected="proved",
    limitations=(_WITHOUT_SIGMA,),
)

restored = _claim(
    label="sharpness.perturbed.gradient.restored",
    statement="With σ in its two terms that lack it the bound on the change of the gradient is proportional to σ.",
    left=theorem.G_P,
    relation="=",
    right=sigma * theorem.G_P.subs(sigma, 1),
    domain=Domain({**dict(zip((T, D, omega, d), _SIZES.ranges.values(), strict=True)), sigma: NOISE}),
    expected="proved",
    repairs=("sharpness.perturbed.gradient.vanishes",),
)


def _frobenius(network: Network) -> float:
    return float(torch.linalg.matrix_norm(hessian(*network.single)))


FROBENIUS = one_by_one(_frobenius)
"""‖Hess f‖_F, the root mean square of the first-order change of the gradient for each unit of σ."""

_FACTOR = 100

second_moment = _claim(
    label="sharpness.perturbed.gradient.second-moment",
    statement="To first order the mean square of the change of the gradient is σ²‖Hess f‖_F², and G_p with σ restored "
    f"is at least {_FACTOR} times its root.",
    left=Quantity(
        "G_p with σ restored over the first-order change of the gradient", over(rate(theorem.G_P, COUNTED), FROBENIUS),
        r"\frac{G_p}{\sigma \|\nabla^2 f\|_F}", rounding=1e-9,
    ),
    relation=">=",
    right=sp.Integer(_FACTOR),
    domain=SMALL,
    mode=FIRST_ORDER,
    repairs=("sharpness.perturbed.gradient.every-noise",),
    limitations=(EXHAUSTIVE, COUNTED_WIDTH),
)  # fmt: skip


def _remainder(network: Network, size: float) -> Tensor:
    """|∇f̃ - ∇f - σ Hess f ε|."""
    noise = network.noise(0)
    law = first_order(network.blocks, network.batch, network.bits, noise).gradient
    change = finite(network.blocks, network.batch, network.bits, noise, size).gradient
    return torch.as_tensor(torch.linalg.vector_norm(change - size * law))


remainder = _claim(
    label="sharpness.perturbed.gradient.remainder",
    statement="What the first-order law leaves of the change of the gradient is of second order: it falls by four "
    "where the noise is halved.",
    left=Quantity(
        "remainder of the gradient at σ over that at σ/2", halved(_remainder),
        r"\frac{\|\nabla\tilde f - \nabla f - \sigma \nabla^2 f \epsilon\|(\sigma)}"
        r"{\|\nabla\tilde f - \nabla f - \sigma \nabla^2 f \epsilon\|(\sigma/2)}",
        rounding=0.05,
    ),
    relation="=",
    right=sp.Integer(4),
    domain=HALVINGS,
    mode=FIRST_ORDER,
    limitations=(EXHAUSTIVE, "One draw of the noise for each network; the budget of 5 % covers third order."),
)  # fmt: skip


def _changes(network: Network, size: float, draws: int, seed: int) -> Tensor:
    return sampled(*network.single, size, draws, seed).gradient


_BEYOND = Probability(
    "probability that the gradient moves by more than G_p with σ restored",
    exceeding(theorem.G_P.subs(d, COUNTED), _changes),
    r"\mathbb{P}[\|\nabla\tilde f - \nabla f\| > G_p]",
)

every_noise = _claim(
    label="sharpness.perturbed.gradient.every-noise",
    statement="However large the noise, it moves the gradient by more than G_p with σ restored with probability at "
    "most one half.",
    left=_BEYOND,
    relation="<=",
    right=sp.Rational(1, 2),
    domain=noisy(ANY_NOISE),
    mode="with probability at least 1-δ",
    reading="plausible",
    expected="refuted",
    limitations=(
        EXHAUSTIVE,
        COUNTED_WIDTH,
        "The statement drops terms of second order in σ; this reads it as an inequality at every σ.",
    ),
)

small_noise = _claim(
    label="sharpness.perturbed.gradient.small-noise",
    statement="Noise of at most 1/100 moves the gradient by more than G_p with σ restored with probability at most "
    "1/20.",
    left=_BEYOND,
    relation="<=",
    right=sp.Rational(1, 20),
    domain=noisy(NOISE),
    mode="with probability at least 1-δ",
    limitations=(EXHAUSTIVE, COUNTED_WIDTH),
)

without_floor = _claim(
    label="sharpness.perturbed.gradient.without-floor",
    statement="For any positive coefficients G_p with σ restored is at least one standard deviation of the first-order "
    "change of the gradient, seen along one direction of F on both sides.",
    left=stretched(2),
    relation="<=",
    right=three_components(rate(theorem.G_P, PRINTED)),
    domain=THREE,
    mode=FIRST_ORDER,
    reading="plausible",
    expected="refuted",
    limitations=(PRINTED_WIDTH, NO_FLOOR),
)

with_floor = _claim(
    label="sharpness.perturbed.gradient.with-floor",
    statement="For coefficients from T⁻⁴ to 1 G_p with σ restored is at least a thousand standard deviations of the "
    "first-order change of the gradient along that direction.",
    left=stretched_by_floor(2),
    relation="<=",
    right=rate(theorem.G_P, COUNTED) / 1000,
    domain=LONG,
    mode=FIRST_ORDER,
    expected="certified",
    repairs=("sharpness.perturbed.gradient.without-floor",),
    limitations=(COUNTED_WIDTH, "One direction only; the whole change is measured on small networks."),
)
