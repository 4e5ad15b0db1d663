"""The noise of a group of parameters: its price in nats, and the best of it. Derived here."""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2, p_n, sigma
from boundaudit.derivations.sharpness import norms
from boundaudit.derivations.sharpness.parameters import D, T
from boundaudit.derivations.symbols import symbol

kappa_a = symbol("kappa_a", "nats per unit of loss, times the loss's rise with the variance of noise", positive=True)

COUNTS = {
    "W1": (T + 2) ** 2, "V1": (T + 2) ** 2, "M": 4 * (D + 1) * (T + 2), "Gamma": 4 * (D + 1),
    "F": 4 * (D + 1) * (T + 2), "W2": (T + 2) ** 2, "V2": T + 2,
}  # fmt: skip
"""The entries of each block."""


def price(norm: sp.Expr, count: sp.Expr, variance: sp.Expr) -> sp.Expr:
    """The relative entropy of a group with the prior's variance v + L/p.

    Returns:
        (p/2) ln(1 + L/(p v)).
    """
    return count / 2 * sp.log(1 + norm / (count * variance))


PRICE = sp.Add(*(price(norms.CLOSED[block], COUNTS[block], sigma**2) for block in COUNTS))
"""The relative entropy of one σ on all blocks, each with its best prior."""

_PER_ENTRY = p_n * N_2 / kappa_a
BEST = _PER_ENTRY / (N_2 + sp.sqrt(N_2**2 + 2 * p_n * _PER_ENTRY))
"""The variance v at which κ a v + (p/2) ln(1 + L/(p v)) is least."""
