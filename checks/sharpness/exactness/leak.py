"""Layer 2: the error that its leak makes, at every input."""

from __future__ import annotations

from torch import Tensor

from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.attention.shared import scales
from boundaudit.checks.sharpness.exactness.errors import (
    COEFFICIENT,
    ENUMERATED,
    FAMILY,
    LATER,
    SHORT,
    claim,
    errors,
    leaked,
    over_inputs,
)
from boundaudit.checks.sharpness.targets import batch_of, by_trapezoid, input_bits
from boundaudit.derivations.sharpness import exactness as theory
from boundaudit.derivations.sharpness.attention import INACTIVE, lam
from boundaudit.derivations.sharpness.exactness import f, g, x
from boundaudit.derivations.sharpness.parameters import T, omega
from boundaudit.numeric.sharpness import attention as network
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

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

_MEASURED = Domain({T: Integers(3, tested_to=20), x: Integers(0, 2**T - 1), **FAMILY})


def _inputs(at: Columns) -> tuple[TargetBatch, Tensor]:
    """The targets and, of each, the input whose bits spell the number x, position 1 first."""
    batch = batch_of(at)
    return batch, input_bits(at.whole("x"), batch).bool()


@by_trapezoid
def _error(at: Columns, mlp: Trapezoid) -> Tensor:
    return errors(*_inputs(at), scales(at), mlp)


@by_trapezoid
def _predicted(at: Columns, mlp: Trapezoid) -> Tensor:
    """The error by the identity, from the target's value and the MLP's output on the output position's row."""
    batch, bits = _inputs(at)
    return leaked(batch, bits[:, None], mlp)[:, 0]


leak_measured = claim(
    label="sharpness.exactness.leak.measured",
    statement="From T = 3 on the network errs at every input x by exactly (T+1-ω)(C g - f(x))/(C T² + T+1-ω), g the "
    "MLP's output on rows without a component, for every target f of degree D < T and with either trapezoid: the "
    "second layer's leak is its only error.",
    left=Quantity("error at an input", _error, r"f_\Theta(x) - f(x)", rounding=1e-11, scale=1.0),
    relation="=",
    right=Quantity(
        "error by the identity", _predicted, r"\frac{(T+1-\omega)(C g - f(x))}{C T^2 + T+1-\omega}",
        rounding=1e-11, scale=1.0,
    ),
    domain=_MEASURED,
    expected="supported",
    rests_on=("sharpness.exactness.leak.identity", "sharpness.exactness.plateau.margin[three]",
              "sharpness.mlp.plateaus"),
)  # fmt: skip

leak_networks = claim(
    label="sharpness.exactness.leak.networks",
    statement="For 3 ≤ T ≤ 6 the network's largest error over all inputs is at most (T+1-ω)/T², for every target of "
    "degree D < T with ω components, whatever the coefficients, and with either trapezoid.",
    left=Quantity("largest error", over_inputs(lambda errors: errors.abs().amax(-1)), r"\max_x |f_\Theta(x) - f(x)|"),
    relation="<=",
    right=INACTIVE / T**2,
    domain=SHORT,
    place=("Appendix B", *LATER),
    expected="supported",
    rests_on=("sharpness.exactness.leak.upper", "sharpness.exactness.leak.measured"),
    repairs=("sharpness.exactness.loss.zero[finite]",),
    limitations=(ENUMERATED,),
)
