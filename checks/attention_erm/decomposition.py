"""Conjecture E.1 for one token: what the parts of the error are, mode by mode."""

from __future__ import annotations

import functools
import math

import sympy as sp
import torch

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.attention_erm.measured import distance
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import estimated
from boundaudit.derivations.attention_erm import decomposition as theory
from boundaudit.derivations.attention_erm.symbols import c_erm, f_erm, x_erm
from boundaudit.numeric.attention_erm.fixed_points import thresholded_error
from boundaudit.numeric.attention_erm.power_law import decompose

_claim = functools.partial(Claim, paper=PAPER, place=("Conjecture E.1",))
_MODES = Domain({x_erm: Reals(1), c_erm: Reals(0)})

mode = _claim(
    label="attention_erm.decomposition.mode",
    statement="Let a mode x = θ/δ ≥ 1 be learned as x + 1/x - c, in units of δ and with the threshold ε = cδ. Its "
    "squared error is 2 - 1/x² + (c - 2/x)². No function of the outlier avoids the first part, 2 - 1/x²; the second "
    "is the square of what the threshold misses of 2/x. At ε = 2δ they are together 6 - 8/x + 3/x².",
    left=theory.MODE,
    relation="=",
    right=theory.MODE_CLOSED,
    domain=_MODES,
    expected="proved",
)


# --- finite dimension -----------------------------------------------------------------------------

_DIMENSION, _DRAWS = 128, 256


@functools.cache
def _distance(largest: int) -> tuple[float, float]:
    """Relative distance of the error of drawn maps to the sum of its parts, q = 2^largest, ε = 2δ."""
    eigenvalues = math.sqrt(_DIMENSION) / torch.arange(1, _DIMENSION + 1, dtype=torch.float64)
    delta = math.sqrt(_DIMENSION) / 2**largest
    drawn = thresholded_error(eigenvalues, delta, 2 * delta, _DRAWS, torch.Generator().manual_seed(0))
    return distance(drawn / decompose(eigenvalues, delta, 2 * delta).total, 1)


total = _claim(
    label="attention_erm.decomposition.total",
    statement="The errors of learned noise, of modes that are not learned and of modes that are add up to that of "
    "ReLU(S₀ + δZ - ε) to within 3 % at d = 128, for the eigenvalues √d/i, δ = √d/2, √d/4 and √d/8 and ε = 2δ.",
    left=estimated(
        "relative distance of the error to the sum of its parts",
        lambda point: _distance(int(point["f_erm"])),
        r"|E / (E_{\mathrm{over}} + E_{\mathrm{under}} + E_{\mathrm{approx}}) - 1|", scale=1.0,
    ),
    right=sp.Rational(3, 100),
    domain=Domain({f_erm: Integers(1, 3)}),
    rests_on=(mode.label,),
    limitations=("Exact for d → ∞ with few modes above the noise; means over 256 draws.",),
)  # fmt: skip
