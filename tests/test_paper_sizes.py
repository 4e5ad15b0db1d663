"""What statements that stand say at their papers' sizes, computed again."""

import math
import re
from collections.abc import Callable, Mapping

import pytest
import sympy as sp
from tests.statements import some_slow

from boundaudit.checks.run.addresses import papers, shipped, statements_of
from boundaudit.derivations.infinite_width import scores
from boundaudit.derivations.infinite_width.symbols import n_iw
from boundaudit.derivations.sharpness import mlp
from boundaudit.derivations.sharpness.parameters import D, u
from boundaudit.numeric.attention_erm import direct_error, gaussian_target, interpolation

TOLD = {theorem.number: theorem.numbers for paper in papers() for theorem in statements_of(paper) if theorem.numbers}
LENGTH, PAIR, SPARSITY = 20, 2, 10


def digits(label: str, pattern: str) -> list[float]:
    """The numbers in a claim's statement, which the claim checks."""
    claim = shipped(label)
    assert claim is not None
    return [float(found) for found in re.findall(pattern, claim.statement)]


def upward(value: float, places: int) -> str:
    """A number rounded up, as a bound is told."""
    return f"{math.ceil(value * 10**places) / 10**places:.{places}f}"


def attention() -> tuple[float, float]:
    """The weights of a position of a pair, and of another one, in the first layer."""
    total = PAIR * LENGTH**2 + LENGTH + 1 - PAIR
    return LENGTH**2 / total, 1 / total


def slopes() -> float:
    (least,) = digits("sharpness.noise.slopes.printed", r"K ≥ ([\d.]+) \(steep\)")
    return least * (PAIR**2 + math.sqrt((LENGTH + 2) * PAIR))


def averages() -> float:
    (least,) = digits("sharpness.noise.averages.printed", r"K ≥ ([\d.]+\d)")
    return least * math.sqrt(LENGTH + 2)


def rejection() -> float:
    """Three positions, one in each of three blocks: 3! times a coefficient of the series."""
    t = sp.Symbol("t")
    series = sp.series(sp.sinh(t / 4) ** 3 * sp.exp(t / 4), t, 0, 4).removeO()
    return float(6 * series.coeff(t, 3))


def own_part() -> float:
    return math.sqrt(64 * PAIR**2 * (PAIR + 1) + 4 * (PAIR + 1))


def thresholds() -> tuple[str, ...]:
    return tuple(f"{interpolation(gaussian_target(kappa0), 0.5).alpha:.3f}" for kappa0 in (0.1, 0.5, 1.0))


def unlearned(alpha: float) -> float:
    target = gaussian_target(0.5)
    return float(direct_error(target, alpha)) / target.second_moment


NUMBERS: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "Section 2": lambda: (f"{math.sqrt(SPARSITY) / 2:.2f}", f"{SPARSITY * (1 / SPARSITY) / 4}"),
    "Remark 4": lambda: ("1/2", *(f"{s:g}" for s in digits("sharpness.bound.numbers.printed", r"S = ([\d.]+)"))),
    "Theorem 9": lambda: (f"{4 * (PAIR + 1)} hidden", f"{4 * (PAIR // 2 + 1)} have"),
    "Lemma 19": lambda: (f"{math.sqrt(1 + 2 * math.sqrt(math.log(20) / 22) + 2 * math.log(20) / 22):.3f}",),
    "Lemma 21": lambda: (f"{averages():.2f}",),
    "Remark 23": lambda: (f"{float(mlp.SLOPE.subs({D: PAIR, u: 1})):g}", f"{own_part():.1f}"),
    "Lemma 25": lambda: (f"{slopes():.1f}",),
    "Appendix D(2)": lambda: (f"{2 * 2.0**-LENGTH:.1e}".replace("e-0", "e-"), f"{2.0**-PAIR}"),
    "Equation 4": lambda: (f"{attention()[0]:.4f}", f"{LENGTH + 1 - PAIR} others", f"{attention()[1]:.5f}"),
    "Equation 5": lambda: (f"{attention()[0]:.4f}",),
    "Appendix H(1)": lambda: (f"{rejection():.3f}",),
    "Corollary 3.2, interpolation": thresholds,
    "Section 5": lambda: (f"(n/d)^{-1 + 1 / 2:g}", f"γ = 2 (n/d)^{-1 + 1 / 4:g}"),
    "Figure 2": lambda: (f"{unlearned(0.3):.1f} of", f"α = {next(a for a in (0.4, 0.5) if unlearned(a) == 0)} on"),
    "Main theorem (scores)": lambda: (f"{3 + 6 / 64:.3f}",),
    "Figure 1": lambda: (
        upward(1e5 * digits("infinite_width.width.divergence", r"c = (\d+)")[0] / 512**2, 1) + "e-5",
    ),
    "Figure 2(A)": lambda: (
        f"{digits('infinite_width.scores.first-order', r'most ([.0-9]+)/n')[0] / 64:.4f}",
        upward(float((scores.STEEP / n_iw + scores.REMAINDER).subs(n_iw, 64)), 4),
    ),
    "Figure 2(B)": lambda: (upward(digits("infinite_width.heads.limit", r"([\d.]+)/H")[0] / 16, 4),),
    "Figure 3": lambda: tuple(
        upward(each / 64, 4) for each in digits("infinite_width.low_rank.close", r"([\d.]+)/m")
    ),
}  # fmt: skip


@pytest.mark.parametrize("number", some_slow(NUMBERS, "Corollary 3.2, interpolation"))
def test_numbers_are_what_they_are(number: str) -> None:
    absent = [
        found for found in NUMBERS[number]() if not re.search(rf"(?<![\d.]){re.escape(found)}(?!\d)", TOLD[number])
    ]
    assert absent == []


def test_every_one_is_computed() -> None:
    assert set(TOLD) == set(NUMBERS)
