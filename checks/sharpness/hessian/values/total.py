"""Theorem 18: the norm of E v'': unused rows on slopes, the MLP where it is flat, and both together."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, BITS, IDLE, SLOPES, total
from boundaudit.checks.sharpness.hessian.directions import VALUES, VALUES_FARTHEST, moved, real, share
from boundaudit.checks.sharpness.hessian.lemmas import MASS, leak
from boundaudit.checks.sharpness.hessian.shared import NETWORKS, VECTORS, axiom, lemma, norm_of, stated, weighted
from boundaudit.checks.sharpness.hessian.values.row import FLATS, LABEL, Flat, cases, live, pairs, size, top, unit
from boundaudit.derivations.sharpness.activations import LENGTH
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, THIRD, TOKEN_BOUND
from boundaudit.derivations.sharpness.hessian_lemmas import UNITS as UNITS_ON
from boundaudit.derivations.sharpness.mlp import SLOPE
from boundaudit.derivations.sharpness.parameters import T, t
from boundaudit.numeric.sharpness.hessian_directions import Direction, over
from boundaudit.numeric.sharpness.hessian_values import Bends, bends

_ROWS, _UNIT = T + 1, Reals(0, 1)
_A = 1 / (T + 1)
"""What an unused row attends to each token with."""


class Turned:
    """The unused row whose average of bits bends most; each attribute names itself."""

    def __init__(self, which: str) -> None:
        of = VALUES[which]
        self.network = of.network

        def bits(ends: Callable[[Bends], Tensor]) -> Callable[[Direction], Tensor]:
            return lambda d: d.rows.z.take_along_dim(ends(bends(d)), -1)

        self.bend = real(of, "bend of the average of the most turned row", "s''",
                         lambda d: bends(d).turned.take_along_dim(bends(d).turned_most, -1))  # fmt: skip
        self.bit = of.vector("bit of the most turned row", "z", 1, bits(lambda found: found.turned_most), _UNIT)[1]
        self.scores = of.vector("levels of what W1 adds to logits", "q", _ROWS, lambda d: bends(d).score_levels, _UNIT)
        self.reads = of.vector("levels of what V1 writes", "n", _ROWS, lambda d: bends(d).read_levels, _UNIT)
        self.score_bits = of.vector("bits of two keys by W1", "z", 2, bits(lambda found: found.score_ends), _UNIT)
        self.read_bits = of.vector("bits of two keys by V1", "z", 2, bits(lambda found: found.read_ends), _UNIT)
        self.keys = of.vector("entries of W1's direction", "w", 6, lambda d: bends(d).score_entries)
        self.values = of.vector("entries of V1's direction", "v", 3, lambda d: bends(d).read_entries)


TURNED = {which: Turned(which) for which in VALUES}


def _cases(case: Callable[[str, Turned], Case]) -> tuple[Case, ...]:
    return tuple(case(which, of) for which, of in TURNED.items())


def _by_bit(of: Turned) -> list[sp.Expr]:
    """What the row's position and bit make of W1's entries, channel by channel."""
    return [of.keys[n] + of.bit * of.keys[n + 1] for n in (1, 3, 5)]


def _score_reach(of: Turned) -> sp.Expr:
    """By how much what W1 adds to one logit exceeds what it adds to another."""
    one, other, bits = _by_bit(of)
    return one - other + (of.score_bits[1] - of.score_bits[2]) * bits


def _read_reach(of: Turned) -> sp.Expr:
    """By how much what V1 writes of one token exceeds what it writes of another."""
    return of.values[1] - of.values[2] + (of.read_bits[1] - of.read_bits[2]) * of.values[3]


def _about(of: Turned) -> Callable[[sp.Symbol], sp.Expr]:
    return lambda t: of.scores[t] - total(_A * of.scores[t])


def _third(of: Turned) -> sp.Expr:
    bits = BITS[of.network]
    return total(_A * (bits[t] - total(_A * bits[t])) * _about(of)(t) ** 2)


def _covariance(of: Turned) -> sp.Expr:
    return total(_A * of.reads[t] * _about(of)(t))


def _pair(of: Turned) -> sp.Expr:
    return _score_reach(of) * _read_reach(of) * _covariance(of)


turn = axiom(
    label=f"{LABEL}.turn",
    statement="Along that direction the average of bits of the unused row that bends most bends by E (z - s)(q - E q)² "
    "+ 2 Cov(n, q), q and n what W1 adds to its logits and V1 writes of a token, moments over all tokens: the chain "
    "rule, with q and n from the least to the most, written out.",
    cases=_cases(lambda which, of: Case(
        which, left=of.bend, right=lambda: _score_reach(of) ** 2 * _third(of) + 2 * _pair(of)
    )),
)  # fmt: skip


def _keys_share(of: Turned) -> sp.Expr:
    return sp.Add(*(of.keys[n] ** 2 for n in range(1, 7)))


def _values_share(of: Turned) -> sp.Expr:
    return sp.Add(*(of.values[n] ** 2 for n in range(1, 4)))


entries = axiom(
    label=f"{LABEL}.entries", relation="<=",
    statement="Six squared entries of W1 and three of V1 of a unit direction add up to at most one.",
    right=1, cases=_cases(lambda which, of: Case(which, left=lambda: _keys_share(of) + _values_share(of))),
)  # fmt: skip
TURN = 1 / sp.sqrt(3) + 3 * sp.sqrt(2) / 4


def _three(*numbers: sp.Expr) -> Instance:
    """That (a - b + (g - h) c)² is at most 3 (a² + b² + c²)."""
    return Instance(f"{VECTORS}.three", dict(zip(("a_ve", "b_ve", "c_ve", "g_ve", "h_ve"), numbers, strict=True)))


def _through_scores(which: str, of: Turned) -> Case:
    return stated(
        f"{LABEL}.scores", which,
        Step(_score_reach(of) ** 2, "the range of q, squared"),
        Step(3 * sp.Add(*(part**2 for part in _by_bit(of))), "key by key", "Cauchy-Schwarz",
             _three(*_by_bit(of), of.score_bits[1], of.score_bits[2])),
        Step(6 * _keys_share(of), "6 |W1|²", "|x_t|² ≤ 2", tuple(
            Instance(f"{VECTORS}.entry", {"a_ve": of.keys[n], "b_ve": of.keys[n + 1], "g_ve": of.bit})
            for n in (1, 3, 5)
        )),
    )  # fmt: skip


scores = lemma(
    label=f"{LABEL}.scores",
    statement="The range of what W1 adds to the logits of that row is in squares at most six times the squared entries "
    "of W1 that enter.",
    cases=_cases(_through_scores),
)


def _through_turn(which: str, of: Turned) -> Case:
    score, read, third, cov = _score_reach(of), _read_reach(of), _third(of), _covariance(of)
    keys, values, own, pair = _keys_share(of), _values_share(of), score**2 * third / 2, _pair(of)
    about = {"n_av": _ROWS, "a_av": lambda t: _A}
    return stated(
        f"{LABEL}.turned", which,
        Step(sp.Abs(of.bend), "|s''|"),
        Step(2 * sp.Abs(own) + 2 * sp.Abs(pair), "two moments", "chain rule", (
            f"{turn.label}[{which}]",
            Instance(f"{VECTORS}.parted", {"a_ve": own, "b_ve": pair, "s_ve": sp.S.One, "c_ve": of.bend}),
        )),
        Step(score**2 * THIRD + 2 * sp.Abs(pair), "a third moment", "of numbers from 0 to 1", (
            Instance("sharpness.hessian.moments.third", {**about, "g_av": BITS[of.network], "q_hl": of.scores}),
            weighted(score**2, sp.Abs(third), THIRD),
        )),
        Step(6 * THIRD * keys + 2 * sp.Abs(pair), "a range of √6 |W1|", "", (
            f"{scores.label}[{which}]", weighted(THIRD, score**2, 6 * keys),
        )),
        Step(TURN, "a covariance", "ranges of √6 |W1| and √3 |V1|, at unit length", (
            f"{entries.label}[{which}]", f"{scores.label}[{which}]",
            _three(*(of.values[n] for n in (1, 2, 3)), of.read_bits[1], of.read_bits[2]),
            Instance(f"{VECTORS}.covaried", {**about, "g_av": of.reads, "q_av": of.scores}),
            weighted(read**2, cov**2, sp.Rational(1, 16)),
            Instance(f"{VECTORS}.product", {
                "a_ve": score, "b_ve": read * cov, "p_ve": 6, "e_ve": keys, "q_ve": sp.Rational(3, 16), "f_ve": values,
            }),
            Instance(f"{VECTORS}.halves", {
                "a_ve": pair, "p_ve": 3 * sp.sqrt(2) / 4, "q_ve": sp.Rational(9, 8), "e_ve": keys, "f_ve": values,
            }),
        )),
    )  # fmt: skip


turned = lemma(
    label=f"{LABEL}.turned",
    statement="Along that direction the average of bits of an unused row bends by at most 1/√3 + 3√2/4.",
    cases=_cases(_through_turn),
)


def drift(which: str) -> sp.Expr:
    """V2_d m, m the farthest move of an unused row."""
    return FLATS[which].read[_ROWS + 1] * VALUES_FARTHEST[which].move


slope_unit = axiom(
    label=f"{LABEL}.slope-unit", relation="<=",
    statement="The squared lengths of what moves an unused row's average of bits and of V2's entry of the data add up "
    "to at most one.",
    right=1,
    cases=_cases(lambda which, of: Case(
        which, left=lambda: FLATS[which].read[_ROWS + 1] ** 2 + share(VALUES_FARTHEST[which])
    )),
)  # fmt: skip


def _through_drift(which: str, _: Turned) -> Case:
    row, read = VALUES_FARTHEST[which], FLATS[which].read[_ROWS + 1]
    parts = {
        "a_ve": drift(which), "p_ve": sp.sqrt(TOKEN_BOUND), "q_ve": TOKEN_BOUND, "e_ve": read**2, "f_ve": share(row),
    }  # fmt: skip
    return stated(
        f"{LABEL}.drift", which,
        Step(2 * sp.Abs(drift(which)), "2 |m V2_d|"),
        Step(sp.sqrt(TOKEN_BOUND), "Z", "at unit length", (
            f"{moved.label}[{row.name}]", f"{slope_unit.label}[{which}]",
            weighted(read**2, row.move**2, TOKEN_BOUND * share(row)), Instance(f"{VECTORS}.halves", parts),
        )),
    )  # fmt: skip


drifted = lemma(
    label=f"{LABEL}.drift",
    statement="Along that direction twice what moves an unused row's average of bits, times V2's entry of the data, is "
    "at most Z in size.",
    cases=_cases(_through_drift),
)


# --- how the value of one row bends at most where the MLP is flat ---------------------------------

CLOSED = SUM**2 * TOKEN_BOUND * (GATES + UNITS_ON) + 2 * GATES + LENGTH


_ROWS_OF, _FACTOR = "sharpness.gradients.rows", SUM**2 * TOKEN_BOUND
_LIVE, _TOP = live("finite"), top("finite")
units = lemma(
    label=f"{LABEL}.units",
    statement="C² Z² (Σ φ² + units on at one) + 2 Σ φ² + |h(1)|² is C² Z² (32 D²(D+1)/u² + 4D+2) + 64 D²(D+1)/u² + L².",
    **stated(
        f"{LABEL}.units", "steps",
        Step(size("finite"), "summed"),
        Step(_FACTOR * (_LIVE + UNITS_ON) + 2 * _LIVE + _TOP, "4D+2", "counted", (
            f"{_ROWS_OF}.ready[finite]", "sharpness.hessian.gates.units.closed-form",
        )),
        Step(_FACTOR * (GATES + UNITS_ON) + 2 * GATES + _TOP, "A", "on at one", (
            f"{_ROWS_OF}.live[finite]", "sharpness.gradients.live",
        )),
        Step(CLOSED, "L²", "at one", (f"{_ROWS_OF}.top[finite]", "sharpness.activations.hidden.length.closed-form")),
    ).changes,
)  # fmt: skip
BOUND = sp.sqrt(CLOSED) + sp.sqrt(2) * SUM


def _through_all(which: str, of: Flat) -> Case:
    paired, root = SUM * of.front + of.back, sp.sqrt(CLOSED)
    pair = {
        "a_ve": paired, "p_ve": root, "q_ve": size(of.network), "e_ve": of.tokens_share + of.read_share,
        "f_ve": of.behind,
    }  # fmt: skip
    rest = {"a_ve": of.pair, "p_ve": sp.sqrt(2), "q_ve": 2, "e_ve": of.arguments_share, "f_ve": of.outputs_share}
    return stated(
        f"{LABEL}.flat", which,
        Step(sp.Abs(of.bend), "|p|"),
        Step(2 * sp.Abs(paired) + 2 * SUM * sp.Abs(of.pair), "in two parts", "",
             Instance(f"{VECTORS}.parted", {"a_ve": paired, "b_ve": of.pair, "s_ve": SUM, "c_ve": of.bend})),
        Step(root + 2 * SUM * sp.Abs(of.pair), "pairs", "at unit length", (
            f"{unit.label}[{which}]", f"{pairs.label}[{which}]", units.label,
            Instance(f"{VECTORS}.halves", pair),
        )),
        Step(BOUND, "M and Gamma with F", "at unit length", (
            f"{unit.label}[{which}]", f"{LABEL}.written[{which}]", Instance(f"{VECTORS}.halves", rest),
            weighted(SUM, 2 * sp.Abs(of.pair), sp.sqrt(2)),
        )),
    )  # fmt: skip


flat = lemma(
    label=f"{LABEL}.flat",
    statement="Along that direction the value of any row bends by at most √(C²Z²(A + 4D+2) + 2A + L²) + √2 C but for "
    "the slope of the MLP, A = 32 D²(D+1)/u².",
    cases=cases(_through_all),
)


# --- the norm of E v'', from its leading direction to a closed form -------------------------------


def _shares(name: str, latex: str, share: Callable[[Bends], Tensor]) -> dict[str, Family]:
    """Of each network a number of each row, from -1 to 1."""
    return {
        which: of.vector(name, latex, _ROWS, lambda d: share(bends(d)), Reals(-1, 1)) for which, of in VALUES.items()
    }  # fmt: skip


SHARES = _shares("bends of rows over the largest", r"\eta",
                 lambda found: over(found.flat, found.largest, found.of.rows.a > 0))  # fmt: skip
TURNS = _shares("bends of averages of unused rows over the most", r"\tau",
                lambda found: _idle_share(found, found.turned, found.turned_most))  # fmt: skip
MOVES = _shares("moves of unused rows over the farthest", r"\mu",
                lambda found: _idle_share(found, found.of.moved, found.of.farthest))  # fmt: skip


def _idle_share(found: Bends, numbers: Tensor, row: Tensor) -> Tensor:
    return over(numbers, row, found.of.idle) * found.of.rows.slope.sign()


def _flat(which: str, of: Flat) -> sp.Expr:
    """Σ a p."""
    return total(ATTENTION[of.network][t] * SHARES[which][t]) * of.bend


def _slope(t: sp.Symbol) -> sp.Expr:
    """What a row's attention, to one that no component uses, is worth at its slope over the steepest."""
    return ATTENTION["finite"][t] * IDLE[t] * SLOPES["finite"][_ROWS]


def _steep(which: str) -> sp.Expr:
    """Σ a g' (C s'' + 2 m V2_d)."""
    turns, moves = (total(_slope(t) * shares[which][t]) for shares in (TURNS, MOVES))
    return SLOPE * (SUM * turns * TURNED[which].bend + moves * 2 * drift(which))


def _form(which: str) -> sp.Expr:
    return sp.Abs(_flat(which, FLATS[which]) + _steep(which))


form = axiom(
    label=f"{LABEL}.form",
    statement="The operator norm of the part E v'' is what its form is along the direction in which it is largest: "
    "|Σ a (p + C g' s'' + 2 g' m V2_d)|, the last two of unused rows on flanks alone, as components rest on plateaus; "
    "of p, s'' and m each row's part of the largest.",
    cases=tuple(
        Case(which, left=norm_of("values", which), right=lambda which=which: _form(which)) for which in NETWORKS
    ),
)
_TURN, _DRIFT = SLOPE / T * TURN, SLOPE * sp.sqrt(TOKEN_BOUND)


def _signed(weight: Family | Callable[[sp.Symbol], sp.Expr], share: Family) -> Instance:
    return Instance(f"{VECTORS}.signed", {"n_av": _ROWS, "a_av": weight, "q_av": share})


def steps(which: str) -> tuple[Step, ...]:
    """From the norm to its bound."""
    of, network = FLATS[which], FLATS[which].network
    a = ATTENTION[network]
    turns, moves = (total(_slope(t) * shares[which][t]) for shares in (TURNS, MOVES))
    parts = {
        "a_ve": of.bend, "p_ve": BOUND, "e_ve": total(a[t] * SHARES[which][t]), "f_ve": 1,
        "b_ve": TURNED[which].bend, "q_ve": TURN,
        "s_ve": SLOPE * SUM * turns, "g_ve": SLOPE * SUM * MASS, "c_ve": 2 * drift(which),
        "r_ve": sp.sqrt(TOKEN_BOUND), "t_ve": SLOPE * moves, "h_ve": SLOPE,
    }  # fmt: skip
    return (
        Step(norm_of("values", which), "‖E v''‖"),
        Step(_form(which), "along its leading direction", "an operator norm is attained", f"{form.label}[{which}]"),
        Step(BOUND + SLOPE * SUM * MASS * TURN + _DRIFT, "row by row", "at most the largest", (
            f"sharpness.gradients.rows.weights[{network}]", f"{LABEL}.flat[{which}]", _signed(a, SHARES[which]),
            f"{LABEL}.turned[{which}]", f"{LABEL}.drift[{which}]",
            _signed(_slope, TURNS[which]), _signed(_slope, MOVES[which]),
            Instance("sharpness.averages.mean", {
                "n_av": _ROWS, "a_av": lambda t: a[t] * IDLE[t], "g_av": lambda t: SLOPES["finite"][_ROWS],
            }),
            Instance("sharpness.averages.mean", {"n_av": _ROWS, "a_av": a, "g_av": IDLE}),
            Instance(f"{VECTORS}.sizes", parts),
        )),
        Step(BOUND + _TURN + _DRIFT, "with the leak", "C leak ≤ 1/T", (
            leak.label, weighted(SLOPE * TURN, SUM * MASS, 1 / T),
        )),
    )  # fmt: skip
