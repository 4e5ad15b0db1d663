"""A variance for every group of parameters: its best choice."""

from __future__ import annotations

from typing import Any

from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.sharpness.bound.example import NONNEGATIVE, POSITIVE, claim
from boundaudit.derivations.pac_bayes.symbols import tau_f
from boundaudit.derivations.sharpness.bound import groups as theorem
from boundaudit.derivations.sharpness.bound.groups import (
    A_first,
    A_g,
    A_second,
    L_g,
    a_g,
    kappa_first,
    kappa_g,
    kappa_second,
    n_v,
    q_first,
    q_g,
    q_second,
)
from boundaudit.derivations.sharpness.bound.shared_variance import c_m

# --- the best variances ---------------------------------------------------------------------------

_ENTRIES = Vector(n_v, POSITIVE)
_GROUPS: dict[Any, Range] = {n_v: Integers(1, tested_to=5), a_g: _ENTRIES, L_g: _ENTRIES}
_AT_LEAST_ONE = Reals(1)


merge = claim(
    label="sharpness.bound.groups.merge",
    statement="If X Y ≥ A², with X = Σ a_g σ_g², Y = Σ L_g/σ_g² and A = Σ √(a_g L_g), holds for two sets of groups, it "
    "holds for all of them together: by induction for any number of groups, as one group has X Y = A².",
    left=theorem.MERGED,
    relation=">=",
    right=theorem.MERGED_LEAST,
    domain=Domain({
        A_first: POSITIVE, A_second: POSITIVE, kappa_first: POSITIVE, kappa_second: POSITIVE,
        q_first: _AT_LEAST_ONE, q_second: _AT_LEAST_ONE,
    }),
    kind="Tight",
    equality=({"A_g1": 1, "A_g2": 2, "kappa_g1": 3, "kappa_g2": 3, "q_g1": 1, "q_g2": 1},),
    expected="proved",
)  # fmt: skip

reached = claim(
    label="sharpness.bound.groups.reached",
    statement="At the variances σ_g² = κ √(L_g/a_g) of the groups, κ > 0, the noise adds Σ a_g σ_g² = κ A to the loss "
    "and Σ L_g/σ_g² is A/κ, with A = Σ √(a_g L_g).",
    relation="=",
    domain=lambda: Domain({**_GROUPS, kappa_g: POSITIVE}),
    expected="proved",
    cases=(
        Case("rise", left=lambda: theorem.REACHED_RISE, right=lambda: theorem.RISE_OF_KAPPA),
        Case("ratio", left=lambda: theorem.REACHED_RATIO, right=lambda: theorem.RATIO_OF_KAPPA),
    ),
)

confidence = claim(
    label="sharpness.bound.groups.confidence",
    statement="With ln(1/δ), too, the best variances of the groups are κ √(L_g/a_g): at X = Σ a_g σ_g² = κ A and "
    "Y = Σ L_g/σ_g² = q A/κ, q ≥ 1, X + c √(Y + 2 ln(1/δ)) is least for q = 1, and κ is all that is left to choose.",
    left=theorem.WITH_CONFIDENCE,
    relation=">=",
    right=theorem.WITH_CONFIDENCE_LEAST,
    domain=Domain({kappa_g: POSITIVE, A_g: POSITIVE, q_g: _AT_LEAST_ONE, c_m: POSITIVE, tau_f: NONNEGATIVE}),
    kind="Tight",
    equality=({"kappa_g": 1, "A_g": 2, "q_g": 1, "c_m": 1, "tau_f": 1},),
    expected="proved",
    rests_on=("sharpness.bound.groups.merge", "sharpness.bound.groups.reached"),
)
