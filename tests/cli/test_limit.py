"""`boundaudit limit`: predictions on the screen, as JSON and as a page, and calls that it refuses in one line."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from tests.command import Call, refused

from boundaudit.reports.limit import attention_erm

SETTING = ("--penalty", "0.1", "--noise", "0.5", "--width-ratio", "0.5")
ERM = ("limit", "attention-erm", "--alpha", "0.5", *SETTING)
WIDTH = ("limit", "infinite-width")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a long curve nor benchmarks that a test does not look at."""
    monkeypatch.setattr(attention_erm, "_CURVE", np.array([0.5, 1.0]))

    def least(target: object, alphas: object, noise: float) -> list[dict[str, float]]:
        return [{"alpha": 0.5, "best_penalty": 0.4, "tuned_test": noise, "bayes_test": noise}]

    monkeypatch.setattr(attention_erm, "_benchmarks", least)


@pytest.mark.slow
def test_the_linear_case(call: Call) -> None:
    found = call(*ERM, "--alpha", "1", "--json").json
    near, far = found["predictions"]
    assert (near["alpha"], far["alpha"]) == (0.5, 1.0)
    assert near["error"] == pytest.approx(0.3524, abs=5e-5)
    assert near["test"] == pytest.approx(0.5 + 2 * near["error"], abs=1e-12)
    assert all(row["objective"] > row["alpha"] * row["train"] for row in (near, far))
    assert far["residual"] < 1e-9
    assert found["thresholds"]["interpolation"] == pytest.approx(0.306964, abs=1e-6)
    for best, row in zip(found["benchmarks"], found["predictions"], strict=True):
        assert best["bayes_test"] < best["tuned_test"] < row["test"]
    spectrum = found["spectrum"]
    assert spectrum["mass_at_zero"] == pytest.approx(1 - near["rank"], abs=1e-9)
    assert len(found["curve"]["test"]) == len(found["curve"]["alpha"])


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_spikes_and_width(call: Call) -> None:
    plain, spiked = (call(*ERM, *more, "--json").json for more in ((), ("--spike", "6")))
    assert plain["predictions"] == spiked["predictions"]
    assert [one["source"] for one in spiked["spectrum"]["outliers"]] == [6.0]
    narrow = call("limit", "attention-erm", "--alpha", "0.5", *SETTING, "--student-ratio", "0.75", "--json").json
    assert narrow["parameters"]["effective_penalty"] == pytest.approx(0.1 * 0.75**0.5)


@pytest.mark.slow
@pytest.mark.usefixtures("short")
def test_without_noise_there_is_recovery(call: Call) -> None:
    noiseless = ("--penalty", "0.1", "--noise", "0", "--width-ratio", "0.25")
    thresholds = call("limit", "attention-erm", "--alpha", "0.5", *noiseless, "--json").json["thresholds"]
    assert thresholds["recovery"] == pytest.approx(0.29394, abs=5e-6)
    assert thresholds["parameters"] == 0.25 - 0.25**2 / 2


def test_the_law_of_an_output(call: Call, tmp_path: Path) -> None:
    np.save(tmp_path / "G.npy", np.array([[1.0, 0.5], [0.5, 1.0]]))
    found = call(*WIDTH, "--gram", "G.npy", "--json").json
    assert found["mean_variance"] == pytest.approx(0.79337904, abs=1e-8)
    assert found["excess_kurtosis"] == pytest.approx(0.01021853, abs=1e-8)
    assert call(*WIDTH, "--tokens", "2", "--width", "16", "--json").json["widths"][0]["width"] == 16


@pytest.mark.slow
@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("command", [ERM, (*WIDTH, "--tokens", "3")])
def test_what_people_read(call: Call, tmp_path: Path, command: tuple[str, ...]) -> None:
    ended = call(*command, "--out", "page.html")
    assert ended.code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "What may be concluded" in page


@pytest.mark.slow
@pytest.mark.parametrize(("more", "named"), [
    (("--noise", "-1"), "noise"), (("--penalty", "-0.1"), "penalty"), (("--width-ratio", "1.5"), "width-ratio"),
    (("--width-ratio", "0"), "width-ratio"), (("--student-ratio", "0.3"), "student-ratio"),
    (("--tokens", "0"), "tokens"), (("--beta", "3"), "beta"), (("--tokens", "20"), "tokens"),
    (("--alpha", "0"), "alpha"), (("--spike", "-1"), "spikes"), (("--noise", "nan"), "noise"),
    (("--out", "page.pdf"), "--out"),
])  # fmt: skip
def test_refused_settings(call: Call, more: tuple[str, ...], named: str) -> None:
    refused(call(*ERM, *more), named)


def _files(folder: Path) -> dict[str, Path]:
    """Gram matrices that are none."""
    matrices = {
        "vector": np.ones(3), "complex": np.eye(2) * 1j, "words": np.array([["a", "b"]]), "nan": [[np.nan]],
        "asymmetric": [[1.0, 0], [1, 1]], "indefinite": [[1.0, 2], [2, 1]], "empty": np.zeros((0, 0)),
        "oblong": np.ones((2, 3)),
    }  # fmt: skip
    for name, matrix in matrices.items():
        np.save(folder / name, np.asarray(matrix))
    np.save(folder / "objects", np.array([[{}]], dtype=object), allow_pickle=True)
    (folder / "pickled.npy").write_bytes(pickle.dumps([[1.0]]))
    (folder / "cut.npy").write_bytes((folder / "oblong.npy").read_bytes()[:-8])
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"
    lying = b"\x93NUMPY\x01\x00" + (len(header) + 1).to_bytes(2, "little") + header + b"\n"
    (folder / "lying.npy").write_bytes(lying + bytes(80))
    (folder / "folder.npy").mkdir()
    return {path.stem: path for path in folder.glob("*.npy")} | {"absent": folder / "absent.npy"}


def test_files_that_hold_no_gram_matrix(call: Call, tmp_path: Path) -> None:
    for name, path in _files(tmp_path).items():
        ended = call(*WIDTH, "--gram", str(path))
        assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1), (name, ended.err)
        assert "gram" in ended.err, name
    assert call(*WIDTH).code == 2
