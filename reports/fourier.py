"""A truth table as people read it: its spectrum, and what property tests of it see."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.fourier import read_table, table_summary
from boundaudit.reports.document.shown import Shown, Table


def described(
    path: Path, *, tolerance: float | None, largest: int, trials: int, bits: int | None, seed: int
) -> dict[str, Any]:
    """The summary of a .npy file's table, with the call. Raises InputError for no table, or numbers out of range."""
    values = read_table(path)
    found = table_summary(values, tolerance=tolerance, largest=largest, trials=trials, bits=bits, seed=seed)
    parameters = {"table": str(path), "length": found["length"], "trials": trials, "seed": seed}
    notes = [
        "Positions count from 1. Weights are those of the characters (-1)^(ones in the set); an even-parity indicator "
        "of coefficient λ has half of it on its set and half on the empty one.",
        "Degree tests draw disjoint blocks and never reject a function of that degree; sparsity tests never show more "
        "characters than there are.",
    ]
    return {"parameters": parameters, **found, "notes": notes}


def shown(found: Mapping[str, Any]) -> Shown:
    """Conclusions, tables and figures."""
    tests = found["tests"]
    sizes, positions = list(range(found["length"] + 1)), list(range(1, found["length"] + 1))
    within = ", ".join(f"{degree} but for {float(s):.1%}" for s, degree in found["degree_within"].items())
    numbers = {
        "mean": found["mean"], "variance": found["variance"], "degree": found["degree"],
        "degree, but for a share of the variance": within, "characters": found["characters"],
        "even-parity indicators": found["indicators"], "total influence": found["total_influence"],
        "counts as zero up to": found["tolerance"],
    }  # fmt: skip
    weights = [[", ".join(map(str, one["set"])) or "empty", one["weight"]] for one in found["largest"]]
    by_size = [[k, found["energies"][k], found["tails"][k]] for k in sizes]
    trials = [
        [row["degree"], row["rejections"], row["trials"], row["least_rate"], *row["rate"]] for row in tests["degree"]
    ]
    return Shown(
        title="Walsh spectrum",
        question="Which characters make up this function of bits, and what would tests by queries have seen of it?",
        conclusions=[_degree(tests), _sparsity(tests["sparsity"])],
        tables=[
            Table("The function", ("what", "value"), [[name, _plain(value)] for name, value in numbers.items()]),
            Table("Largest weights", ("set", "weight"), weights),
            Table("Energy by degree", ("degree", "energy", "energy above"), by_size),
            Table("Influences", ("position", "influence"), list(zip(positions, found["influences"], strict=True))),
            Table(
                "Degree tests",
                ("degree", "rejections", "trials", "rate at the least, exact", "rate, low", "rate, high"),
                trials,
            ),
        ],
        panels=[
            Panel("Energy by degree", "degree", "Σ f^(S)²", [
                Series("at this degree", sizes, found["energies"], drawn="points"),
                Series("above", sizes, found["tails"]),
            ]),
            Panel("Influences", "position", "influence", [
                Series("influence", positions, found["influences"], drawn="points")
            ]),
        ],
    )  # fmt: skip


def _plain(value: str | float) -> str:
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


def _degree(tests: Mapping[str, Any]) -> str:
    last = tests["degree"][-1]
    if tests["first_accepted_degree"] is None:
        return (
            f"Every degree test up to {last['degree']} rejects; a higher degree takes more queries than were allowed."
        )
    return f"The first degree that is accepted by {last['trials']:,} trials is {last['degree']}."


def _sparsity(seen: Mapping[str, Any]) -> str:
    return (
        f"{seen['trials']} subspaces of {seen['bits']} random directions show {seen['at_least']:,} characters, "
        f"restrictions to as many positions {seen['at_least_restricted']:,}: no more than there are."
    )
