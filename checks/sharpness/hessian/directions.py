"""Theorem 18: the unit direction in which a part of the Hessian is largest, as vectors that proofs speak of."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.rows import KEYS_SQUARED, LAST, OUTPUTS, RISE, TOP, units_total
from boundaudit.checks.sharpness.gradients.shared import by_rows, numbered
from boundaudit.checks.sharpness.hessian.families import NETWORKS
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, both, lemma, stated, weighted
from boundaudit.checks.sharpness.hessian.shared import SCALES
from boundaudit.checks.sharpness.targets import by_trapezoid, trapezoid
from boundaudit.derivations.sharpness import hessian_parts as theorem
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.hessian_parts import Sizes
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, j
from boundaudit.numeric.sharpness.hessian_directions import Direction, direction, extremes, levels
from boundaudit.numeric.sharpness.mlp import Trapezoid

_ROWS = T + 1
_UNIT = Reals(0, 1)

# --- measured -------------------------------------------------------------------------------------


def scale_of(which: str) -> str:
    """The network whose rows these are: "finite" or "ideal"."""
    return "ideal" if which == "ideal" else "finite"


@functools.lru_cache(maxsize=512)
def _direction(points: tuple[tuple[tuple[str, Any], ...], ...], device: str, part: str, which: str) -> Direction:
    at = Columns([dict(point) for point in points], device)
    batch, bits = numbered(at)
    return direction(
        part, batch, bits.double(), mlp=trapezoid(at), scale=SCALES[scale_of(which)], one_column=which == "one-column"
    )


def _at(at: Columns, part: str, which: str) -> Direction:
    return _direction(tuple(tuple(point.items()) for point in at.points), at.device, part, which)


@functools.cache
def _lengths(along: tuple[Any, ...], size: int, degree: int) -> tuple[int, ...]:
    """How long a vector or matrix is at T and D."""
    return tuple(int(sp.sympify(end, strict=True).subs({T: size, D: degree})) for end in along)


class Moves:
    """What the leading direction of one part does in one network; each attribute names itself."""

    def __init__(self, part: str, which: str) -> None:
        self.part, self.which, self.network = part, which, scale_of(which)
        self.reach = self.number("reach of the logits' changes", r"r", lambda d: d.at_ends[:, 0] - d.at_ends[:, 1])
        self.share = self.vector("part of their range that logits' changes have made", "q", _ROWS,
                                 lambda d: d.part_of_range, _UNIT)  # fmt: skip
        self.risen = self.vector("part of its rise that a unit of two rows has made", "z", (2, UNITS),
                                 lambda d: risen_at(d, d.ends), _UNIT)  # fmt: skip
        self.outputs = self.vector("outputs of two rows", "g", 2, lambda d: d.rows.g.take_along_dim(d.ends, -1), _UNIT)
        self.levels = self.vector("levels of the logits of two rows", "y", 2, _levels, _UNIT)
        self.keys = self.vector("F's direction along the keys", "F_w", UNITS, lambda d: d.keys)
        self.query = self.vector("F's direction into the query", "F_o", UNITS, lambda d: d.query)
        self.entries = self.vector("entries of W2's direction", "w", 6, lambda d: d.entries)

    @property
    def name(self) -> str:
        """Of its case."""
        return f"{self.part}-{self.which}"

    def number(self, name: str, latex: str, of: Callable[[Direction], Tensor]) -> Quantity:
        """A number of at least 0 of the direction."""

        def measure(at: Columns, mlp: Trapezoid) -> Tensor:
            return of(_at(at, self.part, self.which))

        return Quantity(f"{name}, {self.part}, {self.which} network", by_trapezoid(measure, "T", "D"), latex,
                        rounding=1e-9, scale=1.0, nonnegative=True)  # fmt: skip

    def vector(
        self, name: str, latex: str, length: Any, of: Callable[[Direction], Tensor], entries: Reals | None = None
    ) -> Family:
        """A vector or matrix of the direction."""
        along = length if isinstance(length, tuple) else (length,)

        def measure(points: Sequence[Point], device: str) -> Array:
            shapes = [(point["u"], point["T"], point["D"]) for point in points]
            counts = [_lengths(along, size, degree) for _, size, degree in shapes]
            found = np.zeros((len(points), *map(max, zip(*counts, strict=True))))
            for shape in set(shapes):
                chosen = [n for n, other in enumerate(shapes) if other == shape]
                values = of(_at(Columns([points[n] for n in chosen], device), self.part, self.which))
                found[(chosen, *map(slice, counts[chosen[0]]))] = values.cpu().numpy()  # type: ignore[index]
            return found

        return Family(f"{name}, {self.part}, {self.which} network", measure, latex, length, entries or Reals())


def risen_at(d: Direction, ends: Tensor) -> Tensor:
    """The parts of their rises from zero to one that hidden units of some rows have made, shape (B, k, H)."""
    low, high = (at + d.rows.units.bias for at in (0, 1))
    rise = (high.relu() - low.relu())[:, None]
    made = d.rows.hidden.take_along_dim(ends[..., None], 1) - low.relu()[:, None]
    return (made / rise.where(rise > 0, 1.0)).where(d.rows.units.real[:, None], 0.0)


def _levels(d: Direction) -> Tensor:
    return levels(d.rows.logits, d.rows.a > 0).take_along_dim(d.ends, -1)


SKEW = {which: Moves("skew", which) for which in NETWORKS}
COVARIANCE = {which: Moves("covariance", which) for which in NETWORKS}
VALUES = {which: Moves("values", which) for which in NETWORKS}
LOGITS = {which: Moves("logits", which) for which in NETWORKS}
MOVES = (*SKEW.values(), *COVARIANCE.values())
RANGE = {
    n: by_rows("range of layer 2's logits", n, lambda r: _range(r.logits, r.a > 0), r"\rho", nonnegative=True)
    for n in SCALES
}


def _range(logits: Tensor, counts: Tensor) -> Tensor:
    most, least = logits.take_along_dim(extremes(logits, counts), -1).unbind(-1)
    return most - least


def own_sizes(which: str) -> Sizes:
    """The target's own C, |w2|² and range of logits."""
    known = {theorem.total_h: SUM, theorem.keys_h: KEYS, theorem.range_h: RANGE[scale_of(which)].atom}
    return known | theorem.NO_LOGITS if which == "one-column" else known


def own_bound(part: str, which: str) -> sp.Expr:
    """The bound on a part by these."""
    return theorem.put(theorem.PARTS[part], own_sizes(which))


# --- what logits change by ------------------------------------------------------------------------


def by_keys(of: Moves) -> sp.Expr:
    """(h - h')·F_w, of the two rows."""
    risen = of.risen
    return units_total(RISE[of.network][j] * (risen[1, j] - risen[2, j]) * of.keys[j])


def by_query(of: Moves) -> sp.Expr:
    """h_o·F_o."""
    return units_total(TOP[of.network][j] * LAST[of.network][j] * of.query[j])


def by_entries(of: Moves) -> sp.Expr:
    """(x - x')ᵀ W2 x_o."""
    last, w, g = OUTPUTS[of.network][T + 1], of.entries, of.outputs
    return (w[1] + last * w[2]) - (w[3] + last * w[4]) + (g[1] - g[2]) * (w[5] + last * w[6])


def through_f(of: Moves) -> sp.Expr:
    """What the logits' changes owe to F."""
    if of.which == "one-column":
        return sp.S.Zero
    level = of.levels[1] - of.levels[2]
    return sp.sqrt(KEYS_SQUARED[of.network].atom) * by_keys(of) + RANGE[of.network].atom * level * by_query(of)


def keys_share(of: Moves) -> sp.Expr:
    """|F_w|²."""
    return units_total(of.keys[j] ** 2)


def query_share(of: Moves) -> sp.Expr:
    """|F_o|²."""
    return units_total(of.query[j] ** 2)


def entries_share(of: Moves) -> sp.Expr:
    """The six squared entries of W2."""
    return sp.Add(*(of.entries[n] ** 2 for n in range(1, 7)))


def rises(of: Moves) -> sp.Expr:
    """|h(1) - h(0)|²."""
    return units_total(RISE[of.network][j] ** 2)


def tops(of: Moves) -> sp.Expr:
    """|h(1)|²."""
    return units_total(TOP[of.network][j] ** 2)


def half(of: Moves) -> sp.Expr:
    """The squared length of what moves logits."""
    f = sp.S.Zero if of.which == "one-column" else keys_share(of) + query_share(of)
    return f + entries_share(of)


def reach_squared(of: Moves) -> sp.Expr:
    """R²: |w2|² |h(1) - h(0)|² + ρ² |h(1)|² + 6, or 6 where F's last column alone counts."""
    if of.which == "one-column":
        return sp.Integer(6)
    return KEYS_SQUARED[of.network].atom * rises(of) + RANGE[of.network].atom ** 2 * tops(of) + 6


_LABEL = "sharpness.hessian.directions"
_TWO = (
    "Along the direction in which a part of the Hessian is largest, between the rows whose logits change most and least"
)


def _cases(case: Callable[[Moves], Case], moves: Sequence[Moves] = MOVES) -> tuple[Case, ...]:
    return tuple(case(of) for of in moves)


logits = axiom(
    label=f"{_LABEL}.logits",
    statement=f"{_TWO}, logits of layer 2 change by |w2| (h - h')·F_w + (l - l') h_o·F_o + (x - x')ᵀ W2 x_o apart, h "
    "the hidden units of rows x of the stream, o the output position: the chain rule, written out.",
    cases=_cases(lambda of: Case(of.name, left=of.reach, right=lambda: through_f(of) + by_entries(of))),
)


def _entries(of: Moves) -> Case:
    last, w, g = OUTPUTS[of.network][T + 1], of.entries, of.outputs
    seen = [w[n] + last * w[n + 1] for n in (1, 3, 5)]
    return stated(
        f"{_LABEL}.entries", of.name,
        Step(by_entries(of) ** 2, "((x - x')ᵀ W2 x_o)²"),
        Step(3 * sp.Add(*(part**2 for part in seen)), "|x - x'|² |W2 x_o|²", "Cauchy-Schwarz", Instance(
            f"{VECTORS}.three", dict(zip(("a_ve", "b_ve", "c_ve", "g_ve", "h_ve"), (*seen, g[1], g[2]), strict=True)),
        )),
        Step(6 * entries_share(of), "3 · 2 |W2|²", "|x_o|² ≤ 2", tuple(
            Instance(f"{VECTORS}.entry", {"a_ve": w[n], "b_ve": w[n + 1], "g_ve": last}) for n in (1, 3, 5)
        )),
    )  # fmt: skip


entries = lemma(
    label=f"{_LABEL}.entries",
    statement="((x - x')ᵀ W2 x_o)² is at most six times the squared entries of W2 that enter.",
    cases=_cases(_entries),
)


def _reach(of: Moves) -> Case:
    w, share, moved = by_entries(of), entries_share(of), through_f(of) + by_entries(of)
    known: tuple[str | Instance, ...] = (f"{_LABEL}.entries[{of.name}]",)
    if of.which != "one-column":
        n, risen, level, rho = of.network, of.risen, of.levels[1] - of.levels[2], RANGE[of.network].atom
        known += (
            Instance(f"{VECTORS}.seen", {
                "n_av": UNITS, "x_ve": RISE[n], "q_av": lambda j: risen[1, j] - risen[2, j], "y_ve": of.keys,
            }),
            Instance(f"{VECTORS}.seen", {"n_av": UNITS, "x_ve": TOP[n], "q_av": LAST[n], "y_ve": of.query}),
            Instance(f"{VECTORS}.apart", {"g_ve": of.levels[1], "h_ve": of.levels[2]}),
            weighted(rho**2, level**2, sp.S.One),
            Instance(f"{VECTORS}.bounded", {
                "a_ve": by_keys(of), "p_ve": rises(of), "e_ve": keys_share(of), "b_ve": by_query(of), "q_ve": tops(of),
                "f_ve": query_share(of), "s_ve": sp.sqrt(KEYS_SQUARED[n].atom), "g_ve": KEYS_SQUARED[n].atom,
                "t_ve": rho * level, "h_ve": rho**2,
            }),
            both(through_f(of), reach_squared(of) - 6, half(of) - share, w, sp.Integer(6), share),
        )  # fmt: skip
    return stated(
        f"{_LABEL}.reach", of.name,
        Step(of.reach.atom**2, "r²"),
        Step(moved**2, "by F and W2", "chain rule", (
            f"{_LABEL}.logits[{of.name}]",
            Instance("sharpness.averages.squared", {"e_av": of.reach.atom, "x_av": moved}),
        )),
        Step(reach_squared(of) * half(of), "R²", "part by part, by Cauchy-Schwarz", known),
    )  # fmt: skip


reach = lemma(
    label=f"{_LABEL}.reach",
    statement=f"{_TWO}, these differ in squares by at most R² = |w2|² |h(1) - h(0)|² + ρ² |h(1)|² + 6 "
    "times the squared length of what moves logits, F_w, F_o and W2; by at most 6 where F's last column alone counts.",
    cases=_cases(_reach),
)

unit = axiom(
    label=f"{_LABEL}.unit",
    statement="The squared lengths of F_w and F_o and six squared entries of W2 of a unit direction add up to "
    "at most one: w2 has no entry in channel o.",
    relation="<=",
    right=1,
    cases=_cases(lambda of: Case(of.name, left=lambda: half(of)), tuple(SKEW.values())),
)
