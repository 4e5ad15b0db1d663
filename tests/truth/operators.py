"""What is said of linear maps between spaces of any dimension, and of matrices of two and three rows."""

from fractions import Fraction
from typing import Any

import sympy as sp
from sympy import Abs, Eq, sqrt

from boundaudit import (
    Functions,
    Linear,
    Norms,
    Reals,
    Symmetric,
    adjoint,
    dual,
    eigenvalue,
    gradient,
    inner,
    norm,
    nuclear,
    singular,
)

from .spaces import ONTO, PAIR, STRONG, UNIT, VECTOR, alpha, beta, f, false, lam, mu, sigma, star, t, true, x, y

z, b = sp.symbols("z b")
A, B, C = map(sp.Function, "ABC")
T = adjoint(A)
ONE, MAP = {x: VECTOR}, {lam: ONTO, A: Linear(norm=lam)}
MAPS = {**MAP, sigma: ONTO, B: Linear(norm=sigma), **ONE}
PSD, SMOOTH = Symmetric(low=0), {lam: ONTO, A: Symmetric(low=0, high=lam)}
BETWEEN = {**STRONG, A: Symmetric(low=mu, high=beta)}
TO_SQUARE, TO_HIGH = Reals(0, 2 / lam**2, open_low=True), Reals(0, 2 / beta, open_low=True)

MAPPED = [
    true("a map by its norm", norm(A(x)), "<=", lam * norm(x), {**MAP, **ONE}, "so"),
    true("a bilinear form", inner(A(x), y), "<=", lam * norm(x) * norm(y), {**MAP, **PAIR}, "Cauchy-Schwarz"),
    true("an adjoint by the norm", norm(T(y)), "<=", lam * norm(y), {**MAP, y: VECTOR}, "its norm is the same"),
    true("to the other side", inner(A(x), y), "=", inner(x, T(y)), {A: Linear(), **PAIR}, "the adjoint"),
    true("a map and its adjoint", norm(T(A(x))), "<=", lam**2 * norm(x), {**MAP, **ONE}, "twice"),
    true("a Gram map's form", inner(T(A(x)), x), "=", norm(A(x)) ** 2, {A: Linear(), **ONE}, "to the other side"),
    true("a square of a norm", norm(A(x)) ** 2, "<=", norm(T(A(x))) * norm(x), {A: Linear(), **ONE}, "Cauchy-Schwarz"),
    true("maps are Lipschitz", norm(A(x) - A(y)), "<=", lam * norm(x - y), {**MAP, **PAIR}, "linear"),
    true("norms of products", norm(A(B(x))), "<=", lam * sigma * norm(x), MAPS, "twice"),
    true("norms of sums", norm(A(x) + B(x)), "<=", (lam + sigma) * norm(x), MAPS, "triangle"),
    true("norms of differences", norm(A(x) - B(x)), ">=", norm(B(x)) - lam * norm(x), MAPS, "triangle"),
    true("a square's norm", norm(A(A(x))), "<=", lam**2 * norm(x), {**MAP, **ONE}, "twice"),
    true("an averaged contraction", norm(x + A(x)) / 2, "<=", norm(x), {A: Linear(norm=1), **ONE}, "triangle"),
    true("a convex combination of contractions", norm(t * A(x) + (1 - t) * B(x)), "<=", norm(x), {t: UNIT, A:
         Linear(norm=1), B: Linear(norm=1), **ONE}, "triangle"),
    true("identity less a map", norm(x - alpha * A(x)), "<=", (1 + alpha * lam) * norm(x), {**MAP, alpha: ONTO, **ONE},
         "triangle"),
    true("identity less a small map", norm(x - A(x)), ">=", (1 - lam) * norm(x), {**MAP, lam: Reals(0, 1,
         open_low=True), **ONE}, "Neumann"),
    true("Landweber", norm(x - alpha * T(A(x))), "<=", norm(x), {**MAP, alpha: TO_SQUARE, **ONE}, "expand"),
    true("Landweber to a solution", norm(x - alpha * T(A(x) - b) - star), "<=", norm(x - star), {**MAP, alpha:
         TO_SQUARE, x: VECTOR, b: VECTOR, star: VECTOR}, "expand", Eq(b, A(star))),
    true("least squares are smooth", inner(T(A(x) - b) - T(A(y) - b), x - y), "<=", lam**2 * norm(x - y) ** 2,
         {**MAP, **PAIR, b: VECTOR}, "the norm"),
    true("least squares are convex", norm(A((x + y) / 2) - b) ** 2, "<=", (norm(A(x) - b) ** 2 + norm(A(y) - b) ** 2)
         / 2, {A: Linear(), **PAIR, b: VECTOR}, "parallelogram"),
    true("normal equations", norm(A(star) - b), "<=", norm(A(x) - b), {A: Linear(), x: VECTOR, b: VECTOR, star:
         VECTOR}, "right angles", Eq(T(A(star) - b), 0)),
    true("ridge shrinks", alpha * norm(x), "<=", norm(alpha * x + T(A(x))), {A: Linear(), alpha: ONTO, **ONE},
         "positive"),
    true("a Lipschitz loss of a linear model", f(A(x)) - f(A(y)), "<=", sigma * lam * norm(x - y), {**MAP, sigma: ONTO,
         **PAIR, f: Functions(lipschitz=sigma)}, "twice"),
    true("a chain rule's length", norm(T(gradient(f(A(x))))), "<=", sigma * lam, {**MAP, sigma: ONTO, **ONE, f:
         Functions(convex=True, lipschitz=sigma)}, "the norm"),
    true("a convex loss of a linear model", f(A(y)), ">=", f(A(x)) + inner(T(gradient(f(A(x)))), y - x), {A: Linear(),
         **PAIR, f: Functions(convex=True)}, "to the other side"),
    true("a Gram map's second form", inner(T(A(x)), T(A(x))), "<=", lam**2 * norm(A(x)) ** 2, {**MAP, **ONE},
         "the norm of the adjoint"),
    false("one norm for two", norm(T(A(x))), "<=", lam * norm(x), {**MAP, **ONE}, "twice", (2, 1, 2, 0, 4, 0, 0)),
    false("Landweber too far", norm(x - alpha * T(A(x))), "<=", norm(x), {**MAP, alpha: Reals(0, 3 / lam**2,
          open_low=True), **ONE}, "α = 5/2", (1, Fraction(5, 2), 1, 1, 0, 1, 0, 0)),
    false("norms of sums for half", norm(A(x) + B(x)), "<=", (lam + sigma) / 2 * norm(x), MAPS, "A = B = 1", (1, 1, 1,
          1, 0, 1, 0, 0)),
    false("any map is symmetric", inner(A(x), y), "=", inner(x, A(y)), {A: Linear(norm=1), **PAIR}, "a quarter turn",
          (1, 0, 1, 0, 1, 0, -1, 0, 0, 0, 0)),
    false("any map is positive", inner(A(x), x), ">=", 0, {**MAP, **ONE}, "A = -1", (1, 1, -1, 0)),
    false("any map is co-coercive", norm(A(x)) ** 2, "<=", lam * inner(A(x), x), {**MAP, **ONE}, "a quarter turn", (1,
          1, 0, 1)),
    false("a sum is longer", norm(x + A(x)), ">=", norm(x), {A: Linear(norm=1), **ONE}, "A = -1", (1, -1, 0)),
    false("maps commute", norm(A(B(x))), "<=", norm(B(A(x))), {A: Linear(norm=1), B: Linear(norm=1), **ONE},
          "A vanishes at x, B turns", (1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)),
]  # fmt: skip

SELF_ADJOINT = [
    true("self-adjoint", inner(A(x), y), "=", inner(x, A(y)), {A: Symmetric(), **PAIR}, "self-adjoint"),
    true("a form from below", inner(A(x), x), ">=", mu * norm(x) ** 2, {**BETWEEN, **ONE}, "Rayleigh"),
    true("a form from above", inner(A(x), x), "<=", beta * norm(x) ** 2, {**BETWEEN, **ONE}, "Rayleigh"),
    true("a symmetric map by its spectrum", norm(A(x)), "<=", beta * norm(x), {**BETWEEN, **ONE}, "spectrum"),
    true("a symmetric map from below", mu * norm(x), "<=", norm(A(x)), {**BETWEEN, **ONE}, "spectrum"),
    true("a positive form", inner(A(x), x), ">=", 0, {A: PSD, **ONE}, "so"),
    true("a positive map is co-coercive", norm(A(x)) ** 2, "<=", lam * inner(A(x), x), {**SMOOTH, **ONE}, "spectrum"),
    true("both ends", norm(A(x)) ** 2 + mu * beta * norm(x) ** 2, "<=", (mu + beta) * inner(A(x), x), {**BETWEEN,
         **ONE}, "(A - μ)(β - A) ≥ 0"),
    true("a step does not expand", norm(x - alpha * A(x)), "<=", norm(x), {lam: ONTO, A: SMOOTH[A], alpha: Reals(0, 2 /
         lam, open_low=True), **ONE}, "spectrum"),
    true("a step contracts", norm(x - alpha * A(x)), "<=", (1 - alpha * mu) * norm(x), {**BETWEEN, alpha: Reals(0, 1 /
         beta, open_low=True), **ONE}, "spectrum"),
    true("a long step contracts", norm(x - alpha * A(x)), "<=", (1 - alpha * mu) * norm(x), {**BETWEEN, alpha: Reals(0,
         2 / (beta + mu), open_low=True), **ONE}, "spectrum"),
    true("the best step contracts", (beta + mu) * norm(x - 2 / (beta + mu) * A(x)), "<=", (beta - mu) * norm(x),
         {**BETWEEN, **ONE}, "spectrum"),
    true("a gradient step on a quadratic", norm(x - alpha * (A(x) - b) - star), "<=", (1 - alpha * mu) * norm(x -
         star), {**BETWEEN, alpha: Reals(0, 1 / beta, open_low=True), x: VECTOR, b: VECTOR, star: VECTOR}, "a step",
         Eq(A(star), b)),
    true("two gradient steps approach", norm(x - alpha * A(x) - y + alpha * A(y)), "<=", norm(x - y), {**BETWEEN,
         alpha: TO_HIGH, **PAIR}, "a step"),
    true("a quadratic falls along a step", inner(A(x - A(x) / lam), x - A(x) / lam), "<=", inner(A(x), x) - norm(A(x))
         ** 2 / lam, {**SMOOTH, **ONE}, "spectrum"),
    true("a resolvent", norm(x), "<=", norm(x + A(x)), {A: PSD, **ONE}, "expand"),
    true("a strong resolvent", (1 + alpha * mu) * norm(x), "<=", norm(x + alpha * A(x)), {mu: ONTO, alpha: ONTO, A:
         Symmetric(low=mu), **ONE}, "spectrum"),
    true("a resolvent is firm", norm(x) ** 2, "<=", inner(x + A(x), x), {A: PSD, **ONE}, "positive"),
    true("a resolvent takes off", norm(A(x)), "<=", norm(x + A(x)), {A: PSD, **ONE}, "expand"),
    true("Cayley", norm(x - A(x)), "<=", norm(x + A(x)), {A: PSD, **ONE}, "expand"),
    true("an inverse by the spectrum", mu * norm(x), "<=", norm(y), {**BETWEEN, **PAIR}, "from below", Eq(y, A(x))),
    true("gap by gradient", mu * inner(A(x), x), "<=", norm(A(x)) ** 2, {**BETWEEN, **ONE}, "spectrum"),
    true("an order passes on", inner(A(x), x), "<=", inner(A(x) + C(x), x), {A: Symmetric(), C: PSD, **ONE}, "C ≥ 0"),
    true("an order passes to congruent maps", inner(A(B(x)), B(x)), "<=", inner(A(B(x)) + C(B(x)), B(x)), {A:
         Symmetric(), B: Linear(), C: PSD, **ONE}, "C ≥ 0"),
    true("a form of a product", inner(T(B(A(x))), x), "<=", sigma * norm(A(x)) ** 2, {A: Linear(), sigma: ONTO, B:
         Symmetric(high=sigma), **ONE}, "to the other side"),
    true("Weyl", inner(A(x) + B(x), x), "<=", (lam + sigma) * norm(x) ** 2, {lam: ONTO, sigma: ONTO, A:
         Symmetric(high=lam), B: Symmetric(high=sigma), **ONE}, "add up"),
    true("a perturbed form", Abs(inner(A(x) + B(x), x) - inner(A(x), x)), "<=", sigma * norm(x) ** 2, {A: Symmetric(),
         sigma: ONTO, B: Symmetric(low=-sigma, high=sigma), **ONE}, "spectrum"),
    true("a positive form's means", 2 * inner(A(x), y), "<=", inner(A(x), x) + inner(A(y), y), {A: PSD, **PAIR},
         "A ≥ 0 at x - y"),
    true("a quadratic is convex", inner(A((x + y) / 2), (x + y) / 2), "<=", (inner(A(x), x) + inner(A(y), y)) / 2, {A:
         PSD, **PAIR}, "A ≥ 0 at x - y"),
    true("Cauchy-Schwarz of a form", inner(A(x), y) ** 2, "<=", inner(A(x), x) * inner(A(y), y), {A: PSD, **PAIR},
         "discriminant"),
    true("Kantorovich's step", inner(A(y), y) + mu * beta * inner(x, y), "<=", (mu + beta) * norm(y) ** 2, {**BETWEEN,
         **PAIR}, "A(A - μ)(β - A) ≥ 0", Eq(y, A(x))),
    true("Kantorovich", 4 * mu * beta * inner(A(y), y) * inner(x, y), "<=", (mu + beta) ** 2 * norm(y) ** 4,
         {**BETWEEN, **PAIR}, "AM-GM after that step", Eq(y, A(x))),
    true("log-convex moments", norm(A(x)) ** 2, "<=", sqrt(inner(A(x), x) * inner(A(A(x)), A(x))), {A: PSD, **ONE},
         "Cauchy-Schwarz of the form"),
    true("two steps contract", norm(x - 2 * alpha * A(x) + alpha**2 * A(A(x))), "<=", norm(x), {lam: ONTO, A:
         SMOOTH[A], alpha: Reals(0, 2 / lam, open_low=True), **ONE}, "a step twice"),
    false("a step far out", norm(x - alpha * A(x)), "<=", norm(x), {lam: ONTO, A: SMOOTH[A], alpha: Reals(0, 3 / lam,
          open_low=True), **ONE}, "A = 1, α = 5/2", (1, Fraction(5, 2), 1, 1, 0)),
    false("a step by the wrong end", norm(x - alpha * A(x)), "<=", (1 - alpha * beta) * norm(x), {**BETWEEN, alpha:
          Reals(0, 1 / beta, open_low=True), **ONE}, "A = μ", (1, 2, Fraction(1, 2), 1, 1, 0)),
    false("a strong resolvent by the wrong end", (1 + beta) * norm(x), "<=", norm(x + A(x)), {**BETWEEN, **ONE},
          "A = μ", (1, 2, 1, 1, 0)),
    false("a resolvent of any symmetric map", norm(x), "<=", norm(x + A(x)), {A: Symmetric(), **ONE}, "A = -1", (1, 1,
          -1, 0)),
    false("products of positive maps are positive", inner(A(B(x)), x), ">=", 0, {A: Symmetric(low=0, high=1), B:
          Symmetric(low=0, high=1), **ONE}, "projections onto lines", (1, Fraction(9, 25),
          Fraction(12, 25), Fraction(-63, 625), Fraction(84, 625), 0)),
    false("an order passes to squares", norm(A(x)), "<=", norm(A(x) + C(x)), {A: PSD, C: PSD, **ONE},
          "two projections", (1, 1, 1, Fraction(9, 25), Fraction(12, 25), Fraction(9, 50), Fraction(-6, 25), 0)),
    false("Weyl by the larger", inner(A(x) + B(x), x), "<=", sp.Max(lam, sigma) * norm(x) ** 2, {lam: ONTO, sigma:
          ONTO, A: Symmetric(high=lam), B: Symmetric(high=sigma), **ONE}, "A = B = 1", (1, 1, 1, 1, 1, 1, 0, 1, 0, 0)),
    false("a quadratic falls faster", inner(A(x - A(x) / lam), x - A(x) / lam), "<=", inner(A(x), x) - 3 * norm(A(x))
          ** 2 / (2 * lam), {**SMOOTH, **ONE}, "A = λ", (1, 1, 1, 0, 1, 0, 0, 0)),
    false("Kantorovich's step short", inner(A(y), y) + mu * beta * inner(x, y), "<=", sp.Rational(9, 10) * (mu + beta) *
          norm(y) ** 2, {**BETWEEN, **PAIR}, "A = μ", (1, 2, 1, 1, 0, 1, 0, 0, 0), Eq(y, A(x))),
    false("Kantorovich for half", 8 * mu * beta * inner(A(y), y) * inner(x, y), "<=", (mu + beta) ** 2 * norm(y) ** 4,
          {**BETWEEN, **PAIR}, "A = 1 at μ = 1, β = 2", (1, 2, 1, 1, 0, 1, 0, 0, 0), Eq(y, A(x))),
    false("a form's means turned", 2 * inner(A(x), y), ">=", inner(A(x), x) + inner(A(y), y), {A: Symmetric(low=0,
          high=1), **PAIR}, "y = 0", (1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)),
    false("both ends too close", norm(A(x)) ** 2 + mu * beta * norm(x) ** 2, "<=", (mu + beta) * inner(A(x), x) / 2,
          {**BETWEEN, **ONE}, "A = μ", (1, 2, 1, 1, 0)),
    false("the best step contracts twice", (beta + mu) * norm(x - 2 / (beta + mu) * A(x)), "<=", (beta - mu) / 2 *
          norm(x), {**BETWEEN, **ONE}, "A = μ", (1, 2, 1, 1, 0)),
    false("a square root of a form", norm(A(x)), "<=", sqrt(inner(A(x), x)), {**SMOOTH, **ONE}, "A = λ = 4", (4, 1, 4,
          0)),
]  # fmt: skip

P, Q, R = (sp.MatrixSymbol(name, 2, 2) for name in "PQR")
K, V = sp.MatrixSymbol("K", 3, 3), sp.MatrixSymbol("V", 2, 1)
ANY, POSITIVE, SELF = {P: Reals(), Q: Reals()}, {P: PSD, Q: PSD}, {P: Symmetric(), Q: Symmetric()}


def trace(matrix: Any) -> Any:
    return sp.Trace(matrix)


def det(matrix: Any) -> Any:
    return sp.Determinant(matrix)


def largest(matrix: Any) -> Any:
    """The largest eigenvalue of a symmetric matrix of two rows."""
    return (trace(matrix) + sqrt((matrix[0, 0] - matrix[1, 1]) ** 2 + 4 * matrix[0, 1] ** 2)) / 2


def summed(matrix: Any) -> Any:
    """The sum of the singular values of a matrix of two rows."""
    return sqrt(norm(matrix) ** 2 + 2 * Abs(det(matrix)))


def spread(matrix: Any) -> Any:
    """The difference of the singular values."""
    return sqrt(norm(matrix) ** 2 - 2 * Abs(det(matrix)))


ENTRIES = [
    true("traces commute", trace(P * Q), "=", trace(Q * P), ANY, "expand"),
    true("trace inner product", inner(P, Q), "<=", norm(P) * norm(Q), ANY, "Cauchy-Schwarz"),
    true("Frobenius is submultiplicative", norm(P * Q), "<=", norm(P) * norm(Q), ANY, "Cauchy-Schwarz by entry"),
    true("determinants multiply", det(P * Q), "=", det(P) * det(Q), ANY, "expand"),
    true("Cayley-Hamilton", trace(P * P), "=", trace(P) ** 2 - 2 * det(P), {P: Reals()}, "expand"),
    true("Hadamard", Abs(det(P)), "<=", norm(P) ** 2 / 2, {P: Reals()}, "AM-GM"),
    true("a trace by the norm", trace(P) ** 2, "<=", 2 * norm(P) ** 2, {P: Reals()}, "Cauchy-Schwarz"),
    true("a determinant by the trace", det(P), "<=", trace(P) ** 2 / 4, {P: PSD}, "AM-GM"),
    true("determinants of positive sums", det(P + Q), ">=", det(P) + det(Q), POSITIVE, "Minkowski"),
    true("roots of determinants", sqrt(det(P + Q)), ">=", sqrt(det(P)) + sqrt(det(Q)), POSITIVE, "mixed determinants"),
    true("traces of positive products", trace(P * Q), ">=", 0, POSITIVE, "roots"),
    true("a trace of positive products above", trace(P * Q), "<=", trace(P) * trace(Q), POSITIVE, "roots"),
    true("Hadamard for positive ones", det(P), "<=", P[0, 0] * P[1, 1], {P: PSD}, "a square"),
    true("Hadamard for three rows", det(K), "<=", K[0, 0] * K[1, 1] * K[2, 2], {K: PSD}, "Fischer twice"),
    true("Fischer", det(K), "<=", (K[0, 0] * K[1, 1] - K[0, 1] ** 2) * K[2, 2], {K: PSD}, "Schur"),
    true("a contraction of two rows", norm(P * V), "<=", norm(V), {P: Linear(norm=1), V: Reals()}, "so"),
    true("a contraction's determinant", det(P), "<=", 1, {P: Linear(norm=1)}, "product of singular values"),
    true("the largest eigenvalue is convex", largest(t * P + (1 - t) * Q), "<=", t * largest(P) + (1 - t) * largest(Q),
         {t: UNIT, **SELF}, "triangle"),
    true("Weyl for two rows", largest(P + Q), "<=", largest(P) + largest(Q), SELF, "triangle"),
    true("von Neumann", 2 * trace(P * Q), "<=", summed(P) * summed(Q) + spread(P) * spread(Q), ANY, "Cauchy-Schwarz"),
    true("nuclear above Frobenius", norm(P), "<=", summed(P), {P: Reals()}, "so"),
    true("nuclear below Frobenius", summed(P), "<=", sqrt(2) * norm(P), {P: Reals()}, "Hadamard"),
    true("a Rayleigh quotient", trace(V.T * P * V), "<=", largest(P) * norm(V) ** 2, {P: Symmetric(), V: Reals()},
         "spectrum"),
    false("determinants of sums", det(P + Q), "<=", det(P) + det(Q), POSITIVE, "P = Q = 1", (1, 1, 1, 1, 0, 0)),
    false("traces of symmetric products", trace(P * Q), ">=", 0, SELF, "Q = -P", (1, 0, 1, -1, 0, -1)),
    false("traces of three", trace(P * Q * R), ">=", 0, {**POSITIVE, R: PSD}, "three directions", (1, 0, 1, 0, 1, 0, 0,
          2, -2)),
    false("Frobenius commutes", norm(P * Q), "<=", norm(Q * P), ANY, "shift and projection", (0, 1, 0, 0, 0, 0, 0, 1)),
    false("Hadamard with half", det(P), "<=", P[0, 0] * P[1, 1] / 2, {P: PSD}, "P = 1", (1, 1, 0)),
    false("nuclear below Frobenius, short", summed(P), "<=", norm(P), {P: Reals()}, "P = 1", (1, 0, 0, 1)),
    false("the largest eigenvalue adds up", largest(P + Q), ">=", largest(P) + largest(Q), SELF, "Q = -P", (1, 0, 0,
          -1, 0, 0)),
]  # fmt: skip

N = sp.Function("N")
ANY_NORM, OF_RANK = {N: Norms()}, {lam: Reals(1), N: Norms(low=1, high=sqrt(lam))}


SPECTRA = [
    true("nuclear norms of sums", nuclear(P + Q), "<=", nuclear(P) + nuclear(Q), ANY, "triangle"),
    true("operator norms of sums", singular(P + Q, 1), "<=", singular(P, 1) + singular(Q, 1), ANY, "triangle"),
    true("operator and nuclear norm are dual", inner(P, Q), "<=", singular(P, 1) * nuclear(Q), ANY, "von Neumann"),
    true("Frobenius between operator and nuclear", norm(P) ** 2, "<=", singular(P, 1) * nuclear(P), {P: Reals()},
         "term by term"),
    true("a nuclear norm by the determinant", nuclear(P) ** 2, "=", norm(P) ** 2 + 2 * Abs(det(P)), {P: Reals()},
         "expand"),
    true("von Neumann by singular values", inner(P, Q), "<=", singular(P, 1) * singular(Q, 1) + singular(P, 2) *
         singular(Q, 2), ANY, "Cauchy-Schwarz"),
    true("a largest eigenvalue is Lipschitz", Abs(eigenvalue(P, 1) - eigenvalue(Q, 1)), "<=", singular(P - Q, 1), SELF,
         "Weyl"),
    true("Weyl for the smaller", eigenvalue(P + Q, 2), "<=", eigenvalue(P, 1) + eigenvalue(Q, 2), SELF, "triangle"),
    true("nuclear norms of products", nuclear(P * Q), "<=", singular(P, 1) * nuclear(Q), ANY, "duality"),
    true("a smaller singular value is Lipschitz", Abs(singular(P, 2) - singular(Q, 2)), "<=", singular(P - Q, 1), ANY,
         "Weyl"),
    true("a norm and its dual", inner(x, y), "<=", N(x) * dual(N)(y), {**PAIR, **ANY_NORM}, "so"),
    true("nuclear below Frobenius by the rank", N(x), "<=", sqrt(lam) * norm(x), {x: VECTOR, **OF_RANK}, "so"),
    true("nuclear by operator and rank", N(x), "<=", lam * dual(N)(x), {x: VECTOR, **OF_RANK}, "twice"),
    true("a proximal step of a norm", norm(x - y), "<=", norm(x + alpha * gradient(N(x)) - y - alpha * gradient(N(y))),
         {alpha: ONTO, **PAIR, **ANY_NORM}, "monotone"),
    true("a subgradient of a norm", dual(N)(gradient(N(x))), "<=", 1, {x: VECTOR, **ANY_NORM}, "so"),
    false("nuclear below Frobenius for 1414 in 1000", nuclear(P), "<=", sp.Rational(1414, 1000) * norm(P), {P:
          Reals()}, "P = 1", (1, 0, 0, 1)),
    false("operator and Frobenius are dual", inner(P, Q), "<=", singular(P, 1) * norm(Q), ANY, "P = Q = 1", (1, 0, 0,
          1, 1, 0, 0, 1)),
    false("von Neumann for 99 in 100", inner(P, Q), "<=", sp.Rational(99, 100) * (singular(P, 1) * singular(Q, 1) +
          singular(P, 2) * singular(Q, 2)), ANY, "P = Q = 1", (1, 0, 0, 1, 1, 0, 0, 1)),
    false("nuclear by operator and a root", N(x), "<=", sqrt(lam) * dual(N)(x), {x: VECTOR, **OF_RANK}, "rank 4",
          (4, 1, 2, 0, Fraction(1, 2), 0, 0)),
    false("a step of a norm contracts", norm(x - alpha * gradient(N(x)) - y + alpha * gradient(N(y))), "<=",
          norm(x - y), {alpha: ONTO, **PAIR, **ANY_NORM}, "1 and -1, α = 3", (3, 1, 1, 1, -1, 0, 1, 0, 0,
          -1, 0, 0, 0)),
]  # fmt: skip

STATEMENTS = [*MAPPED, *SELF_ADJOINT, *ENTRIES, *SPECTRA]
