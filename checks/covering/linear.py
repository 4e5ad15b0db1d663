"""Lemma 3.6 and its relatives: linear covering numbers in three norms, on explicit covers searched for gaps."""

from __future__ import annotations

import functools
import math

import sympy as sp
import torch

from boundaudit.checks.covering import COMPARATOR, PAPER
from boundaudit.checks.language.claim import Case, Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import at_points, by_shape
from boundaudit.derivations.covering import linear as theory
from boundaudit.derivations.covering.linear import a_cov, f_cov, n_cov, w_1cov, w_2cov, x_1cov, x_2cov
from boundaudit.derivations.covering.symbols import K_cov, N_cov, d_cov, k_cov, s_cov, seed_cov
from boundaudit.numeric.covering import linear

_claim = functools.partial(Claim, paper=PAPER, place=("Lemma 3.6",))
_ROUNDING = 1e-12
"""Of a distance, which at s = √K + 1 is exactly the scale."""

_SIZES = {d_cov: Integers(1, 2), k_cov: Integers(1, 2)}
_SEEDS = Integers(0, tested_to=100)
_SEARCHED = (
    "The cover is built and points of the class are pushed away from it: a search, which can find gaps and cannot "
    "exclude them. That there are none is Maurey's argument.",
)


def _generator(point: Point) -> torch.Generator:
    return torch.Generator().manual_seed(int(point["seed_cov"]))


# --- the (1,1) norm --------------------------------------------------------------------------------


@at_points
def _log_size(point: Point) -> float:
    """The logarithm of the size of the explicit cover at ε = R/s; infinite where it leaves a gap."""
    d, k, s = int(point["d_cov"]), int(point["k_cov"]), float(point["s_cov"])
    atoms = math.ceil(max(s - 1, 0.0) ** 2)
    elements = linear.shrunk_means(d * k, atoms).view(-1, k, d)
    worst = linear.worst_distance(elements, linear.entries, torch.eye(d, dtype=torch.float64), _generator(point))
    return math.log(len(elements)) if worst <= (1 + _ROUNDING) / s else math.inf


published = _claim(
    label="covering.linear.published",
    statement="The maps x ↦ Wx with ‖W‖_{1,1} ≤ M, ‖x‖₂ ≤ B, d inputs and k outputs have, uniformly over all inputs, a "
    "logarithmic covering number of at most s² log(2dk + 1) at ε = BM/s: neither the number of inputs nor that of "
    "tokens enters. The shrunk means of n = ⌈(s - 1)²⌉ of a = 2dk atoms are such a cover: n log a ≤ s² log(a + 1).",
    role="printed",
    left=theory.BY_ATOMS,
    right=theory.BY_SCALE,
    domain=lambda: Domain(
        {s_cov: Reals(1), n_cov: Integers(0), a_cov: Integers(2)}, where=[n_cov <= (s_cov - 1) ** 2 + 1]
    ),
    rests_on=("covering.linear.sharper", "covering.linear.uniform"),
    expected="proved",
    reading="certain",
    limitations=(
        "Up to s = 1 the origin alone is a cover.",
        "Printed for at least as many inputs as dimensions; no such condition is needed.",
    ),
)

sharper = _claim(
    label="covering.linear.sharper",
    statement="The maps x ↦ Wx with ‖W‖_{1,1} ≤ M, ‖x‖₂ ≤ B have a logarithmic covering number of at most "
    "⌈(s - 1)₊²⌉ log(2dk) at ε = BM/s, for any number of inputs.",
    left=Quantity("logarithm of the size of an explicit cover", _log_size, r"\log |\mathcal C|", scale=1.0),
    right=theory.SHRUNK,
    domain=Domain({**_SIZES, s_cov: Reals(0, open_low=True, tested_to=3), seed_cov: _SEEDS}),
    improves=published.label,
    rests_on=("covering.linear.radius",),
    limitations=_SEARCHED,
)

risk = _claim(
    label="covering.linear.risk",
    statement="The sum of K independent atoms ±M e_i e_jᵀ of mean W, over K + √K, has the mean squared distance "
    "M²/(√K + 1)² from W, whatever ‖W‖_F is; the two ends ‖W‖_F = 0 and M agree.",
    left=theory.SHRUNK_RISK,
    relation="=",
    right=theory.SHRUNK_VALUE,
    domain=Domain({K_cov: Integers(1), f_cov: Reals(0, 1)}),
    expected="proved",
)

shrinking = _claim(
    label="covering.linear.shrinking",
    statement="1/(√K + 1)² is less than 1/K: the shrunk mean of K atoms is nearer than Maurey's plain mean.",
    left=theory.SHRUNK_VALUE,
    right=theory.PLAIN_RISK,
    domain=Domain({K_cov: Integers(1)}),
    rests_on=(risk.label,),
    expected="proved",
)

uniform = _claim(
    label="covering.linear.uniform",
    statement="(w₁x₁ + w₂x₂)² ≤ (w₁² + w₂²)(x₁² + x₂²), and so ‖Wx‖ ≤ ‖W‖_F ‖x‖ by adding up rows: a cover of the "
    "weights in Frobenius norm is good for every input at once, which is where the number of tokens goes.",
    left=theory.OUTPUT,
    right=theory.OUTPUT_BOUND,
    domain=Domain({name: Reals() for name in (w_1cov, w_2cov, x_1cov, x_2cov)}),
    kind="Tight",
    equality=({"w_1cov": 1, "w_2cov": 2, "x_1cov": 2, "x_2cov": 4},),
    expected="proved",
    limitations=("Stated for rows of two entries.",),
)


def _radius(norm: str, point: Point) -> float:
    """The worst distance found, over R/(√K + 1)."""
    d, k, atoms = int(point["d_cov"]), int(point["k_cov"]), int(point["K_cov"])
    generator = _generator(point)
    elements = linear.shrunk_means(d * k, atoms).view(-1, k, d)
    if norm == "entries":
        return linear.worst_distance(elements, linear.entries, torch.eye(d, dtype=torch.float64), generator)
    inputs = linear.unit_inputs(d, int(point["N_cov"]), generator)
    lengths = inputs.norm(dim=0)
    scaled = torch.linalg.qr(inputs / lengths).R.mT
    return linear.worst_distance(elements, lambda c: linear.rows(c / lengths) * len(inputs) ** 0.5, scaled, generator)


def _worst(norm: str) -> Quantity:
    return Quantity(
        "worst distance from an explicit cover, over R", at_points(functools.partial(_radius, norm)),
        r"\max_W \min_{W' \in \mathcal C} \|W - W'\| / R", scale=1.0,
    )  # fmt: skip


radius = _claim(
    label="covering.linear.radius",
    statement="The matrix with ‖W‖_{1,1} ≤ M that the shrunk means of K atoms leave farthest is at the distance "
    "M/(√K + 1) in Frobenius norm, where the atoms themselves are.",
    left=_worst("entries"),
    relation="=",
    right=theory.RADIUS,
    domain=Domain({**_SIZES, K_cov: Integers(1, 4), seed_cov: _SEEDS}),
    rests_on=(risk.label,),
    limitations=_SEARCHED,
)

tight = _claim(
    label="covering.linear.atoms",
    statement="An atom is exactly 1/(√K + 1) from the nearest shrunk mean of K atoms, the one that repeats it: no "
    "smaller radius holds for this cover.",
    left=1 - K_cov * theory.SHRINKAGE,
    relation="=",
    right=theory.RADIUS,
    domain=Domain({K_cov: Integers(1)}),
    expected="proved",
)

# --- the (2,1) norm --------------------------------------------------------------------------------

rows = _claim(
    label="covering.linear.rows.radius",
    statement="On N given inputs of mean square length B² the maps x ↦ Wx with at most M as the sum of the lengths of "
    "the rows of W are covered in root mean square at MB/(√K + 1) by shrunk means of K of 2dk atoms that depend on the "
    "inputs: the size (2dk)^K does not depend on N.",
    left=_worst("rows"),
    right=theory.RADIUS,
    domain=Domain({**_SIZES, K_cov: Integers(1, 4), N_cov: Integers(1, tested_to=100_000), seed_cov: _SEEDS}),
    rests_on=(risk.label,),
    repairs=("covering.linear.orientation.columns",),
    limitations=(*_SEARCHED, "Root mean square over the inputs, which is all that Dudley's integral asks."),
)

columns = _claim(
    label="covering.linear.orientation.columns",
    statement="With a cap on the sum of the lengths of the columns of W, rather than of its rows, the maps x ↦ Wx "
    "still have a logarithmic covering number of at most s² log(2dk + 1): at d = 1 the class is a ball of k "
    "dimensions, of which the volume alone asks for k log s.",
    role="control",
    left=theory.COLUMN_BALL,
    right=lambda: theory.ENTRIES.subs(d_cov, 1),
    domain=Domain({s_cov: Reals(1), k_cov: Integers(1, tested_to=1000)}),
    paper=COMPARATOR,
    place=("Lemma 4.6",),
    expected="refuted",
    limitations=("A misreading of ‖W‖_{2,1}; the norm ‖W‖_{1,1} has no orientation.",),
)

_A = sp.Symbol("A_cov")
_MATRICES = Domain({_A: Matrix(2, 3, Reals(tested_to=1))})
_ENTRIES = Quantity("sum of the entries' moduli", by_shape(linear.entries, "A_cov"), r"\|W\|_{1,1}", scale=1.0)

between = _claim(
    label="covering.linear.rows.smaller",
    statement="The sum of the lengths of the rows of a k × d matrix is at most the sum of its entries' moduli, which "
    "is at most √d times as much: a bound with the (2,1) norm in place of the (1,1) norm is never worse, up to d times "
    "better in a capacity; 2 × 3 matrices.",
    cases=(
        Case(
            "below", left=Quantity("sum of the rows' lengths", by_shape(linear.rows, "A_cov"), r"\|W^\top\|_{2,1}"),
            right=_ENTRIES,
        ),
        Case(
            "factor", left=_ENTRIES,
            right=Quantity(
                "√d times the sum of the rows' lengths", by_shape(lambda a: 3**0.5 * linear.rows(a), "A_cov"),
                r"\sqrt{d} \|W^\top\|_{2,1}", scale=1.0,
            ),
        ),
    ),
    domain=_MATRICES,
)  # fmt: skip

rows_apart = _claim(
    label="covering.linear.rows.apart",
    statement="k rows with ‖w‖₁ ≤ M each, a cap on the (1,∞) norm, take (√k s - 1)² atoms each when they are covered "
    "one by one at ε/√k, s = MB/ε; that is k s - √k, squared, in all, and never more than the (k s - 1)² of their "
    "‖W‖_{1,1} ≤ kM, with log(2d) in place of log(2dk) besides; in the largest error of an output k (s - 1)² will do.",
    left=theory.ROWS_APART,
    right=theory.ROWS_TOGETHER,
    domain=Domain({s_cov: Reals(1), k_cov: Integers(1)}),
    kind="Tight",
    equality=({"s_cov": 2, "k_cov": 1},),
    rests_on=(radius.label,),
    expected="proved",
    limitations=("Before atoms are rounded up to whole numbers.",),
)


@at_points
def _box_radius(point: Point) -> float:
    """The worst distance found on N inputs of signs, for one row with ‖w‖₁ ≤ 1."""
    d, generator = int(point["d_cov"]), _generator(point)
    inputs = torch.rand(int(point["N_cov"]), d, generator=generator, dtype=torch.float64) * 2 - 1
    elements = linear.shrunk_means(d, int(point["K_cov"])).view(-1, 1, d)
    root = torch.linalg.qr(inputs.sign() / len(inputs) ** 0.5).R.mT
    return linear.worst_distance(elements, linear.entries, root, generator)


box = _claim(
    label="covering.linear.box",
    statement="On N inputs of signs, the corners of a box, the maps x ↦ wᵀx with ‖w‖₁ ≤ M are covered in root mean "
    "square at M/(√K + 1) by the shrunk means of K of the 2d atoms ±M e_j, whatever N is: with inputs in a box of side "
    "B, √d B long as they may be, s = MB/ε has no factor √d.",
    left=Quantity(
        "worst distance from an explicit cover on signs",
        _box_radius,
        r"\max_w \min_{w'} \mathrm{rms}(w - w')",
        scale=1.0,
    ),
    right=theory.RADIUS,
    domain=Domain(
        {
            d_cov: Integers(1, 4),
            K_cov: Integers(1, 4),
            N_cov: Integers(1, tested_to=4096),
            seed_cov: _SEEDS,
        }
    ),
    rests_on=(risk.label,),
    limitations=_SEARCHED,
)

# --- the Frobenius norm ----------------------------------------------------------------------------


@at_points
def _packed(point: Point) -> float:
    """The logarithm of the size of a greedy packing of the unit ball at distance 1/s."""
    kept = linear.packing(int(point["d_cov"]) * int(point["k_cov"]), float(point["s_cov"]), 60, _generator(point))
    return math.log(kept)


volumetric = _claim(
    label="covering.linear.frobenius.volumetric",
    statement="The maps x ↦ Wx with ‖W‖_F ≤ M have a logarithmic covering number of at most dk log(1 + 2s) at ε = "
    "BM/s, uniformly over all inputs: a set of matrices that are more than ε apart, which is a cover where it cannot "
    "be enlarged, has no more elements.",
    left=Quantity("logarithm of the size of a greedy packing", _packed, r"\log |\mathcal P|", scale=1.0),
    right=theory.VOLUMETRIC,
    domain=Domain({**_SIZES, s_cov: Reals(0, open_low=True, tested_to=4), seed_cov: _SEEDS}),
    rests_on=("covering.linear.uniform",),
)

through_entries = _claim(
    label="covering.linear.frobenius.smaller",
    statement="For at least two entries and s ≥ 1 the volumetric dk log(1 + 2s) is at most the dk s² log(2dk) of "
    "Maurey's route through ‖W‖_{1,1} ≤ √(dk) ‖W‖_F; both depend on d and k through dk alone, here d.",
    left=lambda: (theory.VOLUMETRIC / d_cov).subs(k_cov, 1),
    right=lambda: (theory.BY_ENTRIES / d_cov).subs(k_cov, 1),
    domain=Domain({s_cov: Reals(1), d_cov: Integers(2)}),
    rests_on=(volumetric.label,),
    expected="proved",
)

crossing = _claim(
    label="covering.linear.frobenius.crossing",
    statement="At d = k = 64 and equal R the published (1,1) bound s² log(2dk + 1) is below the volumetric dk log(1 + "
    "2s) up to s = 45.3 and above it from s = 45.4 on: at fine scales counting parameters is better.",
    cases=(
        Case(
            "coarse", left=lambda: theory.ENTRIES.subs({d_cov: 64, k_cov: 64}),
            right=lambda: theory.VOLUMETRIC.subs({d_cov: 64, k_cov: 64}),
            domain=Domain({s_cov: Reals(1, sp.Rational(453, 10))}),
        ),
        Case(
            "fine", left=lambda: theory.VOLUMETRIC.subs({d_cov: 64, k_cov: 64}),
            right=lambda: theory.ENTRIES.subs({d_cov: 64, k_cov: 64}),
            domain=Domain({s_cov: Reals(sp.Rational(454, 10), tested_to=1000)}),
        ),
    ),
    expected="proved",
)  # fmt: skip

# --- what grows with the inputs --------------------------------------------------------------------

zhang = _claim(
    label="covering.linear.zhang",
    statement="Zhang's bound 36 s² log(2⌈4s + 2⌉N + 1) for ‖w‖₂ ≤ M on N inputs is at s = 1 at least 36 log N: used "
    "with every token an input, N = mT, it makes a capacity grow as log(mT).",
    left=lambda: theory.ZHANG.subs(s_cov, 1),
    relation=">=",
    right=36 * sp.log(N_cov),
    domain=Domain({N_cov: Integers(1, tested_to=10**9)}),
    paper=COMPARATOR,
    place=("Lemma 4.6",),
    kind="Rate",
    expected="proved",
)
