"""Faults planted in chains: a step that is wrong is not proved with a budget with which the right one is."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from boundaudit import Claim, Step
from boundaudit.checks.proof import chain
from boundaudit.checks.proof.engine import Budget
from boundaudit.checks.run.addresses import find_shipped

Steps = tuple[Step, ...]
Planted = tuple[Claim, Steps]
"""A claim with a chain that is proved, and other steps in place of those of the chain."""

BUDGETS = (
    Budget(boxes=100, steps=200_000, columns=200, depth=3),
    Budget(boxes=400, steps=800_000, columns=400, depth=4),
)


def assert_not_proved(planted: Planted) -> None:
    """A step that differs is open, with the first budget with which those in its place are proved."""
    claim, steps = planted
    pairs = zip(itertools.pairwise(claim.derivation.steps), itertools.pairwise(steps), strict=True)
    changed = [(right, wrong) for right, wrong in pairs if right != wrong]
    assert changed
    for budget in BUDGETS:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(chain, "BUDGET", budget)
            if all(_is_proved(claim, right) for right, _ in changed):
                assert not all(_is_proved(claim, wrong) for _, wrong in changed)
                return
    pytest.fail("what stands is not proved")


def _is_proved(claim: Claim, steps: Steps) -> bool:
    """What the checker says of steps towards what they end with."""
    found = replace(claim.derivation, steps=steps)
    end, start = steps[-1].value, steps[0].value
    sides: dict[str, Any] = {"left": end, "right": start} if claim.relation == ">=" else {"left": start, "right": end}
    stated = Claim(label="own.planted", statement="A step.", relation=claim.relation, domain=claim.domain, **sides)
    known = {label: cited.proof_form for label in found.claims for cited in find_shipped(label)}
    attempt = chain.prove_chain(stated.proof_form, found.first, found.links, known)  # type: ignore[arg-type]
    return attempt.outcome == "proved"


def claim_of(label: str) -> Claim:
    """The shipped claim, or case of one, of a label."""
    (found,) = find_shipped(label)
    return found


def ending(claim: Claim, change: Callable[[Any], Any]) -> Planted:
    """The chain with another last node."""
    return throughout(claim, change, len(claim.derivation.steps) - 1)


def throughout(claim: Claim, change: Callable[[Any], Any], first: int) -> Planted:
    """The chain with other nodes from one on."""
    steps = claim.derivation.steps
    return claim, (*steps[:first], *(replace(step, value=change(step.value)) for step in steps[first:]))


def without(claim: Claim, place: int, label: str) -> Planted:
    """The chain with a reason less in one step."""
    steps = list(claim.derivation.steps)
    steps[place] = replace(steps[place], uses=tuple(use for use in steps[place].uses if use.label != label))
    return claim, tuple(steps)


def exchanged(claim: Claim, place: int, label: str, other: str) -> Planted:
    """The chain with another claim in place of one that a step uses."""
    steps = list(claim.derivation.steps)
    uses = tuple(replace(use, label=other) if use.label == label else use for use in steps[place].uses)
    steps[place] = replace(steps[place], uses=uses)
    return claim, tuple(steps)


def from_a_larger_start(claim: Claim, factor: int) -> Planted:
    """The chain to a multiple of the lower bound that it starts from."""
    first, *after = claim.derivation.steps
    return claim, (replace(first, value=factor * first.value), *after)
