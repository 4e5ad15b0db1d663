"""Theorem 18: the part Cov(v, l'') of the Hessian, along the direction in which it is largest."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.gradients.rows import (
    AT_ONE,
    ATTENTION,
    IDLE,
    KEYS_SQUARED,
    LAST,
    OFF_AT_ZERO,
    OUTPUTS,
    RISE,
    SLOPES,
    TOP,
    WEIGHTS,
    mean,
    total,
    units_total,
)
from boundaudit.checks.sharpness.hessian.directions import RANGE, risen_at, stated
from boundaudit.checks.sharpness.hessian.families import ANY, NETWORKS, measured_as
from boundaudit.checks.sharpness.hessian.rows import FIRST, LOGITS, OUTPUT, SECOND, UNUSED, Row
from boundaudit.checks.sharpness.hessian.shared import claim
from boundaudit.checks.sharpness.hessian.sums import UnitsSum, by_units
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.hessian_lemmas import GATES
from boundaudit.derivations.sharpness.hessian_lemmas import RISE as PASSED
from boundaudit.derivations.sharpness.hessian_lemmas import UNITS as COUNT
from boundaudit.derivations.sharpness.mlp import SLOPE, UNITS
from boundaudit.derivations.sharpness.parameters import T, j, t
from boundaudit.numeric.sharpness.hessian_directions import Direction, levels, parted, share

_LABEL, _VECTORS = "sharpness.hessian.logits", "sharpness.hessian.vectors"
_SHARED, _ROWS_OF = "sharpness.hessian.rows", "sharpness.gradients.rows"
_UNIT, _SIGNED = Reals(0, 1), Reals(-1, 1)
NORM = {which: measured_as("norm of Cov(v, l'')", theorem.logits_n, which) for which in NETWORKS}

# --- measured -------------------------------------------------------------------------------------


class _Logits:
    """What second changes of logits are made of, in the rows where their flat part is largest and smallest.

    Attributes:
        which: One of `NETWORKS`.
        network: "finite" or "ideal".
        along: The direction.
        first: The row where the flat part is largest.
        second: The one where it is smallest.
        output: The output position's.
        reach: How far the one exceeds the other.
        level: Of the rows' flat parts: how far each lies from the least to the most.
        sign: Of the form.
        off: Which units that are off at zero are off in the two rows, and in the output's.
        risen: The parts of their rises that units of the two rows have made.
        levels: How far the logits themselves lie there from the smallest to the largest.
        inputs: M_data.
        biases: Gamma.
        keys: F_w, with that sign.
        query: F_o, with that sign.
        to_query: F along W2 x_o, with that sign.
        to_rows: F along W2ᵀ(x - x'), with that sign.
        query_length: |W2 x_o|.
        rows_length: |W2ᵀ(x - x')|.
        query_data: (W2 x_o)_data in size.
        data_sign: Its sign times that of the form.
        rows_data: (x - x')ᵀ W2_data, with that sign.
        slope: The slope of the MLP in the output's row over the steepest.
        moves: What moves of unused rows' averages of bits count for, over the farthest.
    """

    def __init__(self, which: str) -> None:
        of = self.along = LOGITS[which]
        self.which, self.network = which, of.network
        self.first, self.second, self.output = FIRST[which], SECOND[which], OUTPUT[which]
        units, number = functools.partial(of.vector, length=UNITS), of.number
        self.reach = number("reach of the logits' flat second changes", "R", _reach)
        self.level = of.vector("part of their range that logits' flat second changes have made", "y", T + 1,
                               lambda d: levels(d.logit_form * d.flat_logits, d.rows.a > 0), _UNIT)  # fmt: skip
        self.sign = of.vector("sign of the form", r"\sigma", 1, lambda d: d.logit_form, _SIGNED)
        self.off = of.vector(
            "units that are off in two rows of logits and in the output's", "o", (3, UNITS), _off, _UNIT
        )
        self.risen = of.vector("part of its rise that a unit of two rows of logits has made", "z", (2, UNITS),
                               lambda d: risen_at(d, d.logit_ends), _UNIT)  # fmt: skip
        self.levels = of.vector("levels of two rows' logits", "l", 2, _levels, _UNIT)
        self.inputs = units("M's direction", "M_d", of=lambda d: d.along.M[:, -1])
        self.biases = units("Gamma's direction", r"\Gamma", of=lambda d: d.along.Gamma)
        self.keys = units("F's direction along the keys", "F_w", of=lambda d: d.logit_form * d.keys)
        self.query = units("F's direction into the query", "F_o", of=lambda d: d.logit_form * d.query)
        self.to_query = units("F along what W2 makes of the output's row", "F_q", of=lambda d: _along(d, _of_query(d)))
        self.to_rows = units("F along what W2 makes of two rows", "F_r", of=lambda d: _along(d, _of_rows(d)))
        self.query_length = number(
            "length of what W2 makes of the output's row", "q", lambda d: _of_query(d).norm(dim=-1)
        )
        self.rows_length = number("length of what W2 makes of two rows", "r", lambda d: _of_rows(d).norm(dim=-1))
        self.query_data = number(
            "what W2 makes of the output's row at the data", "q_d", lambda d: d.data_query[:, 0].abs()
        )
        one = functools.partial(of.vector, length=1)
        self.data_sign = one("its sign", "s", entries=_SIGNED, of=lambda d: d.logit_form * d.data_query.sign())
        self.rows_data = one(
            "what W2 makes of two rows at the data", "r_d", of=lambda d: d.logit_form * _of_rows(d)[:, -1:]
        )
        self.slope = one("slope of the output's row over the steepest", "k", entries=_SIGNED, of=_slope)
        self.moves = of.vector("what moves of unused rows count for", r"\zeta", T + 1, _moves, _SIGNED)


def _reach(d: Direction) -> Tensor:
    most, least = (d.logit_form * d.flat_logits).take_along_dim(d.logit_ends, -1).unbind(-1)
    return most - least


def _off(d: Direction) -> Tensor:
    last = torch.full_like(d.farthest, d.rows.z.shape[-1] - 1)
    return 1 - d.rows.on.take_along_dim(torch.cat([d.logit_ends, last], -1)[..., None], 1)


def _levels(d: Direction) -> Tensor:
    return levels(d.rows.logits, d.rows.a > 0).take_along_dim(d.logit_ends, -1)


def _stream(d: Direction) -> Tensor:
    return torch.cat([d.tokens[..., :-1], d.rows.g[..., None]], -1)


def _of_query(d: Direction) -> Tensor:
    return (d.along.W2 @ _stream(d)[:, -1, :, None])[..., 0]


def _of_rows(d: Direction) -> Tensor:
    first, second = _stream(d).take_along_dim(d.logit_ends[..., None], 1).unbind(1)
    return ((first - second)[:, None] @ d.along.W2)[:, 0]


def _along(d: Direction, vector: Tensor) -> Tensor:
    return d.logit_form * (d.along.F @ share(*parted(vector))[..., None])[..., 0]


def _slope(d: Direction) -> Tensor:
    return d.rows.slope[:, -1:] / d.rows.units.output.amax(-1, keepdim=True)


def _moves(d: Direction) -> Tensor:
    r = d.rows
    counted = d.logit_form * (r.g - r.mean[:, None]) * r.slope.sign() * d.data_query.sign()
    return (counted * share(d.moved, d.farthest_move.abs())).where(d.idle, 0.0)


FOUND = {which: _Logits(which) for which in NETWORKS}
_FINITE = {which: found for which, found in FOUND.items() if which != "ideal"}
_WRITTEN = {which: found for which, found in FOUND.items() if which != "one-column"}
"""Where F writes positions too."""

_axiom = functools.partial(claim, role="axiom", relation="=", domain=ANY, expected="supported")
_lemma = functools.partial(claim, domain=ANY, expected="proved")


def _cases(case: Callable[[_Logits], Case], among: Mapping[str, _Logits] = FOUND) -> tuple[Case, ...]:
    return tuple(case(found) for found in among.values())


# --- sums over hidden units -------------------------------------------------------------------------


def _on(found: _Logits, n: int) -> Callable[[sp.Symbol], sp.Expr]:
    return lambda j: 1 - OFF_AT_ZERO[found.network][j] * found.off[n, j]


def _shift(found: _Logits) -> Callable[[sp.Symbol], sp.Expr]:
    """S M_data + Gamma of the output's row, unit by unit."""
    return lambda j: found.biases[j] + found.output.seen * found.inputs[j]


def _apart(found: _Logits) -> Callable[[sp.Symbol], sp.Expr]:
    """What s M_data + Gamma of units that are on differs by from row to row."""
    one, other = _on(found, 1), _on(found, 2)
    s, r = found.first.seen, found.second.seen
    return lambda j: (one(j) * s - other(j) * r) * found.inputs[j] + (one(j) - other(j)) * found.biases[j]


def _gamma(found: _Logits) -> sp.Expr:
    return units_total(found.biases[j] ** 2)


def _inputs(found: _Logits) -> sp.Expr:
    return units_total(found.inputs[j] ** 2)


def _into(found: _Logits) -> sp.Expr:
    return _inputs(found) + _gamma(found)


def _keys(found: _Logits) -> sp.Expr:
    return units_total(found.keys[j] ** 2)


def _query(found: _Logits) -> sp.Expr:
    return units_total(found.query[j] ** 2)


def _sums(found: _Logits) -> dict[str, UnitsSum]:
    n, which = found.network, found.which
    gates, counted, tops, passing, rises = (
        f"{_SHARED}.closed.{name}[{n}]" for name in ("gates", "counted", "tops", "passing", "rises")
    )
    f = found.along.share("F").atom
    one, other, out = (_on(found, k) for k in (1, 2, 3))
    apart = lambda j: found.risen[1, j] - found.risen[2, j]  # noqa: E731
    last, shift = LAST[n].__getitem__, (2 * _into(found), f"{_LABEL}.shift[{which}]")
    always = {
        "data-inputs": UnitsSum("(φ on s - φ on' s')·M", WEIGHTS[n].__getitem__,
                                lambda j: one(j) * found.first.seen - other(j) * found.second.seen,
                                found.inputs.__getitem__, (GATES, gates), (_inputs(found), "")),
        "data-biases": UnitsSum("(φ on - φ on')·Gamma", lambda j: WEIGHTS[n][j] * OFF_AT_ZERO[n][j],
                                lambda j: found.off[2, j] - found.off[1, j], found.biases.__getitem__,
                                (PASSED, passing), (_gamma(found), "")),
        "last": UnitsSum("(φ on_o)·(s M + Gamma)", WEIGHTS[n].__getitem__, out, _shift(found), (GATES, gates), shift),
        "to-query": UnitsSum("(h - h')·F W2 x_o", RISE[n].__getitem__, apart, found.to_query.__getitem__,
                             (SPREAD, rises), (f, f"{_LABEL}.shares[F-query-{which}]")),
        "to-rows": UnitsSum("h_o·F W2ᵀ(x - x')", TOP[n].__getitem__, last, found.to_rows.__getitem__, (LENGTH, tops),
                            (f, f"{_LABEL}.shares[F-rows-{which}]")),
    }  # fmt: skip
    if which == "one-column":
        return always

    def moved(row: Row, on: Callable[[sp.Symbol], sp.Expr]) -> Callable[[sp.Symbol], sp.Expr]:
        return lambda j: row.data[1] * on(j)

    units, keys, query = AT_ONE[n].__getitem__, found.keys.__getitem__, found.query.__getitem__
    return always | {
        "keys-first": UnitsSum("on·F_w", units, moved(found.first, one), keys, (COUNT, counted), (_keys(found), "")),
        "keys-second": UnitsSum("on'·F_w", units, moved(found.second, other), keys, (COUNT, counted),
                                (_keys(found), "")),
        "keys-shift": UnitsSum("(on (s M + Gamma) - on' (s' M + Gamma))·F_w", _apart(found), units, keys,
                               (2 * _into(found), f"{_LABEL}.shifts[{which}]"), (_keys(found), "")),
        "query-on": UnitsSum("on_o·F_o", units, moved(found.output, out), query, (COUNT, counted), (_query(found), "")),
        "query-shift": UnitsSum("on_o (s_o M + Gamma)·F_o", _shift(found), lambda j: units(j) * out(j), query, shift,
                                (_query(found), "")),
        "keys": UnitsSum("(h - h')·F_w", RISE[n].__getitem__, apart, keys, (SPREAD, rises), (_keys(found), "")),
        "query": UnitsSum("h_o·F_o", TOP[n].__getitem__, last, query, (LENGTH, tops), (_query(found), "")),
    }  # fmt: skip


_SUMS = {which: _sums(found) for which, found in FOUND.items()}


def _value(found: _Logits, name: str) -> sp.Expr:
    told = _SUMS[found.which][name]
    return units_total(told.x(j) * told.o(j) * told.y(j))


def _sum(name: str) -> Claim:
    told = _SUMS["finite"][name].told
    return _lemma(
        label=f"{_LABEL}.{name}",
        statement=f"{told} is in squares at most what its factors' squares add up to.",
        cases=tuple(by_units(f"{_LABEL}.{name}", which, sums[name]) for which, sums in _SUMS.items() if name in sums),
    )


sums = tuple(_sum(name) for name in _SUMS["finite"])


def _shifted(found: _Logits) -> Case:
    return stated(
        f"{_LABEL}.shift", found.which,
        Step(units_total(_shift(found)(j) ** 2), "|s M + Gamma|²"),
        Step(2 * _into(found), "2 (|M|² + |Gamma|²)", "s ≤ 1", Instance(
            f"{_VECTORS}.entry", {"a_ve": found.biases[j], "b_ve": found.inputs[j], "g_ve": found.output.seen},
            over=(j, 1, UNITS),
        )),
    )  # fmt: skip


def _shifts(found: _Logits) -> Case:
    one, other = _on(found, 1)(j), _on(found, 2)(j)
    return stated(
        f"{_LABEL}.shifts", found.which,
        Step(units_total(_apart(found)(j) ** 2), "between rows"),
        Step(2 * _into(found), "2 (|M|² + |Gamma|²)", "averages are at most one", Instance(f"{_VECTORS}.mixture", {
            "s_ve": one * found.first.seen - other * found.second.seen, "a_ve": found.inputs[j],
            "t_ve": one - other, "b_ve": found.biases[j],
        }, over=(j, 1, UNITS))),
    )  # fmt: skip


shift, shifts = (
    _lemma(label=f"{_LABEL}.{name}", statement=told, cases=_cases(case, among))
    for name, told, case, among in (
        ("shift", "|s M_data + Gamma|² is at most 2 (|M|² + |Gamma|²).", _shifted, FOUND),
        ("shifts", "What s M_data + Gamma of units that are on differs by from row to row is in squares at most "
         "2 (|M|² + |Gamma|²).", _shifts, _WRITTEN),
    )
)  # fmt: skip

# --- what is assumed ------------------------------------------------------------------------------


def _by_data(found: _Logits) -> sp.Expr:
    return _value(found, "data-inputs") + _value(found, "data-biases")


def _steep(found: _Logits) -> sp.Expr:
    """What W1 and V1 make with W2 through the output's row, over the steepest slope."""
    return (found.slope[1] * found.output.data[1]) * found.rows_data[1] * found.output.length.atom


def _written(found: _Logits) -> sp.Expr:
    """What M and Gamma make with W2."""
    return found.query_data.atom * (found.data_sign[1] * _by_data(found)) + found.rows_data[1] * _value(found, "last")


def _by_keys(found: _Logits) -> sp.Expr:
    moved = (
        found.first.length.atom * _value(found, "keys-first"),
        found.second.length.atom * _value(found, "keys-second"),
    )
    return (moved[0] - moved[1]) + _value(found, "keys-shift")


def _by_query(found: _Logits) -> sp.Expr:
    return found.output.length.atom * _value(found, "query-on") + _value(found, "query-shift")


def _turning(found: _Logits) -> sp.Expr:
    """What F_w and F_o make with W1, V1, M and Gamma."""
    if found.which == "one-column":
        return sp.S.Zero
    level = found.levels[1] - found.levels[2]
    return sp.sqrt(KEYS_SQUARED[found.network].atom) * _by_keys(found) + RANGE[found.network].atom * (
        level * _by_query(found)
    )


def _crossed(found: _Logits) -> sp.Expr:
    """What F makes with W2, and F_w with F_o."""
    through = found.query_length.atom * _value(found, "to-query") + found.rows_length.atom * _value(found, "to-rows")
    if found.which == "one-column":
        return through
    length = sp.sqrt(KEYS_SQUARED[found.network].atom)
    return through + length * (_value(found, "keys") * (found.sign[1] * _value(found, "query")))


def _flat(found: _Logits) -> sp.Expr:
    return 2 * (_turning(found) + _written(found) + SLOPE * _steep(found) + _crossed(found))


def _covariance(found: _Logits) -> sp.Expr:
    n = found.network
    return total(ATTENTION[n][t] * found.level[t] * (OUTPUTS[n][t] - mean(n)))


def _sloped(found: _Logits) -> sp.Expr:
    n = found.network
    return SUM * (SLOPES[n][T + 1] * total(ATTENTION[n][t] * (IDLE[n][t] * found.moves[t])))


def _idle(found: _Logits) -> sp.Expr:
    """What W1 and V1 make with W2 through unused rows."""
    return UNUSED[found.which].length.atom * found.query_data.atom


def _whole(found: _Logits) -> sp.Expr:
    flat = SUM * (found.reach.atom * _covariance(found))
    return flat if found.which == "ideal" else flat + 2 * SLOPE * _idle(found) * _sloped(found)


form = _axiom(
    label=f"{_LABEL}.form",
    statement="The operator norm of the part Cov(v, l'') is what its form is along the direction in which it is "
    "largest: C Σ a (g - Σ a g) l'', l'' = R y flat parts, and on unused rows 2 g' m (W2 x_o)_data besides.",
    cases=_cases(lambda found: Case(found.which, left=NORM[found.which], right=lambda: _whole(found))),
)
flat = _axiom(
    label=f"{_LABEL}.flat",
    statement="Along that direction flat parts of two rows' second changes of logits are 2 (h' - h'')·F w2 + 2 (l - l') "
    "h_o'·F_o + 2 (x' - x'')ᵀ W2 x_o + 2 (x - x')ᵀ W2 x_o' + 2 ((h - h')·F w2)(h_o·F_o) apart: the chain rule.",
    cases=_cases(lambda found: Case(found.which, left=found.reach, right=lambda: _flat(found))),
)


def _shares(found: _Logits) -> dict[str, tuple[Any, Any]]:
    w2, f = found.along.share("W2").atom, found.along.share("F").atom
    shares: dict[str, tuple[Any, Any]] = {
        "query": (found.query_length.atom**2, 2 * w2), "query-data": (found.query_data.atom**2, 2 * w2),
        "rows": (found.rows_length.atom**2, 3 * w2), "rows-data": (found.rows_data[1] ** 2, 3 * w2),
        "F-query": (units_total(found.to_query[j] ** 2), f), "F-rows": (units_total(found.to_rows[j] ** 2), f),
    }  # fmt: skip
    return shares if found.which == "one-column" else shares | {"F": (_keys(found) + _query(found), f)}


def _share(found: _Logits, name: str) -> str:
    return f"{_LABEL}.shares[{name}-{found.which}]"


shares = _axiom(
    label=f"{_LABEL}.shares",
    statement="What a matrix makes of a vector of length at most one has at most the matrix' squared length, of two "
    "orthogonal ones together too, of a row of the stream at most twice, of two rows' difference at most three times "
    "it: Cauchy-Schwarz, row by row.",
    relation="<=",
    cases=tuple(
        Case(f"{name}-{found.which}", left=lambda pair=pair: pair[0], right=lambda pair=pair: pair[1])
        for found in FOUND.values() for name, pair in _shares(found).items()
    ),
)  # fmt: skip


def _before(found: _Logits) -> sp.Expr:
    """The squared length of W1, V1, M's column and Gamma."""
    return found.output.moving + _into(found)


def _behind(found: _Logits) -> sp.Expr:
    """That of F and W2."""
    return found.along.share("F").atom + found.along.share("W2").atom


unit = _axiom(
    label=f"{_LABEL}.unit",
    statement="The squared lengths of blocks, and of a row of one, of a direction of unit length add up to at most one.",
    relation="<=",
    right=1,
    cases=_cases(lambda found: Case(found.which, left=lambda: _before(found) + _behind(found))),
)
