"""Parity step by step: the construction against all prompts, teacher forcing against chains, what a step may see."""

import numpy as np
import pytest
import torch

from boundaudit.numeric.enumeration import bit_strings
from boundaudit.numeric.sharpness.trained import IterationHead, Parities, Plan, mean_risk, train_networks


def _parity(bits: torch.Tensor) -> torch.Tensor:
    """Of all prefixes, by exclusive or one bit at a time."""
    found = [bits[:, 0]]
    for place in range(1, bits.shape[1]):
        found.append(found[-1] ^ bits[:, place])
    return torch.stack(found, dim=1)


@pytest.mark.parametrize("length", [6, 9])
def test_the_construction_says_every_parity(length: int) -> None:
    bits = bit_strings(length, 0, 2**length)
    wanted = _parity(bits)
    for chain in (True, False):
        head, weights = IterationHead.constructed(length, chain=chain)
        assert torch.equal(head.chains(weights, bits)[0], wanted[:, -head.steps :])
        error = (head.outputs(weights, bits)[0] - wanted[:, -head.steps :].double()).abs().max()
        # What other tokens weigh beside two of weight T² each, in layer 2; one pass has no others.
        others = 2 * length - 2
        assert error <= (others / (2 * length**2 + others) if chain else 1e-12) + 1e-12


def test_a_chain_of_right_states_is_what_teacher_forcing_shows() -> None:
    bits = bit_strings(6, 0, 64)
    head, weights = IterationHead.constructed(6)
    forced = head.outputs(weights, bits)[0] > 0.5
    assert torch.equal(forced, head.chains(weights, bits)[0])


def test_a_step_sees_no_later_state() -> None:
    head = IterationHead(5, hidden=4)
    weights = {name: tensor.double() for name, tensor in head.start(np.arange(2), seed=0).items()}
    bits = bit_strings(5, 0, 32)
    changed = bits.clone()
    changed[:, 3] ^= True  # bit 4: every state from the fourth on, but a prompt's own bit is seen at once
    tokens = torch.cat([bits, torch.zeros(32, 5, dtype=torch.bool)], dim=1)
    other = tokens.clone()
    other[:, 5 + 3 :] = True
    run = lambda t: head._run(weights, t, range(5), None)  # noqa: E731
    torch.testing.assert_close(run(tokens)[..., :3], run(other)[..., :3])
    assert not torch.allclose(run(tokens)[..., 3:], run(other)[..., 3:])
    assert not torch.allclose(head.outputs(weights, bits), head.outputs(weights, changed))


@pytest.mark.slow
def test_a_stack_of_chains_is_trained_as_any_other() -> None:
    head = IterationHead(4, hidden=8)
    tasks = Parities.draw(head, 2, 64, seed=0)
    plan = Plan(batch=16, dropout=0.0, epochs=40, stop=0.0)
    found = train_networks(head, tasks, plan, torch.full((2,), 0.02), seed=0)
    start = mean_risk(head, head.start(np.arange(2), 0), tasks.inputs, tasks.wanted())
    assert bool((found.loss < start / 2).all())
    expected = (head.outputs(found.weights, bit_strings(4, 0, 16)[tasks.inputs]).double() - tasks.wanted()) ** 2
    torch.testing.assert_close(found.loss, expected.mean((1, 2)))
