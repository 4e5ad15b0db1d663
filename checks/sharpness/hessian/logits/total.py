"""The norm of Cov(v, l''), from its leading direction to a closed form."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.rows import ATTENTION, KEYS_SQUARED, OUTPUTS, moved, units_total
from boundaudit.checks.sharpness.hessian.directions import own_bound
from boundaudit.checks.sharpness.hessian.families import norm_of
from boundaudit.checks.sharpness.hessian.logits import bends
from boundaudit.checks.sharpness.hessian.logits.bends import BENDS, LABEL, Bends, cases
from boundaudit.checks.sharpness.hessian.logits.pairs import (
    ITSELF,
    by_moves,
    moves_size,
    rest_size,
    rising,
    units_size,
    unused,
)
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, axiom, lemma, stated, weighted
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.hessian_lemmas import TOKEN_BOUND
from boundaudit.derivations.sharpness.hessian_lemmas import UNITS as COUNT
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import T, j

_ROWS_OF = "sharpness.gradients.rows"
_QUARTER = SUM / 4


def _flat(found: Bends) -> sp.Expr:
    """Σ a (g - Σ a g) y."""
    return moved(found.of.network, lambda t: found.level[t])


def _covaried(found: Bends) -> sp.Expr:
    return SUM * found.reach.atom * _flat(found) + 2 * bends.size(found) * unused(found)


form = axiom(
    label=f"{LABEL}.form",
    statement="The operator norm of the part Cov(v, l'') is what its form is along the direction in which it is "
    "largest: C |Σ a (g - Σ a g)(S y + n)|, g the values over C, y how far the logits' bends lie from the least to the "
    "most, S apart, and n what slopes of unused rows add; components rest on plateaus.",
    cases=cases(
        lambda which, found: Case(which, left=norm_of("logits", which), right=lambda: sp.Abs(_covaried(found)))
    ),
)


def _root_size(found: Bends) -> sp.Expr:
    return TOKEN_BOUND * moves_size(found) + _QUARTER**2 * units_size(found)


def _closed_root(found: Bends) -> sp.Expr:
    """With U, A and B in closed form."""
    return _root_size(found).xreplace({_ready(found): COUNT})


def _ready(found: Bends) -> sp.Expr:
    return units_total(found.ready(j) ** 2)


def _closing(found: Bends) -> Iterator[Step]:
    if not found.one_column:
        n = found.of.network
        yield Step(_closed_root(found), "U", "as written down", (
            f"{_ROWS_OF}.ready[{n}]", "sharpness.hessian.gates.units.closed-form",
            Instance("sharpness.averages.squares", {"n_av": UNITS, "a_av": found.ready}),
        ))  # fmt: skip


def _in_root(found: Bends) -> sp.Expr:
    return bends.size(found) * by_moves(found) + _QUARTER * found.by_units


def _root(which: str, found: Bends) -> Case:
    moving, gates, outputs = found.moving.atom, found.gating.atom, found.writing.atom
    halves = 4 * outputs * (moving + gates)
    return stated(
        f"{LABEL}.root", which,
        Step((2 * _in_root(found)) ** 2, "moves, and units"),
        Step(_root_size(found) * halves, "by lengths", "two shares of a direction", (
            f"{LABEL}.by-moves[{which}]", f"{LABEL}.by-units[{which}]",
            f"sharpness.hessian.moved-rows.moved[{found.row.name}]", f"{bends.shares.label}[moving-{which}]",
            weighted(_QUARTER**2, found.by_units ** 2, units_size(found) * (gates * outputs)),
            Instance(f"{VECTORS}.across", {
                "s_ve": bends.size(found), "u_ve": TOKEN_BOUND, "e_ve": moving, "a_ve": by_moves(found),
                "p_ve": moves_size(found), "b_ve": _QUARTER * found.by_units, "q_ve": _QUARTER**2 * units_size(found),
                "f_ve": gates, "o_ve": outputs,
            }),
        )),
        Step(_root_size(found), "at most halves", "at unit length", (
            f"{LABEL}.unit[entries-{which}]", Instance(f"{VECTORS}.whole", {"e_ve": outputs, "f_ve": moving + gates}),
            weighted(_root_size(found), halves, sp.S.One),
        )),
        *_closing(found),
    )  # fmt: skip


root = lemma(
    label=f"{LABEL}.root",
    statement="What moves of averages of bits, M and Gamma are worth to the bends of two rows' logits, times C/4, and "
    "on slopes is in squares at most Z² (C²/16 (4 |w2|² + ρ²) U + λ² (√3 C/4 + √2/T)²) "
    "+ C²/16 (2 |w2|² + 2 ρ² + (√(2(A+B)) + √(6A))²), U, A and B of units that are on at one.",
    cases=cases(_root),
)


def _sizes(found: Bends) -> sp.Expr:
    return sp.sqrt(_closed_root(found)) + _QUARTER * rest_size(found)


def _gathered(found: Bends) -> Iterator[Step]:
    if not found.one_column:
        keys, root = KEYS_SQUARED[found.of.network].atom, _closed_root(found)
        yield Step(_sizes(found).xreplace({keys: KEYS}), "|w2|²", "as written down", (
            f"{_ROWS_OF}.keys[{found.of.network}]", rising(root, root.xreplace({keys: KEYS})), rising(keys, KEYS),
            weighted(_QUARTER * ITSELF, sp.sqrt(keys), sp.sqrt(KEYS)),
        ))  # fmt: skip
    yield Step(own_bound("logits", found.of.which), "gathered")


def steps(which: str) -> tuple[Step, ...]:
    """From the norm to its bound."""
    found = BENDS[which]
    network = found.of.network
    reach, idle, size = found.reach.atom, unused(found), bends.size(found)
    about = {"n_av": T + 1, "a_av": ATTENTION[network], "g_av": OUTPUTS[network], "q_av": found.level}
    spread = _QUARTER * reach + 2 * size * sp.Abs(idle)
    rest = _QUARTER * 2 * found.by_outputs
    root_size = sp.sqrt(_closed_root(found))
    return (
        Step(norm_of("logits", which), "‖Cov(v, l'')‖"),
        Step(sp.Abs(_covaried(found)), "along its leading direction", "an operator norm is attained",
             f"{form.label}[{which}]"),
        Step(spread, "half of a range", "of values from 0 to C", (
            f"{_ROWS_OF}.weights[{network}]", Instance(f"{VECTORS}.covaried", about),
            Instance(f"{VECTORS}.beside", {"s_ve": SUM * reach, "p_ve": _flat(found), "a_ve": size, "b_ve": idle}),
        )),
        Step(2 * _in_root(found) + rest, "block by block", "chain rule", f"{LABEL}.bend[{which}]"),
        Step(root_size + rest, "moves, and units", "by lengths", (
            f"{LABEL}.root[{which}]",
            Instance(f"{VECTORS}.root", {"a_ve": 2 * _in_root(found), "p_ve": _closed_root(found)}),
        )),
        Step(_sizes(found), "F against W2 and itself", "two shares of a unit direction",
             (f"{LABEL}.by-outputs[{which}]", weighted(2 * _QUARTER, found.by_outputs, rest_size(found) / 2))),
        *_gathered(found),
    )  # fmt: skip
