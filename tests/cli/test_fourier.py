"""`boundaudit fourier`: numbers of a table, and files that are refused in one line."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from tests.command import Call, refused


def bits(length: int) -> np.ndarray:
    return np.arange(2**length)[:, None] >> np.arange(length - 1, -1, -1) & 1


def test_a_parity_among_others(call: Call, tmp_path: Path) -> None:
    table = 0.5 * (bits(8)[:, [1, 4]].sum(1) % 2 == 0) + (bits(8)[:, 7] == 0)
    np.save(tmp_path / "f.npy", table)
    found = call("fourier", "f.npy", "--json").json
    assert (found["length"], found["degree"], found["characters"], found["indicators"]) == (8, 2, 3, 2)
    assert {tuple(one["set"]): one["weight"] for one in found["largest"]}[(2, 5)] == pytest.approx(0.25)
    assert found["influences"] == pytest.approx([0, 1 / 16, 0, 0, 1 / 16, 0, 0, 1 / 4])
    assert found["tests"]["first_accepted_degree"] == 2
    assert found["tests"]["sparsity"]["at_least"] == 3
    assert found["tails"][1] == pytest.approx(1 / 16)


def test_booleans_are_exact(call: Call, tmp_path: Path) -> None:
    np.save(tmp_path / "f.npy", bits(6).all(1))
    found = call("fourier", "f.npy", "--json", "--largest", "0").json
    assert (found["degree"], found["characters"], found["tolerance"], found["largest"]) == (6, 64, 0, [])


@pytest.mark.slow
def test_what_people_read(call: Call, tmp_path: Path) -> None:
    np.save(tmp_path / "f.npy", bits(3).sum(1).astype(np.int8))
    said = call("fourier", "f.npy", "--out", "page.html").out
    assert "The first degree that is accepted by 1,000 trials is 1." in said
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("table", "words"), [
    (np.ones(3), "2^T values"), (np.ones(0), "2^T values"), (np.array([1, np.nan]), "NaN"),
    (np.array([np.inf, 1]), "infinity"), (np.ones(4, complex), "complex"), (np.ones((2, 2)), "one-dimensional"),
    (np.array(["a", "b"]), "real numbers"), (np.array([2**60, 1]), "integers"),
])  # fmt: skip
def test_tables_that_are_refused(call: Call, tmp_path: Path, table: np.ndarray, words: str) -> None:
    np.save(tmp_path / "f.npy", table)
    refused(call("fourier", "f.npy"), words)


def test_files_that_are_refused(call: Call, tmp_path: Path) -> None:
    (tmp_path / "pickle.npy").write_bytes(pickle.dumps([1, 2]))
    np.save(tmp_path / "objects.npy", np.array([1, "a"], dtype=object), allow_pickle=True)
    # A header that promises more values than are read, without the values.
    with (tmp_path / "large.npy").open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "|b1", "fortran_order": False, "shape": (2**27,)})
        file.truncate(2**27 + 128)
    for name in ("pickle.npy", "objects.npy", "large.npy", "missing.npy"):
        refused(call("fourier", name))


@pytest.mark.slow
def test_a_sweep_that_ends_before_it_accepts(call: Call, tmp_path: Path) -> None:
    np.save(tmp_path / "f.npy", np.random.default_rng(0).standard_normal(2**12))
    found = call("fourier", "f.npy", "--trials", "200000", "--bits", "3", "--json").json
    assert found["tests"]["first_accepted_degree"] is None
    assert found["tests"]["degree"][-1]["rejections"] > 0
