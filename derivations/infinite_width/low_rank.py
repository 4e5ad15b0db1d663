"""Heads of a fixed width m: what is left of finite width however wide the layer is."""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.infinite_width.scores import kurtosis
from boundaudit.derivations.infinite_width.symbols import m_iw

PUBLISHED_WIDTH = sp.Integer(64)
RESIDUAL = kurtosis(m_iw) - 3
