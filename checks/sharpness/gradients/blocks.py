"""Theorem 14, block by block behind the MLP: the printed bounds, and sharper ones for every family and input."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.rows import (
    ATTENTION,
    AVERAGED,
    KEYS_SQUARED,
    LAST,
    LEVELS,
    LIVE,
    ON,
    OUTPUTS,
    RISE,
    RISEN,
    SEEN,
    TOP,
    averaged_squared,
    columns_squared,
    keys_squared,
    lengths_squared,
    mean,
    moved,
    parts_of_f,
    queries_squared,
    total,
    units_total,
    variance,
)
from boundaudit.checks.sharpness.gradients.shared import (
    FLOORED,
    GRADIENT,
    IDEAL_NETWORK,
    IN_THE_BALL,
    INPUTS,
    KINDS,
    LAST_COLUMN,
    MEASURED,
    ONE_COLUMN,
    SQUARED,
    TILINGS,
    claim,
    closed,
    differentiated,
    latex,
    networks,
    numbered,
    proof,
    proofs_of,
)
from boundaudit.checks.sharpness.mlp import DEGREES
from boundaudit.checks.sharpness.targets import (
    ALL_OF_F,
    BOTH,
    EXACT,
    ON_A_KINK,
    STEEP,
    TWO_READINGS,
    WIDE,
    by_trapezoid,
)
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import KEYS
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, j, omega, t, u
from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.row_sums import squared_length

_FORMULAS = {"V2": "4", "W2": "4ω", "Gamma": "64 ω D²(D+1)", "M": "64 ω D²(D+1)"}
_LIVE = "32 C² D²(D+1)/u², u = 1 for the steep and 2 for the wide trapezoid: half of the hidden units can act at once"
_SHARPER = {
    "V2": "2, as attention sums to one",
    "W2": "3C²/8: half of the attention on rows at one, half on rows at zero, is the worst",
    "Gamma": _LIVE,
    "M": _LIVE,
}
_USES = {
    "V2": ("sharpness.activations.stream.rows",),
    "W2": (
        "sharpness.softmax.jacobian.printed", "sharpness.activations.stream.rows",
        "sharpness.activations.values.largest-sparsity",
    ),
    "Gamma": ("sharpness.gradients.slope.active",),
    "M": ("sharpness.gradients.slope.active", "sharpness.activations.averaged"),
}  # fmt: skip
"""What the printed proof of a bound goes through."""

_SQUARED_SUM = "sharpness.gradients.F.ball"
_half = sp.Rational(1, 2)
_ONE_BIT = {"T": 4, "D": 1, "omega": 1, "u": 1, "c": (1,), "S": ((1,),)}
_TWO_BITS = {"T": 4, "D": 1, "omega": 2, "u": 1, "c": (_half, _half), "S": ((1,), (2,))}
_ATTAINED = {
    "V2": {**_ONE_BIT, "x_n": 0},
    "W2": {**_TWO_BITS, "x_n": 4},
    "Gamma": {**_ONE_BIT, "x_n": 15},
    "M": {**_ONE_BIT, "x_n": 15},
}
"""No bit set; the second of four set; all of them set."""


def printed_label(block: str) -> str:
    """The label of a printed bound of this module."""
    return f"sharpness.gradients.{block}.printed"


def _printed(block: str) -> Claim:
    label = printed_label(block)

    def chain(network: str) -> Derivation:
        return proof(
            label, network, IN_THE_BALL,
            Step(MEASURED[network][block], f"measured gradient in {block}"),
            Step(theorem.SHARP[block], "its sharp bound", "", f"{sharp_label(block)}[{network}]"),
            Step(theorem.PUBLISHED[block], "as printed", "C² ≤ ω", _SQUARED_SUM),
        )  # fmt: skip

    return claim(
        label=label, role="printed", reading="plausible", expected="proved",
        statement=f"At every input the squared gradient of the construction's output in {block} is at most "
        f"{_FORMULAS[block]}; for every family of components of D positions, coefficients from T⁻⁴ to 1 in the unit "
        "ball and either trapezoid.",
        right=theorem.PUBLISHED[block], domain=IN_THE_BALL, rests_on=_USES[block],
        cases=networks(block, chain, reading="certain" if block in ("Gamma", "M") else "plausible"),
    )  # fmt: skip


# --- for every family and input -------------------------------------------------------------------


@by_trapezoid
def _on_at_one(at: Columns, mlp: Trapezoid) -> Tensor:
    found = units(at.whole("D"), mlp)
    return squared_length(torch.where(1 + found.bias > 0, found.output, 0.0))


live = claim(
    label="sharpness.gradients.live", relation="=", expected="proved",
    statement="The squared output weights of the hidden units that are on where a row averages its bits to one add up "
    "to 32 D²(D+1)/u², u = 1 for the steep and 2 for the wide trapezoid: of the last grid point only two of four are.",
    left=Quantity(
        "squared output weights of units on at one", _on_at_one, r"\sum_j F_j^2 [1 + \gamma_j > 0]",
        theorem.live_by_units, rounding=1e-11,
    ),
    right=theorem.LIVE, domain=DEGREES,
)  # fmt: skip


def _v2(network: str) -> Derivation:
    a, g, m = ATTENTION[network], OUTPUTS[network], mean(network)
    weights, n = f"sharpness.gradients.rows.weights[{network}]", {"n_av": T + 1}
    return proof(
        sharp_label("V2"), network, INPUTS,
        Step(MEASURED[network]["V2"], "measured gradient in V2"),
        Step(lengths_squared(network), "row by row", "chain rule", f"sharpness.gradients.rows.V2[{network}]"),
        Step(total(a[t]) + m**2, "squares by their sum", "weights are at most one",
             Instance("sharpness.averages.squares", {**n, "a_av": a})),
        Step(theorem.SHARP["V2"], "2", "an average of outputs is at most one",
             (weights, Instance("sharpness.averages.mean", {**n, "a_av": a, "g_av": g}))),
    )  # fmt: skip


def _w2(network: str) -> Derivation:
    a, g, m, var = ATTENTION[network], OUTPUTS[network], mean(network), variance(network)
    weights, rows_of = f"sharpness.gradients.rows.weights[{network}]", {"n_av": T + 1, "a_av": a}
    scale = queries_squared(network)
    about = {**rows_of, "g_av": g, "m_av": m}
    known = weights, Instance("sharpness.averages.mean", {**rows_of, "g_av": g})
    return proof(
        sharp_label("W2"), network, INPUTS,
        Step(MEASURED[network]["W2"], "measured gradient in W2"),
        Step(keys_squared(network), "row by row", "chain rule", f"sharpness.gradients.rows.W2[{network}]"),
        Step(
            scale * ((1 - m) ** 2 * total(a[t] ** 2 * g[t] ** 2) + m**2 * total(a[t] ** 2 * (1 - g[t]) ** 2) + var**2),
            "pulls up and down", "g - m = (1-m) g - m (1-g)", (*known, Instance("sharpness.averages.pulls", about)),
        ),
        Step(
            scale * ((1 - m) ** 2 * m**2 + m**2 * total(a[t] * (1 - g[t])) ** 2 + var**2), "squares by their sum",
            "numbers of one sign", (
                Instance("sharpness.averages.whole", {**rows_of, "a_av": lambda t: a[t] * g[t]}),
                Instance("sharpness.averages.whole", {**rows_of, "a_av": lambda t: a[t] * (1 - g[t])}),
            ),
        ),
        Step(scale * (2 * (m * (1 - m)) ** 2 + var**2), "in the mean", "weights add up to one", weights),
        Step(3 * scale / 16, "3/16", "Var ≤ m (1-m) ≤ 1/4", (
            *known, Instance("sharpness.averages.variance", about), Instance("sharpness.averages.spread", {"m_av": m}),
            Instance("sharpness.averages.sixteenth", {"m_av": m, "v_av": var}),
        )),
        Step(theorem.SHARP["W2"], "3C²/8", "outputs are at most one"),
    )  # fmt: skip


def _gated(block: str, share: dict[str, Family]) -> Callable[[str], Derivation]:
    """Both blocks: what a unit that is on at one receives is at most its output weight."""

    def chain(network: str) -> Derivation:
        lemma = Instance(
            "sharpness.averages.below-one", {"m_av": share[network][j]}, over=(j, 1, UNITS), weight=LIVE[network][j]
        )
        return proof(
            sharp_label(block), network, INPUTS,
            Step(MEASURED[network][block], f"measured gradient in {block}"),
            Step(SUM**2 * units_total(LIVE[network][j] * share[network][j] ** 2), "unit by unit", "chain rule",
                 f"sharpness.gradients.rows.{block}[{network}]"),
            Step(SUM**2 * units_total(LIVE[network][j]), "units on at one", "averages are at most one", lemma),
            Step(SUM**2 * theorem.live_by_units(), "each by its weight", "written down",
                 f"sharpness.gradients.rows.live[{network}]"),
            Step(theorem.SHARP[block], "32 C² D²(D+1)/u²", "summed", live.label),
        )  # fmt: skip

    return chain


_PROOFS: dict[str, Callable[[str], Derivation]] = {
    "V2": _v2,
    "W2": _w2,
    "Gamma": _gated("Gamma", ON),
    "M": _gated("M", SEEN),
}  # fmt: skip


def sharp_label(block: str) -> str:
    """The label of a bound for every family and input."""
    return f"sharpness.gradients.{block}.sharp"


def _sharp(block: str) -> Claim:
    label = sharp_label(block)
    return claim(
        label=label, expected="proved",
        statement=f"At every input the squared gradient of the construction's output in {block} is at most "
        f"{_SHARPER[block]}; for every family of components of D positions and all positive coefficients, C their sum.",
        right=theorem.SHARP[block], domain=INPUTS, improves=printed_label(block),
        cases=networks(
            block, _PROOFS[block], kind="Tight",
            equality=(_ATTAINED[block],),
        ),
    )  # fmt: skip


printed = tuple(_printed(block) for block in _FORMULAS)
sharp = tuple(_sharp(block) for block in _FORMULAS)
proofs = proofs_of(*sharp, *printed)


# --- layer 1 in closed form ------------------------------------------------------------------------


def _closed(block: str) -> Quantity:
    return Quantity(
        f"squared gradient in {block} in closed form", closed(block, "finite", numbered), latex(block), rounding=1e-9,
        scale=1.0, except_at=ON_A_KINK,
    )  # fmt: skip


closed_forms = claim(
    label="sharpness.gradients.closed-forms", relation="=",
    statement="The squared gradients in W1 and V1 by automatic differentiation are their closed forms in the masses of "
    "rows, for any family of components and any input off the kinks.",
    domain=INPUTS,
    cases=tuple(Case(block, left=_closed(block), right=MEASURED["finite"][block]) for block in ("W1", "V1")),
)  # fmt: skip


# --- the gradient in F. Its last column writes values; the others move keys and the query of layer 2 ---

_HIDDEN, _ROWS = "sharpness.activations.hidden", "sharpness.gradients.rows"
_BELOW_ONE, _COVARIANCE = "sharpness.averages.below-one", "sharpness.averages.covariance"
_ON = {"steep": TILINGS.replace(u=STEEP), "wide": TILINGS.replace(u=WIDE)}


def _part(name: str) -> sp.Expr:
    """A part of F's squared gradient in the finite network."""
    return theorem.output_weights(KINDS["finite"])[name]


def _other_columns(found: Blocks) -> Tensor:
    return found.F[..., :-1].square().sum((-1, -2))


last_column_only = claim(
    label="sharpness.gradients.F.last-column-only", role="printed", relation="=", reading="plausible",
    expected="refuted",
    statement="The gradient of the construction's output in F is that of F's last column alone: the other columns, "
    "which write into the positions' channels, do not move the output.",
    left=Quantity(
        "squared gradient in the other columns of F, by automatic differentiation",
        differentiated(_other_columns, kinks=True),
        r"\sum_{k < d+1} \|\partial f / \partial F_{\cdot k}\|^2",
        lambda: _part("keys") + _part("query"),
        rounding=1e-9,
        scale=1.0,
    ),
    right=0, domain=TILINGS,
    limitations=(
        "The text bounds the last column and lets the other terms of df/dX2 vanish in the last dimension; they "
        "vanish there, but F writes to every column, and the columns of positions are keys of layer 2.",
    ),
)  # fmt: skip


def _of_last_column(network: str) -> Case:
    """The printed term of F, where its last column alone has parameters."""
    top, left = TOP[network], MEASURED[network][LAST_COLUMN]
    below_one = Instance(_BELOW_ONE, {"m_av": AVERAGED[network][j]}, over=(j, 1, UNITS), weight=top[j] ** 2)
    return Case(
        ONE_COLUMN if network == "finite" else f"{ONE_COLUMN},{network}",
        statement="At every input the squared gradient of the construction's output in the last column of F is at most "
        "4ω(D+1): the printed term holds where this column alone has parameters. For every family of components of D "
        "positions and coefficients from T⁻⁴ to 1 in the unit ball.",
        left=left, domain=IN_THE_BALL, expected="proved", rests_on=(f"{_HIDDEN}.norm",),
        derivation=proof(
            f"sharpness.gradients.F.printed.{LAST_COLUMN}", network, IN_THE_BALL,
            Step(left, "measured gradient in F's last column"),
            Step(SUM**2 * averaged_squared(network), "row by row", "chain rule", f"{_ROWS}.{LAST_COLUMN}[{network}]"),
            Step(SUM**2 * units_total(top[j] ** 2), "units at most as at one", "they rise with s", below_one),
            Step(SUM**2 * LENGTH, "|h(1)|²", "summed", (f"{_ROWS}.top[{network}]", f"{_HIDDEN}.length.closed-form")),
            Step(4 * SUM**2 * (D + 1), "|h(1)|² ≤ 4(D+1)", "", f"{_HIDDEN}.length.simple"),
            Step(theorem.PUBLISHED["F"], "C² ≤ ω", "", _SQUARED_SUM),
        ),
        limitations=(SQUARED, *((IDEAL_NETWORK,) if network == "ideal" else ())),
    )  # fmt: skip


output_weights_printed = claim(
    label="sharpness.gradients.F.printed", role="printed", reading="plausible", expected="refuted",
    statement="The squared gradient of the construction's output in F is at most 4ω(D+1) for components of D positions "
    "side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball.",
    right=theorem.PUBLISHED["F"], rests_on=(last_column_only.label, f"{_HIDDEN}.norm"),
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
        *map(_of_last_column, MEASURED),
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


output_weights_sharp = claim(
    label=_SHARP, role="improvement", expected="proved",
    statement="At every input the squared gradient of the construction's output in F is at most C² (H (1 + log²T) + "
    "R |w2|²/16), for every family of components of D positions and coefficients from T⁻⁴ to 1, C their sum. "
    f"{H_AND_R} are the largest squared length of a row's hidden units and the largest squared distance of two rows', "
    "|w2|² is the sum of the squared logits log c + 2 log T of layer 2, and u = 1 (steep) or 2 (wide).",
    right=theorem.SHARP["F"], domain=FLOORED, repairs=(last_column_only.label, output_weights_printed.label),
    cases=networks("F", _steps),
)  # fmt: skip


simple = claim(
    label="sharpness.gradients.F.simple", expected="proved",
    statement=f"ω (H (1 + log²T) + ω R log²T/4), {H_AND_R}, is at most ω(D+1)(4 + (ω+4) log²T), u = 1 or 2.",
    left=theorem.F_SHARP, right=theorem.F_REPAIRED,
    domain=Domain({
        T: Integers(2, tested_to=200), D: Integers(1, tested_to=200), omega: Integers(1, tested_to=200), u: BOTH,
    }),
)  # fmt: skip


in_the_ball = claim(
    label=_SQUARED_SUM, expected="proved",
    statement="The square of the sum C of ω coefficients in the unit ball is at most ω.",
    left=SUM**2, right=omega, domain=IN_THE_BALL,
)  # fmt: skip

short_keys = claim(
    label="sharpness.gradients.F.keys", expected="proved",
    statement="The squared logits log c + 2 log T of ω coefficients from T⁻⁴ to 1 add up to at most 4ω log²T.",
    left=KEYS, right=4 * omega * sp.log(T) ** 2, domain=FLOORED,
)  # fmt: skip


def in_sizes(others: sp.Expr) -> Iterator[Step]:
    """From F's sharp bound, beside others that grow with C², to one in T, D, ω and u alone."""
    log = sp.log(T) ** 2
    length, spread = LENGTH * (1 + log), omega * SPREAD * log / 4
    sized = others.subs(SUM**2, omega)
    yield Step(others + SUM**2 * (length + spread), "|w2|² ≤ 4ω log²T", "", short_keys.label)
    yield Step(sized + omega * length + SUM**2 * spread, "C² ≤ ω", "", in_the_ball.label)
    yield Step(sized + theorem.F_SHARP, "C² ≤ ω in F's other columns", "", in_the_ball.label)


output_weights_proofs = proofs_of(output_weights_sharp)
