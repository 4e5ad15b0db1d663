"""Statements decided far out, at an open end, in a narrow bump, by one integer, or by a hair."""

from fractions import Fraction

import sympy as sp
from sympy import Abs, Rational, exp, log, sin, sqrt

from boundaudit import Domain, Integers, Reals

from .false_forms import GELU
from .statement import COUNTS, NONNEGATIVE, PLANE, REAL, SQUARE, UNIT, Truth, each, false, true
from .sums import HARMONIC, SQUARES

x, y, z = sp.symbols("x y z", real=True)
k, m, n = sp.symbols("k m n", integer=True)

TEN = sp.Integer(10)
MILLION = 10**6
ROOT_2 = Fraction(1414213562373095, 10**15)
HALF_OPEN, OPEN_AT_ZERO = each(Reals(0, 1, open_high=True), x), each(Reals(0, 1, open_low=True), x)
LATTICE = Domain({m: Integers(1), n: Integers(1)})
SLANTED = (3 * x + 5 * y - 7) ** 2 + (x - y - Rational(1, 3)) ** 2
LINE = Domain({x: Reals(0, 1), y: Reals(0, 1)}, where=[x + y >= 1, x + y <= 1])

FAR_OUT = [
    false("harmonic numbers below 5", HARMONIC, "<=", 5, COUNTS, "H_83 = 5.002…", n=83),
    false("harmonic numbers below 10", HARMONIC, "<=", 10, COUNTS, "log n + γ", n=13000),
    false("logarithm below 5", log(n), "<=", 5, COUNTS, "e⁵ = 148.4…", n=149),
    false("iterated logarithm below 7/2", log(log(n + 2)), "<=", Rational(7, 2), COUNTS, "e^{33.1…}", n=10**15),
    false("a small power below 2", n ** Rational(1, 10), "<=", 2, COUNTS, "2^10 = 1024", n=1025),
    false("a late polynomial", n**3, "<=", 1000 * n**2, COUNTS, "n > 1000", n=1001),
    false("a root below 100", sqrt(x), "<=", 100, NONNEGATIVE, "x > 10^4", x=10001),
    false(
        "logarithm below 36 hundredth powers", log(n), "<=", 36 * n ** Rational(1, 100), COUNTS, "100/e > 36, at e^100",
        n=10**43,
    ),
    false("counts below 10^18", n, "<=", TEN**18, COUNTS, "the next one", n=10**18 + 1),
    false("counts below 10^30", n, "<=", TEN**30, COUNTS, "the next one", n=10**30 + 1),
    false("reals below 10^40", x, "<=", TEN**40, REAL, "a larger one", x=10**41),
    false("e from below with 2.718", (1 + 1 / n) ** n, "<=", Rational(2718, 1000), COUNTS, "e - e/(2n)", n=5000),
    false(
        "e from below with 2.7182818", (1 + 1 / n) ** n, "<=", Rational(27182818, 10**7), COUNTS, "e - e/(2n)", n=10**8,
    ),
    false(
        "n-th roots stay away from 1", n ** (1 / n), ">=", 1 + Rational(1, MILLION), each(Integers(2), n), "log n/n",
        n=10**8,
    ),
    false(
        "two parameters, one far", n / (1 + x), "<=", 1000, Domain({n: Integers(1), x: Reals(0, 1)}), "n > 2000",
        n=2001, x=1,
    ),
    false("tenth power below exp from 35", x**10, "<=", exp(x), each(Reals(35), x), "crosses at 35.77…", x=35),
    false(
        "inverse squares below 1.64", SQUARES, "<=", Rational(41, 25), each(Integers(1, MILLION), n), "π²/6 = 1.6449…",
        n=1000,
    ),
    false("counts far in both", m * n / (m + n), "<=", MILLION, LATTICE, "both above 2 million", m=10**7, n=10**7),
    false("a rate with a best dimension", sqrt(x / n) + 1 / x, ">=", Rational(1, 1000), Domain({n: Integers(1), x:
          Reals(1)}), "√(x/n) = 1/x at n = x³", n=10**12, x=10**4),
    false("the smallest of three", sp.Min(x, y, z), "<=", MILLION, each(Reals(0), x, y, z), "all far", x=10**7, y=10**7,
          z=10**7),
    false("a window far out", Abs(log(n) - 50), ">=", Rational(1, 100), COUNTS, "e^50", n=5184705528587072464087),
    false("second half of a sum, late", sp.Sum(1 / (n + k), (k, 1, n)), "<=", Rational(69314, 10**5), COUNTS,
          "log 2 - 1/(4n)", n=36000),
    false("two factors of a square, far out", sp.Min(x, y), "<=", 10**5, Domain({x: Reals(0, open_low=True), y: Reals(0,
          open_low=True), z: Reals(0)}, where=[sp.Eq(x * y, z**2)]), "x = y = z", x=10**6, y=10**6, z=10**6),
    true("counts in both, exactly", m * n / (m + n), "<=", sp.Min(m, n), LATTICE, "1/m + 1/n"),
    true("the smallest of three below their mean", sp.Min(x, y, z), "<=", (x + y + z) / 3, each(Reals(0), x, y, z),
         "term by term"),
    true("tenth power below exp from 36", x**10, "<=", exp(x), each(Reals(36), x), "10 log x <= x from there on"),
    true("logarithm below tenth powers", log(x), "<=", 10 * x ** Rational(1, 10), each(Reals(1), x), "log t <= t"),
    true("inverse squares up to a million", SQUARES, "<=", 2, each(Integers(1, MILLION), n), "π²/6 < 2"),
    true("inverse squares at 10^9", SQUARES, "<=", 2, each(Integers(10**9, 10**9), n), "π²/6 < 2"),
    true("harmonic numbers up to 82", HARMONIC, "<=", 5, each(Integers(1, 82), n), "H_82 = 4.990…"),
]  # fmt: skip

ENDS = [
    false("-log x below 20", -log(x), "<=", 20, OPEN_AT_ZERO, "e^{-20} = 2e-9", x=Fraction(1, 10**9)),
    false("-log x below 800", -log(x), "<=", 800, OPEN_AT_ZERO, "below every float", x=Fraction(1, 10**400)),
    false(
        "exp at an open end", exp(x), "<=", sp.E - Rational(1, 10**25), HALF_OPEN, "continuous",
        x=1 - Fraction(1, 10**26),
    ),
    false("an inverse below a million", 1 / x, "<=", MILLION, OPEN_AT_ZERO, "x < 10^-6", x=Fraction(1, 10**7)),
    false("a pole at an open end", 1 / (1 - x), "<=", 10**9, HALF_OPEN, "close to 1", x=1 - Fraction(1, 10**10)),
    false(
        "a slow power at zero", x ** Rational(1, 10), ">=", Rational(1, 10), OPEN_AT_ZERO, "x < 10^-10",
        x=Fraction(1, 10**11),
    ),
    false(
        "the last digits of a floor", sp.floor(x), ">=", x - 1 + Rational(1, 10**9), REAL, "just below an integer",
        x=1 - Fraction(1, 10**10),
    ),
    false("a corner of a line", x**2 + y**2, "<=", Rational(99, 100), LINE, "both corners", x=1, y=0),
    true("exp at a closed end", exp(x), "<=", sp.E, UNIT, "monotone"),
    true("a line's corners", x**2 + y**2, "<=", 1, LINE, "1 - 2xy"),
    true("huge powers", (1 + x) ** 3000 * (1 + y) ** 3000, "<=", sp.Integer(2) ** 6000, SQUARE, "monotone"),
    true("overflow", exp(exp(x)), "<=", exp(exp(10)), each(Reals(0, 10), x), "monotone, e^22026"),
    true("a steep exponential", exp(1000 * x), "<=", exp(1000), UNIT, "monotone"),
    true("an exponential of nothing", exp(-(TEN**11)) * x, "<=", 1, UNIT, "e^{-10^11} < 1"),
    true("tiny slopes", x / TEN**300, ">=", 0, UNIT, "positive"),
    true("underflow", exp(-x), ">=", TEN**-340, each(Reals(0, 780), x), "e^{-780} = 10^-338.7"),
    false("underflow, too far", exp(-x), ">=", TEN**-340, each(Reals(0, 1000), x), "e^{-1000} = 10^-434", x=1000),
    false("a square above 10^-300", x**2, ">=", TEN**-300, each(Reals(-1, 1), x), "zero", x=0),
]  # fmt: skip

BUMPS = [
    false("a bump at √2", exp(-(TEN**10) * (x - sqrt(2)) ** 2), "<=", Rational(1, 2), REAL, "1 at √2", x=ROOT_2),
    false("a bump at 0", 2 * exp(-2 * TEN**10 * x**2), "<=", Rational(1, 20), REAL, "2 at 0", x=0),
    false(
        "a bump at 1/3", x**2 + exp(-(TEN**8) * (x - Rational(1, 3)) ** 2), "<=", Rational(21, 20), UNIT, "1 + 1/9",
        x=Fraction(1, 3),
    ),
    false(
        "a bump in the plane", exp(-MILLION * ((x - Rational(1, 7)) ** 2 + (y - Rational(3, 11)) ** 2)), "<=",
        Rational(1, 2), PLANE, "1 there", x=Fraction(1, 7), y=Fraction(3, 11),
    ),
    false("a double zero at √2", (x**2 - 2) ** 2, ">=", TEN**-12, each(Reals(0, 2), x), "0 at √2", x=ROOT_2),
    false("a zero at √2", Abs(x**2 - 2), ">=", TEN**-14, each(Reals(0, 2), x), "0 at √2", x=ROOT_2),
    false(
        "an irrational maximum", x - x**3, "<=", Rational(3849, 10000), UNIT, "0.38490018 at 1/√3",
        x=Fraction(57735, 100000),
    ),
    false("a maximum by a hair", x * (1 - x), "<=", Rational(1, 4) - TEN**-20, UNIT, "1/4", x=Fraction(1, 2)),
    false(
        "a transcendental minimum", GELU, ">=", -Rational(1699, 10000), REAL, "-0.16997… at -0.7518…",
        x=-Fraction(3, 4),
    ),
    false(
        "a fast cosine", sp.cos(MILLION * x), ">=", -Rational(999, 1000), UNIT, "cos π",
        x=Fraction(3141592653589793, 10**21),
    ),
    false("a fast sine", sin(1000 * x), "<=", Rational(9999, 10000), UNIT, "sin π/2", x=Fraction(1570796, 10**9)),
    false("a slanted bump in the plane", exp(-(10**8) * SLANTED), "<=", Rational(1, 2), PLANE, "two lines meet",
          x=Fraction(13, 12), y=Fraction(3, 4)),
    false("a slanted pole in the plane", 1 / (1 + 10**8 * SLANTED), "<=", Rational(1, 2), PLANE, "two lines meet",
          x=Fraction(13, 12), y=Fraction(3, 4)),
    true("a slanted bump, bounded", exp(-(10**8) * SLANTED), "<=", 1, PLANE, "the exponent is not positive"),
    true("a bump, bounded", exp(-(TEN**10) * (x - sqrt(2)) ** 2), "<=", 1, REAL, "the exponent is not positive"),
    true("an irrational maximum, exactly", x - x**3, "<=", 2 / (3 * sqrt(3)), UNIT, "largest at 1/√3"),
    true("a maximum with room for a hair", x * (1 - x), "<=", Rational(1, 4) + TEN**-20, UNIT, "1/4"),
    true("a fast sine, squared", sin(MILLION * x) ** 2, "<=", 1, UNIT, "a sine"),
    true("a double zero", (x**2 - 2) ** 2, ">=", 0, REAL, "a square"),
]  # fmt: skip

INTEGERS = [
    false("Pell with 61", Abs(61 * m**2 - n**2), ">=", 2, LATTICE, "n² - 61m² = -1", m=3805, n=29718),
    false("Pell with 109", Abs(109 * m**2 - n**2), ">=", 2, LATTICE, "n² - 109m² = -1", m=851525, n=8890182),
    false("one count is missing", (n - 654321) ** 2, ">=", 1, each(Integers(1, MILLION), n), "zero there", n=654321),
    false("the best of neighbours", n * (1001 - n), "<=", 250499, COUNTS, "250500 at 500 and 501", n=500),
    false("sines of integers", Abs(sin(n)), ">=", TEN**-4, each(Integers(1, 400), n), "355/113", n=355),
    false("Euler's primes", Abs(n**2 + n + 41 - 1681), ">=", 1, COUNTS, "n = 40 gives 41²", n=40),
    false(
        "Fermat's near miss", Abs(m**3 + 1 - n**3), ">=", 1, Domain({m: Integers(0), n: Integers(1)}), "1 = 1", m=0,
        n=1,
    ),
    false("sums of two squares", Abs(m**2 + n**2 - 1000009), ">=", 1, LATTICE, "235² + 972²", m=235, n=972),
    false("one count in billions is missing", (n - 987654321) ** 2, ">=", 1, COUNTS, "zero there", n=987654321),
    false("a double root far out", n**2 - 2 * 10**12 * n + 10**24, ">=", 1, COUNTS, "(n - 10^12)²", n=10**12),
    false("one integer where no float is", (n - 10**20) * (n - 10**20 - 2), ">=", 0, COUNTS, "-1 there", n=10**20 + 1),
    false("between two maxima", sp.Max(n - 10**9, 10**9 + 2 - n), ">=", 2, COUNTS, "both are 1", n=10**9 + 1),
    false("a logarithm of a count", Abs(log(n) - 30), ">=", Rational(1, MILLION), COUNTS, "e^30 is no integer",
          n=10686474581524),
    false("fractional parts of multiples", n * sqrt(2) - sp.floor(n * sqrt(2)), ">=", Rational(1, MILLION), COUNTS,
          "n a denominator of a convergent", n=1136689),
    false("multiples of π from below", sp.ceiling(n * sp.pi) - n * sp.pi, ">=", Rational(1, 10**9), COUNTS,
          "n a denominator of a convergent", n=811528438),
    false("a quotient close to √2", Abs(m / n - sqrt(2)), ">=", Rational(1, 10**7), LATTICE, "a convergent", m=3363,
          n=2378),
    false("powers of 2 and 3", Abs(m * log(2) - n * log(3)), ">=", Rational(1, 10**8), LATTICE, "a convergent",
          m=85137581, n=53715833),
    false("Pell with 109, squared", Abs(m**2 - 109 * n**2 - 1), ">=", 1, LATTICE, "the least solution",
          m=158070671986249, n=15140424455100),
    false("Pell with 421", Abs(m**2 - 421 * n**2 - 1), ">=", 1, LATTICE, "the least solution",
          m=3879474045914926879468217167061449, n=189073995951839020880499780706260),
    false("two primes", Abs(100003 * m - 99991 * n - 1), ">=", 1, LATTICE, "Euclid", m=41663, n=41668),
    false("triangular squares far out", Abs(m * (m + 1) - 2 * n**2), ">=", 1, Domain({m: Integers(2 * MILLION), n:
          Integers(1)}), "(2m + 1)² - 8n² = 1", m=11309768, n=7997214),
    true("no quotient closer to √2", Abs(m / n - sqrt(2)) * n**2, ">=", Rational(1, 3), LATTICE, "|m² - 2n²| ≥ 1"),
    true("no count in billions", (n - 987654321) ** 2, ">=", 0, COUNTS, "a square"),
    true("109 is no square", Abs(109 * m**2 - n**2), ">=", 1, LATTICE, "irrational root"),
    true("61 is no square", Abs(61 * m**2 - n**2), ">=", 1, LATTICE, "irrational root"),
    true(
        "small solutions of Pell", Abs(61 * m**2 - n**2), ">=", 2, Domain({m: Integers(1, 20), n: Integers(1, 200)}),
        "m = 3805",
    ),
    true("the best of neighbours, exactly", n * (1001 - n), "<=", 250500, COUNTS, "(n - 500)(n - 501) >= 0"),
]  # fmt: skip

STATEMENTS: list[Truth] = [*FAR_OUT, *ENDS, *BUMPS, *INTEGERS]
