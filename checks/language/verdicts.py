"""The words of the audit: verdicts, kinds, readings and roles."""

from __future__ import annotations

from typing import Literal

STANDING = ("proved", "certified", "supported")
"""Verdicts under which a claim stands, the strongest first."""
VERDICTS = (*STANDING, "refuted", "undecided", "vacuous", "not testable")

Kind = Literal["Tight", "Upper", "Lower", "Identity", "Rate"]
Reading = Literal["certain", "plausible", "derived here"]
READINGS = ("certain", "plausible", "derived here")
Role = Literal["printed", "successor", "improvement", "lemma", "axiom", "control"]
ROLES = ("printed", "successor", "improvement", "lemma", "axiom", "control")
"""What a paper asserts, what is true in its place, what is true and sharper, a step, what proofs assume of what is
measured, what shows that a check fails."""


def accepted(verdict: str, expected: str) -> bool:
    """Whether a verdict is as expected: for a claim that stands, a stronger one is welcome."""
    if expected in STANDING and verdict in STANDING:
        return STANDING.index(verdict) <= STANDING.index(expected)
    return verdict == expected
