"""The law of losses on a circle of hypotheses is sub-Gaussian below its mean."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.measurements import by_columns
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes.symbols import rate
from boundaudit.numeric.pac_bayes import coverage as simulated

scales = Claim(
    label="pac_bayes.coverage.scales",
    statement="A loss that is 3j below its mean with probability 0.95 exp(-(3j)²/2) for j = 1 … 8, and else a little "
    "above it, is sub-Gaussian below its mean with constant 1: 2 ln(E exp(λ(R - ℓ)))/λ² ≤ 1 for every λ > 0.",
    left=Quantity(
        "2 ln(E exp(λ(R - ℓ)))/λ²", by_columns(simulated.spread, "lambda_n"),
        r"\frac{2}{\lambda^2} \ln \mathbb{E}\, e^{\lambda (R - \ell)}",
        rounding=1e-9,
    ),
    relation="<=",
    right=sp.Integer(1),
    domain=Domain({rate: Reals(0, open_low=True, tested_to=40)}),
    paper=PAPER,
    place=("Alquier",),
)  # fmt: skip
