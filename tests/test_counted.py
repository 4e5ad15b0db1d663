"""Random numbers of a key and a place: a bijection that scatters, permutations, shares that are dropped."""

import math

import torch

from boundaudit.numeric.counted import kept, key, mixed, orders


def lowbias32(x: int) -> int:
    """As published, with unsigned numbers."""
    x ^= x >> 16
    x = x * 0x7FEB352D % 2**32
    x ^= x >> 15
    x = x * 0x846CA68B % 2**32
    return x ^ x >> 16


def test_numbers_are_mixed_as_published() -> None:
    some = [0, 1, 2, 12345, 2**31 - 1, 2**31, 2**32 - 1, 0xDEADBEEF]
    signed = torch.tensor([x - 2**32 if x >= 2**31 else x for x in some], dtype=torch.int32)
    assert [x % 2**32 for x in mixed(signed).tolist()] == [lowbias32(x) for x in some]


def test_no_two_numbers_go_to_the_same_place() -> None:
    assert len(mixed(torch.arange(2**16, dtype=torch.int32)).unique()) == 2**16


def test_orders_are_permutations_of_their_own() -> None:
    keys = torch.arange(500, dtype=torch.int32) + key(7, 2)
    found = orders(keys, 64)
    assert torch.equal(found.sort(1).values, torch.arange(64).expand(500, -1))
    assert torch.equal(orders(keys[3:4], 64)[0], found[3])
    means = found.double().mean(0)  # at each place any number is as likely
    assert (means - 31.5).abs().max() < 5 * math.sqrt((64**2 - 1) / 12 / 500)


def test_a_share_is_dropped() -> None:
    number = torch.tensor(key(1, 3), dtype=torch.int32)
    for rate in (0.1, 0.5, 0.9):
        share = kept(number, (300, 1000), rate).double().mean().item()
        assert abs(share - (1 - rate)) < 5 * math.sqrt(rate * (1 - rate) / 300_000)
    other = kept(number + 1_000_000, (300, 1000), 0.5)
    both = (kept(number, (300, 1000), 0.5) == other).double().mean().item()
    assert abs(both - 0.5) < 5 * math.sqrt(0.25 / 300_000)
