"""Section 6: the proxy that compares checkpoints, when it counts ranks, and when the comparator's is smaller."""

from __future__ import annotations

import functools
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points
from boundaudit.checks.schatten import PAPER
from boundaudit.derivations.schatten import proxy as theory
from boundaudit.derivations.schatten.interpolation import power_sum
from boundaudit.derivations.schatten.proxy import (
    Lambda_sch,
    h_sch,
    r_noise,
    r_sch,
    t_cap,
    v_sch,
    x_gelu,
    x_sch,
    xi_sch,
)
from boundaudit.derivations.schatten.symbols import L_sch, N_sch, n_sch, p_sch, s_sch, seed_sch
from boundaudit.numeric.spectra import spectrum

_claim = functools.partial(Claim, paper=PAPER, place=("Section 6",))
_POSITIVE = Reals(0, open_low=True, tested_to=8)
_ANY_INDEX = Reals(0, open_low=True, tested_to=2)
_VALUES = Vector(n_sch, _POSITIVE)
_CODE = "The definition is the one of the authors' public code."

# --- one matrix -----------------------------------------------------------------------------------

log_convex = _claim(
    label="schatten.proxy.log-convex",
    statement="Schatten sums are log-convex in the index: (Σ s_i^p)² ≤ Σ s_i^(p-h) Σ s_i^(p+h), with equality for "
    "equal singular values.",
    left=lambda: power_sum(p_sch) ** 2,
    right=lambda: power_sum(p_sch - h_sch) * power_sum(p_sch + h_sch),
    domain=lambda: Domain(
        {
            p_sch: _ANY_INDEX,
            h_sch: Reals(0, tested_to=2),
            n_sch: Integers(1, tested_to=3),
            s_sch: _VALUES,
        }
    ),
    kind="Tight",
    equality=({"p_sch": 1, "h_sch": sp.Rational(1, 2), "n_sch": 2, "s_sch": (3, 3)},),
    expected="proved",
)


_SPECTRA: dict[Any, Range] = {
    p_sch: _ANY_INDEX, n_sch: Integers(1, tested_to=5), x_sch: Vector(n_sch, Reals(tested_to=4)),
}  # fmt: skip

powers = _claim(
    label="schatten.proxy.powers",
    statement="Powers of r positive singular values add up to at least r times that of their geometric mean.",
    left=theory.POWERS,
    relation=">=",
    right=sp.S.One,
    domain=Domain(_SPECTRA),
    expected="proved",
)

_SCALE = Reals(0, open_low=True, tested_to=8)

root = _claim(
    label="schatten.proxy.summand",
    statement="A matrix's summand over √(rN) is at least t^(p/(p+2)) where S_p is at least r GM^p.",
    left=theory.summand(r_sch),
    relation=">=",
    right=theory.summand(sp.S.One),
    domain=Domain({t_cap: _SCALE, p_sch: _ANY_INDEX, r_sch: Reals(1, tested_to=8)}),
    expected="proved",
)

_CAPS = Domain({t_cap: _SCALE, **_SPECTRA})

counts_ranks = _claim(
    label="schatten.proxy.counts-ranks",
    statement="Let GM be the geometric mean of a matrix's r positive singular values, and take the scale s = γ α L = "
    "t √(r/N)/GM. At Schatten index p the matrix's summand over √(rN) is at least t^(p/(p+2)). For t ≥ 1 no index "
    "therefore beats 0, where the matrix adds √(rN) to the proxy whatever its weights.",
    left=theory.summand(theory.POWERS),
    relation=">=",
    right=theory.summand(sp.S.One),
    domain=_CAPS,
    expected="proved",
    derivation=Derivation(
        label="schatten.proxy.counts-ranks.steps", title="Geometric and power means", domain=_CAPS,
        samples={"two": {"t_cap": 2, "p_sch": 1, "n_sch": 2, "x_sch": (0, 1)}},
        steps=(
            Step(theory.summand(sp.S.One), "equal values"),
            Step(theory.summand(theory.POWERS), "any values", "power means",
                 (powers.label, Instance(root.label, {r_sch: theory.POWERS}))),
        ),
    ),
    limitations=(
        "With t < 1 some small index is better; on a grid index 0 can then still be the best.",
        "The scale of early blocks is a product over all later ones, so that deep networks meet it.",
    ),
)  # fmt: skip


# --- the comparator -------------------------------------------------------------------------------

exponential = _claim(
    label="schatten.proxy.comparator-exponential",
    statement="Of L equal blocks with Lipschitz factor Λ the first alone makes the comparator's proxy at least "
    "Λ^(L-1) ξ^(3/2), with its share ξ in the sum: exponential in the depth where Λ > 1.",
    left=theory.COMPARATOR,
    relation=">=",
    right=theory.EXPONENTIAL,
    domain=Domain({L_sch: Integers(1, tested_to=24), Lambda_sch: Reals(1, tested_to=8), xi_sch: _POSITIVE}),
    expected="proved",
    limitations=("At fixed norms: trained norms may fall with depth, and then this proxy need not grow.",),
)

smaller = _claim(
    label="schatten.proxy.comparator-smaller",
    statement="Neither proxy is below the other throughout: of one block of scalars w, the comparator's is at most "
    "1 + √w, what M_out alone and √L make of the spectrum-adaptive one, for w ≤ 1/64; and at least the rank cap 5 "
    "for w ≥ 1; in squares, w = v⁶.",
    expected="proved",
    cases=(
        Case(
            "small-weights", left=theory.SCALAR_COMPARATOR, right=theory.SCALAR_LEAST,
            domain=Domain({v_sch: Reals(0, sp.Rational(1, 2), open_low=True)}),
        ),
        Case(
            "large-weights", left=theory.SCALAR_COMPARATOR, relation=">=", kind="Lower", right=theory.SCALAR_CAP,
            domain=Domain({v_sch: Reals(1)}),
        ),
    ),
    limitations=("The paper compares how the proxies of trained networks grow, not their values.",),
)  # fmt: skip

# --- rounding noise -------------------------------------------------------------------------------

noise = _claim(
    label="schatten.proxy.noise",
    statement="Singular values that are rounding noise count at small indices: 704 of them at 1e-16, of a head with 64 "
    "channels at width 768, add between 101.2 and 101.4 to S_p at p = 1/19, where 64 values near one add 64.",
    left=lambda: sp.Abs(theory.NOISE_AT_FIRST_INDEX - sp.Rational("101.3")),
    right=sp.Rational(1, 10),
    domain=Domain({L_sch: Integers(1, 1)}),
    expected="proved",
    limitations=("Noise pushes the best index to 0, where values below a tolerance are not counted.",),
)


def _factors(point: Point) -> tuple[Tensor, Tensor]:
    """Two factors of an N × N product with inner dimension r, with entries of variance 1/N."""
    generator = torch.Generator().manual_seed(point["seed_sch"])
    width, inner = point["N_sch"], point["r_noise"]
    drawn = torch.randn(2, width, inner, generator=generator, dtype=torch.float64) / width**0.5
    return drawn[0], drawn[1].mT


@at_points
def _of_product(point: Point) -> float:
    """Σ s^{1/19} over all singular values that a decomposition of the product returns."""
    left, right = _factors(point)
    return float((torch.linalg.svdvals(left @ right) ** (1 / 19)).sum())


@at_points
def _of_factors(point: Point) -> float:
    return spectrum(*_factors(point)).schatten(1 / 19)


@at_points
def _count(point: Point) -> float:
    return float(len(spectrum(*_factors(point)).values))


_PRODUCTS = Domain({N_sch: Integers(48, 96), r_noise: Integers(1, 8), seed_sch: Integers(0, tested_to=99)})

spurious = _claim(
    label="schatten.proxy.spurious-rank",
    statement="Taken from the product of two factors in float64, the Schatten sum at p = 1/19 of a head with r ≤ 8 "
    "channels at width N from 48 to 96 is at least N/16 more than that of the r singular values that the product has.",
    left=Quantity("Schatten sum of the product", _of_product, r"\sum_i \hat s_i^{1/19}", rounding=1e-6),
    relation=">=",
    right=Quantity(
        "Schatten sum of the factors and N/16",
        lambda points, device: _of_factors(points, device) + [point["N_sch"] / 16 for point in points],
        r"S_{1/19} + N/16", rounding=1e-9,
    ),
    domain=_PRODUCTS,
    rests_on=(noise.label,),
)  # fmt: skip

cured = _claim(
    label="schatten.proxy.rank-by-factors",
    statement="By QR decompositions of its factors a product with inner dimension r has exactly r singular values.",
    left=Quantity("singular values by QR of the factors", _count, r"\#\{s_i\}"),
    relation="=",
    right=r_noise,
    domain=_PRODUCTS,
    rests_on=(spurious.label,),
)

# --- the activation -------------------------------------------------------------------------------

_HALVES = {"rising": Domain({x_gelu: Reals(high=0)}), "turning": Domain({x_gelu: Reals(0)})}
"""Where GELU's derivative rises, and where it has its largest value."""
_STEEPEST = "schatten.proxy.activation-steepest"
_gelu = functools.partial(_claim, left=theory.GELU_SLOPE, place=("Appendix E",), expected="proved")

activation = _gelu(
    label="schatten.proxy.activation",
    statement="GELU has the Lipschitz constant 1.13 that the proxy uses: its derivative Φ(x) + x φ(x) is at most 1.13.",
    role="printed",
    right=theory.PUBLISHED,
    reading="certain",
    limitations=(_CODE,),
    cases=tuple(
        Case(name, domain=domain, derivation=Derivation(
            label=f"schatten.proxy.activation.{name}", title="GELU's slope", domain=domain, paper=PAPER,
            place=("Appendix E",), samples={"at one end": {"x_gelu": 0.0}},
            steps=(Step(theory.GELU_SLOPE, "slope"), Step(theory.STEEPEST, "largest slope", "", f"{_STEEPEST}[{name}]"),
                   Step(theory.PUBLISHED, "1.13")),
        ))
        for name, domain in _HALVES.items()
    ),
)  # fmt: skip

steepest = _gelu(
    label=_STEEPEST,
    statement="GELU's derivative Φ(x) + x φ(x) is at most its value at x = √2, 1.128904. With 1.13 the proxy loses a "
    "factor of 1.001 a block.",
    right=theory.STEEPEST,
    improves=activation.label,
    cases=(
        Case("rising", domain=_HALVES["rising"]),
        Case("turning", domain=_HALVES["turning"], kind="Tight", equality=({"x_gelu": 1},)),
    ),
)
