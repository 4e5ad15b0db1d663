"""How the value of one row bends where the MLP is flat, along the direction in which E v'' is largest."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import LIVE, READY, TOP, total, units_total
from boundaudit.checks.sharpness.hessian.directions import VALUES
from boundaudit.checks.sharpness.hessian.families import NETWORKS
from boundaudit.checks.sharpness.hessian.moved_rows import LARGEST, moved, share, weights
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, both, lemma, stated, weighted
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.hessian_lemmas import TOKEN_BOUND
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, i, j, t
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


def _channels(body: sp.Expr) -> sp.Expr:
    """A sum over the channels of positions."""
    return sp.Sum(body, (i, 1, T + 1))


def _through_m(of: Flat) -> sp.Expr:
    """(φ on)·M q."""
    return _channels(of.by_inputs(i) * of.token(i)) + of.by_inputs(_LAST) * of.row.move


def _through_on(of: Flat) -> sp.Expr:
    """On·F_d."""
    return units_total(of.on(j) * of.outputs[j, _LAST])


def _through_both(of: Flat) -> sp.Expr:
    """On (s M_d + Gamma)·F_d."""
    return units_total(of.on(j) * of.argument(j) * of.outputs[j, _LAST])


def _through_argument(of: Flat) -> sp.Expr:
    """(φ on)·(s M_d + Gamma)."""
    return units_total(of.gated(j) * of.argument(j))


def _through_f(of: Flat) -> sp.Expr:
    """HᵀF V2."""
    return _channels(of.by_outputs(i) * of.read[i]) + of.by_outputs(_LAST) * of.read[_LAST]


def _paired(of: Flat) -> sp.Expr:
    """What pairs W1, V1 and V2 with M, Gamma and F."""
    return SUM * (_through_m(of) + of.row.move * _through_on(of)) + (
        of.read[_LAST] * _through_argument(of) + _through_f(of)
    )


def _cases(case: Callable[[str, Flat], Case]) -> tuple[Case, ...]:
    return tuple(case(which, of) for which, of in FLATS.items())


bend = axiom(
    label=f"{LABEL}.bend",
    statement="Along that direction the value of the row that bends most but for the slope of the MLP bends by "
    "2C ((φ on)·M q + (m + s M_d + Gamma) on·F_d) + 2 ((φ on)·(s M_d + Gamma) V2_d + hᵀF V2): the chain rule.",
    cases=_cases(lambda which, of: Case(
        which, left=of.bend, right=lambda: 2 * _paired(of) + 2 * SUM * _through_both(of)
    )),
)  # fmt: skip


def _inputs(of: Flat) -> sp.Expr:
    """|M|²."""
    return _channels(units_total(of.inputs[i, j] ** 2)) + units_total(of.inputs[_LAST, j] ** 2)


def _arguments(of: Flat) -> sp.Expr:
    """|M|² + |Gamma|²."""
    return _inputs(of) + units_total(of.biases[j] ** 2)


def _outputs(of: Flat) -> sp.Expr:
    """|F|²."""
    return _channels(units_total(of.outputs[j, i] ** 2)) + units_total(of.outputs[j, _LAST] ** 2)


def _read(of: Flat) -> sp.Expr:
    """|V2|²."""
    return _channels(of.read[i] ** 2) + of.read[_LAST] ** 2


def _written(of: Flat) -> sp.Expr:
    return _channels(total(of.written[t, i] ** 2) + of.written[_LAST, i] ** 2)


def _tokens(of: Flat) -> sp.Expr:
    """The squared length of what moves the row's average token."""
    return share(of.row) + _written(of)


def _behind(of: Flat) -> sp.Expr:
    """|M|² + |Gamma|² + |F|²."""
    return _arguments(of) + _outputs(of)


unit = axiom(
    label=f"{LABEL}.unit",
    statement="The squared lengths of parts and columns of a direction of unit length add up to at most one.",
    relation="<=",
    right=1,
    cases=_cases(lambda which, of: Case(which, left=lambda: _tokens(of) + _read(of) + _behind(of))),
)


def _live(of: Flat) -> sp.Expr:
    return units_total(LIVE[of.row.of.network][j])


def _token_squares(of: Flat) -> sp.Expr:
    return _channels(of.token(i) ** 2) + of.row.move**2


def _through_tokens(which: str, of: Flat) -> Case:
    row, squares = of.row, total(of.row.weight(t) ** 2) + of.row.seen**2
    return stated(
        f"{LABEL}.tokens", which,
        Step(_token_squares(of), "|V1 y + σ e_d|²"),
        Step(TOKEN_BOUND * share(row) + squares * _written(of), "channel by channel", "Cauchy-Schwarz", (
            f"{moved.label}[{row.name}]",
            Instance(f"{VECTORS}.longer", {
                "n_av": T + 1, "x_ve": row.weight, "y_ve": lambda t: of.written[t, i], "a_ve": row.seen,
                "b_ve": of.written[_LAST, i],
            }, over=(i, 1, T + 1)),
        )),
        Step(TOKEN_BOUND * _tokens(of), "Z²", "no weight beyond 1/D", (
            f"{weights.label}[{row.name}]",
            Instance("sharpness.averages.part", {"m_av": row.attention[t], "e_av": row.attention[t] / D**2},
                     over=(t, 1, T + 1)),
            Instance("sharpness.averages.below-one", {"m_av": row.seen}),
            weighted(_written(of), squares, TOKEN_BOUND),
        )),
    )  # fmt: skip


tokens = lemma(
    label=f"{LABEL}.tokens",
    statement="W1 and V1 move the average token of that row in squares by at most Z² times their squared length.",
    cases=_cases(_through_tokens),
)
