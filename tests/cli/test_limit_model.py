"""`boundaudit limit model`: shipped models stand, a wrong potential does not, and bad files are told in one line."""

from pathlib import Path

import numpy as np
import pytest
from tests.command import Call

from boundaudit.numeric.attention_erm import Target
from boundaudit.numeric.attention_erm.channel import Channel, product_rule
from boundaudit.numeric.generalized_linear.maps import OfPotential
from boundaudit.reports.limit import attention_erm
from boundaudit.reports.limit import model as limit_model
from boundaudit.reports.limit.model import SHIPPED, read_model

HEAD = """\
import torch
from boundaudit.numeric.attention_erm import gaussian_target
from boundaudit.numeric.generalized_linear import Model, gaussian, sparse

"""
POTENTIAL = """
def potential(m, q, V, rho, noise):
    return (rho + {noise} - 2 * m + q) / (1 + 2 * V)

model = Model(teacher=gaussian(), noise=0.5, penalty="ridge", strength=0.1, potential=potential)
"""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pictures that take time, and maps of small dimensions."""
    monkeypatch.setattr(limit_model, "_PATIENCE", 0.0)
    monkeypatch.setitem(limit_model._SIZES, "linear", {8: 80, 12: 60, 18: 40})
    monkeypatch.setitem(limit_model._SIZES, "softmax", {6: 24, 8: 24, 11: 16})
    monkeypatch.setattr(attention_erm, "_CURVE", np.array([0.5, 1.0]))
    monkeypatch.setattr(attention_erm, "_benchmarks", lambda *_: [])


def write(folder: Path, body: str) -> Path:
    path = folder / "own.py"
    path.write_text(HEAD + body, encoding="utf-8")
    return path


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_a_wrong_potential_is_caught_by_its_simulation(call: Call, tmp_path: Path) -> None:
    right, wrong = (
        call("limit", "model", write(tmp_path, POTENTIAL.format(noise=noise)), "--alpha", 1, "--json")
        for noise in ("noise", "noise / 2")
    )
    assert (right.code, right.json["contradicted"]) == (0, [])
    assert wrong.code == 1
    assert {"test error at α = 1", "potential at α = 1"} <= set(wrong.json["contradicted"])
    assert "CONTRADICTED" in call("limit", "model", tmp_path / "own.py", "--alpha", 1).out


@pytest.mark.slow
def test_softmax_from_its_potential_has_the_suites_averages() -> None:
    """By the user's own integrals and by the suite's channel with as many nodes, at other temperatures than one."""
    own, place = read_model("softmax"), (0.5, 0.8, 1.5)
    assert isinstance(own.teacher, Target)
    total = float(own.teacher.second_moment) + own.noise / 2
    found = OfPotential(own).moments(total, *place)
    known = Channel(2, own.beta, own.target_beta, product_rule(12)).moments(total, *place)
    for name in ("test", "train", "envelope", "square"):
        assert float(getattr(found, name)) == pytest.approx(float(getattr(known, name)), rel=1e-6), name
    for name in ("by_target", "by_input"):  # Stein's lemma, which these nodes know to so many digits
        assert float(getattr(found, name)) == pytest.approx(float(getattr(known, name)), rel=1e-3), name


@pytest.mark.acceptance
@pytest.mark.usefixtures("small")
def test_a_wrong_softmax_potential_is_caught(call: Call, tmp_path: Path) -> None:
    """A row of attention has two entries, with the same square: who counts one of them has half the loss.

    With half of the nodes, which say the same to a few parts in a hundred.
    """
    text = (SHIPPED / "softmax.py").read_text(encoding="utf-8").replace("hermegauss(12)", "hermegauss(6)")
    text = text.replace("[6:]", "[3:]")
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(text, encoding="utf-8")
    wrong.write_text(text.replace("lambda u: 2 * (labels", "lambda u: (labels"), encoding="utf-8")
    assert wrong.read_text(encoding="utf-8") != text
    judged = {path: call("limit", "model", path, "--alpha", 0.5, "--json") for path in (right, wrong)}
    assert (judged[right].code, judged[right].json["contradicted"]) == (0, [])
    assert judged[wrong].code == 1
    assert "test error at α = 0.5" in judged[wrong].json["contradicted"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gated", "phase_retrieval"])
@pytest.mark.usefixtures("small")
def test_shipped_models_stand(call: Call, tmp_path: Path, name: str) -> None:
    assert_stands(call, tmp_path, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ridge", "lasso"])
def test_shipped_models_stand_beside_whole_pictures(call: Call, tmp_path: Path, name: str) -> None:
    assert_stands(call, tmp_path, name)


def assert_stands(call: Call, tmp_path: Path, name: str) -> None:
    ended = call("limit", "model", name, "--alpha", 1.1, "--json", "--out", "page.html")
    assert (ended.code, ended.json["contradicted"]) == (0, [])
    verdicts = [one["verdict"] for one in ended.json["predictions"][0]["quantities"].values()]
    assert set(verdicts) <= {"agrees", "not judged"}
    assert verdicts.count("agrees") >= 2
    assert "<svg" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_papers_model_has_its_own_numbers(call: Call) -> None:
    own = call("limit", "model", "attention", "--alpha", 0.5, "--json")
    setting = ("--penalty", 0.1, "--noise", 0.5, "--width-ratio", 0.5, "--alpha", 0.5)
    known = call("limit", "attention-erm", *setting, "--json").json["predictions"][0]
    assert own.code == 0
    for name, one in own.json["predictions"][0]["quantities"].items():
        assert one["value"] == pytest.approx(known[name], rel=1e-12), name


def test_shipped_models_are_short() -> None:
    files = list(SHIPPED.glob("[a-z]*.py"))
    assert {file.stem for file in files} == {"attention", "gated", "lasso", "phase_retrieval", "ridge", "softmax"}
    for file in files:
        assert len(file.read_text(encoding="utf-8").splitlines()) <= 40


BAD = {
    "x = 1": "own.py: model", "model = 3": "own.py: model", "model = Model(": "own.py:5",
    "raise SystemExit": "own.py:5", "model = Model(teacher=gaussian(), noise=0.5, strength=1)": "penalty",
    'model = Model(teacher=gaussian(), noise=0.5, penalty="bridge")': "penalty",
    'model = Model(teacher="gaussian", noise=0.5, penalty="ridge")': "teacher",
    'model = Model(teacher=sparse(2), noise=0.5, penalty="ridge")': "share",
    'model = Model(teacher=gaussian(), noise=-1, penalty="ridge")': "noise",
    'model = Model(teacher=gaussian(), noise="a", penalty="ridge")': "noise",
    'model = Model(teacher=gaussian(), noise=1, penalty="ridge", strength=float("nan"))': "strength",
    'model = Model(teacher=gaussian(), noise=1, penalty="nuclear", strength=1)': "penalty",
    'model = Model(teacher=gaussian(), noise=1, penalty="none", strength=1)': "strength",
    'model = Model(teacher=gaussian(), noise=1, penalty="ridge", channel="cubic")': "channel",
    'model = Model(teacher=gaussian(), noise=1, penalty="ridge", channel=lambda z: z.sum())': "channel",
    'model = Model(teacher=gaussian(), noise=1, penalty="ridge", loss=lambda y: y)': "loss",
    'model = Model(teacher=gaussian(), noise=1, penalty="ridge", loss="hinge")': "loss",
    'model = Model(teacher=gaussian(), noise=1, penalty="ridge", loss="posterior mean")': "loss",
    'model = Model(teacher=gaussian(), noise=1, penalty="ridge", loss=lambda y, z: (y**2 - z**2) ** 2)': "loss",
    'model = Model(teacher=gaussian(), noise=1, penalty="ridge", potential=3)': "potential",
    'model = Model(teacher=gaussian(), noise=1, penalty="none", potential=lambda m, q, V, r, n: 1.0)': "potential",
    'model = Model(teacher=gaussian_target(0.5), noise=1, penalty="ridge")': "penalty",
    'model = Model(teacher=gaussian_target(0.5), noise=1, penalty="nuclear", strength=1, beta=0)': "beta",
    'model = Model(teacher=gaussian_target(0.5), noise=1, penalty="nuclear", potential=lambda *a: a[0])': "strength",
    'model = Model(teacher=gaussian_target(0.5), noise=1, penalty="nuclear", strength=1, potential=3)': "potential",
    'model = Model(teacher=gaussian(), noise=1, penalty="none")': "alpha",
}  # fmt: skip


@pytest.mark.parametrize(("body", "named"), BAD.items(), ids=BAD)
def test_bad_files(call: Call, tmp_path: Path, body: str, named: str) -> None:
    ended = call("limit", "model", write(tmp_path, body), "--alpha", 0.5)
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1), ended.err
    assert named in ended.err
    assert "fault of the program" not in ended.err


def test_no_file_and_no_ratio(call: Call) -> None:
    for name in ("absent.py", "nothing", "../ridge", "__init__", "."):
        ended = call("limit", "model", name, "--alpha", 1)
        assert (ended.code, len(ended.err.splitlines())) == (2, 1), name
        assert "lasso" in ended.err
    assert call("limit", "model", "ridge", "--alpha", 0).code == 2
    assert call("limit", "model", "ridge").code == 2
