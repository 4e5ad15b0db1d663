"""The numbers that answers in short name, computed again; and that such answers are short."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import sympy as sp

from boundaudit import Brief, InputError
from boundaudit.checks.language.theorem import MOST_WORDS
from boundaudit.checks.records.reference import FOLDER
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.run.addresses import statements_of
from boundaudit.checks.run.audit import Audit
from boundaudit.derivations.sharpness import gradients, hessian, loss_hessian
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.reports.figures.region import sentence

BRIEFS = {theorem.number: theorem.brief for theorem in statements_of("sharpness") if theorem.brief}

OWN_NORM = 1492.694
"""Squared norm of the steep network at E.3's sizes, as `sharpness.bound.numbers.true-norm.value` states it."""


def at(expression: sp.Expr, length: int = 20, degree: int = 2, sparsity: int = 10, width: int = 1) -> float:
    return float(expression.subs({T: length, D: degree, omega: sparsity, u: width}))


def printed_norm() -> float:
    return 16 * 4 * 3 + 8 * 3 + 1 + 10 + 4 * 10 * 3 * math.log(20) ** 2


def least_bound(sharpness: float, norm: float, samples: float = 1e6) -> float:
    """Theorem 2's right side at the best σ, without P and ln(1/δ)."""
    return float(3 * (sharpness * 0.01**2 * norm / (4 * samples)) ** (1 / 3))


@functools.cache
def audit() -> Audit:
    return Audit(Run.load(FOLDER))


def stated(label: str, pattern: str) -> list[str]:
    """The numbers in a claim's statement, which the claim checks."""
    return re.findall(pattern, audit().claim(label).claim.statement)


def failing(label: str) -> tuple[str, str]:
    """Both sides where the shipped run found a case to fail."""
    witness = audit().claim(label.partition("[")[0]).found[label].witness
    assert witness is not None
    shown = witness.to_json()
    return tuple(f"{float(shown[side]):.1f}".removesuffix(".0") for side in ("left", "right"))  # type: ignore[return-value]


def sizes(most: int = 20) -> itertools.product[tuple[int, int, int]]:
    return itertools.product(range(1, 6), range(1, most + 1), (1, 2))  # type: ignore[return-value]


NUMBERS: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "Theorem 2": lambda: (
        f"{printed_norm():.1f}", f"{OWN_NORM:.1f}", f"{least_bound(at(gradients.G_U), printed_norm()):.4f}",
        *stated("sharpness.bound.noisy.theorem-2", r"0\.\d{4}")[:2],
        str(audit().claim("sharpness.domination.printed").found["sharpness.domination.printed[trace]"].witness
            .to_json()["point"]["sigma"]),  # type: ignore[union-attr]
    ),
    "Theorem 5": lambda: (
        f"{2 * at(gradients.G_U_REPAIRED):.0f}", f"{2 * at(gradients.G_U):.0f}", f"{at(loss_hessian.TRACE_SHARP):.0f}",
        *failing("sharpness.loss_hessian.trace.printed[steep,finite]"),
    ),
    "Theorem 10": lambda: (
        f"{printed_norm():.1f}", f"{OWN_NORM:.1f}", f"{least_bound(at(gradients.G_U), OWN_NORM):.4f}",
        *failing("sharpness.norms.total.printed[steep]"),
    ),
    "Theorem 13": lambda: (
        f"{2 * at(gradients.G_U_REPAIRED):.0f}", f"{2 * at(gradients.G_U):.0f}", f"{at(loss_hessian.TRACE_SHARP):.0f}",
        *failing("sharpness.loss_hessian.residual.printed[finite]"),
        *failing("sharpness.loss_hessian.trace.printed[steep,finite]"),
    ),
    "Theorem 14": lambda: (
        f"{at(gradients.G_U_REPAIRED):.0f}", f"{at(gradients.G_U):.0f}", f"{at(gradients.G_U_SHARP):.0f}",
        f"{least_bound(at(gradients.G_U_SHARP), OWN_NORM):.4f}",
        *failing("sharpness.gradients.total.printed[steep,finite]"),
    ),
    "Theorem 17": lambda: failing("sharpness.taylor.trace.change.printed[trace]"),
    "Theorem 18": lambda: (
        f"{at(hessian.H_STAR):.0f}", f"{at(hessian.H_U_ONE_HOT):.0f}",
        *failing("sharpness.hessian.bound.printed[steep,finite]"),
    ),
    "Theorem 31": lambda: failing("sharpness.perturbed.hessian.printed"),
    "Appendix E": lambda: (
        f"{least_bound(at(gradients.G_U), printed_norm()):.4f}", f"{least_bound(at(gradients.G_U), OWN_NORM):.4f}",
        f"{least_bound(at(gradients.G_U), printed_norm(), 8192):.3f}",
        *stated("sharpness.bound.numbers.samples.thresholds", r"below 1 from (\d{5})"),
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_what_they_are(number: str) -> None:
    brief = BRIEFS[number]
    said = " ".join((brief.true, brief.where, brief.instead, brief.changes))
    absent = [found for found in NUMBERS[number]() if not re.search(rf"(?<![\d.]){re.escape(found)}(?!\d)", said)]
    assert absent == []


def test_where_theorems_5_and_14_are_true_at_the_papers_length() -> None:
    for sharp, printed in ((gradients.G_U_SHARP, gradients.G_U), (loss_hessian.TRACE_SHARP, 2 * gradients.G_U)):
        differs = sp.lambdify((T, D, omega, u), sharp - printed)
        assert {size for size in sizes() if differs(20, *size) > 0} == {(1, sparsity, 1) for sparsity in range(13, 21)}


def test_where_theorem_18_is_true_at_the_papers_lengths() -> None:
    differs = sp.lambdify((T, D, omega, u), hessian.H_STAR - hessian.H_U_ONE_HOT)
    assert all(differs(length, *size) <= 0 for length in (20, 30, 40, 50) for size in sizes(length // 2))


@pytest.mark.parametrize(("label", "digits"), [("output", 2375), ("gradient", 639)])
def test_how_small_a_coefficient_theorems_24_and_30_need(label: str, digits: int) -> None:
    name = f"sharpness.perturbed.{label}.printed"
    said = sentence(audit().claim(name).found[name])
    (least,) = re.findall(r"At all [\d,]+ of [\d,]+ swept points with ell_3 ≥ (\d+)", said)
    assert math.ceil(int(least) / math.log(10)) == digits
    number = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(digits))
    assert f"below 10⁻{number}" in BRIEFS["Theorem 24" if label == "output" else "Theorem 30"].where


def test_a_long_answer_is_refused() -> None:
    with pytest.raises(InputError, match="at most 120 words, got 121"):
        Brief(true="so " * MOST_WORDS, where="there", instead="", changes="")


@pytest.mark.parametrize("number", ["Theorem 2", "Theorem 10"])
def test_the_readme_tells_the_same(number: str) -> None:
    told = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    brief = BRIEFS[number]
    assert all(said in told for said in (brief.true, brief.where, brief.instead, brief.changes))


INSTEAD = {"Theorem 2": "sharpness.bound.noisy.theorem-2"}
"""What the answer writes instead, where that is not the successor."""


@pytest.mark.parametrize("number", BRIEFS)
def test_how_surely_it_holds(number: str) -> None:
    (row,) = (row for row in audit().theorem(number) if row.theorem.brief)
    verdict = audit().claim(INSTEAD.get(number, row.theorem.successor or "")).verdict
    assert re.findall(r"proved|certified|supported", BRIEFS[number].instead)[0] == verdict
