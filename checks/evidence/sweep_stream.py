"""A sweep of any length: both sides of a claim at points of its domain, streamed to a file in bounded memory.

What is measured together depends on the number of the row alone, and what is drawn on the seed: the same call writes
the same rows, to the last bit, and a longer sweep goes on where a shorter one of at least `FIRST` points ended.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from boundaudit import InputError
from boundaudit.checks.evidence.batch import RECHECKING, Batch
from boundaudit.checks.evidence.counterexample import certainly_holds
from boundaudit.checks.evidence.evidence import Worst
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.evidence.sweep import sweep_points
from boundaudit.checks.evidence.sweep_table import COUNTS, Swept
from boundaudit.checks.language.arithmetic import effort
from boundaudit.checks.language.claim import Claim, Probability
from boundaudit.checks.language.domain import Choices, Domain, Integers, Matrix, Range, Subsets, Vector
from boundaudit.checks.language.points import Point, plain
from boundaudit.checks.language.progress import doing

FIRST = 6000
"""Points that are chosen as those of the evidence are: all of a small domain, else a grid and random ones."""
DRAWN = 256
"""Random points that are drawn at a time."""
DRAWS = 100
"""Draws for each point that is wanted: relations of the domain may reject most of them."""
MEASURED = 256
"""Points that are measured together, at most: one at first, so that a slow measurement shows its pace at once."""
GROUP = 2**22
"""Bytes of a row group: what is kept in memory until it is written."""
OWN = ("left", "right", "ratio", "violation", "holds")
"""Columns beside those of the parameters."""


def sweep_to(path: Path, claim: Claim, points: int, *, seed: int = 0, device: str = "cpu", group: int = GROUP) -> Swept:
    """Evaluate both sides of a claim at many points of its domain, and write a row for each, in groups of some bytes.

    The columns are the parameters (vectors as lists, matrices and families of subsets as lists of lists), both sides,
    left over right, how far the point is beyond the claim relative to the larger side, and whether that is within the
    error that is stated of the sides. What has no value is null. The counts stand in the metadata of the file.

    A domain of fewer points is swept whole; the file is replaced in one step when it is complete.

    Raises:
        InputError: where the claim is no comparison of two numbers, no point of its domain is found, a value does not
            fit its column, or the file cannot be written.
    """
    from pyarrow import concat_tables, parquet

    require_sides(claim)
    tally, kept, size = _Tally(claim), [], 0
    columns = _schema(claim)
    chosen, whole = _points(claim.domain, points, seed)
    with _in_one_step(path) as draft, parquet.ParquetWriter(draft, columns, compression="zstd") as writer:
        for block in _blocks(chosen):
            batch = Batch.measure(claim, block, device)
            tally.add(batch)
            kept.append(_rows(batch, columns))
            size += kept[-1].nbytes
            if size >= group:
                writer.write_table(concat_tables(kept))
                kept, size = [], 0
            doing(f"{tally.points:,} of {points:,} points, {tally.violations:,} violations")
        if not tally.points:
            got = f"none of {DRAWS * points:,} random ones"
            raise InputError(claim.label, "a domain whose points can be drawn", got, "see its relations")
        if kept:
            writer.write_table(concat_tables(kept))
        swept = tally.swept(seed, whole_domain=whole)
        writer.add_key_value_metadata({COUNTS: json.dumps(swept.to_json(), allow_nan=False).encode()})
    return swept


def require_sides(claim: Claim) -> None:
    """Require that both sides of a claim are numbers at every point, and have columns of their own.

    Raises:
        InputError: where one is not: a probability is counted, and a constant that is missing has no value.
    """
    if claim.missing is not None:
        raise InputError(claim.label, "a claim with two sides", f"one that is not testable: {claim.missing}", "omit it")
    if isinstance(claim.left, Probability):
        got = "a probability, which `verify` counts in trials"
        raise InputError(claim.label, "two sides that are numbers at a point", got, "sweep another claim")
    for name in OWN:
        if name in claim.domain.ranges:
            raise InputError(claim.label, f"no parameter named {name}", name, "rename it")


def _points(domain: Domain, count: int, seed: int) -> tuple[Iterable[Point], bool]:
    """So many points of a domain, and whether they are all that there are."""
    every = domain.every(min(count, FIRST))
    if every is not None:
        return every, True
    return itertools.islice(_endless(domain, count, seed), count), False


def _endless(domain: Domain, count: int, seed: int) -> Iterator[Point]:
    yield from sweep_points(domain, min(count, FIRST), seed)
    rng = generator(seed, domain.key, "sweep", "further")
    for _ in range(-(-DRAWS * count // DRAWN)):
        yield from domain.sample(DRAWN, rng)


def _blocks(points: Iterable[Point]) -> Iterator[list[Point]]:
    """What is measured together."""
    rest, size = iter(points), 1
    while block := list(itertools.islice(rest, size)):
        yield block
        size = min(2 * size, MEASURED)


class _Tally:
    """What was seen so far."""

    def __init__(self, claim: Claim) -> None:
        self._claim = claim
        self._worst: Worst | None = None
        self.points = self.violations = self._holds = 0

    def add(self, batch: Batch) -> None:
        violated = int((batch.violation > batch.allowed).sum())
        self.points += len(batch.points)
        self.violations += violated
        self._holds += batch.usable - violated
        self._worst = Batch.worse(self._claim, self._worst, batch.worst())

    def swept(self, seed: int, *, whole_domain: bool) -> Swept:
        claim, worst = self._claim, self._worst
        with effort(RECHECKING):
            holds_there = None if worst is None else certainly_holds(claim, worst.point)
        return Swept(
            claim.label, claim.text, claim.fingerprint, seed, self.points, whole_domain, self._holds, self.violations,
            self.points - self._holds - self.violations, worst, holds_there,
        )  # fmt: skip


def _schema(claim: Claim) -> Any:
    """The columns of a claim and their types."""
    import pyarrow as pa

    own = [pa.field(name, pa.bool_() if name == "holds" else pa.float64()) for name in OWN]
    return pa.schema([*(pa.field(name, _type(found)) for name, found in claim.domain.ranges.items()), *own])


def _type(found: Range) -> Any:
    import pyarrow as pa

    if isinstance(found, Vector):
        return pa.list_(pa.float64())
    if isinstance(found, (Matrix, Subsets)):
        return pa.list_(pa.list_(pa.float64() if isinstance(found, Matrix) else pa.int64()))
    whole = isinstance(found, Choices) and all(value.denominator == 1 for value in found.values.values())
    return pa.int64() if whole or isinstance(found, Integers) else pa.float64()


def _rows(batch: Batch, columns: Any) -> Any:
    """A batch as a table."""
    import pyarrow as pa

    with np.errstate(all="ignore"):
        ratio = batch.left / batch.right
    silent = ~np.isfinite(batch.violation)
    own = {
        "left": pa.array(batch.left, mask=np.isnan(batch.left)),
        "right": pa.array(batch.right, mask=np.isnan(batch.right)),
        "ratio": pa.array(ratio, mask=~np.isfinite(ratio)),
        "violation": pa.array(batch.violation, mask=silent),
        "holds": pa.array(batch.violation <= batch.allowed, mask=silent),
    }
    given = {name: _column(batch, name, columns.field(name).type) for name in batch.claim.domain.ranges}
    return pa.table(given | own, columns)


def _column(batch: Batch, name: str, kind: Any) -> Any:
    """The values of one parameter, exact ones as the floats at which they were measured."""
    import pyarrow as pa

    try:
        return pa.array([plain(point[name]) for point in batch.points], kind)
    except (pa.ArrowException, OverflowError) as error:
        raise InputError(
            f"{batch.claim.label}: {name}", f"values that fit {kind}", error, "sweep another claim"
        ) from None


@contextmanager
def _in_one_step(path: Path) -> Iterator[Path]:
    """A draft beside the file, which takes its place when it is complete, and goes when it is not."""
    draft = path.with_name(path.name + ".draft")
    try:
        if path.is_dir():
            raise InputError("--out", "a place for a file", f"{path} (a folder)", "choose another")
        path.parent.mkdir(parents=True, exist_ok=True)
        yield draft
        draft.replace(path)
    except OSError as error:
        got = f"{path} ({error.strerror or error})"
        raise InputError("--out", "a place that can be written", got, "choose another") from None
    finally:
        with suppress(OSError):
            draft.unlink()
