"""Check stored certificates in a process of their own: ``python -m boundaudit.checks.proof.kernel FILE``.

FILE (``-``, or none, for standard input) holds one JSON object a line: ``{"label": …, "statement": …,
"certificate": …}``. Exit 0 where all are accepted; 1 where one is rejected, which is named; 2 where a line
cannot be read.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from boundaudit import InputError
from boundaudit.checks.language.algebra.ring import Rejected
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.kernel.checker import Certificate, check


def main(arguments: list[str]) -> int:
    """Check what a file or standard input holds, and return the exit status."""
    try:
        if len(arguments) > 1:
            raise InputError("FILE", "one path or none", " ".join(arguments), "name one file")
        lines = Path(arguments[0]).read_text("utf-8") if arguments and arguments[0] != "-" else sys.stdin.read()
        entries = list(read(lines.splitlines()))
    except (InputError, OSError, UnicodeDecodeError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    accepted = sum(is_accepted(*entry) for entry in entries)
    print(f"{accepted} of {len(entries)} certificates accepted")
    return 0 if accepted == len(entries) else 1


def is_accepted(label: str, statement: Statement, certificate: Certificate) -> bool:
    """Whether the checker accepts a certificate; one that it does not is named."""
    try:
        check(statement, certificate)
    except Rejected as reason:
        print(f"rejected: {label}: {reason}")
        return False
    return True


def read(lines: Iterable[str]) -> Iterator[tuple[str, Statement, Certificate]]:
    """The statements with their labels and certificates; at least one, for nothing is not all."""
    count = 0
    for count, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            yield str(entry["label"]), Statement.from_json(entry["statement"]), dict(entry["certificate"])
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as problem:
            expected, got = "an object with label, statement and certificate", f"{type(problem).__name__}: {problem}"
            raise InputError(f"line {count}", expected, got, "correct it") from problem
    if not count:
        raise InputError("certificates", "at least one line", "none", "pass the certificates of a run")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
