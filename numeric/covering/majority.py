"""Majorities of a few bits learned by one layer of attention, all runs of one length trained together.

The simulation of Trauger & Tewari 2024 (arXiv 2310.13088), after the script that they publish: two heads of attention
with biases, ReLU, a dense layer, and a linear read-out of the last row alone, trained by stochastic gradients. Runs are
the leading dimension of every tensor. A run sees only 2T + 1 different tokens, a zero or a one at each position and the
token that is read; so keys and values are computed once for these, and a sample says which of them are present.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from boundaudit.numeric.counted import GOLDEN, scattered

__all__ = [
    "Data", "Plan", "draw", "evaluate", "initial_norm", "known_before", "map_norms", "present", "train",
]  # fmt: skip

WIDTH, HEADS, KEY, OUTPUTS = 64, 2, 64, 2
"""Length of a token, heads, length of a head's keys and values, outputs."""
SHAPES = {
    "query": (HEADS, WIDTH, KEY), "query_bias": (HEADS, KEY),
    "key": (HEADS, WIDTH, KEY), "key_bias": (HEADS, KEY),
    "value": (HEADS, WIDTH, KEY), "value_bias": (HEADS, KEY),
    "output": (HEADS, KEY, WIDTH), "output_bias": (WIDTH,),
    "dense": (WIDTH, WIDTH), "dense_bias": (WIDTH,),
    "read": (WIDTH, OUTPUTS), "read_bias": (OUTPUTS,),
}  # fmt: skip
"""The variables of a run, each a map of rows x ↦ xW."""
SIZES = {name: math.prod(shape) for name, shape in SHAPES.items()}
PARAMETERS = sum(SIZES.values())
_NORMAL = 0.05  # the standard deviation of Keras's "random_normal"
_BLOCK = 1000  # samples that are evaluated at once


def _limits() -> dict[str, float]:
    """Ends of the uniform distributions of Glorot and Bengio; Keras counts all but the last two axes into both fans."""
    split, joined = 6 / (WIDTH * HEADS + WIDTH * KEY), 6 / (HEADS * KEY + HEADS * WIDTH)
    squares = {"query": split, "key": split, "value": split, "output": joined, "dense": 6 / (WIDTH + WIDTH)}
    return {name: math.sqrt(square) for name, square in squares.items()}


LIMITS = _limits()


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How data are drawn and runs trained; the defaults are those of the published script.

    Attributes:
        relevant: s, the bits whose majority is the label; odd.
        train: samples to learn from.
        test: samples to be judged by.
        batch: samples of a step.
        rate: of the steps, before the first decay.
        momentum: of the steps.
        decay: what the rate is multiplied with before each epoch.
        floor: what the rate does not fall below.
        cap: the most epochs.
        look: epochs from one evaluation on the test samples to the next; the script has 1. The last is one, too.
    """

    relevant: int = 9
    train: int = 300
    test: int = 10_000
    batch: int = 128
    rate: float = 0.01
    momentum: float = 0.9
    decay: float = 0.999
    floor: float = 0.001
    cap: int = 200_000
    look: int = 1


@dataclass(frozen=True)
class Data:
    """What n runs of one length learn from, and where they start.

    Attributes:
        tokens: zeros at positions 0 to T-1, ones there, and the token that is read, with positions; shape (n, 2T+1, d).
        bits: training samples, then those of the test, boolean of shape (n, N, T).
        labels: majorities, boolean of shape (n, N).
        weights: all variables in the order of `SHAPES`, shape (n, `PARAMETERS`).
        streams: what the order of samples is drawn from, shape (n).
    """

    tokens: Tensor
    bits: Tensor
    labels: Tensor
    weights: Tensor
    streams: Tensor

    def to(self, device: str) -> Data:
        """The same on another device."""
        return Data(*(value.to(device) for value in vars(self).values()))


def draw(length: int, plan: Plan, seed: int, runs: Sequence[int]) -> Data:
    """Draw what these runs learn from at length T ≥ s, on the CPU in float64; each run by itself, by the one seed."""
    drawn = [_draw_one(length, plan, np.random.default_rng((seed, length, run))) for run in runs]
    return Data(*(torch.from_numpy(np.stack(values)) for values in zip(*drawn, strict=True)))


def _draw_one(length: int, plan: Plan, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    relevant = rng.choice(length, plan.relevant, replace=False)
    bits = rng.integers(0, 2, (plan.train + plan.test, length)).astype(bool)
    zero, one, read = _token_vectors(rng)
    places = positions(length + 1)
    tokens = np.concatenate([zero + places[:-1], one + places[:-1], read + places[-1:]])
    labels = bits[:, relevant].sum(1) > plan.relevant / 2
    return tokens, bits, labels, _initial(rng), np.asarray(rng.integers(2**62))


def _token_vectors(rng: np.random.Generator) -> np.ndarray:
    """Three uniform vectors, each made orthogonal to those before it, then all of absolute sum one; shape (3, d)."""
    made = np.empty((3, WIDTH))
    for i, vector in enumerate(rng.uniform(-1, 1, (3, WIDTH))):
        for other in made[:i]:
            vector = vector - (vector @ other) / (other @ other) * other
        made[i] = vector
    made /= np.abs(made).sum(1, keepdims=True)
    return made


def positions(count: int) -> np.ndarray:
    """Sines in even columns and cosines in odd ones, column i of frequency 10000^(-i/d), shape (count, d)."""
    columns = np.arange(WIDTH)
    angles = np.arange(count)[:, None] / 10000 ** (columns / WIDTH)
    waves: np.ndarray = np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
    return waves


def _initial(rng: np.random.Generator) -> np.ndarray:
    """The variables of one run: maps drawn, biases zero."""
    parts = []
    for name, size in SIZES.items():
        if name in LIMITS:
            parts.append(rng.uniform(-LIMITS[name], LIMITS[name], size))
        else:
            parts.append(rng.normal(0, _NORMAL, size) if name == "read" else np.zeros(size))
    return np.concatenate(parts)


def initial_norm() -> float:
    """The expected sum of the moduli of all variables before training; the length of the sequence is not in it."""
    uniform = sum(SIZES[name] * limit / 2 for name, limit in LIMITS.items())
    return uniform + SIZES["read"] * _NORMAL * math.sqrt(2 / math.pi)


def known_before(length: int, samples: int) -> float:
    """The probability 1 - (1 - 2^-T)^samples that a test sample of length T is among the training samples."""
    return -math.expm1(samples * math.log1p(-(2.0**-length)))


# --- the network ----------------------------------------------------------------------------------


def unpacked(weights: Tensor) -> dict[str, Tensor]:
    """The variables of each run by name, views of shape (n, …) of weights of shape (n, `PARAMETERS`)."""
    parts = torch.split(weights, list(SIZES.values()), 1)
    return {name: part.view(-1, *shape) for (name, shape), part in zip(SHAPES.items(), parts, strict=True)}


def present(bits: Tensor) -> Tensor:
    """Which of the 2T + 1 tokens each sample has: bits of shape (n, N, T) become booleans of shape (n, N, 2T+1)."""
    return torch.cat([~bits, bits, torch.ones_like(bits[..., :1])], -1)


def logits(weights: Tensor, tokens: Tensor, seen: Tensor) -> Tensor:
    """The outputs of each run's network at its samples, shape (n, N, 2).

    Attention has one query, the last token's: no other row is read. Weights have shape (n, `PARAMETERS`), tokens
    (n, 2T+1, d); what is seen is what `present` returns.
    """
    w, rows = unpacked(weights), tokens[:, None]
    query = rows[:, :, -1:] @ w["query"] + w["query_bias"][:, :, None]
    keys = rows @ w["key"] + w["key_bias"][:, :, None]
    values = rows @ w["value"] + w["value_bias"][:, :, None]
    scores = keys @ query.mT / math.sqrt(KEY)
    # A softmax over the tokens present, all of whose terms are the same for every sample: no sample has its own scores.
    shares = torch.exp(scores - scores.detach().amax(2, keepdim=True))
    sums = torch.einsum("nsr,nhrk->nhsk", seen.to(tokens.dtype), torch.cat([shares * values, shares], -1))
    heads = sums[..., :-1] / sums[..., -1:]
    attended = (heads @ w["output"]).sum(1) + w["output_bias"][:, None]
    dense = torch.relu(attended) @ w["dense"] + w["dense_bias"][:, None]
    return dense @ w["read"] + w["read_bias"][:, None]


def losses(outputs: Tensor, labels: Tensor) -> Tensor:
    """Binary cross-entropy of logits (n, N, 2) with one-hot labels (n, N), mean over both outputs, shape (n, N)."""
    target = torch.stack([~labels, labels], -1).to(outputs.dtype)
    return torch.nn.functional.binary_cross_entropy_with_logits(outputs, target, reduction="none").mean(-1)


def correct(outputs: Tensor, labels: Tensor) -> Tensor:
    """How many samples of each run have the larger output at their label; shape (n)."""
    return ((outputs[..., 1] > outputs[..., 0]) == labels).sum(-1)


def evaluate(weights: Tensor, tokens: Tensor, seen: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Accuracy and mean loss of each run, shape (n) each, of what `logits` takes and boolean labels of shape (n, N)."""
    hits, total = torch.zeros((2, len(weights)), dtype=weights.dtype, device=weights.device)
    with torch.no_grad():
        for some, said in zip(*(torch.split(part, _BLOCK, 1) for part in (seen, labels)), strict=True):
            outputs = logits(weights, tokens, some)
            hits += correct(outputs, said)
            total += losses(outputs, said).sum(-1)
    return hits / labels.shape[1], total / labels.shape[1]


def map_norms(weights: Tensor) -> dict[str, dict[str, Tensor]]:
    """What covering numbers read of each map z ↦ Wz, with the heads added up; weights have shape (n, `PARAMETERS`).

    By map the sum of the moduli of its entries, ``entries``, and of the Euclidean lengths of its rows, ``rows``, each
    of shape (n); ``query-key`` is the product of both maps with the factor of the scores.
    """
    w = unpacked(weights)
    stored = {"query-key": w["query"] @ w["key"].mT / math.sqrt(KEY)}
    stored |= {name: w[name] for name in ("value", "output", "dense", "read")}
    # A stored map acts on rows: its columns are the rows of the map that acts on columns.
    return {
        name: {"entries": matrix.abs().flatten(1).sum(1), "rows": matrix.norm(dim=-2).flatten(1).sum(1)}
        for name, matrix in stored.items()
    }


# --- training -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trained:
    """What n runs came to.

    Attributes:
        end: their variables after the last epoch, shape (n, `PARAMETERS`).
        epochs: how many epochs each had, shape (n).
        stopped: whether each had an epoch without an error, shape (n).
        selected: their variables when the loss on the test samples was least, shape (n, `PARAMETERS`).
        selected_epochs: the epoch of these, shape (n).
    """

    end: Tensor
    epochs: Tensor
    stopped: Tensor
    selected: Tensor
    selected_epochs: Tensor


def train(data: Data, plan: Plan, told: Callable[[int, int], None] = lambda epoch, running: None) -> Trained:
    """Train all runs together, on the device of their data, each until its first epoch without an error.

    As in Keras an epoch's accuracy is that of each batch just before the step that it causes, the rate decays before
    the epoch, and the velocity holds the rate. A run that has stopped keeps its variables. Now and then `told` hears
    the epoch and how many runs go on.
    """
    seen, cut = present(data.bits), plan.train
    judge = (data.tokens, seen[:, cut:], data.labels[:, cut:])
    weights, velocity = data.weights.clone().requires_grad_(), torch.zeros_like(data.weights)
    running, epochs = torch.ones_like(data.streams, dtype=torch.bool), torch.zeros_like(data.streams)
    selected, at = data.weights.clone(), torch.zeros_like(data.streams)
    least, rate = torch.full_like(data.weights[:, 0], math.inf), plan.rate
    for epoch in range(1, plan.cap + 1):
        rate = max(plan.floor, rate * plan.decay)
        order = shuffled(data.streams, epoch, cut)
        learn = (seen[:, :cut].take_along_dim(order[..., None], 1), data.labels[:, :cut].take_along_dim(order, 1))
        hits = torch.zeros_like(data.streams)
        for some, said in zip(*(torch.split(part, plan.batch, 1) for part in learn), strict=True):
            outputs = logits(weights, data.tokens, some)
            hits += correct(outputs, said)
            (slope,) = torch.autograd.grad(losses(outputs, said).mean(-1).sum(), weights)
            velocity.mul_(plan.momentum).sub_(slope, alpha=rate)
            weights.data.addcmul_(velocity, running[:, None].to(velocity))
        epochs += running
        perfect = running & (hits == cut)
        due = perfect | (epoch % plan.look == 0 or epoch == plan.cap)
        if bool(due.any()):
            loss = evaluate(weights, *judge)[1]
            better = due & running & (loss < least)
            least, at = torch.where(better, loss, least), torch.where(better, epoch, at)
            selected = torch.where(better[:, None], weights.detach(), selected)
            running = running & ~perfect
            going = int(running.sum())
            told(epoch, going)
            if not going:
                break
    return Trained(weights.detach(), epochs, ~running, selected, at)


def shuffled(streams: Tensor, epoch: int, count: int) -> Tensor:
    """The order (n, N) of N samples in an epoch, one for each stream (n): the same on every device, in any stack."""
    epochs = scattered(streams + GOLDEN * torch.full_like(streams, epoch))
    return scattered(epochs[:, None] + GOLDEN * torch.arange(count, device=streams.device)).argsort(-1)
