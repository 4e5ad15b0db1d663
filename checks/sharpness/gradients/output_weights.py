"""Theorem 14: the gradient in F. Its last column writes values; the others move keys and the query of layer 2."""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.sharpness.disjoint_supports import ALL_OF_F, EXACT, ONE_TILE, TWO_READINGS
from boundaudit.checks.sharpness.gradients.rows import (
    ATTENTION,
    AVERAGED,
    KEYS_SQUARED,
    LAST,
    LEVELS,
    OUTPUTS,
    RISE,
    RISEN,
    TOP,
    columns_squared,
    mean,
    moved,
    parts_of_f,
    units_total,
)
from boundaudit.checks.sharpness.gradients.shared import (
    FLOORED,
    GRADIENT,
    IDEAL_NETWORK,
    IN_THE_BALL,
    KINDS,
    MEASURED,
    ONE_COLUMN,
    SQUARED,
    TILINGS,
    claim,
    differentiated,
    networks,
    proof,
    proofs_of,
)
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, j, omega, u
from boundaudit.numeric.sharpness.construction import Blocks

_HIDDEN, _ROWS = "sharpness.activations.hidden", "sharpness.gradients.rows"
_BELOW_ONE, _COVARIANCE = "sharpness.averages.below-one", "sharpness.averages.covariance"
_ON = {"steep": TILINGS.replace(u=STEEP), "wide": TILINGS.replace(u=WIDE)}


def _part(name: str) -> sp.Expr:
    """A part of F's squared gradient in the finite network."""
    return theorem.output_weights(KINDS["finite"])[name]


def _last_column(found: Blocks) -> Tensor:
    return found.F[..., -1].square().sum(-1)


def _other_columns(found: Blocks) -> Tensor:
    return found.F[..., :-1].square().sum((-1, -2))


last_column_only = claim(
    label="sharpness.gradients.F.last-column-only",
    statement="The gradient of the construction's output in F is that of F's last column alone: the other columns, "
    "which write into the positions' channels, do not move the output.",
    role="printed",
    left=Quantity(
        "squared gradient in the other columns of F, by automatic differentiation",
        differentiated(_other_columns, kinks=True),
        r"\sum_{k < d+1} \|\partial f / \partial F_{\cdot k}\|^2",
        lambda: _part("keys") + _part("query"),
        rounding=1e-9,
        scale=1.0,
    ),
    relation="=",
    right=0,
    domain=TILINGS,
    reading="plausible",
    expected="refuted",
    limitations=(
        "The text bounds the last column and lets the other terms of df/dX2 vanish in the last dimension; they "
        "vanish there, but F writes to every column, and the columns of positions are keys of layer 2.",
    ),
)

printed = claim(
    label="sharpness.gradients.F.printed",
    statement="The squared gradient of the construction's output in F is at most 4ω(D+1) for components of D positions "
    "side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball.",
    role="printed",
    right=theorem.PUBLISHED["F"],
    reading="plausible",
    expected="refuted",
    rests_on=(last_column_only.label, f"{_HIDDEN}.norm"),
    cases=(
        *(
            Case(
                f"{name},{network}", left=GRADIENT[network]["F"], domain=domain,
                limitations=(
                    SQUARED, TWO_READINGS, ALL_OF_F, *((IDEAL_NETWORK,) if network == "ideal" else (EXACT,))
                ),
            )
            for network in ("finite", "ideal")
            for name, domain in _ON.items()
        ),
        Case(
            ONE_COLUMN,
            statement="The squared gradient of the construction's output in the last column of F is at most 4ω(D+1): "
            "the printed term holds where this column alone has parameters. For components of D positions side by "
            "side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball.",
            left=Quantity(
                "squared gradient in the last column of F, by automatic differentiation",
                differentiated(_last_column, kinks=True),
                r"\|\partial f / \partial F_{\cdot, d+1}\|^2",
                lambda: _part("values"),
                rounding=1e-9,
                scale=1.0,
            ),
            domain=TILINGS,
            expected="supported",
            rests_on=(f"{_HIDDEN}.norm",),
            limitations=(SQUARED, EXACT, ONE_TILE),
        ),
    ),
)  # fmt: skip

# --- for every family and input -------------------------------------------------------------------


_SHARP = "sharpness.gradients.F.sharp"


def _steps(network: str) -> Derivation:
    a, g, m = ATTENTION[network], OUTPUTS[network], mean(network)
    top, rise, levels = (family[network] for family in (TOP, RISE, LEVELS))
    log, spread = sp.log(T) ** 2, (m * (1 - m)) ** 2
    length, rises, keys = units_total(top[j] ** 2), units_total(rise[j] ** 2), KEYS_SQUARED[network].atom
    moves = units_total(rise[j] ** 2 * moved(network, lambda t: RISEN[network][t, j]) ** 2)
    turning = moved(network, lambda t: levels[t])
    turned = 16 * log * turning**2
    rows = {"n_av": T + 1, "a_av": a, "g_av": g}
    weights, average = f"{_ROWS}.weights[{network}]", Instance("sharpness.averages.mean", rows)
    pairs = {**rows, "m_av": m}
    each = {"over": (j, 1, UNITS), "weight": top[j] ** 2}
    return proof(
        _SHARP, network, FLOORED,
        Step(MEASURED[network]["F"], "measured gradient in F"),
        Step(columns_squared(network), "row by row", "chain rule", f"{_ROWS}.F[{network}]"),
        Step(parts_of_f(network, length, moves, turned * length), "units at most as at one", "they rise with s", (
            Instance(_BELOW_ONE, {"m_av": AVERAGED[network][j]}, **each),
            Instance(_BELOW_ONE, {"m_av": LAST[network][j]}, **each),
        )),
        Step(parts_of_f(network, length, spread * rises, turned * length), "keys by the mean",
             "|Σ a (g-m) z| ≤ m (1-m)",
             (weights, average, Instance(_COVARIANCE, {**pairs, "q_av": lambda t: RISEN[network][t, j]},
                                         over=(j, 1, UNITS), weight=rise[j] ** 2))),
        Step(parts_of_f(network, length, spread * rises, 16 * log * spread * length), "the query by the mean",
             "|Σ a (g-m) l| ≤ m (1-m)", (
                 weights, average,
                 *(Instance(f"{_COVARIANCE}.{way}", {**pairs, "q_av": levels}) for way in ("up", "down")),
                 Instance("sharpness.averages.within", {"m_av": m, "v_av": turning}),
             )),
        Step(SUM**2 * (length * (1 + log) + keys * rises / 16), "1/16", "m (1-m) ≤ 1/4",
             (weights, average, Instance("sharpness.averages.spread", {"m_av": m}))),
        Step(SUM**2 * (LENGTH * (1 + log) + keys * rises / 16), "|h(1)|²", "summed",
             (f"{_ROWS}.top[{network}]", f"{_HIDDEN}.length.closed-form")),
        Step(SUM**2 * (LENGTH * (1 + log) + keys * SPREAD / 16), "|h(1) - h(0)|²", "summed",
             (f"{_ROWS}.rise[{network}]", f"{_HIDDEN}.spread.closed-form")),
        Step(theorem.SHARP["F"], "C² (|h(1)|² (1 + log²T) + |w2|² |h(1) - h(0)|²/16)", "the logits as written down",
             f"{_ROWS}.keys[{network}]"),
    )  # fmt: skip


H_AND_R = "H = (2D+1) (2(D+1)/(3D) + 5u/(16D²)) and R = 2(D+1)(2D+1)/(3D) - (8-u)/(8D)"


sharp = claim(
    label=_SHARP,
    statement="At every input the squared gradient of the construction's output in F is at most C² (H (1 + log²T) + "
    "R |w2|²/16), for every family of components of D positions and coefficients from T⁻⁴ to 1, C their sum. "
    f"{H_AND_R} are the largest squared length of a row's hidden units and the largest squared distance of two rows', "
    "|w2|² is the sum of the squared logits log c + 2 log T of layer 2, and u = 1 (steep) or 2 (wide).",
    role="improvement",
    right=theorem.SHARP["F"],
    domain=FLOORED,
    expected="proved",
    repairs=(last_column_only.label,),
    improves="sharpness.gradients.F.repaired",
    cases=networks("F", _steps),
)


simple = claim(
    label="sharpness.gradients.F.simple",
    statement=f"ω (H (1 + log²T) + ω R log²T/4), {H_AND_R}, is at most ω(D+1)(4 + (ω+4) log²T), u = 1 or 2.",
    left=theorem.F_SHARP,
    right=theorem.F_REPAIRED,
    domain=Domain({
        T: Integers(2, tested_to=200), D: Integers(1, tested_to=200), omega: Integers(1, tested_to=200), u: BOTH,
    }),
    expected="proved",
)  # fmt: skip


in_the_ball = claim(
    label="sharpness.gradients.F.ball",
    statement="The square of the sum C of ω coefficients in the unit ball is at most ω.",
    left=SUM**2,
    right=omega,
    domain=IN_THE_BALL,
    expected="proved",
)

short_keys = claim(
    label="sharpness.gradients.F.keys",
    statement="The squared logits log c + 2 log T of ω coefficients from T⁻⁴ to 1 add up to at most 4ω log²T.",
    left=KEYS,
    right=4 * omega * sp.log(T) ** 2,
    domain=FLOORED,
    expected="proved",
)


def in_sizes(others: sp.Expr) -> Iterator[Step]:
    """From F's sharp bound, beside others that grow with C², to one in T, D, ω and u alone.

    Args:
        others: What is added to it.

    Yields:
        Steps.
    """
    log = sp.log(T) ** 2
    length, spread = LENGTH * (1 + log), omega * SPREAD * log / 4
    sized = others.subs(SUM**2, omega)
    yield Step(others + SUM**2 * (length + spread), "|w2|² ≤ 4ω log²T", "", short_keys.label)
    yield Step(sized + omega * length + SUM**2 * spread, "C² ≤ ω", "", in_the_ball.label)
    yield Step(sized + theorem.F_SHARP, "C² ≤ ω in F's other columns", "", in_the_ball.label)


def _simplified(network: str) -> Derivation:
    return proof(
        "sharpness.gradients.F.repaired", network, IN_THE_BALL,
        Step(MEASURED[network]["F"], "measured gradient in F"),
        Step(theorem.SHARP["F"], "its sharp bound", "", f"{_SHARP}[{network}]"),
        *in_sizes(sp.S.Zero),
        Step(theorem.F_REPAIRED, "simpler", "", simple.label),
    )  # fmt: skip


repaired = claim(
    label="sharpness.gradients.F.repaired",
    statement="The squared gradient of the construction's output in F is at most ω(D+1)(4 + (ω+4) log²T), for every "
    "family of components of D positions, coefficients from T⁻⁴ to 1 in the unit ball and every input.",
    right=theorem.F_REPAIRED,
    domain=IN_THE_BALL,
    expected="proved",
    repairs=(printed.label,),
    cases=networks("F", _simplified),
)

proofs = proofs_of(sharp, repaired)
