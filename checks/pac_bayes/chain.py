"""From the empirical risk to McAllester's bound: what each simplification of the relative-entropy form costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Choices, Domain
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import by_columns
from boundaudit.checks.pac_bayes import PAPER
from boundaudit.derivations.pac_bayes import forms as theory
from boundaudit.derivations.pac_bayes.symbols import delta, hat_r, m, relative
from boundaudit.numeric.pac_bayes import inverse_binary_kl, pac_bayes_bound


def _growth(samples: Tensor) -> Tensor:
    """√(πm/2) + 2/3 + √(π/(2m))/12, which bounds the exponential moment."""
    half_pi = torch.pi / 2
    return (half_pi * samples).sqrt() + 2 / 3 + (half_pi / samples).sqrt() / 12


def _step(name: str, latex: str, value: Callable[..., Tensor], cites: str = "", claim: str | None = None) -> Step:
    return Step(
        Quantity(name, by_columns(value, "r_n", "K_n", "m", "delta"), latex, rounding=1e-11), name, cites, claim
    )


_STEPS = (
    _step("risk on the sample", "r", lambda r, kl, samples, failure: r),
    _step(
        "relative entropy alone", r"\mathrm{kl}^{-1}(r, K/m)",
        lambda r, kl, samples, failure: inverse_binary_kl(r, kl / samples),
        "the posterior against the prior", "pac_bayes.change_of_measure.varadhan",
    ),
    _step(
        "confidence", r"\mathrm{kl}^{-1}(r, (K + \ln(1/\delta))/m)",
        lambda r, kl, samples, failure: inverse_binary_kl(r, (kl - failure.log()) / samples),
        "Markov's inequality", "pac_bayes.change_of_measure.markov",
    ),
    _step(
        "exponential moment", r"\mathrm{kl}^{-1}(r, (K + \ln(\xi(m)/\delta))/m)",
        lambda r, kl, samples, failure: inverse_binary_kl(r, (kl + (_growth(samples) / failure).log()) / samples),
        "E exp(m kl) = ξ(m)", "pac_bayes.binary_kl.moment.sharper",
    ),
    _step(
        "Maurer", r"\mathrm{kl}^{-1}(r, (K + \ln(2\sqrt{m}/\delta))/m)",
        lambda r, kl, samples, failure: pac_bayes_bound(r, kl, samples, failure, "maurer"),
        "ξ(m) ≤ 2√m", "pac_bayes.binary_kl.moment.maurer",
    ),
    _step(
        "quadratic", r"(\sqrt{r + b/2} + \sqrt{b/2})^2",
        lambda r, kl, samples, failure: pac_bayes_bound(r, kl, samples, failure, "quadratic"),
        "kl(r‖p) ≥ (p-r)²/(2p)", "pac_bayes.forms.maurer-below-quadratic",
    ),
    _step(
        "McAllester", r"r + \sqrt{b/2}",
        lambda r, kl, samples, failure: pac_bayes_bound(r, kl, samples, failure, "mcallester"),
        "where this is at most a quarter", "pac_bayes.forms.quadratic-below-mcallester",
    ),
)  # fmt: skip

_SAMPLE: Point = {"r_n": 0.02, "K_n": 5000.0, "m": 60000, "delta": 0.025}


def _choices(*values: str) -> Choices:
    return Choices(**{f"value_{i}": value for i, value in enumerate(values)})


_DOMAIN: dict[Any, Choices] = {
    hat_r: _choices("1/1000", "1/100", "1/20"),
    relative: _choices("1", "50", "1000"),
    m: _choices("10000", "60000", "1000000"),
    delta: _choices("1/20", "1/1000"),
}

chain = Derivation(
    label="pac_bayes.chain",
    title="From the risk on the sample to McAllester's bound",
    steps=_STEPS,
    domain=Domain(_DOMAIN, where=[sp.Rational(1, 4) >= theory.MCALLESTER.subs(theory.b_n, theory.MAURER_BUDGET)]),
    samples={
        "risk 0.02, K=5000, m=60000": _SAMPLE,
        "risk 0.02, K=500, m=60000": {**_SAMPLE, "K_n": 500.0},
        "risk 0.001, K=5, m=60000": {**_SAMPLE, "r_n": 0.001, "K_n": 5.0},
    },
    paper=PAPER,
    place=("McAllester",),
)
