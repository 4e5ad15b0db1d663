"""Kinks and plateaus against plain fractions, unit by unit."""

from fractions import Fraction

import pytest
import torch

from boundaudit import InputError
from boundaudit.numeric.sharpness.kinks import kink_counts, kink_weights, kinks, nearest_kink, plateau_violations
from boundaudit.numeric.sharpness.mlp import Trapezoid

OFFSETS: dict[Trapezoid, tuple[int, ...]] = {"steep": (-2, -1, 1, 2), "wide": (-3, -1, 1, 3)}
both = pytest.mark.parametrize("mlp", OFFSETS)


def breakpoints(degree: int, mlp: Trapezoid) -> set[Fraction]:
    return {Fraction(4 * i + o, 4 * degree) for i in range(0, degree + 1, 2) for o in OFFSETS[mlp]}


def used(length: int, degree: int, mlp: Trapezoid, scale: int = 2) -> Fraction:
    """The largest share of the way to a kink that an active row takes, over every input."""
    worst, power = Fraction(0), length**scale
    for k in range(degree + 1):
        ways = [point - Fraction(k, degree) for point in breakpoints(degree, mlp)]
        for outside in range(length - degree + 1):
            row = Fraction(k * power + outside, degree * power + length + 1 - degree)
            shift = row - Fraction(k, degree)
            worst = max([worst, *(shift / way for way in ways)])
    return worst


@both
def test_the_list_is_what_fractions_say(mlp: Trapezoid) -> None:
    expected = [
        [length, degree, n]
        for length in range(2, 17)
        for degree in range(1, length + 1)
        for n in range(length + 1)
        if Fraction(n, length + 1) in breakpoints(degree, mlp)
    ]
    assert kinks(16, mlp).tolist() == expected


def test_the_smallest_kinks() -> None:
    assert kink_weights(3, 1, "steep") == (1, 2)
    assert kink_weights(3, 1, "wide") == (1, 3)
    assert kink_weights(5, 1, "steep") == (3,)
    assert kink_weights(5, 1, "wide") == ()
    assert kink_weights(7, 2, "steep") == (1, 2, 6, 7)
    assert kink_weights(11, 1, "steep") == (3, 6)


@both
def test_counts_agree_with_the_list(mlp: Trapezoid) -> None:
    sizes = [(length, degree) for length in range(2, 20) for degree in range(1, length + 1)]
    lengths, degrees = torch.tensor(sizes).T
    expected = [len(kink_weights(length, degree, mlp)) for length, degree in sizes]
    assert kink_counts(lengths, degrees, mlp).tolist() == expected


@both
def test_kinks_are_breakpoints_of_the_construction(mlp: Trapezoid) -> None:
    length, degree, weight = kinks(40, mlp).T
    s = weight / (length + 1).double()
    assert (nearest_kink(s, degree, mlp) - s).abs().max() < 1e-15
    aside = s + 0.1 / (4 * degree)
    assert ((nearest_kink(aside, degree, mlp) - aside).abs() > 0.05 / (4 * degree)).all()


@both
@pytest.mark.parametrize("scale", [1, 2, 3])
def test_plateaus_against_every_input(mlp: Trapezoid, scale: int) -> None:
    sizes = [(length, degree) for length in range(2, 13) for degree in range(1, length + 1)]
    shares = {size: used(*size, mlp, scale) for size in sizes}
    violating, touching = plateau_violations(12, mlp, scale=scale)
    assert [tuple(size) for size in violating.tolist()] == [size for size in sizes if shares[size] > 1]
    assert [tuple(size) for size in touching.tolist()] == [size for size in sizes if shares[size] == 1]


def test_only_the_wide_trapezoid_is_left_and_touched() -> None:
    assert [part.tolist() for part in plateau_violations(200, "steep")] == [[], []]
    assert [part.tolist() for part in plateau_violations(200, "wide")] == [[[2, 1]], [[3, 1]]]


def test_bad_input_is_named() -> None:
    with pytest.raises(InputError, match="length"):
        kink_weights(1, 1, "steep")
    with pytest.raises(InputError, match="degree"):
        kink_weights(3, 5, "steep")
    with pytest.raises(InputError, match="mlp"):
        kinks(5, "narrow")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="scale"):
        plateau_violations(200, "steep", scale=9)
