"""Finite width: the exact law against simulation of all weights, and scores against exact computation."""

import math

import mpmath
import numpy as np
import pytest
import sympy as sp
import torch
from scipy import integrate

from boundaudit import InputError
from boundaudit.checks.infinite_width import scores as claims
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.language.translate import to_tree
from boundaudit.checks.proof.chain import prove_chain
from boundaudit.derivations.infinite_width import edgeworth, heads, output, scores
from boundaudit.derivations.infinite_width.scores import x_iw
from boundaudit.derivations.infinite_width.symbols import kappa_iw, n_iw
from boundaudit.numeric.infinite_width import (
    dkw_floor,
    draw_nodes,
    exact_outputs,
    ks_of_draws,
    layer_law,
    output_at_width,
    simulated_outputs,
)
from boundaudit.numeric.infinite_width.edgeworth import width_correction
from boundaudit.numeric.infinite_width.one_output import Inputs
from boundaudit.numeric.infinite_width.radial import radial_distances
from boundaudit.numeric.infinite_width.scores import characteristic_distance, score_cdf

GRAM = [[1.0, 0.5, 0.0], [0.5, 1.5, 0.2], [0.0, 0.2, 0.8]]


@pytest.mark.slow
@pytest.mark.parametrize("inputs", ["fixed", "features"])
def test_three_ways_to_the_same_law(inputs: Inputs) -> None:
    """Integration, the sampler through small matrices, and the product of all weight matrices, at width 6."""
    law = layer_law(GRAM, 2, query_variance=1.2)
    exact = output_at_width(law, draw_nodes(law, 2**11, 4, 0), 6, token=1, inputs=inputs)
    draws = 30_000
    for sample in (exact_outputs, simulated_outputs):
        found = sample(law, 6, draws, 11, inputs=inputs)
        assert found.scores.shape == (draws, 2, 3, 3)
        assert found.outputs.shape == (draws, 1, 3)
        assert ks_of_draws(found.outputs[:, 0, 1], exact) < dkw_floor(draws, 1e-3)


@pytest.mark.slow
def test_sampler_and_simulation_agree_between_tokens_and_coordinates() -> None:
    law = layer_law(GRAM)
    moments = []
    for sample in (exact_outputs, simulated_outputs):
        found = sample(law, 8, 40_000, 5, inputs="features", coordinates=2)
        y, g = found.outputs, found.scores[:, 0]
        products = [y[:, 0, 0] * y[:, 0, 1], y[:, 0, 0] * y[:, 1, 0], y[:, 0, 0].square() * y[:, 1, 0].square(),
                    g[:, 0, 1] * g[:, 0, 2], g[:, 0, 0].square() * g[:, 1, 1].square() / 4]  # fmt: skip
        moments.append(torch.stack([torch.stack([p.mean(), p.std() / len(p) ** 0.5]) for p in products]))
    gap = (moments[0][:, 0] - moments[1][:, 0]).abs()
    assert (gap < 4.5 * moments[0][:, 1].hypot(moments[1][:, 1])).all()


def test_kurtosis_of_scores() -> None:
    drawn = exact_outputs(layer_law([[1.0]]), 4, 400_000, 0, inputs="fixed").scores[:, 0, 0, 0]
    assert float(drawn.pow(4).mean() / drawn.square().mean() ** 2) == pytest.approx(4.5, abs=0.15)


def test_scores_of_width_two_are_laplace_distributed() -> None:
    at = torch.linspace(0, 6, 25, dtype=torch.float64)
    laplace = torch.tensor([float(scores.LAPLACE.subs(x_iw, sp.Float(float(x), 25))) for x in at])
    assert torch.allclose(score_cdf(torch.full_like(at, 2), at), laplace.double(), atol=1e-12)


def test_first_correction_of_one_token_is_a_formula() -> None:
    """Without attention only a length, of variance 4/n for random features, and H values fluctuate, by 2/(nH)."""
    law, at = layer_law([[1.0]], 3), torch.tensor([0.5, 2.0], dtype=torch.float64)
    found = width_correction(law, draw_nodes(law, 2, 2, 0, widths=False), "features", at)[0]
    assert found.tolist() == pytest.approx([float(scores.FIRST_ORDER.subs(x_iw, y)) * 7 / 3 for y in (0.5, 2.0)])


@pytest.mark.parametrize("width", [9, 16, 200])
def test_what_is_left_of_the_first_order_is_integrated(width: int) -> None:
    """Both integrals over dt/(πt) by mpmath, and the inversion at a point by the characteristic function itself."""
    below, above = (
        sp.lambdify(scores.a_iw, part.subs(n_iw, width), "mpmath") for part in (scores.BELOW_FIRST, scores.ABOVE_FIRST)
    )
    for part, closed in ((below, scores.BELOW_INTEGRATED), (above, scores.ABOVE_INTEGRATED)):
        found = mpmath.quad(lambda t, part=part: part(t**2) / t, [0, 1, 4, 16, 100, mpmath.inf]) / mpmath.pi
        assert float(found) == pytest.approx(float(closed.subs(n_iw, width)), rel=1e-8)
    wave = mpmath.quad(
        lambda t: (1 + t**2 / width) ** (-mpmath.mpf(width) / 2) * mpmath.sin(t) / t, [0, 1, 4, 16, 100, 1000]
    )
    at = torch.tensor([1.0], dtype=torch.float64)
    found = float(score_cdf(torch.tensor([width]), at))
    assert found == pytest.approx(0.5 + float(wave / mpmath.pi), abs=1e-6)
    first = float(scores.FIRST_ORDER.subs(x_iw, 1)) / width
    left = abs(found - float(torch.special.ndtr(at)) - first)
    assert left < float(characteristic_distance(torch.tensor([width]))) < float(scores.REMAINDER.subs(n_iw, width))


@pytest.mark.slow
def test_distances_of_densities_are_those_of_a_laplace_law() -> None:
    """At width 2 a number is Laplace distributed; the first order's density is (x⁴ - 6x² + 3)φ/4."""
    x = np.linspace(0, 16, 200_001)
    normal = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    gap = np.exp(-math.sqrt(2) * x) / math.sqrt(2) - normal
    rest = gap - (x**4 - 6 * x**2 + 3) * normal / 8
    found = radial_distances(2, 1)
    assert found == pytest.approx([2 * integrate.trapezoid(abs(part), x) for part in (gap, rest)], rel=1e-3)


@pytest.mark.slow
def test_an_expectation_moves_by_half_a_range_times_a_distance() -> None:
    """What queries alone add to an output of four tokens, against its bound, by random score differences."""
    generator = torch.Generator().manual_seed(0)
    scores_ = torch.randn(400_000, 4, generator=generator, dtype=torch.float64)
    width, y = 16, 0.68
    chi = torch.distributions.Chi2(torch.tensor(float(width), dtype=torch.float64))
    torch.manual_seed(0)
    moved = (chi.sample((len(scores_),)) / width).sqrt()[:, None] * scores_
    law = [torch.special.ndtr(y / (h.softmax(-1) ** 2).sum(-1).sqrt()) for h in (moved, scores_)]
    change = float((law[0] - law[1]).mean())
    assert 0 < abs(change) < float(edgeworth.RANGE) / 2 * radial_distances(width, 3)[0]


@pytest.mark.slow
@pytest.mark.parametrize("share", [1, sp.Rational(9, 10)])
def test_the_remainder_is_proved_with_its_constant_and_not_with_a_smaller_one(share: sp.Expr) -> None:
    chain = claims.remainder_bound.derivation
    first, links = chain.first, [*chain.links]
    _, name, uses = links[-1]
    links[-1] = to_tree(share * scores.REMAINDER), name, uses
    stated = Statement(first, "<=", links[-1][0], claims.remainder_bound.proof_form.domain)  # type: ignore[union-attr]
    known = {
        cited.label: cited.proof_form for cited in (claims.inversion, claims.integrated) if cited.proof_form is not None
    }
    assert prove_chain(stated, first, links, known).outcome == ("proved" if share == 1 else "unknown")


def test_a_narrow_layer_is_refused() -> None:
    law = layer_law(torch.eye(4))
    with pytest.raises(InputError, match="width: expected at least the number of tokens"):
        output_at_width(law, draw_nodes(law, 16, 2, 0), 3, inputs="fixed")
    with pytest.raises(InputError, match="width"):
        exact_outputs(law, 3, 2, 0, inputs="features")
    with pytest.raises(InputError, match="width: expected at least 6"):
        simulated_outputs(law, 5, 2, 0, inputs="fixed", coordinates=6)


def test_formulas_against_each_other() -> None:
    assert output.delta_method().equals(output.LARGE)
    assert float(3 * output.LARGE.subs(kappa_iw, 1)) == pytest.approx(104.745159, abs=1e-6)
    assert float(heads.LARGEST) == pytest.approx(0.550588, abs=1e-6)
    assert float(4 * scores.FIRST_ORDER.subs(x_iw, heads.LARGEST_AT)) == pytest.approx(float(heads.LARGEST))
