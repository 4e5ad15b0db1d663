"""What a text says of entries of vectors: how many there are, which of them a condition means, where an index ends."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from boundaudit import InputError
from boundaudit.checks.evidence.batch import Batch
from boundaudit.checks.language.reading.reading import understand
from boundaudit.checks.language.reading.source import python_of, save
from boundaudit.checks.run.own_files import load_files

ADAGRAD = r"\sum_{t=1}^{T} \frac{a_t}{\sqrt{\sum_{s=1}^{t} a_s}} \le 2\sqrt{\sum_{t=1}^{T} a_t}"
TOTAL = r"\sum_{i=1}^n x_i \le n^2"
SOFTMAX = r"\frac{e^{x_i}}{\sum_{j=1}^n e^{x_j}} \le 1"

SAID = {
    # a sum that ends with the index of the sum around it reaches where that one ends
    (ADAGRAD, "a_t > 0"): "1 ≤ T; 0 < a_t for t = 1…T",
    (ADAGRAD, "a_s > 0"): "1 ≤ T; 0 < a_t for t = 1…T",
    (r"\sum_{i=1}^n \alpha_i \sum_{j=1}^i \beta_j \le n^2", r"\alpha_i, \beta_j \in [0,1]"):
        "1 ≤ n; 0 ≤ alpha_t ≤ 1 for t = 1…n; 0 ≤ beta_t ≤ 1 for t = 1…n",
    (r"\sum_{i=1}^n \sum_{j=i}^{2i} x_{j+1} \le n^2", r"x_i \le 1"): "1 ≤ n; x_t ≤ 1 for t = 1…2*n + 1",
    (r"\sum_{t=1}^{T-1} x_{T-t} \le T", r"x_i \le 1"): "1 ≤ T; x_t ≤ 1 for t = 1…T - 1",
    # a condition on x_i is one on every entry, whatever its index is called
    (TOTAL, r"|x_i| \le 1"): "1 ≤ n; -1 ≤ x_t ≤ 1 for t = 1…n",
    (TOTAL, r"1 > |x_i|"): "1 ≤ n; -1 < x_t < 1 for t = 1…n",
    (TOTAL, r"x_i^2 \le 1"): "1 ≤ n; x_t real for t = 1…n; x[i]^2 <= 1 for i = 1…n",
    (TOTAL, r"x_k \ge 0"): "1 ≤ n; 0 ≤ x_t for t = 1…n",
    (TOTAL, r"0 \le x_k \le 1 for all k"): "1 ≤ n; 0 ≤ x_t ≤ 1 for t = 1…n",
    (TOTAL, r"x_i \le i"): "1 ≤ n; x_t real for t = 1…n; x[i] <= i for i = 1…n",
    (TOTAL, r"x_i = \frac{c}{\sqrt i}, c > 0"): "1 ≤ n; 0 < c",
    (TOTAL, r"x_i = \frac{c}{\sqrt i}, x_i \le 1"): "1 ≤ n; c real; c/sqrt(i) <= 1 for i = 1…n",
    (TOTAL, r"x_i = c/i, 1 \le i < n"): "1 ≤ n; x_t real for t = 1…n; c real; x[i] = c/i for i = 1…n - 1",
    (TOTAL, r"x_{i+1} = x_i/2"): "1 ≤ n; x_t real for t = 1…n; x[i + 1] = x[i]/2 for i = 1…n - 1",
    (r"x_n \le x_1 + 1", r"x_{i+1} \le x_i"): "1 ≤ n; x_t real for t = 1…n; x[i + 1] <= x[i] for i = 1…n - 1",
    (r"x_1 \le \sum_{i=1}^n x_i", "n >= 0"): "0 ≤ n; x_t real for t = 1…Max(1, n)",
    (TOTAL, r"x_{t+1} \le x_t + 1"): "1 ≤ n; x_t real for t = 1…n; x[t + 1] <= x[t] + 1 for t = 1…n - 1",
    (TOTAL, r"x_t \le x_{t-1} + 1"): "1 ≤ n; x_t real for t = 1…n; x[t] <= x[t - 1] + 1 for t = 2…n",
    (TOTAL, r"x_i \le y_i, y_i \le 1"): "1 ≤ n; x_t real for t = 1…n; y_t ≤ 1 for t = 1…n; x[i] <= y[i] for i = 1…n",
    (TOTAL, r"x_i \le y, x_i \ge 0, x_i \ge 1"): "1 ≤ n; y real; 0 ≤ x_t ≤ y for t = 1…n; x[i] >= 1 for i = 1…n",
    (TOTAL, r"x_i \le 1 \text{ for } 1 \le i < n"): "1 ≤ n; x_t real for t = 1…n; x[i] <= 1 for i = 1…n - 1",
    (TOTAL, r"x_i \le 1 \text{ for } i = 1, 2, \dots, n"): "1 ≤ n; x_t ≤ 1 for t = 1…n",
    (TOTAL, r"x_i \le 1, i \in [n]"): "1 ≤ n; x_t ≤ 1 for t = 1…n",
    (TOTAL, r"x_i^2 \ge 0"): "1 ≤ n; x_t real for t = 1…n",
    (TOTAL, r"x_n \le 1"): "1 ≤ n; x_t real for t = 1…n; x[n] <= 1",
    (r"\|v\|^2 \le d", r"v \in \mathbb{R}^d, \|v\|_\infty \le 1"): "1 ≤ d; -1 ≤ v_t ≤ 1 for t = 1…d",
    (r"\|v\|^2 \le d", r"v \in \mathbb{R}^d, \min_{i=1}^{d-1} v_i \ge k"):
        "1 ≤ d; v_t real for t = 1…d; k real; v[i] >= k for i = 1…d - 1",
    (TOTAL, r"x_i \le x_n"): "1 ≤ n; x_t real for t = 1…n; x[i] <= x[n] for i = 1…n",
    (TOTAL, r"y_{i+1} \ge y_i + x_i"):
        "1 ≤ n; x_t real for t = 1…n; y_t real for t = 1…n + 1; y[i + 1] >= x[i] + y[i] for i = 1…n",
    # an index that is free in the formula counts entries that there are
    (SOFTMAX, ""): "1 ≤ n; x_t real for t = 1…n; 1 ≤ i ≤ n",
    (SOFTMAX, r"x_i \ge 0, i \ge 2"): "1 ≤ n; 0 ≤ x_t for t = 1…n; 2 ≤ i ≤ n",
    (r"v_i \le \|v\|", r"v \in \mathbb{R}^d"): "1 ≤ d; v_t real for t = 1…d; 1 ≤ i ≤ d",
    (r"x_i \le 1", r"x_i \ge 0, \sum_{i=1}^n x_i = 1"):
        "1 ≤ n; 0 ≤ x_t for t = 1…n; 1 ≤ i ≤ n; Sum(x[i], (i, 1, n)) = 1",
    (r"\sum_{i=1}^n x_i^2 \ge x_{k+1} x_k", ""): "1 ≤ n; x_t real for t = 1…n; 1 ≤ k ≤ n - 1",
}  # fmt: skip
"""Domains, by text and condition."""


@pytest.mark.parametrize(("text", "where", "domain"), [(*said, domain) for said, domain in SAID.items()])
def test_conditions_on_entries_are_what_they_say(text: str, where: str, domain: str) -> None:
    claim = understand(text, where=[where] if where else []).claim
    assert claim.domain.sentence() == domain
    everywhere = [part for part in domain.split("; ") if " for " in part and "_t" not in part]
    assert python_of(claim).count("ForAll(") == len(everywhere)


@pytest.mark.slow
def test_conditions_on_entries_are_the_same_in_a_claims_file(tmp_path: Path) -> None:
    file = tmp_path / "read_claims.py"
    claims = [understand(text, where=[where] if where else []).claim for text, where in SAID]
    for claim in {claim.label: claim for claim in claims}.values():
        save(file, claim)
    found = load_files([file]).members
    assert all(found[claim.label].fingerprint == claim.fingerprint for claim in claims)


TRUE = [
    (ADAGRAD, "a_s > 0"),
    (r"\sum_{t=1}^{T} \frac{a_t}{1+\sum_{s=1}^{t} a_s} \le \log(1+\sum_{t=1}^{T} a_t)", r"a_t \ge 0"),
    (r"\sum_{i=1}^n \alpha_i \sum_{j=1}^i \beta_j \le n^2", r"\alpha_i, \beta_j \in [0,1]"), (TOTAL, "|x_i| <= 1"),
    (TOTAL, "x_i^2 <= 1"), (TOTAL, "x_i <= i"), (r"\sum_{t=1}^T \eta_t \ge 0", r"\eta_i \ge 0"), (SOFTMAX, ""),
]  # fmt: skip


FALSE = [
    (ADAGRAD.replace("2", ""), "a_s > 0"), (TOTAL, "|x_i| <= 2"), (TOTAL, "x_i <= 2i"),
    (r"\sum_{i=1}^n \alpha_i \sum_{j=1}^i \beta_j \le n^2", r"\alpha_i, \beta_j \in [0,2]"),
    (SOFTMAX.replace(r"\le 1", r"\le 1/2"), ""),
]  # fmt: skip
"""Their neighbours, with half of a constant or twice a range."""


@pytest.mark.slow
@pytest.mark.parametrize(("text", "where", "found"), [(*said, "holds") for said in TRUE] + [
    (*said, "violated") for said in FALSE
])  # fmt: skip
def test_what_is_read_of_entries_is_what_is_meant(text: str, where: str, found: str) -> None:
    claim = understand(text, where=[where] if where else []).claim
    points = [*itertools.islice(claim.domain.smallest(3), 60), *claim.domain.sample(60, np.random.default_rng(0))]
    assert Batch.measure(claim, points, "cpu").decide().outcome == found


def test_what_is_decided_of_entries_is_told() -> None:
    told = understand(SOFTMAX, where=[r"x_i \ge 0, x_n \le 2"]).inferred
    assert told[:4] == (
        "x is a vector of length n, the largest index that it has", "i counts entries of x: 1 <= i <= n",
        "for every k from 1 to n: x[k] >= 0", "x[n] <= 2 is said of that entry alone",
    )  # fmt: skip


def test_the_range_of_an_index_is_that_of_the_condition_it_stands_in() -> None:
    where = ["x_i >= 0", "x_{i+1} <= x_i, 1 <= i < n", "y_i <= 1", "y_i >= 0, i = 2, ..., n"]
    domain = understand("sum(x_i*y_i, i, 1, n) <= 1", where=where).claim.written("domain")
    assert domain.sentence() == (
        "1 ≤ n; 0 ≤ x_t for t = 1…n; y_t ≤ 1 for t = 1…n; x[k + 1] <= x[k] for k = 1…n - 1; y[j] >= 0 for j = 2…n"
    )


def test_the_range_of_an_index_that_stands_alone_is_that_of_all_conditions() -> None:
    found = understand("sum(x_i, i, 1, n) <= 1", where=["x_i >= 0", "x_i <= 2", "i = 2, ..., n"])
    assert found.claim.written("domain").sentence() == (
        "1 ≤ n; x_t real for t = 1…n; x[i] >= 0 for i = 2…n; x[i] <= 2 for i = 2…n"
    )


def test_entries_that_an_equation_gives_are_written_out() -> None:
    found = understand(r"\sum_{t=1}^{T} \eta_t^2 y_{t+1} \le 1", where=[r"\eta_t = y_t/t"])
    assert found.claim.text == "Sum(y[t + 1]*y[t]^2/t^2, (t, 1, T)) <= 1"
    assert "eta[t] is written as y[t]/t" in found.inferred


BOTH = {
    "0 < x, y < 1": ("0 < x < 1; 0 < y < 1", "0 < x, y < 1 is said of x and y"),
    "1 > x, y >= 0": ("0 ≤ x < 1; 0 ≤ y < 1", "1 > x, y >= 0 is said of x and y"),
    "0 < x and y < 1": ("0 < x; y < 1", None),
    "0 < x, y > 1": ("0 < x; 1 < y", None),
    "1 <= x, y <= x": ("1 ≤ x; y ≤ x", None),
    "a <= x, y <= 1": ("x real; a ≤ x; y ≤ 1", "a <= x, y <= 1 is read as two conditions, a <= x and y <= 1"),
}


@pytest.mark.parametrize(("where", "domain", "told"), [(where, *said) for where, said in BOTH.items()])
def test_ends_around_two_names_are_ends_of_both(where: str, domain: str, told: str | None) -> None:
    found = understand("x*y <= a + 1" if "a" in where.split() else "x*y <= 1", where=[where])
    assert set(found.claim.domain.sentence().split("; ")) == set(domain.split("; "))
    assert [line for line in found.inferred if "one name" not in line] == ([told] if told else [])


REFUSED = {
    (r"\sum_{i=1}^n |x_i - y_i| \le \sum_{i=1}^n |x_i| + |y_i|", ""): "i inside of its sum only",
    (r"\sum_{t=1}^T a_t + b_t \le T", ""): "t inside of its sum only",
    (r"x_t \le \sum_{t=1}^T |x_t|", ""): "t inside of its sum only",
    (r"\sum_{i=1}^n i \le n^2", r"i \ge 1"): "i inside of its sum only",
    (TOTAL, r"\sum_{i=1}^n x_i + y_i \le 1"): "i inside of its sum only",
    (TOTAL, r"x_i \le x_j"): "one index in a condition", (TOTAL, r"x_i \ne 0"): "can be met",
    (TOTAL, r"x_i^2 < 0"): "can be met", (TOTAL, r"x_i \le 1 \text{ for } i \le n, i \le m"): "one range of i",
    (TOTAL, r"x_i \le 1 \text{ for } i \le n/2"): "a range of i",
    (TOTAL, r"x_i \le 1 \text{ for } i \ge 0"): "counted from 1", (TOTAL, r"z_i \le 1"): "how many entries z has",
    (TOTAL, r"x_i \in \{0, \dots, 3\}"): "real numbers",
    (r"\sum_{i=1}^n v_i \le n", r"v \in \mathbb{Z}^n"): "real numbers", (TOTAL, "n + 1"): "a condition",
    (TOTAL, r"\max_{i=1}^n x_i \ge 1"): "without a maximum",
    (TOTAL, r"x_1, \dots, x_n \ge 0"): "one name for all entries",
    (TOTAL, r"x_1 \ge x_2 \ge \dots \ge x_n"): "every term", (TOTAL, r"x_{2i} \le x_i"): "entries at i or i",
}  # fmt: skip


@pytest.mark.parametrize(("text", "where", "expected"), [(*said, expected) for said, expected in REFUSED.items()])
def test_what_may_be_meant_otherwise_of_entries_is_refused(text: str, where: str, expected: str) -> None:
    with pytest.raises(InputError, match=expected) as caught:
        understand(text, where=[where] if where else [])
    assert len(str(caught.value)) < 300
