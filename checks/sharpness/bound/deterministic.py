"""A bound for the parameters themselves, from norm and loss on the sample alone: no sharpness and no Gibbs risk."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp
import torch

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Reals
from boundaudit.checks.language.floats import Array, evaluate_float
from boundaudit.checks.language.points import Point, columns
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.sharpness.bound import deterministic as theorem
from boundaudit.derivations.sharpness.bound.deterministic import NORM, R_b
from boundaudit.numeric.sharpness.bound import deterministic as measured
from boundaudit.numeric.sharpness.norms import norms_squared
from boundaudit.numeric.sharpness.target import Target, TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))
_INTERPOLATION = "For every learner with this norm and this loss on the sample; no Gibbs risk, no flatness."
_DIRECTION = sp.Symbol("direction")
_SEVERAL = Choices(half=sp.Rational(1, 2), two=2)
_SIZES = dict.fromkeys(NORM.values(), _SEVERAL) | {
    NORM["Gamma"]: Choices(none=0, one=1), NORM["W2"]: Choices(weak=sp.Rational(1, 1000), strong=10),
}  # fmt: skip
_ORDER = ("W1", "V1", "M", "Gamma", "F", "W2", "V2")
_STRONG = 10.0
"""The norm of what a bound does not read: attention of this size picks one key; for W1's own gradient it must not."""


def _norm_of_gradient(block: str) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        values = np.empty(len(points))
        for direction in {p["direction"] for p in points}:
            chosen = [n for n, p in enumerate(points) if p["direction"] == direction]
            values[chosen] = _gradients([points[n] for n in chosen], direction, block)
        return np.asarray(values / evaluate_float(_BOUNDS[block], columns(points)))

    return measure


def _gradients(points: Sequence[Point], direction: int, block: str) -> Array:
    """Weights of the points' norms, at the input of ones where they are aligned, else at a random one."""
    unread = 1.0 if block == "W1" else _STRONG
    norms = torch.tensor([[float(p.get(f"n_{name}", unread)) for name in _ORDER] for p in points], dtype=torch.float64)
    bits = torch.ones(len(points), 3, dtype=torch.bool)
    if direction:
        bits = torch.rand(bits.shape, generator=torch.Generator().manual_seed(direction)) < 1 / 2
    weights = measured.pointing(norms, 3, aligned=not direction, seed=direction)
    return np.asarray(measured.block_gradients(weights, bits)[block].numpy())


_BOUNDS = {block: to_tree(bound) for block, bound in theorem.GRADIENTS.items()}
_REACHED = {"W1": sp.Rational(1, 8), "W2": sp.Rational(1, 4)}
"""Where the bound is loose on all weights tried: a covariance is bounded by spreads that do not occur together."""


def _block(block: str) -> Claim:
    share = _REACHED.get(block, sp.Integer(1))
    return claim(
        label=f"sharpness.bound.deterministic.gradient.{block}",
        statement=f"At random and aligned weights the gradient of the output by {block} is at most "
        + ("" if share == 1 else f"{share} of ")
        + "the product of norms that a change of this block passes through.",
        left=Quantity(
            f"norm of the output's gradient by {block} over its bound", _norm_of_gradient(block),
            rf"\|\nabla_{{{block}}} f\| / \mathrm{{bound}}",
        ),
        relation="<=",
        right=share,
        domain=Domain({norm: _SIZES[norm] for norm in NORM.values() if theorem.GRADIENTS[block].has(norm)}
                      | {_DIRECTION: Choices(aligned=0, random=1, another=2)}),
        limitations=("Measured at T = 3 for two norms of each block, at random directions and at aligned ones, which "
                     "attain the bounds for V1, M, Gamma, F and V2 but for the part of c with W2.",
                     "The bounds hold for all weights by the derivation, a share below 1 on these weights alone."),
    )  # fmt: skip


gradient_claims = tuple(_block(block) for block in theorem.GRADIENTS)
_GRADIENTS = tuple(one.label for one in gradient_claims)

monomial = claim(
    label="sharpness.bound.deterministic.monomial",
    statement="On a sphere a product of powers of norms is largest where the squares stand as the exponents: "
    "here x y².",
    left=NORM["V1"] * (R_b**2 - NORM["V1"] ** 2),
    relation="<=",
    right=theorem.largest_monomial(1, 2),
    domain=Domain({R_b: Reals(0, open_low=True), NORM["V1"]: Reals(0, R_b)}),
    kind="Tight",
    equality=({"R_b": sp.sqrt(3), "n_V1": 1},),
    expected="certified",
    limitations=("The inequality of weighted means; one monomial of many is checked here.",),
)


@functools.cache
def _coefficients() -> list[tuple[int, float]]:
    """The powers of R in the symbolic expansion, with their coefficients to 30 digits rounded."""
    return [(int(power), float(sp.N(a, 30))) for (power,), a in theorem.lipschitz_squared().as_poly(R_b).terms()]


def _expanded(points: Sequence[Point], device: str) -> Array:
    radius = np.array([float(p["R_b"]) for p in points])
    return np.asarray(np.sum([a * radius**power for power, a in _coefficients()], axis=0))


lipschitz = claim(
    label="sharpness.bound.deterministic.lipschitz",
    statement="The sum of the monomials' largest values, from products of exponents, is the same polynomial in the "
    "radius as from symbolic expansion.",
    left=Quantity(
        "squared bound on the gradient in a ball",
        lambda points, device: np.array([measured.largest_gradient(float(p["R_b"])) ** 2 for p in points]),
        r"\mathrm{Lip}(R)^2", rounding=1e-11,
    ),
    relation="=",
    right=Quantity(
        "sum of the largest values of the expanded monomials", _expanded, r"\sum_a q_a \max x^a", rounding=1e-11
    ),
    domain=Domain({R_b: Reals(0, open_low=True)}),
    rests_on=(*_GRADIENTS, "sharpness.bound.deterministic.monomial"),
)  # fmt: skip

clip = claim(
    label="sharpness.bound.deterministic.clip",
    statement="The root of min(loss, M) changes by no more than the output does.",
    left=theorem.CLIPPED_CHANGE,
    relation="<=",
    right=theorem.error_1 - theorem.error_2,
    domain=Domain({
        theorem.error_1: Reals(0, tested_to=10), theorem.error_2: Reals(0, theorem.error_1),
        theorem.RANGE: Reals(0, open_low=True, tested_to=10),
    }),
    kind="Tight",
    equality=({"e_f": 2, "e_s": 1, "s_c": 3},),
    expected="certified",
)  # fmt: skip


@functools.cache
def _norm() -> float:
    """‖θ‖² of the construction at T = 20 for ten pairs, steep."""
    pairs = tuple((2 * t + 1, 2 * t + 2) for t in range(10))
    batch = TargetBatch.stack([Target(20, pairs, (10**-0.5,) * 10)])
    return float(norms_squared(batch)["total"])


@functools.cache
def _bound(samples: int, risk: float) -> float:
    return measured.deterministic(_norm(), 2014, samples=samples, delta=0.05, risk=risk).value


def _value(risk: float) -> Measure:
    return lambda points, device: np.array([_bound(p["m"], risk) for p in points])


def _at(name: str, risk: float, bound: sp.Expr, words: str, domain: Domain, **more: Any) -> Claim:
    return claim(
        label=f"sharpness.bound.deterministic.{name}",
        statement=f"At T = 20, D = 2, ω = 10 every learner with at most the construction's norm and {words} on a "
        f"million samples, ten or a hundred million has E min(loss, 1) below {sp.N(bound, 3)}, with "
        "probability at least 0.95.",
        left=Quantity("bound for θ itself", _value(risk), r"\left(\sqrt{\mathrm{kl}^{-1}} + \kappa\right)^2"),
        relation="<=",
        right=bound,
        domain=domain,
        mode="with probability at least 1-δ",
        rests_on=("sharpness.bound.deterministic.lipschitz", "sharpness.bound.deterministic.clip",
                  "sharpness.taylor.simpler.minkowski"),
        limitations=(_INTERPOLATION, "p = 2014, ‖θ‖² = 1492.694 (steep), M = 1, δ = 0.05.",
                     "An informative value: the best constant has 0.23535."),
        **more,
    )  # fmt: skip


_MILLION = Domain({m: Choices(million=10**6, ten=10**7, hundred=10**8)})
interpolating = _at("interpolating", 0.0, sp.Rational(870, 10**4), "loss 0", _MILLION)
nearly = _at("nearly", 2.00444e-4, sp.Rational(887, 10**4), "the construction's own loss 2.00443e-4", _MILLION)
