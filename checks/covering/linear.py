"""Lemma 3.6 and its relatives: linear covering numbers in three norms, on explicit covers searched for gaps."""

from __future__ import annotations

import functools
import math

import sympy as sp
import torch

from boundaudit.checks.covering import COMPARATOR, PAPER
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, Shared, at_points
from boundaudit.derivations.covering import linear as theory
from boundaudit.derivations.covering.linear import (
    a_cov,
    f_cov,
    i_lin,
    n_cov,
    n_lin,
    p_lin,
    u_lin,
    v_lin,
    w_1cov,
    w_2cov,
    x_1cov,
    x_2cov,
)
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
    statement="Take the maps x ↦ Wx from d inputs to k outputs with ‖W‖_{1,1} ≤ M and ‖x‖₂ ≤ B. Uniformly over all "
    "inputs their logarithmic covering number at ε = BM/s is at most s² log(2dk + 1): neither the number of inputs "
    "nor that of tokens enters. The shrunk means of n = ⌈(s - 1)²⌉ out of a = 2dk atoms are such a cover, as n log a "
    "≤ s² log(a + 1).",
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
    statement="Take the maps x ↦ Wx from d inputs to k outputs with ‖W‖_{1,1} ≤ M and ‖x‖₂ ≤ B. Their logarithmic "
    "covering number at ε = BM/s is at most ⌈(s - 1)₊²⌉ log(2dk), for any number of inputs.",
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

# --- Maurey's means ----------------------------------------------------------------------------------


def _drawn(at: Columns) -> dict[str, torch.Tensor]:
    """Chances of draws of K atoms, and how far their shrunk means are from the atoms' mean."""
    chances, distances, length = linear.means_of(at.real("p_lin"), int(at.whole("K_cov")[0]))
    nearest = distances.amin(-1)
    return {
        "chances": chances, "nearest": nearest, "excess": distances - nearest[:, None], "length": length[:, None],
    }  # fmt: skip


_DRAWS = Shared(_drawn, ("K_cov", "a_cov"), "p_lin")
_NEAREST = _DRAWS.quantity("nearest", "squared distance to the nearest shrunk mean", r"\epsilon^2", nonnegative=True)
_CHANCES = _DRAWS.family("chances", "chances of draws of atoms", "P", a_cov**K_cov, Reals(0, 1), scale=1.0)
_EXCESS = _DRAWS.family("excess", "how much farther a draw's shrunk mean is", "e", a_cov**K_cov, Reals(0), scale=1.0)
_LENGTH = _DRAWS.family("length", "squared length of the atoms' mean", "f", 1, Reals(0, 1), scale=1.0)[1]
_MEANS = Domain(
    {a_cov: Integers(2, tested_to=6), K_cov: Integers(1, tested_to=3), p_lin: Vector(a_cov, Reals(0, 1))},
    where=[sp.Eq(sp.Sum(p_lin[i_lin], (i_lin, 1, a_cov)), 1)],
)
_OVER = (n_lin, 1, a_cov**K_cov)
_MEAN_DISTANCE = sp.Sum(_CHANCES[n_lin] * (_NEAREST.atom + _EXCESS[n_lin]), _OVER)
_RISK = theory.SHRUNK_RISK.subs(theory.f_cov, _LENGTH)
_axiom = functools.partial(_claim, role="axiom", relation="=", domain=_MEANS)

chances = _axiom(
    label="covering.linear.chances",
    statement="The chances of all draws of K atoms add up to one.",
    left=sp.Sum(_CHANCES[n_lin], _OVER),
    right=sp.S.One,
)

independent = _axiom(
    label="covering.linear.independent",
    statement="Atoms of length one are drawn independently: bias and variance of a shrunk mean, written out.",
    left=_MEAN_DISTANCE,
    right=_RISK,
)

products = _claim(
    label="covering.linear.products",
    statement="A product of numbers that are not negative is not negative.",
    left=sp.S.Zero,
    right=u_lin * v_lin,
    domain=Domain({u_lin: Reals(0), v_lin: Reals(0)}),
    expected="proved",
)

near = _claim(
    label="covering.linear.near",
    statement="Every matrix with ‖W‖_{1,1} ≤ M, a mean of atoms ±M e_i e_jᵀ, has a shrunk mean of K of its atoms "
    "within M/(√K + 1) in Frobenius norm: the nearest is no farther than all draws of atoms are in the mean square.",
    left=_NEAREST,
    right=theory.SHRUNK_VALUE,
    domain=_MEANS,
    expected="proved",
    derivation=Derivation(
        label="covering.linear.near.steps",
        title="Maurey's argument",
        steps=(
            Step(_NEAREST, "nearest"),
            Step(_MEAN_DISTANCE, "all draws", "the least is at most a mean", (
                chances.label, Instance(products.label, {u_lin: _CHANCES[n_lin], v_lin: _EXCESS[n_lin]}, over=_OVER),
            )),
            Step(_RISK, "bias and variance", "independence", independent.label),
            Step(theory.SHRUNK_VALUE, "M²/(√K + 1)²", "", Instance(risk.label, {theory.f_cov: _LENGTH})),
        ),
        domain=_MEANS,
        samples={"four atoms, two in a mean": {"a_cov": 4, "K_cov": 2, "p_lin": (0.5, 0.25, 0, 0.25)}},
        paper=PAPER,
        place=("Lemma 3.6",),
    ),
)  # fmt: skip

proofs = (near.derivation,)

# --- the (2,1) norm --------------------------------------------------------------------------------

rows = _claim(
    label="covering.linear.rows.radius",
    statement="Take N given inputs of mean square length B² and the maps x ↦ Wx for which the lengths of W's rows "
    "add up to at most M. In root mean square these maps have a cover at MB/(√K + 1) whose size (2dk)^K does not "
    "depend on N. Its elements are shrunk means of K out of 2dk atoms that depend on the inputs.",
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

# --- the Frobenius norm ----------------------------------------------------------------------------


@at_points
def _packed(point: Point) -> float:
    """The logarithm of the size of a greedy packing of the unit ball at distance 1/s."""
    kept = linear.packing(int(point["d_cov"]) * int(point["k_cov"]), float(point["s_cov"]), 60, _generator(point))
    return math.log(kept)


volumetric = _claim(
    label="covering.linear.frobenius.volumetric",
    statement="Uniformly over all inputs of length at most B, the maps x ↦ Wx with ‖W‖_F ≤ M have at ε = BM/s a "
    "logarithmic covering number of at most dk log(1 + 2s). No set of matrices that are more than ε apart has more "
    "elements, and such a set is a cover where it cannot be enlarged.",
    left=Quantity("logarithm of the size of a greedy packing", _packed, r"\log |\mathcal P|", scale=1.0),
    right=theory.VOLUMETRIC,
    domain=Domain({**_SIZES, s_cov: Reals(0, open_low=True, tested_to=4), seed_cov: _SEEDS}),
    rests_on=("covering.linear.uniform",),
)
