"""Theorem 2: the bound itself, what its O-forms hide, and the two meanings of its P."""

from __future__ import annotations

import functools

from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.sharpness.bound.example import NONNEGATIVE, POSITIVE
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.pac_bayes.symbols import N_2, hat_r, sigma, tau_f
from boundaudit.derivations.sharpness.bound import shared_variance as theorem
from boundaudit.derivations.sharpness.bound.shared_variance import G_s, N_h, P_s, c_m
from boundaudit.derivations.sharpness.gradients import G_U
from boundaudit.derivations.sharpness.parameters import D, T, omega

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 2",))

printed = claim(
    label="sharpness.bound.shared_variance.printed",
    statement="Take a learner whose squared norm is at most L and whose mean loss on the sample, under noise of "
    "variance σ², is at most σ²G, G = G_u + P. For every σ fixed in advance its mean loss under noise is with "
    "probability at least 1-δ at most σ²G + c√(L/σ² + 2 ln(1/δ)), c = S/√m. The check: the PAC-Bayes step gives no "
    "more than that for the learner's own loss r and squared norm N_h, for all σ, c > 0 and δ ≤ 1.",
    left=theorem.LEARNED,
    relation="<=",
    right=theorem.OF_SHARE,
    domain=lambda: Domain({
        G_s: POSITIVE, N_2: POSITIVE, c_m: POSITIVE, sigma: POSITIVE, tau_f: NONNEGATIVE,
        hat_r: Reals(0, sigma**2 * G_s), N_h: Reals(0, N_2, open_low=True),
    }),
    kind="Tight",
    equality=({"G_s": 1, "N_2": 1, "c_m": 1, "sigma": 1, "tau_f": 0, "r_n": 1, "N_h": 1},),
    role="printed",
    reading="plausible",
    expected="proved",
    rests_on=(
        "pac_bayes.change_of_measure.normalised", "pac_bayes.change_of_measure.markov", "pac_bayes.gaussian.shared",
        "pac_bayes.subgaussian_pac_bayes.best", "sharpness.norms.total.printed", "sharpness.gradients.total.printed",
        "sharpness.taylor.expansion.printed", "sharpness.taylor.trace.printed", "sharpness.exactness.loss.zero",
    ),
    limitations=(
        "That the construction dominates the learner is taken to mean its expected loss under noise, so that the "
        "assumption is nearly the conclusion for the sample. Norm and trace at the parameters themselves would not be "
        "enough.",
        "What is bounded is the mean loss of the network under noise, not the loss of the learned network.",
        "That σ²(G_u + P) and L bound the construction's own loss under noise and squared norm is another matter: it "
        "is what Theorems 5, 6, 10 and 17 are for, and a loss of the construction without noise comes on top.",
    ),
)  # fmt: skip

_CLASSES = {D: Integers(1, tested_to=20), omega: Integers(1, tested_to=50)}

order = claim(
    label="sharpness.bound.shared_variance.order",
    statement="The constants behind Theorem 2's O-forms, for all D, ω ≥ 1 and T ≥ 2: G_u is at most 272 ω D³, which is "
    "O(ω D³), and L at most 49 D³ + ω + 8 ω D log²T, which is O(D³) + O(ω D log²T).",
    kind="Tight",
    role="printed",
    reading="certain",
    expected="proved",
    cases=(
        Case("sharpness", left=G_U, right=theorem.SHARPNESS_ORDER, domain=Domain(_CLASSES),
             equality=({"D": 1, "omega": 1},)),
        Case("norm", left=theorem.L_PRINTED, right=theorem.NORM_ORDER,
             domain=Domain({T: Integers(2, tested_to=64), **_CLASSES}),
             equality=({"T": 2, "D": 1, "omega": 1}, {"T": 20, "D": 1, "omega": 3})),
    ),
)  # fmt: skip

# --- the factor one half in P ---------------------------------------------------------------------

_CHANGE = Domain({G_s: POSITIVE, P_s: NONNEGATIVE, sigma: POSITIVE})

half_printed = claim(
    label="sharpness.bound.shared_variance.half.printed",
    statement="Theorem 2 has σ²(G_u + P) in the place of Theorem 16's (σ²/2)(2 G_u + P), P ≥ 0. With the same P in "
    "both, Theorem 2's term is, in two readings, at least Theorem 16's or equal to it, for every σ > 0.",
    left=theorem.HALF_OF_TRACE,
    right=theorem.WHOLE_CHANGE,
    domain=_CHANGE,
    place=("Theorem 2", "Theorem 12", "Theorem 16"),
    role="printed",
    reading="plausible",
    rests_on=("sharpness.taylor.expansion.printed",),
    limitations=("The forms are recovered from printed numbers and public readings; the displays may differ.",),
    cases=(
        Case("safe", kind="Tight", equality=({"G_s": 1, "P_s": 0, "sigma": 1},), expected="proved"),
        Case("equal", relation="=", kind="Identity", expected="refuted"),
    ),
)

half_change = claim(
    label="sharpness.bound.shared_variance.half.change",
    statement="If P ≥ 0 bounds the change of the trace, the second-order term (σ²/2)(2 G_u + P) is σ²(G_u + P/2), for "
    "every σ > 0. In Theorem 2's σ²(G_u + P), then, P bounds the change of half of the trace.",
    left=theorem.HALF_OF_TRACE,
    relation="=",
    right=theorem.HALF_CHANGE,
    domain=_CHANGE,
    place=("Theorem 2", "Theorem 12", "Theorem 16"),
    expected="proved",
    repairs=("sharpness.bound.shared_variance.half.printed[equal]",),
)
