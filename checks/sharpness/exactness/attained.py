"""Where the leak is attained: one component, at the input of ones after a zero or of zeros after a one."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.measurements import Columns, combined, completed, measured
from boundaudit.checks.sharpness.attention.shared import scales
from boundaudit.checks.sharpness.exactness.shared import COEFFICIENT, LATER, claim, error_at, errors
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.parameters import D, T, c, omega, u
from boundaudit.numeric.sharpness.target import TargetBatch


def _at_ones(**more: int) -> Measure:
    """Target minus network for the component {1} where the first bit is zero and all others are one."""
    return combined(lambda error: -error, completed(error_at, lambda p: {"D": 1, "k": 0, "r": p["T"] - 1, **p, **more}))


_AT_ONE = completed(error_at, lambda p: {**p, "k": 1, "r": 0})
"""Network minus target at the input 10…0, for the component {1…D}."""


def _bit(width: int, name: str, measure: Callable[..., Array]) -> Quantity:
    return Quantity(
        f"target minus {name} network at 01…1", measure, r"f(01\ldots1) - f_\Theta(01\ldots1)",
        lambda: -theory.error_of_a_bit(width), rounding=1e-11, scale=1.0,
    )  # fmt: skip


_UPPER = ("sharpness.exactness.leak.identity",)
_PLATEAUS = ("sharpness.mlp.plateaus", "sharpness.exactness.plateau.margin[three]")

attained = claim(
    label="sharpness.exactness.attained.leak",
    statement="For one component with coefficient C the network's largest error is exactly the leak C/(C T + 1), which "
    "is half of the target or more where C ≤ 1/T: for one bit as component it errs by that much where this bit is zero "
    "and all others are one, from T = 3 on with the steep and from T = 7 on with the wide trapezoid.",
    relation="=",
    right=theory.BIT_LEAK,
    cases=(
        Case("steep", left=_bit(1, "steep", _at_ones()),
             domain=Domain({T: Integers(3, tested_to=24), u: STEEP, **COEFFICIENT})),
        Case("wide", left=_bit(2, "wide", _at_ones()),
             domain=Domain({T: Integers(7, tested_to=24), u: WIDE, **COEFFICIENT})),
        Case(
            "small-sets",
            statement="For one component of D ≤ (T+1)/4 positions with coefficient C the input with a single one, "
            "inside it, attains the leak C/(C T + 1) with either trapezoid: the target is zero there and all other "
            "rows carry the MLP's output one.",
            left=Quantity("network minus target at 10…0", _AT_ONE, r"f_\Theta(10\ldots0) - f(10\ldots0)",
                          theory.error_at_one_bit, rounding=1e-11, scale=1.0),
            domain=Domain({T: Integers(3, tested_to=16), D: Integers(1, (T + 1) / 4), u: BOTH, **COEFFICIENT}),
            expected="supported",
        ),
    ),
    expected="proved",
    rests_on=(*_UPPER, "sharpness.exactness.leak.upper", *_PLATEAUS),
)  # fmt: skip


@measured
def _all_bits(at: Columns) -> Tensor:
    """Target minus network at 01…1, every bit a component, steep."""
    length = at.whole("T")
    position = torch.arange(int(length.max()), device=at.device)
    batch = TargetBatch.from_tensors(length, torch.diag_embed(position < length[:, None]), at.real("c"))
    bits = position.expand(len(at), -1) > 0
    return -errors(batch, bits, scales(at), "steep")


representable = claim(
    label="sharpness.exactness.representable.all-bits",
    statement="Even where every position has a component the network is not exact: for all T bits as components, "
    "c_t their coefficients, C the sum, and the steep trapezoid, the input that is zero at the first bit alone errs by "
    "c_1/(C T² + 1).",
    left=Quantity(
        "target minus steep network at 01…1, all bits components", _all_bits, r"f(01\ldots1) - f_\Theta(01\ldots1)",
        lambda: -theory.error_of_all_bits(), rounding=1e-11, scale=1.0,
    ),
    relation="=",
    right=theory.ALL_BITS_ERROR,
    domain=Domain({T: Integers(3, tested_to=16), omega: Integers(T, T),
                   c: Vector(omega, Reals(0, open_low=True, tested_to=2))}),
    place=("Appendix B", *LATER),
    expected="proved",
    rests_on=(*_UPPER, *_PLATEAUS),
)  # fmt: skip
