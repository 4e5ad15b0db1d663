"""`boundaudit bound covering` and `bound schatten`: bounds from norms of a transformer's matrices."""

from __future__ import annotations

from typing import Any

import click

from boundaudit.reports.cli.bound import show_record
from boundaudit.reports.cli.output import COUNT, DELTA, FINITE, WHOLE, json_option

SAMPLES = click.option("--samples", type=WHOLE, required=True, metavar="m", help="Size of the sample, such as 1e6.")


@click.command()
@click.option("--width", type=COUNT, required=True, metavar="d", help="Length of a token's vector.")
@click.option("--inner", type=COUNT, default=None, metavar="k", help="Outputs of W_V. [default: as --width]")
@click.option("--layers", type=click.IntRange(max=100_000), default=1, show_default=True, help="Equal layers.")
@click.option("--key", type=FINITE, required=True, help="Covering norm of W_QK.")
@click.option("--value", type=FINITE, required=True, help="Covering norm of W_V.")
@click.option("--output", type=FINITE, required=True, help="Covering norm of W_C.")
@click.option("--read", type=FINITE, required=True, help="‖w‖₁ of the read-out; ‖w‖₂ with --norms rows.")
@click.option("--norms", default="entries", show_default=True, help="Covering norms: entries (1,1), or rows (2,1).")
@click.option("--key-operator", type=FINITE, default=None, help="‖W_QK‖. [default: as --key, which bounds it]")
@click.option("--value-operator", type=FINITE, default=None, help="‖W_V‖. [default: as --value, which bounds it]")
@click.option("--output-operator", type=FINITE, default=None, help="‖W_C‖. [default: as --output, which bounds it]")
@click.option("--read-operator", type=FINITE, default=None, help="‖w‖₂. [default: as --read, which bounds it]")
@click.option("--token", type=FINITE, default=1.0, show_default=True, help="Length of a token and of the query.")
@click.option("--outputs", type=COUNT, default=1, show_default=True, metavar="K", help="Outputs of the read-out.")
@click.option("--lipschitz", type=FINITE, default=None, help="Of a loss that is not cross-entropy.")
@click.option("--range", "loss_range", type=FINITE, default=None, metavar="b", help="Of that loss.")
@click.option("--constants", default="published", show_default=True, help="published or sharp.")
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
@click.option("--width", type=COUNT, required=True, metavar="N", help="Hidden size; the MLP has 4N units.")
@click.option("--layers", type=COUNT, required=True, metavar="L", help="Equal blocks.")
@click.option("--heads", type=COUNT, default=1, show_default=True, metavar="A", help="Heads of each block.")
@click.option("--index", type=FINITE, default=1.0, show_default=True, metavar="p", help="0 (the rank) to 2.")
@click.option("--query", type=_Pair(), required=True, help=f"{_EACH} W_Qᵀ W_K.")
@click.option("--value", type=_Pair(), required=True, help=f"{_EACH} product of value and output maps.")
@click.option("--into", type=_Pair(), required=True, help=f"{_EACH} first matrix of an MLP.")
@click.option("--out", type=_Pair(), required=True, help=f"{_EACH} second matrix of an MLP.")
@click.option("--activation", type=FINITE, default=1.13, show_default=True, help="Its Lipschitz constant.")
@click.option("--lipschitz", type=FINITE, default=1.0, show_default=True, help="Of the loss in [0, 1].")
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
