"""`boundaudit fourier`: what the Walsh spectrum of a truth table says, and what property tests of it see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boundaudit.reports.cli.options import FINITE, PATH, SEED, json_option, option
from boundaudit.reports.cli.pages import PAGE, check_page, tell

_EPILOG = """\b
Examples:
  boundaudit fourier table.npy
  boundaudit fourier table.npy --tolerance 0.01 --json

\b
A table of a trained model, or of any function of 0/1 inputs of shape (n, T), in Python:
  from boundaudit.numeric.fourier import truth_table
  numpy.save("table.npy", truth_table(lambda bits: model(bits.long()).squeeze(-1), T))
Longer inputs than 26 bits are tested by queries alone:
  from boundaudit.numeric.fourier import query_summary
  query_summary(lambda bits: model(bits.long()).squeeze(-1), 50)
"""


@click.command(epilog=_EPILOG)
@click.argument("table", type=PATH, metavar="TABLE.npy")
@option(
    "--tolerance", type=FINITE, metavar="ε",
    help="Weights up to ε times the largest value count as zero. [default: none for integers, rounding for floats]",
)  # fmt: skip
@option("--largest", type=click.IntRange(0, 2**20), default=10, help="Weights to list.")
@option("--trials", type=click.IntRange(1, 10**6), default=1000, help="Of each degree test.")
@option(
    "--bits", type=click.IntRange(0, 24), metavar="t",
    help="Dimension of the subspaces in the sparsity tests. [default: 10, or T]",
)  # fmt: skip
@option("--seed", type=SEED, default=0, help="Of the tests.")
@PAGE
@json_option
def fourier(table: Path, out: Path | None, as_json: bool, **asked: Any) -> int:
    """Walsh spectrum, degree, sparsity, influences and property tests of a function of at most 26 bits.

    TABLE.npy holds its 2^T values, booleans, integers or floats, one-dimensional: the value number i is that of the
    input that spells i in binary, position 1 first. No pickle is ever opened.
    """
    check_page(out)
    from boundaudit.reports.fourier import described, shown

    found = described(table, **asked)
    return tell(shown(found), found, out, as_json=as_json)
