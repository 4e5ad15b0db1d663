"""Heads of a fixed width m: what is left of finite width however wide the layer is."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.infinite_width.scores import kurtosis
from boundaudit.derivations.infinite_width.symbols import m_iw, mu_iw, q_iw

PUBLISHED_WIDTH = sp.Integer(64)
RESIDUAL = kurtosis(m_iw) - 3
VALUE_PART = 3 * (1 + 2 / m_iw) * q_iw / mu_iw**2 - 3
"""The excess kurtosis where the values alone have a finite width: V = v χ²_m/m with v and χ² independent."""
