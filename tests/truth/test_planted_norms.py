"""Faults planted in the chains of the norm-based bounds: none of them is proved, though what stands is.

Of several of a kind in one chain, the smallest, and of these the one that is decided soonest.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
import sympy as sp
from tests.truth.planted_steps import Planted, assert_not_proved, ending, from_a_larger_start, without

from boundaudit import Claim, Domain, Integers, Reals, Vector
from boundaudit.checks.covering import (
    allocation,
    chaining,
    generalization,
    head,
    layer,
    lengths,
    linear,
    path,
    softmax,
    stack,
    transformer,
)
from boundaudit.checks.proof.portfolio import prove
from boundaudit.checks.schatten import blocks, composition
from boundaudit.derivations.covering.chaining import alpha_cha
from boundaudit.derivations.covering.generalization import s_gen
from boundaudit.derivations.covering.layer import SHARP
from boundaudit.derivations.covering.lengths import r_len, s_len
from boundaudit.derivations.covering.path import MEAN, MOST, d_mov, e_mov, s_mov
from boundaudit.derivations.covering.symbols import K_cov, L_cov
from boundaudit.derivations.covering.transformer import i_lay
from boundaudit.derivations.schatten.blocks import l_net
from boundaudit.derivations.schatten.symbols import L_sch

_ERROR, _MAPS = stack.ERRORS[i_lay], stack.TURNED[i_lay] + stack.CHANGED[i_lay]


def _half_way() -> Planted:
    """The slope of half of the way for all of it."""
    claim, (first, last) = path.whole, path.whole.derivation.steps
    half = replace(last.uses[0], along=(s_mov, 0, sp.Rational(1, 2)))
    return claim, (first, replace(last, uses=(half,)))


def _slope_of_less() -> Planted:
    """A function that rises by half of what the slope says."""
    claim, (first, last) = path.whole, path.whole.derivation.steps
    less = replace(last.uses[0], function=MEAN - s_mov * MOST / 2)
    return claim, (first, replace(last, value=last.value - MOST / 2, uses=(less,)))


def _added_up(last: sp.Expr, power: sp.Expr) -> sp.Expr:
    return sp.Sum(SHARP**power * _MAPS, (i_lay, 1, last))


PLANTED: dict[str, Callable[[], Planted]] = {
    "Hoeffding's lemma with half the exponent": lambda: ending(
        generalization.hoeffding, lambda _: sp.exp(s_gen**2 / 16)
    ),
    "half of McDiarmid's probability": lambda: ending(generalization.complexity, lambda tail: tail / 2),
    "a gap without symmetrization": lambda: without(generalization.one_tail, 4, generalization.symmetrized.label),
    "one event for two": lambda: ending(generalization.theorem, lambda both: both / 2),
    "a complexity that is not known": lambda: without(generalization.theorem, 2, generalization.complexity.label),
    "once the complexity": lambda: ending(generalization.symmetrized, lambda twice: twice / 2),
    "five c for six": lambda: ending(chaining.massart, lambda value: 5 * value / 6),
    "signs that depend on each other": lambda: without(chaining.massart, 2, chaining.independent.label),
    "links of any length": lambda: without(chaining.massart, 4, chaining.lengths.label),
    "any number of links": lambda: without(chaining.massart, 5, chaining.number.label),
    "Dudley's integral with 6 for 12": lambda: ending(
        chaining.dudley, lambda value: value.subs(sp.log(1 / alpha_cha), sp.log(1 / alpha_cha) / 2)
    ),
    "half of what slow entropies cost": lambda: ending(chaining.slow, lambda value: value / 2),
    "no rest": lambda: without(chaining.entropies, 2, chaining.rest.label),
    "a layer with its constant less a hundredth": lambda: ending(layer.sharp, lambda value: value * 99 / 100),
    "tokens that the output follows anyhow": lambda: without(layer.sharp, 3, layer.squares.label),
    "weights of any sum": lambda: without(layer.sharp, 2, layer.weighed.label),
    "half of the variance": lambda: ending(layer.variance, lambda one: one / 2),
    "weights that need not add up to one": lambda: without(softmax.sharp, 1, softmax.both.label),
    "tokens of any length": lambda: without(softmax.pooled, 1, softmax.weighted.label),
    # Maurey's means
    "means that are not shrunk": lambda: ending(linear.near, lambda value: value * K_cov / (K_cov + 1)),
    "chances of any sum": lambda: without(linear.near, 1, linear.chances.label),
    "atoms that depend on each other": lambda: without(linear.near, 2, linear.independent.label),
    # a shared error budget
    "twice the least cost": lambda: from_a_larger_start(allocation.printed, 2),
    "a budget without its tangent": lambda: without(allocation.printed, 1, allocation.tangent.label),
    # all along a way
    "half of the way": _half_way,
    "a function that rises by less": _slope_of_less,
    "a speed of δ where the query has a length": lambda: ending(path.slope, lambda _: d_mov + e_mov),
    "squared lengths that add up": lambda: ending(lengths.together, lambda _: r_len**2 + s_len**2),
    "half of Cauchy-Schwarz": lambda: ending(lengths.inner, lambda value: value / 2),
    "a projection that contracts": lambda: ending(lengths.projected, lambda value: value / 2),
    # a head whose maps err
    "no norm of W_C": lambda: ending(layer.perturbation_sharp, lambda value: value.subs(head.B_C, 1)),
    "the least for the sum of errors": lambda: ending(layer.perturbation_sharp, lambda value: value / 4),
    "W_V of any norm": lambda: without(head.units, 4, head.by_token.label),
    "hidden units that move by anything": lambda: without(layer.perturbation_sharp, 3, head.units.label),
    "half of what the query's error moves": lambda: ending(head.moves, lambda value: value / 2),
    # layers
    "a factor of a layer less a hundredth": lambda: ending(stack.step, lambda value: value - SHARP * _ERROR / 100),
    "half of what a layer's maps err by": lambda: ending(stack.step, lambda value: value - _MAPS / 2),
    "values of any length": lambda: without(stack.output, 5, stack.by_tokens.label),
    "an activation that nothing is said of": lambda: without(stack.output, 3, stack.positive.label),
    "later layers that do not enlarge": lambda: ending(transformer.recursion, lambda _: _added_up(L_cov, sp.S.Zero)),
    "stacks that begin apart": lambda: without(transformer.recursion, 1, stack.start.label),
    # blocks
    "no factors of later blocks": lambda: ending(
        composition.layerwise, lambda value: sp.Sum(value.function.subs(blocks.LATER[l_net + 1], 1), (l_net, 1, L_sch))
    ),
    "a block less": lambda: ending(composition.layerwise, lambda value: sp.Sum(value.function, (l_net, 1, L_sch - 1))),
    "V of any norm": lambda: without(blocks.head, 1, blocks.by_mean.label),
    "M_in of any norm": lambda: without(blocks.hidden_units, 5, blocks.by_inner.label),
    "M_out of any norm": lambda: without(blocks.outputs, 4, blocks.by_hidden.label),
    "one head of several": lambda: without(blocks.block, 4, blocks.head.label),
    "printed constants with caps of before alone": lambda: without(blocks.printed_head, 2, blocks.larger_v.label),
    "one sample in place of two": lambda: without(generalization.symmetrized, 2, generalization.exchanged.label),
}


@pytest.mark.acceptance
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_not_proved(fault: str) -> None:
    assert_not_proved(PLANTED[fault]())


L, K = sp.symbols("L K", integer=True, positive=True)
y = sp.IndexedBase("y", real=True)
NUMBERS = Domain({L: Integers(2, tested_to=4), y: Vector(L + 1, Reals())})


@pytest.mark.parametrize(
    ("step", "end"),
    [
        (y[K + 1] - y[K], y[L] - y[1]),
        (y[K + 1] - y[K], y[L + 1]),
        (2 * y[K + 1] - y[K], y[L + 1] - y[1]),
        (y[K] - y[K + 1], y[L + 1] - y[1]),
        (y[K + 1] - y[1], y[L + 1] - y[1]),
    ],
)
def test_steps_add_up_to_nothing_else(step: sp.Expr, end: sp.Expr) -> None:
    stated = Claim(
        label="own.steps", statement="A sum.", left=sp.Sum(step, (K, 1, L)), relation="=", right=end, domain=NUMBERS
    ).proof_form
    assert stated is not None
    assert prove(stated, engines=["telescope", "identity"]).outcome == "unknown"
