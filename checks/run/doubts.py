"""Receipts that do not stand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Doubt:
    """A receipt that does not stand.

    Attributes:
        label: Its label.
        says: What it says: its verdict, or the field that is wrong.
        found: What was found.
    """

    label: str
    says: str
    found: str
