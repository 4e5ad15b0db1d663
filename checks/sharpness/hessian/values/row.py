"""Theorem 18: the row where values bend most but for the MLP's slope, where E v'' is largest."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import LIVE, READY, TOP, total, units_total
from boundaudit.checks.sharpness.hessian.directions import LARGEST, VALUES, moved, real, share, weights
from boundaudit.checks.sharpness.hessian.shared import NETWORKS, VECTORS, axiom, lemma, stated, weighted
from boundaudit.derivations.sharpness.attention import SUM, key
from boundaudit.derivations.sharpness.hessian_lemmas import TOKEN_BOUND
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, i, j, t
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
    label=f"{LABEL}.unit", relation="<=",
    statement="The squared lengths of parts and columns of a direction of unit length add up to at most one.",
    right=1, cases=cases(lambda which, of: Case(which, left=lambda: of.tokens_share + of.read_share + of.behind)),
)  # fmt: skip


# --- what pairs of parts of a direction make of the bend ------------------------------------------

_ByUnit = Callable[[sp.Symbol], sp.Expr]
Pair = tuple[sp.Expr, str, sp.Expr, sp.Expr]


def _through_tokens(which: str, of: Flat) -> Case:
    row, squares = of.row, total(of.row.weight(t) ** 2) + of.row.seen**2
    return stated(
        f"{LABEL}.tokens", which,
        Step(of.token_squares, "|V1 y + σ e_d|²"),
        Step(TOKEN_BOUND * share(row) + squares * of.written_share, "channel by channel", "Cauchy-Schwarz", (
            f"{moved.label}[{row.name}]",
            Instance(f"{VECTORS}.longer", {
                "n_av": T + 1, "x_ve": row.weight, "y_ve": lambda t: of.written[t, i], "a_ve": row.seen,
                "b_ve": of.written[LAST, i],
            }, over=(i, 1, T + 1)),
        )),
        Step(TOKEN_BOUND * of.tokens_share, "Z²", "no weight beyond 1/D", (
            f"{weights.label}[{row.name}]",
            Instance("sharpness.averages.part", {"m_av": row.attention[t], "e_av": row.attention[t] / D**2},
                     over=(t, 1, T + 1)),
            Instance("sharpness.averages.below-one", {"m_av": row.seen}),
            weighted(of.written_share, squares, TOKEN_BOUND),
        )),
    )  # fmt: skip


tokens = lemma(
    label=f"{LABEL}.tokens",
    statement="W1 and V1 move the average token of that row in squares by at most Z² times their squared length.",
    cases=cases(_through_tokens),
)


def _gates_at_most_one(of: Flat) -> Instance:
    """That Σ (φ on)² is at most Σ φ²."""
    return Instance(
        f"{VECTORS}.within", {"g_ve": sp.S.One, "c_ve": of.row.gates[j]}, over=(j, 1, UNITS),
        weight=LIVE[of.network][j],
    )  # fmt: skip


def _by_channel(x: _ByUnit, y: Callable[[sp.Expr], _ByUnit]) -> tuple[Instance, Instance]:
    """Cauchy-Schwarz over units, for each channel of positions and for the data."""
    cauchy = f"{VECTORS}.cauchy"
    return (
        Instance(cauchy, {"n_av": UNITS, "x_ve": x, "y_ve": y(i)}, over=(i, 1, T + 1)),
        Instance(cauchy, {"n_av": UNITS, "x_ve": x, "y_ve": y(LAST)}),
    )


def _through_inputs(which: str, of: Flat) -> Case:
    squares = channels(of.by_inputs(i) ** 2) + of.by_inputs(LAST) ** 2
    gated = units_total(of.gated(j) ** 2)
    return stated(
        f"{LABEL}.inputs", which,
        Step(of.m_q ** 2, "((φ on)·M q)²"),
        Step(squares * of.token_squares, "|M (φ on)|² |q|²", "Cauchy-Schwarz", Instance(f"{VECTORS}.longer", {
            "n_av": T + 1, "x_ve": of.by_inputs, "y_ve": of.token, "a_ve": of.by_inputs(LAST), "b_ve": of.row.move,
        })),
        Step(gated * of.inputs_share * of.token_squares, "|φ on|² |M|²", "channel by channel", (
            *_by_channel(of.gated, lambda channel: lambda unit: of.inputs[channel, unit]),
            weighted(of.token_squares, squares, gated * of.inputs_share),
        )),
        Step(live(of.network) * of.inputs_share * (TOKEN_BOUND * of.tokens_share), "Σ φ²", "and Z²", (
            _gates_at_most_one(of), f"{tokens.label}[{which}]",
            weighted(of.inputs_share * of.token_squares, gated, live(of.network)),
            weighted(live(of.network) * of.inputs_share, of.token_squares, TOKEN_BOUND * of.tokens_share),
        )),
        Step(TOKEN_BOUND * live(of.network) * (of.tokens_share * of.arguments_share), "with more"),
    )  # fmt: skip


inputs = lemma(
    label=f"{LABEL}.inputs",
    statement="((φ on)·M q)² is at most Σ φ² |M|² times Z² times the squared length of what moves q.",
    cases=cases(_through_inputs),
)


def _arguments_bounded(of: Flat, weight: sp.Expr = sp.S.One) -> Instance:
    """That (Gamma + s M_d)² is at most 2 (Gamma² + M_d²), unit by unit."""
    parts = {"a_ve": of.biases[j], "b_ve": of.inputs[LAST, j], "g_ve": of.row.seen}
    return Instance(f"{VECTORS}.entry", parts, over=(j, 1, UNITS), weight=weight)


def _through_move(which: str, of: Flat) -> Case:
    move, on, written = of.row.move, units_total(of.on(j) ** 2), of.data_share
    return stated(
        f"{LABEL}.move", which,
        Step((move * of.on_f) ** 2, "(m on·F_d)²"),
        Step(move**2 * (on * written), "|on|² |F_d|²", "Cauchy-Schwarz", (
            Instance(f"{VECTORS}.cauchy", {"n_av": UNITS, "x_ve": of.on, "y_ve": lambda t: of.outputs[t, LAST]}),
            weighted(move**2, of.on_f ** 2, on * written),
        )),
        Step(move**2 * (ready(of.network) * written), "units on at one", "each at most one", (
            Instance(f"{VECTORS}.within", {"g_ve": READY[of.network][j], "c_ve": of.row.on[j]},
                     over=(j, 1, UNITS)),
            weighted(move**2 * written, on, ready(of.network)),
        )),
        Step(TOKEN_BOUND * share(of.row) * (ready(of.network) * written), "Z²", "", (
            f"{moved.label}[{of.row.name}]",
            weighted(ready(of.network) * written, move**2, TOKEN_BOUND * share(of.row)),
        )),
        Step(TOKEN_BOUND * ready(of.network) * (of.tokens_share * of.outputs_share), "with more"),
    )  # fmt: skip


def _through_gates(which: str, of: Flat) -> Case:
    read, gated, columns = of.read[LAST] ** 2, units_total(of.gated(j) ** 2), of.columns_share
    return stated(
        f"{LABEL}.gates", which,
        Step((of.read[LAST] * of.gated_argument) ** 2, "(V2_d (φ on)·(s M_d + Gamma))²"),
        Step(read * (gated * of.argument_squares), "|φ on|² |s M_d + Gamma|²", "Cauchy-Schwarz", (
            Instance(f"{VECTORS}.cauchy", {"n_av": UNITS, "x_ve": of.gated, "y_ve": of.argument}),
            weighted(read, of.gated_argument ** 2, gated * of.argument_squares),
        )),
        Step(read * (live(of.network) * of.argument_squares), "Σ φ²", "", (
            _gates_at_most_one(of), weighted(read * of.argument_squares, gated, live(of.network)),
        )),
        Step(read * (live(of.network) * (2 * columns)), "2 (|M_d|² + |Gamma|²)", "s ≤ 1", (
            _arguments_bounded(of), weighted(read * live(of.network), of.argument_squares, 2 * columns),
        )),
        Step(2 * live(of.network) * (of.read_share * of.arguments_share), "with more"),
    )  # fmt: skip


def _through_outputs(which: str, of: Flat) -> Case:
    squares = channels(of.by_outputs(i) ** 2) + of.by_outputs(LAST) ** 2
    hidden = units_total(of.hidden(j) ** 2)
    return stated(
        f"{LABEL}.outputs", which,
        Step(of.f_v2 ** 2, "(hᵀF V2)²"),
        Step(squares * of.read_share, "|hᵀF|² |V2|²", "Cauchy-Schwarz", Instance(f"{VECTORS}.longer", {
            "n_av": T + 1, "x_ve": of.by_outputs, "y_ve": of.read, "a_ve": of.by_outputs(LAST), "b_ve": of.read[LAST],
        })),
        Step(hidden * of.outputs_share * of.read_share, "|h|² |F|²", "channel by channel", (
            *_by_channel(of.hidden, lambda channel: lambda unit: of.outputs[unit, channel]),
            weighted(of.read_share, squares, hidden * of.outputs_share),
        )),
        Step(top(of.network) * (of.read_share * of.outputs_share), "|h(1)|²", "units rise with s", (
            Instance("sharpness.averages.below-one", {"m_av": of.row.full[j]}, over=(j, 1, UNITS),
                     weight=TOP[of.network][j] ** 2),
            weighted(of.outputs_share * of.read_share, hidden, top(of.network)),
        )),
    )  # fmt: skip


def _through_written(which: str, of: Flat) -> Case:
    on, columns, written = units_total(of.on(j) ** 2 * of.argument(j) ** 2), of.columns_share, of.data_share
    return stated(
        f"{LABEL}.written", which,
        Step(of.pair**2, "as it is"),
        Step(of.argument_f ** 2, "(on (s M_d + Gamma)·F_d)²", "chain rule", f"{LABEL}.by-units[{which}]"),
        Step(on * written, "unit by unit", "Cauchy-Schwarz", Instance(f"{VECTORS}.cauchy", {
            "n_av": UNITS, "x_ve": lambda t: of.on(t) * of.argument(t), "y_ve": lambda t: of.outputs[t, LAST],
        })),
        Step(of.argument_squares * written, "units on at most", "", (
            Instance("sharpness.averages.below-one", {"m_av": of.on(j)}, over=(j, 1, UNITS),
                     weight=of.argument(j) ** 2),
            weighted(written, on, of.argument_squares),
        )),
        Step(2 * columns * written, "2 (|M_d|² + |Gamma|²)", "s ≤ 1", (
            _arguments_bounded(of), weighted(written, of.argument_squares, 2 * columns),
        )),
        Step(2 * (of.arguments_share * of.outputs_share), "with more"),
    )  # fmt: skip


move, gates, outputs, written = (
    lemma(label=f"{LABEL}.{name}", statement=statement, cases=cases(case))
    for name, statement, case in (
        ("move", "(m on·F_d)² is at most Z² times the number of units on at one, times the squared length of what "
         "moves q and that of F.", _through_move),
        ("gates", "(V2_d (φ on)·(s M_d + Gamma))² is at most 2 Σ φ² |V2|² (|M|² + |Gamma|²).", _through_gates),
        ("outputs", "(hᵀF V2)² is at most |h(1)|² |F|² |V2|².", _through_outputs),
        ("written", "(on (s M_d + Gamma)·F_d)² is at most 2 (|M|² + |Gamma|²) |F|².", _through_written),
    )
)  # fmt: skip


def size(network: str) -> sp.Expr:
    """C² Z² (Σ φ² + units on at one) + 2 Σ φ² + |h(1)|²."""
    return SUM**2 * TOKEN_BOUND * (live(network) + ready(network)) + 2 * live(network) + top(network)


def _along(*parts: sp.Expr) -> Instance:
    """From a² ≤ p g e and b² ≤ q g f to a bound on (s a + t b)²."""
    names = ("a_ve", "p_ve", "e_ve", "b_ve", "q_ve", "f_ve", "g_ve", "s_ve", "t_ve")
    return Instance(f"{VECTORS}.along", dict(zip(names, parts, strict=True)))


def _in_two(which: str, name: str, axiom: str, of: Flat, whole: sp.Expr, share: sp.Expr, *pairs: Pair) -> Case:
    """The square of two products by sizes and shares: of each what it is, its lemma, its size and whose share."""
    (first, one, with_m, m), (second, other, with_f, f) = pairs
    return stated(
        f"{LABEL}.{name}", which,
        Step(whole**2, "as it is"),
        Step((first + second) ** 2, "written out", "chain rule", f"{LABEL}.{axiom}[{which}]"),
        Step((with_m + with_f) * (share * of.behind), "with M and Gamma, and with F", "", (
            f"{LABEL}.{one}[{which}]", f"{LABEL}.{other}[{which}]",
            _along(first, with_m, m, second, with_f, f, share, sp.S.One, sp.S.One),
        )),
    )  # fmt: skip


def _through_front(which: str, of: Flat) -> Case:
    return _in_two(
        which, "front", "by-tokens", of, of.front, of.tokens_share,
        (of.m_q, "inputs", TOKEN_BOUND * live(of.network), of.arguments_share),
        (of.row.move * of.on_f, "move", TOKEN_BOUND * ready(of.network), of.outputs_share),
    )  # fmt: skip


def _through_back(which: str, of: Flat) -> Case:
    return _in_two(
        which, "back", "by-read", of, of.back, of.read_share,
        (of.read[LAST] * of.gated_argument, "gates", 2 * live(of.network), of.arguments_share),
        (of.f_v2, "outputs", top(of.network), of.outputs_share),
    )  # fmt: skip


def _through_pairs(which: str, of: Flat) -> Case:
    return stated(
        f"{LABEL}.pairs", which,
        Step((SUM * of.front + of.back) ** 2, "as it is"),
        Step(size(of.network) * (of.behind * (of.tokens_share + of.read_share)), "pair by pair", "", (
            f"{LABEL}.front[{which}]", f"{LABEL}.back[{which}]",
            _along(of.front, TOKEN_BOUND * (live(of.network) + ready(of.network)), of.tokens_share, of.back,
                   2 * live(of.network) + top(of.network), of.read_share, of.behind, SUM, sp.S.One),
        )),
    )  # fmt: skip


front, back, pairs = (
    lemma(label=f"{LABEL}.{name}", statement=statement, cases=cases(case))
    for name, statement, case in (
        ("front", "((φ on)·M q + m on·F_d)² is at most Z² (Σ φ² + units on at one) times the squared length of W1 and "
         "V1 times that of M, Gamma and F.", _through_front),
        ("back", "((φ on)·(s M_d + Gamma) V2_d + hᵀF V2)² is at most 2 Σ φ² + |h(1)|² times the squared length of V2 "
         "times that of M, Gamma and F.", _through_back),
        ("pairs", "C ((φ on)·M q + m on·F_d) + (φ on)·(s M_d + Gamma) V2_d + hᵀF V2 is in squares at most "
         "C² Z² (Σ φ² + units on at one) + 2 Σ φ² + |h(1)|² times the squared length of W1, V1 and V2 times that of M, "
         "Gamma and F.", _through_pairs),
    )
)  # fmt: skip
