"""Theorems 6 and 12: the second-order expansion, its constant and its first-order term."""

from __future__ import annotations

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, measured
from boundaudit.checks.sharpness.bound.example import EACH
from boundaudit.checks.sharpness.bound.separate_prior_variance import LOSS
from boundaudit.checks.sharpness.exactness.errors import COEFFICIENT
from boundaudit.checks.sharpness.targets import STEEP
from boundaudit.checks.sharpness.taylor.shared import NOISE, ONE_BIT, claim, one_bit
from boundaudit.derivations.pac_bayes.symbols import sigma
from boundaudit.derivations.sharpness import taylor as theorem
from boundaudit.derivations.sharpness.parameters import T, u
from boundaudit.derivations.sharpness.taylor import L_COEFFICIENTS
from boundaudit.numeric import heat
from boundaudit.numeric.sharpness import taylor as network

# --- the constant ---------------------------------------------------------------------------------

_WITH_NOISE = Domain({T: Integers(3, tested_to=16), u: STEEP, **COEFFICIENT, sigma: NOISE})

_EXPECTED = Quantity(
    "mean loss with noise on the data entry of V2",
    one_bit(
        lambda batch, bits, at, mlp: network.loss_with_noisy_value(batch, bits, at.real("sigma"), mlp)
    ),
    r"\mathbb{E}\,L(\Theta + \varepsilon)", theorem.EXPECTED_LOSS, rounding=1e-11, scale=1.0,
)  # fmt: skip

printed = claim(
    label="sharpness.taylor.expansion.printed",
    statement="Let noise of standard deviation σ act on the data entry of V2. For a component {1} of weight C the mean "
    "loss of the construction at the input 01…1 is then σ²/2 times the second derivative: the loss without noise is "
    "zero.",
    left=_EXPECTED,
    relation="=",
    right=theorem.SECOND_ORDER,
    domain=_WITH_NOISE,
    role="printed",
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.exactness.loss.zero[finite]",),
    limitations=(
        "Noise on one entry alone, the data entry of V2: the loss is a parabola in it and the remainder is zero.",
        "The text derives the expansion at a point of zero loss; whether it displays the constant is not known.",
    ),
)

at_published_size = claim(
    label="sharpness.taylor.expansion.published",
    statement="The mean loss under noise of any size on all parameters is half σ² times the trace of the loss's "
    "Hessian plus Lagrange's remainder: the loss without noise, which Taylor's formula adds, is zero. This is checked "
    "over all inputs at T = 20, D = 2, ω = 10, coefficients 1/√10 and pairs of bits side by side.",
    relation="=",
    right=sp.S.Zero,
    role="printed",
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.exactness.loss.zero[finite]",),
    limitations=(
        "The loss without noise is 0.00020 (steep) and 0.00017 (wide) whatever σ is; at the published σ = 0.002265676 "
        "σ² G_u is 0.0797. Centred noise adds no term of first order; that no unit turns on or off is granted.",
    ),
    cases=tuple(Case(mlp, left=found, domain=Domain({u: EACH[mlp][1]})) for mlp, found in LOSS.items()),
)

constant = claim(
    label="sharpness.taylor.expansion.constant",
    statement="Let noise of standard deviation σ act on the data entry of V2. For a component {1} of weight C the mean "
    "loss of the construction at the input 01…1 is then the loss without noise plus σ²/2 times the second derivative.",
    left=_EXPECTED,
    relation="=",
    right=theorem.ONE_ERROR**2 + theorem.SECOND_ORDER,
    domain=_WITH_NOISE,
    expected="proved",
    repairs=("sharpness.taylor.expansion.printed", "sharpness.taylor.expansion.published"),
)

# --- the first-order term -------------------------------------------------------------------------

_SLOPE = Quantity(
    "derivative of the loss by the data entry of V2",
    one_bit(lambda batch, bits, at, mlp: network.loss_slope(batch, bits, mlp)),
    r"\partial L / \partial V_2", theorem.LOSS_SLOPE, rounding=1e-11, scale=1.0,
)  # fmt: skip

stationary = claim(
    label="sharpness.taylor.expansion.stationary",
    statement="The construction is a local minimum of the loss: at every input, such as 01…1 for a component {1} of "
    "weight C, the loss's derivative by the data entry of V2 is zero.",
    left=_SLOPE,
    relation="=",
    right=sp.Integer(0),
    domain=ONE_BIT,
    role="printed",
    reading="plausible",
    expected="refuted",
    rests_on=("sharpness.exactness.loss.zero[finite]",),
    limitations=(
        "Shown is one entry of the gradient at the input 01…1, for the loss at this input and not the mean over "
        "inputs.",
    ),
)


@measured
def polynomial(at: Columns) -> Tensor:
    """The mean of the polynomial with the coefficients L_n at σZ; absent ones are zero."""
    coefficients = torch.stack([at.real(f"L_{n}", 0) for n in range(len(L_COEFFICIENTS))], 1)
    return heat.polynomial_mean(coefficients, at.real("sigma"))


first_order = claim(
    label="sharpness.taylor.expansion.first-order",
    statement="Terms of first and third order have mean zero under centred noise, so that the expansion needs no local "
    "minimum. For the loss L_0 + L_1 u + L_2 u² + L_3 u³ of one parameter the mean under noise σZ is L_0 + σ² L_2.",
    left=Quantity(
        "mean of a cubic", polynomial, r"\mathbb{E} \sum_{n \le 3} L_n (\sigma Z)^n", theorem.CUBIC_MEAN,
        rounding=1e-11, scale=1e2,
    ),
    relation="=",
    right=theorem.SECOND_ORDER_OF_CUBIC,
    domain=Domain({**{a: Reals() for a in L_COEFFICIENTS[:4]}, sigma: NOISE}),
    expected="proved",
    repairs=("sharpness.taylor.expansion.stationary",),
)  # fmt: skip
