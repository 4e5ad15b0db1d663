"""An attention layer at initialisation: tokens by their Gram matrix, heads, and the variances of its weights.

Sakai, Karakida & Imaizumi 2025 (arXiv 2506.00846). Weights are independent N(0, σ²/n), scores are divided by √n, and
the outputs of H heads are added and divided by √H.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.infinite_width.gram_file import MOST_TOKENS
from boundaudit.numeric.threads import one_thread

_ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class LayerLaw:
    """What the law of a layer depends on as its width grows.

    Attributes:
        gram: K, the limit of xⁱ·xʲ/n, float64, shape (s, s), symmetric and positive semidefinite.
        heads: H.
        score_variance: σ_Q² σ_K².
        output_variance: σ_O² σ_V².
    """

    gram: Tensor
    heads: int
    score_variance: float
    output_variance: float

    @property
    def tokens(self) -> int:
        """The number s of tokens."""
        return len(self.gram)

    @property
    def root(self) -> Tensor:
        """A matrix L with L Lᵀ = K, shape (s, s)."""
        lengths = self.gram.diagonal()
        if torch.equal(self.gram, torch.diag(lengths)):
            return torch.diag(lengths.sqrt())
        values, vectors = torch.linalg.eigh(self.gram)
        found: Tensor = vectors * values.clamp_min(0).sqrt()
        return found

    @property
    def score_covariance(self) -> Tensor:
        """The limit covariance of a head's scores, row after row: σ_Q² σ_K² K ⊗ K, shape (s², s²)."""
        return self.score_variance * torch.kron(self.gram, self.gram)

    def output_covariance(self, scores: Tensor) -> Tensor:
        """σ_O² σ_V² times the mean over heads of A K Aᵀ, (..., s, s), A the softmax by row of scores (..., H, s, s)."""
        weights = scores.softmax(-1)
        return self.output_variance * (weights @ self.gram.to(scores.device) @ weights.mT).mean(-3)


@one_thread()
def layer_law(
    gram: Any, heads: int = 1, *, query_variance: float = 1.0, key_variance: float = 1.0, value_variance: float = 1.0,
    output_variance: float = 1.0,
) -> LayerLaw:  # fmt: skip
    """Check what a user gives: K, the tokens' products xⁱ·xʲ over the width, heads, and σ² of each map.

    K is anything that NumPy reads as a square matrix; σ² is that of a weight times the width.

    Raises:
        InputError: for a matrix that is too large, or not square, finite, symmetric and positive semidefinite up to
            rounding, a variance below zero, or no head.
    """
    given = {"query variance": query_variance, "key variance": key_variance, "value variance": value_variance,
             "output variance": output_variance}  # fmt: skip
    for name, value in given.items():
        if not (math.isfinite(value) and value >= 0):
            raise InputError(name, "a finite number of at least 0", value, "give the variance times the width")
    if heads < 1:
        raise InputError("heads", "at least 1", heads, "give the number of heads")
    return LayerLaw(_checked(gram), heads, query_variance * key_variance, value_variance * output_variance)


def check_tokens(tokens: int) -> int:
    """The number of tokens; InputError for none, or too many, before a matrix of that size is made."""
    if not 1 <= tokens <= MOST_TOKENS:
        raise InputError("tokens", f"from 1 to {MOST_TOKENS}", tokens, "give a number of tokens in this range")
    return tokens


def _checked(gram: Any) -> Tensor:
    """The Gram matrix in float64, made symmetric to the last bit."""
    try:
        matrix = torch.tensor(np.asarray(gram, dtype=np.float64))
    except (TypeError, ValueError) as error:
        raise InputError("gram", "a matrix of real numbers", error, "give a square matrix") from error
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise InputError("gram", "a square matrix", f"shape {tuple(matrix.shape)}", "give one row for each token")
    check_tokens(len(matrix))
    if not matrix.isfinite().all():
        raise InputError("gram", "finite numbers", "one that is not", "correct the matrix")
    scale = float(matrix.abs().max())
    if float((matrix - matrix.mT).abs().max()) > _ROUNDING * scale:
        raise InputError("gram", "a symmetric matrix", "one that is not", "give the products of the tokens")
    matrix = (matrix + matrix.mT) / 2
    least = float(torch.linalg.eigvalsh(matrix)[0])
    if least < -_ROUNDING * scale * len(matrix):
        raise InputError(
            "gram", "a positive semidefinite matrix", f"the eigenvalue {least:.4g}", "give the products of the tokens"
        )
    return matrix
