"""The discrete Grönwall lemma: what δ_{t+1} ≤ (1 + a_t) δ_t + b_t says of the last δ.

By induction over the last step. With A_T = ∏_{t<T} (1 + a_t) and B_T = Σ_{t<T} b_t the bound (δ_1 + B_T) A_T obeys

    (δ_1 + B_{T+1}) A_{T+1} - (1 + a_T) (δ_1 + B_T) A_T - b_T = b_T (A_{T+1} - 1) ≥ 0

for any a_t, b_t of at least 0; 1 + a ≤ e^a turns the product into an exponential where δ_1 ≥ 0. Derived here.
"""

from __future__ import annotations

import sympy as sp

from boundaudit.derivations.symbols import symbol, vector

T_rec = symbol("T_rec", "how often a recursion is looked at: one more than its steps", integer=True, positive=True)
t_rec = symbol("t_rec", "a step of a recursion", integer=True, positive=True)
delta_rec = vector("delta_rec", "what obeys a recursion")
a_rec = vector("a_rec", "its rate of growth, step by step")
b_rec = vector("b_rec", "what is added, step by step")
rate_rec = symbol("rate_rec", "a constant rate of growth, or of contraction", real=True)
noise_rec = symbol("noise_rec", "what is added at each step at most", nonnegative=True)

STEPS = (t_rec, 1, T_rec - 1)
FIRST, LAST = delta_rec[1], delta_rec[T_rec]
STEP = delta_rec[t_rec + 1] <= (1 + a_rec[t_rec]) * delta_rec[t_rec] + b_rec[t_rec]
GROWTH = delta_rec[t_rec + 1] <= (1 + rate_rec) * delta_rec[t_rec] + noise_rec
CONTRACTION = delta_rec[t_rec + 1] <= (1 - rate_rec) * delta_rec[t_rec] + noise_rec
ADDED = sp.Sum(b_rec[t_rec], STEPS)
PRODUCT = (FIRST + ADDED) * sp.Product(1 + a_rec[t_rec], STEPS)
EXPONENTIAL = (FIRST + ADDED) * sp.exp(sp.Sum(a_rec[t_rec], STEPS))
GEOMETRIC = (1 + rate_rec) ** (T_rec - 1) * FIRST + noise_rec * ((1 + rate_rec) ** (T_rec - 1) - 1) / rate_rec
SETTLED = (1 - rate_rec) ** (T_rec - 1) * FIRST + noise_rec / rate_rec
