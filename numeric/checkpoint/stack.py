"""Every matrix of a checkpoint by itself, linear or convolutional, in plain numbers: one row each, no family needed."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import torch
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.checkpoint.encoder import device_of
from boundaudit.numeric.checkpoint.layouts import MAPPED, STORED
from boundaudit.numeric.checkpoint.objects import entry, read_object
from boundaudit.numeric.checkpoint.reader import FORMATS, Checkpoint, Stored
from boundaudit.numeric.tails import (
    LEAST,
    LEVEL,
    TAIL,
    Bulk,
    PowerLaw,
    bulk,
    noise_above,
    positive,
    power_law,
    singular_values,
)
from boundaudit.numeric.threads import one_thread

LOW, HIGH = 2.0, 6.0
"""Exponents below and above which WeightWatcher has a name for a layer."""
_AT_ONCE = 2**24
_SMALL = 1024
_STEP = re.compile(r"(?<![a-z])(?:step|checkpoint|ckpt|epoch|iter)[-_=]?(\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class SpectrumRow:
    """One matrix. Eigenvalues are those of WᵀW, squares of singular values; None where a number is not defined.

    Attributes:
        checkpoint: as it was named.
        step: of training, where the name of the checkpoint says it.
        matrix: its tensor; with a mapping, and its name there where it is a part.
        rows: as it is stored; of a convolution its output channels.
        columns: the same; of a convolution input channels times positions of the kernel.
        spectral: its largest singular value.
        frobenius: its Frobenius norm.
        nuclear: the sum of its singular values.
        rank: how many of them rounding tells from 0.
        stable_rank: squared Frobenius over squared spectral norm.
        mp_sigma: the standard deviation of noise whose median eigenvalue is that of the matrix.
        mp_edge: where the eigenvalues of such noise end, by Marchenko and Pastur.
        mp_soft_rank: the edge over the largest eigenvalue.
        mp_beyond: eigenvalues beyond the edge and its fluctuation.
        alpha: the exponent of a power law fitted to the largest eigenvalues.
        alpha_error: its standard error, for independent draws.
        x_min: the smallest eigenvalue that the fit takes.
        tail: how many it takes.
        ks_distance: of Kolmogorov, between them and the law.
        lognormal_p: small where a log-normal law fits better.
        exponential_ratio: negative where an exponential law fits better.
        exponential_p: of that ratio.
        power_law: ``not excluded``, ``excluded`` or ``too short``.
        alpha_weighted: α times the decimal logarithm of the largest eigenvalue.
        log_alpha_norm: the decimal logarithm of the sum of the α-th powers of the eigenvalues.
        warnings: what is to be known of these numbers; empty where that is nothing.
    """

    checkpoint: str
    step: int | None
    matrix: str
    rows: int
    columns: int
    spectral: float | None = None
    frobenius: float | None = None
    nuclear: float | None = None
    rank: int | None = None
    stable_rank: float | None = None
    mp_sigma: float | None = None
    mp_edge: float | None = None
    mp_soft_rank: float | None = None
    mp_beyond: int | None = None
    alpha: float | None = None
    alpha_error: float | None = None
    x_min: float | None = None
    tail: int | None = None
    ks_distance: float | None = None
    lognormal_p: float | None = None
    exponential_ratio: float | None = None
    exponential_p: float | None = None
    power_law: str | None = None
    alpha_weighted: float | None = None
    log_alpha_norm: float | None = None
    warnings: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON where its numbers are finite."""
        return asdict(self)


@dataclass(frozen=True)
class Measured:
    """A matrix's numbers and its singular values, falling, as figures need it; none of a tensor that is not read."""

    row: SpectrumRow
    values: Tensor

    def noise(self) -> tuple[list[float], list[float]]:
        """Eigenvalues of noise with the same median, and the share of them above each; empty without such noise."""
        if not self.row.mp_sigma:
            return [], []
        shape = self.row.rows, self.row.columns
        return noise_above(bulk(self.values, shape), shape)


@dataclass(frozen=True)
class _Wanted:
    """A matrix that is to be read: part ``at`` of ``parts`` equal ones along an axis of a tensor."""

    tensor: str
    label: str
    at: int = 0
    parts: int = 1
    axis: int = 0

    def shape(self, stored: Stored) -> tuple[int, int]:
        """Rows and columns."""
        sizes = list(stored.shape)
        sizes[self.axis] //= self.parts
        return sizes[0], math.prod(sizes[1:])

    def of(self, tensor: Tensor) -> Tensor:
        """The matrix of a tensor; a convolution's kernels side by side, as they multiply a patch of its input."""
        return tensor.chunk(self.parts, self.axis)[self.at].flatten(1)


def measure_stack(
    path: Path,
    mapping: Path | None = None,
    *,
    device: str = "auto",
    told: Callable[[int, int], None] = lambda done, total: None,
) -> list[Measured]:
    """Measure every matrix of a checkpoint, a folder or a .safetensors file; no config.json is needed.

    A mapping is a JSON file whose ``matrices`` name tensors, where those called ``weight`` are not what is wanted.
    Singular values are computed on the device ``auto``, ``cpu`` or ``cuda``; `told` hears how many are done, and how
    many there are. In the order of their names, numbers in it as numbers; tensors of two or more axes that are not read
    come last.

    Raises:
        InputError: where the checkpoint or the mapping cannot be read or names nothing, or the device is not there.
    """
    where = device_of(device)
    checkpoint, wanted = open_stack(path, mapping)
    found: dict[str, Measured] = {}
    for shape, group in _groups(checkpoint, wanted):
        tensors = {name: checkpoint.read([name])[name] for name in {one.tensor for one in group}}
        stack = torch.stack([one.of(tensors[one.tensor]) for one in group]).to(where)
        with one_thread(only_if=min(shape) <= _SMALL):
            for one, values in zip(group, singular_values(stack).unbind(), strict=True):
                found[one.label] = Measured(_row(str(path), one.label, shape, values), values)
        told(len(found), len(wanted))
    left = [] if mapping is not None else _left_out(checkpoint, {one.tensor for one in wanted})
    unread = [_unread(str(path), name, checkpoint.tensors[name]) for name in left]
    return [found[one.label] for one in wanted] + [Measured(row, torch.empty(0)) for row in unread]


def open_stack(path: Path, mapping: Path | None = None) -> tuple[Checkpoint, list[_Wanted]]:
    """The matrices that `measure_stack` would read, from headers alone, no tensor; InputError as there."""
    checkpoint = Checkpoint.open(path)
    names = sorted(checkpoint.tensors, key=_natural)
    wanted = [_Wanted(name, name) for name in names if _is_weight(name, checkpoint.tensors[name])]
    if mapping is not None:
        places = _places(read_object(mapping))
        wanted = list(dict.fromkeys(one for place in places for one in _named(place, checkpoint, names)))
    if not wanted:
        raise InputError("checkpoint", "weights of two or more axes", f"none in {path}", "name them with --mapping")
    return checkpoint, wanted


def _natural(name: str) -> list[tuple[int, str]]:
    """Numbers in a name by their size."""
    return [(len(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", name)]


def _is_weight(name: str, stored: Stored) -> bool:
    whole = len(stored.shape) >= 2 and math.prod(stored.shape) > 0
    return whole and stored.format in FORMATS and "weight" in name.rpartition(".")[2]


def _left_out(checkpoint: Checkpoint, read: set[str]) -> list[str]:
    """Tensors of two or more axes that are not read: masks, positions, quantised numbers."""
    tensors = checkpoint.tensors
    return sorted((name for name in tensors if name not in read and len(tensors[name].shape) > 1), key=_natural)


_Place: TypeAlias = tuple[str, str, int, int, int]
_SAID = 'the name of a tensor, or {"name": …, "part": [i, n]} with 0 ≤ i < n'


def _places(found: dict[str, Any]) -> Iterator[_Place]:
    """What a mapping names: kind, name of a tensor, part, number of parts, axis of the outputs."""
    for key in found:
        if key not in MAPPED:
            raise InputError(key, f"one of {', '.join(MAPPED)}", "another key", "mend the mapping")
    if found.get("stored", STORED[0]) not in STORED:
        raise InputError("stored", " or ".join(STORED), repr(found["stored"]), "mend the mapping")
    axis = int(found.get("stored") == STORED[1])
    for kind, said in entry(found, "matrices", dict, "an object of names of tensors").items():
        match said if isinstance(said, dict) else {"name": said, "part": [0, 1]}:
            case {"name": str(name), "part": [int(at), int(parts)]} if 0 <= at < parts:
                yield kind, name, at, parts, axis
            case _:
                raise InputError(f"matrices.{kind}", _SAID, repr(said), "mend the mapping")


def _named(place: _Place, checkpoint: Checkpoint, names: Sequence[str]) -> Iterator[_Wanted]:
    """The matrices of one place, ``{layer}`` standing for any whole number."""
    kind, name, at, parts, axis = place
    pattern = re.compile(re.escape(name).replace(re.escape("{layer}"), r"\d+"))
    found = [one for one in names if pattern.fullmatch(one)]
    if not found:
        raise InputError(f"matrices.{kind}", "the name of a tensor", f"{name}, which none has", "mend the mapping")
    for one in found:
        stored = checkpoint.tensors[one]
        if len(stored.shape) < 2 or 0 in stored.shape or stored.shape[axis] % parts:
            sizes = " × ".join(map(str, stored.shape)) or "a single number"
            raise InputError(one, f"two or more axes, in {parts} equal parts", sizes, "mend the mapping")
        if stored.format not in FORMATS:
            raise InputError(one, " or ".join(FORMATS), stored.format, "convert the weights to one of these")
        yield _Wanted(one, one if parts == 1 else f"{one}[{kind}]", at, parts, axis)


def _groups(checkpoint: Checkpoint, wanted: Sequence[_Wanted]) -> Iterator[tuple[tuple[int, int], list[_Wanted]]]:
    """Matrices of one shape and format together, as many as fit into memory beside each other."""

    def key(one: _Wanted) -> tuple[tuple[int, int], str]:
        stored = checkpoint.tensors[one.tensor]
        return one.shape(stored), stored.format

    for (shape, _), members in itertools.groupby(sorted(wanted, key=key), key):
        group, size = list(members), max(_AT_ONCE // math.prod(shape), 1)
        yield from ((shape, group[i : i + size]) for i in range(0, len(group), size))


def _row(checkpoint: str, label: str, shape: tuple[int, int], values: Tensor) -> SpectrumRow:
    """All numbers of a matrix, from its singular values."""
    spectral, frobenius = float(values[0]), float(torch.linalg.vector_norm(values))
    row = SpectrumRow(
        checkpoint, step(checkpoint), label, *shape, spectral, frobenius, float(values.sum()), rank=0, stable_rank=0.0,
        warnings="all entries are 0",
    )  # fmt: skip
    if not spectral > 0:
        return row
    noise, rank, fit = bulk(values, shape), len(positive(values, shape)), power_law(values, shape)
    return replace(
        row, rank=rank, stable_rank=(frobenius / spectral) ** 2, mp_sigma=noise.deviation, mp_edge=noise.edge,
        mp_soft_rank=noise.soft_rank, mp_beyond=noise.beyond, **({} if fit is None else _fitted(fit, values)),
        warnings="; ".join(_warnings(rank, noise, fit, min(shape))),
    )  # fmt: skip


def _fitted(fit: PowerLaw, values: Tensor) -> dict[str, Any]:
    powers = 2 * fit.alpha * values[values > 0].log()
    return {
        "alpha": fit.alpha, "alpha_error": fit.error, "x_min": fit.least, "tail": fit.tail,
        "ks_distance": fit.distance, "lognormal_p": fit.lognormal_p, "exponential_ratio": fit.exponential_ratio,
        "exponential_p": fit.exponential_p, "power_law": fit.judged,
        "alpha_weighted": fit.alpha * 2 * math.log10(float(values[0])),
        "log_alpha_norm": float(powers.logsumexp(0)) / math.log(10),
    }  # fmt: skip


def _warnings(rank: int, noise: Bulk, fit: PowerLaw | None, short: int) -> Iterator[str]:
    """What is to be known of the numbers; no word on what it portends."""
    if rank < short:
        yield f"rank {rank} of {short}"
    if noise.deviation == 0:
        yield "the median eigenvalue is 0: no bulk"
    if fit is None:
        yield f"no power law fitted: fewer than {LEAST} eigenvalues apart from 0, or all equal"
        return
    if fit.alpha < LOW:
        yield f"α below {LOW:g} (WeightWatcher: over-trained)"
    if fit.alpha > HIGH:
        yield f"α above {HIGH:g} (WeightWatcher: under-trained)"
    if fit.tail < TAIL:
        yield f"a tail of fewer than {TAIL}"
    if fit.lognormal_p < LEVEL:
        yield f"a log-normal tail fits better (p = {fit.lognormal_p:.2g})"
    if fit.exponential_ratio < 0 and fit.exponential_p < LEVEL:
        yield f"an exponential tail fits better (p = {fit.exponential_p:.2g})"


def _unread(checkpoint: str, name: str, stored: Stored) -> SpectrumRow:
    why = f"not read: stored as {stored.format}" if stored.format not in FORMATS else "not read: no weight by its name"
    if 0 in stored.shape:
        why = "not read: no entries"
    rows, columns = stored.shape[0], math.prod(stored.shape[1:])
    return SpectrumRow(checkpoint, step(checkpoint), name, rows, columns, warnings=why)


def step(name: str) -> int | None:
    """The step that the last part of a checkpoint's path that has one says, as ``checkpoint-500`` does, or None."""
    found = _STEP.findall(name)
    return int(found[-1]) if found else None
