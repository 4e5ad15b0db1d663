"""Layer 2: the error that its leak makes, at every input."""

from __future__ import annotations

from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.attention.shared import scales
from boundaudit.checks.sharpness.exactness.errors import (
    COEFFICIENT,
    claim,
)
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.attention import lam
from boundaudit.derivations.sharpness.exactness import f, g
from boundaudit.derivations.sharpness.parameters import T, omega
from boundaudit.numeric.sharpness import attention as network

_VALUES = {f: Reals(0, 1), g: Reals(0, 1)}
_ABSTRACT = Domain({T: Integers(2, tested_to=24), omega: Integers(1, T), **COEFFICIENT, **_VALUES,
                    lam: Integers(1, tested_to=6)})  # fmt: skip


@measured
def _error_by_weights(at: Columns) -> Tensor:
    """The second layer's weights on given values: C on the share f of the active rows, C g on all others."""
    total, f, g = map(at.real, "Cfg")
    batch = network.single_bits(at.whole("T"), at.whole("omega"), total)
    unused = (network.second_weights(batch, scales(at)) * network.unused_rows(batch)).sum(-1)
    return total * ((1 - unused) * f + unused * g - f)


leak_identity = claim(
    label="sharpness.exactness.leak.identity",
    statement="Where all rows with a component are exact and all others carry the same MLP output g, the network errs "
    "by C (T+1-ω)(g - f)/(C T^λ + T+1-ω), C the sum of the coefficients and f the target as a share of it.",
    left=Quantity(
        "error by weights", _error_by_weights, r"C f \sum_{t \le \omega} a_2[t] + C g \sum_{t > \omega} a_2[t] - C f",
        theory.ERROR_BY_WEIGHTS, scale=1.0,
    ),
    relation="=",
    right=theory.ERROR,
    domain=_ABSTRACT,
    expected="proved",
    rests_on=("sharpness.attention.second.weights",),
)  # fmt: skip

leak_upper = claim(
    label="sharpness.exactness.leak.upper",
    statement="The error of the second layer is at most the leak C(T+1-ω)/(C T^λ + T+1-ω), C the sum of the "
    "coefficients, since the target's share f of C and the output g on rows without a component lie in [0, 1].",
    left=lambda: theory.ERROR_SIZE,
    relation="<=",
    right=theory.LEAK,
    domain=_ABSTRACT,
    kind="Tight",
    equality=({"T": 3, "omega": 1, "C": 1, "f": 1, "g": 0, "lambda": 2},
              {"T": 3, "omega": 2, "C": 1, "f": 0, "g": 1, "lambda": 2}),
    expected="proved",
    rests_on=("sharpness.exactness.leak.identity", "sharpness.mlp.range"),
)  # fmt: skip
