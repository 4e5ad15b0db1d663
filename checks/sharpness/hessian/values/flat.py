"""How the value of one row bends where the MLP is flat, along the direction in which E v'' is largest."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import LIVE, READY, TOP, total, units_total
from boundaudit.checks.sharpness.hessian.directions import VALUES
from boundaudit.checks.sharpness.hessian.families import NETWORKS
from boundaudit.checks.sharpness.hessian.moved_rows import LARGEST, share
from boundaudit.checks.sharpness.hessian.proofs import axiom
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import T, i, j, t
from boundaudit.numeric.sharpness.hessian_values import bends

LABEL = "sharpness.hessian.values"
_LAST = T + 2


class Flat:
    """A row and all that moves it.

    Attributes:
        row: The row.
        bend: How its value bends but for the slope of the MLP.
        inputs: M's direction, by channels and units.
        biases: Gamma's.
        outputs: F's, by units and channels.
        written: V1's into the channels of positions, by channels of tokens and by those.
        read: V2's.
    """

    def __init__(self, which: str) -> None:
        of, self.row = VALUES[which], LARGEST[which]
        self.bend = of.vector("bend of the largest row", "p", 1, lambda d: bends(d).flat.take_along_dim(
            bends(d).largest, -1
        ))[1]  # fmt: skip
        self.inputs = of.vector("M's direction, whole", "M", (_LAST, UNITS), lambda d: d.along.M)
        self.biases = of.vector("Gamma's direction", r"\Gamma", UNITS, lambda d: d.along.Gamma)
        self.outputs = of.vector("F's direction, whole", "F", (UNITS, _LAST), lambda d: d.along.F)
        self.written = of.vector("V1's direction into positions", "V_1", (_LAST, T + 1), lambda d: d.along.V1[..., :-1])
        self.read = of.vector("V2's direction", "V_2", _LAST, lambda d: d.along.V2)

    def gated(self, unit: sp.Symbol) -> sp.Expr:
        """A unit's output weight where it is on."""
        return sp.sqrt(LIVE[self.row.of.network][unit]) * self.row.gates[unit]

    def on(self, unit: sp.Symbol) -> sp.Expr:
        """Whether it is on."""
        return READY[self.row.of.network][unit] * self.row.on[unit]

    def hidden(self, unit: sp.Symbol) -> sp.Expr:
        """What it is."""
        return TOP[self.row.of.network][unit] * self.row.full[unit]

    def argument(self, unit: sp.Symbol) -> sp.Expr:
        """What M and Gamma add to its argument."""
        return self.row.seen * self.inputs[_LAST, unit] + self.biases[unit]

    def token(self, channel: sp.Symbol) -> sp.Expr:
        """What V1 writes into a position's channel of the row."""
        return total(self.row.weight(t) * self.written[t, channel]) + self.row.seen * self.written[_LAST, channel]

    def by_inputs(self, channel: sp.Expr) -> sp.Expr:
        """What M makes of a channel, seen by output weights."""
        return units_total(self.gated(j) * self.inputs[channel, j])

    def by_outputs(self, channel: sp.Expr) -> sp.Expr:
        """What F writes into a channel."""
        return units_total(self.hidden(j) * self.outputs[j, channel])


FLATS = {which: Flat(which) for which in NETWORKS}


def _through_m(of: Flat) -> sp.Expr:
    """(φ on)·M q."""
    return total_channels(of.by_inputs(i) * of.token(i)) + of.by_inputs(_LAST) * of.row.move


def total_channels(body: sp.Expr, last: sp.Expr = T + 1) -> sp.Expr:
    """A sum over channels, those of positions where nothing else is said."""
    return sp.Sum(body, (i, 1, last))


def _through_f(of: Flat) -> sp.Expr:
    """M on·F_d, m the move."""
    return of.row.move * units_total(of.on(j) * of.outputs[j, _LAST])


def _through_both(of: Flat) -> sp.Expr:
    """On (s M_d + Gamma)·F_d."""
    return units_total(of.on(j) * of.argument(j) * of.outputs[j, _LAST])


def _through_read(of: Flat) -> sp.Expr:
    """V2_d (φ on)·(s M_d + Gamma)."""
    return of.read[_LAST] * units_total(of.gated(j) * of.argument(j))


def _through_v2(of: Flat) -> sp.Expr:
    """HᵀF V2."""
    return total_channels(of.by_outputs(i) * of.read[i], _LAST)


def _written(of: Flat) -> sp.Expr:
    return 2 * SUM * (_through_m(of) + _through_f(of) + _through_both(of)) + 2 * (_through_read(of) + _through_v2(of))


def _cases(case: object) -> tuple[Case, ...]:
    return tuple(case(which, of) for which, of in FLATS.items())  # type: ignore[operator]


bend = axiom(
    label=f"{LABEL}.bend",
    statement="Along that direction the value of the row that bends most but for the slope of the MLP bends by "
    "2C ((φ on)·M q + (m + s M_d + Gamma) on·F_d) + 2 ((φ on)·(s M_d + Gamma) V2_d + hᵀF V2): the chain rule.",
    cases=_cases(lambda which, of: Case(which, left=of.bend, right=lambda: _written(of))),
)


def _both_sums(body: sp.Expr, first: sp.Expr = _LAST) -> sp.Expr:
    return sp.Sum(sp.Sum(body, (j, 1, UNITS)), (i, 1, first))


def inputs_share(of: Flat) -> sp.Expr:
    """|M|²."""
    return total_channels(units_total(of.inputs[i, j] ** 2), _LAST)


def biases_share(of: Flat) -> sp.Expr:
    """|Gamma|²."""
    return units_total(of.biases[j] ** 2)


def outputs_share(of: Flat) -> sp.Expr:
    """|F|²."""
    return total_channels(units_total(of.outputs[j, i] ** 2), _LAST)


def read_share(of: Flat) -> sp.Expr:
    """|V2|²."""
    return total_channels(of.read[i] ** 2, _LAST)


def tokens_share(of: Flat) -> sp.Expr:
    """The squared length of what moves the row's average token."""
    written = total_channels(total(of.written[t, i] ** 2) + of.written[_LAST, i] ** 2)
    return share(of.row) + written


unit = axiom(
    label=f"{LABEL}.unit",
    statement="The squared lengths of parts and columns of a direction of unit length add up to at most one.",
    relation="<=",
    right=1,
    cases=_cases(lambda which, of: Case(which, left=lambda: tokens_share(of) + read_share(of) + inputs_share(of)
                                        + biases_share(of) + outputs_share(of))),
)  # fmt: skip
