"""Faults planted in the chains of the norm-based bounds: none of them is proved, what stands is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy as sp
from tests.truth.test_planted_rows import Steps, ending, outcome, without

from boundaudit import Claim
from boundaudit.checks.covering import chaining, generalization, layer, softmax
from boundaudit.derivations.covering.chaining import alpha_cha
from boundaudit.derivations.covering.generalization import s_gen
from boundaudit.derivations.covering.softmax import delta_cov
from boundaudit.derivations.covering.symbols import B_cov

PLANTED: dict[str, Callable[[], tuple[Claim, Steps]]] = {
    "Hoeffding's lemma with half the exponent": lambda: ending(
        generalization.hoeffding, lambda _: sp.exp(s_gen**2 / 16)
    ),
    "twice McDiarmid's exponent": lambda: ending(generalization.one_tail, lambda tail: tail**2),
    "half of McDiarmid's probability": lambda: ending(generalization.complexity, lambda tail: tail / 2),
    "a gap without symmetrization": lambda: without(generalization.one_tail, 4, generalization.symmetrized.label),
    "one event for two": lambda: ending(generalization.theorem, lambda both: both / 2),
    "a complexity that is not known": lambda: without(generalization.theorem, 2, generalization.complexity.label),
    "once the complexity": lambda: ending(generalization.symmetrized, lambda twice: twice / 2),
    "half of Massart's sum": lambda: ending(chaining.massart, lambda value: value / 2),
    "five c for six": lambda: ending(chaining.massart, lambda value: 5 * value / 6),
    "signs that depend on each other": lambda: without(chaining.massart, 2, chaining.independent.label),
    "links of any length": lambda: without(chaining.massart, 4, chaining.lengths.label),
    "any number of links": lambda: without(chaining.massart, 5, chaining.number.label),
    "half of Dudley's integral": lambda: ending(chaining.dudley, lambda value: value / 2),
    "Dudley's integral with 6 for 12": lambda: ending(
        chaining.dudley, lambda value: value.subs(sp.log(1 / alpha_cha), sp.log(1 / alpha_cha) / 2)
    ),
    "half of what slow entropies cost": lambda: ending(chaining.slow, lambda value: value / 2),
    "no rest": lambda: without(chaining.entropies, 2, chaining.rest.label),
    "a layer with its constant less a hundredth": lambda: ending(layer.sharp, lambda value: value * 99 / 100),
    "a layer with √(1 + B²) alone": lambda: ending(layer.sharp, lambda value: value - B_cov),
    "tokens that the output follows anyhow": lambda: without(layer.sharp, 3, layer.squares.label),
    "weights of any sum": lambda: without(layer.sharp, 2, layer.weighed.label),
    "half of the variance": lambda: ending(layer.variance, lambda one: one / 2),
    "half of what a softmax moves by": lambda: ending(softmax.sharp, lambda value: value / 2),
    "tanh δ/4 for tanh δ/2": lambda: ending(softmax.sharp, lambda value: value.subs(delta_cov, delta_cov / 2)),
    "weights that need not add up to one": lambda: without(softmax.sharp, 1, softmax.both.label),
    "logits that rise by anything": lambda: without(softmax.sharp, 2, chaining.rises.label),
    "tokens of any length": lambda: without(softmax.pooled, 1, softmax.weighted.label),
    "one sample in place of two": lambda: without(generalization.symmetrized, 2, generalization.exchanged.label),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_not_proved(fault: str) -> None:
    assert outcome(*PLANTED[fault]()) == "unknown"


@pytest.mark.slow
def test_what_stands_is_proved() -> None:
    assert outcome(chaining.slow, chaining.slow.derivation.steps) == "proved"
