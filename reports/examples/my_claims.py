"""Three steps of a made-up proof, audited like any other claim.

Run it with `boundaudit verify my_claims.py` or with `pytest my_claims.py`.
"""

from collections.abc import Sequence

import numpy as np
import sympy as sp

from boundaudit import Claim, Domain, Integers, Point, Quantity, Reals, symbol

x = symbol("x", "relative size of a step", nonnegative=True)
p = symbol("p", "probability of a mistake", nonnegative=True)
n = symbol("n", "rows of a weight matrix", integer=True, positive=True)
rho = symbol("rho", "correlation between rows")

# True, and an engine proves it: equality at x = 0.
logarithm = Claim(
    label="example.logarithm",
    statement="The logarithm grows no faster than its argument.",
    left=sp.log(1 + x),
    relation="<=",
    right=x,
    domain=Domain({x: Reals(0, 10)}),
    place=("Step 1",),
    expected="proved",
)


def largest_eigenvalue(points: Sequence[Point], device: str) -> np.ndarray:
    """The largest eigenvalue of an n × n matrix with ones on the diagonal and rho elsewhere, by NumPy."""
    matrices = [np.full((a["n"], a["n"]), a["rho"]) + (1 - a["rho"]) * np.eye(a["n"]) for a in points]
    return np.array([np.linalg.eigvalsh(matrix)[-1] for matrix in matrices])


# True, but measured only: a quantity without a definition can be supported, not proved.
spectral = Claim(
    label="example.spectral",
    statement="The largest eigenvalue of a correlation matrix with n rows is at most 1 + n rho.",
    left=Quantity("largest eigenvalue", largest_eigenvalue, r"\lambda_{\max}"),
    relation="<=",
    right=1 + n * rho,
    domain=Domain({n: Integers(1, 20), rho: Reals(sp.Rational(1, 10), 1)}),
    place=("Step 2",),
    rests_on=("example.variance",),
    expected="supported",
)

# False: at p = 1/2 the left side is 1/4. The suite refutes it; pinning it to "refuted" keeps that on record.
variance = Claim(
    label="example.variance",
    statement="The variance of a mistake is at most 6/25.",
    left=p * (1 - p),
    relation="<=",
    right=sp.Rational(6, 25),
    domain=Domain({p: Reals(0, 1)}),
    place=("Step 3",),
    expected="refuted",
)
