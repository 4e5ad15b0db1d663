"""The bounds for a chain of thought and for one pass as a record."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from boundaudit.numeric.sharpness.bound import check_chain, check_class, check_setting

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.bound import Form, Norm


def chain_record(
    length: int, *, samples: float, subgaussian: float | None, delta: float, form: str, norm: str, error: float
) -> dict[str, object]:
    """The repaired bounds for a chain of T steps and for one pass.

    Args:
        length: T.
        samples: m.
        subgaussian: S, for the shared-variance form.
        delta: δ.
        form: shared-variance or clipped.
        norm: published, steep or wide.
        error: the error probability that the needed samples are for.

    Returns:
        Plain JSON.

    Raises:
        InputError: for a setting out of range.
    """
    check_chain(form, norm, subgaussian, error)
    check_class(length, length, 1)
    check_setting(samples, delta, **({} if subgaussian is None else {"subgaussian": subgaussian}))

    from boundaudit.checks.evidence.evidence import finite
    from boundaudit.numeric.sharpness.bound import chain_of_thought

    found = chain_of_thought(
        length, samples=samples, subgaussian=subgaussian, delta=delta, form=cast("Form", form),
        norm=cast("Norm", norm), error=error,
    )  # fmt: skip
    needed = {name: finite(value) for name, value in found.samples_needed.items()}
    vacuous = {"chain": found.chain_error >= 1, "one_pass": found.one_pass_error >= 1}
    return {**asdict(found), "samples_needed": needed, "vacuous": vacuous}
