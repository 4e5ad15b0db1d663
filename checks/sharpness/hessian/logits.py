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
from boundaudit.checks.sharpness.hessian.rows import FIRST, LOGITS, OUTPUT, SECOND, UNUSED, Row, idle_mass
from boundaudit.checks.sharpness.hessian.shared import claim
from boundaudit.checks.sharpness.hessian.sums import UnitsSum, both, by_units, half, product, scaled
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, TOKEN_BOUND
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
        turning: What F_w and F_o make of the flat parts with W1, V1, M and Gamma.
        written: What M and Gamma make of them with W2.
        crossed: What F makes of them with W2, and F_w with F_o.
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
        self.turning = one("what F_w and F_o make of flat parts", r"\tau", of=_turned_by)
        self.written = one("what M and Gamma make of flat parts with W2", r"\omega", of=_written_by)
        self.crossed = one("what F makes of flat parts with W2 and itself", r"\chi", of=_crossed_by)
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


def _turned_by(d: Direction) -> Tensor:
    """By how much logits' flat second changes differ between the two rows through F_w and F_o, over two, (B, 1)."""
    length = d.rows.keys.sqrt()[:, None]
    own = length * (d.hidden @ d.keys[..., None])[..., 0]
    whole = own + d.rows.logits * (d.hidden[:, -1] * d.query).sum(-1, keepdim=True)
    first, second = whole.take_along_dim(d.logit_ends, -1)[..., None].unbind(1)
    return d.logit_form * (first - second)


def _written_by(d: Direction) -> Tensor:
    own = d.outputs - d.rows.slope * d.moved
    first, second = own.take_along_dim(d.logit_ends, -1)[..., None].unbind(1)
    return d.logit_form * ((first - second) * d.data_query + _of_rows(d)[:, -1:] * own[:, -1:])


def _crossed_by(d: Direction) -> Tensor:
    first, second = d.rows.hidden.take_along_dim(d.logit_ends[..., None], 1).unbind(1)
    apart, last, F = first - second, d.rows.hidden[:, -1], d.along.F
    pairs = ((apart, (F @ _of_query(d)[..., None])[..., 0]), (last, (F @ _of_rows(d)[..., None])[..., 0]))
    through = torch.stack([(left * right).sum(-1, keepdim=True) for left, right in pairs]).sum(0)
    keys, query = (apart * d.keys).sum(-1, keepdim=True), (last * d.query).sum(-1, keepdim=True)
    return d.logit_form * (through + d.rows.keys.sqrt()[:, None] * keys * query)


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


def _written_by_units(found: _Logits) -> sp.Expr:
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
    return sp.S.Zero if found.which == "one-column" else found.turning[1]


def _turning_by_units(found: _Logits) -> sp.Expr:
    """The same, written out."""
    level = found.levels[1] - found.levels[2]
    return sp.sqrt(KEYS_SQUARED[found.network].atom) * _by_keys(found) + RANGE[found.network].atom * (
        level * _by_query(found)
    )


def _crossed_by_units(found: _Logits) -> sp.Expr:
    """What F makes with W2, and F_w with F_o."""
    through = found.query_length.atom * _value(found, "to-query") + found.rows_length.atom * _value(found, "to-rows")
    if found.which == "one-column":
        return through
    length = sp.sqrt(KEYS_SQUARED[found.network].atom)
    return through + length * (_value(found, "keys") * (found.sign[1] * _value(found, "query")))


def _flat(found: _Logits) -> sp.Expr:
    return 2 * (_turning(found) + found.written[1] + SLOPE * _steep(found) + found.crossed[1])


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
    statement="Along that direction flat parts of two rows' second changes of logits are 2 (h' - h'')·F w2 + 2 (l - "
    "l') h_o'·F_o + 2 (x' - x'')ᵀ W2 x_o + 2 (x - x')ᵀ W2 x_o' + 2 ((h - h')·F w2)(h_o·F_o) apart: the chain rule.",
    cases=_cases(lambda found: Case(found.which, left=found.reach, right=lambda: _flat(found))),
)


_PIECES: dict[str, tuple[str, Callable[[_Logits], sp.Expr], Callable[[_Logits], sp.Expr], Mapping[str, _Logits]]] = {
    "turning": ("what F_w and F_o make of it is (h' - h'')·F w2 + (l - l') h_o'·F_o, h' = on (m + s M_data + Gamma)",
                _turning, _turning_by_units, _WRITTEN),
    "written": ("what M and Gamma make of it with W2 is (φ·h' - φ·h'')(W2 x_o)_data + (x - x')ᵀ W2_data φ·h_o', "
                "h' = on (s M_data + Gamma)", lambda found: found.written[1], _written_by_units, FOUND),
    "crossed": ("what F makes of it besides is (h - h')·F W2 x_o + h_o·F W2ᵀ(x - x') + ((h - h')·F w2)(h_o·F_o)",
                lambda found: found.crossed[1], _crossed_by_units, FOUND),
}  # fmt: skip


def _piece(name: str) -> Claim:
    told, left, right, among = _PIECES[name]
    return _axiom(
        label=f"{_LABEL}.{name}",
        statement=f"Of how far half of flat parts are apart {told}: the chain rule, term by term.",
        cases=_cases(lambda found: Case(found.which, left=lambda: left(found), right=lambda: right(found)), among),
    )


pieces = tuple(_piece(name) for name in _PIECES)


def _same(name: str, found: _Logits) -> tuple[Any, ...]:
    """A piece's square is that of what it is, written out."""
    _, left, right, _ = _PIECES[name]
    return (
        f"{_LABEL}.{name}[{found.which}]",
        Instance(f"{_VECTORS}.same", {"a_ve": left(found), "b_ve": right(found)}),
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
    statement="The squared lengths of blocks, or of a row of one, of a unit direction add up to at most one.",
    relation="<=",
    right=1,
    cases=_cases(lambda found: Case(found.which, left=lambda: _before(found) + _behind(found))),
)

# --- pairs of parts -----------------------------------------------------------------------------------


def _case(name: str, found: _Logits, *steps: Step) -> Case:
    return stated(f"{_LABEL}.{name}", found.which, *steps)


def _uses(found: _Logits, *names: str) -> tuple[str, ...]:
    return tuple(f"{_LABEL}.{name}[{found.which}]" for name in names)


def _moved(row: Row) -> str:
    return f"{_SHARED}.moved[{row.name}]"


def added(a: sp.Expr, p: sp.Expr, b: sp.Expr, q: sp.Expr, e: sp.Expr) -> Instance:
    """From a² ≤ p² e and b² ≤ q² e to (a + b)² ≤ (p + q)² e."""
    return Instance(
        f"{_VECTORS}.added", dict(zip(("a_ve", "p_ve", "b_ve", "q_ve", "e_ve"), (a, p, b, q, e), strict=True))
    )


def _through_keys(found: _Logits) -> Case:
    w, f = found.output.moving, _keys(found)
    one, other = (row.length.atom * _value(found, f"keys-{name}") for row, name in (
        (found.first, "first"), (found.second, "second"),
    ))  # fmt: skip
    size = sp.sqrt(TOKEN_BOUND * COUNT)
    at = [(row.length.atom, TOKEN_BOUND, w, _value(found, f"keys-{name}"), COUNT, f)
          for row, name in ((found.first, "first"), (found.second, "second"))]  # fmt: skip
    return _case(
        "through-keys", found,
        Step((one - other) ** 2, "by W1 and V1"),
        Step(4 * TOKEN_BOUND * COUNT * (w * f), "both rows", "", (
            _moved(found.first), _moved(found.second), *_uses(found, "keys-first", "keys-second"), product(*at[0]),
            product(*at[1]), added(one, size, -other, size, w * f),
        )),
    )  # fmt: skip


def _with_keys(found: _Logits) -> Case:
    w, into, f = found.output.moving, _into(found), _keys(found)
    one, other = (row.length.atom * _value(found, f"keys-{name}") for row, name in (
        (found.first, "first"), (found.second, "second"),
    ))  # fmt: skip
    return _case(
        "with-keys", found,
        Step(_by_keys(found) ** 2, "with F_w"),
        Step((4 * TOKEN_BOUND * COUNT + 2) * (_before(found) * f), "W1, V1, M and Gamma", "", (
            *_uses(found, "through-keys", "keys-shift"),
            both(one - other, 4 * TOKEN_BOUND * COUNT, w * f, _value(found, "keys-shift"), sp.Integer(2), into * f),
        )),
    )  # fmt: skip


def _with_query(found: _Logits) -> Case:
    w, into, f, row = found.output.moving, _into(found), _query(found), found.output
    on, level = _value(found, "query-on"), found.levels[1] - found.levels[2]
    size = (TOKEN_BOUND * COUNT + 2) * (_before(found) * f)
    return _case(
        "with-query", found,
        Step((level * _by_query(found)) ** 2, "with F_o"),
        Step(size, "W1, V1, M and Gamma", "", (
            _moved(row), *_uses(found, "query-on", "query-shift"),
            product(row.length.atom, TOKEN_BOUND, w, on, COUNT, f),
            both(row.length.atom * on, TOKEN_BOUND * COUNT, w * f, _value(found, "query-shift"), sp.Integer(2),
                 into * f),
            Instance(f"{_VECTORS}.shrunk", {"c_ve": level, "a_ve": _by_query(found), "p_ve": size}),
        )),
    )  # fmt: skip


def _turned_size(found: _Logits) -> sp.Expr:
    k, rho = KEYS_SQUARED[found.network].atom, RANGE[found.network].atom
    return 4 * k * TOKEN_BOUND * COUNT + 2 * k + rho**2 * (TOKEN_BOUND * COUNT + 2)


def _turned(found: _Logits) -> Case:
    k, rho = KEYS_SQUARED[found.network].atom, RANGE[found.network].atom
    level, x = found.levels[1] - found.levels[2], _before(found)
    at = (_by_keys(found), 4 * TOKEN_BOUND * COUNT + 2, x * _keys(found), level * _by_query(found),
          TOKEN_BOUND * COUNT + 2, x * _query(found), sp.sqrt(k), rho)  # fmt: skip
    return _case(
        "turned", found,
        Step(_turning(found) ** 2, "with F_w and F_o"),
        Step(_turning_by_units(found) ** 2, "written out", "chain rule", _same("turning", found)),
        Step(_turned_size(found) * (x * (_keys(found) + _query(found))), "both", "",
             (*_uses(found, "with-keys", "with-query"), both(*at))),
        Step(_turned_size(found) * (x * found.along.share("F").atom), "|F|²", "", (
            _share(found, "F"),
            scaled(_turned_size(found) * x, _keys(found) + _query(found), found.along.share("F").atom),
        )),
    )  # fmt: skip


def _with_data(found: _Logits) -> Case:
    a, b = _value(found, "data-inputs"), _value(found, "data-biases")
    return _case(
        "with-data", found,
        Step(_by_data(found) ** 2, "by M and Gamma"),
        Step((GATES + PASSED) * _into(found), "between rows", "", (
            *_uses(found, "data-inputs", "data-biases"), both(a, GATES, _inputs(found), b, PASSED, _gamma(found)),
        )),
    )  # fmt: skip


_WRITTEN_SIZE = (sp.sqrt(2 * (GATES + PASSED)) + sp.sqrt(6 * GATES)) ** 2


def _with_w2(found: _Logits) -> Case:
    into, w2 = _into(found), found.along.share("W2").atom
    data, last = found.data_sign[1] * _by_data(found), _value(found, "last")
    q, r = found.query_data.atom, found.rows_data[1]
    return _case(
        "with-w2", found,
        Step(found.written[1] ** 2, "with W2"),
        Step(_written_by_units(found) ** 2, "written out", "chain rule", _same("written", found)),
        Step(_WRITTEN_SIZE * (into * w2), "both rows of the stream", "", (
            *_uses(found, "with-data", "last"), _share(found, "query-data"), _share(found, "rows-data"),
            Instance(f"{_VECTORS}.shrunk", {
                "c_ve": found.data_sign[1], "a_ve": _by_data(found), "p_ve": (GATES + PASSED) * into,
            }),
            product(q, sp.Integer(2), w2, data, GATES + PASSED, into),
            product(r, sp.Integer(3), w2, last, GATES, 2 * into),
            added(q * data, sp.sqrt(2 * (GATES + PASSED)), r * last, sp.sqrt(6 * GATES), into * w2),
        )),
    )  # fmt: skip


def _sloping(found: _Logits) -> sp.Expr:
    """C/4 of what goes through the output's row, and 1/T of what goes through unused ones."""
    own = SUM / 4 * _steep(found)
    return own if found.which == "ideal" else own + _idle(found) / T


_SLOPED_SIZE = TOKEN_BOUND * (sp.sqrt(3) * SUM / 4 + sp.sqrt(2) / T) ** 2


def _with_slope(found: _Logits) -> Case:
    w, w2, e = found.output.moving, found.along.share("W2").atom, found.output.length.atom
    chosen = found.slope[1] * found.output.data[1]
    own = chosen * found.rows_data[1]
    uses: tuple[Any, ...] = (
        _moved(found.output), _share(found, "rows-data"),
        Instance(f"{_VECTORS}.shrunk", {"c_ve": chosen, "a_ve": found.rows_data[1], "p_ve": 3 * w2}),
        product(e, TOKEN_BOUND, w, own, sp.Integer(3), w2),
    )  # fmt: skip
    if found.which != "ideal":
        row, q = UNUSED[found.which], found.query_data.atom
        uses = (
            *uses, _moved(row), _share(found, "query-data"),
            product(row.length.atom, TOKEN_BOUND, w, q, sp.Integer(2), w2),
            added(SUM / 4 * (own * e), sp.sqrt(3) * SUM / 4, row.length.atom * q / T, sp.sqrt(2) / T,
                  TOKEN_BOUND * w * w2),
        )  # fmt: skip
    return _case(
        "with-slope", found, Step(_sloping(found) ** 2, "through slopes"),
        Step(_SLOPED_SIZE * (w * w2), "by lengths", "", uses),
    )  # fmt: skip


def _pairs(found: _Logits) -> sp.Expr:
    return SUM / 4 * (_turning(found) + found.written[1]) + SLOPE * _sloping(found)


def _stated_size(found: _Logits) -> sp.Expr:
    turned = sp.S.Zero if found.which == "one-column" else _turned_size(found)
    return SUM**2 / 16 * (turned + _WRITTEN_SIZE) + SLOPE**2 * _SLOPED_SIZE


def _behind_w2(found: _Logits) -> Case:
    x, w2 = _before(found), found.along.share("W2").atom
    return _case(
        "beside-w2", found,
        Step((SUM / 4 * found.written[1] + SLOPE * _sloping(found)) ** 2, "with W2"),
        Step((SUM**2 / 16 * _WRITTEN_SIZE + SLOPE**2 * _SLOPED_SIZE) * (x * w2), "W1, V1, M and Gamma", "", (
            *_uses(found, "with-w2", "with-slope"),
            both(found.written[1], _WRITTEN_SIZE, _into(found) * w2, _sloping(found), _SLOPED_SIZE,
                 found.output.moving * w2, SUM / 4, SLOPE),
        )),
    )  # fmt: skip


def _paired(found: _Logits) -> Case:
    x, w2, f = _before(found), found.along.share("W2").atom, found.along.share("F").atom
    beside = SUM / 4 * found.written[1] + SLOPE * _sloping(found)
    size = SUM**2 / 16 * _WRITTEN_SIZE + SLOPE**2 * _SLOPED_SIZE
    start, end = Step(_pairs(found) ** 2, "pairs"), _stated_size(found) * (x * _behind(found))
    known = _uses(found, "beside-w2")
    if found.which == "one-column":
        return _case("paired", found, start, Step(end, "with F", "", known))
    return _case("paired", found, start, Step(end, "a matrix of norms", "Cauchy-Schwarz", (
        *known, *_uses(found, "turned"),
        both(_turning(found), _turned_size(found), x * f, beside, size, x * w2, SUM / 4),
    )))  # fmt: skip


def _root(found: _Logits) -> Case:
    return _case(
        "root", found, Step(2 * _pairs(found), "2 pairs"),
        Step(sp.sqrt(_stated_size(found)), "two shares of a unit direction", "2 √(e f) ≤ 1", (
            f"{unit.label}[{found.which}]", *_uses(found, "paired"),
            half(_pairs(found), _stated_size(found), _before(found), _behind(found)),
        )),
    )  # fmt: skip


# --- F with W2, and F_w with F_o -------------------------------------------------------------------


def _crossing(name: str, length: str, size: sp.Expr, closed: sp.Expr, found: _Logits) -> Case:
    f, w2 = found.along.share("F").atom, found.along.share("W2").atom
    a, b = getattr(found, f"{length}_length").atom, _value(found, name)
    return _case(
        f"crossed.{name}", found, Step(2 * (a * b), "twice the product"),
        Step(sp.sqrt(size * closed), "two shares of a unit direction", "2 √(e f) ≤ 1", (
            f"{unit.label}[{found.which}]", *_uses(found, name), _share(found, length),
            product(a, size, w2, b, closed, f), half(a * b, size * closed, w2, f),
        )),
    )  # fmt: skip


def _keyed(found: _Logits) -> Case:
    a, b = _value(found, "keys"), found.sign[1] * _value(found, "query")
    return _case(
        "crossed.keys", found, Step(2 * (a * b), "twice the product"),
        Step(sp.sqrt(SPREAD * LENGTH), "two shares of a unit direction", "2 √(e f) ≤ 1", (
            f"{unit.label}[{found.which}]", *_uses(found, "keys", "query"), _share(found, "F"),
            Instance(f"{_VECTORS}.shrunk", {
                "c_ve": found.sign[1], "a_ve": _value(found, "query"), "p_ve": LENGTH * _query(found),
            }),
            product(a, SPREAD, _keys(found), b, LENGTH, _query(found)),
            half(a * b, SPREAD * LENGTH, _keys(found), _query(found)),
        )),
    )  # fmt: skip


def _crossings(found: _Logits) -> list[tuple[sp.Expr, sp.Expr, str, sp.Expr]]:
    """Products, what twice each is at most, where that is proved, and what they are multiplied by."""
    through = [
        (found.query_length.atom * _value(found, "to-query"), sp.sqrt(2 * SPREAD), "crossed.to-query", sp.S.One),
        (found.rows_length.atom * _value(found, "to-rows"), sp.sqrt(3 * LENGTH), "crossed.to-rows", sp.S.One),
    ]
    if found.which == "one-column":
        return through
    pair = _value(found, "keys") * (found.sign[1] * _value(found, "query"))
    return [*through, (pair, sp.sqrt(SPREAD * LENGTH), "crossed.keys", sp.sqrt(KEYS_SQUARED[found.network].atom))]


def _crossed_size(found: _Logits) -> sp.Expr:
    return sp.Add(*(factor * closed for _, closed, _, factor in _crossings(found)))


def _all_crossed(found: _Logits) -> Case:
    crossed = _crossings(found)
    return _case(
        "crossed.all", found, Step(2 * found.crossed[1], "F with W2 and itself"),
        Step(2 * _crossed_by_units(found), "written out", "chain rule", f"{_LABEL}.crossed[{found.which}]"),
        Step(_crossed_size(found), "each by itself", "", (
            *_uses(found, *(name for _, _, name, _ in crossed)),
            *(scaled(factor, 2 * value, closed) for value, closed, _, factor in crossed if factor != 1),
        )),
    )  # fmt: skip


def _stated(name: str, told: str, case: Callable[[_Logits], Case], among: Mapping[str, _Logits] = FOUND) -> Claim:
    return _lemma(label=f"{_LABEL}.{name}", statement=f"{told}.", cases=_cases(case, among))


_SHARE = "times the product of their squared lengths"
claims = (
    _stated("through-keys", f"W1 and V1 make with F_w in squares at most 4 Z² (4D+2) {_SHARE}", _through_keys,
            _WRITTEN),
    _stated("with-keys", f"W1, V1, M and Gamma make with F_w in squares at most 4 Z² (4D+2) + 2 {_SHARE}", _with_keys,
            _WRITTEN),
    _stated("with-query", f"They make with F_o in squares at most Z² (4D+2) + 2 {_SHARE}", _with_query, _WRITTEN),
    _stated("turned", f"They make with F in squares at most K (4 Z² (4D+2) + 2) + ρ² (Z² (4D+2) + 2) {_SHARE}", _turned,
            _WRITTEN),
    _stated("with-data", "What M and Gamma make of two rows' hidden units that are on is in squares at most A + B "
            "times their squared length", _with_data),
    _stated("with-w2", f"M and Gamma make with W2 in squares at most (√(2(A+B)) + √(6A))² {_SHARE}", _with_w2),
    _stated("with-slope", f"Through slopes W1 and V1 make with W2 in squares at most Z² (√3 C/4 + √2/T)² {_SHARE}",
            _with_slope),
    _stated("beside-w2", f"Both together are in squares at most what both sizes add up to, {_SHARE}", _behind_w2),
    _stated("paired", f"W1, V1, M and Gamma make with F and W2 in squares at most what stands under the root, {_SHARE}",
            _paired),
    _stated("root", "Twice what W1, V1, M and Gamma make with F and W2 is at most the root", _root),
    _stated("crossed.to-query", "Twice what F makes with W2 of the output's row is at most √(2Δ)",
            functools.partial(_crossing, "to-query", "query", sp.Integer(2), SPREAD)),
    _stated("crossed.to-rows", "Twice what F makes with W2 of two rows is at most √3 L",
            functools.partial(_crossing, "to-rows", "rows", sp.Integer(3), LENGTH)),
    _stated("crossed.keys", "Twice what F_w makes with F_o is at most √Δ L", _keyed, _WRITTEN),
    _stated("crossed.all", "Twice what F makes with W2, and F_w with F_o, is at most √(ΔK) L + √(2Δ) + √3 L",
            _all_crossed),
)  # fmt: skip

# --- the norm -------------------------------------------------------------------------------------------


def _leaking(found: _Logits) -> Case:
    n, slope = found.network, SLOPES[found.network][T + 1]
    others, mass = total(ATTENTION[n][t] * (IDLE[n][t] * found.moves[t])), idle_mass(n)
    return _case(
        "leaking", found,
        Step(_sloped(found), "C k Σ a ι ζ"),
        Step(SUM * (slope * mass), "C k Σ a ι", "ζ ≤ 1", (
            Instance(f"{_VECTORS}.upto", {
                "n_av": T + 1, "a_av": lambda t: ATTENTION[n][t] * IDLE[n][t], "g_av": found.moves,
            }),
            scaled(SUM * slope, others, mass),
        )),
        Step(SUM * mass, "C Σ a ι", "k ≤ 1", (
            Instance("sharpness.averages.part", {"m_av": slope, "e_av": mass}), scaled(SUM, slope * mass, mass),
        )),
        Step(1 / T, "1/T", "the leak", f"{_SHARED}.leak"),
    )  # fmt: skip


leaking = _stated(
    "leaking", "What unused rows' slopes count for, C times their attention, is at most 1/T", _leaking, _FINITE
)


def _reaching(found: _Logits) -> Case:
    n, reach = found.network, found.reach.atom
    about = {"n_av": T + 1, "a_av": ATTENTION[n], "g_av": found.level, "q_av": OUTPUTS[n]}
    return _case(
        "reach", found, Step(SUM * (reach * _covariance(found)), "C R Cov(y, g)"),
        Step(SUM * (reach / 4), "C R/4", "a covariance", (
            f"{_ROWS_OF}.weights[{n}]", Instance(f"{_VECTORS}.covaried", about),
            Instance(f"{_VECTORS}.below", {"a_ve": _covariance(found), "p_ve": sp.Rational(1, 4)}),
            scaled(SUM * reach, _covariance(found), sp.Rational(1, 4)),
        )),
        Step(SUM * (_flat(found) / 4), "C/4 of the flat parts", "chain rule", f"{flat.label}[{found.which}]"),
    )  # fmt: skip


reaching = _stated("reach", "C R Cov(y, g) is at most C/4 of what two rows' flat parts differ by", _reaching)


def steps(which: str) -> tuple[Step, ...]:
    """From the norm to its bound.

    Args:
        which: One of `NETWORKS`.

    Returns:
        The steps of a chain.
    """
    found = FOUND[which]
    sloped: tuple[Any, ...] = ()
    if which != "ideal":
        sloped = (f"{_LABEL}.leaking[{which}]", scaled(2 * SLOPE * _idle(found), _sloped(found), 1 / T))
    end = sp.sqrt(_stated_size(found)) + SUM / 4 * _crossed_size(found)
    return (
        Step(NORM[which], "‖Cov(v, l'')‖"),
        Step(_whole(found), "along its leading direction", "an operator norm is attained", f"{form.label}[{which}]"),
        Step(2 * _pairs(found) + SUM / 2 * found.crossed[1], "pairs", "a covariance, and the leak",
             (*_uses(found, "reach"), *sloped)),
        Step(end, "by lengths", "", (
            *_uses(found, "root", "crossed.all"), scaled(SUM / 4, 2 * found.crossed[1], _crossed_size(found)),
        )),
    )  # fmt: skip
