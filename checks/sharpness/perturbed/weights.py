"""Lemma 27, and Theorem 29 with it: how noise moves the attention of layer 2 and its Jacobian."""

from __future__ import annotations

import math

import sympy as sp
from torch import Tensor

from boundaudit.checks.language.claim import Case, Probability, Quantity
from boundaudit.checks.sharpness.perturbed.networks import (
    EACH_INPUT,
    EXHAUSTIVE,
    FIRST_ORDER,
    NO_FLOOR,
    PROBABLY,
    QUIET,
    SMALL,
    THREE,
    Network,
    along_f,
    claim,
    exceeding,
    first_order,
    first_weight,
    one_by_one,
    small_noise,
)
from boundaudit.checks.sharpness.taylor.shared import ANY_INPUT
from boundaudit.derivations.sharpness import perturbed_output as theorem
from boundaudit.derivations.sharpness.perturbed_output import COUNTED, JACOBIAN, WEIGHTS, rate, three_components
from boundaudit.numeric.sharpness import layer_two
from boundaudit.numeric.sharpness.moments import weight_deviations

_PLACE = ("Lemma 27",)


def _expected_shift(network: Network) -> float:
    """E‖ã - a‖₁ for each unit of σ, to first order: the weights' changes are normal with these deviations."""
    return float(weight_deviations(*network.single).sum()) * math.sqrt(2 / math.pi)


_SHIFT = Quantity(
    "expected change of the attention weights over σ, to first order", one_by_one(_expected_shift),
    r"\sqrt{2/\pi} \sum_t \|\nabla a_t\|", rounding=1e-9,
)  # fmt: skip

printed = first_order(
    label="sharpness.perturbed.weights.printed",
    statement="Noise of standard deviation σ on all parameters changes the second layer's attention by at most 128 σ "
    "D² √ω log T in ‖ã - a‖₁. The check: to first order this is at least the expected change √(2/π) σ Σ|∇a_t|, for one "
    "or two components side by side with equal coefficients, T = 4 or 6 and D ≤ 2.",
    left=_SHIFT,
    right=rate(WEIGHTS, COUNTED),
    place=_PLACE,
    domain=SMALL,
    role="printed",
    reading="plausible",
    rests_on=("sharpness.noise.rows.printed", "sharpness.noise.rows.idle"),
    limitations=(
        EXHAUSTIVE,
        "The bound is read off the first term of T_p. It leaves out the noise of W2 itself, which the change has.",
    ),
)

shift = first_order(
    label="sharpness.perturbed.weights.shift",
    statement="To first order the bound 128 σ D² √ω log T on ‖ã - a‖₁ is at least a hundred times the expected "
    "change √(2/π) σ Σ|∇a_t| of the second layer's attention. For one or two components side by side with "
    "equal coefficients, T = 4 or 6 and D ≤ 2.",
    left=_SHIFT,
    right=rate(WEIGHTS, COUNTED) / 100,
    place=_PLACE,
    domain=SMALL,
    improves="sharpness.perturbed.weights.printed",
    limitations=(EXHAUSTIVE,),
)


def _weights(network: Network, size: float, draws: int, seed: int) -> Tensor:
    return layer_two.sampled(*network.single, size, draws, seed).weights


def _jacobian(network: Network, size: float, draws: int, seed: int) -> Tensor:
    return layer_two.sampled(*network.single, size, draws, seed).jacobian


any_coefficients = along_f(
    label="sharpness.perturbed.weights.any-coefficients",
    statement="For any positive coefficients noise of standard deviation σ on all parameters changes the second "
    "layer's attention by at most 128 σ D² √ω log T. The check, for coefficients 1/2, 1/4 and a third one: let noise "
    "act along one direction of F alone, the one that moves the keys. To first order the bound is then at least one "
    "standard deviation of the change of the attention to the first row.",
    left=Quantity(
        "derivative of the attention to the first row along a unit direction of F",
        first_weight(lambda a, moves: moves.abs()), r"|\partial_\phi a_1|",
        lambda: sp.Abs(three_components(theorem.first_weight_moves())), rounding=1e-9, scale=1e-3,
    ),
    right=lambda: three_components(rate(WEIGHTS, COUNTED)),
    place=_PLACE,
    rests_on=("sharpness.noise.rows.printed", "sharpness.noise.rows.idle"),
    limitations=(NO_FLOOR,),
)  # fmt: skip

in_small_noise = small_noise(
    label="sharpness.perturbed.weights.small-noise",
    statement="Noise of standard deviation σ from 10⁻⁶ to 1/100 on all parameters changes the second layer's attention "
    "by at most 8 σ D² √ω log T in ‖ã - a‖₁, a sixteenth of the printed bound. At every input that holds with "
    "probability at least 19/20, for T from 4 to 20 and windows of D < T positions as components.",
    left=Probability(
        "probability that the attention moves by more than 8 σ D² √ω log T",
        exceeding(lambda: WEIGHTS / 16, _weights), r"\mathbb{P}[\|\tilde a - a\|_1 > 8 \sigma D^2 \sqrt\omega \log T]",
    ),
    place=_PLACE,
    repairs=("sharpness.perturbed.weights.any-coefficients",),
    limitations=(EACH_INPUT,),
)  # fmt: skip

# --- Theorem 29 with Lemma 27 put in ----------------------------------------------------------------

_READ = "768 = 2 · 3 · 128 in the printed bound on the Hessian's change holds the constant three and this bound."

jacobian_printed = claim(
    label="sharpness.perturbed.weights.jacobian.printed",
    statement="Noise of standard deviation σ on all parameters changes the Jacobian diag(a) - a aᵀ of the second "
    "layer's attention with high probability by at most 384 σ D² √ω log T, three times the bound of Lemma 27. The "
    "change is the largest absolute sum of a column.",
    place=("Theorem 29", "Lemma 27"),
    role="printed",
    reading="plausible",
    rests_on=("sharpness.softmax.change.printed", "sharpness.perturbed.weights.printed"),
    cases=(
        Case(
            "equal-coefficients",
            statement=f"{QUIET}the Jacobian diag(a) - a aᵀ of the second layer's attention changes by more than "
            "384 σ D² √ω log T, in the largest absolute sum of a column, with probability at most 1/20 at every input.",
            left=Probability(
                "probability that the Jacobian moves by more than 384 σ D² √ω log T",
                exceeding(lambda: JACOBIAN, _jacobian),
                r"\mathbb{P}[\|\tilde\Sigma - \Sigma\|_1 > 384 \sigma D^2 \sqrt\omega \log T]",
            ),
            right=sp.Rational(1, 20), domain=ANY_INPUT, mode=PROBABLY,
            limitations=(EACH_INPUT, _READ),
        ),
        Case(
            "any-coefficients",
            statement="For coefficients 1/2, 1/4 and any positive third one let noise act along one direction of F "
            "alone, the one that moves the keys. To first order 384 σ D² √ω log T is then at least one standard "
            "deviation of the change of one entry of the Jacobian diag(a) - a aᵀ of the second layer's attention.",
            left=Quantity(
                "derivative of the Jacobian's first diagonal entry along a unit direction of F",
                first_weight(lambda a, moves: (moves * (1 - 2 * a)).abs()), r"|\partial_\phi (a_1 - a_1^2)|",
                lambda: sp.Abs(three_components(theorem.first_weight_moves() * (1 - 2 * theorem.FIRST_MASS))),
                rounding=1e-9, scale=1e-3,
            ),
            right=lambda: three_components(rate(JACOBIAN, COUNTED)), domain=THREE, mode=FIRST_ORDER,
            expected="refuted", limitations=(NO_FLOOR,),
        ),
    ),
)  # fmt: skip

jacobian_sharpened = small_noise(
    label="sharpness.perturbed.weights.jacobian.sharpened",
    statement="Noise of standard deviation σ from 10⁻⁶ to 1/100 on all parameters changes the Jacobian diag(a) - a aᵀ "
    "of the second layer's attention by at most 4 σ D² √ω log T, in the largest absolute sum of a column. At every "
    "input that holds with probability at least 19/20, for T from 4 to 20 and windows of D < T positions as "
    "components.",
    left=Probability(
        "probability that the Jacobian moves by more than 4 σ D² √ω log T", exceeding(lambda: JACOBIAN / 96, _jacobian),
        r"\mathbb{P}[\|\tilde\Sigma - \Sigma\|_1 > 4 \sigma D^2 \sqrt\omega \log T]",
    ),
    place=("Theorem 29", "Lemma 27"),
    repairs=("sharpness.perturbed.weights.jacobian.printed[any-coefficients]",),
    rests_on=("sharpness.softmax.change.sharpened",),
    limitations=(EACH_INPUT, "Measured; with the constant one of the softmax and Lemma 27 as printed it is 128."),
)  # fmt: skip
