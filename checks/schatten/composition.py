"""Section 4 and Appendix D: from perturbed matrices to a perturbed network, layer by layer."""

from __future__ import annotations

import functools

from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.schatten import PAPER, blocks
from boundaudit.derivations.schatten import composition as theory
from boundaudit.derivations.schatten.symbols import L_sch, c_sch

_claim = functools.partial(Claim, paper=PAPER, place=("Section 4", "Appendix D"))

# --- one head -------------------------------------------------------------------------------------

published = _claim(
    label="schatten.composition.attention.published",
    statement="Take a head softmax(X Q Xᵀ) X with ‖Q‖ ≤ c and tokens in the unit ball. Its Lipschitz constant c + "
    "√(1+c²) is at most 1 + 4c, which the proxy's α has in its place.",
    role="printed",
    left=theory.SHARP,
    right=theory.PUBLISHED,
    domain=Domain({c_sch: Reals(0)}),
    kind="Tight",
    equality=({"c_sch": 0},),
    reading="plausible",
    rests_on=("covering.layer.sharp",),
    expected="proved",
    limitations=("The constant is the one of the authors' public code; what it bounds there was not seen.",),
)

# --- a network ------------------------------------------------------------------------------------

_BLOCK = (
    "Blocks Π(Π(ReLU(Π(Σ_h softmax(X Q_h Xᵀ) X V_h) M_in)) M_out) with rows projected on the unit ball, without "
    "residual connections; where the MLP's hidden rows are not projected, M_out has the sensitivity c_I. "
    "Perturbations of the first b blocks, and T tokens of three kinds, found by gradient ascent from random small "
    "networks, ‖Q‖ = ‖V‖ = ‖M_in‖ = c and ‖M_out‖ = o."
)

layerwise_published = _claim(
    label="schatten.composition.layerwise.published",
    statement="Perturbed matrices move a network's output by at most a sum over blocks l and matrices: α_l times a "
    "sensitivity times the perturbation. The sensitivities are 2c_V c_I c_O for Q, c_I c_O for V, c_O for M_in and 1 "
    "for M_out, and α_l = Π c_I c_O Σ_h c_V (1 + 4c_Q) is a product over later blocks. The c cap the norms before and "
    "after the perturbation.",
    role="printed",
    left=blocks.ERRORS[L_sch + 1],
    right=blocks.PRINTED_ADDED_UP,
    domain=blocks.NETS,
    reading="plausible",
    rests_on=(published.label,),
    expected="proved",
    derivation=blocks.layerwise_printed(),
    limitations=(_BLOCK, "The sensitivities are those of the authors' public code."),
)

layerwise = _claim(
    label="schatten.composition.layerwise.sharp",
    statement="Perturbed matrices move a network's output by at most a sum over blocks l and matrices: α_l times a "
    "sensitivity times the perturbation. The sensitivities are c_V c_I c_O for Q, c_I c_O for V, c_O for M_in and 1 "
    "for M_out, and α_l = Π c_I c_O Σ_h c_V (c_Q + √(1+c_Q²)) is a product over later blocks. The c cap the norms "
    "before the perturbation; those after it may be any, so that elements of a cover need no caps.",
    left=blocks.ERRORS[L_sch + 1],
    right=blocks.ADDED_UP,
    domain=blocks.NETS,
    expected="proved",
    derivation=blocks.layerwise(),
    improves=layerwise_published.label,
    limitations=(_BLOCK, "An activation with the Lipschitz constant L_φ multiplies all but the last by it."),
)

proofs = (layerwise_published.derivation, layerwise.derivation)
