"""The scalar inequalities behind the loss under noise."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.noisy_loss.shared import claim
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.noisy_loss import d_nl, kappa_nl, x_nl, y_nl, z_nl
from boundaudit.derivations.sharpness.parameters import D, k

tail = claim(
    label="sharpness.noisy_loss.tail",
    statement="A normal variable exceeds κ standard deviations in size with probability at most exp(-κ²/2), for κ up "
    "to 8.",
    left=theory.TWO_SIDED_TAIL,
    right=theory.GAUSSIAN,
    domain=Domain({kappa_nl: Reals(0, 8)}),
)

on = claim(
    label="sharpness.noisy_loss.units-on",
    statement="At k/D four live hidden units of each even grid point below k and two of k itself, if it is even, are "
    "on: 2(k+1) in all.",
    left=theory.ON,
    relation="=",
    right=2 * (k + 1),
    domain=Domain({k: Integers(0, tested_to=60)}),
)

grid_mean = claim(
    label="sharpness.noisy_loss.grid-mean",
    statement="Over the ones k among D independent fair bits the mean of (1 + k²/D²)(k+1) is 5D/8 + 13/8 + 1/(4D).",
    left=theory.GRID_MEAN_BY_MOMENTS,
    relation="=",
    right=theory.GRID_MEAN,
    domain=Domain({D: Integers(1, tested_to=40)}),
)

grid_most = claim(
    label="sharpness.noisy_loss.grid-most",
    statement="For k ones among D bits (1 + k²/D²)(k+1) is at most 2(D+1).",
    left=theory.GRID_ENERGY,
    right=theory.GRID_MOST,
    domain=Domain({D: Integers(1, tested_to=40), k: Integers(0, D)}),
    kind="Tight",
    equality=({"D": 1, "k": 1},),
)

shifted = claim(
    label="sharpness.noisy_loss.shifted",
    statement="1 + (y+z)² is at most (1 + y²)(1 + z + z²) for y from 0 to 1 and z ≥ 0: an average of bits that noise "
    "moves by z.",
    left=theory.MOVED,
    right=theory.MOVED_BOUND,
    domain=Domain({y_nl: Reals(0, 1), z_nl: Reals(0)}),
)

unit = claim(
    label="sharpness.noisy_loss.unit",
    statement="A hidden unit relu(x) changes by at most |d| where its input x changes by d.",
    left=theory.RAMP_CHANGE,
    right=sp.Abs(d_nl),
    domain=Domain({x_nl: Reals(), d_nl: Reals()}),
)
