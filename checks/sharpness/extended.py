"""Beyond the paper: the construction for sets of several sizes and for negative coefficients."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Range, Reals, Vector
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.targets import BOTH, PAPER, by_trapezoid, of_targets, two_kinds
from boundaudit.derivations.sharpness import extended as theorem
from boundaudit.derivations.sharpness.extended import D_2, A, D_g, D_t, f_x, g_x, n_s, nu_2, omega_2, r_t
from boundaudit.derivations.sharpness.parameters import D, T, c, even, k, omega, u
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.mlp import Trapezoid, response
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import TargetBatch

_claim = functools.partial(Claim, paper=PAPER, place=("Section 2",), reading="derived here")
_BEYOND = "Beyond the paper, which treats sets of one size and positive coefficients."
_TWO_KINDS = (_BEYOND, "Stated for two kinds of components, each of one size and one sign.")


# --- one row of layer 1 ---------------------------------------------------------------------------

_COUNTS: dict[Any, Range] = {
    T: Integers(2, tested_to=24),
    D_t: Integers(1, T),
    D_g: Integers(D_t + 1, T + 1),
    k: Integers(0, D_t),
    r_t: Integers(0, T - D_t),
}
SHORT = Domain(_COUNTS)
"""Rows of components with fewer positions than the MLP has grid steps, by their counts of ones."""


def _short_rows(at: Columns) -> Tensor:
    """What the first row reads in networks of a component of size D_t beside one that needs D_g grid steps."""
    length, size, degree, inside, outside = map(at.whole, ("T", "D_t", "D_g", "k", "r_t"))
    positions = torch.arange(1, int(length.max()) + 1, device=at.device)
    # The other component has D_g positions or, where the input is too short, D_g - 1 and a negative coefficient.
    longest = torch.minimum(degree, length)
    members = torch.stack([positions <= size[:, None], positions <= longest[:, None]], dim=1)
    # A second copy of the same set is no target: there the component itself is the negative one.
    alone = longest == size
    members[alone, 1] = False
    first = torch.where(alone, -1.0, 1.0)
    second = torch.where(alone, 0.0, torch.where(longest < degree, -1.0, 1.0))
    batch = TargetBatch.from_tensors(length, members, torch.stack([first, second], dim=1))
    weights = build(batch, layout="extended").W1[:, : len(positions) + 1, 0].exp()
    real = torch.cat([batch.real_positions, torch.ones_like(alone)[:, None]], dim=1)
    attention = weights * real / (weights * real).sum(-1, keepdim=True)
    bits = torch.where(positions <= size[:, None], positions <= inside[:, None], positions <= (size + outside)[:, None])
    return (attention[:, :-1] * bits).sum(-1)


row_value = _claim(
    label="sharpness.extended.row.value",
    statement="The row of a component of size D_t < D_g that also attends to the output position as if D_g - D_t "
    "positions stood there reads k/D_g, shifted by (D_g r - k (T-D_t)) / (D_g (D_g T² + T-D_t)), at k ones inside its "
    "set and r outside.",
    left=Quantity("what a short row reads", measured(_short_rows), "s_t", theorem.ROW_BY_WEIGHTS, scale=1.0),
    relation="=",
    right=theorem.ROW,
    domain=SHORT,
    expected="proved",
    limitations=(_BEYOND,),
)

_SHIFT = Quantity(
    "shift of a short row", measured(lambda at: (_short_rows(at) - at.real("k") / at.real("D_g")).abs()),
    r"|s_t - k/D_g|", theorem.ROW_SHIFT, scale=1.0,
)  # fmt: skip

row_shift = _claim(
    label="sharpness.extended.row.shift",
    statement="The row of a component of size D_t below the degree D_g of the extended MLP is at most "
    "(T-D_t) / (D_g T² + T-D_t) away from its grid point, reached without ones inside its set and with nothing but "
    "ones outside.",
    left=_SHIFT,
    relation="<=",
    right=theorem.WORST_SHIFT,
    domain=SHORT,
    kind="Tight",
    equality=(
        {"T": 2, "D_t": 1, "D_g": 2, "k": 0, "r_t": 1},
        {"T": 6, "D_t": 2, "D_g": 3, "k": 0, "r_t": 4},
    ),
    expected="proved",
    rests_on=("sharpness.extended.row.value",),
    limitations=(_BEYOND,),
)

row_inside = _claim(
    label="sharpness.extended.row.inside",
    statement="The largest shift (T-D_t) / (D_g T² + T-D_t) of a row of size D_t < D_g is within the half-width "
    "1/(4 D_g) of the extended MLP's plateaus, at any length T from 2 on.",
    left=theorem.WORST_SHIFT,
    relation="<=",
    right=1 / (4 * D_g),
    domain=Domain({T: _COUNTS[T], D_t: _COUNTS[D_t], D_g: _COUNTS[D_g]}),
    expected="proved",
    rests_on=("sharpness.extended.row.shift",),
    limitations=(_BEYOND,),
)


@by_trapezoid
def _parity(at: Columns, mlp: Trapezoid) -> Tensor:
    """The MLP's output on a short row, a step further where the component is negative."""
    degree = at.whole("D_g")
    return response((_short_rows(at) + at.real("nu_2") / degree)[:, None], degree, mlp)[:, 0]


_SIGNS = Choices(positive=0, negative=1)


row_interpolation = _claim(
    label="sharpness.extended.row.interpolation",
    statement="On the row of a component of size D_t < D_g with k ones inside its set the extended MLP's output is the "
    "even-parity indicator of k, and of k+1 where the row reads it one grid step further: 1 - χ for a negative "
    "coefficient.",
    left=Quantity("g(s + nu/D_g)", _parity, r"g\left(s_t + \tfrac{\nu}{D_g}\right)", rounding=1e-11, scale=1.0),
    relation="=",
    right=even(k + nu_2),
    domain=Domain(_COUNTS | {T: Integers(2, tested_to=12), nu_2: _SIGNS, u: BOTH}),
    expected="supported",
    rests_on=("sharpness.extended.row.inside", "sharpness.mlp.plateaus"),
    limitations=(_BEYOND,),
)


# --- the leak of layer 2 --------------------------------------------------------------------------

_VALUES: dict[Any, Range] = {
    T: Integers(2, tested_to=24),
    omega: Integers(1, T),
    A: Reals(0, open_low=True, tested_to=16.0),
    n_s: Reals(0, 1),
    f_x: Reals(-n_s, 1 - n_s),
    g_x: Reals(0, 1),
}

leak_identity = _claim(
    label="sharpness.extended.leak.identity",
    statement="With all active rows on their plateaus the extended network errs by A (T+1-ω)(g - f) / (A T² + T+1-ω): "
    "A is the sum of the absolute values of the ω coefficients, f the target as a share of it, g the MLP's output on "
    "the other rows.",
    left=theorem.OUTPUT,
    relation="=",
    right=A * f_x + theorem.leaked(A * (g_x - f_x), A),
    domain=Domain(_VALUES),
    expected="proved",
    limitations=(_BEYOND,),
)

leak_upper = _claim(
    label="sharpness.extended.leak.upper",
    statement="With all active rows on their plateaus the extended network errs by at most "
    "A (1+n)(T+1-ω) / (A T² + T+1-ω), A the sum of the absolute values of the ω coefficients and n the share of the "
    "negative ones in it: reached where the target is lowest and the inactive rows are on a plateau at one.",
    left=sp.Abs(theorem.leaked(A * (g_x - f_x), A)),
    relation="<=",
    right=theorem.leaked(A * (1 + n_s), A),
    domain=Domain(_VALUES),
    kind="Tight",
    equality=(
        {"T": 6, "omega": 3, "A": 1, "n_s": 0, "f_x": 0, "g_x": 1},
        {"T": 6, "omega": 3, "A": 2, "n_s": sp.Rational(1, 2), "f_x": -sp.Rational(1, 2), "g_x": 1},
        {"T": 4, "omega": 1, "A": 1, "n_s": 1, "f_x": -1, "g_x": 1},
    ),
    expected="proved",
    rests_on=("sharpness.extended.leak.identity",),
    limitations=(_BEYOND,),
)

_KINDS: dict[Any, Range] = {
    T: Integers(3, tested_to=6),
    D: Integers(1, T - 1),
    D_2: Integers(1, T - 1),
    omega: Integers(2, T),
    omega_2: Integers(1, omega - 1),
    nu_2: _SIGNS,
    u: BOTH,
    c: Vector(omega, Reals(0, open_low=True, tested_to=16.0)),
}
KINDS = Domain(_KINDS)
"""Two kinds of components: sizes D and D_2, positive and of either sign, on windows of positions."""

_ENUMERATED = KINDS.replace(T=Integers(3, 5))
"""Lengths at which every input is tried at every point."""


def _largest_error(batch: TargetBatch, mlp: Trapezoid) -> Tensor:
    """The largest error over all inputs at λ = 2."""
    bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
    outputs = forward(build(batch, layout="extended", mlp=mlp), batch, bits)
    return (outputs - evaluate_batch(batch, bits)).abs().amax(-1)


error = _claim(
    label="sharpness.extended.error",
    statement="The extended network, for components of two sizes D and D_2 and of either sign, errs by at most "
    "(1+n)(T+1-ω)/T² at every input, T ≤ 5. Here n is the share of the negative coefficients in the sum of absolute "
    "values.",
    role="improvement",
    left=Quantity(
        "largest error over all inputs", of_targets(_largest_error, stack=two_kinds), r"\max_x |f_\Theta(x) - f(x)|",
        scale=1.0,
    ),
    relation="<=",
    right=theorem.ERROR,
    domain=_ENUMERATED,
    expected="supported",
    rests_on=("sharpness.extended.leak.upper", "sharpness.extended.row.interpolation"),
    limitations=_TWO_KINDS,
)  # fmt: skip


# --- norms ----------------------------------------------------------------------------------------
