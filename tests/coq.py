"""Export every certificate and let Coq judge it: ``python -m tests.coq --help``. Not part of `make test`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from boundaudit.checks.records.reference import reference
from boundaudit.checks.run.coq import Exported, export_coq

WORDS = ("accepted", "refused", "out of time")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.coq", description="Let Coq judge recorded certificates.")
    parser.add_argument("labels", nargs="*", help="claims, or cases of them; all by default")
    parser.add_argument("--jobs", type=int, default=2, help="runs of coqc side by side")
    parser.add_argument("--seconds", type=float, default=60, help="for each")
    parser.add_argument("--out", type=Path, help="keep the files here")
    options = parser.parse_args()
    run, start = reference(), time.perf_counter()
    if run is None:
        sys.exit("there is no reference run")
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.out or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        found = export_coq(run, options.labels, lambda name, text: write(folder / name, text))
        if judge(folder, "boundaudit_prelude.v", 600) != ("accepted", ""):
            sys.exit("Coq refuses the prelude")
        files = [each for each in found if each.file is not None]
        with ThreadPoolExecutor(options.jobs) as pool:
            answers = list(pool.map(lambda each: judge(folder, each.file or "", options.seconds), files))
    judged = dict(zip((each.label for each in files), answers, strict=True))
    show(found, judged)
    print(f"{time.perf_counter() - start:.0f} s with {options.jobs} jobs")
    return 1 if any(word == "refused" for word, _ in judged.values()) else 0


def write(path: Path, text: str) -> None:
    """Write a file of Coq."""
    path.write_text(text, encoding="utf-8")


def judge(folder: Path, file: str, seconds: float) -> tuple[str, str]:
    """What Coq says of a file: a word of `WORDS`, and the first line of its complaint."""
    command = ["coqc", "-w", "none", "-q", file]
    try:
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "out of time", ""
    if ended.returncode == 0:
        return "accepted", ""
    said = " ".join(ended.stderr.partition("Error:")[2].split())
    line = ended.stderr.partition("line ")[2].partition(",")[0]
    return "refused", f"line {line}: {said}"[:160]


def show(found: Sequence[Exported], judged: dict[str, tuple[str, str]]) -> None:
    """A table by kind, then why the rest are missing."""
    kinds = Counter(each.kind for each in found)
    words = {each.label: (each.kind, judged[each.label][0]) for each in found if each.file is not None}
    counts = Counter(words.values())
    print(f"{'kind':12} {'certificates':>12} {'exported':>9} " + " ".join(f"{word:>12}" for word in WORDS))
    for kind, total in kinds.most_common():
        row = [counts[kind, word] for word in WORDS]
        print(f"{kind:12} {total:12} {sum(row):9} " + " ".join(f"{count:12}" for count in row))
    row = [sum(counts[kind, word] for kind in kinds) for word in WORDS]
    print(f"{'all':12} {len(found):12} {sum(row):9} " + " ".join(f"{count:12}" for count in row))
    for why, count in Counter(each.why for each in found if each.why is not None).most_common():
        print(f"not exported, {count}: {why}")
    for label, (word, complaint) in judged.items():
        if word != "accepted":
            print(f"{word}: {label}: {complaint}")


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
