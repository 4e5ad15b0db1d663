"""Theorem 11: operator norms of the attention weights and their products with tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp
import torch

from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Subsets, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.activations.shared import ONE_BIT, SQUARED, claim
from boundaudit.checks.sharpness.targets import POSITIVE, STEEP, TARGETS, batch_of
from boundaudit.derivations.sharpness import activations as theorem
from boundaudit.derivations.sharpness.parameters import D, T, c, omega
from boundaudit.numeric.sharpness.activations import operator_norms, shared_positions, sizes

_ANY_WIDTH = TARGETS.replace(u=STEEP, T=Integers(2, tested_to=12))
"""Attention weights do not depend on the trapezoid."""


def _operator(block: str, power: int = 1) -> Measure:
    return lambda points, device: operator_norms(batch_of(points, device))[block].cpu().numpy() ** power


def _product(name: str, power: int = 1) -> Measure:
    """A product with tokens or stream rows, the largest over the zero, the full and an alternating input."""

    def measure(points: Sequence[Point], device: str) -> Array:
        batch = batch_of(points, device)
        position = torch.arange(batch.max_length, device=device)
        patterns = torch.stack([position < 0, position >= 0, position % 2 == 0])
        found: Array = sizes(batch, patterns & batch.real_positions[:, None])[name].amax(-1).cpu().numpy() ** power
        return found

    return measure


v1_operator = claim(
    label="sharpness.activations.V1.operator",
    statement="V1 has operator norm one.",
    left=Quantity("operator norm of V1", _operator("V1"), r"\|V_1\|_{op}", sp.Integer(1)),
    relation="=",
    right=sp.Integer(1),
    domain=_ANY_WIDTH,
    reading="certain",
    expected="proved",
)

w1_token = claim(
    label="sharpness.activations.W1.token",
    statement="W1 maps the token of a component's row to a vector of norm 2 √D log T.",
    left=Quantity("largest norm of W1 x", _product("W1 x"), r"\max_t \|W_1 x_t\|", theorem.W1_TOKEN_BY_ENTRIES),
    relation="=",
    right=theorem.W1_TOKEN,
    domain=_ANY_WIDTH,
    expected="proved",
)


def _shared(points: Sequence[Point], device: str) -> Array:
    """2 log T times the root of the largest number of components that share a position."""
    length = np.array([p["T"] for p in points], dtype=np.float64)
    found: Array = 2 * np.log(length) * np.sqrt(shared_positions(batch_of(points, device)).cpu().numpy())
    return found


w1_key = claim(
    label="sharpness.activations.W1.key",
    statement="The product of a token with W1 from the left has norm up to 2 √q log T, where q components share a "
    "position.",
    left=Quantity("largest norm of x W1", _product("x W1"), r"\max_t \|x_t^\top W_1\|"),
    relation="=",
    right=Quantity("2 log T by the root of q", _shared, r"2 \sqrt{q} \log T"),
    domain=_ANY_WIDTH.replace(c=Vector(omega, Reals(0, open_low=True))),
    expected="supported",
)

_SEVERAL = Domain(
    {T: Integers(3, tested_to=12), D: Integers(1, T - 1), omega: Integers(2, T)}
    | {c: Vector(omega, Reals(0, open_low=True)), sp.Symbol("S"): Subsets(omega, D, T)}
)

w1_operator = claim(
    label="sharpness.activations.W1.operator",
    statement="The operator norm of W1 is at most 2 √(ωD) log T, its Frobenius norm.",
    left=Quantity("operator norm of W1", _operator("W1"), r"\|W_1\|_{op}"),
    relation="<=",
    right=theorem.W1_UPPER,
    domain=_SEVERAL,
    reading="plausible",
    expected="supported",
    rests_on=("sharpness.norms.W1.closed-form",),
    limitations=("Stated for two components or more; with one, both norms are the same.",),
)

_W2 = Quantity("squared operator norm of W2", _operator("W2", 2), r"\|W_2\|_{op}^2", theorem.W2_BY_ENTRIES)
_W2_X = Quantity(
    "squared norm of W2 times the output row", _product("W2 x", 2), r"\|W_2 x_{out}\|^2", theorem.W2_BY_ENTRIES
)

w2_rank = claim(
    label="sharpness.activations.W2.rank-one",
    statement="W2 has rank one at most: its squared operator norm is Σ (log c_t + 2 log T)².",
    left=_W2,
    relation="=",
    right=theorem.W2_BY_ENTRIES,
    domain=_ANY_WIDTH,
    reading="certain",
    expected="proved",
)

w2_printed = claim(
    label="sharpness.activations.W2.operator-printed",
    statement="The operator norm of W2 is at most 2 √ω log T for all positive coefficients in the unit ball.",
    left=_W2,
    relation="<=",
    right=theorem.W2_UPPER,
    domain=POSITIVE.replace(u=STEEP),
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.norms.W2.printed",),
    limitations=(
        SQUARED,
        "Read without a lower limit on the coefficients.",
    ),
)

w2_operator = claim(
    label="sharpness.activations.W2.operator",
    statement="The operator norm of W2 is at most 2 √ω log T where every coefficient lies between T⁻⁴ and 1.",
    left=_W2,
    relation="<=",
    right=theorem.W2_UPPER,
    domain=_ANY_WIDTH,
    kind="Tight",
    equality=(ONE_BIT,),
    reading="certain",
    expected="proved",
    rests_on=("sharpness.activations.W2.rank-one", "sharpness.norms.W2.upper"),
    limitations=(SQUARED,),
    repairs=("sharpness.activations.W2.operator-printed",),
)

w2_output = claim(
    label="sharpness.activations.W2.output",
    statement="W2 maps the output position's row to a vector of norm at most 2 √ω log T, whatever the input, where "
    "every coefficient lies between T⁻⁴ and 1.",
    left=_W2_X,
    relation="<=",
    right=theorem.W2_UPPER,
    domain=_ANY_WIDTH,
    kind="Tight",
    equality=(ONE_BIT,),
    reading="certain",
    expected="proved",
    limitations=(SQUARED,),
    rests_on=("sharpness.norms.W2.upper",),
)
