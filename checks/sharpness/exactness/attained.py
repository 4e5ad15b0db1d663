"""Where the leak is attained: bits as components, at the input of ones after a zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sympy as sp
import torch

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.exactness.shared import (
    COEFFICIENT,
    LATER,
    claim,
    column,
    reals,
    scales,
)
from boundaudit.checks.sharpness.targets import BOTH, batch_of, by_trapezoid
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.attention import C
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness import leak
from boundaudit.numeric.sharpness.mlp import Trapezoid


def zero_then_ones(points: Sequence[Point], device: str, mlp: Trapezoid, *, full: bool = False) -> Array:
    """Target minus network where the first bit is zero and all others are one, for bits as components."""
    length = column(points, "T", device)
    if full:
        batch = batch_of([{**point, "S": tuple((n + 1,) for n in range(point["T"]))} for point in points], device)
    else:
        batch = network.leading(length, torch.ones_like(length), reals(points, "C", device))
    bits = torch.arange(batch.max_length, device=device).expand(len(points), -1) > 0
    two = scales(points, device)
    found: Array = -leak.errors(batch, bits[:, None], two, two, mlp)[:, 0].cpu().numpy()
    return found


def _bit_error(mlp: Trapezoid, width: int) -> Quantity:
    return Quantity(
        f"target minus {mlp} network at 01…1", lambda points, device: zero_then_ones(points, device, mlp),
        r"f(01\ldots1) - f_\Theta(01\ldots1)", -theory.error_of_a_bit(width), rounding=1e-11, scale=1.0,
    )  # fmt: skip


_BIT = {"steep": _bit_error("steep", 1), "wide": _bit_error("wide", 2)}


def _attained(mlp: str, least: int) -> Claim:
    return claim(
        label=f"sharpness.exactness.leak.attained-{mlp}",
        statement=f"For one bit as component and the {mlp} trapezoid the input that is zero there and one at all "
        f"others attains the leak from T = {least} on.",
        left=_BIT[mlp],
        relation="=",
        right=theory.BIT_LEAK,
        domain=Domain({T: Integers(least, tested_to=24), **COEFFICIENT}),
        expected="proved",
        rests_on=("sharpness.exactness.leak.identity",),
    )


attained_steep, attained_wide = _attained("steep", 3), _attained("wide", 7)

_SMALL_SETS = Domain({T: Integers(3, tested_to=16), D: Integers(1, (T + 1) / 4), u: BOTH, **COEFFICIENT})


def _one_then_zeros(points: Sequence[Point], device: str) -> Array:
    """Network minus target at the input 10…0, for the component {1…D}."""

    def of(chosen: Sequence[Point], mlp: Trapezoid) -> torch.Tensor:
        length, degree = column(chosen, "T", device), column(chosen, "D", device)
        batch = network.leading(length, degree, reals(chosen, "C", device))
        bits = torch.arange(batch.max_length, device=device).expand(len(chosen), -1) == 0
        two = scales(chosen, device)
        return leak.errors(batch, bits[:, None], two, two, mlp)[:, 0]

    return by_trapezoid(points, of)


attained = claim(
    label="sharpness.exactness.leak.attained",
    statement="For one component of D ≤ (T+1)/4 positions the input with a single one, inside it, attains the leak "
    "with either trapezoid: the target is zero there and all other rows carry the MLP's output one.",
    left=Quantity(
        "network minus target at 10…0", _one_then_zeros, r"f_\Theta(10\ldots0) - f(10\ldots0)", theory.ERROR_AT_ONE_BIT,
        rounding=1e-11, scale=1.0,
    ),
    relation="=",
    right=theory.BIT_LEAK,
    domain=_SMALL_SETS,
    expected="certified",
    rests_on=("sharpness.exactness.leak.identity", "sharpness.mlp.plateau-one", "sharpness.mlp.plateau-zero"),
)  # fmt: skip

leak_one = claim(
    label="sharpness.exactness.leak.one-component",
    statement="For one bit with coefficient one the steep network's largest error is exactly 1/(T+1): the error "
    "where that bit is zero and all others are one.",
    left=replace(_BIT["steep"], definition=_BIT["steep"].definition.subs(C, 1)),
    relation="=",
    right=1 / (T + 1),
    domain=Domain({T: Integers(3, tested_to=24)}),
    expected="proved",
    rests_on=("sharpness.exactness.leak.attained-steep", "sharpness.exactness.leak.upper"),
)

leak_small = claim(
    label="sharpness.exactness.leak.small-coefficients",
    statement="With a coefficient of at most 1/T the error reaches half of the target's largest value.",
    left=_BIT["steep"],
    relation=">=",
    right=C / 2,
    domain=Domain({T: Integers(3, tested_to=24), C: Reals(0, 1 / T, open_low=True)}),
    kind="Tight",
    equality=({"T": 4, "C": sp.Rational(1, 4)},),
    expected="proved",
    rests_on=("sharpness.exactness.leak.attained-steep",),
)

representable = claim(
    label="sharpness.exactness.representable.all-bits",
    statement="Even where every position has a component the network is not exact: for all T bits as components and "
    "the steep trapezoid, the input that is zero at the first bit alone errs by c_1/(C T² + 1).",
    left=Quantity(
        "target minus steep network at 01…1, all bits components",
        lambda points, device: zero_then_ones(points, device, "steep", full=True),
        r"f(01\ldots1) - f_\Theta(01\ldots1)", -theory.error_of_all_bits(), rounding=1e-11, scale=1.0,
    ),
    relation="=",
    right=theory.ALL_BITS_ERROR,
    domain=Domain({T: Integers(3, tested_to=16), omega: Integers(T, T),
                   c: Vector(omega, Reals(0, open_low=True, tested_to=2))}),
    place=("Appendix B", *LATER),
    expected="proved",
    rests_on=("sharpness.exactness.leak.identity",),
)  # fmt: skip
