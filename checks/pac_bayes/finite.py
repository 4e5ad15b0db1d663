"""Ranges that theorems on finitely many hypotheses and possible samples share."""

from __future__ import annotations

from typing import Any

import sympy as sp

from boundaudit.checks.language.domain import Integers, Range, Reals, Vector
from boundaudit.derivations.pac_bayes.change_of_measure import POSTERIOR, i_a, n_a, total, w_pi
from boundaudit.derivations.pac_bayes.symbols import delta

UNIT = Reals(0, 1)
POSITIVE = Reals(0, open_low=True, tested_to=10)
SIZE = Integers(1, tested_to=4)
WEIGHTS = Vector(n_a, POSITIVE)
CONFIDENCE: dict[Any, Range] = {delta: Reals(0, 1, open_low=True)}
LAW = sp.Eq(POSTERIOR, 1)
"""That the posterior's weights add up to one."""
PRIOR = sp.Eq(total(w_pi[i_a]), 1)

_ASKED = "that independent losses have the moments it asks for is proved apart, and joined in words."
_NUMBER = "For finitely many hypotheses and samples, however many, with every weight positive"
ANY_NUMBER = f"{_NUMBER}."
ANY_LOSSES = f"{_NUMBER}; {_ASKED}"
ANY_SAMPLE = f"For finitely many possible samples, however many; {_ASKED}"
