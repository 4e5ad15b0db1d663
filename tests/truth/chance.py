"""What is said of chance given what is known, of events, and of what holds with high probability."""

from fractions import Fraction

import sympy as sp
from sympy import Abs, Max, Min, Rational, exp, sqrt

from boundaudit import Cov, E, Event, P, Random, Reals, Var

from .spaces import ANY, BETWEEN, HALVES, NONNEGATIVE, ONTO, UNIT, false, true

A, B, C = sp.symbols("A B C")
X, Y, Z = sp.symbols("X Y Z", real=True)
a, b, c = sp.symbols("a b c", real=True)
delta, sigma, u = sp.symbols("delta sigma u", positive=True)
delta1, delta2, delta3 = DELTAS = sp.symbols("delta1:4", positive=True)
SHARES = dict.fromkeys(DELTAS, Reals(0, 1, open_low=True))
THIRDS = (Fraction(1, 3),) * 3

AFTER = {Y: ANY, X: Random(given=Y)}
TWO_AFTER = {**AFTER, Z: Random(given=Y)}
MEAN = E(X, given=Y)
GIVEN = [
    true("tower", E(MEAN), "=", E(X), AFTER, "a double sum"),
    true("what is known comes out", E(X * Y), "=", E(Y * MEAN), AFTER, "a double sum"),
    true("total variance", Var(X), "=", E(Var(X, given=Y)) + Var(MEAN), AFTER, "expand"),
    true("Rao-Blackwell", Var(MEAN), "<=", Var(X), AFTER, "total variance"),
    true("conditional Jensen for squares", E(MEAN**2), "<=", E(X**2), AFTER, "variance given Y"),
    true("conditional Jensen for exp", E(exp(MEAN)), "<=", E(exp(X)), AFTER, "tangent given Y"),
    true("conditional Jensen for sizes", E(Abs(MEAN)), "<=", E(Abs(X)), AFTER, "triangle given Y"),
    true("the best predictor", E((X - MEAN) ** 2), "<=", E((X - Y) ** 2), AFTER, "Pythagoras"),
    true("Pythagoras of means", E((X - Y) ** 2), "=", E((X - MEAN) ** 2) + E((MEAN - Y) ** 2), AFTER, "mixed terms"),
    true("a martingale difference", E((X - MEAN) * Y), "=", 0, AFTER, "what is known comes out"),
    true("two stages of a martingale", E((Y + X - MEAN) ** 2), "=", E(Y**2) + E(Var(X, given=Y)), AFTER, "mixed terms"),
    true("total probability", P(X >= a), "=", E(P(X >= a, given=Y)), {a: Reals(), **AFTER}, "a double sum"),
    true("Markov given Y", E(P(X >= a, given=Y)), "<=", E(X) / a, {a: ONTO, Y: ANY, X: Random(NONNEGATIVE, given=Y)},
         "term by term"),
    true("a covariance through a mean", Cov(X, Y), "=", Cov(MEAN, Y), AFTER, "tower"),
    true("total covariance", Cov(X, Z), "=", E(Cov(X, Z, given=Y)) + Cov(MEAN, E(Z, given=Y)), TWO_AFTER, "expand"),
    true("independent given Y", E(X * Z), "=", E(MEAN * E(Z, given=Y)), {**AFTER, Z: Random(given=Y, apart="Z")},
         "a triple sum"),
    true("a bounded mean given Y", E(MEAN), "<=", 1, {Y: ANY, X: Random(UNIT, given=Y)}, "term by term"),
    true("a mean on an event", E(X, given=X >= a) * P(X >= a), "<=", E(X), {a: ONTO, X: Random(NONNEGATIVE)},
         "term by term", P(X >= a) > 0),
    false("means given Y are means", E(MEAN**2), "=", E(X) ** 2, AFTER, "X = Y", (2, HALVES, (0, 1), 1, (1,),
         ((0,), (1,)))),
    false("conditional Jensen turned", E(X**2), "<=", E(MEAN**2), AFTER, "a fair coin", (1, (1,), (0,), 2, HALVES,
         ((0, 1),))),
    false("all variance is within", Var(X), "<=", E(Var(X, given=Y)), AFTER, "X = Y", (2, HALVES, (0, 1), 1, (1,),
         ((0,), (1,)))),
    false("sizes of means are mean sizes", E(Abs(MEAN)), ">=", E(Abs(X)), AFTER, "a fair sign", (1, (1,), (0,), 2,
         HALVES, ((1, -1),))),
    false("conditional Jensen for half of sizes", E(Abs(MEAN)), "<=", E(Abs(X)) / 2, AFTER, "X = 1", (1, (1,), (0,), 1,
         (1,), ((1,),))),
    false("given the same is apart", E(X * Z), "=", E(MEAN * E(Z, given=Y)), TWO_AFTER, "X = Z a fair sign", (1, (1,),
         (0,), 2, HALVES, ((1, -1),), ((1, -1),))),
    false("apart given Y is apart", E(X * Z), "=", E(X) * E(Z), {**AFTER, Z: Random(given=Y, apart="Z")}, "X = Z = Y",
         (2, HALVES, (0, 1), 1, (1,), ((0,), (1,)), 1, (1,), ((0,), (1,)))),
    false("known and given are apart", E(Z * E(X, given=(Y, Z))), "=", E(Z) * E(X), {Y: ANY, Z: ANY, X:
         Random(given=Y)}, "X = Z = Y", (2, HALVES, (0, 1), (0, 1), 1, (1,), ((0,), (1,)))),
    false("an event tells nothing", P(X >= 1, given=X >= 0), "<=", P(X >= 1), {X: ANY}, "a fair sign", (2, HALVES,
         (1, -1)), P(X >= 0) > 0),
]  # fmt: skip

MOMENTS = [
    true("variance of a sum by covariance", Var(X + Y), "=", Var(X) + Var(Y) + 2 * Cov(X, Y), {X: ANY, Y: ANY},
         "expand"),
    true("covariance is linear", Cov(a * X + b, Y), "=", a * Cov(X, Y), {a: Reals(), b: Reals(), X: ANY, Y: ANY},
         "expand"),
    true("independent covariance", Cov(X, Y), "=", 0, {X: ANY, Y: Random(apart="Y")}, "a double sum"),
    true("Cantelli's step", P(X >= a), "<=", E((X + u) ** 2) / (a + u) ** 2, {a: ONTO, u: ONTO, X: ANY},
         "term by term"),
    true("Chebyshev as it is written", P(Abs(X - E(X)) >= a), "<=", Var(X) / a**2, {a: ONTO, X: ANY}, "term by term"),
    true("Chebyshev with a bound", P(X**2 >= a**2), "<=", sigma**2 / a**2, {a: ONTO, sigma: ONTO, X: ANY}, "Markov",
         E(X**2) <= sigma**2),
    false("Chebyshev with half a bound", P(X**2 >= a**2), "<=", sigma**2 / (2 * a**2), {a: ONTO, sigma: ONTO, X: ANY},
         "X = a", (1, 1, 1, (1,), (1,)), E(X**2) <= sigma**2),
    false("a variance of zero", Var(X), "<=", 0, {X: ANY}, "true of one outcome", (2, HALVES, (0, 1))),
    false("moments of two outcomes", sp.Matrix(3, 3, lambda i, j: E(X ** (i + j)) if i + j else 1).det(), "<=", 0, {X:
         ANY}, "true of two outcomes", (3, THIRDS, (0, 1, 2))),
    false("moments of three outcomes", sp.Matrix(4, 4, lambda i, j: E(X ** (i + j)) if i + j else 1).det(), "<=", 0,
         {X: ANY}, "true of three outcomes", (4, (Fraction(1, 4),) * 4, (0, 1, 2, 3))),
    false("the largest of three, short", E(Max(X, Y, Z)) - Max(E(X), E(Y), E(Z)), "<=", Rational(66, 100), {X: BETWEEN,
         Y: BETWEEN, Z: BETWEEN}, "one of them is 1", (3, THIRDS, (1, 0, 0), (0, 1, 0), (0, 0, 1))),
    false("covariance below variance", Cov(X, Y), "<=", Var(X), {X: ANY, Y: ANY}, "Y = 2X", (2, HALVES, (0, 1),
         (0, 2))),
]  # fmt: skip

PAIR, THREE = {A: Event(), B: Event()}, {A: Event(), B: Event(), C: Event()}
TWICE = P(A & B) + P(B & C) + P(A & C)
EVENTS = [
    true("union", P(A | B), "<=", P(A) + P(B), PAIR, "by atoms"),
    true("Bonferroni", P(A & B), ">=", P(A) + P(B) - 1, PAIR, "by atoms"),
    true("union of three", P(A | B | C), "<=", P(A) + P(B) + P(C), THREE, "by atoms"),
    true("Bonferroni of three", P(A | B | C), ">=", P(A) + P(B) + P(C) - TWICE, THREE, "by atoms"),
    true("inclusion and exclusion", P(A | B | C), "=", P(A) + P(B) + P(C) - TWICE + P(A & B & C), THREE, "by atoms"),
    true("Bayes", P(A, given=B) * P(B), "=", P(B, given=A) * P(A), PAIR, "both are P(A ∩ B)", P(A) > 0, P(B) > 0),
    true("Bayes with total probability", P(A, given=B), "=", P(B, given=A) * P(A) / (P(B, given=A) * P(A) + P(B, given=
         ~A) * P(~A)), PAIR, "both are P(A ∩ B)/P(B)", P(A) > 0, P(B) > 0, P(~A) > 0),
    true("total probability of events", P(A), "=", P(A, given=B) * P(B) + P(A, given=~B) * P(~B), PAIR, "by atoms",
         P(B) > 0, P(~B) > 0),
    true("on a good event", P(A), "<=", P(A, given=B) + P(~B), PAIR, "by atoms", P(B) > 0),
    true("independent events", P(A | B), "=", 1 - (1 - P(A)) * (1 - P(B)), {A: Event(), B: Event(apart="B")},
         "a product"),
    true("a symmetric difference", Abs(P(A) - P(B)), "<=", P((A & ~B) | (B & ~A)), PAIR, "by atoms"),
    true("given is at most a quotient", P(A, given=B), "<=", P(A) / P(B), PAIR, "by atoms", P(B) > 0),
    true("covariance of events", P(A & B) - P(A) * P(B), "<=", Rational(1, 4), PAIR, "variances"),
    true("both by each", P(A & B), "<=", sqrt(P(A) * P(B)), PAIR, "the smaller"),
    true("all three with high probability", P(A & B & C), ">=", 1 - delta1 - delta2 - delta3, {**SHARES, **THREE},
         "union", P(A) >= 1 - delta1, P(B) >= 1 - delta2, P(C) >= 1 - delta3),
    true("Fréchet", P(A & B), "<=", Min(P(A), P(B)), PAIR, "by atoms"),
    false("both with the same probability", P(A & B), ">=", 1 - delta, {delta: SHARES[delta1], **PAIR}, "apart",
         (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4), Fraction(1, 4), 0), P(A) >= 1 - delta, P(B) >= 1 - delta),
    false("events attract", P(A & B), ">=", P(A) * P(B), PAIR, "apart", (0, *HALVES, 0)),
    false("Bayes without a prior", P(A, given=B), "=", P(B, given=A), PAIR, "B within A", (Fraction(1, 4),
         Fraction(1, 4), 0, Fraction(1, 2)), P(A) > 0, P(B) > 0),
]  # fmt: skip

LIKELY = [
    true("a sum of two tails", P(X + Y >= a + b), "<=", delta1 + delta2, {delta1: SHARES[delta1], delta2:
         SHARES[delta2], a: Reals(), b: Reals(), X: ANY, Y: ANY}, "union", P(X >= a) <= delta1, P(Y >= b) <= delta2),
    true("a sum of three tails", P(X + Y + Z >= a + b + c), "<=", delta1 + delta2 + delta3, {**SHARES, a: Reals(), b:
         Reals(), c: Reals(), X: ANY, Y: ANY, Z: ANY}, "union", P(X >= a) <= delta1, P(Y >= b) <= delta2, P(Z >= c) <=
         delta3),
    true("a wider interval", P(X <= b), ">=", 1 - delta, {delta: SHARES[delta1], a: Reals(), b: Reals(a), X: ANY},
         "more outcomes", P(X <= a) >= 1 - delta),
    true("a mean by a rare event", E(X), "<=", a + delta, {a: UNIT, delta: SHARES[delta1], X: BETWEEN}, "term by term",
         P(X > a) <= delta),
    false("a mean by half a rare event", E(X), "<=", a + delta / 2, {a: UNIT, delta: SHARES[delta1], X: BETWEEN},
         "a fair coin", (0, Fraction(1, 2), 2, HALVES, (0, 1)), P(X > a) <= delta),
    false("a sum of two tails at one", P(X + Y >= a + b), "<=", delta, {delta: SHARES[delta1], a: Reals(), b: Reals(),
         X: ANY, Y: ANY}, "one of two", (Fraction(1, 2), 0, 0, 2, HALVES, (1, -1), (-1, 1)), P(X >= a) <= delta, P(Y >=
         b) <= delta),
    false("a sum of three tails at one", P(X + Y + Z >= 0), "<=", delta, {delta: SHARES[delta1], X: ANY, Y: ANY, Z:
         ANY}, "one of three", (Fraction(1, 3), 3, THIRDS, (2, -1, -1), (-1, 2, -1), (-1, -1, 2)), P(X >= 0) <= delta,
         P(Y >= 0) <= delta, P(Z >= 0) <= delta),
    false("the largest tail is enough", P(X + Y + Z >= a + b + c), "<=", Max(P(X >= a), P(Y >= b), P(Z >= c)), {a:
         Reals(), b: Reals(), c: Reals(), X: ANY, Y: ANY, Z: ANY}, "one of three", (0, 0, 0, 3, THIRDS, (2, -1, -1),
         (-1, 2, -1), (-1, -1, 2))),
]  # fmt: skip

STATEMENTS = [*GIVEN, *MOMENTS, *EVENTS, *LIKELY]
