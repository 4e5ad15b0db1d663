"""Relative entropies between Gaussians: closed forms against the densities, and the prior's best variance."""

from __future__ import annotations

import functools

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import by_columns
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes import gaussian as theory
from boundaudit.derivations.pac_bayes.gaussian import N_s, theta_n
from boundaudit.derivations.pac_bayes.symbols import N_2, p_n, sigma, sigma_0
from boundaudit.numeric.pac_bayes import decoupled_kl, tied_kl

_claim = functools.partial(Claim, paper=PAPER, place=("Gaussian",))
_NOISE = Reals(0, open_low=True, tested_to=4)
_NORM = Reals(0, open_low=True, tested_to=2000)
_COUNT = Integers(1, tested_to=2014)
_SIZES = Reals(sp.Rational(1, 10), 4)


def _by_quadrature(shift: Tensor, narrow: Tensor, wide: Tensor) -> Tensor:
    """The mean log ratio of two densities, by a Gaussian quadrature rule that is exact for polynomials."""
    nodes, weights = (torch.from_numpy(part).to(shift) for part in np.polynomial.hermite_e.hermegauss(24))
    x = shift[:, None] + narrow[:, None] * nodes
    ratio = (wide / narrow).log()[:, None] - ((x - shift[:, None]) / narrow[:, None]) ** 2 / 2
    return (ratio + (x / wide[:, None]) ** 2 / 2) @ (weights / weights.sum())


one = _claim(
    label="pac_bayes.gaussian.one",
    statement="One coordinate: the mean under N(θ, σ²) of the log ratio of the densities of N(θ, σ²) and N(θ_0, τ²) "
    "is ½((θ-θ_0)²/τ² + σ²/τ² - 1 - ln(σ²/τ²)).",
    left=Quantity(
        "mean log ratio of two Gaussian densities", by_columns(_by_quadrature, "theta_n", "sigma", "tau_0"),
        r"\mathrm{KL}(N(\theta, \sigma^2) \| N(\theta_0, \tau^2))",
        theory.one_by_moments, rounding=1e-11, scale=100.0,
    ),
    relation="=",
    right=theory.ONE,
    domain=Domain({theta_n: Reals(tested_to=10), sigma: _SIZES, sigma_0: _SIZES}),
    expected="proved",
)  # fmt: skip


shared = _claim(
    label="pac_bayes.gaussian.shared",
    statement="The relative entropy of the posterior N(θ, σ² I) to the prior N(0, σ² I), which share their variance, "
    "is ‖θ‖²/(2σ²), however many parameters there are.",
    role="printed",
    left=Quantity(
        "relative entropy of p coordinates with equal variances", by_columns(tied_kl, "N_2", "sigma"),
        r"\mathrm{KL}(N(\theta, \sigma^2 I) \| N(0, \sigma^2 I))", theory.general(N_2, sigma**2), rounding=1e-11,
    ),
    relation="=",
    right=theory.SHARED,
    domain=Domain({p_n: _COUNT, N_2: _NORM, sigma: _NOISE}),
    expected="proved",
    rests_on=("pac_bayes.gaussian.one",),
)  # fmt: skip

value = _claim(
    label="pac_bayes.gaussian.separate.value",
    statement="Let the posterior be N(θ, σ² I) on p parameters with ‖θ‖² = L, and let the prior N(0, τ² I) have a "
    "variance of its own, τ² = σ² + L/p. The relative entropy of posterior to prior is (p/2) ln(1 + L/(pσ²)).",
    left=Quantity(
        "relative entropy to a prior with a variance of its own", by_columns(decoupled_kl, "N_2", "sigma", "p_n"),
        r"\mathrm{KL}(N(\theta, \sigma^2 I) \| N(0, (\sigma^2 + L/p) I))",
        theory.general(N_2, theory.BEST_VARIANCE), rounding=1e-10, scale=1.0,
    ),
    relation="=",
    right=theory.SEPARATE,
    domain=Domain({p_n: _COUNT, N_2: _NORM, sigma: _NOISE}),
    expected="proved",
    rests_on=("pac_bayes.gaussian.one",),
    improves="pac_bayes.gaussian.shared",
)  # fmt: skip

shorter = _claim(
    label="pac_bayes.gaussian.separate.shorter",
    statement="To the prior N(0, τ² I) with τ² = σ² + L/p every posterior N(θ, σ² I) on p parameters with ‖θ‖² ≤ L has "
    "a relative entropy of at most (p/2) ln(1 + L/(pσ²)).",
    left=theory.general(N_s, theory.BEST_VARIANCE),
    relation="<=",
    right=theory.SEPARATE,
    domain=Domain({p_n: _COUNT, N_2: _NORM, sigma: _NOISE, N_s: Reals(0, N_2)}),
    kind="Tight",
    equality=({"p_n": 2, "N_2": 6, "sigma": 1, "N_s": 6},),
    expected="proved",
    rests_on=("pac_bayes.gaussian.separate.value",),
)
