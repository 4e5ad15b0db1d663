"""Theorems 7 and 8 as chains of bounds, on learners whose error is known exactly."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, small
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import delta, m
from boundaudit.derivations.sharpness.chain_of_thought import q_x
from boundaudit.derivations.sharpness.parameters import T
from boundaudit.numeric.sharpness import chain_learners as learners

_LOSS = 0.36
"""Wrong steps err by 3/5: their squared loss, and the largest of all."""


def _node(name: str, cites: str, latex: str, of: Callable[[Columns], Tensor], claim: str | None = None) -> Step:
    """One node from the columns of a batch of points."""
    return Step(Quantity(name, small(of), latex), name, cites, claim)


def _steps(at: Columns) -> learners.ParityErrors:
    return learners.parity_errors(at.real("T"), at.real("m"), at.real("q_x"))


def _exact(at: Columns, entropy: Tensor) -> Tensor:
    """M kl⁻¹(0, (K + ln(1/δ))/m) + M δ: the expected loss, by the bound and where it fails."""
    return _LOSS * (-torch.expm1(-(entropy - at.real("delta").log()) / at.real("m")) + at.real("delta"))


def _subgaussian(at: Columns, entropy: Tensor) -> Tensor:
    """The same with Σ = M/2 and √(2K/m) in place of the inverse."""
    return _LOSS * (torch.sqrt((entropy - at.real("delta").log()) / (2 * at.real("m"))) + at.real("delta"))


def _tables(at: Columns) -> Tensor:
    return torch.full_like(at.real("m"), learners.CELLS * math.log(2))


def _parities(at: Columns) -> Tensor:
    return at.real("T") * math.log(2)


_KL = "M kl⁻¹(0, (K + ln(1/δ))/m) for all samples but a share δ, at most M there"
_PINSKER = "1 - e^{-x} ≤ √(x/2)"

_CHAIN = (
    _node("error of the chain", "", r"\mathbb{E}\,\mathbb{P}(\text{chain wrong})", lambda at: _steps(at).chain),
    _node(
        "steps one by one", "union over steps", r"\sum_t \mathbb{E}\,\mathbb{P}(\text{step } t \text{ wrong})",
        lambda at: _steps(at).steps, "sharpness.chain_of_thought.union",
    ),
    _node(
        "expected loss", "Markov: P(wrong) ≤ 4 E ℓ", r"4 \sum_t \mathbb{E}\,\ell_t",
        lambda at: 4 * _LOSS * _steps(at).steps, "sharpness.chain_of_thought.markov",
    ),
    _node(
        "PAC-Bayes, kl form", _KL, r"4T M (\mathrm{kl}^{-1}(0, \tfrac{4 \ln 2 + \ln(1/\delta)}{m}) + \delta)",
        lambda at: 4 * at.real("T") * _exact(at, _tables(at)), "sharpness.chain_of_thought.expectation",
    ),
    _node(
        "PAC-Bayes, sub-Gaussian form", _PINSKER,
        r"4T (\Sigma \sqrt{2 (4 \ln 2 + \ln(1/\delta))/m} + M \delta)",
        lambda at: 4 * at.real("T") * _subgaussian(at, _tables(at)),
    ),
)  # fmt: skip

chain = Derivation(
    label="sharpness.chain_of_thought.chain",
    title="A parity by steps: from the chain's exact error to its bound",
    steps=_CHAIN,
    domain=Domain({T: Integers(2, 16), m: Integers(10, 60), q_x: Reals(0.05, 0.25), delta: Reals(0.001, 0.1)}),
    samples={f"T = 8, m = {size}": {"T": 8, "m": size, "q_x": 0.1, "delta": 0.01} for size in (20, 60)},
    paper=PAPER,
    place=("Theorem 7",),
)

_ONE_PASS = (
    _node(
        "error of one pass", "", r"\mathbb{E}\,\mathbb{P}(\text{wrong})",
        lambda at: learners.one_pass_wrong(at.real("T"), at.real("m")),
    ),
    _node(
        "expected loss", "Markov: P(wrong) ≤ 4 E ℓ", r"4\,\mathbb{E}\,\ell",
        lambda at: 4 * _LOSS * learners.one_pass_wrong(at.real("T"), at.real("m")), "sharpness.chain_of_thought.markov",
    ),
    _node(
        "PAC-Bayes, kl form", _KL, r"4 M (\mathrm{kl}^{-1}(0, \tfrac{T \ln 2 + \ln(1/\delta)}{m}) + \delta)",
        lambda at: 4 * _exact(at, _parities(at)), "sharpness.chain_of_thought.expectation",
    ),
    _node(
        "PAC-Bayes, sub-Gaussian form", _PINSKER, r"4 (\Sigma \sqrt{2 (T \ln 2 + \ln(1/\delta))/m} + M \delta)",
        lambda at: 4 * _subgaussian(at, _parities(at)),
    ),
)  # fmt: skip

one_pass = Derivation(
    label="sharpness.chain_of_thought.one-pass.chain",
    title="A parity of T uniform bits in one pass, learned by elimination: from the exact error to its bound",
    steps=_ONE_PASS,
    domain=Domain({T: Integers(2, 16), m: Integers(T, T + 20), delta: Reals(0.001, 0.1)}),
    samples={f"T = 8, m = {size}": {"T": 8, "m": size, "delta": 0.01} for size in (10, 16)},
    paper=PAPER,
    place=("Theorem 8",),
)
