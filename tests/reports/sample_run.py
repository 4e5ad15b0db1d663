"""A small run about elementary inequalities, with every verdict, for the tests of the reports.

The papers, labels and figures are made up; the inequalities and the counterexamples are real.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

from boundaudit.checks.records.run_folder import Run, RunWriter

BERNOULLI = "Ames & Bold 2024, Moments of Coin Flips"
SERIES = "Cole 2025, Series and Tails"
HALF = {"p": "1/2"}
EULER = str(Context(prec=20).exp(Decimal(1)))


def evidence(method: str, outcome: str = "holds", **details: Any) -> dict[str, Any]:
    """One method's finding."""
    return {
        "method": method,
        "outcome": outcome,
        "covers": "2,000 points of the domain",
        "evaluations": 2000,
        "whole_domain": False,
        "engine": None,
        "worst": None,
        "certificate": None,
        "witness": None,
        "notes": [],
        "seed": 7,
        "device": "cpu",
        **details,
    }


def proof(engine: str) -> dict[str, Any]:
    """A checked proof of the whole domain."""
    tree = {
        "kind": "boxes",
        "points": [{"p": ["rational", "1", "2"]}],
        "tree": {"rule": "convex", "parts": [0, 1, 2]},
    }
    return evidence(
        "proof", covers="the whole domain", evaluations=0, whole_domain=True, engine=engine, certificate=tree
    )


def refutation(point: dict[str, Any], left: str, right: str) -> dict[str, Any]:
    """A counterexample found by search and confirmed exactly."""
    ratio = float(left) / float(right)
    worst = {"point": point, "left": float(left), "right": float(right), "ratio": ratio}
    witness = {"point": point, "left": left, "right": right, "order": "smallest by denominator"}
    return evidence("search", "violated", worst=worst, witness=witness, notes=["confirmed in exact arithmetic"])


def receipt(
    label: str, paper: str, place: list[str], verdict: str, latex: str, text: str, **details: Any
) -> dict[str, Any]:
    """A receipt; `details` overrides any entry of the claim or of the receipt."""
    claim: dict[str, Any] = {
        "label": label,
        "paper": paper,
        "place": place,
        "kind": "Upper",
        "mode": "always",
        "reading": "certain",
        "statement": f"For all admissible parameters, {text}.",
        "latex": latex,
        "text": text,
        "relation": "<=",
        "domain": "0 ≤ p ≤ 1",
        "fingerprint": f"{sum(map(ord, label)):08x}" * 8,
        "expected": verdict,
        "rests_on": [],
        "repairs": [],
        "improves": None,
        "limitations": [],
        "equality": [],
        "source": "claims/coins.py:12",
    }
    result = {
        "claim": claim,
        "evidence_key": claim["fingerprint"][::-1],
        "verdict": verdict,
        "reason": "no method found anything against it",
        "as_expected": True,
        "ratio": None,
        "worst": None,
        "evidence": [],
        "mutation": None,
        "tightness": None,
        "region": None,
    }
    for name, value in details.items():
        (claim if name in claim else result)[name] = value
    return result


def mutation(*mutants: tuple[str, str, str, str]) -> dict[str, Any]:
    """A mutation record from (name, text, fate, how)."""
    rows = [dict(zip(("name", "text", "fate", "how"), mutant, strict=True)) for mutant in mutants]
    fates = {fate: sum(row["fate"] == fate for row in rows) for fate in ("killed", "slack", "unexplained")}
    direction = {"text": "the reverse inequality", "fate": "killed", "how": "p = 0: 0 < 1/4"}
    return {**fates, "total": len(rows), "mutants": rows, "direction": direction}


CLIMB = [
    {"evaluations": 4, "point": {"x": 0.25, "v": [0.5, 0.5]}, "left": 1.28, "right": 1.29375, "ratio": 0.989},
    {"evaluations": 60, "point": {"x": 0.9, "v": [0.5, 0.5]}, "left": 2.46, "right": 2.467, "ratio": 0.997},
    {"evaluations": 90, "point": {"x": 1.0, "v": [0.5, 0.5]}, "left": math.e, "right": 2.7, "ratio": math.e / 2.7},
]
REGION = {
    "points": 40,
    "holds": 29,
    "near": 1,
    "violates": 10,
    "parameters": [
        {"name": "n", "from": [1, 2], "to": [1, 9], "named": None, "holds": [4, 25], "near": [1, 0],
         "violates": [10, 0]},
        {"name": "x", "from": [0.0, 0.95], "to": [0.9, 1.0], "named": None, "holds": [24, 5], "near": [1, 0],
         "violates": [1, 9]},
    ],
    "map": {
        "rows": "n", "columns": "x", "holds": [[4, 0], [20, 5]], "near": [[1, 0], [0, 0]], "violates": [[1, 9], [0, 0]],
    },
    "free": {"parameter": "n", "relation": ">=", "value": 2, "points": 25},
    "dense": {"parameter": "x", "relation": ">=", "value": 0.95, "points": 9, "violates": 9},
}  # fmt: skip
"""Violated for n = 1 and x near 1."""

COINS = [
    receipt(
        "coins.variance",
        BERNOULLI,
        ["Lemma 1", "Equation 3"],
        "proved",
        r"p \left(1 - p\right) \le \frac{1}{4}",
        "p(1 - p) ≤ 1/4",
        kind="Tight",
        reason="checked proof on the whole domain",
        ratio=1.0,
        repairs=["coins.variance_sharp"],
        worst={"point": HALF, "left": 0.25, "right": 0.25},
        equality=[HALF],
        evidence=[
            proof("sympy factoring"),
            evidence("search", worst={"point": HALF, "left": 0.25, "right": 0.25, "ratio": 1.0}),
        ],
        mutation=mutation(
            ("constant", "p(1 - p) ≤ 1/8", "killed", "p = 1/2: 1/4 > 1/8"),
            ("exponent", "p(1 - p) ≤ 1/16", "killed", "p = 1/2"),
        ),
        tightness={
            "parameter": "p",
            "points": [[0.1, 0.36], [0.2, 0.64], ["3/10", 0.84], [0.4, 0.96], [0.5, 1.0]],
        },
    ),
    receipt(
        "coins.variance_sharp",
        BERNOULLI,
        ["Remark 2"],
        "refuted",
        r"p \left(1 - p\right) \le \frac{6}{25}",
        "p(1 - p) ≤ 6/25",
        reading="plausible",
        statement="The variance of a coin is at most 6/25.",
        ratio=0.25 / 0.24,
        reason="counterexample at the fair coin",
        worst={"point": HALF, "left": 0.25, "right": 0.24},
        evidence=[refutation(HALF, "0.25", "0.24")],
        limitations=["The constant is read from a plot; another reading gives 1/4."],
    ),
    receipt(
        "coins.pinsker",
        BERNOULLI,
        ["Theorem 3"],
        "certified",
        r"2 \left(p - q\right)^{2} \le \operatorname{kl}\left(q \| p\right)",
        "2(p - q)² ≤ kl(q‖p)",
        domain="1/20 ≤ p, q ≤ 19/20",
        ratio=0.9999999999998,
        worst={"point": {"p": 0.5, "q": 0.4999999}, "left": 2e-14, "right": 2.0000000000004e-14},
        evidence=[
            evidence("certificate", covers="a cover of 1,024 boxes, p - q ≥ 1/100", engine="arb", evaluations=1024)
        ],
        mutation=mutation(
            ("constant", "4(p - q)² ≤ kl(q‖p)", "killed", "p = 1/2, q = 2/5"),
            (
                "hypothesis",
                "the same for all p, q in [0, 1]",
                "slack",
                "holds on 2,000 points of the wider domain",
            ),
            ("sign", "2(p + q)² ≤ kl(q‖p)", "unexplained", "no method decided | none of three"),
        ),
    ),
    receipt(
        "coins.product",
        BERNOULLI,
        ["Theorem 4"],
        "supported",
        r"\prod_{t=1}^{T} p_t \left(1 - p_t\right) \le 4^{-T}",
        "∏ p_t(1 - p_t) ≤ 4^(-T)",
        domain="T ≥ 1, 0 ≤ p_t ≤ 1",
        rests_on=["coins.variance", "coins.independence"],
        ratio=1.0,
        evidence=[evidence("search"), evidence("sweep", covers="T = 1 … 64", evaluations=1_000_000)],
        worst={"point": {"T": 3, "p": ["1/2"] * 3, "S": [[1], [2, 3]]}, "left": 1 / 64, "right": 1 / 64},
        tightness={"parameter": "T", "points": [[2**k, 0.98**k] for k in range(7)]},
    ),
    receipt(
        "coins.tail_sharp",
        BERNOULLI,
        ["Corollary 5"],
        "supported",
        r"\operatorname{Var} X \le \frac{6 T}{25}",
        "Var X ≤ 6T/25",
        rests_on=["coins.variance_sharp"],
        as_expected=False,
        expected="proved",
        evidence=[evidence("search", worst={"point": {"T": 20}, "left": 4.0, "right": 4.8, "ratio": 4 / 4.8})],
        ratio=4 / 4.8,
    ),
    receipt(
        "coins.generalization_gap_of_the_sharp_estimator",
        BERNOULLI,
        ["Theorem 6"],
        "undecided",
        r"\left|\hat{R} - R\right| \le \sqrt{\frac{\log\left(2 / \delta\right)}{2 m}}",
        "|R̂ - R| ≤ √(log(2/δ)/(2m))",
        mode="with probability ≥ 1 - δ",
        rests_on=["coins.tail_sharp", "coins.pinsker"],
        reason="search and trial disagree",
        evidence=[evidence("trial", "undecided", covers="400 samples; violations within the 95 % interval")],
    ),
]


EXPONENTIAL = [
    receipt(
        "series.flat",
        SERIES,
        ["Lemma 7"],
        "refuted",
        r"e^{x} \le 1 + x + \frac{7}{10} x^{2}",
        "e^x ≤ 1 + x + 0.7x²",
        domain="0 ≤ x ≤ 1",
        ratio=math.e / 2.7,
        reason="counterexample at x = 1",
        worst={"point": {"x": 1}, "left": math.e, "right": 2.7},
        evidence=[{**refutation({"x": 1}, EULER, "2.7"), "path": CLIMB}],
        region=REGION,
    ),
    receipt(
        "series.quadratic",
        SERIES,
        ["Lemma 7"],
        "supported",
        r"e^{x} \le 1 + x + x^{2}",
        "e^x ≤ 1 + x + x²",
        reading="derived here",
        domain="-5 ≤ x ≤ 1",
        repairs=["series.flat"],
        ratio=1.0,
        evidence=[evidence("search")],
        worst={"point": {"x": 0}, "left": 1.0, "right": 1.0},
    ),
    receipt(
        "series.moment",
        SERIES,
        ["Theorem 8"],
        "vacuous",
        r"\mathbb{E}\, e^{\lambda X} \le e^{\lambda^{2} / 2}",
        "E e^(λX) ≤ e^(λ²/2)",
        rests_on=["series.flat"],
        reason="no mutant of it dies",
        evidence=[evidence("trial", "inapplicable", evaluations=0)],
    ),
    receipt(
        "series.rate",
        SERIES,
        ["Theorem 9"],
        "not testable",
        r"R(m) \le C\, m^{-1/2}",
        "R(m) ≤ C m^(-1/2)",
        kind="Rate",
        rests_on=["series.moment", "series.quadratic"],
        reason="the statement leaves the constant C open",
    ),
    receipt(
        "series.identity",
        SERIES,
        [],
        "proved",
        r"\sum_{k=0}^{n} \binom{n}{k} = 2^{n}",
        "Σ binom(n, k) = 2^n",
        kind="Identity",
        relation="=",
        domain="n ≥ 0",
        evidence=[proof("z3"), evidence("sweep", covers="n = 0 … 60", evaluations=61)],
    ),
]


def derivation() -> dict[str, Any]:
    """A chain of three steps, the second of which is false for some points."""
    nodes = [
        {
            "name": "moment generating function",
            "latex": r"\mathbb{E}\, e^{\lambda X}",
            "cites": None,
            "claim": None,
        },
        {
            "name": "its second-order bound",
            "latex": r"1 + \lambda^{2} p \left(1 - p\right)",
            "cites": "Taylor",
            "claim": None,
        },
        {
            "name": "sharp variance",
            "latex": r"1 + \frac{6}{25} \lambda^{2}",
            "cites": "Remark 2",
            "claim": "coins.variance_sharp",
        },
        {"name": "exponential", "latex": r"e^{\lambda^{2} / 2}", "cites": "1 + x ≤ eˣ", "claim": None},
    ]
    factors = [
        {"smallest": 1.0, "largest": 1.3, "geometric_mean": 1.1},
        {"smallest": 0.96, "largest": 1.02, "geometric_mean": 0.99},
        {"smallest": 1.2, "largest": 6.0, "geometric_mean": 2.4},
    ]
    samples = [
        {
            "title": "fair coin",
            "point": {"p": "1/2", "λ": 1},
            "values": [1.13, 1.25, 1.24, 1.65],
            "factors": [1.11, 0.99, 1.33],
        }
    ]
    return {
        "label": "coins.chain",
        "title": "From the variance to the moment generating function",
        "paper": BERNOULLI,
        "place": ["Theorem 6"],
        "domain": "0 ≤ p ≤ 1, |λ| ≤ 1",
        "text": "Second order, then the variance, then the exponential.",
        "nodes": nodes,
        "samples": samples,
        "points": 5000,
        "factors": factors,
        "holds": [True, False, True],
    }


def study() -> dict[str, Any]:
    """Two panels: a measurement with intervals under two formulas on logarithmic axes, and a curve with gaps."""
    sizes = [10, 100, 1000]
    series = [
        curve("1/√m", sizes, [m**-0.5 for m in sizes]),
        curve("1/m", sizes, [1 / m for m in sizes]),
        curve("measured | mean", sizes, [0.25, 0.0625, 0], low=[0.125, 0, 0], high=[0.5, 0.25, 0.125], drawn="points"),
    ]
    gaps = [curve("1/√m", [1, 2, 3, 4, 5], [1.0, 0.5, None, 0.25, None]), curve("nothing", [1, 2], [None, None])]
    return {
        "label": "coins.gap-by-samples",
        "title": "The gap as the sample grows",
        "caption": "The measured gap lies between the two rates.",
        "paper": BERNOULLI,
        "place": ["Theorem 6"],
        "claims": ["coins.variance", "coins.product"],
        "key": "0123456789abcdef",
        "panels": [
            {"title": "Gap", "x": "samples m", "y": "gap", "log": "xy", "series": series},
            {"title": "A curve with holes", "x": "m", "y": "value", "log": "", "series": gaps},
        ],
    }


def curve(name: str, x: list[float], y: list[float | None], **more: Any) -> dict[str, Any]:
    """A series as a run records it."""
    return {"name": name, "x": x, "y": y, "low": None, "high": None, "drawn": "line", **more}


def write_sample(path: Path) -> Run:
    """Write the run as a folder and read it back."""
    writer = RunWriter(path)
    receipts = {item["claim"]["label"]: item for item in COINS + EXPONENTIAL}
    for label, item in receipts.items():
        writer.write("receipts", label, item)
    writer.write("derivations", "coins.chain", derivation())
    writer.write("studies", "coins.gap-by-samples", study())
    manifest = {
        "profile": "standard",
        "seed": 7,
        "device": "cpu",
        "device_name": "generic x86-64",
        "versions": {"boundaudit": "0.1.0", "sympy": "1.14.0", "torch": "2.13.0"},
        "git": "0123456789abcdef",
        "claims": list(receipts),
        "derivations": ["coins.chain"],
        "studies": ["coins.gap-by-samples"],
    }
    writer.finish(manifest, {"total_seconds": 12.5, "claims": dict.fromkeys(receipts, 1.25)})
    return Run.load(path)
