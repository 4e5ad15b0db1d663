"""Relative entropies between Gaussians: closed forms against the densities, and the prior's best variance."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.derivations.pac_bayes import gaussian as theory
from boundaudit.derivations.pac_bayes.gaussian import N_s, theta_n, v_n
from boundaudit.derivations.pac_bayes.symbols import N_2, p_n, sigma, sigma_0
from boundaudit.numeric.pac_bayes import decoupled_kl, gaussian_kl, tied_kl

_claim = functools.partial(Claim, paper="Alquier 2024")
_NOISE = Reals(0, open_low=True, tested_to=4)
_NORM = Reals(0, open_low=True, tested_to=2000)
_COUNT = Integers(1, tested_to=2014)
_SIZES = Reals(sp.Rational(1, 10), 4)
_CHOSEN = Choices(hundredth="1/100", tenth="1/10", one=1, four=4)
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(24)


def _by_quadrature(points: Sequence[Point], device: str) -> Array:
    """The mean log ratio of two densities, by a Gaussian quadrature rule that is exact for polynomials."""
    shift, narrow, wide = (np.array([[float(p[name])] for p in points]) for name in ("theta_n", "sigma", "tau_0"))
    x = shift + narrow * _NODES
    # A mutant without its hypothesis takes the deviations to zero.
    with np.errstate(all="ignore"):
        ratio = np.log(wide / narrow) - ((x - shift) / narrow) ** 2 / 2 + (x / wide) ** 2 / 2
    found: Array = ratio @ (_WEIGHTS / _WEIGHTS.sum())
    return found


one = _claim(
    label="pac_bayes.gaussian.one",
    statement="One coordinate: the mean under N(θ, σ²) of the log ratio of the densities of N(θ, σ²) and N(θ_0, τ²) "
    "is ½((θ-θ_0)²/τ² + σ²/τ² - 1 - ln(σ²/τ²)).",
    left=Quantity(
        "mean log ratio of two Gaussian densities", _by_quadrature,
        r"\mathrm{KL}(N(\theta, \sigma^2) \| N(\theta_0, \tau^2))",
        theory.ONE_BY_MOMENTS, rounding=1e-11, scale=100.0,
    ),
    relation="=",
    right=theory.ONE,
    domain=Domain({theta_n: Reals(tested_to=10), sigma: _SIZES, sigma_0: _SIZES}),
    place=("Appendix E",),
    reading="certain",
    expected="proved",
)  # fmt: skip


def _of(function: Callable[..., Tensor], *names: str) -> Measure:
    def measure(points: Sequence[Point], device: str) -> Array:
        columns = [torch.tensor([float(p[name]) for p in points], dtype=torch.float64) for name in names]
        found: Array = function(*columns).numpy()
        return found

    return measure


measured = _claim(
    label="pac_bayes.gaussian.measured",
    statement="The numerical relative entropy of one coordinate is its formula.",
    left=Quantity(
        "relative entropy of one coordinate",
        _of(lambda shift, narrow, wide: gaussian_kl(shift**2, narrow, wide), "theta_n", "sigma", "tau_0"),
        r"\mathrm{KL}", rounding=1e-11, scale=1.0,
    ),
    relation="=",
    right=theory.ONE,
    domain=Domain({theta_n: Reals(tested_to=10), sigma: _CHOSEN, sigma_0: _CHOSEN}),
)  # fmt: skip

tied = _claim(
    label="pac_bayes.gaussian.shared",
    statement="Where prior and posterior share the variance σ², the relative entropy is ‖θ‖²/(2σ²), however many "
    "parameters.",
    left=Quantity(
        "relative entropy of p coordinates with equal variances", _of(tied_kl, "N_2", "sigma"),
        r"\mathrm{KL}(N(\theta, \sigma^2 I) \| N(0, \sigma^2 I))", theory.general(N_2, sigma**2), rounding=1e-11,
    ),
    relation="=",
    right=theory.TIED,
    domain=Domain({p_n: _COUNT, N_2: _NORM, sigma: _NOISE}),
    place=("Appendix E",),
    reading="certain",
    expected="proved",
    rests_on=("pac_bayes.gaussian.one",),
)  # fmt: skip

decoupled = _claim(
    label="pac_bayes.gaussian.separate.value",
    statement="With the prior variance τ² = σ² + L/p the relative entropy at ‖θ‖² = L is (p/2) ln(1 + L/(pσ²)).",
    left=Quantity(
        "relative entropy with the decoupled prior", _of(decoupled_kl, "N_2", "sigma", "p_n"),
        r"\mathrm{KL}(N(\theta, \sigma^2 I) \| N(0, (\sigma^2 + L/p) I))",
        theory.general(N_2, theory.BEST_VARIANCE), rounding=1e-10, scale=1.0,
    ),
    relation="=",
    right=theory.DECOUPLED,
    domain=Domain({p_n: _COUNT, N_2: _NORM, sigma: _NOISE}),
    expected="proved",
    rests_on=("pac_bayes.gaussian.one",),
)  # fmt: skip

best = _claim(
    label="pac_bayes.gaussian.separate.best",
    statement="No prior variance has a smaller relative entropy at ‖θ‖² = L than τ² = σ² + L/p.",
    left=theory.general(N_2, v_n),
    relation=">=",
    right=theory.DECOUPLED,
    domain=Domain({p_n: _COUNT, N_2: _NORM, sigma: _NOISE, v_n: Reals(0, open_low=True)}),
    kind="Tight",
    equality=({"p_n": 2, "N_2": 6, "sigma": 1, "v_n": 4},),
    expected="proved",
    limitations=(
        "One variance for all parameters, fixed before the samples are seen: L is a bound, not the norm found.",
    ),
)

shorter = _claim(
    label="pac_bayes.gaussian.separate.shorter",
    statement="With that prior, parameters of squared norm at most L have a relative entropy of at most (p/2) ln(1 + "
    "L/(pσ²)).",
    left=theory.general(N_s, theory.BEST_VARIANCE),
    relation="<=",
    right=theory.DECOUPLED,
    domain=Domain({p_n: _COUNT, N_2: _NORM, sigma: _NOISE, N_s: Reals(0, N_2)}),
    kind="Tight",
    equality=({"p_n": 2, "N_2": 6, "sigma": 1, "N_s": 6},),
    expected="proved",
    rests_on=("pac_bayes.gaussian.separate.value",),
)

below_tied = _claim(
    label="pac_bayes.gaussian.separate.below-shared",
    statement="The decoupled relative entropy is never above the tied one, L/(2σ²).",
    left=decoupled.left,
    relation="<=",
    right=theory.TIED,
    domain=decoupled.domain,
    place=("Appendix E",),
    expected="proved",
    rests_on=("pac_bayes.gaussian.separate.value",),
    limitations=("The tied one depends on the parameters' norm alone, the decoupled one on their number too.",),
)

parameters_count = _claim(
    label="pac_bayes.gaussian.separate.below-count",
    statement="Twice as many parameters of the same norm cost at most twice as much with the decoupled prior.",
    left=theory.DECOUPLED.subs(p_n, 2 * p_n),
    relation="<=",
    right=2 * theory.DECOUPLED,
    domain=Domain({p_n: _COUNT, N_2: _NORM, sigma: _NOISE}),
    expected="proved",
)
