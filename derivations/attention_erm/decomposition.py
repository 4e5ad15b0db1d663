"""Conjecture E.1 for one token: E as learned noise, target modes that are not learned, and errors of those that are.

With the threshold ε = 2δ cos φ the learned bulk costs δ² ∫ (s - 2 cos φ)₊² sc(ds) a dimension; at ε = 2δ nothing. A
learned mode x = θ/δ costs (x + 1/x - c)² - 2(x + 1/x - c) x (1 - 1/x²) + x² in units of δ²,
c = ε/δ, one below the noise level x². Derived here.
"""

from boundaudit.derivations.attention_erm.symbols import c_erm, x_erm

_LEARNED = x_erm + 1 / x_erm - c_erm
MODE = _LEARNED**2 - 2 * _LEARNED * x_erm * (1 - x_erm**-2) + x_erm**2
"""E_approx of one mode, in units of δ²."""
MODE_CLOSED = 2 - x_erm**-2 + (c_erm - 2 / x_erm) ** 2
"""The same: the least that any estimate leaves, and the square of what the threshold misses."""
