"""Section 4 and Appendix D: from perturbed matrices to a perturbed network, layer by layer."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns, small
from boundaudit.checks.schatten import PAPER
from boundaudit.derivations.covering.symbols import T_cov
from boundaudit.derivations.schatten import composition as theory
from boundaudit.derivations.schatten.composition import H_sch, J_sch
from boundaudit.derivations.schatten.symbols import L_sch, c_sch, seed_sch
from boundaudit.derivations.symbols import symbol
from boundaudit.numeric.covering.head import copies
from boundaudit.numeric.schatten import composition as nets

h_lip = symbol("h_lip", "heads of a block", integer=True, positive=True)
o_nets = symbol("o_nets", "operator norm of the second matrix of each MLP", nonnegative=True)
b_nets = symbol("b_nets", "blocks whose matrices are moved, the first ones", integer=True, positive=True)
e_nets = symbol("e_nets", "logarithm of the operator norm by which every matrix is moved", real=True)

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

_WIDTH, _KINDS, _ROUNDS = 2, 3, 6


def _perturbed(at: Columns) -> tuple[nets.Weights, nets.Weights, Tensor]:
    """Networks, their perturbations in the first blocks, and how far these moved the output."""
    layers, heads = at.points[0]["L_sch"], at.points[0]["h_lip"]
    seeds = at.whole("seed_sch")
    weights = nets.random_weights(seeds, layers, heads, _WIDTH, at.real("c_sch"), at.real("o_nets"))
    drawn = [
        torch.randn(_KINDS, _WIDTH, generator=torch.Generator().manual_seed(int(seed)), dtype=torch.float64)
        for seed in seeds
    ]
    often = copies(at.whole("T_cov"), _KINDS).to(torch.float64).log()
    start = nets.project(torch.stack(drawn))
    everywhere, tokens = nets.moved(weights, start, often, at.real("e_nets").exp(), _ROUNDS)
    early = torch.arange(layers) < at.whole("b_nets")[:, None]
    second = {
        name: torch.where(early.view(*early.shape, *[1] * (matrix.dim() - 2)), everywhere[name], matrix)
        for name, matrix in weights.items()
    }
    moved = nets.outputs(second, tokens, often) - nets.outputs(weights, tokens, often)
    return weights, second, moved.norm(dim=-1).amax(-1)


def _ratio(published: bool) -> Quantity:
    def measure(at: Columns) -> Tensor:
        first, second, moved = _perturbed(at)
        bound = nets.layerwise_bound(first, second, published)
        return torch.where(moved > 0, moved / bound, 0.0)

    which = "published" if published else "sharp"
    latex = rf"\|f - f'\| / \sum_l \alpha_l (\dots)_{{\text{{{which}}}}}"
    words = f"movement over its bound with the {which} constants"
    return Quantity(words, small(measure, "L_sch", "h_lip"), latex, rounding=1e-9, scale=1.0)


_NETS = Domain({
    L_sch: Integers(1, tested_to=3), T_cov: Integers(1, tested_to=10**6), h_lip: Integers(1, tested_to=2),
    c_sch: Reals(0, open_low=True, tested_to=16), o_nets: Reals(0, tested_to=2), e_nets: Reals(tested_to=6),
    b_nets: Integers(1, L_sch), seed_sch: Integers(0, tested_to=99),
})  # fmt: skip
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
    left=_ratio(published=True),
    right=sp.Integer(1),
    domain=_NETS,
    reading="plausible",
    rests_on=(published.label,),
    limitations=(_BLOCK, "The sensitivities are those of the authors' public code."),
)

layerwise = _claim(
    label="schatten.composition.layerwise.sharp",
    statement="Perturbed matrices move a network's output by at most a sum over blocks l and matrices: α_l times a "
    "sensitivity times the perturbation. The sensitivities are c_V c_I c_O for Q, c_I c_O for V, c_O for M_in and 1 "
    "for M_out, and α_l = Π c_I c_O Σ_h c_V (c_Q + √(1+c_Q²)) is a product over later blocks. The c cap the norms "
    "before the perturbation; those after it may be any, so that elements of a cover need no caps.",
    left=_ratio(published=False),
    right=sp.Integer(1),
    domain=_NETS,
    rests_on=("covering.layer.sharp", "covering.softmax.halved"),
    improves=layerwise_published.label,
    limitations=(_BLOCK, "An activation with the Lipschitz constant L_φ multiplies all but the last by it."),
)

# --- entropies ------------------------------------------------------------------------------------

_ROOTS = Domain({J_sch: Integers(1, tested_to=6), H_sch: Vector(J_sch, Reals(0, tested_to=8))})

summed = _claim(
    label="schatten.composition.summed-roots",
    statement="The root of the sum of J entropies is at most the sum of their roots: the proxy's sum over matrices "
    "is what Dudley's integral of the summed entropies is bounded by.",
    left=theory.ROOT_OF_SUM,
    right=theory.SUM_OF_ROOTS,
    domain=_ROOTS,
    kind="Tight",
    equality=({"J_sch": 2, "H_sch": (3, 0)},),
    place=("Section 6", "Appendix D"),
)
