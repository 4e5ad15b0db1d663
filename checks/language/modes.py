"""Which parameter grows in a claim that promises to hold from somewhere on."""

from __future__ import annotations

import re

from boundaudit.checks.language.domain import Domain, Integers, Reals

_AS = re.compile(r"as (\w+) *→ *∞")
_SOMEWHERE = "eventually"


def growing(mode: str, domain: Domain) -> str | None:
    """The parameter beyond some value of which a claim, of a mode such as ``as n→∞``, promises to hold.

    None for one that promises to hold everywhere, and where an upper limit leaves nothing beyond.
    """
    free = _unlimited(domain)
    named = _AS.fullmatch(mode)
    if named:
        return named[1] if named[1] in free else None
    return free[0] if mode == _SOMEWHERE and len(free) == 1 else None


def unclear(mode: str, domain: Domain) -> str | None:
    """What a mode leaves open; None where it names a parameter, needs none, or is words for readers."""
    named = _AS.fullmatch(mode)
    if named and named[1] not in domain.ranges:
        return f"{mode!r}, and no parameter {named[1]}"
    free = _unlimited(domain)
    if mode == _SOMEWHERE and len(free) != 1:
        return f"{mode!r}, where {', '.join(free) or 'nothing'} may grow"
    return None


def _unlimited(domain: Domain) -> list[str]:
    return [
        name for name, found in domain.ranges.items() if isinstance(found, (Integers, Reals)) and found.high is None
    ]
