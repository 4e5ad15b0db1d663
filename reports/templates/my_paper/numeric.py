"""What is measured. No formula of the paper is used here, or a mistake in it would be used twice."""

from collections.abc import Sequence

import numpy as np

from boundaudit import Point


def largest_eigenvalues(points: Sequence[Point], device: str) -> np.ndarray:
    """The largest eigenvalue of the n × n matrix with ones on the diagonal and rho elsewhere.

    Args:
        points: Such as ``{"n": 3, "rho": 0.5}``.
        device: Where to measure; NumPy knows one.

    Returns:
        One number a point.
    """
    matrices = (np.full((at["n"], at["n"]), at["rho"]) + (1 - at["rho"]) * np.eye(at["n"]) for at in points)
    return np.array([np.linalg.eigvalsh(matrix)[-1] for matrix in matrices])
