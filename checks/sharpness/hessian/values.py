"""Theorem 18: the part E v'' of the Hessian, along the direction in which it is largest."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.gradients.rows import (
    AT_ONE,
    ATTENTION,
    BITS,
    IDLE,
    SLOPES,
    TOP,
    WEIGHTS,
    total,
    units_total,
)
from boundaudit.checks.sharpness.hessian.directions import stated
from boundaudit.checks.sharpness.hessian.families import ANY, NETWORKS, measured_as
from boundaudit.checks.sharpness.hessian.rows import BENT, VALUES, Row, idle_mass
from boundaudit.checks.sharpness.hessian.shared import claim
from boundaudit.checks.sharpness.hessian.sums import UnitsSum, both, by_units, half, product, scaled
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.activations import LENGTH
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, THIRD, TOKEN_BOUND
from boundaudit.derivations.sharpness.hessian_lemmas import UNITS as COUNT
from boundaudit.derivations.sharpness.mlp import SLOPE, UNITS
from boundaudit.derivations.sharpness.parameters import T, j, t
from boundaudit.numeric.sharpness.hessian_directions import Direction, differ, extremes, levels, parted, share

_LABEL, _VECTORS = "sharpness.hessian.values", "sharpness.hessian.vectors"
_SHARED, _ROWS_OF = "sharpness.hessian.rows", "sharpness.gradients.rows"
_UNIT, _SIGNED = Reals(0, 1), Reals(-1, 1)
NORM = {which: measured_as("norm of E v''", theorem.values_n, which) for which in NETWORKS}

# --- measured -------------------------------------------------------------------------------------


class _Values:
    """What second changes of values are made of, in the row where their flat part is largest.

    Attributes:
        row: That row.
        along: The direction.
        network: "finite" or "ideal".
        most: The flat part there, in size.
        parts: Flat parts of all rows over it, with the sign of the form.
        on: Which units that are on at one are on there.
        made: What they have of their value at one.
        slope: The slope of the MLP there over the steepest.
        along_row: M along the unit vector of the row's move.
        inputs: M_data.
        biases: Gamma.
        written: F_d.
        read: F along V2.
        length: |V2|.
        data: V2_data.
    """

    def __init__(self, row: Row) -> None:
        of = row.along
        self.row, self.along, self.network = row, of, of.network
        units = functools.partial(of.vector, length=UNITS)
        self.most = of.number(
            "largest flat second change of a value", "P", lambda d: _at_top(d, d.flat_values)[:, 0].abs()
        )
        self.parts = of.vector("flat second changes of values over the largest", r"\eta", T + 1, _parts, _SIGNED)
        self.on = units("units that are on in the largest row", "o", entries=_UNIT, of=lambda d: _unit(d, d.rows.on))
        self.made = units("units of the largest row over those at one", "q", entries=_UNIT, of=_made)
        self.slope = of.vector("slope of the largest row over the steepest", "k", 1, _slope, _SIGNED)
        self.along_row = units("M along the move of the largest row", "M_e", of=_along_row)
        self.inputs = units("M's direction", "M_d", of=lambda d: d.along.M[:, -1])
        self.biases = units("Gamma's direction", r"\Gamma", of=lambda d: d.along.Gamma)
        self.written = units("F's direction into the data", "F_d", of=lambda d: _sign(d) * d.along.F[..., -1])
        self.read = units("F along V2's direction", "F_v", of=_read)
        self.length = of.number("length of V2's direction", "v", lambda d: d.along.V2.norm(dim=-1))
        self.data = of.vector("V2's direction at the data", "V_d", 1, lambda d: _sign(d) * d.along.V2[:, -1:])


def _at_top(d: Direction, numbers: Tensor) -> Tensor:
    return numbers.take_along_dim(d.largest, -1)


def _unit(d: Direction, units: Tensor) -> Tensor:
    return units.take_along_dim(d.largest[..., None], 1)[:, 0]


def _sign(d: Direction) -> Tensor:
    return _at_top(d, d.flat_values).sign()


def _form(d: Direction) -> Tensor:
    """The sign of the form, shape (B, 1)."""
    whole = d.flat_values + d.rows.total[:, None] * d.rows.slope * d.bent
    return (d.rows.a * whole).sum(-1, keepdim=True).sign()


def _parts(d: Direction) -> Tensor:
    return (_form(d) * share(d.flat_values, _at_top(d, d.flat_values).abs())).where(d.rows.a > 0, 0.0)


def _made(d: Direction) -> Tensor:
    return share(_unit(d, d.rows.hidden), torch.where(d.rows.units.real, (1 + d.rows.units.bias).relu(), 0.0))


def _slope(d: Direction) -> Tensor:
    return _at_top(d, d.rows.slope) / d.rows.units.output.amax(-1, keepdim=True)


def _along_row(d: Direction) -> Tensor:
    return _sign(d) * (d.along_largest[:, None] @ d.along.M)[:, 0]


def _read(d: Direction) -> Tensor:
    return _sign(d) * (d.along.F @ share(*parted(d.along.V2))[..., None])[..., 0]


class _Bends:
    """The row that no component uses whose average of bits changes most in second order.

    Attributes:
        row: That row.
        most: By how much.
        others: Those of the others over it, with the sign of the form.
        keys: By how much its logits of layer 1 change, from the least to the most.
        values: The same of what V1 reads.
        turned: Where each key's change lies between the two.
        level: The same of what V1 reads.
        key_entries: What the most and the least are made of.
        value_entries: The same of what V1 reads.
        key_bits: Bits of the two keys.
        value_bits: Those of the other two.
    """

    def __init__(self, row: Row) -> None:
        of = row.along
        self.row, self.along, self.network = row, of, of.network
        self.most = of.number("largest second change of an average of bits", r"\mu",
                              lambda d: d.bent.take_along_dim(d.most_bent, -1)[:, 0].abs())  # fmt: skip
        self.others = of.vector("second changes of averages over the largest", r"\zeta", T + 1, _others, _SIGNED)
        self.keys = of.number("reach of changes of a row's logits in layer 1", "r", lambda d: _reach(_scores(d)))
        self.values = of.number("reach of changes of what V1 reads", "S", lambda d: _reach(_reads(d)))
        self.turned = of.vector("part of their range that a row's logits in layer 1 have made", r"\kappa", T + 1,
                                lambda d: levels(_scores(d), _all(d)), _UNIT)  # fmt: skip
        self.level = of.vector("part of its range that what V1 reads has made", "y", T + 1,
                               lambda d: levels(_reads(d), _all(d)), _UNIT)  # fmt: skip
        self.key_entries = of.vector("entries of W1 x", "k", 3, lambda d: _entries(d, _row_keys(d), _scores(d)))
        self.value_entries = of.vector("entries of V1 at the data", r"\nu", 3,
                                       lambda d: _entries(d, d.along.V1[..., -1], _reads(d)))  # fmt: skip
        bits = functools.partial(of.vector, length=2, entries=_UNIT)
        self.key_bits = bits("bits of two keys", "z", of=lambda d: _bits(d, _scores(d)))
        self.value_bits = bits("bits of two values", "z", of=lambda d: _bits(d, _reads(d)))


def _all(d: Direction) -> Tensor:
    return torch.ones_like(d.rows.z, dtype=torch.bool)


def _row_keys(d: Direction) -> Tensor:
    return (d.along.W1 @ d.tokens.take_along_dim(d.most_bent[..., None], 1).mT)[..., 0]


def _scores(d: Direction) -> Tensor:
    return d.scores.take_along_dim(d.most_bent[..., None], 1)[:, 0]


def _reads(d: Direction) -> Tensor:
    return (d.tokens @ d.along.V1[..., -1:])[..., 0]


def _reach(numbers: Tensor) -> Tensor:
    return numbers.amax(-1) - numbers.amin(-1)


def _entries(d: Direction, column: Tensor, numbers: Tensor) -> Tensor:
    """A column's entries by the two keys and by bits; of one key alone none, shape (B, 3)."""
    ends = extremes(numbers, _all(d))
    return torch.cat([column.take_along_dim(ends, -1), column[:, -1:]], -1) * differ(ends)


def _bits(d: Direction, numbers: Tensor) -> Tensor:
    return d.rows.z.take_along_dim(extremes(numbers, _all(d)), -1)


def _others(d: Direction) -> Tensor:
    signed = _form(d) * d.rows.slope.sign() * d.bent
    return share(signed, d.bent.take_along_dim(d.most_bent, -1).abs()).where(d.idle, 0.0)


FOUND = {which: _Values(row) for which, row in VALUES.items()}
BENDS = {which: _Bends(row) for which, row in BENT.items()}

# --- what is assumed ------------------------------------------------------------------------------

_axiom = functools.partial(claim, role="axiom", relation="=", domain=ANY, expected="supported")
_lemma = functools.partial(claim, domain=ANY, expected="proved")


def _cases(case: Callable[[str, Any], Case], among: Mapping[str, Any] = FOUND) -> tuple[Case, ...]:
    return tuple(case(which, found) for which, found in among.items())


def _shift(found: _Values) -> Callable[[sp.Symbol], sp.Expr]:
    """S M_data + Gamma, unit by unit."""
    return lambda j: found.biases[j] + found.row.seen * found.inputs[j]


def _by_m(found: _Values) -> sp.Expr:
    return units_total(WEIGHTS[found.network][j] * found.on[j] * found.along_row[j])


def _by_f(found: _Values) -> sp.Expr:
    return units_total(AT_ONE[found.network][j] * (found.row.data[1] * found.on[j]) * found.written[j])


def _by_both(found: _Values) -> sp.Expr:
    return units_total(_shift(found)(j) * (AT_ONE[found.network][j] * found.on[j]) * found.written[j])


def _by_shift(found: _Values) -> sp.Expr:
    return units_total(WEIGHTS[found.network][j] * found.on[j] * _shift(found)(j))


def _by_read(found: _Values) -> sp.Expr:
    return units_total(TOP[found.network][j] * found.made[j] * found.read[j])


def _sloped(found: _Values) -> sp.Expr:
    """V2_data m over |m| times how steep the MLP is."""
    return (found.slope[1] * found.row.data[1]) * found.data[1]


def _pairs(found: _Values) -> sp.Expr:
    """What W1, V1 and V2 make with M, Gamma and F."""
    moved = found.row.length.atom * (_by_m(found) + _by_f(found))
    return SUM * moved + (found.data[1] * _by_shift(found) + found.length.atom * _by_read(found))


def _flat(found: _Values) -> sp.Expr:
    return 2 * (_pairs(found) + SUM * _by_both(found) + SLOPE * (_sloped(found) * found.row.length.atom))


def _third(found: _Bends) -> sp.Expr:
    a, z, q = found.row.attention, BITS[found.network], found.turned
    return total(a[t] * (z[t] - total(a[t] * z[t])) * (q[t] - total(a[t] * q[t])) ** 2)


def _bent(found: _Bends) -> sp.Expr:
    r, s = found.keys.atom, found.values.atom
    return r**2 * _third(found) + 2 * (r * s) * _bend_covariance(found)


def _bend_covariance(found: _Bends) -> sp.Expr:
    a, q = found.row.attention, found.turned
    return total(a[t] * found.level[t] * (q[t] - total(a[t] * q[t])))


def _three(entries: Family, bits: Family) -> sp.Expr:
    return entries[1] - entries[2] + (bits[1] - bits[2]) * entries[3]


def _squares(entries: Family) -> sp.Expr:
    return sp.Add(*(entries[n] ** 2 for n in (1, 2, 3)))


def _whole(which: str, found: _Values) -> sp.Expr:
    n = found.network
    flat = found.most.atom * total(ATTENTION[n][t] * found.parts[t])
    if which == "ideal":
        return flat
    others = total(ATTENTION[n][t] * (IDLE[n][t] * BENDS[which].others[t]))
    return flat + BENDS[which].most.atom * (SLOPE * SUM) * (SLOPES[n][T + 1] * others)


form = _axiom(
    label=f"{_LABEL}.form",
    statement="The operator norm of the part E v'' is what its form is along the direction in which it is largest: "
    "Σ a v'' with v'' = P η, its flat part, and on unused rows C g' s'' besides; components rest on plateaus.",
    cases=_cases(lambda which, found: Case(which, left=NORM[which], right=lambda: _whole(which, found))),
)
flat = _axiom(
    label=f"{_LABEL}.flat",
    statement="Along that direction the flat part of a value's second change is, with r the move of what the row reads "
    "and h' = on (r_data + s M_data + Gamma), C (2 (φ on)·M r + 2 h'·F_d) + 2 (φ·h') V2_data + 2 h·F V2: the chain "
    "rule.",
    cases=_cases(lambda which, found: Case(which, left=found.most, right=lambda: _flat(found))),
)
bend = _axiom(
    label=f"{_LABEL}.bend",
    statement="The second change of a row's average of bits is Σ A (z - s)(q - Σ A q)² + 2 Cov_A(xᵀ V1_data, q), q the "
    "changes of its logits in layer 1: a softmax's second derivative.",
    cases=_cases(lambda which, found: Case(which, left=found.most, right=lambda: sp.Abs(_bent(found))), BENDS),
)
ends = _axiom(
    label=f"{_LABEL}.ends",
    statement="Two keys, positions and bits x and x', differ by (x - x')ᵀ k in what a column k makes of them.",
    cases=tuple(
        Case(f"{name}-{which}", left=getattr(found, name),
             right=lambda e=f"{name[:-1]}_entries", b=f"{name[:-1]}_bits", found=found: _three(
                 getattr(found, e), getattr(found, b)))
        for which, found in BENDS.items() for name in ("keys", "values")
    ),
)  # fmt: skip


def _shares(which: str, found: _Values) -> dict[str, tuple[sp.Expr, sp.Expr]]:
    """Squared lengths of parts, and of the blocks that they are parts of."""
    m, f = found.along.share("M").atom, found.along.share("F").atom
    parts = {
        "M r": (units_total(found.along_row[j] ** 2), m), "M_data": (units_total(found.inputs[j] ** 2), m),
        "F_d": (units_total(found.written[j] ** 2), f), "F V2": (units_total(found.read[j] ** 2), f),
        "V2_data": (found.data[1] ** 2, found.length.atom**2),
    }  # fmt: skip
    if which == "ideal":
        return parts
    bent = BENDS[which]
    return parts | {
        "W1 x": (_squares(bent.key_entries), 2 * found.along.share("W1").atom),
        "V1_data": (_squares(bent.value_entries), found.along.share("V1").atom),
    }


_SHARES = {which: _shares(which, found) for which, found in FOUND.items()}
_NAMES = {"M r": "M-r", "M_data": "M", "F_d": "F", "F V2": "F-V2", "V2_data": "V2", "W1 x": "W1", "V1_data": "V1"}


def _share(which: str, name: str) -> str:
    return f"{_LABEL}.shares[{_NAMES[name]}-{which}]"


shares = _axiom(
    label=f"{_LABEL}.shares",
    statement="What a matrix makes of a vector of length at most one has at most the matrix' squared length, and of a "
    "position and a bit at most twice it: Cauchy-Schwarz, row by row.",
    relation="<=",
    cases=tuple(
        Case(f"{_NAMES[name]}-{which}", left=lambda pair=pair: pair[0], right=lambda pair=pair: pair[1])
        for which, found in _SHARES.items() for name, pair in found.items()
    ),
)  # fmt: skip


def _before(found: _Values) -> sp.Expr:
    """The squared length of W1, V1 and V2."""
    return found.row.moving + found.length.atom**2


def _gamma(found: _Values) -> sp.Expr:
    return units_total(found.biases[j] ** 2)


def _into(found: _Values) -> sp.Expr:
    """That of M and Gamma."""
    return found.along.share("M").atom + _gamma(found)


def _behind(found: _Values) -> sp.Expr:
    """That of M, Gamma and F."""
    return _into(found) + found.along.share("F").atom


unit = _axiom(
    label=f"{_LABEL}.unit",
    statement="The squared lengths of the blocks of a direction of unit length add up to at most one.",
    relation="<=",
    right=1,
    cases=_cases(lambda which, found: Case(which, left=lambda: _before(found) + _behind(found))),
)

# --- by lengths -------------------------------------------------------------------------------------


def _sums(which: str, found: _Values) -> dict[str, UnitsSum]:
    n = found.network
    gates, counted, tops = (f"{_SHARED}.closed.{name}[{n}]" for name in ("gates", "counted", "tops"))
    f, m = found.along.share("F").atom, found.along.share("M").atom
    shift = 2 * _into(found), f"{_LABEL}.shift[{which}]"
    at = found.on.__getitem__
    return {
        "by-m": UnitsSum("(φ on)·M r", WEIGHTS[n].__getitem__, at, found.along_row.__getitem__, (GATES, gates),
                     (m, _share(which, "M r"))),
        "by-f": UnitsSum("on·F_d", AT_ONE[n].__getitem__, lambda j: found.row.data[1] * found.on[j],
                     found.written.__getitem__, (COUNT, counted), (f, _share(which, "F_d"))),
        "by-both": UnitsSum("on (s M + Gamma)·F_d", _shift(found), lambda j: AT_ONE[n][j] * found.on[j],
                        found.written.__getitem__, shift, (f, _share(which, "F_d"))),
        "by-shift": UnitsSum("(φ on)·(s M + Gamma)", WEIGHTS[n].__getitem__, at, _shift(found), (GATES, gates), shift),
        "by-read": UnitsSum("h·F V2", TOP[n].__getitem__, found.made.__getitem__, found.read.__getitem__,
                        (LENGTH, tops), (f, _share(which, "F V2"))),
    }  # fmt: skip


def _shifted(which: str, found: _Values) -> Case:
    return stated(
        f"{_LABEL}.shift", which,
        Step(units_total(_shift(found)(j) ** 2), "|s M + Gamma|²"),
        Step(2 * (units_total(found.inputs[j] ** 2) + _gamma(found)), "2 (|M_data|² + |Gamma|²)", "s ≤ 1", Instance(
            f"{_VECTORS}.entry", {"a_ve": found.biases[j], "b_ve": found.inputs[j], "g_ve": found.row.seen},
            over=(j, 1, UNITS),
        )),
        Step(2 * _into(found), "2 (|M|² + |Gamma|²)", "", _share(which, "M_data")),
    )  # fmt: skip


shift = _lemma(
    label=f"{_LABEL}.shift",
    statement="|s M_data + Gamma|² is at most 2 (|M|² + |Gamma|²).",
    cases=_cases(_shifted),
)


def _summed(name: str, which: str, found: _Values) -> Case:
    return by_units(f"{_LABEL}.{name}", which, _sums(which, found)[name])


sums = tuple(
    _lemma(
        label=f"{_LABEL}.{name}",
        statement=f"{found.told} is in squares at most what its factors' squares add up to.",
        cases=_cases(functools.partial(_summed, name)),
    )
    for name, found in _sums("finite", FOUND["finite"]).items()
)


def _moving(which: str, found: _Values) -> Case:
    m, f, e = found.along.share("M").atom, found.along.share("F").atom, found.row.length.atom
    inner, size = _by_m(found) + _by_f(found), GATES + COUNT
    return stated(
        f"{_LABEL}.moving", which,
        Step((e * inner) ** 2, "by W1 and V1"),
        Step(e**2 * (size * (m + f)), "M and F", "by units", (
            f"{_LABEL}.by-m[{which}]", f"{_LABEL}.by-f[{which}]", both(_by_m(found), GATES, m, _by_f(found), COUNT, f),
            scaled(e**2, inner**2, size * (m + f)),
        )),
        Step((TOKEN_BOUND * found.row.moving) * (size * (m + f)), "Z²", "", (
            f"{_SHARED}.moved[{found.row.name}]", scaled(size * (m + f), e**2, TOKEN_BOUND * found.row.moving),
        )),
        Step(TOKEN_BOUND * size * (found.row.moving * _behind(found)), "with Gamma", ""),
    )  # fmt: skip


def _reading(which: str, found: _Values) -> Case:
    v, into, f = found.length.atom, _into(found), found.along.share("F").atom
    data, read = found.data[1] * _by_shift(found), v * _by_read(found)
    return stated(
        f"{_LABEL}.reading", which,
        Step((data + read) ** 2, "by V2"),
        Step((2 * GATES * v**2 + LENGTH * v**2) * (into + f), "by lengths", "", (
            f"{_LABEL}.by-shift[{which}]", f"{_LABEL}.by-read[{which}]", _share(which, "V2_data"),
            scaled(_by_shift(found) ** 2, found.data[1] ** 2, v**2),
            scaled(v**2, _by_shift(found) ** 2, GATES * (2 * into)),
            scaled(v**2, _by_read(found) ** 2, LENGTH * f),
            both(data, 2 * GATES * v**2, into, read, LENGTH * v**2, f),
        )),
        Step((2 * GATES + LENGTH) * (v**2 * _behind(found)), "by lengths", ""),
    )  # fmt: skip


_SQUARED = SUM**2 * TOKEN_BOUND * (GATES + COUNT) + 2 * GATES + LENGTH


def _paired(which: str, found: _Values) -> Case:
    e, behind, v = found.row.length.atom, _behind(found), found.length.atom
    moved = e * (_by_m(found) + _by_f(found))
    read = found.data[1] * _by_shift(found) + v * _by_read(found)
    return stated(
        f"{_LABEL}.paired", which,
        Step(_pairs(found) ** 2, "pairs"),
        Step(_SQUARED * (_before(found) * behind), "a matrix of norms", "Cauchy-Schwarz", (
            f"{_LABEL}.moving[{which}]", f"{_LABEL}.reading[{which}]",
            both(moved, TOKEN_BOUND * (GATES + COUNT), found.row.moving * behind, read, 2 * GATES + LENGTH,
                 v**2 * behind, SUM),
        )),
    )  # fmt: skip


moving, reading, paired = (
    _lemma(label=f"{_LABEL}.{name}", statement=told, cases=_cases(case))
    for name, told, case in (
        ("moving", "What W1 and V1 make with M and F is in squares at most Z² (A + 4D+2) times the product of squared "
         "lengths.", _moving),
        ("reading", "What V2 makes with M, Gamma and F is in squares at most 2A + L² times the product of squared "
         "lengths.", _reading),
        ("paired", "What W1, V1 and V2 make with M, Gamma and F is in squares at most C²Z²(A + 4D+2) + 2A + L² times "
         "the product of their squared lengths.", _paired),
    )
)  # fmt: skip
_LARGEST = sp.sqrt(_SQUARED) + sp.sqrt(2) * SUM + sp.sqrt(TOKEN_BOUND) * SLOPE


def _halves(name: str, told: str, which: str, a: sp.Expr, p: sp.Expr, e: sp.Expr, f: sp.Expr, *uses: Any) -> Case:
    return stated(
        f"{_LABEL}.{name}", which, Step(2 * a, told),
        Step(sp.sqrt(p), "two shares of a unit direction", "2 √(e f) ≤ 1",
             (f"{unit.label}[{which}]", *uses, half(a, p, e, f))),
    )  # fmt: skip


def _root(which: str, found: _Values) -> Case:
    return _halves("root", "2 pairs", which, _pairs(found), _SQUARED, _before(found), _behind(found),
                   f"{_LABEL}.paired[{which}]")  # fmt: skip


def _written(which: str, found: _Values) -> Case:
    return _halves("written", "2 on (s M + Gamma)·F_d", which, _by_both(found), sp.Integer(2), _into(found),
                   found.along.share("F").atom, f"{_LABEL}.by-both[{which}]")  # fmt: skip


def _flanked(which: str, found: _Values) -> Case:
    v, e = found.length.atom, found.row.length.atom
    return _halves(
        "flanked", "2 |m| |V2|", which, v * e, TOKEN_BOUND, found.row.moving, v**2,
        f"{_SHARED}.moved[{found.row.name}]", scaled(v**2, e**2, TOKEN_BOUND * found.row.moving),
    )  # fmt: skip


root, written, flanked = (
    _lemma(label=f"{_LABEL}.{name}", statement=told, cases=_cases(case))
    for name, told, case in (
        ("root", "Twice what W1, V1 and V2 make with M, Gamma and F is at most √(C²Z²(A + 4D+2) + 2A + L²).", _root),
        ("written", "Twice what M and Gamma make with F_d is at most √2.", _written),
        ("flanked", "Twice what W1 and V1 make with V2 is at most Z.", _flanked),
    )
)


def _most(which: str, found: _Values) -> Case:
    a, e, v = _sloped(found), found.row.length.atom, found.length.atom
    return stated(
        f"{_LABEL}.most", which,
        Step(found.most.atom, "P"),
        Step(_flat(found), "part by part", "chain rule", f"{flat.label}[{which}]"),
        Step(sp.sqrt(_SQUARED) + SUM * (2 * _by_both(found)) + SLOPE * (2 * (v * e)), "pairs", "", (
            f"{_LABEL}.root[{which}]", _share(which, "V2_data"),
            Instance(f"{_VECTORS}.shrunk", {
                "c_ve": found.slope[1] * found.row.data[1], "a_ve": found.data[1], "p_ve": v**2,
            }),
            Instance(f"{_VECTORS}.below", {"a_ve": a, "p_ve": v}), scaled(2 * SLOPE * e, a, v),
        )),
        Step(_LARGEST, "the others", "", (
            f"{_LABEL}.written[{which}]", f"{_LABEL}.flanked[{which}]",
            scaled(SUM, 2 * _by_both(found), sp.sqrt(2)), scaled(SLOPE, 2 * (v * e), sp.sqrt(TOKEN_BOUND)),
        )),
    )  # fmt: skip


most = _lemma(
    label=f"{_LABEL}.most",
    statement="The flat part of a value's second change is at most √(C²Z²(A + 4D+2) + 2A + L²) + √2 C + Z λ.",
    cases=_cases(_most),
)

# --- second changes of averages of bits ---------------------------------------------------------------


def _reaching(name: str, entries: str, share: str, size: sp.Expr, which: str, found: _Bends) -> Case:
    reach = getattr(found, name).atom
    e, b = getattr(found, f"{name[:-1]}_entries"), getattr(found, f"{name[:-1]}_bits")
    at = (e[1], e[2], e[3], b[1], b[2])
    return stated(
        f"{_LABEL}.reach.{name}", which,
        Step(reach**2, "squared"),
        Step(_three(e, b) ** 2, entries, "written out", (
            f"{ends.label}[{name}-{which}]",
            Instance("sharpness.averages.squared", {"e_av": reach, "x_av": _three(e, b)}),
        )),
        Step(3 * _squares(e), "three entries", "Cauchy-Schwarz",
             Instance(f"{_VECTORS}.three", dict(zip(("a_ve", "b_ve", "c_ve", "g_ve", "h_ve"), at, strict=True)))),
        Step(size * found.along.share(share[:2]).atom, "by lengths", "", _share(which, share)),
    )  # fmt: skip


reach_of_keys, reach_of_values = (
    _lemma(
        label=f"{_LABEL}.reach.{name}",
        statement=f"Changes of {told} reach in squares over at most {size} |{share[:2]}|².",
        cases=_cases(functools.partial(_reaching, name, entries, share, sp.Integer(size)), BENDS),
    )
    for name, told, entries, share, size in (
        ("keys", "a row's logits in layer 1", "(x - x')ᵀ W1 x_t", "W1 x", 6),
        ("values", "what V1 reads of a key", "(x - x')ᵀ V1_data", "V1_data", 3),
    )
)


def _bending(which: str, found: _Bends) -> Case:
    r, s, w1, v1 = (
        *(reach.atom for reach in (found.keys, found.values)),
        *(found.along.share(b).atom for b in ("W1", "V1")),
    )
    of = {"n_av": T + 1, "a_av": found.row.attention}
    third, covariance = _third(found), _bend_covariance(found)
    return stated(
        f"{_LABEL}.bends", which,
        Step(found.most.atom, "μ"),
        Step(sp.Abs(_bent(found)), "a softmax", "second derivative", f"{bend.label}[{which}]"),
        Step(r**2 * THIRD + r * s / 2, "moments of numbers from 0 to 1", "", (
            f"{_SHARED}.attention[{found.row.name}]",
            Instance("sharpness.hessian.moments.third", {**of, "g_av": BITS[found.network], "q_hl": found.turned}),
            Instance(f"{_VECTORS}.covaried", {**of, "g_av": found.level, "q_av": found.turned}),
            Instance(f"{_VECTORS}.turned", {
                "p_ve": THIRD, "e_ve": r**2, "f_ve": r * s, "a_ve": third, "b_ve": covariance,
            }),
        )),
        Step(_BEND, "by lengths", "at unit length", (
            f"{_LABEL}.reach.keys[{which}]", f"{_LABEL}.reach.values[{which}]", f"{_LABEL}.blocks[{which}]",
            product(r, sp.Integer(6), w1, s, sp.Integer(3), v1), half(r * s, sp.Integer(18), w1, v1),
        )),
    )  # fmt: skip


def _blocks(which: str, found: _Bends) -> Case:
    moved, rest = FOUND[which], found.along.share("W1").atom + found.along.share("V1").atom
    return stated(
        f"{_LABEL}.blocks", which, Step(rest, "|W1|² + |V1|²"),
        Step(sp.S.One, "at unit length", "a part", f"{unit.label}[{moved.along.which}]"),
    )  # fmt: skip


blocks = _lemma(
    label=f"{_LABEL}.blocks",
    statement="|W1|² + |V1|² of a unit direction is at most one.",
    cases=_cases(_blocks, BENDS),
)
_BEND = 1 / sp.sqrt(3) + 3 * sp.sqrt(2) / 4
bends = _lemma(
    label=f"{_LABEL}.bends",
    statement="The second change of an average of bits is at most 1/√3 + 3√2/4: a third moment and a covariance.",
    cases=_cases(_bending, BENDS),
)

# --- the norm -------------------------------------------------------------------------------------------


def _sloping(which: str, found: _Bends) -> Case:
    n = found.network
    others, mass, slope = total(ATTENTION[n][t] * (IDLE[n][t] * found.others[t])), idle_mass(n), SLOPES[n][T + 1]
    return stated(
        f"{_LABEL}.sloping", which,
        Step(SUM * (slope * others), "C k Σ a ι ζ"),
        Step(SUM * (slope * mass), "C k Σ a ι", "ζ ≤ 1", (
            Instance(f"{_VECTORS}.upto", {
                "n_av": T + 1, "a_av": lambda t: ATTENTION[n][t] * IDLE[n][t], "g_av": found.others,
            }),
            scaled(SUM * slope, others, mass),
        )),
        Step(SUM * mass, "C Σ a ι", "k ≤ 1", (
            Instance("sharpness.averages.part", {"m_av": slope, "e_av": mass}), scaled(SUM, slope * mass, mass),
        )),
        Step(1 / T, "1/T", "the leak", f"{_SHARED}.leak"),
    )  # fmt: skip


sloping = _lemma(
    label=f"{_LABEL}.sloping",
    statement="C times the average under attention of what lies between -1 and 1 on unused rows, times their slope "
    "over the steepest, is at most 1/T.",
    cases=_cases(_sloping, BENDS),
)


def steps(which: str) -> tuple[Step, ...]:
    """From the norm to its bound.

    Args:
        which: One of `NETWORKS`.

    Returns:
        The steps of a chain.
    """
    found, n = FOUND[which], FOUND[which].network
    most, whole = found.most.atom, _whole(which, found)
    parts = total(ATTENTION[n][t] * found.parts[t])
    averaged = (
        f"{_ROWS_OF}.weights[{n}]",
        Instance(f"{_VECTORS}.upto", {"n_av": T + 1, "a_av": ATTENTION[n], "g_av": found.parts}),
        scaled(most, parts, sp.S.One),
    )
    begun = (
        Step(NORM[which], "‖E v''‖"),
        Step(whole, "along its leading direction", "an operator norm is attained", f"{form.label}[{which}]"),
    )
    end = _LARGEST + _BEND * SLOPE / T
    if which == "ideal":
        return (*begun, Step(most, "P", "an average", averaged), Step(end, "by lengths", "", f"{_LABEL}.most[{which}]"))
    mu = BENDS[which].most.atom
    idle = total(ATTENTION[n][t] * (IDLE[n][t] * BENDS[which].others[t]))
    sloped = SUM * (SLOPES[n][T + 1] * idle)
    return (
        *begun,
        Step(most + mu * SLOPE * sloped, "P and unused rows", "an average", averaged),
        Step(most + mu * SLOPE / T, "with the leak", "", (
            f"{_LABEL}.sloping[{which}]", scaled(mu * SLOPE, sloped, 1 / T),
        )),
        Step(end, "by lengths", "", (
            f"{_LABEL}.most[{which}]", f"{_LABEL}.bends[{which}]", scaled(SLOPE / T, mu, _BEND),
        )),
    )  # fmt: skip
