"""Attacks on what is read: a tensor added, renamed, of another shape or lost is one line, or leaves no bound."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.checkpoint.live import MODELS, built
from tests.checkpoint.tiny import weights, write
from torch import Tensor

from boundaudit import InputError
from boundaudit.numeric.checkpoint import UNCOVERED, load_encoder, open_checkpoint, summarise

Change = Callable[[dict[str, Tensor]], str]
FILE = "model.safetensors"


def in_layer(tensors: dict[str, Tensor]) -> str:
    """A matrix of the last layer that is neither gain nor bias."""
    return next(
        name for name in sorted(tensors, reverse=True) if tensors[name].ndim == 2 and any(c.isdigit() for c in name)
        and not any(part in name for part in ("relative", "pos_", "moe.gate", "mlp.gate.", "embed"))
    )  # fmt: skip


def added(name: str, *shape: int) -> Change:
    """A new tensor beside a matrix of a layer."""

    def change(tensors: dict[str, Tensor]) -> str:
        new = f"{in_layer(tensors).rpartition('.')[0].rpartition('.')[0]}.{name}"
        tensors[new] = torch.ones(shape)
        return new

    return change


def renamed(tensors: dict[str, Tensor]) -> str:
    name = in_layer(tensors)
    tensors[f"{name[:-7]}2.weight"] = tensors.pop(name)
    return name


def lost(tensors: dict[str, Tensor]) -> str:
    name = in_layer(tensors)
    del tensors[name]
    return name


def longer(tensors: dict[str, Tensor]) -> str:
    name = in_layer(tensors)
    tensors[name] = torch.cat([tensors[name], tensors[name][:1]])
    return name


ATTACKS: dict[str, Change] = {
    "a matrix": added("adapter.weight", 3, 3), "a vector": added("scale", 3), "a number": added("temperature"),
    "a table": added("rotary.weight", 3, 3), "a matrix called a bias": added("bias", 3, 3),
    "a matrix called a norm": added("norm.weight", 3, 3), "renamed": renamed, "lost": lost, "a row more": longer,
}  # fmt: skip


def loaded(folder: Path) -> dict[str, Tensor]:
    """The tensors of a file that may be written over."""
    return {name: tensor.clone() for name, tensor in load_file(folder / FILE).items()}


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_no_layer_hides_a_tensor(name: str, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    built(name).float().save_pretrained(tmp_path)
    kept = loaded(tmp_path)
    for attack, change in ATTACKS.items():
        tensors = dict(kept)
        culprit = change(tensors)
        save_file(tensors, tmp_path / FILE)
        with pytest.raises(InputError) as caught:
            open_checkpoint(tmp_path)
        (line,) = caught.value.lines
        assert culprit in line, attack
        assert "\n" not in line


def test_normalised_queries_that_no_family_has_are_refused(tmp_path: Path) -> None:
    gain = {"encoder.layer.0.attention.self.q_norm.weight": torch.ones(4)}
    with pytest.raises(InputError, match="q_norm"):
        open_checkpoint(write(tmp_path, weights() | gain))


def test_what_stands_around_the_layers_and_is_not_known_leaves_no_bound(tmp_path: Path) -> None:
    strange = {f"router.{number}.weight": torch.ones(2, 2) for number in range(5)}
    found = summarise(load_encoder(write(tmp_path, weights() | strange)), samples=1000)
    assert found.uncovered == ("router.0.weight", "router.1.weight", "router.2.weight", "2 other tensors")
    assert found.bounds is None
    known = {"pooler.dense.weight": torch.ones(2, 2), "classifier.weight": torch.ones(2, 2), "mask": torch.ones(2)}
    assert summarise(load_encoder(write(tmp_path, weights() | known)), samples=1000).uncovered == ("mask",)
    del known["mask"]
    assert summarise(load_encoder(write(tmp_path, weights() | known)), samples=1000).bounds is not None


def test_a_mixture_of_a_billion_experts_or_layers_is_refused_at_once(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from tests.checkpoint.tiny import change_json

    for name, key in (("Mixtral", "num_local_experts"), ("Albert", "num_hidden_layers"), ("T5", "num_decoder_layers")):
        built(name).save_pretrained(tmp_path / name)
        change_json(tmp_path / name / "config.json", lambda config, key=key: config.update({key: 10**9}))
        with pytest.raises(InputError, match=r"experts\.3\.|at most 10000|decoder\.block\.3"):
            open_checkpoint(tmp_path / name)


def test_an_encoder_and_a_decoder_belong_together(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    built("T5").float().save_pretrained(tmp_path)
    tensors = loaded(tmp_path)
    save_file({name: tensor for name, tensor in tensors.items() if not name.startswith("decoder")}, tmp_path / FILE)
    with pytest.raises(InputError, match=r"decoder\.block\.0.*no such tensor"):
        open_checkpoint(tmp_path)
    built("T5", "EncoderModel").float().save_pretrained(tmp_path)
    alone = loaded(tmp_path)
    save_file(tensors | alone, tmp_path / FILE)
    uncovered = open_checkpoint(tmp_path)[1].uncovered
    assert any(name.startswith("decoder.block") for name in uncovered)
    assert not set(uncovered) <= set(UNCOVERED)
