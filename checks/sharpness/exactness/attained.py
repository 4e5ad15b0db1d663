"""Where the leak is attained: one component, at the input of ones after a zero or of zeros after a one."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.attention.shared import scales
from boundaudit.checks.sharpness.exactness.errors import LATER, claim, errors
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.parameters import T, c, omega
from boundaudit.numeric.sharpness.target import TargetBatch

_UPPER = ("sharpness.exactness.leak.identity",)
_PLATEAUS = ("sharpness.mlp.plateaus", "sharpness.exactness.plateau.margin[three]")


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
