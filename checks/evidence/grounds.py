"""What a claim's chain stands on, apart from its steps: of none of it may a proof say more than it promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from boundaudit.checks.evidence.batch import EXACT
from boundaudit.checks.evidence.derivation import Derivation
from boundaudit.checks.language.claim import Claim, Estimate, Quantity, definition, measured_in

TOO_COARSE = "what is measured may be off by more than rounding, of which no proof speaks: state a smaller budget"
Find = Callable[[str], Sequence[Claim]]
"""From a label to the claims that it means."""


def is_ground(claim: Claim, find: Find) -> bool:
    """Whether a chain whose every step is accepted proves a claim, given what it cites.

    False where something is measured by sampling, or promises less than the claim.
    """
    return budget(claim, find) <= EXACT and not any(obstacles(claim, find))


def is_rounding(claim: Claim) -> bool:
    """Whether what a claim measures may be off by rounding alone: of more a proof does not speak."""
    return _budget(claim) <= EXACT


def budget(claim: Claim, find: Find) -> float:
    """The largest error budget of what is measured in a claim's chain or in what that cites."""
    return max(map(_budget, (claim.derivation, *_cited(claim, find))))


_SIZE = 1e4
"""The size of numbers from which a difference of order one may be computed without losing what `EXACT` promises."""


def _budget(measured: Claim | Derivation) -> float:
    """An error budget, relative to a value of order one: what is computed from large numbers may be off by more."""
    return measured.rounding * max(1.0, measured.scale / _SIZE)


def obstacles(claim: Claim, find: Find) -> Iterator[str]:
    """What a claim's chain speaks of or cites, and a proof would make too much of, a line each.

    A name of two measurements, a mean over draws, points without a value that the claim does not leave out, a claim
    that does not promise to hold always.
    """
    cited, sides = _cited(claim, find), [step.value for step in claim.derivation.steps]
    yield from (f"{each.label} promises to hold {each.mode}" for each in cited if each.mode != "always")
    sides += [side for each in (claim, *cited) for side in (each.left, each.right)]
    own = [part for side in (claim.left, claim.right) for part in measured_in(side)]
    left_out = {part.except_at for part in own if isinstance(part, Quantity)}
    named: dict[str, object] = {}
    for part in (part for side in sides if definition(side) is None for part in measured_in(side)):
        if named.setdefault(part.name, part) is not part:
            yield f"two measurements are called {part.name}"
        if isinstance(part, Estimate):
            yield f"{part.name} is a mean over draws"
        if isinstance(part, Quantity) and part.except_at and part.except_at not in left_out:
            yield f"{part.name} has no value at {part.except_at}"


def _cited(claim: Claim, find: Find) -> list[Claim]:
    return [member for label in claim.derivation.claims for member in find(label)]
