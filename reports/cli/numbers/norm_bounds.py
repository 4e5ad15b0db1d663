"""`boundaudit bound covering` and `bound schatten`: bounds from norms of a transformer's matrices."""

from __future__ import annotations

from typing import Any

import click

from boundaudit.reports.cli.numbers.bound import show_record
from boundaudit.reports.cli.options import COUNT, DELTA, FINITE, WHOLE, json_option, option

SAMPLES = option("--samples", type=WHOLE, required=True, metavar="m", help="Size of the sample, such as 1e6.")


@click.command()
@option("--width", type=COUNT, required=True, metavar="d", help="Length of a token's vector.")
@option("--inner", type=COUNT, metavar="k", help="Outputs of W_V. [default: as --width]")
@option("--layers", type=click.IntRange(max=100_000), default=1, help="Equal layers.")
@option("--key", type=FINITE, required=True, help="Covering norm of W_QK.")
@option("--value", type=FINITE, required=True, help="Covering norm of W_V.")
@option("--output", type=FINITE, required=True, help="Covering norm of W_C.")
@option("--read", type=FINITE, required=True, help="‖w‖₁ of the read-out; ‖w‖₂ with --norms rows.")
@option("--norms", default="entries", help="Covering norms: entries (1,1), or rows (2,1).")
@option("--key-operator", type=FINITE, help="‖W_QK‖. [default: as --key, which bounds it]")
@option("--value-operator", type=FINITE, help="‖W_V‖. [default: as --value, which bounds it]")
@option("--output-operator", type=FINITE, help="‖W_C‖. [default: as --output, which bounds it]")
@option("--read-operator", type=FINITE, help="‖w‖₂. [default: as --read, which bounds it]")
@option("--token", type=FINITE, default=1.0, help="Length of a token and of the query.")
@option("--outputs", type=COUNT, default=1, metavar="K", help="Outputs of the read-out.")
@option("--lipschitz", type=FINITE, help="Of a loss that is not cross-entropy.")
@option("--range", "loss_range", type=FINITE, metavar="b", help="Of that loss.")
@option("--constants", default="published", help="published or sharp.")
@SAMPLES
@DELTA
@json_option
def covering(
    width: int, inner: int | None, layers: int, output: float, output_operator: float | None, samples: float,
    delta: float, lipschitz: float | None, loss_range: float | None, constants: str, norms: str, as_json: bool,
    **caps: Any,
) -> int:  # fmt: skip
    """The gap of a transformer by covering numbers of its maps; the number of tokens does not enter."""
    from boundaudit.numeric.covering import Caps
    from boundaudit.reports.bound.covering import covering_record, loss_of

    caps |= {"out": output, "out_operator": output_operator}
    for name in ("key", "value", "out", "read"):
        # Sums of moduli, or of rows' lengths, are at least the Frobenius norm, and that the operator norm.
        caps |= {f"{name}_operator": caps[name] if caps[f"{name}_operator"] is None else caps[f"{name}_operator"]}
    stated = Caps(dim=width, inner=width if inner is None else inner, **caps)
    lipschitz, loss_range = loss_of(stated, lipschitz, loss_range)
    found = covering_record(
        stated, layers=layers, samples=int(samples), delta=delta, lipschitz=lipschitz, bound=loss_range,
        constants=constants, norms=norms,
    )  # fmt: skip
    return show_record(found, as_json=as_json)


class _Pair(click.ParamType):  # type: ignore[type-arg]
    """An operator norm and a Schatten sum."""

    name = "C,S"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, float]:
        """Two finite numbers separated by a comma."""
        first, _, second = str(value).partition(",")
        return FINITE.convert(first, param, ctx), FINITE.convert(second, param, ctx)


_EACH = "Operator norm and sum S_p of each"


@click.command()
@option("--width", type=COUNT, required=True, metavar="N", help="Hidden size; the MLP has 4N units.")
@option("--layers", type=COUNT, required=True, metavar="L", help="Equal blocks.")
@option("--heads", type=COUNT, default=1, metavar="A", help="Heads of each block.")
@option("--index", type=FINITE, default=1.0, metavar="p", help="0 (the rank) to 2.")
@option("--query", type=_Pair(), required=True, help=f"{_EACH} W_Qᵀ W_K.")
@option("--value", type=_Pair(), required=True, help=f"{_EACH} product of value and output maps.")
@option("--into", type=_Pair(), required=True, help=f"{_EACH} first matrix of an MLP.")
@option("--out", type=_Pair(), required=True, help=f"{_EACH} second matrix of an MLP.")
@option("--activation", type=FINITE, default=1.13, help="Its Lipschitz constant.")
@option("--lipschitz", type=FINITE, default=1.0, help="Of the loss in [0, 1].")
@SAMPLES
@DELTA
@json_option
def schatten(
    query: tuple[float, float], value: tuple[float, float], into: tuple[float, float], out: tuple[float, float],
    as_json: bool, **sizes: Any,
) -> int:  # fmt: skip
    """The gap of a transformer by the Schatten sums of its matrices; the number of tokens does not enter."""
    from boundaudit.reports.bound.schatten import schatten_record

    given = {"query": query, "value": value, "into": into, "out": out}
    return show_record(schatten_record(given, **sizes), as_json=as_json)
