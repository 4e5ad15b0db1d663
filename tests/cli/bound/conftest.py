"""What tests of `boundaudit bound` share: its records, and numbers of thirty digits to compare them with."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from mpmath import mp
from tests.command import Call

Bound = Callable[..., Any]
"""`bound(*options)`: the record that the command prints."""


@pytest.fixture(autouse=True)
def _thirty_digits() -> Iterator[None]:
    with mp.workdps(30):
        yield


@pytest.fixture
def bound(call: Call) -> Bound:
    def run(*options: object) -> Any:
        ended = call("bound", *options, "--json")
        assert ended.code == 0, ended.err
        return ended.json

    return run
