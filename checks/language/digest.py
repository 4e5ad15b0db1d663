"""A short name for data: what receipts are bound by, and files are called."""

from __future__ import annotations

import hashlib

from boundaudit.checks.language.expression import canonical_json


def digest(data: object) -> str:
    """A short stable hash of a JSON value: the first 16 hexadecimal digits of its SHA-256."""
    return digest_of(canonical_json(data))


def digest_of(spelled: str) -> str:
    """The same of a value that is spelled already."""
    return hashlib.sha256(spelled.encode()).hexdigest()[:16]
