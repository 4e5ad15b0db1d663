"""What norm-based bounds read of a matrix: singular values and entrywise norms, in float64."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True)
class Spectrum:
    """A matrix as norm-based bounds see it.

    Attributes:
        shape: rows and columns.
        values: its singular values in falling order, float64 on the CPU; of a product of thin factors no more than its
            inner dimension has.
        columns: sum of the Euclidean norms of its columns, the (2,1) norm of column sums.
        rows: the same of its rows.
        entries: sum of the moduli of its entries, the (1,1) norm.
    """

    shape: tuple[int, int]
    values: Tensor
    columns: float
    rows: float
    entries: float

    @property
    def operator(self) -> float:
        """Its largest singular value."""
        return float(self.values[0])

    @property
    def frobenius(self) -> float:
        """The Euclidean norm of its entries."""
        return float(torch.linalg.vector_norm(self.values))

    @property
    def stable_rank(self) -> float:
        """Its squared Frobenius norm over its squared operator norm; 0 for the zero matrix."""
        return (self.frobenius / self.operator) ** 2 if self.operator > 0 else 0.0

    def over(self, divisor: float) -> Spectrum:
        """Those of the matrix over a positive number."""
        return Spectrum(
            self.shape, self.values / divisor, self.columns / divisor, self.rows / divisor, self.entries / divisor
        )

    def schatten(self, p: float) -> float:
        """The sum, without a root, of the p-th powers of its singular values, p ≥ 0; for p = 0 the rank.

        Singular values within rounding of 0 count for nothing.
        """
        kept = self.values[self.values > _ROUNDING * len(self.values) * max(self.operator, 1.0)]
        return float((kept**p).sum())

    def schatten_at_most(self, p: float) -> float:
        """An upper bound on the same sum that drops nothing, however small the matrix is.

        For p = 0 how many singular values there are: rounding does not tell a small one from 0. Else the sum, each of
        them raised by what LAPACK may have lost, a multiple of the largest.
        """
        lost = max(self.shape) * torch.finfo(torch.float64).eps * self.operator
        return float(((self.values + lost) ** p).sum()) if p > 0 else float(len(self.values))


_ROUNDING = 1e-10


def spectrum(matrix: Tensor, right: Tensor | None = None) -> Spectrum:
    """Measure a matrix (rows, columns), or the product of two factors, (rows, inner) and (inner, columns).

    The singular values of a product of thin factors come from their QR decompositions: there are exactly as many as the
    inner dimension, where those of the product itself end in rounding noise.
    """
    left = matrix.to(torch.float64)
    if right is None:
        product, core = left, left
    else:
        other = right.to(torch.float64)
        product = left @ other
        core = product
        if left.shape[1] < min(left.shape[0], other.shape[1]):
            core = torch.linalg.qr(left).R @ torch.linalg.qr(other.mT).R.mT
    # LAPACK's reduction of a tall matrix is several times as fast as that of a wide one.
    tall = core if core.shape[0] >= core.shape[1] else core.mT
    return Spectrum(
        shape=(product.shape[0], product.shape[1]),
        values=torch.linalg.svdvals(tall).cpu(),
        columns=float(torch.linalg.vector_norm(product, dim=0).sum()),
        rows=float(torch.linalg.vector_norm(product, dim=1).sum()),
        entries=float(torch.linalg.vector_norm(product, ord=1)),
    )
