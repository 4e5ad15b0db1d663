"""The Rademacher complexity of one head: what gradient ascent finds, against its bound."""

from __future__ import annotations

import functools
import math

import torch
from torch import Tensor

from boundaudit.checks.covering import PAPER
from boundaudit.checks.covering.layer import generator
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, small
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.derivations.covering import rademacher as theory
from boundaudit.derivations.covering.rademacher import m_rad, nu_rad
from boundaudit.derivations.covering.symbols import B_cov, T_cov, seed_cov
from boundaudit.numeric.covering import bounds, rademacher

_claim = functools.partial(Claim, paper=PAPER, place=("Section 4",))


def _searched(at: Columns) -> Tensor:
    tokens, samples = at.whole("T_cov"), at.whole("m_rad")
    return rademacher.of_head(tokens, samples, at.real("B_cov"), at.real("nu_rad"), generator(at))


head = _claim(
    label="covering.rademacher.head",
    statement="Take one head with (1,1) norms of w, W_C and W_V at most one and that of W_QK at most B, on m samples "
    "of T tokens of length at most one in four dimensions. Let c = √(γ³/m), γ its capacity's third root with the "
    "softmax's constant one. Its Rademacher complexity is at most 1 where 3c > 1, else at most the smaller of 1 and "
    "12 c (1 + log(1/(3c))): T does not enter. Searched: the largest mean of signs times outputs over W_V and W_QK, by "
    "gradient ascent from two starts for each of eight draws of the signs.",
    left=Quantity(
        "largest correlations with signs that gradient ascent finds", small(_searched, "seed_cov"),
        r"\hat{\mathfrak{R}}_S", rounding=1e-9, scale=1.0,
    ),
    right=lambda: theory.head(rademacher.WIDTH, 1),
    domain=Domain({
        m_rad: Integers(1, tested_to=10**9), T_cov: Integers(1, tested_to=10**6), B_cov: Reals(0, tested_to=16),
        nu_rad: Reals(0, tested_to=1), seed_cov: Integers(0, 1),
    }),
    rests_on=(
        "covering.allocation.least", "covering.dudley.guarded", "covering.layer.perturbation.sharp",
        "covering.linear.published", "covering.linear.near",
    ),
    limitations=(
        "A sample repeats eight distinct inputs of four distinct tokens, as often as m and T say.",
        "The search gives a lower bound of the complexity, up to the draws. The bound is trivial below m = 44² γ³.",
        "Proved are what the errors of maps do to the output, that Maurey's means cover each map, how errors are "
        "shared and Dudley's integral for finite classes; not that covers of the maps make one of the head.",
    ),
)  # fmt: skip

# --- the figure -------------------------------------------------------------------------------------

_KEY, _MANY = 4.0, 10**9
_LENGTHS = [10**n for n in range(7)]
_SAMPLES = [10**n for n in range(13)]


def _found(tokens: list[int], samples: list[int], seed: int) -> Series:
    """What ascent finds for drawn tokens, at each length or number of samples."""
    one, draws = torch.ones(len(tokens), dtype=torch.float64), torch.Generator().manual_seed(seed)
    found = rademacher.of_head(torch.tensor(tokens), torch.tensor(samples), _KEY * one, one, draws)
    x = tokens if len(set(tokens)) > 1 else samples
    return Series("correlation found by search", x, found.tolist(), drawn="points")


def _bounds(x: list[int], samples: list[int]) -> list[Series]:
    """Dudley's bounds without the tokens, at each length or number of samples."""
    width = rademacher.WIDTH
    caps = bounds.Caps(dim=width, inner=width, key=_KEY, value=1, out=1, read=1)
    capacities = {
        "Trauger & Tewari's shape": bounds.single_layer_capacity(caps).total,
        "in two stages": bounds.single_layer_capacity(caps, softmax="sharp", norms="rows").total,
    }
    return [Series(name, x, [bounds.dudley(of, m) for m in samples]) for name, of in capacities.items()]


def _with_tokens(tokens: int, samples: int) -> float:
    """Dudley's bound with log(dmT) for every map and the constant one, the softmax moving twice as far."""
    capacity = (3 + (2 * _KEY) ** (2 / 3)) ** 3 * math.log(rademacher.WIDTH * samples * tokens)
    return bounds.dudley(float(capacity), samples)


def _compute(setting: Setting) -> list[Panel]:
    many, long = [_MANY] * len(_LENGTHS), [_LENGTHS[-1]] * len(_SAMPLES)
    grown = [_with_tokens(tokens, _MANY) for tokens in _LENGTHS]
    by_length = [
        *_bounds(_LENGTHS, many),
        Series("Edelman et al.'s shape, constant one", _LENGTHS, grown),
        _found(_LENGTHS, many, setting.seed),
    ]
    by_samples = [*_bounds(_SAMPLES, _SAMPLES), _found(long, _SAMPLES, setting.seed)]
    y = "Rademacher complexity"
    return [
        Panel(f"{_MANY:.0e} samples", "tokens", y, by_length, log="xy"),
        Panel(f"{_LENGTHS[-1]:.0e} tokens", "samples", y, by_samples, log="xy"),
    ]


study = Study(
    label="covering.rademacher.study",
    title="What one head's complexity is bounded by, and what a search finds",
    caption="One head in four dimensions with (1,1) norms of one and four for W_QK. Neither the search nor the bounds "
    "of Trauger & Tewari's shape grow with the tokens; log(dmT) does. A bound says nothing up to about 2000 γ³ samples "
    "and stays thousands of times above what is found.",
    claims=(head.label,),
    compute=_compute,
    paper=PAPER,
    place=("Section 4",),
)
