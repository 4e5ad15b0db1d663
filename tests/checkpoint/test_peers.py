"""The numbers that WeightWatcher and we both define, and what is said where it is not installed."""

from importlib.util import find_spec

import pytest

from boundaudit.numeric.checkpoint import peers


@pytest.fixture
def result(monkeypatch: pytest.MonkeyPatch) -> peers.Result:
    monkeypatch.setattr(peers, "WIDTH", 32)
    monkeypatch.setattr(peers, "INNER", 64)
    monkeypatch.setattr(peers, "ROUNDS", 1)
    monkeypatch.setattr(peers, "_in_a_process", lambda way, device: 0.0)
    return peers.spectra_speed("cpu")


@pytest.mark.skipif(find_spec("weightwatcher") is None, reason="weightwatcher is not installed")
def test_both_find_the_same_spectra(result: peers.Result) -> None:
    differences = [value for name, value in result.items() if name.endswith("largest relative difference")]
    assert len(differences) == 10
    assert max(differences) < 1e-9


@pytest.mark.skipif(find_spec("weightwatcher") is not None, reason="weightwatcher is installed")
def test_one_line_where_it_is_not_installed(result: peers.Result) -> None:
    assert "oracles" in result["WeightWatcher"]
    assert [row["way"] for row in result["rows"]] == ["ours"]
