"""The row where values bend most but for the slope of the MLP, along the direction in which E v'' is largest."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import LIVE, READY, TOP, total, units_total
from boundaudit.checks.sharpness.hessian.directions import VALUES
from boundaudit.checks.sharpness.hessian.families import NETWORKS
from boundaudit.checks.sharpness.hessian.moved_rows import LARGEST, real, share
from boundaudit.checks.sharpness.hessian.proofs import axiom
from boundaudit.derivations.sharpness.attention import SUM, key
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import T, i, j, t
from boundaudit.numeric.sharpness.hessian_values import Bends, bends

LABEL = "sharpness.hessian.values"
LAST = T + 2
"""The channel of the data."""


def live(network: str) -> sp.Expr:
    """Σ φ² of units on at one."""
    return units_total(LIVE[network][j])


def ready(network: str) -> sp.Expr:
    """How many units are on at one."""
    return units_total(READY[network][j])


def top(network: str) -> sp.Expr:
    """|h(1)|²."""
    return units_total(TOP[network][j] ** 2)


def channels(body: sp.Expr) -> sp.Expr:
    """A sum over the channels of positions."""
    return sp.Sum(body, (i, 1, T + 1))


class Flat:
    """A row and all that moves it; each attribute names itself."""

    def __init__(self, which: str) -> None:
        of, self.row = VALUES[which], LARGEST[which]
        self.network = of.network

        def at_row(name: str, latex: str, numbers: Callable[[Bends], Tensor]) -> sp.Expr:
            return real(
                of, f"{name} in the largest row", latex,
                lambda d: numbers(bends(d)).take_along_dim(bends(d).largest, -1),
            )  # fmt: skip

        self.front = at_row("W1 and V1 with M and F", "p_1", lambda found: found.front)
        self.back = at_row("V2 with M, Gamma and F", "p_2", lambda found: found.back)
        self.pair = at_row("M and Gamma with F", "p_3", lambda found: found.written)
        self.inputs = of.vector("M's direction, whole", "M", (LAST, UNITS), lambda d: d.along.M)
        self.biases = of.vector("Gamma's direction", r"\Gamma", UNITS, lambda d: d.along.Gamma)
        self.outputs = of.vector("F's direction, whole", "F", (UNITS, LAST), lambda d: d.along.F)
        self.written = of.vector("V1's direction into positions", "V_1", (LAST, T + 1), lambda d: d.along.V1[..., :-1])
        self.read = of.vector("V2's direction", "V_2", LAST, lambda d: d.along.V2)

    @property
    def bend(self) -> sp.Expr:
        """How its value bends but for the slope of the MLP."""
        return 2 * (SUM * self.front + self.back) + 2 * SUM * self.pair

    def gated(self, unit: sp.Symbol) -> sp.Expr:
        """A unit's output weight where it is on."""
        return sp.sqrt(LIVE[self.network][unit]) * self.row.gates[unit]

    def on(self, unit: sp.Symbol) -> sp.Expr:
        """Whether it is on."""
        return READY[self.network][unit] * self.row.on[unit]

    def hidden(self, unit: sp.Symbol) -> sp.Expr:
        """What it is."""
        return TOP[self.network][unit] * self.row.full[unit]

    def argument(self, unit: sp.Symbol) -> sp.Expr:
        """What M and Gamma add to its argument."""
        return self.row.seen * self.inputs[LAST, unit] + self.biases[unit]

    def token(self, channel: sp.Symbol) -> sp.Expr:
        """What V1 writes into a position's channel of the row."""
        keys = sp.Sum(self.row.weight(key) * self.written[key, channel], (key, 1, T + 1))
        return keys + self.row.seen * self.written[LAST, channel]

    def by_inputs(self, channel: sp.Expr) -> sp.Expr:
        """What M makes of a channel, seen by output weights."""
        return units_total(self.gated(j) * self.inputs[channel, j])

    def by_outputs(self, channel: sp.Expr) -> sp.Expr:
        """What F writes into a channel."""
        return units_total(self.hidden(j) * self.outputs[j, channel])

    # What the chain rule makes of it

    @property
    def m_q(self) -> sp.Expr:
        """(φ on)·M q."""
        return channels(self.by_inputs(i) * self.token(i)) + self.by_inputs(LAST) * self.row.move

    @property
    def on_f(self) -> sp.Expr:
        """On·F_d."""
        return units_total(self.on(j) * self.outputs[j, LAST])

    @property
    def argument_f(self) -> sp.Expr:
        """On (s M_d + Gamma)·F_d."""
        return units_total(self.on(j) * self.argument(j) * self.outputs[j, LAST])

    @property
    def gated_argument(self) -> sp.Expr:
        """(φ on)·(s M_d + Gamma)."""
        return units_total(self.gated(j) * self.argument(j))

    @property
    def f_v2(self) -> sp.Expr:
        """HᵀF V2."""
        return channels(self.by_outputs(i) * self.read[i]) + self.by_outputs(LAST) * self.read[LAST]

    # Squared lengths

    @property
    def token_squares(self) -> sp.Expr:
        """|q|²."""
        return channels(self.token(i) ** 2) + self.row.move**2

    @property
    def argument_squares(self) -> sp.Expr:
        """|s M_d + Gamma|²."""
        return units_total(self.argument(j) ** 2)

    @property
    def columns_share(self) -> sp.Expr:
        """|M_d|² + |Gamma|²."""
        return units_total(self.biases[j] ** 2) + units_total(self.inputs[LAST, j] ** 2)

    @property
    def data_share(self) -> sp.Expr:
        """|F_d|²."""
        return units_total(self.outputs[j, LAST] ** 2)

    @property
    def inputs_share(self) -> sp.Expr:
        """|M|²."""
        return channels(units_total(self.inputs[i, j] ** 2)) + units_total(self.inputs[LAST, j] ** 2)

    @property
    def arguments_share(self) -> sp.Expr:
        """|M|² + |Gamma|²."""
        return self.inputs_share + units_total(self.biases[j] ** 2)

    @property
    def outputs_share(self) -> sp.Expr:
        """|F|²."""
        return channels(units_total(self.outputs[j, i] ** 2)) + self.data_share

    @property
    def behind(self) -> sp.Expr:
        """|M|² + |Gamma|² + |F|²."""
        return self.arguments_share + self.outputs_share

    @property
    def read_share(self) -> sp.Expr:
        """|V2|²."""
        return channels(self.read[i] ** 2) + self.read[LAST] ** 2

    @property
    def written_share(self) -> sp.Expr:
        """Of V1 into the channels of positions."""
        return channels(total(self.written[t, i] ** 2) + self.written[LAST, i] ** 2)

    @property
    def tokens_share(self) -> sp.Expr:
        """Of what moves the row's average token."""
        return share(self.row) + self.written_share


FLATS = {which: Flat(which) for which in NETWORKS}


def cases(case: Callable[[str, Flat], Case]) -> tuple[Case, ...]:
    """A case for each network."""
    return tuple(case(which, of) for which, of in FLATS.items())


_ALONG = "Along that direction, in the row whose value bends most but for the slope of the MLP,"
by_front, by_back, by_pair = (
    axiom(label=f"{LABEL}.{name}", statement=f"{_ALONG} {statement}: the chain rule, written out.", cases=cases(case))
    for name, statement, case in (
        ("by-tokens", "W1 and V1 make C times twice (φ on)·M q + m on·F_d with M and F", lambda which, of: Case(
            which, left=of.front, right=lambda: of.m_q + of.row.move * of.on_f
        )),
        ("by-read", "V2 makes twice (φ on)·(s M_d + Gamma) V2_d + hᵀF V2 with M, Gamma and F", lambda which, of: Case(
            which, left=of.back, right=lambda: of.read[LAST] * of.gated_argument + of.f_v2
        )),
        ("by-units", "M and Gamma make C times twice on (s M_d + Gamma)·F_d with F", lambda which, of: Case(
            which, left=of.pair, right=lambda: of.argument_f
        )),
    )
)  # fmt: skip
unit = axiom(
    label=f"{LABEL}.unit",
    statement="The squared lengths of parts and columns of a direction of unit length add up to at most one.",
    relation="<=",
    right=1,
    cases=cases(lambda which, of: Case(which, left=lambda: of.tokens_share + of.read_share + of.behind)),
)
