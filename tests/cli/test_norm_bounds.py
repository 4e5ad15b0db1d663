"""`bound covering` and `bound schatten`: numbers against formulas written out here, and one line for bad input."""

import math
from typing import Any

import pytest
from tests.command import Call, refused

NORMS = ("--key", 2, "--value", 2, "--output", 2, "--read", 2)
OPERATORS = ("--key-operator", 1, "--value-operator", 1, "--output-operator", 1, "--read-operator", 1)
BARE = ("bound", "covering", "--width", 64, *NORMS)
COVERING = (*BARE, *OPERATORS, "--lipschitz", math.sqrt(2), "--range", 1, "--samples", "1e9")
KINDS = ("--query", "1,8", "--value", "1,8", "--into", "1,8", "--out", "1,8")
SCHATTEN = ("bound", "schatten", "--width", 16, "--layers", 2, "--heads", 2, *KINDS, "--samples", "1e9")


def test_one_layer_by_hand(call: Call) -> None:
    found = call(*COVERING, "--json").json
    logs = [math.log(129), *3 * [math.log(2 * 64**2 + 1)]]
    gamma = sum((4 * c * b**2) ** (1 / 3) for c, b in zip(logs, (1, 1, 1, 2), strict=True))
    assert found["capacity"] == pytest.approx(gamma**3, rel=1e-13)
    scale = math.sqrt(2 * gamma**3 / 1e9)
    assert found["parts"]["complexity"] == pytest.approx(24 * scale * (1 + math.log(1 / (3 * scale))), rel=1e-12)
    assert found["parts"]["tail"] == pytest.approx(3 * math.sqrt(math.log(2 / 0.05) / 2e9), rel=1e-13)
    assert found["value"] == pytest.approx(sum(found["parts"].values()), rel=1e-13)
    assert not found["vacuous"]


def test_it_informs_from_where_it_says(call: Call) -> None:
    first = call(*COVERING, "--json").json["informs_from"]
    for samples, vacuous in ((first, False), (math.floor(first * (1 - 2e-6)), True)):
        assert call(*COVERING[:-1], samples, "--json").json["vacuous"] is vacuous


def test_operator_norms_are_derived_and_every_cap_is_stated(call: Call) -> None:
    given = ("--lipschitz", 1, "--range", 1, "--samples", "1e9")
    derived = call(*BARE, *given, "--json").json
    twos = [2 if word == 1 else word for word in OPERATORS]
    assert derived == call(*BARE, *twos, *given, "--json").json
    assert derived["capacity"] > call(*BARE, *OPERATORS, *given, "--json").json["capacity"]
    assert derived["caps"]["value_operator"] == derived["caps"]["read_operator"] == 2
    assert "value_operator = 2" in call(*BARE, *given).out


def test_the_range_of_cross_entropy_follows_from_the_caps(call: Call) -> None:
    found = call(*BARE, *OPERATORS, "--outputs", 30522, "--samples", "1e9", "--json").json
    assert found["loss"] == {"lipschitz": math.sqrt(2), "range": pytest.approx(math.log(30522) + 2)}


def test_sharp_constants_and_rows_are_better_and_layers_worse(call: Call) -> None:
    values = [
        call(*COVERING, *more, "--json").json["log_capacity"]
        for more in (("--constants", "sharp", "--norms", "rows"), ("--constants", "sharp"), (), ("--layers", 12))
    ]
    assert values == sorted(values)
    # The maps' parts of γ, not the read-out's, grow by Σ 5^(2k/3) over the later layers.
    read, growth = call(*COVERING, "--json").json["shares"]["read"], sum(5 ** (2 * k / 3) for k in range(12))
    assert values[-1] - values[-2] == pytest.approx(3 * math.log(read + (1 - read) * growth), rel=1e-13)


def test_entropies_rise_with_norms_and_the_gap_with_them(call: Call) -> None:
    small, large = (call(*SCHATTEN, *more, "--json").json for more in ((), ("--query", "4,8")))
    assert small["matrices"] == 12
    assert small["value"] < large["value"]
    assert small["entropy"]["at radius 0.1"] > small["entropy"]["at radius 1"] > 0


def test_every_cap_of_a_schatten_bound_is_said(call: Call) -> None:
    found = call(*SCHATTEN, "--query", "4,8", "--lipschitz", 2, "--json").json
    assert found["caps"]["query"] == {"operator": 4, "sum": 8}
    assert set(found["caps"]) == {
        "index", "width", "layers", "heads", "activation", "token", "query", "value", "into", "out",
    }  # fmt: skip
    assert found["loss"] == {"lipschitz": 2, "range": 1}
    assert "caps query sum" in call(*SCHATTEN).out


@pytest.mark.parametrize(("arguments", "words"), [
    ((*COVERING, "--layers", 3, "--norms", "rows"), "--norms"),
    ((*COVERING, "--constants", "best"), "published, sharp"), ((*COVERING, "--key", -1), "key"),
    ((*COVERING, "--token", 2, "--layers", 2), "unit ball"), ((*COVERING, "--delta", 2), "delta"),
    ((*BARE, "--samples", "1e9"), "--outputs"), ((*BARE, "--samples", "1e9", "--outputs", 3, "--range", 1), "--range"),
    ((*BARE, "--samples", "1e9", "--outputs", 3, "--lipschitz", 1), "--range"), ((*SCHATTEN, "--index", 3), "index"),
    ((*SCHATTEN, "--query", "1"), "--query"), ((*SCHATTEN, "--query", "1,x"), "--query"),
    ((*SCHATTEN, "--layers", 0), "layers"),
])  # fmt: skip
def test_bad_input_is_one_line(call: Call, arguments: tuple[Any, ...], words: str) -> None:
    refused(call(*arguments), words)
