"""What rows that no component uses add to the covariance where they lie on flanks."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, BITS, SEEN_BITS, SLOPES, total
from boundaudit.checks.sharpness.hessian.covariance.values import (
    FINITE,
    LABEL,
    ROWS_OF,
    VALUES,
    VECTORS,
    Values,
    axiom,
    both,
    cases,
    lemma,
    stated,
    weighted,
)
from boundaudit.checks.sharpness.hessian.directions import FLANKED, Moves
from boundaudit.checks.sharpness.hessian.families import ANY
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.hessian_lemmas import TOKEN_BOUND
from boundaudit.derivations.sharpness.mlp import SLOPE
from boundaudit.derivations.sharpness.parameters import T, t

_ROWS = T + 1
STEEPEST = SUM * SLOPE


def idle_mass(found: Values) -> sp.Expr:
    """Attention to the rows that no component uses."""
    return total(ATTENTION[found.of.network][t] * found.idle[t])


def turn(of: Moves) -> Callable[[sp.Symbol], sp.Expr]:
    """Q - Σ a q, row by row."""
    a, q = ATTENTION[of.network], of.share
    return lambda t: q[t] - total(a[t] * q[t])


def _idle_covaried(found: Values) -> sp.Expr:
    """Σ a ι η (q - Σ a q)."""
    return total(ATTENTION[found.of.network][t] * found.idle[t] * found.moves[t] * turn(found.of)(t))


def _worth(found: Values) -> sp.Expr:
    """C λ k: what a move of an unused row's average of bits is worth."""
    return STEEPEST * SLOPES[found.of.network][_ROWS]


def worth_covaried(found: Values) -> sp.Expr:
    """C λ k Σ a ι η (q - Σ a q)."""
    return _worth(found) * _idle_covaried(found)


def _moved(found: Values) -> sp.Expr:
    """What W1 and V1 move the average of bits of the farthest unused row by."""
    return _by_w1(found) + _by_v1(found)


def _keyed(found: Values) -> Callable[[sp.Symbol], sp.Expr]:
    return lambda t: found.own[t] + found.bit[1] * found.shared[t]


def _s(found: Values) -> sp.Expr:
    return SEEN_BITS[found.of.network][_ROWS]


def _about(found: Values) -> Callable[[sp.Symbol], sp.Expr]:
    return lambda t: (BITS[found.of.network][t] - _s(found)) / (T + 1)


def _by_w1(found: Values) -> sp.Expr:
    s, key, about = _s(found), _keyed(found), _about(found)
    return total(about(t) * key(t)) + s * (1 - s) * key(_ROWS + 1)


def _by_v1(found: Values) -> sp.Expr:
    return total(found.read[t]) / (T + 1) + _s(found) * found.read[_ROWS + 1]


farthest = axiom(
    label=f"{LABEL}.farthest",
    statement="W1 and V1 move the average of bits of an unused row by Σ (z - s)/(T+1) xᵀ W1 x_t + Σ xᵀ V1/(T+1) along "
    "that direction: the chain rule, written out.",
    cases=cases(lambda which, found: Case(which, left=found.farthest, right=lambda: _moved(found)), FINITE),
)
seen = axiom(
    label=f"{LABEL}.seen",
    statement="An unused row averages all bits.",
    left=lambda: SEEN_BITS["finite"][_ROWS],
    right=lambda: total(BITS["finite"][t]) / (T + 1),
)
unused = axiom(
    label=f"{LABEL}.unused",
    statement="T+1-ω rows are used by no component.",
    right=INACTIVE,
    cases=cases(lambda which, found: Case(which, left=lambda: total(found.idle[t])), FINITE),
)
idle = axiom(
    label=f"{LABEL}.idle",
    statement="The attention of layer 2 to the N = T+1-ω rows that no component uses is N of C T² + N.",
    right=INACTIVE,
    cases=cases(lambda which, found: Case(
        which, left=lambda: idle_mass(found) * (SUM * T**2 + INACTIVE)
    ), FINITE),
)  # fmt: skip


def _w1_share(found: Values) -> sp.Expr:
    last = _ROWS + 1
    columns = total(found.own[t] ** 2) + total(found.shared[t] ** 2)
    return columns + found.own[last] ** 2 + found.shared[last] ** 2


def _v1_share(found: Values) -> sp.Expr:
    return total(found.read[t] ** 2) + found.read[_ROWS + 1] ** 2


def unused_share(found: Values) -> sp.Expr:
    """The squared length of what moves unused rows."""
    return _w1_share(found) + _v1_share(found)


def _key_squares(found: Values) -> sp.Expr:
    key = _keyed(found)
    return total(key(t) ** 2) + key(_ROWS + 1) ** 2


def _through_keys(which: str, found: Values) -> Case:
    entry = f"{VECTORS}.entry"
    at = [{"a_ve": found.own[n], "b_ve": found.shared[n], "g_ve": found.bit[1]} for n in (t, _ROWS + 1)]
    return stated(
        which, "keyed",
        Step(_key_squares(found), "|W1 x_t|²"),
        Step(2 * _w1_share(found), "2 |W1|²", "channel by channel",
             (Instance(entry, at[0], over=(t, 1, _ROWS)), Instance(entry, at[1]))),
    )  # fmt: skip


keyed = lemma(
    label=f"{LABEL}.keyed",
    statement="A key's change W1 x_t, x_t a position and a bit, has at most twice the squared length of two columns "
    "of W1 that enter.",
    cases=cases(_through_keys, FINITE),
)


def _w1_size(found: Values) -> sp.Expr:
    s = _s(found)
    return s * (1 - s) / (T + 1) + s**2 * (1 - s) ** 2


def _v1_size(found: Values) -> sp.Expr:
    return 1 / (T + 1) + _s(found) ** 2


def _through_w1(which: str, found: Values) -> Case:
    s, about, keys = _s(found), _about(found), _keyed(found)
    about_squares, last = total(about(t) ** 2), keys(_ROWS + 1)
    return stated(
        which, "w1",
        Step(_by_w1(found) ** 2, "by W1"),
        Step((about_squares + s**2 * (1 - s) ** 2) * _key_squares(found), "Cauchy-Schwarz", "key by key", (
            Instance(f"{VECTORS}.cauchy", {"n_av": T + 1, "x_ve": about, "y_ve": keys}),
            both(total(about(t) * keys(t)), about_squares, total(keys(t) ** 2), s * (1 - s) * last,
                 s**2 * (1 - s) ** 2, last**2),
        )),
        Step((about_squares + s**2 * (1 - s) ** 2) * (2 * _w1_share(found)), "2 |W1|²", "channel by channel", (
            f"{LABEL}.keyed[{which}]",
            weighted(about_squares + s**2 * (1 - s) ** 2, _key_squares(found), 2 * _w1_share(found)),
        )),
        Step(2 * _w1_size(found) * _w1_share(found), "a variance", "of bits", (f"{LABEL}.bits", weighted(
            2 * _w1_share(found), about_squares + s**2 * (1 - s) ** 2, _w1_size(found),
        ))),
    )  # fmt: skip


def _through_v1(which: str, found: Values) -> Case:
    last, read = found.read[_ROWS + 1], total(found.read[t])
    return stated(
        which, "v1",
        Step(_by_v1(found) ** 2, "by V1"),
        Step(_v1_size(found) * _v1_share(found), "Cauchy-Schwarz", "channel by channel", (
            Instance(f"{VECTORS}.cauchy", {"n_av": T + 1, "x_ve": lambda t: 1 / (T + 1), "y_ve": found.read}),
            both(read / (T + 1), 1 / (T + 1), total(found.read[t] ** 2), _s(found) * last, _s(found) ** 2, last**2),
        )),
    )  # fmt: skip


def _through_rows(which: str, found: Values) -> Case:
    w1, v1 = _w1_share(found), _v1_share(found)
    size = 2 * _w1_size(found) + _v1_size(found)
    return stated(
        which, "moved",
        Step(found.farthest.atom**2, "μ²"),
        Step(_moved(found) ** 2, "by W1 and V1", "chain rule", (
            f"{farthest.label}[{which}]",
            Instance("sharpness.averages.squared", {"e_av": found.farthest.atom, "x_av": _moved(found)}),
        )),
        Step(size * (w1 + v1), "by lengths", "Cauchy-Schwarz", (
            Instance(f"{VECTORS}.bent", {"g_ve": _s(found), "a_ve": T + 1}), f"{LABEL}.w1[{which}]",
            f"{LABEL}.v1[{which}]", both(_by_w1(found), 2 * _w1_size(found), w1, _by_v1(found), _v1_size(found), v1),
        )),
        Step(TOKEN_BOUND * (w1 + v1), "Z²", "no weight beyond 1/D",
             Instance("sharpness.hessian.lemmas.token", {"s_av": _s(found), "D": T + 1})),
    )  # fmt: skip


def _of_bits() -> Derivation:
    found = VALUES["finite"]
    s, about = _s(found), total(_about(found)(t) ** 2)
    return Derivation(
        label=f"{LABEL}.bits.steps", title="The variance of all bits", domain=ANY, samples=FLANKED, paper=PAPER,
        place=("Theorem 18",), steps=(
            Step(about + s**2 * (1 - s) ** 2, "about the average"),
            Step(_w1_size(found), "s (1-s)", "of bits", (f"{LABEL}.seen", Instance(
                "sharpness.averages.variance",
                {"n_av": T + 1, "a_av": lambda t: 1 / (T + 1) ** 2, "g_av": BITS["finite"], "m_av": s},
            ))),
        ),
    )  # fmt: skip


_BITS = _of_bits()
bits = lemma(
    label=f"{LABEL}.bits",
    statement="Σ (z - s)²/(T+1)² is at most s (1-s)/(T+1) where s is the average of bits z of all rows.",
    left=_BITS.steps[0].value,
    right=_BITS.steps[-1].value,
    derivation=_BITS,
)
by_w1, by_v1 = (
    lemma(
        label=f"{LABEL}.{name}",
        statement=f"What {block} moves the average s of bits of an unused row by is in squares at most {size} times "
        "its squared length.",
        cases=cases(case, FINITE),
    )
    for name, block, size, case in (
        ("w1", "W1", "2 (s(1-s)/(T+1) + s²(1-s)²)", _through_w1), ("v1", "V1", "1/(T+1) + s²", _through_v1),
    )
)  # fmt: skip
moved = lemma(
    label=f"{LABEL}.moved",
    statement="W1 and V1 move the average of bits of an unused row in squares by at most 1 + 65/(64 D) times their "
    "squared length.",
    cases=cases(_through_rows, FINITE),
)


def _through_idle(which: str, found: Values) -> Case:
    a, about = ATTENTION[found.of.network], turn(found.of)
    spread, own = total(a[t] * about(t) ** 2), _idle_covaried(found) ** 2
    squares = total(a[t] * found.idle[t] ** 2 * found.moves[t] ** 2)
    scale, slope = STEEPEST**2, SLOPES[found.of.network][_ROWS]
    return stated(
        which, "idle-covariance",
        Step(worth_covaried(found) ** 2, "(C λ k)² Cov(ι η, q)²"),
        Step(scale * own, "k ≤ 1", "", (
            Instance("sharpness.averages.below-one", {"m_av": slope}), weighted(scale * own, slope**2, sp.S.One),
        )),
        Step(scale * (squares * spread), "Cauchy-Schwarz", "weighed by attention", (
            Instance(f"{VECTORS}.cauchy", {
                "n_av": T + 1, "x_ve": lambda t: sp.sqrt(a[t]) * (found.idle[t] * found.moves[t]),
                "y_ve": lambda t: sp.sqrt(a[t]) * about(t),
            }),
            weighted(scale, own, squares * spread),
        )),
        Step(scale * (squares / 4), "a variance", "of numbers from 0 to 1", (
            f"{ROWS_OF}.weights[{found.of.network}]",
            Instance(f"{VECTORS}.varied", {"n_av": T + 1, "a_av": a, "q_av": found.of.share}),
            weighted(scale * squares, spread, sp.Rational(1, 4)),
        )),
        Step(scale * (idle_mass(found) / 4), "attention to unused rows", "η between -1 and 1", (
            Instance(f"{VECTORS}.within", {"g_ve": found.idle[t], "c_ve": found.moves[t]}, over=(t, 1, T + 1),
                     weight=a[t]),
            weighted(scale / 4, squares, idle_mass(found)),
        )),
    )  # fmt: skip


idle_covariance = lemma(
    label=f"{LABEL}.idle-covariance",
    statement="What unused rows alone move covaries with how far the changes of logits lie from the least to the most "
    "in squares by at most a quarter of the attention to those rows, times (C λ)², λ the steepest slope.",
    cases=cases(_through_idle, FINITE),
)


def _leak(which: str, found: Values) -> Case:
    rows, mass = INACTIVE, idle_mass(found)
    return stated(
        which, "leak",
        Step(SUM * mass, "C times the attention to unused rows"),
        Step(1 / T, "1/T", "N/(C T² + N)", (
            f"{LABEL}.idle[{which}]", f"{LABEL}.unused[{which}]",
            Instance(f"{VECTORS}.leaked", {"c_ve": SUM, "e_ve": mass, "a_ve": T, "n_ve": rows}),
        )),
    )  # fmt: skip


leak = lemma(
    label=f"{LABEL}.leak",
    statement="C times the attention of layer 2 to unused rows is at most 1/T.",
    cases=cases(_leak, FINITE),
)
