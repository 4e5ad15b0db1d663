"""Work that is recorded once and repeated does what it does as it stands, and says where it cannot be recorded."""

import pytest
import torch

from boundaudit.numeric import repeated
from boundaudit.numeric.repeated import Repeated

from .recorded import recorded


@pytest.fixture(autouse=True)
def _graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated, "RECORDING", "cpu")
    monkeypatch.setattr(repeated, "recorded", recorded)


def sums(number: torch.Tensor, total: torch.Tensor, how: str) -> list[float]:
    calls = []

    def add(given: torch.Tensor) -> None:
        calls.append(given)
        if how == "reads":
            number.fill_(number.item() + 1)
        else:
            number.add_(len(calls) if how == "counts" else 1)
        total.add_(given.sum() * number)

    again = Repeated(add, torch.device("cpu"))
    found = []
    for step in range(4):
        again(torch.full((2 + step // 3,), float(step)))
        found.append(total.item())
    return found


def test_a_graph_does_what_the_work_does() -> None:
    assert sums(torch.zeros(()), torch.zeros(()), "by itself") == [0.0, 4.0, 16.0, 52.0]


def test_what_is_not_a_tensor_is_repeated_as_it_was() -> None:
    assert sums(torch.zeros(()), torch.zeros(()), "counts") == [0.0, 6.0, 26.0, 98.0]  # steps of 1, 2, 2, 3


def test_what_cannot_be_recorded_is_done_as_it_stands() -> None:
    with pytest.warns(UserWarning, match="no CUDA graph") as said:
        assert sums(torch.zeros(()), torch.zeros(()), "reads") == [0.0, 4.0, 16.0, 52.0]
    assert len(said) == 1
