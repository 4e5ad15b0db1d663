"""What a learner certifies in each class, through the command: rows, the table of classes, and going on."""

from statistics import fmean
from typing import Any

import pytest
from tests.command import Call

from boundaudit.numeric.sharpness import constant_risk
from boundaudit.numeric.sharpness.bound import BOUNDS, published, random_target
from boundaudit.numeric.sharpness.learner import Network, certified_learner
from boundaudit.reports.experiment.learner_grid import DELTA, shown

from .tiny_experiments import LEARNER

pytestmark = pytest.mark.usefixtures("tiny")


@pytest.mark.slow
def test_every_function_with_its_starts_and_every_class(call: Call) -> None:
    found = call("experiment", "learner-grid", "--device", "cpu", "--seed", 3, "--json").json
    assert len(found["rows"]) == 8
    row = next(row for row in found["rows"] if (row["degree"], row["sparsity"], row["function"]) == (2, 3, 1))
    target = random_target(6, 2, 3, 4)
    again = certified_learner(target, samples=64, network=Network(6, 12), plan=LEARNER, delta=DELTA, seed=4).from_start
    assert row["value"] == again.certificate.value
    assert (row["starts"], row["failed"]) == (2, again.failed)
    assert row["constant_baseline"] == constant_risk(target, 1.0)
    assert row["empirical"] < row["value"]
    printed = next(each for each in found["printed"] if (each["degree"], each["sparsity"]) == (2, 3))
    assert printed["value"] == BOUNDS["shared-variance"](published(6, 2, 3), samples=64, delta=DELTA, proxy=0.01).value
    classes = shown(found).tables[1]
    for each in classes.rows:
        named: dict[str, Any] = dict(zip(classes.columns, each, strict=True))
        own = [row for row in found["rows"] if (row["degree"], row["sparsity"]) == (named["D"], named["ω"])]
        values = [row["value"] for row in own]
        assert (named["least"], named["most"], named["certified"]) == (min(values), max(values), fmean(values))
        assert named["failed starts"] == f"{sum(row['failed'] for row in own)} of 4"
    below = sum(row["value"] < row["constant_baseline"] for row in found["rows"])
    assert shown(found).conclusions[0].endswith(f"for {below} of 8 functions.")
