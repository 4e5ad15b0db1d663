"""Safetensors on disk: which file holds which tensor, and the numbers of a few of them at a time.

Nothing here unpickles. A header is parsed by the safetensors library, which checks every offset against shape, number
format and size of the file, once its announced length is known to be reasonable: a file can lie about neither.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from boundaudit import InputError, visible
from boundaudit.numeric.checkpoint.objects import read_object

if TYPE_CHECKING:
    from torch import Tensor

_T = TypeVar("_T")
FORMATS = ("F64", "F32", "F16", "BF16")
LARGEST, SMALLEST = 1e60, 1e-60
"""What the largest weight of a matrix may be, if not 0: squares of products of two such matrices are still numbers."""
_SUFFIX, _INDEX = ".safetensors", "model.safetensors.index.json"
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
_MOST_HEADER = 16 * 2**20
_REMEDY = "convert it to safetensors, with save_pretrained where you trust the file"


@dataclass(frozen=True)
class Stored:
    """A tensor that was not read yet: its sizes, its number format by safetensors' name, and the file that holds it."""

    shape: tuple[int, ...]
    format: str
    file: Path


@dataclass(frozen=True)
class Checkpoint:
    """The tensors of a checkpoint by name, and the folder or file that was named."""

    path: Path
    tensors: Mapping[str, Stored]

    @property
    def folder(self) -> Path:
        """Where its config.json stands."""
        return self.path if self.path.is_dir() else self.path.parent

    @classmethod
    def open(cls, path: Path) -> Checkpoint:
        """Read the headers of a checkpoint, no tensor.

        It is a .safetensors file, or a folder with one, or with shards and their index.

        Raises:
            InputError: where there is none, its files are damaged, or it is a pickle.
        """
        try:
            weights = _weights(path)
            return cls(path, _header(weights) if weights.suffix == _SUFFIX else _sharded(weights))
        except OSError as error:
            got = f"{path} ({error.strerror})"
            raise InputError("checkpoint", "a folder or a .safetensors file", got, "check the path") from None

    def read(self, names: Iterable[str]) -> dict[str, Tensor]:
        """Read a few tensors, those of one layer, say, into memory at once: each in its own number format, on the CPU.

        Raises:
            InputError: for one with an entry that is NaN or infinite, or the largest beyond `LARGEST` or `SMALLEST`.
        """
        of_file: dict[Path, list[str]] = defaultdict(list)
        for name in dict.fromkeys(names):
            of_file[self.tensors[name].file].append(name)
        found: dict[str, Tensor] = {}
        for file, members in of_file.items():
            found |= _opened(file, partial(_tensors, members))
        for name, tensor in found.items():
            largest = max(abs(float(end)) for end in tensor.aminmax()) if tensor.numel() else 0.0
            if largest and not SMALLEST <= largest <= LARGEST:
                expected = f"finite weights, the largest from {SMALLEST:g} to {LARGEST:g}"
                raise InputError(name, expected, f"one of modulus {largest}", "name a sound checkpoint")
        return found


def _weights(path: Path) -> Path:
    """The file that leads to the tensors: one of safetensors, or an index of shards."""
    if path.suffix in _PICKLES:
        raise InputError("checkpoint", "safetensors, never a pickle", str(path), _REMEDY)
    if path.is_file() and path.suffix == _SUFFIX:
        return path
    if not path.is_dir():
        got = f"{path} ({'another kind of file' if path.exists() else 'not there'})"
        raise InputError("checkpoint", "a folder or a .safetensors file", got, "check the path")
    single, index = path / f"model{_SUFFIX}", path / _INDEX
    for known in (single, index):
        if known.is_file():
            return known
    names = sorted(child.name for child in path.iterdir() if child.is_file())
    files = [name for name in names if name.endswith(_SUFFIX)]
    if len(files) == 1:
        return path / files[0]
    pickles = [name for name in names if name.endswith(_PICKLES)]
    if pickles and not files:
        raise InputError("checkpoint", "safetensors, never a pickle", f"{path}/{pickles[0]}", _REMEDY)
    got = f"{len(files)} of them without an index" if files else f"none in {path}"
    raise InputError("checkpoint", f"a {_SUFFIX} file, or shards with {_INDEX}", got, "name the folder or the file")


def _sharded(index: Path) -> dict[str, Stored]:
    """The tensors that an index lists, each as the header of its shard has it."""
    listed = read_object(index).get("weight_map")
    if not isinstance(listed, dict) or not listed:
        raise InputError("weight_map", "the shard of each tensor", repr(listed), f"mend {index.name}")
    shards = {shard: _header(_shard(index.parent, shard)) for shard in dict.fromkeys(map(str, listed.values()))}
    for name, shard in listed.items():
        if name not in shards[str(shard)]:
            raise InputError(name, f"a tensor of {shard}", "none of that name", f"mend {index.name}")
    return {name: shards[shard][name] for name, shard in listed.items()}


def _shard(folder: Path, name: str) -> Path:
    """A shard beside its index, and nowhere else."""
    if Path(name).name != name or "\\" in name or not name.endswith(_SUFFIX):
        raise InputError("weight_map", f"names of {_SUFFIX} files in the folder of the index", name, "mend the index")
    if not (folder / name).is_file():
        raise InputError("weight_map", "shards that are there", f"{name}, which is not", "complete the download")
    return folder / name


def _header(file: Path) -> dict[str, Stored]:
    """What a file says it holds."""
    _check_length(file)
    slices = _opened(file, _slices)
    for name in slices:
        if visible(name) != name:
            raise InputError(file.name, "names of tensors that can be read", name, "fetch or convert it again")
    return {name: Stored(tuple(part.get_shape()), part.get_dtype(), file) for name, part in slices.items()}


def _slices(opened: Any) -> dict[str, Any]:
    return {name: opened.get_slice(name) for name in opened.keys()}  # noqa: SIM118


def _tensors(names: Iterable[str], opened: Any) -> dict[str, Tensor]:
    return {name: opened.get_tensor(name) for name in names}


def _check_length(file: Path) -> None:
    """Refuse what is no safetensors, and headers so long that they only fill memory, before anything is parsed."""
    with file.open("rb") as opened:
        start = opened.read(9)
    size, length = file.stat().st_size, int.from_bytes(start[:8], "little")
    if len(start) < 9 or start[8:] != b"{" or length > size - 8:
        got = f"{size} bytes that begin otherwise" if start else "an empty file"
        raise InputError(file.name, "a whole safetensors file", got, "fetch or convert it again")
    if length > _MOST_HEADER:
        raise InputError(file.name, "a header of at most 16 MiB", f"{length} bytes", "fetch or convert it again")


def _opened(file: Path, use: Callable[[Any], _T]) -> _T:
    """Open a file for as long as it is used: what was mapped into memory goes again."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="pt") as opened:
            return use(opened)
    except (SafetensorError, OSError) as error:
        raise InputError(file.name, "a whole safetensors file", str(error), "fetch or convert it again") from None
