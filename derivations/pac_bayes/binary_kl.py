"""The binary relative entropy kl(q‖p): lower bounds, monotonicity, and its exponential moment.

For Bernoulli laws kl(q‖p) = q ln(q/p) + (1-q) ln((1-q)/(1-p)). It vanishes at q = p, where its derivative by either
argument vanishes too, so that a bound on the second derivative is enough:

    ∂² kl/∂p² = q/p² + (1-q)/(1-p)² ≥ 4,        ∂² kl/∂q² = 1/q + 1/(1-q) ≥ 1/p  for q ≤ p.

For m draws of a Bernoulli variable with mean R and their mean r, exp(m kl(r‖R)) times the probability of r = k/m is
C(m,k) (k/m)^k (1-k/m)^(m-k), whatever R is. The mean is therefore ξ(m) = Σ_k C(m,k) (k/m)^k (1-k/m)^(m-k), and by
Abel's identity

    ξ(m) = Σ_{k=0}^{m} (1 - 1/m)(1 - 2/m) … (1 - (k-1)/m) = 1 + Q(m)

with Ramanujan's Q, whose expansion √(πm/2) - 1/3 + √(π/(2m))/12 - 4/(135m) + … gives the exact growth. Derived here,
for every m: its terms t_1 = 1, t_{k+1} = (1 - k/m) t_k fall as a Gaussian does, and what follows after one of them is
bounded as the tail of a Gaussian is, with B(p) = √(p² + 2m) - p from above and A(p) = (√(p² + 4m) - p)/2 from below.
As B(p) - (1 - (p+1)/m) B(p+1) ≥ 1, t_{p+1} is at most B(p) t_{p+1} - B(p+1) t_{p+2}, and the sum from the second on at
most B(1) t_2, so that ξ(m) ≤ 2 + (1 - 1/m)(√(2m+1) - 1), which is at most 2√m from m = 1 on; in the same way it is at
least 2 + (1 - 1/m) A(1).
"""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import m
from boundaudit.derivations.symbols import symbol, vector

q_kl = symbol("q_kl", "first probability of a binary relative entropy", positive=True)
p_kl = symbol("p_kl", "second probability of a binary relative entropy", positive=True)
o_1kl = symbol("o_1kl", "odds q/(1-q) of a probability", positive=True)
o_2kl = symbol("o_2kl", "odds p/(1-p) of another probability", positive=True)
o_3kl = symbol("o_3kl", "odds of a probability beyond or between others", positive=True)
x_1kl = symbol("x_1kl", "by how much odds are beyond other odds", positive=True)
x_2kl = symbol("x_2kl", "by how much odds are beyond those", positive=True)
y_kl = symbol("y_kl", "exponential of minus Catoni's temperature", positive=True)
e_xi = symbol("e_xi", "number of errors on a sample", integer=True, positive=True)
i_xi = symbol("i_xi", "number of a factor, counted from 0", integer=True, nonnegative=True)
k_xi = symbol("k_xi", "number of a term, counted from 0", integer=True, nonnegative=True)
n_xi = symbol("n_xi", "place of a term among those of the exponential moment", integer=True, positive=True)
s_xi = symbol("s_xi", "a term of the exponential moment", nonnegative=True)
v_xi = symbol("v_xi", "a value of the loss beside zero and one", nonnegative=True)
h_xi = symbol("h_xi", "probability of that value", nonnegative=True)
p_xi = symbol("p_xi", "probability of one given that the loss is zero or one", positive=True)
t_xi = vector("t_xi", "terms of the exponential moment but for the first: each is 1 - k/m times the one before")


def binary_kl(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """kl(q‖p).

    Args:
        first: q, between 0 and 1.
        second: p, between 0 and 1.

    Returns:
        The relative entropy in nats.
    """
    return first * sp.log(first / second) + (1 - first) * sp.log((1 - first) / (1 - second))


KL = binary_kl(q_kl, p_kl)
SMALL = (p_kl - q_kl) ** 2 / (2 * p_kl)
"""Better than Pinsker's where p is below 1/4."""

_Q, _P = o_1kl / (1 + o_1kl), o_2kl / (1 + o_2kl)


def of_odds(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """kl(q‖p) in the odds, where both probabilities run through all of (0, 1).

    Args:
        first: q/(1-q).
        second: p/(1-p).

    Returns:
        The relative entropy in nats.
    """
    return first / (1 + first) * sp.log(first / second) + sp.log((1 + second) / (1 + first))


KL_OF_ODDS = of_odds(o_1kl, o_2kl)
PINSKER_OF_ODDS = 2 * (_P - _Q) ** 2

# --- the exponential moment -----------------------------------------------------------------------


_IN_ALL = (e_xi, 1, m - 1)
_ERRORS = e_xi / m

MEAN_EXPONENTIAL = (
    (1 - p_kl) ** m * sp.exp(-m * sp.log(1 - p_kl))
    + sp.Sum(
        sp.binomial(m, e_xi) * p_kl**e_xi * (1 - p_kl) ** (m - e_xi) * sp.exp(m * binary_kl(_ERRORS, p_kl)), _IN_ALL
    )
    + p_kl**m * sp.exp(-m * sp.log(p_kl))
)
"""E exp(m kl(r‖R)) over the binomial law of the number of errors: none, some, nothing but errors."""

BY_COUNT = 2 + sp.Sum(sp.binomial(m, e_xi) * _ERRORS**e_xi * (1 - _ERRORS) ** (m - e_xi), _IN_ALL)
"""The same without R."""


def term(k: sp.Expr) -> sp.Expr:
    """(1 - 1/m)(1 - 2/m) … (1 - (k-1)/m)."""
    return sp.Product(1 - i_xi / m, (i_xi, 0, k - 1))


MOMENT = 1 + sp.Sum(term(k_xi + 1), (k_xi, 0, m - 1))
"""ξ(m), by Abel's identity."""

FALLS = sp.Eq(t_xi[i_xi + 1], (1 - i_xi / m) * t_xi[i_xi]), (i_xi, 1, m - 1)
"""How each term follows from the one before."""

TERMS = sp.Sum(t_xi[k_xi + 1], (k_xi, 0, m - 1))
FURTHER = sp.Sum(t_xi[i_xi + 1], (i_xi, 1, m - 1))
"""All but the first."""


def rest(p: sp.Expr, c: int) -> sp.Expr:
    """What bounds the terms from t_{p+1} on over t_{p+1}.

    Args:
        p: How many terms came before.
        c: 2 for a bound from above, 4 for one from below.

    Returns:
        (√(p² + cm) - p) 2/c.
    """
    return (sp.sqrt(p**2 + c * m) - p) * 2 / c


def passed(c: int) -> sp.Expr:
    """By how much that falls, over t_{p+1}, from t_{p+1} to t_{p+2}: at least 1 for c = 2 and at most 1 for c = 4.

    Args:
        c: As for ``rest``.

    Returns:
        B(p) - (1 - (p+1)/m) B(p+1).
    """
    return rest(i_xi, c) - (1 - (i_xi + 1) / m) * rest(i_xi + 1, c)


def fallen(c: int, last: sp.Expr) -> sp.Expr:
    """How much that is in all, from the second term up to another.

    Args:
        c: As for ``rest``.
        last: The number of the term.

    Returns:
        Σ t_{p+1} (B(p) - (1 - (p+1)/m) B(p+1)), p from 1 to last - 1.
    """
    return sp.Sum(t_xi[i_xi + 1] * passed(c), (i_xi, 1, last - 1))


def ends(c: int, last: sp.Expr) -> sp.Expr:
    """The same by its two ends.

    Args:
        c: As for ``rest``.
        last: The number of the term.

    Returns:
        (1 - 1/m) B(1) t_1 - (1 - last/m) B(last) t_last.
    """
    return (1 - 1 / m) * rest(sp.S.One, c) * t_xi[1] - (1 - last / m) * rest(last, c) * t_xi[last]


def most(c: int) -> sp.Expr:
    """What bounds the sum of the terms.

    Args:
        c: As for ``rest``.

    Returns:
        1 + (1 - 1/m) B(1).
    """
    return 1 + (1 - 1 / m) * rest(sp.S.One, c)


MAURER = 2 * sp.sqrt(m)
SEEGER = m + 1
GROWTH = sp.sqrt(sp.pi * m / 2) + sp.Rational(2, 3)
SHARPER = GROWTH + sp.sqrt(sp.pi / (2 * m)) / 12
"""One more term of Ramanujan's expansion; the next one is negative."""

# --- Catoni's form --------------------------------------------------------------------------------

LOG_MEAN = sp.log((1 + o_2kl * y_kl) / (1 + o_2kl))
"""ln(1 - p + p y), in the odds of p."""

VARIATIONAL = _Q * sp.log(y_kl) - KL_OF_ODDS
"""Donsker and Varadhan for Bernoulli laws and a loss of -ln y, 0 < y: at most the logarithm of the mean."""

BEST_TILT = o_1kl / o_2kl
"""The y at which they agree, q(1-p)/(p(1-q))."""
