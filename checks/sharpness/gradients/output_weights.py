"""Theorem 14: the gradient in F. Its last column writes values; the others move keys and the query of layer 2."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import completed
from boundaudit.checks.sharpness.disjoint_supports import ALL_OF_F, EXACT, ONE_TILE, TWO_READINGS
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
    Link,
    block_proof,
    claim,
    closed,
    differentiated,
    networks,
    proof,
    proofs_of,
)
from boundaudit.checks.sharpness.targets import BOTH, STEEP, WIDE
from boundaudit.derivations.sharpness import gradients as theorem
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.parameters import D, T, omega, u
from boundaudit.numeric.sharpness.construction import Blocks
from boundaudit.numeric.sharpness.row_sums import Rows, averaged, diameter, squared_length

_Part = Callable[[Rows], Tensor]
_HIDDEN = "sharpness.activations.hidden"
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
    statement="The gradient of the construction's output in F is that of F's last column alone: no other column, all "
    "of which write positions, moves the output.",
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
            statement="The squared gradient of the construction's output in the last column of F is at most 4ω(D+1) "
            "for components of D positions side by side, T ≥ 4 and coefficients from T⁻⁴ to 1 in the unit ball: with "
            "the other columns left out of the parameters the printed term holds.",
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


def _largest(r: Rows) -> Tensor:
    """|h(1)|²."""
    return squared_length(torch.where(r.units.real, (1 + r.units.bias).relu(), 0.0))


def _length(r: Rows) -> Tensor:
    return (r.a * squared_length(r.hidden)).sum(-1)


def _out(r: Rows) -> Tensor:
    return squared_length(r.hidden[:, -1])


def _log(r: Rows) -> Tensor:
    return r.batch.length.double().log() ** 2


def _parts(values: _Part, keys: _Part, query: _Part) -> _Part:
    """C² times the sum of three parts, the second of which counts |w2|² times."""
    return lambda r: r.total**2 * (values(r) + r.keys * keys(r) + query(r))


def _distances(times: _Part) -> _Part:
    """With a multiple of the largest distances of two rows' hidden units, and of two logits."""
    return _parts(
        _length,
        lambda r: (times(r) * diameter(r.hidden)) ** 2,
        lambda r: (times(r) * (r.logits.amax(-1) - r.logits.amin(-1))) ** 2 * _out(r),
    )


_SHARP = "sharpness.gradients.F.sharp"
_STEPS: tuple[Link, ...] = (
    ("lengths averaged", _parts(
        _length, lambda r: squared_length(averaged(r.pull, r.hidden)),
        lambda r: (r.pull * r.logits).sum(-1) ** 2 * _out(r)), "Jensen", None),
    ("P times the largest distances", _distances(lambda r: r.excess), "two averages", None),
    ("P by the mean", _distances(lambda r: r.most_variance), "P ≤ m (1 - m)", "sharpness.averages.deviation"),
    ("P at most 1/4", _distances(lambda r: 0.25 + 0 * r.mean), "m (1 - m) ≤ 1/4", "sharpness.averages.quarter"),
    ("logits at most 2 log T in size", _parts(
        _length, lambda r: diameter(r.hidden) ** 2 / 16, lambda r: _log(r) * _out(r)),
     "one logit at a time", "sharpness.norms.W2.upper"),
    ("the largest length", _parts(_largest, lambda r: diameter(r.hidden) ** 2 / 16, lambda r: _log(r) * _largest(r)),
     "|h| ≤ |h(1)|", f"{_HIDDEN}.length"),
    ("C² (|h(1)|² (1 + log²T) + |w2|² |h(1) - h(0)|²/16)", theorem.SHARP["F"], "|h - h'| ≤ |h(1) - h(0)|",
     f"{_HIDDEN}.spread"),
)  # fmt: skip
"""With P = Σ a (g - m)₊ and m = Σ a g."""

H_AND_R = "H = (2D+1) (2(D+1)/(3D) + 5u/(16D²)) and R = 2(D+1)(2D+1)/(3D) - (8-u)/(8D)"


sharp = claim(
    label=_SHARP,
    statement="The squared gradient of the construction's output in F is at most C² (H (1 + log²T) + R |w2|²/16), "
    f"{H_AND_R} the largest squared length of a row's hidden units and the largest squared distance of two rows', u "
    "= 1 or 2 the width of a trapezoid's flank and |w2|² the sum of the squared logits log c + 2 log T of layer 2; for "
    "every family of components of D positions, coefficients from T⁻⁴ to 1, C their sum, and every input.",
    role="improvement",
    right=theorem.SHARP["F"],
    domain=FLOORED,
    expected="supported",
    repairs=(last_column_only.label,),
    improves="sharpness.gradients.F.repaired",
    cases=networks("F", lambda network: block_proof(_SHARP, "F", network, FLOORED, *_STEPS)),
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


def _simplified(network: str) -> Derivation:
    bounded = theorem.SHARP["F"]
    return proof(
        "sharpness.gradients.F.repaired", network, IN_THE_BALL,
        Step(MEASURED[network]["F"], "measured gradient in F"),
        Step(bounded, "its sharp bound", "", f"{_SHARP}[{network}]"),
        Step(bounded.subs(SUM**2, omega), "C² ≤ ω", "", "sharpness.norms.V2.printed"),
        Step(theorem.F_SHARP, "|w2|² ≤ 4ω log²T", "", "sharpness.norms.W2.upper"),
        Step(theorem.F_REPAIRED, "simpler", "", simple.label),
    )  # fmt: skip


repaired = claim(
    label="sharpness.gradients.F.repaired",
    statement="The squared gradient of the construction's output in F is at most ω(D+1)(4 + (ω+4) log²T), for every "
    "family of components of D positions, coefficients from T⁻⁴ to 1 in the unit ball and every input.",
    right=theorem.F_REPAIRED,
    domain=IN_THE_BALL,
    expected="supported",
    repairs=(printed.label,),
    cases=networks("F", _simplified),
)

proofs = proofs_of(sharp, repaired)

# --- growth ---------------------------------------------------------------------------------------

_ON_FOUR_BITS = completed(
    closed("F", "ideal"), lambda p: {"T": p["T"], "D": 1, "omega": 4, "u": 1, "c": (0.5,) * 4, "n_e": 2, "n_r": 0}
)


growth = claim(
    label="sharpness.gradients.F.growth",
    statement="The squared gradient in F grows with the length, like log²T: for four bits with coefficients 1/2, two "
    "of them set, and the steep trapezoid it is at least (25/8) (2 log T - log 2)² in the ideal network, T ≥ 4.",
    left=Quantity(
        "squared gradient in F for four bits, ideal network", _ON_FOUR_BITS, r"\|\partial f / \partial F\|^2",
        lambda: theorem.four_bits(), rounding=1e-10, scale=1.0,
    ),
    relation=">=",
    right=sp.Rational(25, 8) * (2 * sp.log(T) - sp.log(2)) ** 2,
    domain=Domain({T: Integers(4, tested_to=400)}),
    kind="Rate",
    mode="as T→∞",
    expected="proved",
    limitations=(IDEAL_NETWORK, "No bound that is free of T can hold for F."),
)  # fmt: skip
