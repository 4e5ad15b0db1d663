"""Margin bounds for networks by the spectral norms of their layers: a whole derivation, audited step by step.

A network F(x) = A_L σ(… σ(A_1 x)) with ReLUs σ sorts inputs into k classes. Its margin at (x, y) is the output for y
less the largest other output. Bartlett, Foster and Telgarsky (Spectrally-normalized margin bounds for neural networks,
2017) bound the chance of a wrong class by the share of n training points with a margin below γ, and a term that grows
with the spectral complexity

    R_A = (∏ s_i) (∑ (b_i / s_i)^(2/3))^(3/2),    s_i = ‖A_i‖₂,    b_i = ‖A_i^T‖_{2,1} (the sum of the rows' norms).

The claims below are the steps of such a proof in our own words, from the loss to the union over all norms: each stands
alone, says what it rests on, and is pinned to the verdict that it gets. Four are false and pinned as such: slips of a
draft, made for this example and mended in the claims that follow them; none is that paper's. What is audited are the
inequalities and constants; that Maurey's, Dudley's and McDiarmid's theorems apply is quoted.

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
    Instance,
    Integers,
    Matrix,
    Point,
    Probability,
    Quantity,
    Reals,
    Step,
    Theorem,
    Vector,
    symbol,
)

PAPER = "A draft after Bartlett, Foster & Telgarsky 2017"
claim = partial(Claim, paper=PAPER, relation="<=", expected="proved")
theorem = partial(Theorem, paper=PAPER)

REAL, POSITIVE, ABOVE_ZERO = Reals(), Reals(0, open_low=True), Reals(0)
ENTRY = Reals(tested_to=1)  # any real number; numeric methods look no further than from -1 to 1
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
    left=q * sp.log(q / p) + (1 - q) * sp.log((1 - q) / (1 - p)), relation=">=", right=2 * (q - p) ** 2,
    domain=Domain({q: UNIT, p: UNIT}), place=("Tails",),
)  # fmt: skip

bernstein = claim(
    label="margin.tails.bernstein",
    statement="Bernstein's exponent is below Bennett's: (1+u) log(1+u) - u is at least u²/(2 + 2u/3).",
    left=(1 + u) * sp.log(1 + u) - u, relation=">=", right=u**2 / (2 + 2 * u / 3), domain=Domain({u: ABOVE_ZERO}),
    place=("Tails",),
)  # fmt: skip

signs = claim(
    label="margin.tails.signs",
    statement="A random sign has the moment generating function cosh(s), which is at most exp(s²/2).",
    left=sp.cosh(s), right=sp.exp(s**2 / 2), domain=Domain({s: REAL}), place=("Tails",),
)  # fmt: skip

independent_events = claim(
    label="margin.tails.union",
    statement="One of k independent events of probability p happens with probability at most k p.",
    left=1 - (1 - p) ** k, right=k * p, domain=Domain({p: UNIT, k: COUNT}), place=("Tails",),
)  # fmt: skip

bounded_differences = claim(
    label="margin.tails.bounded-differences",
    statement="At the deviation √(log(2/δ)/(2n)) McDiarmid's tail exp(-2 n t²) is δ/2.",
    left=sp.exp(-2 * n * sp.sqrt(sp.log(2 / delta) / (2 * n)) ** 2), relation="=", right=delta / 2,
    domain=Domain({n: COUNT, delta: UNIT}), place=("Tails",), rests_on=("pac_bayes.subgaussian.hoeffding",),
)  # fmt: skip

# --- Massart's lemma for finite classes -----------------------------------------------------------

r = symbol("r", "Euclidean length of the vectors of a class", positive=True)

best_rate = claim(
    label="margin.massart.best-rate",
    statement="In Massart's lemma no rate t does better than √(2 log k)/r: log(k)/t + t r²/2 is at least r √(2 log k).",
    left=sp.log(k) / t + t * r**2 / 2, relation=">=", right=r * sp.sqrt(2 * sp.log(k)),
    domain=Domain({k: COUNT, t: POSITIVE, r: POSITIVE}), place=("Massart",), rests_on=("margin.tails.signs",),
)  # fmt: skip

cube = claim(
    label="margin.massart.cube",
    statement="Massart's lemma on the 2^k sign vectors of length √k: the mean largest product with random signs is k, "
    "and at most √k √(2 log 2^k).",
    left=k, right=sp.sqrt(k) * sp.sqrt(2 * sp.log(2**k)), domain=Domain({k: COUNT}), place=("Massart",),
    rests_on=("margin.massart.best-rate",),
)  # fmt: skip

# False: a draft that loses a factor of two. A control shows that the check would have seen it.
half = claim(
    label="margin.massart.half",
    statement="Massart's lemma with half its constant on the 2^k sign vectors: k is at most √k √(2 log 2^k)/2.",
    left=k, right=sp.sqrt(k) * sp.sqrt(2 * sp.log(2**k)) / 2, domain=Domain({k: COUNT}), role="control",
    place=("Massart",), expected="refuted",
)  # fmt: skip

# --- the margin loss ------------------------------------------------------------------------------
# The ramp is 1 for margins up to 0, falls to 0 at γ, and stays there.


def ramp(margin: sp.Expr) -> sp.Expr:
    """The ramp loss with slope -1/γ."""
    return sp.Min(1, sp.Max(0, 1 - margin / gamma))


ramp_above = claim(
    label="margin.ramp.above",
    statement="A wrong class costs a whole unit: the ramp loss is 1 where the margin is not positive.",
    left=ramp(z), relation="=", right=1, domain=Domain({z: Reals(None, 0), gamma: POSITIVE}), role="printed",
    place=("Margin loss",),
)  # fmt: skip

ramp_below = claim(
    label="margin.ramp.below",
    statement="In units of γ the ramp loss is at most the indicator of a margin below 1.",
    left=ramp(z).subs(gamma, 1), right=sp.Piecewise((1, z < 1), (0, True)), domain=Domain({z: REAL}), role="printed",
    place=("Margin loss",),
)  # fmt: skip

ramp_slope = claim(
    label="margin.ramp.lipschitz",
    statement="The ramp loss changes by at most 1/γ times the change of the margin.",
    left=ramp(z) - ramp(w), right=sp.Abs(z - w) / gamma, domain=Domain({z: REAL, w: REAL, gamma: POSITIVE}),
    role="printed", place=("Margin loss",),
)  # fmt: skip

outputs = [symbol(f"v_{i}", "an output of a network", real=True) for i in (1, 2, 3)]
others = [symbol(f"o_{i}", "an output of another network", real=True) for i in (1, 2, 3)]

margin_slope = claim(
    label="margin.ramp.margin",
    statement="With three classes the margin changes by at most twice the largest change of an output.",
    left=outputs[0] - sp.Max(*outputs[1:]) - (others[0] - sp.Max(*others[1:])),
    right=2 * sp.Max(*(sp.Abs(a - b) for a, b in zip(outputs, others, strict=True))),
    domain=Domain(dict.fromkeys([*outputs, *others], REAL)), role="printed", place=("Margin loss",),
    limitations=("For three classes; the proof for k is the same.",),
)  # fmt: skip

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
    left=FROBENIUS, right=TWO_ONE, domain=NORMS_OF_ROWS, place=("Norms",),
)  # fmt: skip

frobenius_above = claim(
    label="margin.norms.frobenius-above",
    statement="The (2,1)-norm of a layer with d rows is at most √d times its Frobenius norm.",
    left=TWO_ONE, right=sp.sqrt(d) * FROBENIUS, domain=NORMS_OF_ROWS, place=("Norms",),
)  # fmt: skip


def complexity(*layers: tuple[sp.Expr, sp.Expr]) -> sp.Expr:
    """R_A from the pairs (s_i, b_i), every s drawn into the sum: a product without quotients is easier to prove."""
    others = [sp.prod([s for j, (s, _) in enumerate(layers) if j != i]) for i in range(len(layers))]
    terms = ((b * other) ** sp.Rational(2, 3) for other, (_, b) in zip(others, layers, strict=True))
    return sum(terms) ** sp.Rational(3, 2)


homogeneous = claim(
    label="margin.complexity.homogeneous",
    statement="A factor c on both layers' weights multiplies the spectral complexity by c².",
    left=complexity((c * s_1, c * b_1), (c * s_2, c * b_2)), relation="=",
    right=c**2 * complexity((s_1, b_1), (s_2, b_2)), domain=Domain(dict.fromkeys([s_1, b_1, s_2, b_2, c], POSITIVE)),
    place=("Spectral complexity",),
)  # fmt: skip

at_least_sum = claim(
    label="margin.complexity.at-least-sum",
    statement="The layers' part of the spectral complexity is at least the sum of their b/s.",
    left=u_1**3 + u_2**3, right=(u_1**2 + u_2**2) ** sp.Rational(3, 2), domain=SHAPES, place=("Spectral complexity",),
)  # fmt: skip

at_most_sum = claim(
    label="margin.complexity.at-most-sum",
    statement="With two layers it is at most √2 times the sum of their b/s, with equality for layers of one shape.",
    left=(u_1**2 + u_2**2) ** sp.Rational(3, 2), right=sp.sqrt(2) * (u_1**3 + u_2**3), domain=SHAPES, kind="Tight",
    equality=({u_1: 1, u_2: 1},), place=("Spectral complexity",),
)  # fmt: skip

# A quantity that is measured, and defined entry by entry: NumPy tells the one, proofs stand on the other.

entries = [symbol(f"m_{row}{column}", "an entry of a matrix", real=True) for row in (1, 2) for column in (1, 2)]
m_11, m_12, m_21, m_22 = entries
MATRICES = Domain(dict.fromkeys(entries, REAL))


def spectral_norms(points: Sequence[Point], device: str) -> np.ndarray:
    """The largest singular value of each 2 × 2 matrix."""
    matrices = np.array([[point[entry.name] for entry in entries] for point in points]).reshape(-1, 2, 2)
    return np.asarray(np.linalg.norm(matrices, 2, axis=(1, 2)))


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
    left=spectral_norm, right=sp.sqrt(sum(entry**2 for entry in entries)), domain=MATRICES, place=("Norms",),
)  # fmt: skip

spectral_above = claim(
    label="margin.norms.spectral-above",
    statement="The spectral norm of a 2 × 2 matrix is at least its Frobenius norm over √2.",
    left=spectral_norm, relation=">=", right=sp.sqrt(sum(entry**2 for entry in entries) / 2), domain=MATRICES,
    place=("Norms",),
)  # fmt: skip

# --- Lipschitz constants --------------------------------------------------------------------------

rectifier = claim(
    label="margin.lipschitz.rectifier",
    statement="A ReLU changes by at most as much as its input.",
    left=sp.Max(0, z) - sp.Max(0, w), right=sp.Abs(z - w), domain=Domain({z: REAL, w: REAL}), place=("Lipschitz",),
)  # fmt: skip

# Small networks, all of a batch at once. Their weights are parameters of the domain, so that the search attacks them.

WIDTH = 3
first, second, inputs = sp.symbols("A B x")
NETWORKS = Domain({
    first: Matrix(WIDTH, WIDTH, ENTRY),
    second: Matrix(WIDTH, WIDTH, ENTRY),
    inputs: Matrix(2, WIDTH, ENTRY),
})  # fmt: skip


def batch(points: Sequence[Point]) -> list[np.ndarray]:
    """Both layers, shape (points, 3, 3), and two inputs, shape (points, 2, 3)."""
    return [np.array([point[name] for point in points], dtype=float) for name in ("A", "B", "x")]


def change_of_output(points: Sequence[Point], device: str) -> np.ndarray:
    """How far apart a network's outputs are on two inputs."""
    a, b, x = batch(points)
    hidden = np.maximum(0, np.einsum("nij,nkj->nki", a, x))
    out = np.einsum("nij,nkj->nki", b, hidden)
    return np.asarray(np.linalg.norm(out[:, 0] - out[:, 1], axis=-1))


def lipschitz_bound(points: Sequence[Point], device: str) -> np.ndarray:
    """The product of the spectral norms times the distance of the inputs."""
    a, b, x = batch(points)
    product_of_norms = np.linalg.norm(a, 2, axis=(1, 2)) * np.linalg.norm(b, 2, axis=(1, 2))
    return np.asarray(product_of_norms * np.linalg.norm(x[:, 0] - x[:, 1], axis=-1))


lipschitz = claim(
    label="margin.lipschitz.product",
    statement="Two outputs of a network with two layers and ReLUs differ by at most the product of the layers' "
    "spectral norms times the distance of the inputs.",
    left=Quantity("change of the output", change_of_output, r"\|F(x) - F(x')\|", scale=1.0),
    right=Quantity("product of norms", lipschitz_bound, r"\|A_1\|_2 \|A_2\|_2 \|x - x'\|", scale=1.0), domain=NETWORKS,
    place=("Lipschitz",), expected="supported", rests_on=("margin.lipschitz.rectifier",),
    limitations=("Measured for networks of width three.",),
)  # fmt: skip

# --- covering one layer: Maurey's sparsification --------------------------------------------------

b = symbol("b", "radius of a class of matrices", positive=True)
epsilon = symbol("epsilon", "resolution of a cover", positive=True)
atoms = symbol("N", "matrices with a single entry, up to sign", integer=True, positive=True)
y = symbol("y", "b²/ε²", positive=True)

draws = claim(
    label="margin.maurey.draws",
    statement="The mean of k draws with second moment b² has variance at most b²/k: at most ε² from k = b²/ε² on.",
    left=b**2 / k, right=epsilon**2, domain=Domain({b: POSITIVE, epsilon: POSITIVE, k: Integers(b**2 / epsilon**2)}),
    role="printed", place=("Covering a layer",),
)  # fmt: skip

multisets = claim(
    label="margin.maurey.multisets",
    statement="The means of k draws out of N atoms are at most N^k, as many as multisets of size k.",
    left=sp.binomial(atoms + k - 1, k), right=atoms**k, domain=Domain({atoms: COUNT, k: COUNT}), role="printed",
    place=("Covering a layer",), rests_on=("margin.maurey.draws",),
)  # fmt: skip

# False: the number of draws is a whole number. The mend costs a factor of two, where ε is at most b.
fractional = claim(
    label="margin.maurey.fractional",
    statement="As first drafted: y = b²/ε² draws suffice, so that the logarithm of the cover has no more than y log N.",
    left=sp.ceiling(y) * sp.log(atoms), right=y * sp.log(atoms), domain=Domain({y: POSITIVE, atoms: COUNT}),
    role="printed", place=("Whole draws",), expected="refuted",
)  # fmt: skip

whole = claim(
    label="margin.maurey.whole",
    statement="Where ε is at most b (beyond that zero alone is a cover) the whole number of draws is at most twice "
    "b²/ε².",
    left=sp.ceiling(y) * sp.log(atoms), right=2 * y * sp.log(atoms), domain=Domain({y: Reals(1), atoms: COUNT}),
    place=("Whole draws",), repairs=("margin.maurey.fractional",),
    rests_on=("margin.maurey.draws", "margin.maurey.multisets"),
)  # fmt: skip

# Maurey's argument itself, by trying every multiset: 4 atoms in the plane, 3 draws.

ATOMS, DRAWS = 4, 3
weights, places = sp.IndexedBase("lambda", real=True), sp.IndexedBase("v", real=True)
MIXTURES = Domain({weights: Vector(ATOMS, Reals(sp.Rational(1, 100), 1)), places: Vector(2 * ATOMS, ENTRY)})
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
    return np.asarray(np.square(offsets).sum(axis=-1).min(axis=1))


def one_third_of_variance(points: Sequence[Point], device: str) -> np.ndarray:
    """The variance of one draw over 3."""
    shares, vectors = mixture(points)
    mean = np.einsum("na,nad->nd", shares, vectors)
    return np.asarray((np.einsum("na,nad->n", shares, vectors**2) - np.square(mean).sum(axis=-1)) / DRAWS)


maurey = claim(
    label="margin.maurey.mean",
    statement="Some mean of 3 atoms lies as close to a mixture of 4 as a random one does on average.",
    left=Quantity("distance to the best mean, squared", best_of_multisets, r"\min_S \|f - v_S\|^2", scale=1.0),
    right=Quantity("variance of the mean of 3", one_third_of_variance, r"\tfrac13 \mathrm{Var}(v)", scale=1.0),
    domain=MIXTURES, place=("Covering a layer",), expected="supported", rests_on=("margin.maurey.draws",),
)  # fmt: skip

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
    right=sp.Abs(true_2) * sp.Abs(true_1 - cover_1) + sp.Abs(true_2 - cover_2) * sp.Abs(cover_1),
    domain=Domain(dict.fromkeys([true_1, cover_1, true_2, cover_2], REAL)), role="printed",
    place=("Covering a network",), rests_on=("margin.lipschitz.product",),
    limitations=("For numbers; norms of matrices take the place of absolute values.",),
)  # fmt: skip

two_layers = claim(
    label="margin.network.two-layers",
    statement="Covers of two layers with constants a³ cost a_1³/e² + a_2³/(1-e)² at shares e and 1-e of the "
    "resolution, which is least at shares proportional to a.",
    left=(a_1 + a_2) ** 3, right=a_1**3 / e_1**2 + a_2**3 / (1 - e_1) ** 2,
    domain=Domain({a_1: POSITIVE, a_2: POSITIVE, e_1: UNIT}), kind="Tight",
    equality=({a_1: 1, a_2: 1, e_1: sp.Rational(1, 2)},), place=("Covering a network",),
    rests_on=("margin.maurey.whole", "margin.network.composition"),
)  # fmt: skip

_THREE = Domain({
    a_1: POSITIVE, a_2: POSITIVE, a_3: POSITIVE, e_1: UNIT, e_2: Reals(0, 1 - e_1, open_low=True, open_high=True),
})  # fmt: skip
_LAST = a_3**3 / (1 - e_1 - e_2) ** 2

three_layers = claim(
    label="margin.network.three-layers",
    statement="With three layers the best shares of the resolution give (a_1 + a_2 + a_3)³, which is where the powers "
    "2/3 and 3/2 come from.",
    left=(a_1 + a_2 + a_3) ** 3, right=a_1**3 / e_1**2 + a_2**3 / e_2**2 + _LAST, domain=_THREE, role="printed",
    place=("Covering a network",),
    derivation=Derivation(
        label="margin.network.three-layers.steps",
        title="Two layers, twice",
        domain=_THREE,
        samples={"equal layers": {"a_1": 1, "a_2": 1, "a_3": 1, "e_1": 0.25, "e_2": 0.25}},
        steps=(
            Step((a_1 + a_2 + a_3) ** 3, "three layers"),
            Step((a_1 + a_2) ** 3 / (e_1 + e_2) ** 2 + _LAST, "the first two as one", "two layers",
                 Instance("margin.network.two-layers", {a_1: a_1 + a_2, a_2: a_3, e_1: e_1 + e_2})),
            Step(a_1**3 / e_1**2 + a_2**3 / e_2**2 + _LAST, "these apart", "two layers, shares over their sum",
                 Instance("margin.network.two-layers", {e_1: e_1 / (e_1 + e_2)})),
        ),
    ),
)  # fmt: skip

equal_shares = claim(
    label="margin.network.equal-shares",
    statement="Equal shares among d layers are never better: the cube of a sum is at most d² times the sum of cubes.",
    left=TWO_ONE**3, right=d**2 * sp.Sum(rows[i] ** 3, (i, 1, d)), domain=NORMS_OF_ROWS, place=("Covering a network",),
)  # fmt: skip

# --- Dudley's entropy integral --------------------------------------------------------------------
# With log N(ε) ≤ K²/ε² the Rademacher complexity is at most 4α/√n + (12/n) ∫_α^√n K/ε dε for every α up to √n.

capacity = symbol("K", "root of the covering constant", positive=True)
alpha = symbol("alpha", "lower limit of the entropy integral", positive=True)
ON_SAMPLES = Domain({n: COUNT, capacity: POSITIVE})


def dudley(lower: sp.Expr) -> sp.Expr:
    """The entropy bound with a lower limit."""
    return 4 * lower / sp.sqrt(n) + 12 * capacity / n * sp.log(sp.sqrt(n) / lower)


usual_limit = claim(
    label="margin.dudley.usual",
    statement="With the lower limit 1/n the entropy bound is 4/n^(3/2) + 18 K log(n)/n.",
    left=dudley(1 / n), relation="=", right=4 / n ** sp.Rational(3, 2) + 18 * capacity * sp.log(n) / n,
    domain=ON_SAMPLES, role="printed", place=("Dudley",),
)  # fmt: skip

best_limit = claim(
    label="margin.dudley.best",
    statement="No lower limit is better than 3K/√n.",
    left=dudley(3 * capacity / sp.sqrt(n)), right=dudley(alpha),
    domain=Domain({n: COUNT, capacity: POSITIVE, alpha: POSITIVE}), kind="Tight",
    equality=({n: 1, capacity: 1, alpha: 3},), place=("Dudley",),
)  # fmt: skip

sharper_limit = claim(
    label="margin.dudley.sharper",
    statement="At its best lower limit the entropy bound is 12 (K/n) (1 + log(n/(3K))), at most that at 1/n.",
    left=12 * capacity / n * (1 + sp.log(n / (3 * capacity))),
    right=4 / n ** sp.Rational(3, 2) + 18 * capacity * sp.log(n) / n, domain=ON_SAMPLES, place=("Dudley",),
    rests_on=("margin.dudley.best", "margin.dudley.usual"), improves="margin.dudley.usual",
    limitations=("As a formula; it bounds a Rademacher complexity where 3K is at most n.",),
)  # fmt: skip

# --- Rademacher complexity, measured ---------------------------------------------------------------
# Of the linear functions with weights in the unit ball, on 4 points of the plane: the mean length of ∑ ±x_i over all
# 16 choices of signs.

sample = sp.IndexedBase("X", real=True)
SAMPLES = Domain({sample: Vector(8, ENTRY)})
SIGNS = np.array(list(product((-1, 1), repeat=4)))
NORM_OF_SAMPLE = sp.sqrt(sp.Sum(sample[i] ** 2, (i, 1, 8)))


def mean_length(points: Sequence[Point], device: str) -> np.ndarray:
    """The mean length of the signed sums of each sample."""
    data = np.array([point["X"] for point in points]).reshape(-1, 4, 2)
    return np.asarray(np.linalg.norm(np.einsum("si,nij->nsj", SIGNS, data), axis=-1).mean(axis=-1))


linear = Quantity(
    "4 times the Rademacher complexity of the unit ball", mean_length, r"n \hat{\mathfrak R}(B)", scale=1.0
)

linear_above = claim(
    label="margin.rademacher.linear",
    statement="The Rademacher complexity of the unit ball of linear functions is at most ‖X‖_F/n, by Jensen's "
    "inequality.",
    left=linear, right=NORM_OF_SAMPLE, domain=SAMPLES, role="printed", place=("Rademacher",), expected="supported",
    limitations=("Measured for four points in the plane.",),
)  # fmt: skip

linear_below = claim(
    label="margin.rademacher.khintchine",
    statement="The Rademacher complexity of the unit ball of linear functions is at least ‖X‖_F/(√2 n), by "
    "Khintchine's inequality: the bound above loses no more than √2.",
    left=linear, relation=">=", right=NORM_OF_SAMPLE / sp.sqrt(2), domain=SAMPLES, place=("Rademacher",),
    expected="supported", limitations=("Measured for four points in the plane.",),
)  # fmt: skip

# --- the bound ------------------------------------------------------------------------------------
# K² = 8 ‖X‖_F² R_A² log(2W²)/γ²: a factor 4 as the margin is 2-Lipschitz, 2 for whole numbers of draws, 1/γ² for the
# ramp's slope; log(2W²) is the price of an atom.

size = symbol("B", "Frobenius norm of the inputs", positive=True)
spectral = symbol("R", "spectral complexity", positive=True)
widest = symbol("W", "largest width of a layer", integer=True, positive=True)
parameters = symbol("P", "parameters of the network", integer=True, positive=True)
ROOT = sp.sqrt(8 * sp.log(2 * widest**2)) * size * spectral / gamma
CAPACITY_TERM = 2 * (4 / n ** sp.Rational(3, 2) + 18 * capacity * sp.log(n) / n)
CONFIDENCE = 3 * sp.sqrt(sp.log(2 / delta) / (2 * n))

assembled = claim(
    label="margin.bound.assembled",
    statement="Twice the Rademacher complexity is 8/n^(3/2) + 72 ‖X‖_F R_A √(2 log 2W²) log(n)/(γ n).",
    left=2 * dudley(1 / n).subs(capacity, ROOT), relation="=",
    right=8 / n ** sp.Rational(3, 2)
    + 72 * size * spectral * sp.sqrt(2 * sp.log(2 * widest**2)) * sp.log(n) / (gamma * n),
    domain=Domain({n: COUNT, widest: COUNT, size: POSITIVE, spectral: POSITIVE, gamma: POSITIVE}), role="printed",
    place=("Margin bound",),
    rests_on=(
        "margin.dudley.usual",
        "margin.network.three-layers",
        "margin.ramp.lipschitz",
        "margin.ramp.margin",
        "margin.tails.bounded-differences",
    ),
    limitations=("The constants only: symmetrisation and contraction are quoted.",),
)  # fmt: skip

# False: log(n)/n rises from n = 1 to n = 3. The repaired claim starts there.
always_falls = claim(
    label="margin.bound.falls",
    statement="As first drafted: with one more training point log(n)/n never rises.",
    left=sp.log(n + 1) / (n + 1), right=sp.log(n) / n, domain=Domain({n: COUNT}), role="printed", place=("More data",),
    expected="refuted",
)  # fmt: skip

falls = claim(
    label="margin.bound.falls-from-three",
    statement="From three training points on log(n)/n never rises.",
    left=sp.log(n + 1) / (n + 1), right=sp.log(n) / n, domain=Domain({n: Integers(3)}), place=("More data",),
    repairs=("margin.bound.falls",),
)  # fmt: skip

vanishes = claim(
    label="margin.bound.vanishes",
    statement="For K = 1 and n large enough the capacity term is below the confidence term at δ = 1/20.",
    left=CAPACITY_TERM.subs(capacity, 1), right=CONFIDENCE.subs(delta, sp.Rational(1, 20)), domain=Domain({n: COUNT}),
    mode="as n→∞", place=("Margin bound",), rests_on=("margin.dudley.usual",), expected="supported",
)  # fmt: skip

# False: for large spectral norms counting parameters is better. The repaired claim says when it is not.
PARAMETER_COUNT = sp.sqrt(parameters * sp.log(n) / n)

always_below = claim(
    label="margin.bound.below-parameters",
    statement="As first drafted: 18 K log(n)/n is below √(P log(n)/n), which counts the P parameters.",
    left=18 * capacity * sp.log(n) / n, right=PARAMETER_COUNT,
    domain=Domain({n: COUNT, parameters: COUNT, capacity: POSITIVE}), role="printed", place=("Counting parameters",),
    expected="refuted",
)  # fmt: skip

below = claim(
    label="margin.bound.below-parameters-if",
    statement="Where 324 K² log(n) is at most P n the spectral term is below the one that counts parameters.",
    left=18 * capacity * sp.log(n) / n, right=PARAMETER_COUNT,
    domain=Domain(
        {n: COUNT, parameters: COUNT, capacity: POSITIVE},
        where=[324 * capacity**2 * sp.log(n) <= parameters * n],
    ),
    place=("Counting parameters",), repairs=("margin.bound.below-parameters",),
)  # fmt: skip

# --- from fixed norms to the norms of what was learned: a union over a grid -----------------------

last = symbol("J", "cells of the grid", integer=True, positive=True)
j = symbol("j", "a cell of the grid", integer=True, positive=True)
norm = symbol("m", "a norm of the learned network", nonnegative=True)

shares = claim(
    label="margin.grid.shares",
    statement="The cells j = 1, 2, … can have the shares δ/(j(j+1)) of δ: these sum to no more than δ.",
    left=sp.Sum(delta / (j * (j + 1)), (j, 1, last)), right=delta, domain=Domain({last: COUNT, delta: UNIT}),
    role="printed", place=("Grid of norms",), rests_on=("margin.tails.union",),
)  # fmt: skip

rounding = claim(
    label="margin.grid.rounding",
    statement="A norm rounded up to a cell of the grid is larger by at most one.",
    left=sp.ceiling(norm), right=norm + 1, domain=Domain({norm: ABOVE_ZERO}), place=("Grid of norms",),
)  # fmt: skip

price = claim(
    label="margin.grid.price",
    statement="The share of cell j adds at most √(log(j+1)/n) to the confidence term √(log(1/δ)/(2n)).",
    left=sp.sqrt(sp.log(j * (j + 1) / delta) / (2 * n)),
    right=sp.sqrt(sp.log(1 / delta) / (2 * n)) + sp.sqrt(sp.log(j + 1) / n),
    domain=Domain({j: COUNT, n: COUNT, delta: UNIT}), role="printed", place=("Grid of norms",),
    rests_on=("margin.grid.shares", "margin.grid.rounding", "margin.bound.assembled"),
)  # fmt: skip

# The same on data, as often as wanted: a union over cells, each with its own hypothesis and its share of δ.

CELLS = 4


def some_cell_fails(points: Sequence[Point], trials: int, seed: int, device: str) -> np.ndarray:
    """How often, in so many samples, a hypothesis errs more often than its sample and its cell's share of δ allow."""
    chance, samples, failing, cells = (
        np.array([point[name] for point in points])[:, None, None] for name in ("p", "n", "delta", "J")
    )
    cell = np.arange(1, CELLS + 1)
    errors = np.random.default_rng(seed).binomial(samples, chance, size=(len(points), trials, CELLS))
    allowed = np.sqrt(np.log(cell * (cell + 1) / failing) / (2 * samples))
    fails = (chance - errors / samples > allowed) & (cell <= cells)
    return np.asarray(fails.any(axis=-1).sum(axis=-1))


union = claim(
    label="margin.grid.union",
    statement="With the share δ/(j(j+1)) for cell j, Hoeffding's bound fails in some cell with probability at most δ.",
    left=Probability("the bound fails in some cell", some_cell_fails, r"\mathbb P[\exists j]"), right=delta,
    domain=Domain({
        p: Reals(sp.Rational(1, 10), sp.Rational(9, 10)),
        n: Integers(1, 30),
        delta: Reals(sp.Rational(1, 20), sp.Rational(3, 4)),
        last: Integers(1, CELLS),
    }),
    mode="with probability at least 1-δ", place=("Grid of norms",), expected="supported",
    rests_on=("margin.grid.shares", "pac_bayes.subgaussian.hoeffding"),
)  # fmt: skip

# --- the chain, for a waterfall -------------------------------------------------------------------
# Two layers with s_1 s_2 = 1 and b/s = u³, so that K = (u_1² + u_2²)^(3/2); the layers have at most d rows.

K_OF_SHAPES = (u_1**2 + u_2**2) ** sp.Rational(3, 2)
USUAL = 4 / n ** sp.Rational(3, 2) + 18 * capacity * sp.log(n) / n
SHAPE = Reals(1, sp.cbrt(d))

chain = Derivation(
    label="margin.chain",
    title="From the best entropy bound to one that anybody can compute",
    steps=(
        Step(12 * K_OF_SHAPES / n * (1 + sp.log(n / (3 * K_OF_SHAPES))), "best lower limit"),
        Step(USUAL.subs(capacity, K_OF_SHAPES), "lower limit 1/n", "any limit is allowed", "margin.dudley.sharper"),
        Step(
            USUAL.subs(capacity, sp.sqrt(2) * (u_1**3 + u_2**3)),
            "sum of b/s",
            "power means",
            "margin.complexity.at-most-sum",
        ),
        Step(
            USUAL.subs(capacity, 2 * sp.sqrt(2) * d), "rows for b/s", "b is at most d s", "margin.norms.frobenius-above"
        ),
        Step(
            USUAL.subs(capacity, 2 * sp.sqrt(2) * d) + CONFIDENCE.subs(delta, sp.Rational(1, 20)),
            "confidence 19/20",
            "McDiarmid's inequality, twice",
            "margin.tails.bounded-differences",
        ),
    ),
    domain=Domain({d: Integers(1, 64), u_1: SHAPE, u_2: SHAPE, n: Integers(1000, 10**6)}),
    samples={
        "narrow": {"d": 8, "u_1": 1, "u_2": 1, "n": 60000},
        "wide": {"d": 64, "u_1": 2, "u_2": 2, "n": 60000},
        "uneven": {"d": 64, "u_1": 1, "u_2": 3, "n": 60000},
    },
    paper=PAPER,
    place=("Margin bound",),
)

# --- the results, as the report lists them --------------------------------------------------------

theorems = (
    theorem(
        number="Margin loss", title="The ramp lies above the error and is Lipschitz",
        says="The ramp loss of the margin is at least the error, at most the share of margins below γ, and "
        "2/γ-Lipschitz in the outputs.",
        formula=r"1[m \le 0] \le \ell_\gamma(m) \le 1[m < \gamma]",
        printed=("margin.ramp.above", "margin.ramp.below", "margin.ramp.lipschitz", "margin.ramp.margin"),
    ),
    theorem(
        number="Covering a layer", title="Maurey's sparsification",
        says="The mean of ⌈b²/ε²⌉ draws misses by no more than ε on average, and k draws out of N atoms have at most "
        "N^k means: with N = 2dm a cover of the d × m matrices of (2,1)-norm b on inputs of norm one.",
        formula=r"\ln \mathcal N(\varepsilon) \le \lceil b^2/\varepsilon^2 \rceil \ln(2 d m)",
        printed=("margin.maurey.draws", "margin.maurey.multisets"),
    ),
    theorem(
        number="Whole draws", title="The logarithm of a cover without rounding",
        says="As first drafted: b²/ε² draws suffice, whole number or not.",
        formula=r"\ln \mathcal N(\varepsilon) \le (b^2/\varepsilon^2) \ln(2 d m)",
        printed=("margin.maurey.fractional",), successor="margin.maurey.whole", derived_from=("Covering a layer",),
    ),
    theorem(
        number="Covering a network", title="Covers of layers compose",
        says="The layers' errors add up through the Lipschitz constants above them; the best shares of the resolution "
        "give the spectral complexity.",
        formula=r"\ln \mathcal N(\varepsilon) \le (\textstyle\sum_i a_i)^3 / \varepsilon^2",
        printed=("margin.network.composition", "margin.network.three-layers"), derived_from=("Covering a layer",),
    ),
    theorem(
        number="Dudley", title="The entropy integral",
        says="A class whose cover has the logarithm K²/ε² has a Rademacher complexity of at most 4/n^(3/2) + "
        "18 K log(n)/n.",
        formula=r"\mathfrak R \le \inf_\alpha \frac{4 \alpha}{\sqrt n} + \frac{12}{n} \int_\alpha^{\sqrt n} "
        r"\frac K \varepsilon \, d\varepsilon",
        printed=("margin.dudley.usual",), improvement="margin.dudley.sharper",
    ),
    theorem(
        number="Rademacher", title="Linear functions of bounded norm",
        says="The linear functions with weights of norm at most one have Rademacher complexity at most ‖X‖_F/n.",
        formula=r"\mathfrak R \le \|X\|_F / n", printed=("margin.rademacher.linear",),
    ),
    theorem(
        number="Margin bound", title="The capacity term by margins and spectral complexity",
        says="What a bound on the error adds to the share of margins below γ, besides 3√(log(2/δ)/(2n)) for its "
        "confidence: twice the Rademacher complexity, which grows with R_A/γ.",
        formula=r"\frac{8}{n^{3/2}} + \frac{72 \|X\|_F R_A \sqrt{2 \ln 2 W^2} \ln n}{\gamma n}",
        printed=("margin.bound.assembled",), derived_from=("Margin loss", "Covering a network", "Dudley"),
    ),
    theorem(
        number="More data", title="What the capacity term does as n grows",
        says="The factor log(n)/n of the capacity term falls with every training point.",
        formula=r"\ln(n+1)/(n+1) \le \ln(n)/n", printed=("margin.bound.falls",),
        successor="margin.bound.falls-from-three", derived_from=("Margin bound",),
    ),
    theorem(
        number="Counting parameters", title="When norms are better than a count",
        says="The spectral term is smaller than the bound that counts parameters.",
        formula=r"18 K \ln(n)/n \le \sqrt{P \ln(n)/n}", printed=("margin.bound.below-parameters",),
        successor="margin.bound.below-parameters-if", derived_from=("Margin bound",),
    ),
    theorem(
        number="Grid of norms", title="Norms that are known only after training",
        says="The bound holds for all norms at once: rounding a norm up and the share δ/(j(j+1)) of its cell cost "
        "√(log(j+1)/n).",
        formula=r"\sum_j \frac{\delta}{j (j + 1)} \le \delta", printed=("margin.grid.shares", "margin.grid.price"),
        derived_from=("Margin bound",),
    ),
)  # fmt: skip
