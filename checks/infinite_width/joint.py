"""Several coordinates and tokens at once: their joint law at a width and in the limit."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.infinite_width import OUTPUTS, PAPER
from boundaudit.checks.language.claim import Case, Claim, Estimate
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Reals, Vector
from boundaudit.checks.measurements import ROUNDING, Columns, small
from boundaudit.derivations.infinite_width import joint as theory
from boundaudit.derivations.infinite_width.joint import A_iw, B_iw, a_iw, f_iw, theta_iw
from boundaudit.derivations.infinite_width.symbols import b_iw, k_iw, n_iw
from boundaudit.numeric.infinite_width.joint import JointLaw, joint_law
from boundaudit.numeric.infinite_width.layer import LayerLaw, layer_law
from boundaudit.numeric.infinite_width.one_output import Inputs

_claim = functools.partial(Claim, paper=PAPER, place=(OUTPUTS,))

# --- measured -------------------------------------------------------------------------------------

LAYERS = {
    "two-tokens": layer_law([[1.0, 0.5], [0.5, 1.0]], 1, query_variance=4.0),
    "three-tokens": layer_law([[1.0, 0.5, 0.0], [0.5, 1.5, 0.2], [0.0, 0.2, 0.8]], 2, query_variance=4.0),
}
"""Tokens that are not orthogonal, with scores so large that attention is far from uniform."""

_CONSTANTS: dict[str, tuple[Inputs, dict[str, sp.Rational]]] = {
    "given-inputs": ("fixed", dict.fromkeys(LAYERS, sp.Rational(3, 5))),
    "random-features": ("features", {"two-tokens": sp.Integer(2), "three-tokens": sp.Rational(7, 2)}),
}
"""What each is, and n times the distance at most."""


def _distance(name: str, law: LayerLaw, inputs: Inputs) -> Estimate:
    """How far the joint characteristic function at width n = 2^b_iw is from the limit's, at a point Θ."""

    @functools.cache
    def drawn(width: int) -> JointLaw:
        return joint_law(law, width, inputs=inputs, draws=2**12, seed=0)

    @functools.lru_cache(maxsize=16)
    def found(width: int, theta: tuple[Any, ...]) -> tuple[Tensor, Tensor]:
        return drawn(width).distance(torch.tensor(theta, dtype=torch.float64))

    def at(part: int, batch: Columns) -> Tensor:
        return found(2 ** int(batch.points[0]["b_iw"]), tuple(point["Theta_iw"] for point in batch.points))[part]

    value, error = (small(functools.partial(at, part), "b_iw") for part in (0, 1))
    return Estimate(name, value, r"|\varphi_n(\Theta) - \varphi(\Theta)|", rounding=ROUNDING, standard_error=error)


def _case(layer: str, given: str) -> Case:
    law, (inputs, constants) = LAYERS[layer], _CONSTANTS[given]
    words = f"{layer}, {given}".replace("-", " ")
    return Case(
        f"{layer},{given}", left=_distance(f"distance of joint characteristic functions, {words}", law, inputs),
        right=constants[layer] / sp.Integer(2) ** b_iw,
        domain=Domain({b_iw: Integers(4, 9), theta_iw: Matrix(2, law.tokens, Reals(tested_to=3))}),
    )  # fmt: skip


converges = _claim(
    label="infinite_width.joint.converges",
    statement="As the width n grows outputs at several coordinates and tokens converge jointly to the limit: at every "
    "point the characteristic function of two coordinates of all tokens is within c/n of the limit's. Given the inputs "
    "c is 3/5; for random features Wⁱ h it is 2 for one head with two tokens of unit length and product 1/2, and 7/2 "
    "for two with three of squared lengths 1, 3/2 and 4/5 whose neighbours have the products 1/2 and 1/5, the query "
    "variance being 4.",
    role="printed",
    kind="Rate",
    reading="plausible",
    limitations=(
        "The paper states convergence in law; the rate is measured here, at widths from 16 to 512 and points up to 3, "
        "and its constants were set from such measurements.",
        "Given attention and values outputs are normal, so that the characteristic function is a mean over these "
        "alone: of 4096 pairs of draws that width moves in opposite ways. It holds by more than three standard errors.",
    ),
    cases=tuple(_case(layer, given) for layer in LAYERS for given in _CONSTANTS),
)

# --- proved: the part of the values ---------------------------------------------------------------

_SIZES = Domain({
    n_iw: Integers(1, tested_to=64), k_iw: Integers(1, tested_to=6), f_iw: Vector(k_iw, Reals(0, tested_to=4)),
})  # fmt: skip

weierstrass = _claim(
    label="infinite_width.joint.product",
    statement="A product of numbers 1 + x_i/n with x_i ≥ 0 is at least 1 + Σ x_i/n.",
    left=theory.PRODUCT,
    relation=">=",
    right=1 + theory.TOTAL / n_iw,
    domain=_SIZES,
    expected="proved",
)

decreasing = _claim(
    label="infinite_width.joint.decreasing",
    statement="A power -n/2 falls as what is raised to it grows: p^(-n/2) ≤ q^(-n/2) for p ≥ q > 0.",
    left=theory.LARGER,
    right=theory.SMALLER,
    domain=Domain({
        n_iw: Integers(1, tested_to=64),
        B_iw: Reals(0, open_low=True, tested_to=9),
        A_iw: Reals(B_iw, tested_to=9),
    }),
    expected="proved",
)  # fmt: skip

fluctuation = _claim(
    label="infinite_width.joint.fluctuation",
    statement="That a normal variable's variance a fluctuates as χ²_n/n raises its characteristic function at one, "
    "exp(-a/2), by at most 3/(4n), whatever a.",
    left=theory.CHARACTERISTIC - sp.exp(-a_iw / 2),
    right=theory.MOVED,
    domain=Domain({a_iw: Reals(0, tested_to=64), n_iw: Integers(1, tested_to=512)}),
    expected="proved",
)

_STEPS = (
    Step(theory.AT_WIDTH - theory.LIMIT, "what values add"),
    Step(theory.ONE_FLUCTUATION - theory.LIMIT, "one fluctuation", "a product is at least its first terms", (
        weierstrass.label,
        Instance(decreasing.label, {A_iw: theory.PRODUCT, B_iw: 1 + theory.TOTAL / n_iw}),
    )),
    Step(theory.MOVED, "closed form", "whatever the variance", Instance(fluctuation.label, {a_iw: theory.TOTAL})),
)  # fmt: skip

values = _claim(
    label="infinite_width.joint.values",
    statement="Given attention and inputs, values of width n raise the joint characteristic function of any number of "
    "coordinates, tokens and heads by at most 3/(4n), at every point, and never lower it: it is ∏(1 + x_i/n)^(-n/2) in "
    "place of exp(-Σ x_i/2), with x_i ≥ 0 the eigenvalues of what each head adds to the point's variance.",
    domain=_SIZES,
    expected="proved",
    limitations=("How attention itself moves with the width is no part of it.",),
    cases=(
        Case(
            "above", left=theory.AT_WIDTH - theory.LIMIT, right=theory.MOVED,
            derivation=Derivation(
                label="infinite_width.joint.values.steps", title="What values add to a joint characteristic function",
                steps=_STEPS, domain=_SIZES, samples={"two eigenvalues": {"n_iw": 16, "k_iw": 2, "f_iw": (1, 2)}},
            ),
        ),
        Case("below", left=theory.LIMIT, right=theory.AT_WIDTH),
    ),
)  # fmt: skip
