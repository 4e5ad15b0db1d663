"""A head certified by data: the numbers by other code, the faults that would make them too small, and bad input."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from scipy.stats import binom, norm
from tests.command import Call, refused
from torch import Tensor

from boundaudit.numeric.pac_bayes import SCALES, Prior
from boundaudit.numeric.pac_bayes.posterior.module_sample import ModuleSample
from boundaudit.reports.bound.checkpoint import AS_IT_WAS, GIVEN, HELD_OUT, PART, PRIOR, Asked, certified_head

DELTA = 0.05
KEYS = {PRIOR: "prior", GIVEN: "given", PART: "part"}
QUICK = ("--steps", 40, "--draws", 60, "--rate", 0.05)


def write(folder: Path, features: Tensor, labels: Tensor, classes: int = 2, **more: Tensor) -> None:
    """A pretrained checkpoint, one whose head was tuned on all samples, and the samples."""
    width = features.shape[1]
    body = {"body.weight": torch.arange(6.0).reshape(2, 3)}
    head = torch.linspace(-0.1, 0.1, classes * width).reshape(classes, width)
    save_file(body | {"classifier.weight": head, "classifier.bias": torch.zeros(classes)}, folder / "base.safetensors")
    tuned, offset = head.clone().requires_grad_(), torch.zeros(classes, requires_grad=True)
    adam = torch.optim.Adam([tuned, offset], lr=0.05)
    for _ in range(60):
        adam.zero_grad()
        torch.nn.functional.cross_entropy(features @ tuned.T + offset, labels).backward()  # type: ignore[no-untyped-call]
        adam.step()
    trained = {"classifier.weight": tuned.detach(), "classifier.bias": offset.detach()}
    save_file(body | trained, folder / "tuned.safetensors")
    arrays = {"features": features, "labels": labels, "logits": (features @ tuned.T + offset).detach()} | more
    written: dict[str, Any] = {name: value.numpy() for name, value in arrays.items()}
    np.savez(folder / "samples.npz", **written)


def two_clouds(count: int, seed: int, width: int = 3) -> tuple[Tensor, Tensor]:
    """Two round clouds around ±(1, 0, …)."""
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(2, (count,), generator=generator)
    features = torch.randn(count, width, generator=generator)
    features[:, 0] += 2.0 * labels - 1
    return features, labels


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write(tmp_path, *two_clouds(60, 0))
    return tmp_path


@pytest.fixture
def ask(call: Call, files: Path) -> Callable[..., dict[str, Any]]:
    def run(*options: object) -> dict[str, Any]:
        ended = call("bound", "checkpoint", "tuned.safetensors", "--data", "samples.npz", *QUICK, *options, "--json")
        assert ended.code == 0, ended.err
        found: dict[str, Any] = ended.json
        return found | {row["bound"]: row for row in found["rows"]}

    return run


BASE = ("--pretrained", "base.safetensors")


# --- the numbers, by other code ---------------------------------------------------------------------


def kl(q: mpmath.mpf, p: mpmath.mpf) -> mpmath.mpf:
    return mpmath.fsum(a * mpmath.log(a / b) for a, b in ((q, p), (1 - q, 1 - p)) if a > 0)


def maurer(row: dict[str, Any], delta: float) -> mpmath.mpf:
    """The bound from what entered it: a tenth of δ for the draws, the rest shared by the scales of the prior."""
    m, q = row["samples"], mpmath.mpf(row["limit"])
    share = mpmath.mpf(delta) * 9 / 10 / len(SCALES)
    budget = (mpmath.mpf(row["kl"]) + mpmath.log(2 * mpmath.sqrt(m) / share)) / m
    low, high = q, mpmath.mpf(1)
    for _ in range(90):
        middle = (low + high) / 2
        low, high = (middle, high) if kl(q, middle) <= budget else (low, middle)
    return high


def relative_entropy(mean: Tensor, sigma: Tensor, centre: Tensor) -> float:
    """KL to the nearest prior of the grid."""
    squares = float(((mean - centre).double().square() + sigma.double().square()).sum())
    logs, count = float(sigma.double().log().sum()), float(mean.numel())
    return min((squares / float(s * s) - count) / 2 + count * math.log(s) - logs for s in SCALES)


def flat(heads: dict[str, Tensor], *names: str) -> Tensor:
    return torch.cat([heads[name].flatten() for name in names])


@pytest.mark.slow
def test_every_number_by_other_code(ask: Callable[..., dict[str, Any]], files: Path) -> None:
    found = ask(*BASE, "--split", 0.4, "--out", "heads.safetensors")
    each = found["parameters"]["delta_of_each_row"]
    assert each == DELTA / 5
    heads, base = load_file("heads.safetensors"), load_file("base.safetensors")
    centre = flat(base, "classifier.weight", "classifier.bias")
    centres = {PRIOR: centre, GIVEN: centre, PART: flat(heads, "held_out.weight", "held_out.bias")}
    for name, key in KEYS.items():
        row = found[name]
        with mpmath.workdps(25):
            exact = maurer(row, each)
        assert exact <= row["value"] <= float(exact) * (1 + 1e-12)
        assert row["on_the_sample"] < row["limit"] < row["value"]
        assert math.fsum(entry["delta"] for entry in row["ledger"]) <= each
        mean, sigma = (flat(heads, f"{key}.weight{end}", f"{key}.bias{end}") for end in ("", ".sigma"))
        assert row["kl"] == pytest.approx(relative_entropy(mean, sigma, centres[name]), rel=1e-4, abs=1e-4)
    features, labels = two_clouds(60, 0)
    rest = torch.randperm(60, generator=torch.Generator().manual_seed(0))[24:]
    tests = {HELD_OUT: ("held_out", heads, rest), AS_IT_WAS: ("classifier", base, torch.arange(60))}
    for name, (key, weights, at) in tests.items():
        wrong = ((features[at] @ weights[f"{key}.weight"].T + weights[f"{key}.bias"]).argmax(-1) != labels[at]).sum()
        assert (found[name]["samples"], found[name]["on_the_sample"]) == (len(at), int(wrong) / len(at))
        assert binom.cdf(int(wrong), len(at), found[name]["value"]) == pytest.approx(each, rel=1e-9)
    assert found["value"] == min(row["value"] for row in found["rows"])
    assert found["constant_baseline"] == 1 - int(labels.bincount().max()) / 60


@pytest.mark.slow
def test_a_scale_that_is_not_paid_for_is_noticed(
    ask: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Prior, "choices", property(lambda self: 1))
    row = ask(*BASE)[PRIOR]
    assert row["value"] < maurer(row, DELTA / 5)


# --- coverage: where the true error is known --------------------------------------------------------


def certified(folder: Path, seed: int, **options: Any) -> tuple[dict[str, Any], dict[str, Tensor]]:
    common = {"head": "classifier", "rank": None, "split": 0.5, "delta": DELTA, "steps": 40, "rate": 0.05, "draws": 60}
    paths = {"model": folder / "tuned.safetensors", "data": folder / "samples.npz", "pretrained": None}
    return certified_head(Asked(**{**common, **paths, "seed": seed, **options}))


def errors(weight: Tensor, bias: Tensor) -> Tensor:
    """The exact error of a head on two clouds, whatever its weights: shapes (…, 2, d) and (…, 2)."""
    across, offset = weight[..., 1, :] - weight[..., 0, :], bias[..., 1] - bias[..., 0]
    length = across.norm(dim=-1)
    sides = [norm.sf(((across[..., 0] + side * offset) / length).numpy()) for side in (1, -1)]
    return torch.as_tensor((sides[0] + sides[1]) / 2)


@pytest.mark.slow
def test_the_certified_error_is_above_the_true_one(tmp_path: Path) -> None:
    trials, missed, gaps = 5, 0, []
    for seed in range(trials):
        write(tmp_path, *two_clouds(150, seed))
        found, heads = certified(tmp_path, seed)
        value, noise = {row["bound"]: row["value"] for row in found["rows"]}, torch.Generator().manual_seed(seed)
        truth = {HELD_OUT: float(errors(heads["held_out.weight"], heads["held_out.bias"]))}
        for name, key in KEYS.items():
            drawn = [
                heads[f"{key}.{part}"] + heads[f"{key}.{part}.sigma"] * torch.randn(400, *shape, generator=noise)
                for part, shape in (("weight", (2, 3)), ("bias", (2,)))
            ]
            truth[name] = float(errors(*drawn).mean())
        missed += any(value[name] < risk for name, risk in truth.items())
        gaps.append(min(value.values()) - min(truth.values()))
    assert missed <= binom.ppf(1 - 1e-4, trials, DELTA)
    assert max(gaps) < 0.25  # and it says something


def chance(folder: Path, trials: int) -> int:
    """How often something below 1/2 is certified where labels are coins: every head errs on exactly half."""
    below = 0
    for seed in range(trials):
        generator = torch.Generator().manual_seed(seed)
        write(folder, torch.randn(80, 60, generator=generator), torch.randint(2, (80,), generator=generator))
        below += certified(folder, seed)[0]["value"] < 0.5
    return below


@pytest.mark.slow
def test_coins_are_not_certified_though_the_given_head_has_learned_them(tmp_path: Path) -> None:
    assert chance(tmp_path, 4) <= binom.ppf(1 - 1e-4, 4, DELTA) < 4
    assert certified(tmp_path, 3)[0]["error_of_the_given_head"] < 0.1


@pytest.mark.slow
def test_labels_that_leak_into_the_priors_part_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ModuleSample.minibatches

    def leaking(self: ModuleSample, loss: Any, at: Tensor, *rest: Any) -> Any:
        return honest(self, loss, torch.arange(self.size), *rest)

    monkeypatch.setattr(ModuleSample, "minibatches", leaking)
    assert chance(tmp_path, 4) == 4


# --- what is said -----------------------------------------------------------------------------------


def test_what_people_read(call: Call, files: Path) -> None:
    write(files, *two_clouds(300, 0))
    ended = call("bound", "checkpoint", "tuned.safetensors", "--data", "samples.npz", *QUICK, *BASE)
    told = " ".join(ended.out.split())
    assert ended.code == 0
    said = (*KEYS, HELD_OUT, AS_IT_WAS, "delta of each row 0.01", "seed 0", "1 tensors equal", "by hold-out")
    assert [words for words in said if words not in told] == []
    assert "Not checked" not in told


@pytest.mark.slow
def test_less_given_is_less_checked_and_said(ask: Callable[..., dict[str, Any]], files: Path) -> None:
    features, labels = two_clouds(60, 0)
    features[1] = features[0]
    np.savez("samples.npz", features=features.numpy(), labels=labels.numpy())
    found = ask("--rank", 1)
    assert [row["bound"] for row in found["rows"]] == [*KEYS, HELD_OUT]
    assert found["parameters"]["trained_weights"] == (2 + 3) + 2
    said = " ".join(found["notes"])
    assert said.count("Not checked") == 2
    assert "1 samples have the features of an earlier one" in said
    assert "centred at zero" in said


@pytest.mark.slow
def test_a_body_alone_is_compared_and_leaves_the_prior_at_zero(ask: Callable[..., dict[str, Any]], files: Path) -> None:
    save_file({"body.weight": torch.arange(6.0).reshape(2, 3)}, files / "base.safetensors")
    found = ask(*BASE)
    assert found["body_tensors_compared"] == 1
    assert [row["bound"] for row in found["rows"]] == [*KEYS, HELD_OUT]
    assert "centred at zero" in " ".join(found["notes"])


@pytest.mark.slow
def test_nothing_is_used_that_does_not_inform(ask: Callable[..., dict[str, Any]], files: Path) -> None:
    features, labels = two_clouds(20, 0)
    write(files, features, labels)
    found = ask()
    assert all(row["vacuous"] for row in found["rows"])
    assert found["says"].startswith("None of these informs")


# --- bad input --------------------------------------------------------------------------------------


def changed(**arrays: Any) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        with np.load(folder / "samples.npz") as opened:
            kept = {name: value for name, value in {**opened, **arrays}.items() if value is not None}
        np.savez(folder / "samples.npz", **kept)

    return change


def bad_archive(folder: Path) -> None:
    (folder / "samples.npz").write_bytes(b"PK\x03\x04 and no more")


def tuned_body(folder: Path) -> None:
    tensors = load_file(folder / "tuned.safetensors")
    save_file(tensors | {"body.weight": tensors["body.weight"] + 1e-6}, folder / "tuned.safetensors")


def cases() -> Iterator[Any]:
    features, labels = (value.numpy() for value in two_clouds(60, 0))
    hollow = np.where(np.arange(60)[:, None] == 7, np.nan, features)
    yield "no features", changed(features=None), (), "features"
    yield "no labels", changed(labels=None), (), "labels"
    yield "an axis too many", changed(features=features[None]), (), "features"
    yield "objects", changed(labels=np.array([{}] * 60)), (), "labels"
    yield "NaN", changed(features=hollow), (), "features"
    yield "beyond single precision", changed(features=features.astype(float) * 1e300), (), "features"
    yield "fewer labels", changed(labels=labels[:50]), (), "labels"
    yield "a class too many", changed(labels=labels + 1), (), "from 0 to 1"
    yield "one class", changed(labels=labels * 0), (), "two classes"
    yield "few samples", changed(features=features[:19], labels=labels[:19], logits=None), (), "at least 20"
    yield "other features", changed(features=features[:, ::-1].copy()), (), "logits"
    yield "another width", changed(features=features[:, :2]), (), "classifier.weight"
    yield "no archive", bad_archive, (), "npz"
    yield "a body that was tuned", tuned_body, BASE, "body.weight"
    yield "no such head", changed(), ("--head", "score"), "classifier would fit"
    yield "rank", changed(), ("--rank", 3), "--rank"
    yield "split", changed(), ("--split", 0.9), "--split"
    yield "no part", changed(), ("--split", 1), "--split"
    yield "rate", changed(), ("--rate", 0), "--rate"
    yield "a rate that diverges", changed(), ("--rate", 1e30), "--rate"
    yield "a file that is there", changed(), ("--out", "base.safetensors"), "--out"
    yield "delta", changed(), ("--delta", 1), "delta"
    yield "no file", changed(), ("--data", "none.npz"), "none.npz"


@pytest.mark.parametrize(("change", "options", "culprit"), [pytest.param(*case[1:], id=case[0]) for case in cases()])
def test_bad_input_is_one_line(call: Call, files: Path, change: Any, options: tuple[object, ...], culprit: str) -> None:
    change(files)
    refused(call("bound", "checkpoint", "tuned.safetensors", "--data", "samples.npz", *QUICK, *options), culprit)


def test_a_size_that_memory_does_not_hold_is_refused_by_its_header(
    call: Call, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boundaudit.numeric.stored.MOST_BYTES", 800)
    refused(call("bound", "checkpoint", "tuned.safetensors", "--data", "samples.npz"), "features", "at most", "GiB")
