"""The numbers that answers in short name, computed again; and that such answers are short."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from scipy.optimize import brentq
from tests.shipped import audit

from boundaudit import Brief, InputError
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.language.reading.grammar import Grammar
from boundaudit.checks.language.reading.tokens import tokens
from boundaudit.checks.language.theorem import MOST_WORDS
from boundaudit.checks.run.addresses import papers, shipped, statements_of
from boundaudit.derivations.sharpness import gradients, hessian, loss_hessian
from boundaudit.derivations.sharpness.bound import separate_prior_variance
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.reports.figures.region import sentence

BRIEFS = {theorem.number: theorem.brief for paper in papers() for theorem in statements_of(paper) if theorem.brief}
"""By number of the statement: no two papers have a brief for the same number."""

OWN_NORM = 1492.694
"""Squared norm of the steep network at E.3's sizes, as `sharpness.bound.numbers.true-norm.value` states it."""


def at(expression: sp.Expr, length: int = 20, degree: int = 2, sparsity: int = 10, width: int = 1) -> float:
    return float(expression.subs({T: length, D: degree, omega: sparsity, u: width}))


def printed_norm() -> float:
    return 16 * 4 * 3 + 8 * 3 + 1 + 10 + 4 * 10 * 3 * math.log(20) ** 2


def least_bound(sharpness: float, norm: float, samples: float = 1e6) -> float:
    """Theorem 2's right side at the best σ, without P and ln(1/δ)."""
    return float(3 * (sharpness * 0.01**2 * norm / (4 * samples)) ** (1 / 3))


def stated(label: str, pattern: str) -> list[str]:
    """The numbers in a claim's statement, which the claim checks."""
    return re.findall(pattern, audit().claim(label).claim.statement)


def failing(label: str, digits: str = ".1f") -> tuple[str, str]:
    """Both sides where the shipped run found a case to fail."""
    witness = audit().claim(label.partition("[")[0]).found[label].witness
    assert witness is not None
    shown = witness.to_json()
    left, right = (re.sub(r"\.0+$", "", f"{float(shown[side]):{digits}}") for side in ("left", "right"))
    return left, right


def sides(label: str, digits: str = ".0f", **point: int) -> tuple[str, str]:
    """Both sides of a claim at a point, measured again."""
    claim = shipped(label)
    assert claim is not None
    left, right = (f"{float(side_values(side, [point], 'cpu')[0]):{digits}}" for side in (claim.left, claim.right))
    return left, right


def lost() -> tuple[str, str]:
    """The loss without noise at E.3's sizes, steep and wide."""
    steep, wide = (f"{float(separate_prior_variance.loss(width)):.5f}" for width in (1, 2))
    return steep, wide


def power_of_ten(label: str) -> str:
    """The smallest power of ten that a coefficient is below, where all or most swept points fail."""
    said = sentence(audit().claim(label.partition("[")[0]).found[label])
    least = re.search(r"swept points .*?with ell_3 ≥ (\d+)", said)
    assert least is not None
    return f"below {tenth(int(least[1]))}"


def tenth(minus_logarithm: int) -> str:
    """The power of ten just below e to minus that."""
    digits = str(math.ceil(minus_logarithm / math.log(10)))
    return f"10⁻{''.join('⁰¹²³⁴⁵⁶⁷⁸⁹'[int(digit)] for digit in digits)}"


def sizes(most: int = 20) -> itertools.product[tuple[int, int, int]]:
    return itertools.product(range(1, 6), range(1, most + 1), (1, 2))  # type: ignore[return-value]


def small(label: str) -> tuple[str, str]:
    """Both sides of a failure at the published sizes, as short as they are told."""
    left, right = failing(label, ".2e")
    return f"{float(left):.5f}", right.replace("e-0", "e-")


PUBLISHED_NOISE = f"{0.002265676**2 * at(gradients.G_U):.4f}"
"""σ² G_u at the best σ that is printed."""


def smallest_found(label: str) -> int:
    """Minus the logarithm of the coefficient at which a case was found to fail."""
    witness = audit().claim(label.partition("[")[0]).found[label].witness
    assert witness is not None
    return int(witness.to_json()["point"]["ell_3"])


def one_head() -> tuple[str, ...]:
    """Where the form without its guard is last below zero, its value at one, and from where on it is below one."""
    capacity = (math.log(9) ** (1 / 3) + 2 * math.log(33) ** (1 / 3)) ** 3

    def unguarded(c: float) -> float:
        return 12 * c * (1 + math.log(1 / (3 * c)))

    informs = brentq(lambda m: unguarded(m**-0.5) - 1, 100, 10_000)
    return f"{capacity * 9 / math.e**2:.0f}", f"{unguarded(capacity**0.5):.0f}", f"{round(informs, -3):.0f}"


NUMBERS: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "Theorem 2": lambda: (
        *small("sharpness.taylor.noisy.published[restored]"),
        f"{printed_norm():.1f}", f"{OWN_NORM:.1f}", f"{least_bound(at(gradients.G_U), printed_norm()):.4f}",
        *stated("sharpness.bound.noisy.theorem-2", r"0\.\d{4}"),
    ),
    "Theorem 6": lambda: (
        *lost(), *small("sharpness.taylor.noisy.published[restored]"), PUBLISHED_NOISE,
        *failing("sharpness.taylor.expansion.printed", ".4g"),
    ),
    "Theorem 8": lambda: (
        *failing("sharpness.chain_of_thought.one-pass.printed[upper,T]"),
        *sides("sharpness.chain_of_thought.one-pass.printed[upper,T]", T=20, m=1, S=1, sigma=1),
    ),
    "Theorem 11": lambda: (
        f"{math.sqrt(21):.2f}", f"{math.sqrt(10):.2f}", *failing("sharpness.activations.values.norm"),
        failing("sharpness.activations.hidden.largest", ".4g")[0],
    ),
    "Theorem 12": lambda: (
        *lost(), *failing("sharpness.taylor.expansion.printed", ".4g"),
        failing("sharpness.taylor.expansion.stationary", ".3f")[0],
    ),
    "Theorem 16": lambda: (
        *failing("sharpness.chain_of_thought.one-pass.printed[upper,T]"),
        *stated("sharpness.chain_of_thought.samples", r"[\d.]+e\d+"),
        *stated("sharpness.chain_of_thought.whole.noisy", r"most (0\.0\d+)"),
    ),
    "Lemma 22": lambda: (
        *failing("sharpness.noise.rows.printed[steep,data]", ".2f"),
        *failing("sharpness.noise.flips.margin-printed", ".2f"),
        *sides("sharpness.noise.flips.margin-printed", ".3f", T=20, D=2, u=1),
        f"{math.sqrt(float(sides('sharpness.noise.rows.norm', T=20, D=2, k=0, r=0, u=1)[1])):.1f}", str(32 * 2**2),
    ),
    "Lemma 26": lambda: (power_of_ten("sharpness.perturbed.rows.printed[any-coefficients]"),),
    "Lemma 27": lambda: (power_of_ten("sharpness.perturbed.weights.any-coefficients"),),
    "Lemma 28": lambda: (
        f"{smallest_found('sharpness.perturbed.rows.stream.printed[any-coefficients]') / math.log(10):.3g}"
        .replace("e+", "e"),
    ),
    "Theorem 29": lambda: (
        power_of_ten("sharpness.perturbed.weights.jacobian.printed[any-coefficients]"), str(384 // 4),
    ),
    "Appendix A": lambda: (
        failing("sharpness.subgaussian.range", ".3g")[0], f"{float(failing('sharpness.subgaussian.range', '.5f')[1])}",
        failing("sharpness.subgaussian.estimate", ".3f")[0],
        f"{100 * float(failing('sharpness.subgaussian.printed[posterior,steep]', '.4f')[0]):.1f} %",
    ),
    "Appendix B": lambda: (
        lost()[0], *(str(Fraction(float(failing(label, ".15f")[0])).limit_denominator(100)) for label in (
            "sharpness.attention.second.zero[finite]", "sharpness.exactness.loss.zero[finite]",
        )),
    ),
    "Appendix D": lambda: (
        *sides("sharpness.rescaling.both.printed[steep]", ".1f", T=20, u=1)[:1],
        *sides("sharpness.rescaling.both.printed[steep]", T=20, u=1)[1:],
        *sides("sharpness.rescaling.both.printed[wide]", ".1f", T=20, u=2)[:1],
        *sides("sharpness.rescaling.both.printed[wide]", T=20, u=2)[1:],
    ),
    "Appendix J": lambda: (
        failing("sharpness.hessian.blocks.six[finite]", ".2f")[0],
        *stated("sharpness.hessian.blocks.count", r"most (\d+)"),
    ),
    "Appendix H(2)": lambda: (f"{100 * (1 - 21 * 20 / 2**14):.0f} %",),
    "Dudley's integral": lambda: failing("covering.dudley.unguarded[integral]", ".3f")[:1],
    "Generalization bound": lambda: failing("covering.dudley.unguarded[comparator]", ".3f")[:1],
    "One head": one_head,
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
    "Theorem 31": lambda: (
        *failing("sharpness.perturbed.hessian.printed"),
        f"third above {tenth(smallest_found('sharpness.perturbed.hessian.printed'))}",
    ),
    "Appendix E": lambda: (
        f"{least_bound(at(gradients.G_U), printed_norm()):.4f}", f"{least_bound(at(gradients.G_U), OWN_NORM):.4f}",
        f"{least_bound(at(gradients.G_U), printed_norm(), 8192):.3f}",
        *stated("sharpness.bound.numbers.samples.thresholds", r"below 1 from (\d{5})"),
        *stated("sharpness.bound.separate_prior_variance.values", r"most (0\.\d+)"),
        *stated("sharpness.bound.separate_prior_variance.values", r"form is (0\.\d+)"),
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


@pytest.mark.slow
@pytest.mark.parametrize("label", ["output", "gradient"])
def test_how_small_a_coefficient_theorems_24_and_30_need(label: str) -> None:
    where = BRIEFS["Theorem 24" if label == "output" else "Theorem 30"].where
    assert power_of_ten(f"sharpness.perturbed.{label}.printed") in where


def read(latex: str) -> sp.Expr:
    """An expression as it is printed, in symbols of the same names."""
    return Grammar(latex, tokens(latex), {}).expression()


def defined(latex: str) -> dict[sp.Symbol, sp.Expr]:
    """What equations say of the symbols on their left, or of the squares of these."""
    sides = (map(read, equation.split(" = ")) for equation in re.split(r", \\quad |\n", latex.strip()))
    return {left.as_base_exp()[0]: right ** (1 / left.as_base_exp()[1]) for left, right in sides}


@pytest.mark.slow
def test_the_closed_form_that_theorem_18_is_told_with_is_the_one_that_is_claimed() -> None:
    brief = BRIEFS["Theorem 18"]
    told, parts = read(brief.formula.rpartition("=")[2]), defined(brief.parts)
    symbols = tuple(map(read, ("T", "D", r"\omega", "u")))
    while not set(symbols) >= told.free_symbols:
        told = told.subs(parts)
    for size in ((20, 2, 10, 1), (50, 5, 25, 2), (266, 1, 266, 1)):
        assert float(told.subs(dict(zip(symbols, size, strict=True)))) == pytest.approx(
            at(hessian.H_STAR, *size), rel=1e-12
        )


def test_a_long_answer_is_refused() -> None:
    with pytest.raises(InputError, match="at most 120 words, got 121"):
        Brief(true="so " * MOST_WORDS, where="there", instead="", changes="")


@pytest.mark.parametrize("number", ["Theorem 2", "Theorem 10"])
def test_the_readme_tells_the_same(number: str) -> None:
    told = " ".join((Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8").split())
    brief = BRIEFS[number]
    assert all(said in told for said in (brief.true, brief.where, brief.instead, brief.changes))


INSTEAD = {
    "Dudley's integral": "covering.dudley.guarded",
    "Generalization bound": "covering.generalization.one-tail",
    "One head": "covering.rademacher.head",
}
"""What the answer writes instead, where that is not the successor."""


@pytest.mark.parametrize("number", BRIEFS)
def test_how_surely_it_holds(number: str) -> None:
    row = next(row for row in audit().theorems if row.theorem.number == number and row.theorem.brief)
    claim = audit().claim(INSTEAD.get(number, row.theorem.successor or ""))
    assert re.findall(r"proved|certified|supported", BRIEFS[number].instead)[0] == claim.verdict
    for said in re.findall(r"assuming (\w+) axiom", BRIEFS[number].instead):
        assert {"one": "1", "five": "5"}.get(said, said) == str(len(claim.assumes))


def test_every_statement_that_falls_or_stands_in_part_is_answered_in_short() -> None:
    rows = (row for row in audit().theorems if row.state in ("falls", "stands in part"))
    assert [row.theorem.label for row in rows if row.theorem.brief is None] == []


def test_every_answer_has_its_numbers_computed_again() -> None:
    assert set(BRIEFS) - set(NUMBERS) == {"Theorem 24", "Theorem 30"}  # whose only number has a test of its own
