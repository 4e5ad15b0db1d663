"""Attention heads with a vector query, as the bounds have them: σ(W_Vᵀ Xᵀ softmax(X W_QK z)), read by W_C and w."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from boundaudit.numeric.softmax import longest_row

_STEPS, _STRIDE = 18, 0.3
_FEW = 6
"""Steps of an ascent through several layers."""
_D = 3
"""The length of a token in an attack."""


def pool(tokens: Tensor, scores: Tensor) -> Tensor:
    """The mean of the tokens (..., T, d) by the softmax of their scores (..., T), shape (..., d)."""
    return (torch.softmax(scores, -1)[..., None, :] @ tokens)[..., 0, :]


def scaled(matrix: Tensor, cap: float = 1.0) -> Tensor:
    """A matrix, shape (..., rows, columns), with the operator norm of its cap."""
    norms: Tensor = torch.linalg.matrix_norm(matrix, 2, keepdim=True)
    return matrix * (cap / norms)


def within(vectors: Tensor) -> Tensor:
    """The projection of vectors, shape (..., d), on the unit ball."""
    lengths: Tensor = vectors.norm(dim=-1, keepdim=True)
    return vectors / lengths.clamp_min(1)


@dataclass(frozen=True)
class Head:
    """Weights of n heads with ReLU and a scalar output: W_QK (n, d, d), W_V (n, d, k), W_C (n, k, d) and w (n, d)."""

    key: Tensor
    value: Tensor
    out: Tensor
    read: Tensor

    def __call__(self, tokens: Tensor, query: Tensor) -> Tensor:
        """The scalar outputs, shape (n), at tokens X of shape (n, T, d) and queries z of shape (n, d)."""
        pooled = pool(tokens, (tokens @ (self.key @ query[..., None]))[..., 0])
        hidden = torch.relu((pooled[:, None, :] @ self.value)[:, 0])
        return ((hidden[:, None, :] @ self.out)[:, 0] * self.read).sum(-1)


def opposite(tokens: int, d: int) -> Tensor:
    """T tokens e₁ and -e₁ in turn, shape (T, d)."""
    rows = torch.zeros(tokens, d, dtype=torch.float64)
    rows[::2, 0], rows[1::2, 0] = 1.0, -1.0
    return rows


def copies(total: Tensor, kinds: int) -> Tensor:
    """How often each kind stands among totals (n), none by two more often than another, the first more: (n, kinds)."""
    return total[:, None] // kinds + (torch.arange(kinds) < total[:, None] % kinds)


def neighbours(
    shape: tuple[int, int], key: Tensor, turned: Tensor, size: Tensor, noise: Tensor, generator: torch.Generator
) -> tuple[Head, Head, Tensor, Tensor]:
    """Heads of operator norm one, others near them, tokens and queries, from what is worst to what chance gives.

    Without noise tokens are opposite, maps the identity, queries at right angles to the tokens, and the other head
    turns queries towards them and enlarges the other maps. Key has the operator norms of W_QK, turned and size those of
    its differences and of the other maps', noise how much of each is drawn, (n) each; all n share the draws. The shape
    is T and the length of a token, at least two. Tokens have shape (n, T, d), queries (n, d).
    """
    (tokens, d), chance = shape, noise[:, None, None]

    def drawn(rows: int, columns: int) -> Tensor:
        return chance * torch.randn(rows, columns, generator=generator, dtype=torch.float64)

    unit = torch.eye(d, dtype=torch.float64)
    keys, value, out = (scaled(unit + drawn(d, d)) for _ in range(3))
    read = scaled(unit[:, :1] + drawn(d, 1))
    first = Head(key[:, None, None] * keys, value, out, read[..., 0])
    turn = turned[:, None, None] * scaled(unit[:, :1] @ unit[1:2] + drawn(d, d))
    larger_value, larger_out = (of + size[:, None, None] * scaled(unit + drawn(d, d)) for of in (value, out))
    larger_read = read + size[:, None, None] * scaled(unit[:, :1] + drawn(d, 1))
    other = Head(first.key + turn, larger_value, larger_out, larger_read[..., 0])
    return first, other, within(opposite(tokens, d) + drawn(tokens, d)), within(unit[1:2] + drawn(1, d))[:, 0]


def slope(tokens: Tensor, query: Tensor, key: Tensor, along: Tensor, copies: Tensor | float = 0.0) -> Tensor:
    """The largest derivative of a pooled token along u when tokens and query move by at most one each, shape (n).

    With weights p, ξ_i = uᵀ(x_i - Σpx) it is Σ_i p_i ‖u + ξ_i W z‖ + ‖Wᵀ Σ_i p_i ξ_i x_i‖, where tokens are X
    (n, T, d), query z (n, d), key W (n, d, d), along the unit vectors u (n, d), copies the logarithm of how often
    tokens stand (n, T).
    """
    asked = (key @ query[..., None])[..., 0]
    weights = torch.softmax((tokens @ asked[..., None])[..., 0] + copies, -1)
    mean = (weights[..., None] * tokens).sum(1)
    parts = ((tokens - mean[:, None]) @ along[..., None])[..., 0]
    first = (weights * (along[:, None] + parts[..., None] * asked[:, None]).norm(dim=-1)).sum(-1)
    moment = ((weights * parts)[..., None] * tokens).sum(1)
    total: Tensor = first + (moment[:, None, :] @ key)[:, 0].norm(dim=-1)
    return total


@dataclass(frozen=True)
class Arrangement:
    """What the derivative of n heads is taken at.

    Tokens X (n, K, d), query z (n, d), key W over its operator norm (n, d, d), that norm (n), along the unit vector u
    (n, d), and copies, the logarithm of how often each token stands (n, K).
    """

    tokens: Tensor
    query: Tensor
    key: Tensor
    norm: Tensor
    along: Tensor
    copies: Tensor

    @property
    def asked(self) -> Tensor:
        """W z, shape (n, d)."""
        return self.norm[:, None] * (self.key @ self.query[..., None])[..., 0]

    @property
    def weights(self) -> Tensor:
        """What attention gives to each token with all of its copies, shape (n, K)."""
        return torch.softmax((self.tokens @ self.asked[..., None])[..., 0] + self.copies, -1)

    @property
    def parts(self) -> Tensor:
        """uᵀx of each token, shape (n, K)."""
        return (self.tokens @ self.along[..., None])[..., 0]

    @property
    def centred(self) -> Tensor:
        """ξ, those less their mean under attention, shape (n, K)."""
        return self.parts - (self.weights * self.parts).sum(-1, keepdim=True)

    @property
    def moved(self) -> Tensor:
        """‖u + ξ W z‖ of each token, shape (n, K)."""
        lengths: Tensor = (self.along[:, None] + self.centred[..., None] * self.asked[:, None]).norm(dim=-1)
        return lengths

    @property
    def answers(self) -> Tensor:
        """xᵀW w over ‖W‖ of each token, w the direction of Wᵀ Σ p ξ x, shape (n, K)."""
        moment = ((self.weights * self.centred)[..., None] * self.tokens).sum(1)
        turned = torch.nn.functional.normalize((moment[:, None] @ self.key)[:, 0], dim=-1)
        return (self.tokens @ (self.key @ turned[..., None]))[..., 0]

    def slope(self) -> Tensor:
        """`slope` here, shape (n)."""
        return slope(self.tokens, self.query, self.norm[:, None, None] * self.key, self.along, self.copies)

    def differentiated(self) -> Tensor:
        """The same by automatic differentiation: the dual norm of the derivative of uᵀy in tokens and query."""
        tokens, query = self.tokens.clone().requires_grad_(), self.query.clone().requires_grad_()
        asked = self.norm[:, None] * (self.key @ query[..., None])[..., 0]
        pooled = pool(tokens, (tokens @ asked[..., None])[..., 0] + self.copies)
        by_tokens, by_query = torch.autograd.grad((pooled * self.along).sum(), (tokens, query))
        found: Tensor = by_tokens.norm(dim=-1).sum(-1) + by_query.norm(dim=-1)
        return found


def steepest(kinds: int, most: Tensor, key: Tensor, generator: torch.Generator) -> Arrangement:
    """The best that gradient ascent comes by from one random start, over how often each token stands too.

    As many tokens as kinds are distinct; `most` says how often a token may stand, key has the operator norms of W,
    shape (n) both.
    """
    shapes = ((kinds, _D), (_D,), (_D, _D), (_D,), (kinds,))
    starts = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]
    largest = most.log()[:, None]

    def arrangement(rows: Tensor, query: Tensor, matrix: Tensor, along: Tensor, copies: Tensor) -> Arrangement:
        unit = along / along.norm(dim=-1, keepdim=True)
        return Arrangement(within(rows), within(query), scaled(matrix), key, unit, largest * torch.sigmoid(copies))

    return arrangement(*_ascended(starts, len(key), lambda *free: arrangement(*free).slope()))


def _ascended(starts: Sequence[Tensor], count: int, value: Callable[..., Tensor], steps: int = _STEPS) -> list[Tensor]:
    """The best of what gradient ascent comes by, for each of n problems from the same start.

    Starts have any shape; the value takes them with n in front to shape (n), and so they are returned.
    """
    free = [start.expand(count, *start.shape).clone().requires_grad_() for start in starts]
    ascent = torch.optim.Adam(free, lr=_STRIDE)
    best, kept = torch.full((count,), -torch.inf, dtype=torch.float64), [of.detach().clone() for of in free]
    for step in range(steps + 1):
        found = value(*free)
        better = found.detach() > best
        best = torch.where(better, found.detach(), best)
        for of, old in zip(free, kept, strict=True):
            old[better] = of.detach()[better]
        if step < steps:
            slopes = torch.autograd.grad(-found.sum(), free)
            for of, direction in zip(free, slopes, strict=True):
                of.grad = direction.nan_to_num(0.0, 0.0, 0.0)
            ascent.step()
    return kept


def attained(key: Tensor) -> Tensor:
    """The slope at two opposite tokens ±e₁ of equal weight, W = B·1, z = e₂ and u = e₁; B and slope have shape (n)."""
    count, unit = len(key), torch.eye(2, dtype=torch.float64)
    tokens = torch.stack([unit[0], -unit[0]]).expand(count, 2, 2)
    first, second = unit[0].expand(count, 2), unit[1].expand(count, 2)
    return slope(tokens, second, key[:, None, None] * unit, first)


def stretched(
    kinds: int, most: Tensor, key: Tensor, generator: torch.Generator, distance: float = 0.02
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Rows of a layer that move it far, for how far they move themselves, as far as ascent from one start finds.

    Every row is a query to all rows, W_V and W_C are the identity, and there is no activation. `most` says how often a
    row may stand, key has the operator norms of W, shape (n) both; rows move by the distance at most. Rows before and
    after, (n, kinds, d) each, W (n, d, d) and the logarithm of how often each row stands (n, kinds).
    """
    shapes = ((kinds, _D), (kinds, _D), (_D, _D), (kinds,))
    starts = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]

    def pair(rows: Tensor, moves: Tensor, matrix: Tensor, copies: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        first, often = within(rows), most.log()[:, None] * torch.sigmoid(copies)
        return first, within(first + distance * within(moves)), key[:, None, None] * scaled(matrix), often

    def quotient(*free: Tensor) -> Tensor:
        first, second, turned, often = pair(*free)
        last, before = (pool(of[:, None], _scores(of, turned) + often[:, None]) for of in (second, first))
        return longest_row(last - before) / longest_row(second - first)

    return pair(*_ascended(starts, len(key), quotient))


def _scores(rows: Tensor, key: Tensor) -> Tensor:
    """Of all rows, by all rows as queries."""
    return rows @ (rows @ key).mT


def layer(rows: Tensor, key: Tensor, value: Tensor, often: Tensor | float = 0.0) -> Tensor:
    """A layer of attention with ReLU whose rows, shape (..., T, d), are projected on the unit ball.

    Key is W_QK and value W_V W_C, (..., d, d), often the logarithm of how often each row stands, (..., 1, T).
    """
    return within(torch.relu(torch.softmax(rows @ key @ rows.mT + often, -1) @ rows @ value))


@dataclass(frozen=True)
class Stacks:
    """Two stacks of L layers whose maps differ, n pairs of them on the same rows.

    Rows of the first and the second before each layer and after the last have shape (L + 1, n, R, d). Key and value are
    W_QK and W_V W_C of the first stack, (L, n, d, d), turn and change what the second's have besides. `often` is the
    logarithm of how often each row stands, (n, 1, R), size the errors of W_QK, alike in all layers, (n).
    """

    first: Tensor
    second: Tensor
    key: Tensor
    turn: Tensor
    value: Tensor
    change: Tensor
    often: Tensor
    size: Tensor

    @property
    def distances(self) -> Tensor:
        """The largest length of a difference of rows before each layer and after the last, shape (L + 1, n)."""
        return longest_row(self.first - self.second)

    @property
    def turned(self) -> Tensor:
        """The errors of W_QK, shape (L, n)."""
        return self.size.expand(len(self.turn), -1)

    @property
    def changed(self) -> Tensor:
        """The errors of the values, shape (L, n)."""
        # Telescoped through the first stack's values and the second's query-key map: each meets a norm of one.
        norms: Tensor = torch.linalg.matrix_norm(self.change, 2)
        return norms


def stacks(
    shape: tuple[int, int, int], tokens: Tensor, key: Tensor, size: Tensor, noise: Tensor, generator: torch.Generator,
    steps: int = _FEW,
) -> Stacks:  # fmt: skip
    """Pairs of stacks that are far apart for how little their maps differ: the best that ascent came by.

    A start is moved by so many steps of gradient ascent on the distance over the sum of the errors, each times (B +
    √(1 + B²)) for every later layer. The shape is L, distinct rows, and the length of a row; T tokens are at least as
    many as are distinct, key and size have the operator norms of the first stack's W_QK and of its differences, and
    noise says how much is drawn of tokens and maps, without which they are opposite, and the identity, (n) each.
    """
    depth, kinds, width = shape
    often = copies(tokens, kinds).to(torch.float64).log()[:, None]
    small, chance, unit = size[:, None, None], noise[:, None, None], torch.eye(width, dtype=torch.float64)
    shapes = ((kinds, width), (depth, 4, width, width))
    starts = [torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes]
    factor = key + torch.hypot(torch.ones_like(key), key)

    def pair(rows: Tensor, maps: Tensor) -> Stacks:
        start = within(opposite(kinds, width) + chance * rows)
        first, second, made = [start], [start], []
        for k in range(depth):
            keys, value, turn = (scaled(unit + chance * maps[:, k, n]) for n in range(3))
            asked, turn, change = key[:, None, None] * keys, small * turn, small * chance * maps[:, k, 3]
            first.append(layer(first[-1], asked, value, often))
            second.append(layer(second[-1], asked + turn, value + change, often))
            made.append((asked, turn, value, change))
        asked, turn, value, change = (torch.stack(of) for of in zip(*made, strict=True))
        return Stacks(torch.stack(first), torch.stack(second), asked, turn, value, change, often, size)

    def ratio(*free: Tensor) -> Tensor:
        found = pair(*free)
        return found.distances[-1] / grown(found.turned + found.changed, factor)

    return pair(*_ascended(starts, len(key), ratio, steps))


def grown(errors: Tensor, factor: Tensor) -> Tensor:
    """Σ λ^{L-i} ε_i, shape (n): what errors ε of layers, first to last, shape (L, n), grow to by factors λ."""
    total = torch.zeros_like(factor)
    for error in errors:
        total = error + factor * total
    return total
