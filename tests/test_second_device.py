"""Every measurement of the registry: it stays on a second device, and says of a point what it says of it alone."""

import functools

import numpy as np
import pytest
import sympy as sp
import torch

from boundaudit import InputError
from boundaudit.checks import measurements
from boundaudit.checks.evidence.sweep import sweep_points
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Claim, Probability, Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.measuring import side_values
from boundaudit.checks.measurements import Columns

from . import statements
from .second_device import NAME, MixedDevices, SecondDevice
from .shipped import measured_in

PACKAGES = ("attention_erm", "covering", "infinite_width", "pac_bayes", "schatten", "sharpness")
BATCHED = ("covering", "pac_bayes", "schatten", "sharpness")
"""Those that do not measure point by point."""


class OnProcessor(Exception):
    """A measurement that says of itself that it runs on the processor."""


def refuse_processor(points, device):
    if device == "cpu":
        raise OnProcessor
    return Columns(points, device)


def measured(part: Quantity | Family, claim: Claim, device: str) -> np.ndarray:
    points = sweep_points(claim.domain, 2, 0) or sweep_points(claim.domain, 60, 0)[:2]
    if isinstance(part, Probability):
        return part.measure(points[:1], 10, 0, device)
    return side_values(part, points, device) if isinstance(part, Quantity) else part.measure(points, device)


def moved_by_company(part: Quantity | Family, claim: Claim) -> bool:
    """Whether two points measured at once have other numbers than each alone, by more than rounding."""
    points = (sweep_points(claim.domain, 4, 0) or sweep_points(claim.domain, 60, 0))[:4:3]
    of = functools.partial(side_values, part) if isinstance(part, Quantity) else part.measure
    together, alone = of(points, "cpu"), [of([point], "cpu")[0] for point in points]
    budget = max(1e-7, 10 * part.rounding)
    return not all(
        np.allclose(found[tuple(map(slice, one.shape))], one, rtol=budget, atol=1e-10, equal_nan=True)
        for found, one in zip(map(np.asarray, together), map(np.asarray, alone), strict=True)
    )


def differs_far(part: Quantity | Family, claim: Claim, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether it measures something else on a second device; not, where it runs on the processor by itself."""
    try:
        with SecondDevice(), monkeypatch.context() as patched:
            patched.setattr(measurements, "Columns", refuse_processor)
            far = measured(part, claim, NAME)
    except (OnProcessor, InputError) as error:
        if isinstance(error, OnProcessor) or isinstance(error.__cause__, OnProcessor):
            return False
        raise
    return not isinstance(part, Probability) and not np.allclose(far, measured(part, claim, "cpu"), equal_nan=True)


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_no_measurement_mixes_devices_or_depends_on_its_company(package, monkeypatch):
    every = [(f"{label}: {part.name}", part, claim) for label, part, claim in measured_in(package).values()]
    assert [name for name, part, claim in every if differs_far(part, claim, monkeypatch)] == []
    if package in BATCHED:
        numbers = (each for each in every if not isinstance(each[1], Probability))
        assert [name for name, part, claim in numbers if moved_by_company(part, claim)] == []


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.parametrize("package", PACKAGES)
def test_a_gpu_measures_what_the_processor_does(package):
    differs = []
    for label, part, claim in measured_in(package).values():
        if isinstance(part, Probability):
            continue
        try:
            far, near = (measured(part, claim, device) for device in ("cuda", "cpu"))
            if not np.allclose(far, near, rtol=max(1e-5, 10 * part.rounding), equal_nan=True):
                differs.append(f"{label}: {part.name}")
        except Exception as error:  # every one is told, not the first alone
            differs.append(f"{label}: {part.name}: {error}")
    assert differs == []


@pytest.mark.parametrize(("of", "moved"), [
    (lambda at: at.real("x") + torch.rand(len(at), generator=torch.Generator().manual_seed(0)), True),
    (lambda at: at.real("x") / at.real("x").amax(), True),
    (lambda at: at.real("x") ** 2, False),
], ids=["a draw for the batch", "a scale of the batch", "its own"])  # fmt: skip
def test_what_depends_on_company_is_noticed(of, moved: bool) -> None:
    part = Quantity("planted", measurements.measured(of), "x")
    planted = statements.claim(part, "<=", part, Domain({sp.Symbol("x", real=True): Reals(1, 2)}))
    assert moved_by_company(part, planted) is moved


REFUSED = {
    "product": lambda far: far @ torch.ones(3),
    "sum in place": lambda far: torch.zeros(3).add_(far[0]),
    "choice": lambda far: torch.where(far > 0, far, torch.zeros(3)),
    "index": lambda far: torch.ones(3)[torch.zeros(2, dtype=torch.long, device=NAME)],
    "source of numbers": lambda far: torch.randn(3, generator=torch.Generator(), device=NAME),
    "derivative": lambda far: torch.func.grad(lambda x: (x * torch.arange(3)).sum())(far[0]),
}


@pytest.mark.parametrize("mixed", REFUSED.values(), ids=REFUSED)
def test_what_an_accelerator_refuses_is_refused(mixed):
    with SecondDevice(), pytest.raises(MixedDevices):
        mixed(torch.ones(3, 3, device=NAME))


def test_an_array_of_another_device_is_refused():
    with SecondDevice(), pytest.raises(TypeError):
        torch.ones(3, device=NAME).numpy()


def test_what_an_accelerator_does_is_done_and_counted():
    with SecondDevice() as device:
        far = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device=NAME)
        assert far.device.type == NAME
        assert {torch.zeros_like(far).device, far.new_tensor([1.0]).device, far.double().device} == {far.device}
        assert device.counts == {"transfers": 2, "operations": 1}
        bend = torch.func.hessian(lambda x: (x**3).sum())(far[0])
        assert bend.device == far.device
        far[0] = 5.0
        before = device.counts["transfers"]
        assert bend.cpu().tolist() == [[6.0, 0.0], [0.0, 12.0]]
        assert (2 * far + torch.tensor(1.0)).sum().item() == 38.0
        assert device.counts["transfers"] == before + 2
        assert far[far > 2].shape == (4,)
        assert device.counts["transfers"] == before + 3
        assert device.counts["operations"] > 10
        assert torch.ones(2).device.type == "cpu"
    assert torch.ones(2).device.type == "cpu"
