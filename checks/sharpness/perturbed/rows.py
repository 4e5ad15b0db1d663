"""Lemmas 26 to 28 and Theorem 29: noise in layer 2's attention and rows, and where the bounds lose."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Case, Measure, Probability, Quantity
from boundaudit.checks.language.domain import Integers
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, combined, evaluated, measured
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.perturbed.networks import (
    CASES,
    COUNTED_WIDTH,
    EACH_INPUT,
    EXHAUSTIVE,
    FIRST_ORDER,
    NO_FLOOR,
    PRINTED_WIDTH,
    PROBABLY,
    QUIET,
    SMALL,
    THREE,
    TINY,
    Network,
    along_f,
    claim,
    complete,
    exceeding,
    first_order,
    first_weight,
    networks,
    one_by_one,
    remembered,
    small_noise,
)
from boundaudit.checks.sharpness.perturbed.networks import claim as any_claim
from boundaudit.checks.sharpness.targets import PAPER, by_trapezoid, tiles
from boundaudit.checks.sharpness.taylor.expansion import ANY_INPUT
from boundaudit.derivations.sharpness import perturbed_output as theorem
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.disjoint_supports import FINITE
from boundaudit.derivations.sharpness.gradients import output
from boundaudit.derivations.sharpness.parameters import T, d, omega
from boundaudit.derivations.sharpness.perturbed_gradient import CONSTANT, G_P
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import (
    COUNTED,
    JACOBIAN,
    PRINTED,
    T_P,
    T_P_TERMS,
    WEIGHTS,
    rate,
    three_components,
)
from boundaudit.numeric.sharpness import layer_two
from boundaudit.numeric.sharpness.autodiff import hessian, parameters, repeat
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.moments import (
    block_norms,
    hessian_changes,
    readout,
    row_gradients,
    sampled,
    weight_deviations,
)
from boundaudit.numeric.sharpness.moments import first_order as chain_first_order
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.perturbation import quantiles

_PLACE = ("Lemma 27",)


def _expected_shift(network: Network) -> float:
    """E‖ã - a‖₁ for each unit of σ, to first order: the weights' changes are normal with these deviations."""
    return float(weight_deviations(*network.single).sum()) * math.sqrt(2 / math.pi)


_SHIFT = Quantity(
    "expected change of the attention weights over σ, to first order", one_by_one(_expected_shift),
    r"\sqrt{2/\pi} \sum_t \|\nabla a_t\|", rounding=1e-9,
)  # fmt: skip

printed = first_order(
    label="sharpness.perturbed.weights.printed", place=_PLACE, role="printed", reading="plausible",
    statement="Noise of standard deviation σ on all parameters changes the second layer's attention by at most 128 σ "
    "D² √ω log T in ‖ã - a‖₁. The check: to first order this is at least the expected change √(2/π) σ Σ|∇a_t|, for one "
    "or two components side by side with equal coefficients, T = 4 or 6 and D ≤ 2.",
    left=_SHIFT, right=rate(WEIGHTS, COUNTED), domain=SMALL,
    rests_on=("sharpness.noise.rows.printed", "sharpness.noise.rows.idle"),
    limitations=(
        EXHAUSTIVE,
        "The bound is read off the first term of T_p. It leaves out the noise of W2 itself, which the change has.",
    ),
)  # fmt: skip

shift = first_order(
    label="sharpness.perturbed.weights.shift", place=_PLACE,
    statement="To first order the bound 128 σ D² √ω log T on ‖ã - a‖₁ is at least a hundred times the expected "
    "change √(2/π) σ Σ|∇a_t| of the second layer's attention. For one or two components side by side with "
    "equal coefficients, T = 4 or 6 and D ≤ 2.",
    left=_SHIFT, right=rate(WEIGHTS, COUNTED) / 100, domain=SMALL, improves="sharpness.perturbed.weights.printed",
    limitations=(EXHAUSTIVE,),
)  # fmt: skip


def _weights(network: Network, size: float, draws: int, seed: int) -> Tensor:
    return layer_two.sampled(*network.single, size, draws, seed).weights


def _jacobian(network: Network, size: float, draws: int, seed: int) -> Tensor:
    return layer_two.sampled(*network.single, size, draws, seed).jacobian


any_coefficients = along_f(
    label="sharpness.perturbed.weights.any-coefficients", place=_PLACE,
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
    rests_on=("sharpness.noise.rows.printed", "sharpness.noise.rows.idle"), limitations=(NO_FLOOR,),
)  # fmt: skip

in_small_noise = small_noise(
    label="sharpness.perturbed.weights.small-noise", place=_PLACE,
    statement="Noise of standard deviation σ from 10⁻⁶ to 1/100 on all parameters changes the second layer's attention "
    "by at most 8 σ D² √ω log T in ‖ã - a‖₁, a sixteenth of the printed bound. At every input that holds with "
    "probability at least 19/20, for T from 4 to 20 and windows of D < T positions as components.",
    left=Probability(
        "probability that the attention moves by more than 8 σ D² √ω log T",
        exceeding(lambda: WEIGHTS / 16, _weights), r"\mathbb{P}[\|\tilde a - a\|_1 > 8 \sigma D^2 \sqrt\omega \log T]",
    ),
    repairs=("sharpness.perturbed.weights.any-coefficients",), limitations=(EACH_INPUT,),
)  # fmt: skip

# --- Theorem 29 with Lemma 27 put in ----------------------------------------------------------------

_READ = "768 = 2 · 3 · 128 in the printed bound on the Hessian's change holds the constant three and this bound."

jacobian_printed = claim(
    label="sharpness.perturbed.weights.jacobian.printed", place=("Theorem 29", "Lemma 27"), role="printed",
    reading="plausible",
    statement="Noise of standard deviation σ on all parameters changes the Jacobian diag(a) - a aᵀ of the second "
    "layer's attention with high probability by at most 384 σ D² √ω log T, three times the bound of Lemma 27. The "
    "change is the largest absolute sum of a column.",
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
    label="sharpness.perturbed.weights.jacobian.sharpened", place=("Theorem 29", "Lemma 27"),
    statement="Noise of standard deviation σ from 10⁻⁶ to 1/100 on all parameters changes the Jacobian diag(a) - a aᵀ "
    "of the second layer's attention by at most 4 σ D² √ω log T, in the largest absolute sum of a column. At every "
    "input that holds with probability at least 19/20, for T from 4 to 20 and windows of D < T positions as "
    "components.",
    left=Probability(
        "probability that the Jacobian moves by more than 4 σ D² √ω log T", exceeding(lambda: JACOBIAN / 96, _jacobian),
        r"\mathbb{P}[\|\tilde\Sigma - \Sigma\|_1 > 4 \sigma D^2 \sqrt\omega \log T]",
    ),
    repairs=("sharpness.perturbed.weights.jacobian.printed[any-coefficients]",),
    rests_on=("sharpness.softmax.change.sharpened",),
    limitations=(EACH_INPUT, "Measured; with the constant one of the softmax and Lemma 27 as printed it is 128."),
)  # fmt: skip


# --- what the output draws from each row that layer 2 reads, and how noise moves it ---------------

_claim = functools.partial(any_claim, place=("Lemma 26",))

# Active rows rest on their plateaus from T = 4 on.
_TILES = tiles(12).replace(T=Integers(4, tested_to=12))


def _row(which: int, scale: float) -> Measure:
    """The squared gradient of f in a row of what layer 2 reads; the output position's is the last."""
    return by_trapezoid(lambda at, _: row_gradients(*networks(at), scale=scale)[:, which].square().sum(-1))


def _first(scale: float, definition: Callable[[], sp.Expr]) -> Quantity:
    return Quantity(
        "squared gradient of the output in the first row", _row(0, scale), r"\|\partial f/\partial g_1\|^2", definition,
        rounding=1e-10, scale=1e-10,
    )  # fmt: skip


_FINITE = _first(2.0, lambda: theorem.row_gradient(theorem.FIRST_MASS, theorem.first_value(), output(FINITE)))
_ROWS = "Of the rows of components the first is taken: their order is free."


row_bound = _claim(
    label="sharpness.perturbed.rows.bound",
    statement="For components side by side with coefficients from T⁻⁴ to 1 and T ≥ 4, the gradient of the output in a "
    "component's row of what layer 2 reads has squared size at most a² C² (1 + 4ω log²T), a the attention to the row "
    "and C the sum of the coefficients: the data channel, and the positions' channels through the keys.",
    left=_FINITE, right=(theorem.FIRST_MASS * SUM) ** 2 * (1 + 4 * omega * sp.log(T) ** 2), domain=_TILES,
    rests_on=("sharpness.norms.W2.upper",), limitations=(_ROWS,),
)  # fmt: skip

# --- what noise changes -----------------------------------------------------------------------------

_THREE_TERMS = (
    "The three terms are the product rule's, with the printed bounds of Theorem 11 and Lemmas 22 and 27 put in; the "
    "constants of the text itself are not known."
)
_BASE = (
    "sharpness.noise.rows.printed",
    "sharpness.perturbed.weights.printed",
    "sharpness.perturbed.weights.any-coefficients",
)


def _row_changes(network: Network, size: float, draws: int, seed: int) -> Tensor:
    found = layer_two.sampled(*network.single, size, draws, seed).rows
    return found[:, : network.batch.max_sparsity].amax(-1)


def _stream_changes(network: Network, size: float, draws: int, seed: int) -> Tensor:
    return layer_two.sampled(*network.single, size, draws, seed).whole


def _beyond(what: str, bound: sp.Expr, size: Callable[[Network, float, int, int], Tensor], latex: str) -> Probability:
    return Probability(f"probability that {what}", exceeding(lambda: bound.subs(d, COUNTED), size), latex)


_DRAWN = Quantity(
    "derivative of the first row's data channel along a unit direction of F",
    first_weight(lambda a, moves: 0.75 * moves.abs()), r"C\, |\partial_\phi a_1|",
    lambda: sp.Abs(three_components(SUM * theorem.first_weight_moves())), rounding=1e-9, scale=1e-3,
)  # fmt: skip


def _any_coefficients(bound: sp.Expr, name: str) -> Case:
    return Case(
        "any-coefficients",
        statement="For coefficients 1/2, 1/4 and any positive third one let noise act along one direction of F alone, "
        f"the one that moves the keys. To first order {name} is then at least one standard deviation of the change of "
        "∂f/∂x in the first row's data channel.",
        left=_DRAWN,
        right=lambda: three_components(rate(bound, PRINTED)),
        domain=THREE,
        mode=FIRST_ORDER,
        expected="refuted",
        limitations=(NO_FLOOR, PRINTED_WIDTH, _THREE_TERMS),
    )


_ROW = (
    "(128 σ D² ω log T + σ √(2d)) + 2 √ω log T (256 σ D² ω log T + 64 √ω σ D² + 2 σ √(2d)) + √ω (σ √(2d) + 64 σ D² √ω "
    "log T)"
)
_STREAM = (
    "(128 σ D² ω log T + σ √(2d)) + 2 √ω log T (384 σ D² ω^{3/2} log T + 32 √ω σ D² + σ √(2d)) + 2 √ω (σ √(2d) + 64 σ "
    "D² √ω log T)"
)
_ROW_LATEX, _STREAM_LATEX = r"\|\delta\, \partial f/\partial x_t\|", r"\|\delta\, \partial f/\partial X_2\|_F"

rows_printed = _claim(
    label="sharpness.perturbed.rows.printed", role="printed", reading="plausible",
    statement="In a component's row of what layer 2 reads the output's gradient is a_t V2 + a_t (v_t - f) w2. Noise of "
    "standard deviation σ on all parameters changes it with high probability by at most the sum of three terms, those "
    f"of its value, of the key's factor and of the query's image w2: {_ROW}.",
    rests_on=(*_BASE, "sharpness.perturbed.output.printed"),
    cases=(
        Case(
            "equal-coefficients",
            statement=f"{QUIET}the output's gradient in some component's row of what layer 2 reads changes by more "
            f"than {_ROW} with probability at most 1/20 at every input.",
            left=_beyond("a row's gradient moves further", theorem.ROWS, _row_changes,
                         rf"\mathbb{{P}}[\max_t {_ROW_LATEX} > B_{{26}}]"),
            right=sp.Rational(1, 20), domain=ANY_INPUT, mode=PROBABLY,
            limitations=(EACH_INPUT, COUNTED_WIDTH, _THREE_TERMS),
        ),
        _any_coefficients(theorem.ROWS, _ROW),
    ),
)  # fmt: skip

sharpened = small_noise(
    label="sharpness.perturbed.rows.sharpened", place=("Lemma 26",),
    statement="Noise of standard deviation σ from 10⁻⁶ to 1/100 on all parameters changes the output's gradient in "
    f"every component's row of what layer 2 reads by at most a hundredth of {_ROW}. At every input that holds with "
    "probability at least 19/20, for T from 4 to 20 and windows of D < T positions as components.",
    left=_beyond("a row's gradient moves by more than a hundredth of the three terms", theorem.ROWS / 100, _row_changes,
                 rf"\mathbb{{P}}[\max_t {_ROW_LATEX} > B_{{26}}/100]"),
    repairs=("sharpness.perturbed.rows.printed[any-coefficients]",),
)  # fmt: skip

stream_printed = _claim(
    label="sharpness.perturbed.rows.stream.printed", place=("Lemma 28",), role="printed", reading="plausible",
    statement="Noise of standard deviation σ on all parameters changes the output's gradient ∂f/∂X2 in all that "
    "layer 2 reads, in Frobenius norm and with high probability, by at most the sum of three terms. They are those of "
    f"the values, of the keys (through the softmax's Jacobian) and of the query: {_STREAM}.",
    rests_on=(*_BASE, "sharpness.perturbed.weights.jacobian.printed", "sharpness.perturbed.rows.printed"),
    cases=(
        Case(
            "equal-coefficients",
            statement=f"{QUIET}the output's gradient ∂f/∂X2 in all that layer 2 reads changes by more than "
            f"{_STREAM} in Frobenius norm with probability at most 1/20 at every input.",
            left=_beyond("the gradient in what layer 2 reads moves further", theorem.STREAM, _stream_changes,
                         rf"\mathbb{{P}}[{_STREAM_LATEX} > B_{{28}}]"),
            right=sp.Rational(1, 20), domain=ANY_INPUT, mode=PROBABLY,
            limitations=(EACH_INPUT, COUNTED_WIDTH, _THREE_TERMS),
        ),
        _any_coefficients(theorem.STREAM, _STREAM),
    ),
)  # fmt: skip

stream_sharpened = small_noise(
    label="sharpness.perturbed.rows.stream.sharpened", place=("Lemma 28",),
    statement="Noise of standard deviation σ from 10⁻⁶ to 1/100 on all parameters changes the output's gradient "
    f"∂f/∂X2 in all that layer 2 reads by at most a hundredth of {_STREAM}, in Frobenius norm. At every input that "
    "holds with probability at least 19/20, for T from 4 to 20 and windows of D < T positions as components.",
    left=_beyond("the gradient in what layer 2 reads moves by more than a hundredth of its terms", theorem.STREAM / 100,
                 _stream_changes, rf"\mathbb{{P}}[{_STREAM_LATEX} > B_{{28}}/100]"),
    repairs=("sharpness.perturbed.rows.stream.printed[any-coefficients]",),
)  # fmt: skip


# --- where the bounds on the change under noise lose, and by how much -----------------------------

_DRAWS = 48
_SAMPLES = {name: {**point, "u": 1, "n_e": complete(point)["n_e"]} for name, point in CASES.items()}
_LARGE = {**_SAMPLES, "T=20, D=2, ω=7": {"T": 20, "D": 2, "omega": 7, "u": 1, "n_e": 4}}


def _each(compute: Callable[[Network], Sequence[float]]) -> Callable[[int], Measure]:
    """Measurements of several nodes that a network gives at once."""
    found = remembered(compute)
    return lambda which: measured(lambda at: at.each(lambda point: found(point, at.device)[which]))


def _drawn(network: Network, draws: int = _DRAWS) -> Network:
    """One network as many times as there are draws."""
    blocks, batch, bits = network
    return Network(repeat(blocks, draws), batch.repeat(draws), bits.expand(draws, -1))


def _rms(sample: Tensor) -> float:
    return float(sample.square().mean().sqrt())


# --- T_p ------------------------------------------------------------------------------------------


def _output_nodes(network: Network) -> Sequence[float]:
    """Root mean squares: of the change, of its three parts summed, and of Hölder's bounds on each part."""
    drawn = _drawn(network)
    change = readout(*drawn, gaussian(drawn.batch, drawn.blocks, 0))
    now = trace(network.blocks, network.batch, network.bits[:, None])
    a, value, data = now.second[:, 0], now.values[:, 0], network.blocks.V2
    mean = (a[..., None] * now.stream[:, 0]).sum(1)
    moved = (change.rows * data[:, None]).sum(-1)
    through = [(change.weights * value).sum(-1), (mean * change.data).sum(-1), (a * moved).sum(-1)]
    bounds = [
        float(value.abs().max()) * _rms(change.weights.abs().sum(-1)),
        float(mean.norm()) * _rms(change.data.norm(dim=-1)),
        _rms((a * moved.abs()).sum(-1)),
    ]
    return [_rms(torch.stack(through).sum(0)), sum(map(_rms, through)), sum(bounds), bounds[0] + bounds[2], bounds[0]]


_OUTPUT = _each(_output_nodes)
_TERMS = {name: rate(term, PRINTED) for name, term in T_P_TERMS.items()}


def _plus(which: int, *terms: str) -> Measure:
    """A node with some of its parts replaced by printed terms."""
    printed = evaluated(lambda: sp.Add(*(_TERMS[name] for name in terms)))
    return combined(lambda found, term: found + term, _OUTPUT(which), printed)


output_chain = Derivation(
    label="sharpness.perturbed.chain-output",
    title="From the change of the output to T_p",
    steps=(
        Step(Quantity("change of the output", _OUTPUT(0), r"|\tilde f - f| / \sigma"), "root mean square over draws"),
        Step(
            Quantity("three parts", _OUTPUT(1), r"|\delta a \cdot v| + |\bar g \cdot \delta V_2| + |a \cdot \delta g|"),
            "weights, values and MLP apart", "triangle inequality",
        ),
        Step(
            Quantity(
                "bounds on the parts", _OUTPUT(2), r"\|\delta a\|_1 \|v\|_\infty + \|\bar g\| \|\delta V_2\| + "
                r"\sum a |\delta g|",
            ),
            "norms of each factor", "Hölder and Cauchy-Schwarz",
        ),
        Step(
            Quantity("with the printed term of the values", _plus(3, "values"), r"\ldots + \sqrt{2d}"),
            "values at most √(2d)", "chi tail, |x| ≤ √2",
        ),
        Step(
            Quantity(
                "with the printed term of the MLP", _plus(4, "values", "MLP"),
                r"\ldots + 32\sqrt{\omega} D^2",
            ),
            "MLP at most 32 √ω D²", "Lemma 22, C ≤ √ω",
        ),
        Step(
            sp.Add(*_TERMS.values()), "weights at most 128 D² ω log T: the printed T_p", "Lemma 27, |v| ≤ √ω",
            "sharpness.perturbed.weights.printed",
        ),
    ),
    domain=SMALL, samples=_LARGE, paper=PAPER, place=("Theorem 24",),
)  # fmt: skip

# --- G_p ------------------------------------------------------------------------------------------


def _gradient_nodes(network: Network) -> Sequence[float]:
    drawn = _drawn(network)
    change = chain_first_order(*drawn, gaussian(drawn.batch, drawn.blocks, 0)).gradient
    parts = block_norms(change, list(parameters(network.blocks).values()))
    return [_rms(change.norm(dim=-1)), sum(_rms(part) for part in parts.unbind(-1))]


_GRADIENT = _each(_gradient_nodes)
_SMALL_NOISE = sp.Rational(1, 10**6)
_RESTORED = rate(G_P, PRINTED)

gradient_chain = Derivation(
    label="sharpness.perturbed.chain-gradient",
    title="From the change of the gradient to G_p",
    steps=(
        Step(
            Quantity("change of the gradient", _GRADIENT(0), r"\|\nabla\tilde f - \nabla f\| / \sigma"),
            "root mean square over draws",
        ),
        Step(
            Quantity("sum over the blocks", _GRADIENT(1), r"\sum_B \|\nabla_B\tilde f - \nabla_B f\| / \sigma"),
            "block by block", "triangle inequality",
        ),
        Step(_RESTORED, "G_p with σ restored", "the printed bounds of each block"),
        Step(
            _RESTORED + sp.Add(*CONSTANT).subs(d, PRINTED) * (1 / _SMALL_NOISE - 1),
            "G_p as in the notebook, at σ = 10⁻⁶", "two terms without σ", "sharpness.perturbed.gradient.left-over",
        ),
    ),
    domain=SMALL, samples=_LARGE, paper=PAPER, place=("Theorem 30",),
)  # fmt: skip

# --- H_p ------------------------------------------------------------------------------------------


_HESSIANS = 8
"""Draws at which whole changes of the Hessian are taken."""


def _hessian_nodes(network: Network) -> Sequence[float]:
    parts = list(parameters(network.blocks).values())
    change = hessian_changes(*network.single, _drawn(network, _HESSIANS).noise(0))
    blocks = [
        torch.linalg.matrix_norm(change[:, one, other], 2) for one, other in combinations_with_replacement(parts, 2)
    ]
    return [_rms(torch.linalg.eigvalsh(change).abs().amax(-1)), _rms(torch.stack(blocks).sum(0))]


_HESSIAN = _each(_hessian_nodes)

hessian_chain = Derivation(
    label="sharpness.perturbed.chain-hessian",
    title="From the change of the Hessian to H_p",
    steps=(
        Step(
            Quantity("change of the Hessian", _HESSIAN(0), r"\|\nabla^2\tilde f - \nabla^2 f\|_{op} / \sigma"),
            "operator norm, root mean square over draws",
        ),
        Step(
            Quantity("sum over the blocks", _HESSIAN(1), r"\sum_{B \le B'} \|\delta \nabla^2_{BB'} f\|_{op} / \sigma"),
            "all 28 blocks", "triangle inequality",
        ),
        Step(rate(H_P, PRINTED), "the printed H_p", "the printed bounds of six blocks"),
    ),
    domain=TINY, samples=_SAMPLES, paper=PAPER, place=("Theorem 31",),
)  # fmt: skip


# --- changes against their bounds, and what the terms without σ make of G_p and P -----------------

_SHOWN = ("T=6, D=2, ω=2", "T=8, D=2, ω=3")
_SMALLEST_NOISE, _LARGEST_NOISE = 1e-6, 1e-1


def _hessian_changes(network: Network, size: float, draws: int) -> Tensor:
    """The operator norm of Hess f̃ - Hess f, draw by draw."""
    before = hessian(*network.single)
    changes = (
        hessian(moved(network.blocks, network.noise(seed), size), network.batch, network.bits[0]) - before
        for seed in range(draws)
    )
    return torch.stack([torch.linalg.eigvalsh(change).abs().max() for change in changes])


def _median(name: str, noise: Sequence[float], samples: Sequence[Tensor], bound: sp.Expr, point: Point) -> Series:
    """Medians over draws, over the bound, with distribution-free intervals."""
    points = [{**point, "sigma": size} for size in noise]
    limits = evaluated(lambda: bound.subs(d, PRINTED))(points, "cpu")
    found = [quantiles(sample / limit)["0.5"] for sample, limit in zip(samples, limits, strict=True)]
    ends = [[one["interval"][end] for one in found] for end in (0, 1)]
    return Series(name, list(noise), [one["value"] for one in found], ends[0], ends[1], drawn="points")


def _panel(case: str, setting: Setting) -> Panel:
    quick = setting.profile == "smoke"
    noise = np.geomspace(_SMALLEST_NOISE, _LARGEST_NOISE, 3 if quick else 6).tolist()
    point = complete(CASES[case])
    network = networks(Columns([point], setting.device))
    draws = [sampled(*network.single, size, 16 if quick else 200, setting.seed) for size in noise]
    series = [
        _median("output over T_p", noise, [found.output for found in draws], T_P, point),
        _median("gradient over G_p, σ restored", noise, [found.gradient for found in draws], G_P, point),
    ]
    if not quick:
        # Six draws are the fewest whose range holds the median at 95 %.
        changes = [_hessian_changes(network, size, 6) for size in noise]
        series.append(_median("Hessian over H_p", noise, changes, H_P, point))
    return Panel(case, "noise σ", "change over its bound, median", series, log="xy")


ratios = Study(
    label="sharpness.perturbed.ratios",
    title="How much of T_p, G_p and H_p noise uses up",
    caption="Median changes of the output, its gradient and its Hessian over their bounds, with 95 % intervals that "
    "assume nothing of the distribution. A horizontal row of points is first order; where it rises, higher orders set "
    "in, and a bound that is linear in σ ends.",
    claims=(
        "sharpness.perturbed.output.printed",
        "sharpness.perturbed.gradient.printed",
        "sharpness.perturbed.hessian.first-order",
    ),
    compute=lambda setting: [_panel(case, setting) for case in _SHOWN],
    paper=PAPER,
    place=("Theorem 24", "Theorem 30", "Theorem 31"),
)
