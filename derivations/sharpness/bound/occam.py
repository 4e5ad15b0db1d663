"""Coefficients on a grid: how far rounding moves the target, for the choice among finitely many constructions.

With the middles of n cells of [0, 1] in place of the coefficients each moves by at most 1/(2n), so that their sum over
the components that are even moves by at most ω/(2n), and √(E (network - target)²) with it.
"""

from boundaudit.derivations.symbols import symbol

n = symbol("n_oc", "cells of [0, 1] that coefficients are rounded to", integer=True, positive=True)
