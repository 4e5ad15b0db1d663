"""The scalar inequalities behind the loss under noise."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.sharpness.noisy_loss.shared import claim
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.averages import a_av, e_av, n_av, r_av, s_av, v_av, w_av, x_av
from boundaudit.derivations.sharpness.noisy_loss import K_nl, d_nl, g_nl, kappa_nl, l_nl, m_nl, p_nl, x_nl, y_nl, z_nl
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

_ODDS = Domain(
    {s_av: Reals(0, 1), r_av: Reals(0, 1), g_nl: Reals(0)}, where=[theory.ODDS[0] <= theory.ODDS[1]]
)  # fmt: skip

odds = claim(
    label="sharpness.noisy_loss.odds",
    statement="An average of bits whose odds grow at most (1+g)²-fold grows by at most g/(2+g).",
    left=r_av - s_av,
    right=theory.FARTHEST,
    domain=_ODDS,
    derivation=proof(
        "sharpness.noisy_loss.odds", "How far odds move an average", _ODDS,
        Step(r_av - s_av, "what it grows by"),
        Step(theory.MOST_TURNED, "odds that grow most"),
        Step(theory.FARTHEST, "from as far below one half as it comes above"),
        samples={"from 1/4": {"s_av": 0.25, "r_av": 0.375, "g_nl": 1}},
    ),
)  # fmt: skip

growth = claim(
    label="sharpness.noisy_loss.growth",
    statement="(e^(2x) - 1)/(e^(2x) + 1) is at most x for x ≥ 0.",
    left=theory.GROWTH,
    right=e_av,
    domain=Domain({e_av: Reals(0)}),
)

share = claim(
    label="sharpness.noisy_loss.share",
    statement="A part p a of a number a ≥ 0 that is moved by a part m of e ≥ 0 has a square of at most (a + e)², p and "
    "m from -1 to 1.",
    left=(p_nl * x_av + m_nl * e_av) ** 2,
    right=(x_av + e_av) ** 2,
    domain=Domain({x_av: Reals(0), e_av: Reals(0), p_nl: Reals(-1, 1), m_nl: Reals(-1, 1)}),
)

longer = claim(
    label="sharpness.noisy_loss.longer",
    statement="A vector of n numbers of at least 0 to each of which e ≥ 0 is added grows in length by at most √n e.",
    left=theory.LENGTHENED,
    right=theory.LENGTHENED_MOST,
    domain=Domain({n_av: Integers(1, tested_to=6), a_av: Vector(n_av, Reals(0, tested_to=4)), e_av: Reals(0)}),
)

hypotenuse = claim(
    label="sharpness.noisy_loss.hypotenuse",
    statement="A vector of two numbers of at least 0 is at most as long as one of two that are at least as large.",
    left=sp.sqrt(e_av**2 + v_av**2),
    right=sp.sqrt(r_av**2 + x_av**2),
    domain=Domain({e_av: Reals(0), r_av: Reals(e_av), v_av: Reals(0), x_av: Reals(v_av)}),
)

apart = claim(
    label="sharpness.noisy_loss.apart",
    statement="For e from 0 to 1 the average (1-e) s + e r of two numbers lies at least |s + x| - e |r - s| from -x.",
    left=theory.APART,
    right=theory.AVERAGE_APART,
    domain=Domain({s_av: Reals(0, 1), r_av: Reals(0, 1), x_av: Reals(), e_av: Reals(0, 1)}),
)

turning = claim(
    label="sharpness.noisy_loss.turning",
    statement="How far logits move apart, 2q (η l/2 + √K ρ (1 + qη) + x²), grows with η, ρ and x, all of at least 0.",
    left=theory.turned(e_av, v_av, s_av, K_nl, l_nl, m_nl),
    right=theory.turned(r_av, x_av, w_av, K_nl, l_nl, m_nl),
    domain=Domain(
        dict.fromkeys((e_av, v_av, s_av, K_nl, l_nl, m_nl), Reals(0)) | dict.fromkeys((r_av, x_av, w_av), Reals()),
        where=[e_av <= r_av, v_av <= x_av, s_av <= w_av],
    ),
)

squares = claim(
    label="sharpness.noisy_loss.squares",
    statement="Two squares add up to a number of at least 0.",
    left=sp.S.Zero,
    right=e_av**2 + v_av**2,
    domain=Domain({e_av: Reals(), v_av: Reals()}),
)
