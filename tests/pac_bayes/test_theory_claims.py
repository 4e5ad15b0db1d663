"""What the claims on PAC-Bayes theory compare, against independent computation."""

import math
from fractions import Fraction

import pytest
import sympy as sp

from boundaudit.derivations.pac_bayes import binary_kl, change_of_measure
from boundaudit.derivations.pac_bayes.change_of_measure import g_a, n_a, w_pi, w_rho
from boundaudit.derivations.pac_bayes.symbols import m


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_exponential_moment_by_counting(count: int) -> None:
    terms = [
        math.comb(count, k) * Fraction(k, count) ** k * Fraction(count - k, count) ** (count - k)
        for k in range(count + 1)
    ]
    assert float(binary_kl.MOMENT.subs(m, count).doit()) == pytest.approx(float(sum(terms)), rel=1e-12)


def test_ramanujans_bound_is_close_and_above() -> None:
    terms = [math.prod(1 - i / 1000 for i in range(k)) for k in range(1001)]
    bound = float(binary_kl.SHARPER.subs(m, 1000))
    assert 0 < bound - sum(terms) < 1e-4
    assert 2 * math.sqrt(1000) / sum(terms) == pytest.approx(math.sqrt(8 / math.pi), rel=0.02)


def test_relative_entropy_and_partition_of_three_atoms() -> None:
    rho, pi, g = (Fraction(1, 8), Fraction(2, 8), Fraction(5, 8)), (3, 2, 1), (2, 7, 4)
    values: dict[sp.Expr, sp.Expr] = {}
    for vector, entries in ((w_rho, rho), (w_pi, pi), (g_a, g)):
        values |= {vector[i + 1]: sp.Rational(entry) for i, entry in enumerate(entries)}

    def at(expression: sp.Expr) -> float:
        return float(expression.subs(n_a, 3).doit().subs(values))

    entropy = sum(float(r) * math.log(r / p) for r, p in zip(rho, pi, strict=True))
    mean = (math.log(2) + 2 * math.log(7) + 5 * math.log(4)) / 8
    assert at(change_of_measure.PARTITION) == 3 * 2 + 2 * 7 + 4
    assert at(change_of_measure.GAIN) == pytest.approx(mean - entropy, rel=1e-14)
