"""The catalogue of the shipped claims, kept in the user's cache folder.

Building every claim takes seconds, reading what it says should not: it is kept under a digest of the sources, and made
again when one of them has changed.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from boundaudit import __version__
from boundaudit.checks.records.border import without_collecting
from boundaudit.checks.run.catalogue import Catalogue

_PACKAGE = Path(__file__).parents[2]
_LAYERS = ("checks", "derivations", "numeric")


@functools.cache
def catalogue(files: tuple[Path, ...] = ()) -> Catalogue:
    """The catalogue of a user's own files, or of the shipped claims where there are none."""
    if files:
        return _made(files)
    own = f"catalogue-{hashlib.sha256(os.fsencode(_PACKAGE)).hexdigest()[:8]}"
    place = cache_folder() / f"{own}-{_digest()}.json"
    found = _kept(place)
    if found is None:
        with _alone_in(place.parent):
            found = _kept(place)  # another process has made it meanwhile
            if found is None:
                found = _made(())
                _keep(found, place, own)
    return found


def _kept(place: Path) -> Catalogue | None:
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError), without_collecting():
        return Catalogue.from_json(json.loads(place.read_text(encoding="utf-8")))
    return None


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Wait while another process makes what would be made again: half a minute's work. Without locks, go on."""
    with contextlib.ExitStack() as held:
        with contextlib.suppress(ImportError, OSError):
            import fcntl

            folder.mkdir(parents=True, exist_ok=True)
            place = os.open(folder, os.O_RDONLY)
            held.callback(os.close, place)
            fcntl.flock(place, fcntl.LOCK_EX)
        yield


def _keep(found: Catalogue, place: Path, own: str) -> None:
    with contextlib.suppress(OSError):
        for old in place.parent.glob(f"{own}-*.json"):  # another copy of the suite keeps its own
            old.unlink(missing_ok=True)
        draft = place.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(found.to_json(), ensure_ascii=False), encoding="utf-8")
        os.replace(draft, place)


def cache_folder() -> Path:
    """The user's cache folder of this suite, there or not."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "boundaudit"


def _digest() -> str:
    """Changes with any source of the claims, however it was changed."""
    files = sorted(file for layer in _LAYERS for file in _sources(_PACKAGE / layer))
    states = [(file, (found := os.stat(file)).st_size, found.st_mtime_ns) for file in files]
    return hashlib.sha256(repr([__version__, *states]).encode()).hexdigest()[:16]


def _sources(folder: Path) -> Iterator[str]:
    for place, _, names in os.walk(folder.resolve()):
        yield from (os.path.join(place, name) for name in names if name.endswith((".py", ".toml")))


def _made(files: tuple[Path, ...]) -> Catalogue:
    """The catalogue of a registry, built in full."""
    from boundaudit.checks.run.describe import described
    from boundaudit.checks.run.own_files import load_files
    from boundaudit.checks.run.shipped import built_in

    return described(load_files(files) if files else built_in())
