"""How far one attention layer moves: the published 1 + 4B, the sharp B + √(1 + B²), and maps that are perturbed."""

from __future__ import annotations

import functools

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import COMPARATOR
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.measurements import Columns, by_columns, small
from boundaudit.derivations.covering import layer as theory
from boundaudit.derivations.covering.layer import (
    a_head,
    c_head,
    e_head,
    g_head,
    n_head,
    nu_head,
    p_head,
    t_head,
    v_head,
)
from boundaudit.derivations.covering.symbols import B_cov, T_cov, seed_cov
from boundaudit.numeric.covering import head as attention
from boundaudit.numeric.covering.head import Head

_claim = functools.partial(Claim, paper=COMPARATOR, place=("Layer Lipschitz constant",))
_LARGE = Reals(0, tested_to=16)
_SEEDS = Integers(0, tested_to=100)
_D = 3


def generator(at: Columns) -> torch.Generator:
    """The draws of a batch of one seed: they are its points' alike, so that no value depends on the batch."""
    return torch.Generator().manual_seed(int(at.whole("seed_cov")[0]))


def _attacked(at: Columns) -> Tensor:
    """The largest slope that ascent finds, or quotient of drawn inputs of a layer where that is larger."""
    tokens, key = int(at.whole("T_cov")[0]), at.real("B_cov")
    found = attention.steepest(tokens, _D, key, generator(at))
    return torch.maximum(found, attention.quotient(tokens, _D, key, generator(at)))


published = _claim(
    label="covering.layer.published",
    statement="A layer of attention on rows in the unit ball, with ‖W_QK‖ ≤ B and value and output maps of norm one, "
    "is (1 + 4B)-Lipschitz in the largest length of a row, whatever the number of tokens; its largest slope is "
    "B + √(1 + B²).",
    role="printed",
    left=theory.SHARP,
    right=theory.PUBLISHED,
    domain=Domain({B_cov: Reals(0)}),
    rests_on=("covering.softmax.published", "covering.layer.sharp"),
    expected="proved",
    reading="plausible",
)

sharp = _claim(
    label="covering.layer.sharp",
    statement="A layer of attention on rows in the unit ball, with ‖W_QK‖ ≤ B and value and output maps of norm "
    "one, moves by at most B + √(1 + B²) times the largest move of a row, whatever the number of tokens; "
    "no smaller constant holds where the query is free.",
    left=Quantity(
        "largest slope that gradient ascent finds",
        small(_attacked, "T_cov", "seed_cov"),
        r"\sup \|\partial y\|",
        scale=1.0,
    ),
    right=theory.SHARP,
    domain=Domain(
        {
            B_cov: _LARGE,
            T_cov: Choices(three=3, many=32),
            seed_cov: Choices(first=0, second=1),
        }
    ),
    improves=published.label,
    rests_on=("covering.layer.mean-square", "covering.layer.parts"),
    limitations=("Attacked with up to 32 distinct tokens, of which the ascent says how often each stands.",),
)

attained = _claim(
    label="covering.layer.attained",
    statement="Two opposite unit tokens of equal weight, W_QK = B·1 and a query at right angles to them have the slope "
    "B + √(1 + B²): the sharp constant of a layer of attention is attained with two tokens.",
    left=Quantity(
        "slope at two opposite tokens", by_columns(attention.attained, "B_cov"), r"\|\partial y\|", scale=1.0
    ),
    relation="=",
    right=theory.SHARP,
    domain=Domain({B_cov: _LARGE}),
)

own_query = _claim(
    label="covering.layer.own-query",
    statement="A row e₂ of a layer, its own query among n pairs of rows ±e₁, W_QK = B·1, moves at the speed "
    "(1 - p)(B + √(1 + B²)) + p, p = exp(B)/(exp(B) + 2n), when the rows move at speed one as is worst: with many "
    "tokens no smaller constant than B + √(1 + B²) holds for layers whose queries are their own rows either.",
    left=Quantity("speed of the row", by_columns(attention.own_query, "B_cov", "n_head"), r"\|\partial y\|", scale=1.0),
    relation="=",
    right=lambda: theory.OWN_QUERY,
    domain=Domain({B_cov: _LARGE, n_head: Integers(1, tested_to=10**9)}),
)

mean_square = _claim(
    label="covering.layer.mean-square",
    statement="For two tokens with weights p and 1 - p at distance g along a unit vector u, and a query a with uᵀa = "
    "c, the mean of ‖u + ξa‖² is 1 + ‖a‖² p(1-p) g², the variance's part alone: the cross term vanishes as ξ has mean "
    "zero.",
    left=theory.MEAN_SQUARE,
    relation="=",
    right=theory.BY_VARIANCE,
    domain=Domain({p_head: Reals(0, 1), g_head: Reals(), a_head: Reals(0), c_head: Reals(-a_head, a_head)}),
    expected="proved",
)

parts = _claim(
    label="covering.layer.parts",
    statement="The two parts √(1 + a² v) and B √v of a pooled token's derivative add up to at most B + √(1 + B²), "
    "where the query has length a ≤ B and the tokens in the unit ball a variance v ≤ 1.",
    left=theory.PARTS,
    right=theory.SHARP,
    domain=Domain({B_cov: Reals(0), a_head: Reals(0, B_cov), v_head: Reals(0, 1)}),
    kind="Tight",
    equality=({"B_cov": 1, "a_head": 1, "v_head": 1},),
    expected="proved",
)

through_softmax = _claim(
    label="covering.layer.halved",
    statement="B + √(1 + B²) is at most 1 + 2B, which the published argument gives with the softmax's sharp constant, "
    "for every B ≥ 0.",
    left=theory.SHARP,
    right=theory.WITH_SHARP_SOFTMAX,
    domain=Domain({B_cov: Reals(0)}),
    kind="Tight",
    equality=({"B_cov": 0},),
    rests_on=(sharp.label, "covering.softmax.sharp"),
    expected="proved",
)

gain = _claim(
    label="covering.layer.gain",
    statement="The published 1 + 4B is at most 17/8 times the sharp B + √(1 + B²), attained at B = 15/8: that much is "
    "gained for every layer but the last, in a Rademacher bound.",
    left=theory.PUBLISHED,
    right=theory.LARGEST_GAIN * theory.SHARP,
    domain=Domain({B_cov: Reals(0)}),
    kind="Tight",
    equality=({"B_cov": sp.Rational(15, 8)},),
    expected="proved",
)

# --- maps that are perturbed -----------------------------------------------------------------------


def _pair(at: Columns) -> tuple[Head, Head, Tensor, Tensor]:
    """Heads and neighbours, tokens and queries in the unit ball."""
    tokens, key, noise = int(at.whole("T_cov")[0]), at.real("B_cov"), at.real("nu_head")
    return attention.neighbours(tokens, key, at.real("t_head"), at.real("e_head"), noise, generator(at))


def _difference(at: Columns) -> Tensor:
    first, other, tokens, query = _pair(at)
    return (first(tokens, query) - other(tokens, query)).abs()


def _telescope(softmax: float) -> Quantity:
    def bound(at: Columns) -> Tensor:
        first, other, _, query = _pair(at)
        return attention.telescope(first, other, query, softmax)

    factor = "" if softmax == 1 else f"{softmax:g} "
    return Quantity(
        f"sum of the maps' errors, the queries' {softmax:g} times", small(bound, "T_cov", "seed_cov"),
        rf"\epsilon_w + B_w \epsilon_C + B_w B_C \epsilon_V + {factor}B_w B_C B_V \epsilon_{{QK}}", scale=1.0,
    )  # fmt: skip


_perturbed = functools.partial(
    _claim,
    left=Quantity("difference of two outputs", small(_difference, "T_cov", "seed_cov"), r"|f - f'|", scale=1.0),
    domain=Domain({
        B_cov: Reals(0, tested_to=8), t_head: Reals(0, tested_to=1), e_head: Reals(0, tested_to=1),
        nu_head: Reals(0, tested_to=1), T_cov: Integers(1, tested_to=512), seed_cov: _SEEDS,
    }),
    place=("Head capacity",),
)  # fmt: skip

perturbation = _perturbed(
    label="covering.layer.perturbation.published",
    statement="When the four maps of an attention head on tokens in the unit ball err by ε_QK, ε_V, ε_C and ε_w on "
    "their inputs, the scalar output errs by at most ε_w + B_w ε_C + B_w B_C ε_V + 2 B_w B_C B_V ε_QK, whatever the "
    "number of tokens; ReLU.",
    role="printed",
    right=_telescope(2.0),
    rests_on=("covering.softmax.published",),
    reading="plausible",
)

perturbation_sharp = _perturbed(
    label="covering.layer.perturbation.sharp",
    statement="When the four maps of an attention head on tokens in the unit ball err by ε_QK, ε_V, ε_C and ε_w on "
    "their inputs, the scalar output errs by at most ε_w + B_w ε_C + B_w B_C ε_V + B_w B_C B_V ε_QK, whatever the "
    "number of tokens; ReLU.",
    right=_telescope(1.0),
    improves=perturbation.label,
    rests_on=("covering.softmax.pooled",),
)
