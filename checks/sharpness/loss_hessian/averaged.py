"""The loss averaged over inputs: traces add up.

The mean trace is less than the trace at the worst input, as a component holds D/2 ones on average, not D.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import sympy as sp
from torch import Tensor

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case, Quantity
from boundaudit.checks.sharpness.loss_hessian import means, output_weights
from boundaudit.checks.sharpness.loss_hessian.means import FAMILIES, IN_MEAN, POSITIVE, SAMPLE
from boundaudit.checks.sharpness.loss_hessian.output_weights import FLOORED
from boundaudit.checks.sharpness.loss_hessian.shared import IDEAL, IDEAL_SCALE, claim
from boundaudit.checks.sharpness.proofs import proof
from boundaudit.checks.sharpness.targets import of_targets
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.gradients import Derivatives, derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.oracle import evaluate_batch
from boundaudit.numeric.sharpness.target import TargetBatch

# --- the mean over all inputs ---------------------------------------------------------------------

_EVERY = (
    "for every family of components of D positions and {0}, C their sum; u is 1 for the steep and 2 for the wide "
    "trapezoid"
)


def _squares(block: str) -> Iterator[Step]:
    """Of M and Γ: squares of averages by averages of squares, and these by counting ones."""
    yield Step(means.squared(block), "the mean square", "chain rule", f"{means.LABEL}.{block}")
    yield Step(SUM**2 * means.SQUARES[block], "Jensen", "a variance is not negative")
    yield Step(SUM**2 * means.COUNTED[block], "by counting ones", "written down", f"{means.LABEL}.counted[{block}]")


_PROOFS: dict[str, tuple[Step, ...]] = {
    "M": (
        *_squares("M"),
        Step(theory.MEAN["M"], "E k³ + E k²", "uniform bits", tuple(f"{means.LABEL}.ones[{n}]" for n in (2, 3))),
    ),
    "Gamma": (*_squares("Gamma"), Step(theory.MEAN["Gamma"], "E k + 1", "uniform bits", f"{means.LABEL}.ones[1]")),
    "W2": (
        Step(means.PULLED, "at every input", "chain rule", f"{means.LABEL}.W2"),
        Step(theory.MEAN["W2"], "3/2 C² E m (1-m), E m (1-m) = (1 - Σa²)/4", "at every input, and characters",
             (means.BOUNDED, *(f"{means.LABEL}.outputs[{power}]" for power in ("mean", "square")))),
    ),
    "F": output_weights.STEPS,
    "V2": (
        Step(means.LENGTHS, "Σ a² + E m²", "chain rule", f"{means.LABEL}.V2"),
        Step(theory.MEAN["V2"], "E m² = (1 + Σa²)/4", "characters", f"{means.LABEL}.outputs[square]"),
    ),
}  # fmt: skip


def _block(block: str, bound: sp.Expr, statement: str) -> Case:
    domain, which = (FLOORED, "coefficients from T⁻⁴ to 1") if block == "F" else (POSITIVE, "any positive coefficients")
    left = means.GRADIENTS[block]
    return Case(
        block, statement=f"In the ideal network the mean over uniform inputs of the squared gradient in {block} is at "
        f"most {statement}, {_EVERY.format(which)}.",
        left=left, right=bound, domain=domain,
        derivation=proof(
            f"sharpness.loss_hessian.averaged.blocks.{block}", f"The mean squared gradient in {block}", domain,
            Step(left, left.name), *_PROOFS[block],
            samples={"three pairs of four bits": SAMPLE},
        ),
    )  # fmt: skip


blocks = claim(
    label="sharpness.loss_hessian.averaged.blocks",
    statement=f"In the ideal network the mean of each block's squared gradient over uniform inputs is bounded, "
    f"{_EVERY.format('coefficients from T⁻⁴ to 1')}.",
    expected="proved",
    limitations=(IDEAL,),
    cases=tuple(
        _block(block, theory.MEAN[block], statement)
        for block, statement in {
            "M": "4 C² D (D²+5D+2)/u²",
            "Gamma": "16 C² D² (D+2)/u²",
            "F": "C² (D+1) ((D+5)/(6D) + 5u/(16D²)) + (C² - Σc²) (R |w2|²/16 + H log²T), H and R the largest "
            "squared length of a row's hidden units and distance of two rows', w2 the logits of layer 2",
            "W2": "3/8 (C² - Σc²)",
            "V2": "1/4 + 5/4 Σc²/C², which it equals",
        }.items()
    ),
)


def _over_inputs(name: str, latex: str, of: Callable[[Derivatives, Tensor], Tensor]) -> Quantity:
    """The mean over all inputs of a number of the ideal network's derivatives and error."""

    def measure(batch: TargetBatch, mlp: Trapezoid) -> Tensor:
        bits = bit_strings(batch.max_length, 0, 2**batch.max_length, device=batch.device)
        found = derivatives(batch, bits, mlp=mlp, scale=IDEAL_SCALE)
        return of(found, found.output - evaluate_batch(batch, bits)).mean(-1)

    return Quantity(name, of_targets(measure, "T"), latex, rounding=1e-9)


_TRACE = _over_inputs(
    "mean trace of the loss Hessian, ideal network", r"\mathbb{E}\, \mathrm{tr} \nabla^2 L",
    lambda found, error: 2 * (found.gradient + error * found.laplacian),
)  # fmt: skip
_GRADIENT = _over_inputs(
    "mean squared gradient, ideal network", r"\mathbb{E}\, \|\nabla f\|^2", lambda found, _: found.gradient
)
_BLOCKS = sp.Add(*(means.GRADIENTS[block].atom for block in theory.MEAN))
_MEAN_BOUND = 2 * sp.Add(*theory.MEAN.values())

_axiom = functools.partial(means.axiom, domain=FAMILIES)
no_error = _axiom(
    label="sharpness.loss_hessian.averaged.no-error",
    statement=f"{IN_MEAN}the trace of the squared loss's Hessian is 2 |∇f|²: the chain rule, twice, where the network "
    "represents its target exactly.",
    left=_TRACE,
    right=lambda: 2 * _GRADIENT.atom,
)
apart = _axiom(
    label="sharpness.loss_hessian.averaged.apart",
    statement=f"{IN_MEAN}the squared gradient in all parameters is the sum of those in the blocks behind the hidden "
    "units: rows rest on plateaus, so that nothing reaches W1 and V1.",
    left=_GRADIENT,
    right=lambda: _BLOCKS,
)

trace = claim(
    label="sharpness.loss_hessian.averaged.trace",
    statement="Averaged over uniform inputs, the trace of the squared loss's Hessian in the ideal network is at "
    "most 2 (1/4 + 5/4 Σc²/C² + 3/8 (C² - Σc²) + 16 C² D² (D+2)/u² + 4 C² D (D²+5D+2)/u² + C² (D+1) "
    "((D+5)/(6D) + 5u/(16D²)) + (C² - Σc²) (R |w2|²/16 + H log²T)). C is the sum of the coefficients, w2 "
    "the logits of layer 2, H the largest squared length of a row's hidden units, R the largest squared "
    "distance of two rows'; u is 1 (steep) or 2 (wide). It holds for every family of components of D "
    "positions and coefficients from T⁻⁴ to 1 in the unit ball, with equality for a single component.",
    left=_TRACE,
    right=_MEAN_BOUND,
    domain=FAMILIES,
    expected="proved",
    improves="sharpness.loss_hessian.trace.sharp",
    limitations=(IDEAL,),
    derivation=proof(
        "sharpness.loss_hessian.averaged.trace", "The mean trace of the loss Hessian", FAMILIES,
        Step(_TRACE, "E tr Hess L"),
        Step(2 * _GRADIENT.atom, "2 E |∇f|²", "r = 0", no_error.label),
        Step(2 * _BLOCKS, "block by block", "none in layer 1", apart.label),
        Step(_MEAN_BOUND, "every block bounded", "", tuple(f"{blocks.label}[{block}]" for block in theory.MEAN)),
        samples={"three pairs of four bits": SAMPLE},
    ),
)  # fmt: skip
