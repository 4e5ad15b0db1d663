"""The Hessian of the network's output block by block (Theorem 18), and its largest block in closed form.

Two ways. `norms` takes the whole matrix of one network at one input from `autodiff` and reduces it to the 28
unique blocks. `output_weights` needs no matrix: where F writes into positional channels it moves layer 2's
logits by h_tᵀ F w2, linearly, so that with a the weights of layer 2, v its values and f = Σ a v the block is
(w2 w2ᵀ) ⊗ K, K = Σ_tt' h_t L_tt' h_t'ᵀ, L_tt' = a_t (v_t - f)(δ_tt' - a_t') - a_t a_t' (v_t' - f)
(derived here). Its norm |w2|² op(K) is a lower bound on that of Hess f.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import torch
from torch import Tensor

from boundaudit.numeric.sharpness.choices import BLOCKS
from boundaudit.numeric.sharpness.mlp import Trapezoid, units
from boundaudit.numeric.sharpness.rows import attention, check_layout, kinds
from boundaudit.numeric.sharpness.target import TargetBatch

UNIQUE = tuple(itertools.combinations_with_replacement(BLOCKS, 2))
"""The 28 blocks on and above the diagonal."""

CHUNK = 2**20
"""Numbers (inputs times kinds of rows times hidden units) held at once."""


class Norms(NamedTuple):
    """Norms of one Hessian, the matrix of all parameters."""

    operator: float  # largest absolute eigenvalue
    frobenius: float  # root of the sum of squares of all entries
    trace: float
    parameters: int  # rows of the matrix
    blocks: dict[tuple[str, str], float]  # largest singular value of each unique block

    @property
    def matrix(self) -> Tensor:
        """The symmetric 7x7 matrix of block norms, whose norm bounds the Hessian's."""
        upper = torch.zeros(len(BLOCKS), len(BLOCKS), dtype=torch.float64)
        for (one, other), norm in self.blocks.items():
            upper[BLOCKS.index(one), BLOCKS.index(other)] = norm
        return upper + upper.triu(1).mT


class OutputWeights(NamedTuple):
    """Hess f in those entries of F that write into positional channels, B networks at N inputs each."""

    rayleigh: Tensor  # |w2|² φᵀKφ/|φ|², (B, N)
    norm: Tensor  # |w2|² op(K), (B, N)
    direction: Tensor  # φ, hidden units of a row with one one less those without, (B, N, H)


def reduced(matrix: Tensor, parts: dict[str, slice]) -> Norms:
    """The norms of a Hessian (p, p), `parts` its blocks; a block without a nonzero entry has norm exactly zero."""
    found = {(a, b): _largest(matrix[parts[a], parts[b]]) for a, b in UNIQUE}
    eigenvalues = torch.linalg.eigvalsh((matrix + matrix.mT) / 2)
    size = float(torch.linalg.matrix_norm(matrix))
    return Norms(float(eigenvalues.abs().max()), size, float(matrix.trace()), len(matrix), found)


def _largest(block: Tensor) -> float:
    """The largest singular value, over the rows and columns that are not zero."""
    rows, columns = (block != 0).any(1), (block != 0).any(0)
    return float(torch.linalg.matrix_norm(block[rows][:, columns], 2)) if bool(rows.any()) else 0.0


def output_weights(
    batch: TargetBatch, bits: Tensor, *, mlp: Trapezoid = "steep", scale: float = 2.0, chunk: int = CHUNK
) -> OutputWeights:
    """The block of F's positional channels in closed form: a Rayleigh quotient, the operator norm and the direction.

    Of targets of the published construction at 0/1 inputs (N, T_max) for all alike or (B, N, T_max); bits beyond T are
    ignored. `chunk` numbers are held at once, or one target.
    """
    check_layout(batch, "published")
    bits = bits.expand(len(batch), *bits.shape[-2:])
    most = int(batch.degree.max())
    some = max(1, chunk // (bits.shape[1] * (most + 2) * 4 * (most + 1)))
    starts = range(0, len(batch), some)
    parts = [_output_weights(batch[n : n + some], bits[n : n + some], mlp, scale) for n in starts]
    width = max(part.direction.shape[-1] for part in parts)
    padded = [torch.nn.functional.pad(part.direction, (0, width - part.direction.shape[-1])) for part in parts]
    return OutputWeights(*(torch.cat(field) for field in ([p[0] for p in parts], [p[1] for p in parts], padded)))


def _output_weights(batch: TargetBatch, bits: Tensor, mlp: Trapezoid, scale: float) -> OutputWeights:
    z = (bits.bool() & batch.real_positions[:, None]).double()
    weights = attention(batch, scale)
    row = kinds(batch, z.sum(-1).long(), mlp=mlp, scale=scale)
    ones = (z @ batch.members.double().mT).long()
    a = torch.zeros_like(row.s).scatter_add_(-1, ones, weights.active[:, None].expand(ones.shape))
    a[..., -1] = ((batch.length + 1 - batch.sparsity) * weights.unused)[:, None]
    v = batch.absolute_sum[:, None, None] * row.g
    pull = a * (v - (a * v).sum(-1, keepdim=True))
    direction = row.hidden[..., 1, :] - row.hidden[..., 0, :]
    keys = weights.logits.square().sum(-1)[:, None]
    moved = (row.hidden * direction[..., None, :]).sum(-1)
    bent = (pull * (moved - (a * moved).sum(-1, keepdim=True)) ** 2).sum(-1)
    return OutputWeights(keys * bent / direction.square().sum(-1), keys * _norm(row.hidden, a, pull), direction)


def _norm(hidden: Tensor, a: Tensor, pull: Tensor) -> Tensor:
    """op(K) for kinds of rows with hidden units (B, N, K, H), attention and pull (B, N, K)."""
    crossed = a[..., :, None] * pull[..., None, :]
    logits = torch.diag_embed(pull) - crossed - crossed.mT
    # K = hᵀ L h has the eigenvalues of R L Rᵀ, where h = Q R by rows: a matrix as small as the kinds are few.
    factor = torch.linalg.qr(hidden.mT, mode="r").R
    eigenvalues: Tensor = torch.linalg.eigvalsh(factor @ logits @ factor.mT)
    return eigenvalues.abs().amax(-1)


def scalar_example(degree: Tensor, bit: Tensor, mlp: Trapezoid) -> tuple[Tensor, Tensor]:
    """∂f/∂v and ∂²f/∂v∂m_1 of f(v, m) = Σ_j F_j relu(m_j v b + Γ_j) at v = m = 1, by autodiff; b, D and both (B,)."""
    _, bias, output = units(degree, mlp)
    v = torch.ones_like(bit, requires_grad=True)
    m = torch.ones_like(bias, requires_grad=True)
    value = (output * torch.relu(m * (v * bit)[:, None] + bias)).sum()
    (first,) = torch.autograd.grad(value, v, create_graph=True)
    (mixed,) = torch.autograd.grad(first.sum(), m)
    return first.detach(), mixed[:, 0]
