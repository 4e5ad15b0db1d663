"""The first correction of finite width where it is a formula: one token, without attention."""

import sympy as sp

from boundaudit.derivations.infinite_width.scores import FIRST_ORDER, x_iw
from boundaudit.derivations.infinite_width.symbols import H_iw

__all__ = ["BEND", "FIRST_ORDER", "ONE_TOKEN"]

ONE_TOKEN = (2 + 1 / H_iw) * FIRST_ORDER
"""½ (4 + 2/H) times the second derivative of Φ(y/√v) at v = 1."""


def _bend() -> sp.Expr:
    variance = sp.Symbol("variance", positive=True)
    law = (1 + sp.erf(x_iw / sp.sqrt(2 * variance))) / 2
    return law.diff(variance, 2).subs(variance, 1)


BEND = _bend()
