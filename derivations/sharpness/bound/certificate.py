"""The noise of a group of parameters: the best of it for its price in nats, (p/2) ln(1 + L/(p v)). Derived here."""

import sympy as sp

from boundaudit.derivations.pac_bayes.symbols import N_2, p_n
from boundaudit.derivations.symbols import symbol

kappa_a = symbol("kappa_a", "nats per unit of loss, times the loss's rise with the variance of noise", positive=True)

_PER_ENTRY = p_n * N_2 / kappa_a
BEST = _PER_ENTRY / (N_2 + sp.sqrt(N_2**2 + 2 * p_n * _PER_ENTRY))
"""The variance v at which κ a v + (p/2) ln(1 + L/(p v)) is least."""
