"""A small run about elementary inequalities beside its catalogue, with every verdict, for the tests of the reports.

The papers, labels and figures are made up; the inequalities and the counterexamples are real.
"""

import math
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from boundaudit.checks.evidence.evidence import Evidence, Step, Witness, Worst
from boundaudit.checks.evidence.findings import Findings, Mutation
from boundaudit.checks.evidence.region_record import Region
from boundaudit.checks.language.theorem import Theorem
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.run_folder import Manifest, Run
from boundaudit.checks.run.catalogue import Case, Catalogue, Entry, Side

COINS = "Ames & Bold 2024, Moments of Coin Flips"
SERIES = "Cole 2025, Series and Tails"
HALF = {"p": Fraction(1, 2)}
EULER = str(Context(prec=20).exp(Decimal(1)))
CLIMB = tuple(
    Step(at, Worst({"x": x, "v": (0.5, 0.5)}, left, right))
    for at, x, left, right in [(4, 0.25, 1.28, 1.29375), (60, 0.9, 2.46, 2.467), (90, 1.0, math.e, 2.7)]
)
REGION = Region.from_json({
    "points": 40, "holds": 29, "near": 1, "violates": 10,
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
})  # fmt: skip
"""Violated for n = 1 and x near 1."""


def found(verdict: str, *evidence: Evidence, **more: Any) -> Findings:
    """Findings with a reason."""
    return Findings(verdict, f"because it is {verdict}", evidence, **more)


def sweep(outcome: str = "holds", **more: Any) -> Evidence:
    """2,000 swept points."""
    return Evidence("sweep", outcome, "2,000 points of the domain", 2000, seed=7, **more)


def proof() -> Evidence:
    """A checked proof of the whole domain."""
    tree = {"kind": "boxes", "tree": {"rule": "convex", "parts": [0, 1, 2]}}
    return Evidence("proof", "holds", "the whole domain", 1, whole_domain=True, engine="factoring", certificate=tree)


def refuted(point: Mapping[str, Any], left: str, right: str, **more: Any) -> Evidence:
    """A counterexample found by search and confirmed exactly."""
    witness = Witness(dict(point), left, right, "smallest by denominator")
    return Evidence("search", "violated", "2,000 points", 2000, witness=witness, seed=7, **more)


class Book:
    """Claims, what was found about them, and the catalogue that says what they are."""

    def __init__(self) -> None:
        self.claims: dict[str, Entry] = {}
        self.receipts: dict[str, Receipt] = {}

    def add(
        self, label: str, role: str, place: str, latex: str, findings: Findings | dict[str, Findings], **more: Any
    ) -> None:
        """A claim; cases where findings are a dictionary."""
        fields: dict[str, Any] = {
            "statement": f"A statement about {label}.", "paper": COINS, "kind": "Upper", "mode": "always",
            "reading": "certain", "relation": "<=", "rests_on": [], "used_by": [], "blast_radius": [], "repair": None,
            "repairs": [], "improves": None, "missing": None, "source": "claims/coins.py:12",
        }  # fmt: skip
        changed = {name: more.pop(name) for name in list(more) if name in fields}
        cases = findings if isinstance(findings, dict) else {None: findings}
        made = [self._case(label, name, latex, case, **more) for name, case in cases.items()]
        places = [place] if place else []
        self.claims[label] = Entry(label=label, role=role, place=places, cases=made, **{**fields, **changed})

    def _case(self, label: str, name: str | None, latex: str, findings: Findings, **more: Any) -> Case:
        full = f"{label}[{name}]" if name else label
        self.receipts[full] = Receipt(full, "0123456789abcdef", "ab" * 8, findings)
        left, _, right = latex.partition(r" \le ")
        fields: dict[str, Any] = {
            "text": f"text of {full}", "latex": latex, "left": Side(left, left), "right": Side(right, right),
            "domain": "0 ≤ p ≤ 1", "expected": findings.verdict, "reading": "certain",
            "limitations": [], "symbols": {"p": ["probability of heads", "1"]},
        }  # fmt: skip
        return Case(label=full, case=name, **{**fields, **more})


def book() -> Book:
    """All claims."""
    made = Book()
    kills = Mutation({"killed": ("halved: 1/4", "exponent lowered: p"), "slack": (), "unexplained": ()}, "killed")
    mixed = Mutation({"killed": ("doubled: 2",), "slack": ("dropped: p | q",), "unexplained": ("sign: p",)})
    made.add(
        "coins.variance.printed", "printed", "Theorem 3", r"p \left(1 - p\right) \le \frac{6}{25}",
        {
            "plot": found("refuted", refuted(HALF, "0.25", "0.24"), worst=Worst(HALF, 0.25, 0.24)),
            "biased": found("proved", proof(), mutation=kills),
        },
        statement="The variance of a coin is at most 6/25.", reading="plausible", repair="coins.variance.bound",
        limitations=["The constant is read from a plot."],
    )  # fmt: skip
    made.add(
        "coins.variance.bound", "successor", "Theorem 3", r"p \left(1 - p\right) \le \frac{1}{4}",
        found("proved", proof(), sweep(worst=Worst(HALF, 0.25, 0.25)), worst=Worst(HALF, 0.25, 0.25), mutation=kills),
        repairs=["coins.variance.printed"], kind="Tight", used_by=["coins.product"],
    )  # fmt: skip
    made.add(
        "coins.product", "lemma", "Theorem 3", r"\prod_{t=1}^{T} p_t \left(1 - p_t\right) \le 4^{-T}",
        found("supported", sweep(), mutation=mixed, worst=Worst({"T": 3, "p": (0.5,) * 3}, 1 / 64, 1 / 64)),
        rests_on=["coins.variance.bound", "coins.elsewhere"],
    )  # fmt: skip
    made.add(
        "coins.gap.printed", "printed", "Theorem 6", r"\left|\hat{R} - R\right| \le \sqrt{\log\left(2 / \delta\right)}",
        found("certified", sweep()), expected="proved", mode="with probability ≥ 1 - δ",
    )  # fmt: skip
    made.add("coins.wrong", "control", "Theorem 6", r"1 \le 0", found("refuted", refuted({}, "1", "0")), kind="Upper")
    made.add(
        "series.flat", "printed", "Lemma 7", r"e^{x} \le 1 + x + \frac{7}{10} x^{2}",
        found(
            "refuted", refuted({"x": 1}, EULER, "2.7", path=CLIMB), region=REGION, worst=Worst({"x": 1}, math.e, 2.7)
        ),
        paper=SERIES, symbols={"x": ["where the series is cut", "1"]},
    )  # fmt: skip
    made.add("series.rate", "printed", "Lemma 8", r"R(m) \le C\, m^{-1/2}", found("not testable"), paper=SERIES)
    made.add("series.shared.sum", "lemma", "", r"\sum_{k=0}^{n} \binom{n}{k} \le 2^{n}", found("vacuous"), paper="")
    made.add("series.shared.tail", "lemma", "", r"a \le b", found("undecided", sweep("undecided")), paper="")
    return made


THEOREMS = (
    Theorem(
        number="Theorem 3", title="Variance", says="A coin's variance is small.", formula=r"p(1-p) \le \frac{6}{25}",
        printed=("coins.variance.printed",), successor="coins.variance.bound", paper=COINS,
    ),
    Theorem(
        number="Theorem 6", title="Gap", says="The gap shrinks.", formula=r"|\hat{R} - R| \le \epsilon",
        printed=("coins.gap.printed",), derived_from=("Theorem 3",), improvement="coins.variance.bound", paper=COINS,
    ),
    Theorem(number="Remark 9", title="", says="", missing="not yet read", paper=COINS),
    Theorem(number="Lemma 7", title="A flat series", says="The exponential is flat.", formula=r"e^x \le 1 + x + 0.7x^2",
            printed=("series.flat",), paper=SERIES),
    Theorem(number="Lemma 8", title="A rate", says="The rate is a root.", printed=("series.rate",),
            derived_from=("Lemma 7",), paper=SERIES, missing="the constant C is left open"),
)  # fmt: skip


def chain() -> tuple[dict[str, Any], dict[str, Any]]:
    """Words and measurements of three steps, the second of which is false for some points."""
    names = ("moment generating function", "second order", "sharp variance", "exponential")
    nodes: list[dict[str, Any]] = [
        {"name": n, "latex": r"e^{\lambda}", "cites": "Taylor" if i else "", "claim": None} for i, n in enumerate(names)
    ]
    nodes[2]["claim"] = "coins.variance.printed"
    factors = [(1.0, 1.3, 1.1), (0.96, 1.02, 0.99), (1.2, 6.0, 2.4)]
    words = {
        "label": "coins.chain", "title": "From the variance to the moments", "paper": COINS, "place": ["Theorem 6"],
        "domain": "0 ≤ p ≤ 1", "text": " → ".join(names), "nodes": nodes,
    }  # fmt: skip
    sample = {
        "title": "fair coin", "point": {"p": "1/2"}, "values": [1.13, 1.25, 1.24, 1.65], "factors": [1.1, 0.99, 1.3],
    }  # fmt: skip
    measured = {
        "label": "coins.chain", "samples": [sample], "points": 5000, "holds": [True, False, True],
        "factors": [dict(zip(("smallest", "largest", "geometric_mean"), row, strict=True)) for row in factors],
    }  # fmt: skip
    return words, measured


def study() -> tuple[dict[str, Any], dict[str, Any]]:
    """Two panels: a measurement with intervals under two formulas on logarithmic axes, and a curve with gaps."""
    sizes = [10, 100, 1000]
    series = [
        curve("1/√m", sizes, [m**-0.5 for m in sizes]),
        curve("1/m", sizes, [1 / m for m in sizes]),
        curve("measured | mean", sizes, [0.25, 0.0625, 0], low=[0.125, 0, 0], high=[0.5, 0.25, 0.125], drawn="points"),
    ]
    gaps = [curve("1/√m", [1, 2, 3, 4, 5], [1.0, 0.5, None, 0.25, None]), curve("nothing", [1, 2], [None, None])]
    panels = [
        {"title": "Gap", "x": "samples m", "y": "gap", "log": "xy", "series": series},
        {"title": "A curve with holes", "x": "m", "y": "value", "log": "", "series": gaps},
    ]
    words = {
        "label": "coins.gap-by-samples", "title": "The gap as the sample grows", "paper": COINS, "place": [],
        "caption": "The measured gap lies between the two rates.", "claims": ["coins.variance.bound"],
    }  # fmt: skip
    return words, {"label": "coins.gap-by-samples", "key": "0123456789abcdef", "panels": panels}


def curve(name: str, x: Sequence[float], y: Sequence[float | None], **more: Any) -> dict[str, Any]:
    """A series as a run records it."""
    return {"name": name, "x": list(x), "y": list(y), "low": None, "high": None, "drawn": "line", **more}


def sample() -> tuple[Run, Catalogue]:
    """The run and what its claims say."""
    made, (chain_words, chain_measured), (study_words, study_measured) = book(), chain(), study()
    manifest = Manifest(
        "standard", 7, "cpu", tuple(made.receipts), "generic x86-64", {"boundaudit": "0.1.0", "sympy": "1.14.0"},
        "0123456789abcdef",
    )  # fmt: skip
    prices = {
        f"Theorem 3, {COINS}": {
            "price": {"low": 1.04, "high": 1.0416, "points": 600, "domain": "0 ≤ p ≤ 1"},
            "gain": None,
        }
    }
    timings = {"total_seconds": 12.5, "seconds": dict.fromkeys(made.receipts, 1.25)}
    run = Run(
        Path("run"), manifest, made.receipts, {"coins.chain": chain_measured},
        {"coins.gap-by-samples": study_measured}, prices, timings,
    )  # fmt: skip
    return run, Catalogue(made.claims, THEOREMS, {"coins.chain": chain_words}, {"coins.gap-by-samples": study_words})
