"""Receipts that do not stand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Doubt:
    """A receipt that does not stand: what it says, its verdict or the field that is wrong, and what was found."""

    label: str
    says: str
    found: str
