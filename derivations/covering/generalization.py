"""From the Rademacher complexity to the risk, for m independent observations of a law p on q values.

Losses lie in [0, 1], and all that grows with m is m times as large as usual: one observation moves the largest gap Φ of
a class, and its complexity on the sample, by at most one. What an observation z adds to the conditional mean of such a
function is h(z) - E h with h in [0, 1], and by Hoeffding's lemma E exp(4t(h - E h)) ≤ exp(2t²). Observation by
observation E exp(4t(Φ - E Φ)) ≤ exp(2mt²), and by Markov's inequality

    P[Φ ≥ E Φ + mt] ≤ exp(-4mt² + 2mt²) = exp(-2mt²),

which is δ at t = √(log(1/δ)/(2m)). A second sample, and coins that exchange the two, give E Φ ≤ 2 m 𝔯.
"""

from collections.abc import Callable
from typing import Any

import sympy as sp

from boundaudit.derivations.covering.dudley import m_dud
from boundaudit.derivations.symbols import symbol, vector

q_gen = symbol("q_gen", "values of an observation", integer=True, positive=True)
n_gen = symbol("n_gen", "losses of a class", integer=True, positive=True)
t_gen = symbol("t_gen", "deviation, √(log(1/δ)/(2m))", nonnegative=True)
s_gen = symbol("s_gen", "argument of a moment generating function", nonnegative=True)
x_gen = symbol("x_gen", "a number between zero and one", nonnegative=True)
z_gen = symbol("z_gen", "a value of an observation", integer=True, positive=True)
y_gen = symbol("y_gen", "another value of an observation", integer=True, positive=True)
r_gen = symbol("r_gen", "what has been observed so far, numbered", integer=True, positive=True)
p_gen = vector("p_gen", "law of an observation")
h_gen = vector("h_gen", "what each value of an observation adds, above the least")
F_gen = sp.Symbol("F_gen")
"""Losses, one a row, at every value of an observation."""

TOTAL = sp.Sum(p_gen[z_gen], (z_gen, 1, q_gen))

CHORD = 1 + x_gen * (sp.exp(s_gen) - 1)
"""The chord of exp(s x) from zero to one; in x the moment generating function of a coin of mean x."""
COIN = sp.exp(s_gen * x_gen + s_gen**2 / 8)


def mean(values: Callable[[Any], Any]) -> sp.Expr:
    """Σ p h.

    Args:
        values: h, from a value of an observation.

    Returns:
        The mean under the law.
    """
    return sp.Sum(p_gen[y_gen] * values(y_gen), (y_gen, 1, q_gen))


def centred(values: Callable[[Any], Any], argument: Any) -> sp.Expr:
    """E exp(s(h - E h)).

    Args:
        values: h, from a value of an observation.
        argument: s.

    Returns:
        The moment generating function of h less its mean.
    """
    terms = p_gen[z_gen] * sp.exp(argument * (values(z_gen) - mean(values)))
    return sp.Sum(terms, (z_gen, 1, q_gen))


MEAN = mean(lambda z: h_gen[z])
CENTRED = centred(lambda z: h_gen[z], s_gen)
MOMENTS = sp.Sum(p_gen[z_gen] * sp.exp(s_gen * h_gen[z_gen]), (z_gen, 1, q_gen))
OWN = sp.exp(-s_gen * MEAN)
HOEFFDING = sp.exp(s_gen**2 / 8)

ROWS = q_gen**m_dud
"""At least as many as what may have been observed before the last observation."""
STEP = sp.exp(2 * t_gen**2)
TAIL = sp.exp(-2 * m_dud * t_gen**2)
"""δ."""
