"""Section 3: classes fixed in advance, and the union over index and radius grids that allows a later choice."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.schatten import PAPER
from boundaudit.derivations.schatten import generalization as theory
from boundaudit.derivations.schatten.generalization import f_gap, l_gap, m_gap
from boundaudit.derivations.schatten.symbols import L_sch, N_sch

_claim = functools.partial(Claim, paper=PAPER, place=("Section 3",))
_ONE_POINT = Domain({L_sch: Integers(1, 1)})


# --- a choice after training ----------------------------------------------------------------------

weights = _claim(
    label="schatten.generalization.weights",
    statement="The weights w(k) = 1/((π²/3 - 1)(1 + |k|)²) of all integers k sum to one: the price of a radius rounded "
    "to a grid is ln(1/w(k)).",
    left=lambda: theory.ALL_WEIGHTS,
    relation="=",
    right=sp.Integer(1),
    domain=_ONE_POINT,
    expected="proved",
    limitations=("A union over indices alone is not enough: radii and norms, too, are seen after training.",),
)

powers_of_two = _claim(
    label="schatten.generalization.powers-of-two",
    statement="Rounding the operator norms of all later blocks up to powers of two costs the Lipschitz constant α at "
    "most a factor e⁴, whatever the depth.",
    left=theory.POWERS_OF_TWO,
    right=theory.ALLOWED,
    domain=Domain({l_gap: Integers(0), f_gap: Reals(0, 1, open_high=True)}),
    expected="refuted",
    limitations=("f is how far the binary logarithm of a norm is from the next integer; four norms a block.",),
)

fine_grid = _claim(
    label="schatten.generalization.fine-grid",
    statement="Round the operator norms of the at most L - 1 later blocks up to powers of e^(1/L). This costs the "
    "Lipschitz constant α at most a factor e⁴, whatever the depth L.",
    left=theory.FINE_GRID,
    right=theory.ALLOWED,
    domain=lambda: Domain({L_sch: Integers(1), l_gap: Integers(0, L_sch - 1), f_gap: Reals(0, 1, open_high=True)}),
    repairs=(powers_of_two.label,),
    expected="proved",
    rests_on=(weights.label,),
    limitations=("The price of a norm c becomes ln(π²/3 - 1) + 2 ln(1 + |⌈L ln c⌉|): logarithmic in the depth.",),
)

index_price = _claim(
    label="schatten.generalization.index-price",
    statement="The union over indices, 4L matrices with 2m + 1 indices each and m = ⌈L + ln N⌉, costs at most "
    "4L ln(2(L + ln N) + 3) nats and at least 4L ln 3: its root, over √n, is the proxy's term √L up to a logarithm.",
    left=theory.INDEX_PRICE,
    place=("Section 3", "Section 6"),
    expected="proved",
    cases=(
        Case("at-most", right=theory.INDEX_LIMIT, domain=lambda: Domain(
            {L_sch: Integers(1), N_sch: Integers(1), m_gap: Integers(1)}, where=[m_gap <= theory.LARGEST_M])),
        Case("at-least", relation=">=", right=4 * sp.log(3) * L_sch, kind="Tight",
             equality=({"L_sch": 1, "m_gap": 1},), domain=Domain({L_sch: Integers(1), m_gap: Integers(1)})),
    ),
)  # fmt: skip
