"""Margin bounds for networks by the spectral norms of their layers: a whole derivation, audited step by step.

A network F(x) = A_L σ(… σ(A_1 x)) with ReLUs σ sorts inputs into k classes. Its margin at (x, y) is the output for y
less the largest other output. Bartlett, Foster and Telgarsky (Spectrally-normalized margin bounds for neural networks,
2017) bound the chance of a wrong class by the share of n training points with a margin below γ, and a term that grows
with the spectral complexity

    R_A = (∏ s_i) (∑ (b_i / s_i)^(2/3))^(3/2),    s_i = ‖A_i‖₂,    b_i = ‖A_i^T‖_{2,1} (the sum of the rows' norms).

The claims below are the steps of such a proof in our own words, from the loss to the union over all norms: each stands
alone, says what it rests on, and is pinned to the verdict that it gets. Four are false, and pinned as such.

    boundaudit verify spectral_margin.py --profile smoke
    boundaudit report
"""

from collections.abc import Sequence
from functools import partial
from itertools import product

import numpy as np
import sympy as sp

from boundaudit import (
    Claim,
    Derivation,
    Domain,
    Integers,
    Point,
    Probability,
    Quantity,
    Reals,
    Step,
    Theorem,
    Vector,
    symbol,
)

PAPER = "Bartlett, Foster & Telgarsky 2017"
claim = partial(Claim, paper=PAPER, expected="proved")
theorem = partial(Theorem, paper=PAPER)

REAL, POSITIVE, ABOVE_ZERO = Reals(), Reals(0, open_low=True), Reals(0)
UNIT = Reals(0, 1, open_low=True, open_high=True)
COUNT = Integers(1)

n = symbol("n", "training points", integer=True, positive=True)
delta = symbol("delta", "chance that the bound fails", positive=True)
gamma = symbol("gamma", "margin that is asked for", positive=True)
z, w = symbol("z", "a margin", real=True), symbol("w", "another margin", real=True)

# --- tails ----------------------------------------------------------------------------------------
# What every bound of this kind stands on. Two of these steps ship with the suite: claims may rest on shipped ones.

q = symbol("q", "frequency of an error", positive=True)
p = symbol("p", "probability of an error", positive=True)
k = symbol("k", "events, hypotheses or parts", integer=True, positive=True)
u = symbol("u", "relative deviation", nonnegative=True)
s = symbol("s", "a real number", real=True)
t = symbol("t", "a threshold or a rate", positive=True)

pinsker = claim(
    label="margin.tails.pinsker",
    statement="The relative entropy of two coins is at least twice the squared difference of their biases.",
    left=q * sp.log(q / p) + (1 - q) * sp.log((1 - q) / (1 - p)),
    relation=">=",
    right=2 * (q - p) ** 2,
    domain=Domain({q: UNIT, p: UNIT}),
    place=("Tails",),
)

bernstein = claim(
    label="margin.tails.bernstein",
    statement="Bernstein's exponent is below Bennett's: (1+u) log(1+u) - u is at least u²/(2 + 2u/3).",
    left=(1 + u) * sp.log(1 + u) - u,
    relation=">=",
    right=u**2 / (2 + 2 * u / 3),
    domain=Domain({u: ABOVE_ZERO}),
    place=("Tails",),
)

signs = claim(
    label="margin.tails.signs",
    statement="A random sign has the moment generating function cosh(s), which is at most exp(s²/2).",
    left=sp.cosh(s),
    relation="<=",
    right=sp.exp(s**2 / 2),
    domain=Domain({s: REAL}),
    place=("Tails",),
)

independent_events = claim(
    label="margin.tails.union",
    statement="One of k independent events of probability p happens with probability at most k p.",
    left=1 - (1 - p) ** k,
    relation="<=",
    right=k * p,
    domain=Domain({p: UNIT, k: COUNT}),
    place=("Tails",),
)

bounded_differences = claim(
    label="margin.tails.bounded-differences",
    statement="At the deviation √(log(2/δ)/(2n)) McDiarmid's tail exp(-2 n t²) is δ/2.",
    left=sp.exp(-2 * n * sp.sqrt(sp.log(2 / delta) / (2 * n)) ** 2),
    relation="=",
    right=delta / 2,
    domain=Domain({n: COUNT, delta: UNIT}),
    place=("Tails",),
    rests_on=("pac_bayes.subgaussian.hoeffding",),
)

# --- Massart's lemma for finite classes -----------------------------------------------------------

r = symbol("r", "Euclidean length of the vectors of a class", positive=True)

best_rate = claim(
    label="margin.massart.best-rate",
    statement="In Massart's lemma no rate t does better than √(2 log k)/r: log(k)/t + t r²/2 is at least r √(2 log k).",
    left=sp.log(k) / t + t * r**2 / 2,
    relation=">=",
    right=r * sp.sqrt(2 * sp.log(k)),
    domain=Domain({k: COUNT, t: POSITIVE, r: POSITIVE}),
    place=("Massart",),
    rests_on=("margin.tails.signs",),
)

cube = claim(
    label="margin.massart.cube",
    statement="Massart's lemma on the 2^k sign vectors of length √k: the mean largest product with random signs is k, "
    "and at most √k √(2 log 2^k).",
    left=k,
    relation="<=",
    right=sp.sqrt(k) * sp.sqrt(2 * sp.log(2**k)),
    domain=Domain({k: COUNT}),
    place=("Massart",),
    rests_on=("margin.massart.best-rate",),
)

# False: a draft that loses a factor of two. A control shows that the check would have seen it.
half = claim(
    label="margin.massart.half",
    statement="Massart's lemma with half its constant on the 2^k sign vectors: k is at most √k √(2 log 2^k)/2.",
    left=k,
    relation="<=",
    right=sp.sqrt(k) * sp.sqrt(2 * sp.log(2**k)) / 2,
    domain=Domain({k: COUNT}),
    role="control",
    place=("Massart",),
    expected="refuted",
)

# --- the margin loss ------------------------------------------------------------------------------
# The ramp is 1 for margins up to 0, falls to 0 at γ, and stays there.


def ramp(margin: sp.Expr) -> sp.Expr:
    """The ramp loss with slope -1/γ."""
    return sp.Min(1, sp.Max(0, 1 - margin / gamma))


ramp_above = claim(
    label="margin.ramp.above",
    statement="A wrong class costs a whole unit: the ramp loss is 1 where the margin is not positive.",
    left=ramp(z),
    relation="=",
    right=1,
    domain=Domain({z: Reals(None, 0), gamma: POSITIVE}),
    role="printed",
    place=("Margin loss",),
)

ramp_below = claim(
    label="margin.ramp.below",
    statement="In units of γ the ramp loss is at most the indicator of a margin below 1.",
    left=ramp(z).subs(gamma, 1),
    relation="<=",
    right=sp.Piecewise((1, z < 1), (0, True)),
    domain=Domain({z: REAL}),
    role="printed",
    place=("Margin loss",),
)

ramp_slope = claim(
    label="margin.ramp.lipschitz",
    statement="The ramp loss changes by at most 1/γ times the change of the margin.",
    left=ramp(z) - ramp(w),
    relation="<=",
    right=sp.Abs(z - w) / gamma,
    domain=Domain({z: REAL, w: REAL, gamma: POSITIVE}),
    role="printed",
    place=("Margin loss",),
)

outputs = [symbol(f"v_{i}", "an output of a network", real=True) for i in (1, 2, 3)]
others = [symbol(f"o_{i}", "an output of another network", real=True) for i in (1, 2, 3)]

margin_slope = claim(
    label="margin.ramp.margin",
    statement="With three classes the margin changes by at most twice the largest change of an output.",
    left=outputs[0] - sp.Max(*outputs[1:]) - (others[0] - sp.Max(*others[1:])),
    relation="<=",
    right=2 * sp.Max(*(sp.Abs(a - b) for a, b in zip(outputs, others, strict=True))),
    domain=Domain(dict.fromkeys([*outputs, *others], REAL)),
    role="printed",
    place=("Margin loss",),
    limitations=("For three classes; the proof for k is the same.",),
)

# --- norms and spectral complexity ----------------------------------------------------------------
# With the layer's shape u_i = (b_i/s_i)^(1/3) the spectral complexity of two layers is s_1 s_2 (u_1² + u_2²)^(3/2).

d = symbol("d", "rows of a layer", integer=True, positive=True)
i = symbol("i", "a row", integer=True, positive=True)
rows = sp.IndexedBase("a", real=True)
u_1 = symbol("u_1", "cube root of b/s of the first layer", nonnegative=True)
u_2 = symbol("u_2", "cube root of b/s of the second layer", nonnegative=True)
s_1 = symbol("s_1", "spectral norm of the first layer", positive=True)
s_2 = symbol("s_2", "spectral norm of the second layer", positive=True)
b_1 = symbol("b_1", "(2,1)-norm of the first layer", positive=True)
b_2 = symbol("b_2", "(2,1)-norm of the second layer", positive=True)
c = symbol("c", "a factor on a layer", positive=True)

NORMS_OF_ROWS = Domain({d: COUNT, rows: Vector(d, ABOVE_ZERO)})
SHAPES = Domain({u_1: ABOVE_ZERO, u_2: ABOVE_ZERO})
FROBENIUS, TWO_ONE = sp.sqrt(sp.Sum(rows[i] ** 2, (i, 1, d))), sp.Sum(rows[i], (i, 1, d))

frobenius_below = claim(
    label="margin.norms.frobenius-below",
    statement="The Frobenius norm is at most the (2,1)-norm: the root of a sum of squares is at most the sum.",
    left=FROBENIUS,
    relation="<=",
    right=TWO_ONE,
    domain=NORMS_OF_ROWS,
    place=("Norms",),
)

frobenius_above = claim(
    label="margin.norms.frobenius-above",
    statement="The (2,1)-norm of a layer with d rows is at most √d times its Frobenius norm.",
    left=TWO_ONE,
    relation="<=",
    right=sp.sqrt(d) * FROBENIUS,
    domain=NORMS_OF_ROWS,
    place=("Norms",),
)


def complexity(*layers: tuple[sp.Expr, sp.Expr]) -> sp.Expr:
    """R_A from the pairs (s_i, b_i)."""
    exponent = sp.Rational(2, 3)
    shapes = sum((b / s) ** exponent for s, b in layers)
    return sp.prod([s for s, _ in layers]) * shapes ** (1 / exponent)


homogeneous = claim(
    label="margin.complexity.homogeneous",
    statement="A factor c on both layers' weights multiplies the spectral complexity by c².",
    left=complexity((c * s_1, c * b_1), (c * s_2, c * b_2)),
    relation="=",
    right=c**2 * complexity((s_1, b_1), (s_2, b_2)),
    domain=Domain(dict.fromkeys([s_1, b_1, s_2, b_2, c], POSITIVE)),
    place=("Spectral complexity",),
)

balanced = claim(
    label="margin.complexity.balanced",
    statement="A factor c on the first layer and 1/c on the second leaves network and spectral complexity as they were.",
    left=complexity((c * s_1, c * b_1), (s_2 / c, b_2 / c)),
    relation="=",
    right=complexity((s_1, b_1), (s_2, b_2)),
    domain=Domain(dict.fromkeys([s_1, b_1, s_2, b_2, c], POSITIVE)),
    place=("Spectral complexity",),
)

at_least_sum = claim(
    label="margin.complexity.at-least-sum",
    statement="The layers' part of the spectral complexity is at least the sum of their b/s.",
    left=u_1**3 + u_2**3,
    relation="<=",
    right=(u_1**2 + u_2**2) ** sp.Rational(3, 2),
    domain=SHAPES,
    place=("Spectral complexity",),
)

at_most_sum = claim(
    label="margin.complexity.at-most-sum",
    statement="With two layers it is at most √2 times the sum of their b/s, with equality for layers of one shape.",
    left=(u_1**2 + u_2**2) ** sp.Rational(3, 2),
    relation="<=",
    right=sp.sqrt(2) * (u_1**3 + u_2**3),
    domain=SHAPES,
    kind="Tight",
    equality=({u_1: 1, u_2: 1},),
    place=("Spectral complexity",),
)

# A quantity that is measured, and defined entry by entry: NumPy tells the one, proofs stand on the other.

entries = [symbol(f"m_{row}{column}", "an entry of a matrix", real=True) for row in (1, 2) for column in (1, 2)]
m_11, m_12, m_21, m_22 = entries
MATRICES = Domain(dict.fromkeys(entries, REAL))


def spectral_norms(points: Sequence[Point], device: str) -> np.ndarray:
    """The largest singular value of each 2 × 2 matrix."""
    matrices = np.array([[point[entry.name] for entry in entries] for point in points]).reshape(-1, 2, 2)
    return np.linalg.norm(matrices, 2, axis=(1, 2))


spectral_norm = Quantity(
    "spectral norm of a 2 × 2 matrix",
    spectral_norms,
    r"\|M\|_2",
    definition=(
        sp.sqrt((m_11 + m_22) ** 2 + (m_12 - m_21) ** 2) / 2 + sp.sqrt((m_11 - m_22) ** 2 + (m_12 + m_21) ** 2) / 2
    ),
    scale=1e-6,
)

spectral_below = claim(
    label="margin.norms.spectral-below",
    statement="The spectral norm of a 2 × 2 matrix is at most its Frobenius norm.",
    left=spectral_norm,
    relation="<=",
    right=sp.sqrt(sum(entry**2 for entry in entries)),
    domain=MATRICES,
    place=("Norms",),
)

spectral_above = claim(
    label="margin.norms.spectral-above",
    statement="The spectral norm of a 2 × 2 matrix is at least its Frobenius norm over √2.",
    left=spectral_norm,
    relation=">=",
    right=sp.sqrt(sum(entry**2 for entry in entries) / 2),
    domain=MATRICES,
    place=("Norms",),
)

# --- Lipschitz constants --------------------------------------------------------------------------

rectifier = claim(
    label="margin.lipschitz.rectifier",
    statement="A ReLU changes by at most as much as its input.",
    left=sp.Max(0, z) - sp.Max(0, w),
    relation="<=",
    right=sp.Abs(z - w),
    domain=Domain({z: REAL, w: REAL}),
    place=("Lipschitz",),
)

# Small networks, all of a batch at once. Their weights are parameters of the domain, so that the search attacks them.

WIDTH = 3
first, second = sp.IndexedBase("A", real=True), sp.IndexedBase("B", real=True)
inputs = sp.IndexedBase("x", real=True)
NETWORKS = Domain({
    first: Vector(WIDTH**2, Reals(-1, 1)),
    second: Vector(WIDTH**2, Reals(-1, 1)),
    inputs: Vector(2 * WIDTH, Reals(-1, 1)),
})  # fmt: skip


def batch(points: Sequence[Point]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Both layers, shape (points, 3, 3), and two inputs, shape (points, 2, 3)."""
    layers = [np.array([point[name] for point in points]).reshape(-1, WIDTH, WIDTH) for name in ("A", "B")]
    return layers[0], layers[1], np.array([point["x"] for point in points]).reshape(-1, 2, WIDTH)


def change_of_output(points: Sequence[Point], device: str) -> np.ndarray:
    """How far apart a network's outputs are on two inputs."""
    a, b, x = batch(points)
    hidden = np.maximum(0, np.einsum("nij,nkj->nki", a, x))
    out = np.einsum("nij,nkj->nki", b, hidden)
    return np.linalg.norm(out[:, 0] - out[:, 1], axis=-1)


def lipschitz_bound(points: Sequence[Point], device: str) -> np.ndarray:
    """The product of the spectral norms times the distance of the inputs."""
    a, b, x = batch(points)
    product_of_norms = np.linalg.norm(a, 2, axis=(1, 2)) * np.linalg.norm(b, 2, axis=(1, 2))
    return product_of_norms * np.linalg.norm(x[:, 0] - x[:, 1], axis=-1)


lipschitz = claim(
    label="margin.lipschitz.product",
    statement="The outputs of a network with two layers and ReLUs differ by at most the product of the layers' spectral "
    "norms times the distance of the inputs.",
    left=Quantity("change of the output", change_of_output, r"\|F(x) - F(x')\|", scale=1.0),
    relation="<=",
    right=Quantity("product of norms", lipschitz_bound, r"\|A_1\|_2 \|A_2\|_2 \|x - x'\|", scale=1.0),
    domain=NETWORKS,
    place=("Lipschitz",),
    expected="supported",
    rests_on=("margin.lipschitz.rectifier",),
    limitations=("Measured for networks of width three.",),
)

# --- covering one layer: Maurey's sparsification --------------------------------------------------

b = symbol("b", "radius of a class of matrices", positive=True)
epsilon = symbol("epsilon", "resolution of a cover", positive=True)
atoms = symbol("N", "matrices with a single entry, up to sign", integer=True, positive=True)
y = symbol("y", "b²/ε²", positive=True)

draws = claim(
    label="margin.maurey.draws",
    statement="The mean of k draws with second moment b² has variance at most b²/k: at most ε² from k = b²/ε² on.",
    left=b**2 / k,
    relation="<=",
    right=epsilon**2,
    domain=Domain({b: POSITIVE, epsilon: POSITIVE, k: Integers(b**2 / epsilon**2)}),
    role="printed",
    place=("Covering a layer",),
)

multisets = claim(
    label="margin.maurey.multisets",
    statement="The means of k draws out of N atoms are at most N^k, as many as multisets of size k.",
    left=sp.binomial(atoms + k - 1, k),
    relation="<=",
    right=atoms**k,
    domain=Domain({atoms: COUNT, k: COUNT}),
    role="printed",
    place=("Covering a layer",),
    rests_on=("margin.maurey.draws",),
)

# False: the number of draws is a whole number. The mend costs a factor of two, where ε is at most b.
fractional = claim(
    label="margin.maurey.fractional",
    statement="As first drafted: y = b²/ε² draws suffice, so that the logarithm of the cover has no more than y log N.",
    left=sp.ceiling(y) * sp.log(atoms),
    relation="<=",
    right=y * sp.log(atoms),
    domain=Domain({y: POSITIVE, atoms: COUNT}),
    role="printed",
    place=("Covering a layer",),
    expected="refuted",
)

whole = claim(
    label="margin.maurey.whole",
    statement="Where ε is at most b, twice y = b²/ε² is enough for the whole number of draws.",
    left=sp.ceiling(y) * sp.log(atoms),
    relation="<=",
    right=2 * y * sp.log(atoms),
    domain=Domain({y: Reals(1), atoms: COUNT}),
    place=("Covering a layer",),
    repairs=("margin.maurey.fractional",),
    rests_on=("margin.maurey.draws", "margin.maurey.multisets"),
)

# Maurey's argument itself, by trying every multiset: 4 atoms in the plane, 3 draws.

ATOMS, DRAWS = 4, 3
weights, places = sp.IndexedBase("lambda", real=True), sp.IndexedBase("v", real=True)
MIXTURES = Domain({weights: Vector(ATOMS, Reals(sp.Rational(1, 100), 1)), places: Vector(2 * ATOMS, Reals(-1, 1))})
MULTISETS = np.array([np.bincount(chosen, minlength=ATOMS) for chosen in product(range(ATOMS), repeat=DRAWS)]) / DRAWS


def mixture(points: Sequence[Point]) -> tuple[np.ndarray, np.ndarray]:
    """Convex weights, shape (points, 4), and atoms, shape (points, 4, 2)."""
    shares = np.array([point["lambda"] for point in points])
    vectors = np.array([point["v"] for point in points]).reshape(-1, ATOMS, 2)
    return shares / shares.sum(axis=1, keepdims=True), vectors


def best_of_multisets(points: Sequence[Point], device: str) -> np.ndarray:
    """The squared distance from a mixture to the nearest mean of 3 atoms."""
    shares, vectors = mixture(points)
    offsets = np.einsum("nma,nad->nmd", MULTISETS - shares[:, None, :], vectors)
    return np.square(offsets).sum(axis=-1).min(axis=1)


def one_third_of_variance(points: Sequence[Point], device: str) -> np.ndarray:
    """The variance of one draw over 3."""
    shares, vectors = mixture(points)
    mean = np.einsum("na,nad->nd", shares, vectors)
    return (np.einsum("na,nad->n", shares, vectors**2) - np.square(mean).sum(axis=-1)) / DRAWS


maurey = claim(
    label="margin.maurey.mean",
    statement="Some mean of 3 atoms lies as close to a mixture of 4 as a random one does on average.",
    left=Quantity("distance to the best mean, squared", best_of_multisets, r"\min_S \|f - v_S\|^2", scale=1.0),
    relation="<=",
    right=Quantity("variance of the mean of 3", one_third_of_variance, r"\tfrac13 \mathrm{Var}(v)", scale=1.0),
    domain=MIXTURES,
    place=("Covering a layer",),
    expected="supported",
    rests_on=("margin.maurey.draws",),
)

# --- covering a network: errors of the layers, and how to share a resolution among them -----------

a_1, a_2, a_3 = (symbol(f"a_{layer}", "cube root of a layer's covering constant", positive=True) for layer in (1, 2, 3))
e_1 = symbol("e_1", "share of the resolution of the first layer", positive=True)
e_2 = symbol("e_2", "share of the second layer", positive=True)
true_1, cover_1 = symbol("p_1", "a layer's output", real=True), symbol("h_1", "its cover", real=True)
true_2, cover_2 = symbol("p_2", "the next layer's factor", real=True), symbol("h_2", "its cover", real=True)

composition = claim(
    label="margin.network.composition",
    statement="Replacing two factors one after the other costs the first one's error times the second factor, and the "
    "second one's error times the first one's cover.",
    left=sp.Abs(true_2 * true_1 - cover_2 * cover_1),
    relation="<=",
    right=sp.Abs(true_2) * sp.Abs(true_1 - cover_1) + sp.Abs(true_2 - cover_2) * sp.Abs(cover_1),
    domain=Domain(dict.fromkeys([true_1, cover_1, true_2, cover_2], REAL)),
    role="printed",
    place=("Covering a network",),
    rests_on=("margin.lipschitz.product",),
)

two_layers = claim(
    label="margin.network.two-layers",
    statement="Covers of two layers with constants a³ cost a_1³/e² + a_2³/(1-e)² at shares e and 1-e of the resolution, "
    "which is least at shares proportional to a.",
    left=(a_1 + a_2) ** 3,
    relation="<=",
    right=a_1**3 / e_1**2 + a_2**3 / (1 - e_1) ** 2,
    domain=Domain({a_1: POSITIVE, a_2: POSITIVE, e_1: UNIT}),
    kind="Tight",
    equality=({a_1: 1, a_2: 1, e_1: sp.Rational(1, 2)},),
    place=("Covering a network",),
    rests_on=("margin.maurey.whole", "margin.network.composition"),
)

three_layers = claim(
    label="margin.network.three-layers",
    statement="With three layers the best shares give (a_1 + a_2 + a_3)³: this is where the powers 2/3 and 3/2 come from.",
    left=(a_1 + a_2 + a_3) ** 3,
    relation="<=",
    right=a_1**3 / e_1**2 + a_2**3 / e_2**2 + a_3**3 / (1 - e_1 - e_2) ** 2,
    domain=Domain({
        a_1: POSITIVE, a_2: POSITIVE, a_3: POSITIVE, e_1: UNIT, e_2: Reals(0, 1 - e_1, open_low=True, open_high=True),
    }),
    role="printed",
    place=("Covering a network",),
    rests_on=("margin.network.two-layers",),
)  # fmt: skip

equal_shares = claim(
    label="margin.network.equal-shares",
    statement="Equal shares among d layers are never better: the cube of a sum is at most d² times the sum of cubes.",
    left=TWO_ONE**3,
    relation="<=",
    right=d**2 * sp.Sum(rows[i] ** 3, (i, 1, d)),
    domain=NORMS_OF_ROWS,
    place=("Covering a network",),
)

# --- Dudley's entropy integral --------------------------------------------------------------------
# With log N(ε) ≤ K²/ε² the Rademacher complexity is at most 4α/√n + (12/n) ∫_α^√n K/ε dε for every α > 0.

capacity = symbol("K", "root of the covering constant", positive=True)
alpha = symbol("alpha", "lower limit of the entropy integral", positive=True)
ON_SAMPLES = Domain({n: COUNT, capacity: POSITIVE})


def dudley(lower: sp.Expr) -> sp.Expr:
    """The entropy bound with a lower limit."""
    return 4 * lower / sp.sqrt(n) + 12 * capacity / n * sp.log(sp.sqrt(n) / lower)


usual_limit = claim(
    label="margin.dudley.usual",
    statement="With the lower limit 1/n the entropy bound is 4/n^(3/2) + 18 K log(n)/n.",
    left=dudley(1 / n),
    relation="=",
    right=4 / n ** sp.Rational(3, 2) + 18 * capacity * sp.log(n) / n,
    domain=ON_SAMPLES,
    role="printed",
    place=("Dudley",),
)

best_limit = claim(
    label="margin.dudley.best",
    statement="No lower limit is better than 3K/√n.",
    left=dudley(3 * capacity / sp.sqrt(n)),
    relation="<=",
    right=dudley(alpha),
    domain=Domain({n: COUNT, capacity: POSITIVE, alpha: POSITIVE}),
    kind="Tight",
    equality=({n: 1, capacity: 1, alpha: 3},),
    place=("Dudley",),
)

sharper_limit = claim(
    label="margin.dudley.sharper",
    statement="At its best lower limit the entropy bound is 12 (K/n) (1 + log(n/(3K))), at most that at 1/n.",
    left=12 * capacity / n * (1 + sp.log(n / (3 * capacity))),
    relation="<=",
    right=4 / n ** sp.Rational(3, 2) + 18 * capacity * sp.log(n) / n,
    domain=ON_SAMPLES,
    place=("Dudley",),
    rests_on=("margin.dudley.best", "margin.dudley.usual"),
    improves="margin.dudley.usual",
)

# The integral itself, by Gauss and Legendre's rule on a logarithmic scale: measured against its closed form.

NODES, GAUSS = np.polynomial.legendre.leggauss(12)


def entropy_integral(points: Sequence[Point], device: str) -> np.ndarray:
    """∫ K/ε dε from α to √n, with ε = exp(h)."""
    low = np.log([point["alpha"] for point in points])
    high = np.log([point["n"] for point in points]) / 2
    roots = np.array([point["K"] for point in points])
    scales = np.exp(low[:, None] + (high - low)[:, None] * (NODES + 1) / 2)
    integrand = roots[:, None] / scales * scales
    return (high - low) / 2 * (integrand @ GAUSS)


integral = claim(
    label="margin.dudley.integral",
    statement="The entropy integral from α to √n is K log(√n/α).",
    left=Quantity("entropy integral", entropy_integral, r"\int_\alpha^{\sqrt n} K/\varepsilon \, d\varepsilon"),
    relation="=",
    right=capacity * sp.log(sp.sqrt(n) / alpha),
    domain=Domain({n: COUNT, capacity: POSITIVE, alpha: Reals(0, 1, open_low=True)}),
    place=("Dudley",),
    expected="supported",
)
