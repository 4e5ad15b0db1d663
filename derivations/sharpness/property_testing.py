"""Property tests of degree and sparsity (Appendix H): exact rates of the tests of real functions.

Degree. An input, and each position in one of b = D+1 blocks or in none of them, all b+1 equally likely; Δ is the mean
of (-1)^{flipped blocks} f over the 2^b inputs that flip some of the blocks. A character of k positions keeps its size
in Δ where each block holds an odd number of its positions, and else vanishes. Derived here, with n = b+1 and s = t/n:

    q(k, b) = P(every block odd) = k! [t^k] sinh(s)^b e^{s} = 2^{-b} Σ_j (-1)^j C(b, j) (1 - 2j/n)^k,
    q(k, b) = Σ_m C(k, m) (b/n)^m (1/n)^{k-m} q₀(m, b)   with m positions in blocks,   q₀(m, b) = m! [t^m] sinh(t/b)^b,
    E Δ² = Σ_S f^(S)² q(|S|, b)   (characters are uncorrelated),   |Δ| ≤ (max f - min f)/2,
    P(Δ ≠ 0) ≥ E Δ² / max Δ² ≥ 4 q(b, b) W / (max f - min f)²,   W = Σ_{|S| > D} f^(S)².

That q(k, b) is least at k = b among k ≥ b: by whether k - n is even, q(k, b) is the probability a that all n classes
are odd after k draws or after one more, as b of them are odd where the last draw may make it n. Two draws more keep all
odd with probability 1/n, and make them so with probability 2/n² where all but two are odd, as happens with probability
e. Two classes, the others odd, are both even as often as both odd, and besides where (c) neither is drawn, so that
e = n (n-1)/2 (a + c) and a rises by (n-1)/n c. After n draws it is n!/n^n.

Sparsity. A restriction to k random positions cannot tell S from S' where their m different positions all are among the
T-k others; random directions cannot where t random parities of the difference are even, with probability 2^{-t}.
"""

import sympy as sp

from boundaudit.derivations.symbols import symbol

T_pt = symbol("T_pt", "positions of a tested function", integer=True, positive=True)
D_pt = symbol("D_pt", "degree that is tested for", integer=True, positive=True)
k_pt = symbol("k_pt", "positions of a character", integer=True, positive=True)
m_pt = symbol("m_pt", "positions in which two sets differ", integer=True, positive=True)
s_pt = symbol("s_pt", "characters of a tested function", integer=True, positive=True)
t_pt = symbol("t_pt", "dimension of a random subspace", integer=True, positive=True)
p_pt = symbol("p_pt", "probability that one trial rejects", positive=True)
n_pt = symbol("n_pt", "independent trials", integer=True, positive=True)
z_pt = symbol("z_pt", "a positive number", positive=True)
r_pt = symbol("r_pt", "whether Δ is not zero", nonnegative=True)
a_pt = symbol(
    "a_pt", "mean of a function over inputs with an even number of blocks flipped, as a share", nonnegative=True
)
b_pt = symbol("b_pt", "the same with an odd number of blocks flipped", nonnegative=True)
f_pt = sp.IndexedBase("f_pt", real=True)
"""Values of a tested function at all inputs."""

_j = sp.Symbol("j", integer=True, nonnegative=True)
_i = sp.Symbol("i", integer=True, positive=True)

BLOCKS = D_pt + 1

XOR_POWER = 2 ** (-BLOCKS)
"""How often random sets are all odd on a given set that is not empty: each with probability 1/2."""

LEAST_POWER = sp.factorial(BLOCKS) / (BLOCKS + 1) ** BLOCKS
"""q(D+1, D+1): an order of the positions, each in its own block."""


def all_odd() -> sp.Expr:
    """q(k, D+1) by the transform of the walk on blocks."""
    return _walk(k_pt, BLOCKS + 1) / 2**BLOCKS


def all_odd_by_blocks() -> sp.Expr:
    """q(k, D+1) by how many positions lie in blocks."""
    inside = _walk(_i, BLOCKS) / 2**BLOCKS
    weight = sp.binomial(k_pt, _i) * BLOCKS**_i / (BLOCKS + 1) ** k_pt
    return sp.Sum(weight * inside, (_i, 1, k_pt))


def _walk(size: sp.Expr, classes: sp.Expr) -> sp.Expr:
    return sp.Sum((-1) ** _j * sp.binomial(BLOCKS, _j) * ((classes - 2 * _j) / classes) ** size, (_j, 0, BLOCKS))


CLASSES = BLOCKS + 1

STAYS, STAYS_AT_MOST = (1 - p_pt) ** n_pt, sp.exp(-p_pt * n_pt)
"""How likely n trials all accept."""

QUERIES = 2**BLOCKS / LEAST_POWER
"""Values, times ln(1/δ)/(4ε), that reject with probability 1-δ a function of energy ε (max f - min f)² above D."""

SURPRISE = sp.Sum(_i * sp.log(1 + 1 / _i), (_i, 1, BLOCKS))
"""-log q(D+1, D+1): q(b+1, b+1) / q(b, b) = ((b+1)/(b+2))^{b+1}, and q(1, 1) = 1/2."""

QUERIES_BY_STEPS = 2**BLOCKS * sp.exp(SURPRISE)

QUERIES_ORDER = (2 * sp.E) ** BLOCKS

HIDDEN = sp.binomial(T_pt - m_pt, t_pt) / sp.binomial(T_pt, t_pt)
"""No position of the difference is among t random ones."""

UNION = s_pt * (s_pt - 1) / 2 ** (t_pt + 1)
"""Pairs of characters, each in one bucket with probability 2^{-t}."""
