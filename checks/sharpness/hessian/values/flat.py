"""How the value of one row bends where the MLP is flat, along the direction in which E v'' is largest."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import LIVE, READY, TOP, total, units_total
from boundaudit.checks.sharpness.gradients.shared import SCALES
from boundaudit.checks.sharpness.hessian.directions import VALUES
from boundaudit.checks.sharpness.hessian.families import NETWORKS
from boundaudit.checks.sharpness.hessian.moved_rows import LARGEST, moved, real, share, weights
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, lemma, stated, weighted
from boundaudit.derivations.sharpness.activations import LENGTH
from boundaudit.derivations.sharpness.attention import SUM, key
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, TOKEN_BOUND
from boundaudit.derivations.sharpness.hessian_lemmas import UNITS as UNITS_ON
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, i, j, t
from boundaudit.numeric.sharpness.hessian_values import Bends, bends

LABEL = "sharpness.hessian.values"
_LAST = T + 2
_ALONG = "Along that direction, in the row whose value bends most but for the slope of the MLP,"
_ByUnit = Callable[[sp.Symbol], sp.Expr]


class Flat:
    """A row and all that moves it.

    Attributes:
        row: The row.
        front: What W1 and V1 make with M and F, but for C.
        back: What V2 makes with M, Gamma and F.
        pair: What M and Gamma make with F, but for C.
        inputs: M's direction, by channels and units.
        biases: Gamma's.
        outputs: F's, by units and channels.
        written: V1's into the channels of positions, by channels of tokens and by those.
        read: V2's.
    """

    def __init__(self, which: str) -> None:
        of, self.row = VALUES[which], LARGEST[which]

        def at_row(name: str, latex: str, numbers: Callable[[Bends], Tensor]) -> sp.Expr:
            return real(
                of, f"{name} in the largest row", latex,
                lambda d: numbers(bends(d)).take_along_dim(bends(d).largest, -1),
            )  # fmt: skip

        self.front = at_row("W1 and V1 with M and F", "p_1", lambda found: found.front)
        self.back = at_row("V2 with M, Gamma and F", "p_2", lambda found: found.back)
        self.pair = at_row("M and Gamma with F", "p_3", lambda found: found.written)
        self.inputs = of.vector("M's direction, whole", "M", (_LAST, UNITS), lambda d: d.along.M)
        self.biases = of.vector("Gamma's direction", r"\Gamma", UNITS, lambda d: d.along.Gamma)
        self.outputs = of.vector("F's direction, whole", "F", (UNITS, _LAST), lambda d: d.along.F)
        self.written = of.vector("V1's direction into positions", "V_1", (_LAST, T + 1), lambda d: d.along.V1[..., :-1])
        self.read = of.vector("V2's direction", "V_2", _LAST, lambda d: d.along.V2)

    @property
    def bend(self) -> sp.Expr:
        """How its value bends but for the slope of the MLP."""
        return 2 * (SUM * self.front + self.back) + 2 * SUM * self.pair

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
        keys = sp.Sum(self.row.weight(key) * self.written[key, channel], (key, 1, T + 1))
        return keys + self.row.seen * self.written[_LAST, channel]

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


def _cases(case: Callable[[str, Flat], Case]) -> tuple[Case, ...]:
    return tuple(case(which, of) for which, of in FLATS.items())


by_front, by_back, by_pair = (
    axiom(label=f"{LABEL}.{name}", statement=f"{_ALONG} {statement}: the chain rule, written out.", cases=_cases(case))
    for name, statement, case in (
        ("by-tokens", "W1 and V1 make C times twice (φ on)·M q + m on·F_d with M and F", lambda which, of: Case(
            which, left=of.front, right=lambda: _through_m(of) + of.row.move * _through_on(of)
        )),
        ("by-read", "V2 makes twice (φ on)·(s M_d + Gamma) V2_d + hᵀF V2 with M, Gamma and F", lambda which, of: Case(
            which, left=of.back, right=lambda: of.read[_LAST] * _through_argument(of) + _through_f(of)
        )),
        ("by-units", "M and Gamma make C times twice on (s M_d + Gamma)·F_d with F", lambda which, of: Case(
            which, left=of.pair, right=lambda: _through_both(of)
        )),
    )
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


def _read_share(of: Flat) -> sp.Expr:
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
    cases=_cases(lambda which, of: Case(which, left=lambda: _tokens(of) + _read_share(of) + _behind(of))),
)


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


def _live(of: Flat) -> sp.Expr:
    """Σ φ² of units on at one."""
    return units_total(LIVE[of.row.of.network][j])


def _ready(of: Flat) -> sp.Expr:
    """How many units are on at one."""
    return units_total(READY[of.row.of.network][j])


def _top(of: Flat) -> sp.Expr:
    """|h(1)|²."""
    return units_total(TOP[of.row.of.network][j] ** 2)


def _gates_at_most_one(of: Flat) -> Instance:
    """That Σ (φ on)² is at most Σ φ²."""
    return Instance(
        f"{VECTORS}.within", {"g_ve": sp.S.One, "c_ve": of.row.gates[j]}, over=(j, 1, UNITS),
        weight=LIVE[of.row.of.network][j],
    )  # fmt: skip


def _by_channel(x: _ByUnit, y: Callable[[sp.Expr], _ByUnit]) -> tuple[Instance, Instance]:
    """Cauchy-Schwarz over units, for each channel of positions and for the data."""
    cauchy = f"{VECTORS}.cauchy"
    return (
        Instance(cauchy, {"n_av": UNITS, "x_ve": x, "y_ve": y(i)}, over=(i, 1, T + 1)),
        Instance(cauchy, {"n_av": UNITS, "x_ve": x, "y_ve": y(_LAST)}),
    )


def _through_inputs(which: str, of: Flat) -> Case:
    squares = _channels(of.by_inputs(i) ** 2) + of.by_inputs(_LAST) ** 2
    gated = units_total(of.gated(j) ** 2)
    return stated(
        f"{LABEL}.inputs", which,
        Step(_through_m(of) ** 2, "((φ on)·M q)²"),
        Step(squares * _token_squares(of), "|M (φ on)|² |q|²", "Cauchy-Schwarz", Instance(f"{VECTORS}.longer", {
            "n_av": T + 1, "x_ve": of.by_inputs, "y_ve": of.token, "a_ve": of.by_inputs(_LAST), "b_ve": of.row.move,
        })),
        Step(gated * _inputs(of) * _token_squares(of), "|φ on|² |M|²", "channel by channel", (
            *_by_channel(of.gated, lambda channel: lambda unit: of.inputs[channel, unit]),
            weighted(_token_squares(of), squares, gated * _inputs(of)),
        )),
        Step(_live(of) * _inputs(of) * (TOKEN_BOUND * _tokens(of)), "Σ φ²", "and Z²", (
            _gates_at_most_one(of), f"{tokens.label}[{which}]",
            weighted(_inputs(of) * _token_squares(of), gated, _live(of)),
            weighted(_live(of) * _inputs(of), _token_squares(of), TOKEN_BOUND * _tokens(of)),
        )),
        Step(TOKEN_BOUND * _live(of) * (_tokens(of) * _arguments(of)), "with more"),
    )  # fmt: skip


inputs = lemma(
    label=f"{LABEL}.inputs",
    statement="((φ on)·M q)² is at most Σ φ² |M|² times Z² times the squared length of what moves q.",
    cases=_cases(_through_inputs),
)


def _columns(of: Flat) -> tuple[sp.Expr, sp.Expr]:
    """What units' arguments are made of, and what they write into the data channel, squared."""
    return (
        units_total(of.biases[j] ** 2) + units_total(of.inputs[_LAST, j] ** 2), units_total(of.outputs[j, _LAST] ** 2)
    )  # fmt: skip


def _argument_squares(of: Flat) -> sp.Expr:
    return units_total(of.argument(j) ** 2)


def _arguments_bounded(of: Flat, weight: sp.Expr = sp.S.One) -> Instance:
    """That (Gamma + s M_d)² is at most 2 (Gamma² + M_d²), unit by unit."""
    parts = {"a_ve": of.biases[j], "b_ve": of.inputs[_LAST, j], "g_ve": of.row.seen}
    return Instance(f"{VECTORS}.entry", parts, over=(j, 1, UNITS), weight=weight)


def _through_move(which: str, of: Flat) -> Case:
    move, on, written = of.row.move, units_total(of.on(j) ** 2), _columns(of)[1]
    return stated(
        f"{LABEL}.move", which,
        Step((move * _through_on(of)) ** 2, "(m on·F_d)²"),
        Step(move**2 * (on * written), "|on|² |F_d|²", "Cauchy-Schwarz", (
            Instance(f"{VECTORS}.cauchy", {"n_av": UNITS, "x_ve": of.on, "y_ve": lambda t: of.outputs[t, _LAST]}),
            weighted(move**2, _through_on(of) ** 2, on * written),
        )),
        Step(move**2 * (_ready(of) * written), "units on at one", "each at most one", (
            Instance(f"{VECTORS}.within", {"g_ve": READY[of.row.of.network][j], "c_ve": of.row.on[j]},
                     over=(j, 1, UNITS)),
            weighted(move**2 * written, on, _ready(of)),
        )),
        Step(TOKEN_BOUND * share(of.row) * (_ready(of) * written), "Z²", "", (
            f"{moved.label}[{of.row.name}]", weighted(_ready(of) * written, move**2, TOKEN_BOUND * share(of.row)),
        )),
        Step(TOKEN_BOUND * _ready(of) * (_tokens(of) * _outputs(of)), "with more"),
    )  # fmt: skip


def _through_gates(which: str, of: Flat) -> Case:
    read, gated, (columns, _) = of.read[_LAST] ** 2, units_total(of.gated(j) ** 2), _columns(of)
    return stated(
        f"{LABEL}.gates", which,
        Step((of.read[_LAST] * _through_argument(of)) ** 2, "(V2_d (φ on)·(s M_d + Gamma))²"),
        Step(read * (gated * _argument_squares(of)), "|φ on|² |s M_d + Gamma|²", "Cauchy-Schwarz", (
            Instance(f"{VECTORS}.cauchy", {"n_av": UNITS, "x_ve": of.gated, "y_ve": of.argument}),
            weighted(read, _through_argument(of) ** 2, gated * _argument_squares(of)),
        )),
        Step(read * (_live(of) * _argument_squares(of)), "Σ φ²", "", (
            _gates_at_most_one(of), weighted(read * _argument_squares(of), gated, _live(of)),
        )),
        Step(read * (_live(of) * (2 * columns)), "2 (|M_d|² + |Gamma|²)", "s ≤ 1", (
            _arguments_bounded(of), weighted(read * _live(of), _argument_squares(of), 2 * columns),
        )),
        Step(2 * _live(of) * (_read_share(of) * _arguments(of)), "with more"),
    )  # fmt: skip


def _through_outputs(which: str, of: Flat) -> Case:
    squares = _channels(of.by_outputs(i) ** 2) + of.by_outputs(_LAST) ** 2
    hidden = units_total(of.hidden(j) ** 2)
    return stated(
        f"{LABEL}.outputs", which,
        Step(_through_f(of) ** 2, "(hᵀF V2)²"),
        Step(squares * _read_share(of), "|hᵀF|² |V2|²", "Cauchy-Schwarz", Instance(f"{VECTORS}.longer", {
            "n_av": T + 1, "x_ve": of.by_outputs, "y_ve": of.read, "a_ve": of.by_outputs(_LAST), "b_ve": of.read[_LAST],
        })),
        Step(hidden * _outputs(of) * _read_share(of), "|h|² |F|²", "channel by channel", (
            *_by_channel(of.hidden, lambda channel: lambda unit: of.outputs[unit, channel]),
            weighted(_read_share(of), squares, hidden * _outputs(of)),
        )),
        Step(_top(of) * (_read_share(of) * _outputs(of)), "|h(1)|²", "units rise with s", (
            Instance("sharpness.averages.below-one", {"m_av": of.row.full[j]}, over=(j, 1, UNITS),
                     weight=TOP[of.row.of.network][j] ** 2),
            weighted(_outputs(of) * _read_share(of), hidden, _top(of)),
        )),
    )  # fmt: skip


def _through_written(which: str, of: Flat) -> Case:
    on, (columns, written) = units_total(of.on(j) ** 2 * of.argument(j) ** 2), _columns(of)
    return stated(
        f"{LABEL}.written", which,
        Step(of.pair**2, "as it is"),
        Step(_through_both(of) ** 2, "(on (s M_d + Gamma)·F_d)²", "chain rule", f"{LABEL}.by-units[{which}]"),
        Step(on * written, "unit by unit", "Cauchy-Schwarz", Instance(f"{VECTORS}.cauchy", {
            "n_av": UNITS, "x_ve": lambda t: of.on(t) * of.argument(t), "y_ve": lambda t: of.outputs[t, _LAST],
        })),
        Step(_argument_squares(of) * written, "units on at most", "", (
            Instance("sharpness.averages.below-one", {"m_av": of.on(j)}, over=(j, 1, UNITS),
                     weight=of.argument(j) ** 2),
            weighted(written, on, _argument_squares(of)),
        )),
        Step(2 * columns * written, "2 (|M_d|² + |Gamma|²)", "s ≤ 1", (
            _arguments_bounded(of), weighted(written, _argument_squares(of), 2 * columns),
        )),
        Step(2 * (_arguments(of) * _outputs(of)), "with more"),
    )  # fmt: skip


move, gates, outputs, written = (
    lemma(label=f"{LABEL}.{name}", statement=statement, cases=_cases(case))
    for name, statement, case in (
        ("move", "(m on·F_d)² is at most Z² times the number of units on at one, times the squared length of what "
         "moves q and that of F.", _through_move),
        ("gates", "(V2_d (φ on)·(s M_d + Gamma))² is at most 2 Σ φ² |V2|² (|M|² + |Gamma|²).", _through_gates),
        ("outputs", "(hᵀF V2)² is at most |h(1)|² |F|² |V2|².", _through_outputs),
        ("written", "(on (s M_d + Gamma)·F_d)² is at most 2 (|M|² + |Gamma|²) |F|².", _through_written),
    )
)  # fmt: skip


def _size(network: str) -> sp.Expr:
    """C² Z² (Σ φ² + units on at one) + 2 Σ φ² + |h(1)|²."""
    live, ready, top = units_total(LIVE[network][j]), units_total(READY[network][j]), units_total(TOP[network][j] ** 2)
    return SUM**2 * TOKEN_BOUND * (live + ready) + 2 * live + top


def _along(*parts: sp.Expr) -> Instance:
    """From a² ≤ p g e and b² ≤ q g f to a bound on (s a + t b)²."""
    names = ("a_ve", "p_ve", "e_ve", "b_ve", "q_ve", "f_ve", "g_ve", "s_ve", "t_ve")
    return Instance(f"{VECTORS}.along", dict(zip(names, parts, strict=True)))


def _through_front(which: str, of: Flat) -> Case:
    first, second = _through_m(of), of.row.move * _through_on(of)
    live, ready = TOKEN_BOUND * _live(of), TOKEN_BOUND * _ready(of)
    return stated(
        f"{LABEL}.front", which,
        Step(of.front**2, "as it is"),
        Step((first + second) ** 2, "written out", "chain rule", f"{LABEL}.by-tokens[{which}]"),
        Step((live + ready) * (_tokens(of) * _behind(of)), "with M, and with F", "", (
            f"{LABEL}.inputs[{which}]", f"{LABEL}.move[{which}]",
            _along(first, live, _arguments(of), second, ready, _outputs(of), _tokens(of), sp.S.One, sp.S.One),
        )),
    )  # fmt: skip


def _through_back(which: str, of: Flat) -> Case:
    first, second = of.read[_LAST] * _through_argument(of), _through_f(of)
    live, top = 2 * _live(of), _top(of)
    return stated(
        f"{LABEL}.back", which,
        Step(of.back**2, "as it is"),
        Step((first + second) ** 2, "written out", "chain rule", f"{LABEL}.by-read[{which}]"),
        Step((live + top) * (_read_share(of) * _behind(of)), "with M and Gamma, and with F", "", (
            f"{LABEL}.gates[{which}]", f"{LABEL}.outputs[{which}]",
            _along(first, live, _arguments(of), second, top, _outputs(of), _read_share(of), sp.S.One, sp.S.One),
        )),
    )  # fmt: skip


def _through_pairs(which: str, of: Flat) -> Case:
    return stated(
        f"{LABEL}.pairs", which,
        Step((SUM * of.front + of.back) ** 2, "as it is"),
        Step(_size(of.row.of.network) * (_behind(of) * (_tokens(of) + _read_share(of))), "pair by pair", "", (
            f"{LABEL}.front[{which}]", f"{LABEL}.back[{which}]",
            _along(of.front, TOKEN_BOUND * (_live(of) + _ready(of)), _tokens(of), of.back,
                   2 * _live(of) + _top(of), _read_share(of), _behind(of), SUM, sp.S.One),
        )),
    )  # fmt: skip


front, back, pairs = (
    lemma(label=f"{LABEL}.{name}", statement=statement, cases=_cases(case))
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
CLOSED = SUM**2 * TOKEN_BOUND * (GATES + UNITS_ON) + 2 * GATES + LENGTH


def _through_units(network: str) -> Case:
    rows_of, live, top = "sharpness.gradients.rows", units_total(LIVE[network][j]), units_total(TOP[network][j] ** 2)
    factor = SUM**2 * TOKEN_BOUND
    return stated(
        f"{LABEL}.units", network,
        Step(_size(network), "summed"),
        Step(factor * (live + UNITS_ON) + 2 * live + top, "4D+2", "counted", (
            f"{rows_of}.ready[{network}]", "sharpness.hessian.gates.units.closed-form",
        )),
        Step(factor * (GATES + UNITS_ON) + 2 * GATES + top, "A", "on at one", (
            f"{rows_of}.live[{network}]", "sharpness.gradients.live",
        )),
        Step(CLOSED, "L²", "at one", (f"{rows_of}.top[{network}]", "sharpness.activations.hidden.length.closed-form")),
    )  # fmt: skip


units = lemma(
    label=f"{LABEL}.units",
    statement="C² Z² (Σ φ² + units on at one) + 2 Σ φ² + |h(1)|² is C² Z² (32 D²(D+1)/u² + 4D+2) + 64 D²(D+1)/u² + L².",
    cases=tuple(_through_units(network) for network in SCALES),
)
BOUND = sp.sqrt(CLOSED) + sp.sqrt(2) * SUM


def _through_all(which: str, of: Flat) -> Case:
    paired, root = SUM * of.front + of.back, sp.sqrt(CLOSED)
    pair = {
        "a_ve": paired, "p_ve": root, "q_ve": _size(of.row.of.network), "e_ve": _tokens(of) + _read_share(of),
        "f_ve": _behind(of),
    }  # fmt: skip
    rest = {"a_ve": of.pair, "p_ve": sp.sqrt(2), "q_ve": 2, "e_ve": _arguments(of), "f_ve": _outputs(of)}
    return stated(
        f"{LABEL}.flat", which,
        Step(sp.Abs(of.bend), "|p|"),
        Step(2 * sp.Abs(paired) + 2 * SUM * sp.Abs(of.pair), "in two parts", "",
             Instance(f"{VECTORS}.parted", {"a_ve": paired, "b_ve": of.pair, "s_ve": SUM, "c_ve": of.bend})),
        Step(root + 2 * SUM * sp.Abs(of.pair), "pairs", "at unit length", (
            f"{unit.label}[{which}]", f"{pairs.label}[{which}]", f"{units.label}[{of.row.of.network}]",
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
    cases=_cases(_through_all),
)
