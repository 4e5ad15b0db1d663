"""Faults planted in chains on rows of networks, one of each kind and place: none is proved, though what stands is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from boundaudit import Claim, Step
from boundaudit.checks.proof.chain import prove_chain
from boundaudit.checks.run.addresses import find_shipped
from boundaudit.checks.sharpness.activations import all_inputs, hidden, weights
from boundaudit.checks.sharpness.chain_of_thought import whole
from boundaudit.checks.sharpness.noisy_loss import draws, loss, parts, passes, rows
from boundaudit.derivations.sharpness import noisy_loss as theory
from boundaudit.derivations.sharpness.noisy_loss import kappa_nl
from boundaudit.derivations.sharpness.parameters import D, T, omega

Steps = tuple[Step, ...]


def outcome(claim: Claim, steps: Steps) -> str:
    """What the checker says of other steps towards what they end with."""
    chain = replace(claim.derivation, steps=steps)
    end, start = steps[-1].value, steps[0].value
    sides: dict[str, Any] = {"left": end, "right": start} if claim.relation == ">=" else {"left": start, "right": end}
    stated = Claim(
        label="own.planted", statement="A step.", relation=claim.relation, domain=claim.domain, **sides
    ).proof_form  # fmt: skip
    known = {label: found.proof_form for label in chain.claims for found in find_shipped(label)}
    assert stated is not None
    return prove_chain(stated, chain.first, chain.links, known).outcome  # type: ignore[arg-type]


def ending(claim: Claim, change: Callable[[Any], Any]) -> tuple[Claim, Steps]:
    """The chain with another last node."""
    *before, last = claim.derivation.steps
    return claim, (*before, replace(last, value=change(last.value)))


def capped(value: Any) -> Any:
    return value.subs(D, sp.Min(D, 4))


def throughout(claim: Claim, change: Callable[[Any], Any], first: int) -> tuple[Claim, Steps]:
    """The chain with other nodes from one on."""
    steps = claim.derivation.steps
    return claim, (*steps[:first], *(replace(step, value=change(step.value)) for step in steps[first:]))


def without(claim: Claim, place: int, label: str) -> tuple[Claim, Steps]:
    """The chain with a reason less in one step."""
    steps = list(claim.derivation.steps)
    steps[place] = replace(steps[place], uses=tuple(use for use in steps[place].uses if use.label != label))
    assert steps[place].uses != claim.derivation.steps[place].uses
    return claim, tuple(steps)


def from_a_larger_start(claim: Claim, factor: int) -> tuple[Claim, Steps]:
    """The chain to a multiple of the lower bound that it starts from."""
    first, *after = claim.derivation.steps
    swapped = replace(claim.derivation, steps=(replace(first, value=factor * first.value), *after)).steps
    return claim, swapped


_THEOREM_11 = "sharpness.activations"


def swapped(claim: Claim, place: int, label: str, other: str) -> tuple[Claim, Steps]:
    """The chain with another reason in place of one."""
    steps = list(claim.derivation.steps)
    uses = tuple(replace(use, label=other) if use.label == label else use for use in steps[place].uses)
    assert uses != steps[place].uses
    steps[place] = replace(steps[place], uses=uses)
    return claim, tuple(steps)


def alone(place: int, claim: Claim, steps: Steps) -> tuple[Claim, Steps]:
    """One step of a chain: to a node from that before."""
    last = place % len(steps)
    return claim, steps[last - 1 : last + 1]


def case(claim: Claim, name: str) -> Claim:
    return next(member for member in claim.members if member.case == name)


def _reached(name: str) -> Claim:
    return next(case for case in all_inputs.all_inputs.members if case.label.endswith(f"[{name}]"))


PLANTED: dict[str, Callable[[], tuple[Claim, Steps]]] = {
    "half of the shift": lambda: ending(rows.shift, lambda value: value / 2),
    "the root of κ": lambda: ending(rows.shift, lambda value: value.subs(kappa_nl, sp.sqrt(kappa_nl))),
    "no length in what an input moves by": lambda: ending(rows.flicker, lambda value: value.subs(T, 4)),
    "the units' length without what moves it": lambda: ending(rows.length, lambda _: sp.sqrt(theory.LENGTH)),
    "the degree capped at four, in the norm of hidden units": lambda: ending(hidden.units_printed, capped),
    "two units a grid point": lambda: ending(hidden.units_printed, lambda value: value / 2),
    "the degree capped at four, in the energy": lambda: alone(-1, *ending(case(parts.energy, "sample"), capped)),
    "a covariance that nothing is said of": lambda: alone(
        1, *without(case(parts.first, "average"), 1, f"{passes.pooled.label}[units with values]")
    ),
    "variance for a fourth moment": lambda: alone(-1, *ending(parts.logit, lambda value: value / sp.root(3, 4))),
    "a logit's moments for a value's": lambda: alone(
        1, *swapped(parts.value, 1, f"{passes.moments.label}[value]", f"{passes.moments.label}[logit]")
    ),
    "weights that do not turn": lambda: alone(-1, *without(parts.bend, 1, rows.turn.label)),
    "the average in place of any input": lambda: alone(
        -1, *swapped(case(loss.clipped, "sample"), 4, f"{parts.first.label}[sample]", f"{parts.first.label}[average]")
    ),
    "bad draws that nothing is said of": lambda: alone(3, *without(case(loss.clipped, "average"), 3, draws.rare.label)),
    "steps that noise moves half as often": lambda: alone(-1, *ending(whole.noise, lambda value: value / 2)),
    "hidden units that see anything": lambda: without(hidden.units_printed, 1, f"{_THEOREM_11}.hidden.row-by-row"),
    "a logit less in W1": lambda: ending(weights.w1_operator, lambda value: value * (omega - 1) / omega),
    "W1 of any norm": lambda: without(weights.w1_operator, 1, f"{_THEOREM_11}.W1.frobenius"),
    "more than √2 over all inputs": lambda: from_a_larger_start(_reached("stream,rows"), 2),
    "columns over all inputs that nothing is said of": lambda: without(
        _reached("stream,column"), 2, f"{_THEOREM_11}.all-inputs.at-zero[stream,column]"
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_no_fault_in_a_chain_on_rows_is_proved(name: str) -> None:
    assert outcome(*PLANTED[name]()) == "unknown"


UNSPOILED: dict[str, Callable[[], tuple[Claim, Steps]]] = {
    "shift": lambda: (rows.shift, rows.shift.derivation.steps),
    "values": lambda: alone(1, parts.value, parts.value.derivation.steps),
    "moments": lambda: alone(3, case(loss.clipped, "average"), case(loss.clipped, "average").derivation.steps),
    "any input": lambda: alone(4, case(loss.clipped, "sample"), case(loss.clipped, "sample").derivation.steps),
    "moves": lambda: alone(-1, whole.noise, whole.noise.derivation.steps),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", UNSPOILED)
def test_the_same_chain_without_a_fault_is_proved(name: str) -> None:
    assert outcome(*UNSPOILED[name]()) == "proved"
