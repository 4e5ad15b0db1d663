"""Sums and products that leave a bound where nobody can add them up, or whose constants differ in a late digit."""

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy import Product, Rational, Sum, exp, harmonic, log, loggamma, pi, sqrt, zeta

from boundaudit import Domain, Integers, Reals, Vector

from .statement import COUNTS, Truth, each, false, true
from .sums import HARMONIC, LOGARITHMS, ROOTS

i, j, k, n = sp.symbols("i j k n", integer=True)
alpha = sp.IndexedBase("alpha", real=True)
half = Rational(1, 2)


def total(term: Any, low: int = 1) -> sp.Sum:
    return Sum(term, (k, low, n))


def decimal(digits: str) -> sp.Rational:
    return Rational(digits)


def powers(s: Any) -> Any:
    """The sum of k^(-s)."""
    return zeta(s) - zeta(s, n + 1)


SQUARE_ROOTS, ZETA = total(sqrt(k)), total(k ** Rational(-3, 2))
MEANS = Sum(Sum(1 / j, (j, 1, k)), (k, 1, n))
WALLIS = Product(4 * k**2 / (4 * k**2 - 1), (k, 1, n))
QUARTERS = total((-1) ** k / k)
ROOTS_ADDED_UP = zeta(-half) + 2 * n ** Rational(3, 2) / 3 + sqrt(n) / 2 + 1 / (24 * sqrt(n))
INVERSE_ADDED_UP = zeta(half) + 2 * sqrt(n) + 1 / (2 * sqrt(n)) - 1 / (24 * n ** Rational(3, 2))
"""By Euler and Maclaurin, with a remainder below n^(-5/2)/1000."""
ANY = Domain({n: Integers(1), alpha: Vector(n, Reals())})
FAR = 10**45
FAILING: list[tuple[Any, Truth]] = [
    (harmonic(n), false("harmonic numbers grow faster than the logarithm", HARMONIC, ">=", Rational(1001, 1000) * log(n)
                        + half, COUNTS, "γ - 1/2 = .077 is reached at e^77", n=FAR)),
    (harmonic(n), false("harmonic numbers grow slower than the logarithm", HARMONIC, "<=", Rational(99, 100) * log(n)
                        + 1, COUNTS, "log n > 42", n=FAR)),
    (harmonic(n), false("γ, the last of five digits too large", HARMONIC, ">=", log(n) + decimal("0.57722"), COUNTS,
                        "γ = .577215…", n=10**6)),
    (harmonic(n), false("γ, the last of ten digits too small", HARMONIC - 1 / (2 * n), "<=", log(n) + decimal(
                        "0.5772156648"), COUNTS, "γ = .57721566490…", n=10**6)),
    (powers(Rational(3, 2)), false("ζ(3/2) to three digits", ZETA, "<=", decimal("2.612"), COUNTS, "2.61237…",
                                   n=10**8)),
    (powers(Rational(11, 10)), false("ζ(11/10) below 10", total(k ** Rational(-11, 10)), "<=", 10, COUNTS,
                                     "10.58… - 10 n^(-1/10)", n=10**15)),
    (ROOTS_ADDED_UP, false("the constant of a sum of roots", SQUARE_ROOTS, ">=", 2 * n ** Rational(3, 2) / 3 + sqrt(n) /
                          2 - decimal("0.20788"), COUNTS, "ζ(-1/2) = -.207886… and 1/(24 √n)", n=10**9)),
    (ROOTS_ADDED_UP, false("a sum of roots below 10,000 n", SQUARE_ROOTS, "<=", 10**4 * n, COUNTS, "n > 2.25 10^8",
                          n=10**9)),
    (INVERSE_ADDED_UP, false("inverse roots with a constant", ROOTS, ">=", 2 * sqrt(n) - decimal("1.46"), COUNTS,
                         "ζ(1/2) = -1.46035…", n=10**8)),
    (loggamma(n + 1), false("Stirling with less than half a logarithm", LOGARITHMS, "<=", n * log(n) - n + decimal(
                            "0.499") * log(n) + 1, COUNTS, "log √(2π) = .919", n=FAR)),
    (loggamma(n + 1), false("log factorial below 50 n", LOGARITHMS, "<=", 50 * n, COUNTS, "log n > 51", n=10**24)),
    ((n + 1) * harmonic(n) - n, false("a sum of harmonic numbers", MEANS, ">=", n * log(n) - decimal("0.42278") * n,
                                      COUNTS, "1 - γ = .422784…", n=10**8)),
    (harmonic(2 * n) - harmonic(n), false("log 2 to eight digits", total(1 / (n + k)), "<=", log(2) - Rational(1,
                                          10**8), COUNTS, "log 2 - 1/(4n)", n=10**8)),
    (-log(2) + (-1) ** n * (sp.digamma(n / 2 + 1) - sp.digamma((n + 1) / 2)) / 2,
     false("alternating inverses", QUARTERS, ">=", -log(2) - 1 / (2 * n) + Rational(1, 10**13), COUNTS,
           "1/(4n²) is less, for odd n", n=10**7 + 1)),
    (pi / 2 * exp(2 * loggamma(n + 1) - loggamma(n + half) - loggamma(n + 3 * half)),
     false("Wallis to seven digits", WALLIS, "<=", decimal("1.570796"), COUNTS, "π/2 (1 - 1/(4n))", n=10**7)),
]  # fmt: skip
CLOSED = {truth.name: closed for closed, truth in FAILING}


def at_once(truth: Truth) -> Truth:
    """The statement with what its sum comes to, where that is known and nobody could add it up."""
    closed = CLOSED.get(truth.name)
    if closed is None:
        return truth
    summed = next(part for part in sp.preorder_traversal(truth.left) if isinstance(part, (Sum, Product)))
    return replace(truth, left=truth.left.xreplace({summed: closed}))


VECTORS = [
    false("norms, one hundredth of the exponent missing", Sum(alpha[i], (i, 1, n)), "<=", Rational(11, 10) * n **
          Rational(49, 100) * sqrt(Sum(alpha[i] ** 2, (i, 1, n))), ANY, "1.1^100 = 13780.6…", n=13781,
          alpha=(1,) * 13781),
]  # fmt: skip
HOLDING = [
    true("harmonic numbers above logarithm and γ", HARMONIC, ">=", log(n) + decimal("0.57721"), COUNTS, "γ"),
    true("harmonic numbers below a slope and 1", HARMONIC, "<=", Rational(1001, 1000) * log(n) + 1, COUNTS, "1 + log"),
    true("ζ(3/2) to four digits", ZETA, "<=", decimal("2.6124"), COUNTS, "2.61237…"),
    true("a sum of roots with its constant", SQUARE_ROOTS, ">=", 2 * n ** Rational(3, 2) / 3 + sqrt(n) / 2 - decimal(
         "0.20789"), COUNTS, "ζ(-1/2) = -.207886…"),
    true("inverse roots with a larger constant", ROOTS, ">=", 2 * sqrt(n) - decimal("1.4604"), COUNTS, "ζ(1/2)"),
    true("Stirling with its constant", LOGARITHMS, ">=", n * log(n) - n + log(n) / 2 + decimal("0.91893"), COUNTS,
         "log √2π"),
    true("sums of logarithms over squares", total(log(k) / k**2), "<=", decimal("0.93755"), COUNTS, "-ζ'(2)"),
    true("Wallis from below", WALLIS, "<=", pi / 2, COUNTS, "increasing"),
    true("a Riemann sum of an exponential", total(exp(-k / n)) / n, "<=", 1 - exp(-1), COUNTS, "decreasing"),
    true("Hardy for inverse roots", Sum((Sum(1 / sqrt(j), (j, 1, k)) / k) ** 2, (k, 1, n)), "<=", 4 * HARMONIC, COUNTS,
         "Hardy's inequality"),
    true("the Leibniz series", Sum((-1) ** k / (2 * k + 1), (k, 0, n)), ">=", Rational(2, 3), each(Integers(0), n),
         "pairs"),
]  # fmt: skip

STATEMENTS: list[Truth] = [*(truth for _, truth in FAILING), *VECTORS, *HOLDING]
