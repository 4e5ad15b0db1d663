"""The norm of E v'', from its leading direction to a closed form."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Reals
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, IDLE, SLOPES, total
from boundaudit.checks.sharpness.hessian.directions import VALUES
from boundaudit.checks.sharpness.hessian.families import NETWORKS, norm_of
from boundaudit.checks.sharpness.hessian.idle_rows import MASS, leak
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, weighted
from boundaudit.checks.sharpness.hessian.values.flat import BOUND
from boundaudit.checks.sharpness.hessian.values.row import FLATS, LABEL, Flat
from boundaudit.checks.sharpness.hessian.values.slopes import TURN, TURNED, drift
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.hessian_lemmas import TOKEN_BOUND
from boundaudit.derivations.sharpness.mlp import SLOPE
from boundaudit.derivations.sharpness.parameters import T, t
from boundaudit.numeric.sharpness.hessian_directions import over
from boundaudit.numeric.sharpness.hessian_values import Bends, bends

_ROWS = T + 1


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
    flat = _flat(which, FLATS[which])
    return sp.Abs(flat if which == "ideal" else flat + _steep(which))


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
    begun = (
        Step(norm_of("values", which), "‖E v''‖"),
        Step(_form(which), "along its leading direction", "an operator norm is attained", f"{form.label}[{which}]"),
    )
    known = (
        f"sharpness.gradients.rows.weights[{network}]", f"{LABEL}.flat[{which}]", _signed(a, SHARES[which]),
    )  # fmt: skip
    share = total(a[t] * SHARES[which][t])
    if which == "ideal":
        parts = {"a_ve": of.bend, "p_ve": BOUND, "e_ve": share, "f_ve": 1, "b_ve": 0, "q_ve": 0, "s_ve": 0, "g_ve": 0,
                 "c_ve": 0, "r_ve": 0, "t_ve": 0, "h_ve": 0}  # fmt: skip
        alone = Step(BOUND, "row by row", "at most the largest", (*known, Instance(f"{VECTORS}.sizes", parts)))
        return (*begun, alone, Step(BOUND + _TURN + _DRIFT, "as for finite networks"))
    turns, moves = (total(_slope(t) * shares[which][t]) for shares in (TURNS, MOVES))
    parts = {
        "a_ve": of.bend, "p_ve": BOUND, "e_ve": share, "f_ve": 1, "b_ve": TURNED[which].bend, "q_ve": TURN,
        "s_ve": SLOPE * SUM * turns, "g_ve": SLOPE * SUM * MASS, "c_ve": 2 * drift(which),
        "r_ve": sp.sqrt(TOKEN_BOUND), "t_ve": SLOPE * moves, "h_ve": SLOPE,
    }  # fmt: skip
    return (
        *begun,
        Step(BOUND + SLOPE * SUM * MASS * TURN + _DRIFT, "row by row", "at most the largest", (
            *known, f"{LABEL}.turned[{which}]", f"{LABEL}.drift[{which}]",
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
