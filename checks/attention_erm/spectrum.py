"""Claim 4.1: the eigenvalues of the learned map, held against finite runs at the same dimension."""

from __future__ import annotations

import functools

import sympy as sp
import torch

from boundaudit.checks.attention_erm import PAPER
from boundaudit.checks.attention_erm.measured import distance
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import estimated
from boundaudit.derivations.attention_erm import spectrum as theory
from boundaudit.derivations.attention_erm.symbols import f_erm, x_erm
from boundaudit.numeric.attention_erm.finite_size import TOLERANCE, Setting, simulate
from boundaudit.numeric.attention_erm.fista import learn
from boundaudit.numeric.attention_erm.law import sample_spectrum
from boundaudit.numeric.attention_erm.sensing import Problem, draw
from boundaudit.numeric.attention_erm.spectra import largest_gap
from boundaudit.numeric.attention_erm.state_evolution import linear_state
from boundaudit.numeric.attention_erm.targets import gaussian_target, spiked_target

_claim = functools.partial(Claim, paper=PAPER, place=("Claim 4.1",))

apart = _claim(
    label="attention_erm.spectrum.apart",
    statement="An eigenvalue θ of the target with x = θ/δ ≥ 1 leaves the bulk and stands at x + 1/x in units of δ. "
    "That is never below 2, the end of the bulk, which it leaves at x = 1: an outlier is never inside the bulk.",
    left=theory.PLACE,
    relation=">=",
    right=sp.Integer(theory.EDGE),
    domain=Domain({x_erm: Reals(1)}),
    kind="Tight",
    equality=({"x_erm": 1},),
    expected="proved",
)

# --- the bulk -------------------------------------------------------------------------------------

_SETTINGS = (
    Setting(alpha=1, penalty=0.1, noise=0.5, kappa0=0.5),
    Setting(alpha=0.5, penalty=0.1, noise=0.5, kappa0=0.5),
    Setting(alpha=0.5, penalty=0.5, noise=0.5, kappa0=0.25),
)
_DIMENSION, _RUNS, _BATCHES, _DRAWS = 24, 16, 8, 200


@functools.cache
def _spectra(number: int) -> tuple[float, float]:
    """How far the eigenvalues of runs are from those of the law drawn at their dimension, over batches of runs."""
    setting = _SETTINGS[number - 1]
    target = gaussian_target(setting.kappa0)
    state = linear_state(target, setting.alpha, setting.penalty, setting.noise)
    _, learned = simulate(setting, _DIMENSION, _RUNS * _BATCHES, 0)
    drawn = sample_spectrum(
        target, _DIMENSION, float(state.delta), float(state.threshold), draws=_DRAWS,
        generator=torch.Generator().manual_seed(0),
    )  # fmt: skip
    batches = learned.eigenvalues.reshape(_BATCHES, -1)
    return distance(torch.tensor([largest_gap(batch, drawn.flatten()) for batch in batches]), 0)


law = _claim(
    label="attention_erm.spectrum.law",
    statement="Eigenvalues of learned maps, zeros included, are within 0.04 in the Kolmogorov-Smirnov distance of "
    "those of ReLU(S₀ + δZ - ε), drawn at the same dimension d = 24 with δ and ε of the limit. For one token, (α, "
    "λ~, κ₀) = (1, 0.1, 0.5), (0.5, 0.1, 0.5) or (0.5, 0.5, 0.25) and Δ = 0.5.",
    left=estimated(
        "distance of learned eigenvalues to the law",
        lambda point: _spectra(int(point["f_erm"])),
        r"\mathrm{KS}",
    ),
    right=sp.Rational(4, 100),
    domain=Domain({f_erm: Integers(1, 3)}),
    role="printed",
    reading="plausible",
    limitations=("Eigenvalues of 16 runs against those of 200 draws, in the mean over eight batches.",),
)

# --- outliers -------------------------------------------------------------------------------------

_SPIKED, _SPIKED_RUNS, _NOISE, _PENALTY = 32, 128, 0.5, 0.5


@functools.cache
def _outlier(theta: int) -> tuple[float, float]:
    """How far the largest learned eigenvalue is from its prediction, relative, with a standard error."""
    state = linear_state(spiked_target([float(theta)]), 1.0, _PENALTY, _NOISE)
    level = float(state.threshold)
    predicted = theory.outlier(theta, float(state.delta), level)
    problem = Problem(d=_SPIKED, samples=_SPIKED**2, noise=_NOISE, eigenvalues=(theta, *([0.0] * (_SPIKED - 1))))
    learned = learn(draw(problem, 0, range(_SPIKED_RUNS)), _PENALTY, _NOISE, tolerance=TOLERANCE)
    return distance(learned.eigenvalues[:, -1] / predicted, 1)


outlier = _claim(
    label="attention_erm.spectrum.outlier",
    statement="A target with one eigenvalue θ = 1, 2, 3 or 4 is learned with a largest eigenvalue within 5 % of θ + "
    "δ²/θ - ε, with δ and ε of the limit. For one token, d = 32, α = 1, λ~ = Δ = 0.5.",
    left=estimated(
        "relative distance of the learned outlier to its place",
        lambda point: _outlier(int(point["f_erm"])),
        r"|s_1 / (\theta + \delta^2/\theta - \epsilon) - 1|", scale=1.0,
    ),
    right=sp.Rational(5, 100),
    domain=Domain({f_erm: Integers(1, 4)}),
    role="printed",
    reading="plausible",
    rests_on=(apart.label,),
    limitations=("Means over 128 runs.",),
)  # fmt: skip
