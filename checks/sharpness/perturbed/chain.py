"""Where the bounds on the change under noise lose, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Step
from boundaudit.checks.language.claim import Measure, Quantity
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, combined, evaluated, measured
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.perturbed.networks import CASES, SMALL, TINY, Network, complete, networks, remembered
from boundaudit.checks.sharpness.targets import PAPER
from boundaudit.derivations.sharpness.parameters import d
from boundaudit.derivations.sharpness.perturbed_gradient import CONSTANT, G_P
from boundaudit.derivations.sharpness.perturbed_hessian import H_P
from boundaudit.derivations.sharpness.perturbed_output import PRINTED, T_P, T_P_TERMS, rate
from boundaudit.numeric.sharpness.autodiff import hessian, parameters, repeat
from boundaudit.numeric.sharpness.forward import trace
from boundaudit.numeric.sharpness.moments import block_norms, first_order, hessian_changes, readout, sampled
from boundaudit.numeric.sharpness.noise import gaussian, moved
from boundaudit.numeric.sharpness.perturbation import quantiles

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
    change = first_order(*drawn, gaussian(drawn.batch, drawn.blocks, 0)).gradient
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
