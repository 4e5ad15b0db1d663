"""The page on certifying a head: its code hands over what the command reads, its digits are what the command says."""

import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from tests.command import Call
from torch import nn

from boundaudit.numeric.checkpoint.heads import Head, LabelledFeatures
from boundaudit.numeric.checkpoint.reader import Checkpoint

REPORTS = Path(__file__).parents[2] / "reports"
PAGE = (REPORTS / "site" / "certify-a-head.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return str(found[-1])


def test_its_code_writes_what_the_command_reads(tmp_path: Path) -> None:
    shared: dict[str, Any] = {}
    exec(compile(block("python"), "page", "exec"), shared)
    model = nn.Sequential(nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 3))
    batches = [(torch.randn(15, 5), torch.arange(15) % 3) for _ in range(2)]
    shared["write_features"](model, model[2], batches, tmp_path / "features.npz")
    save_file(
        {f"classifier.{name}": value for name, value in model[2].state_dict().items()}, tmp_path / "a.safetensors"
    )
    sample = LabelledFeatures.read(tmp_path / "features.npz")
    sample.check(Head.read(Checkpoint.open(tmp_path / "a.safetensors"), "classifier", 4))
    assert sample.logits is not None
    assert sample.features.shape == (30, 4)


@pytest.mark.acceptance
def test_its_digits_are_what_the_command_says(call: Call) -> None:
    pytest.importorskip("sklearn")
    before = torch.random.get_rng_state()
    runpy.run_path(str(REPORTS / "examples" / "digits_head.py"), run_name="__main__")
    torch.random.set_rng_state(before)
    (line,) = re.findall(r"^\$ boundaudit (.* digits\.npz .*)$", block("console"), re.MULTILINE)
    ended = call(*shlex.split(line), "--draws", 500)  # a tenth: what is drawn is as large, and known less well
    assert ended.code == 0, ended.err
    told = block("text").splitlines()
    said = ended.out.splitlines()
    said = said[said.index(told[0]) :][: len(told)]
    for line, shown in zip(said[1:8], told[1:8], strict=True):
        assert _NUMBER.sub("", line).split() == _NUMBER.sub("", shown).split()
        numbers, wanted = (list(map(_read, _NUMBER.findall(text))) for text in (line, shown))
        if line.startswith("PAC-Bayes"):
            assert wanted.pop(0) < numbers.pop(0) < 0.25
        assert numbers == pytest.approx(wanted, rel=0.1)  # the last digits are the processor's
    assert said[8].split(", at most")[0] == told[8].split(", at most")[0]


_NUMBER = re.compile(r"\b\d[\d.,]*\b")


def _read(text: str) -> float:
    return float(text.replace(",", ""))
