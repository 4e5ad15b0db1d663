"""The bounds for a chain of thought and for one pass as a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, cast

from boundaudit import InputError
from boundaudit.numeric.sharpness.bound import check_chain, check_class, check_setting

if TYPE_CHECKING:
    from torch import Tensor

    from boundaudit.numeric.sharpness.bound import Form, Norm

_ASSUMES = {
    "shared-variance": "S at every posterior draw; noise of first order (P = 0); norm and noisy loss at most the "
    "construction's",
    "clipped": "noise of first order (P = 0); norm and clipped loss under noise at most the construction's",
    "margin": "noise of first order (P = 0); norm at most the construction's, and noise makes steps wrong no more "
    "often",
    "derived": "norm at most the construction's, and noise makes steps wrong no more often",
}


def chain_record(
    length: int, *, samples: float, subgaussian: float | None, delta: float, form: str, norm: str, error: float
) -> dict[str, object]:
    """The repaired bounds for a chain of T steps and for one pass. Raises InputError for what is out of range."""
    check_chain(form, norm, subgaussian, error)
    check_class(length, length, 1)
    check_setting(samples, delta, **({} if subgaussian is None else {"subgaussian": subgaussian}))
    wrong = _wrong(length, norm) if form == "derived" else None

    from boundaudit.checks.evidence.evidence import finite
    from boundaudit.numeric.sharpness.bound import COIN, chain_of_thought

    found = chain_of_thought(
        length, samples=samples, subgaussian=subgaussian, delta=delta, form=cast("Form", form),
        norm=cast("Norm", norm), error=error, wrong=wrong,
    )  # fmt: skip

    def plain(sizes: Mapping[str, float]) -> dict[str, float | None]:
        return {name: finite(value) for name, value in sizes.items()}

    errors = {**found.chain_error, "one_pass": found.one_pass_error}
    return {
        **asdict(found), "samples_needed": plain(found.samples_needed),
        "informative_from": plain(found.informative_from),
        "vacuous": {name: value >= COIN for name, value in errors.items()}, "assumes": _ASSUMES[form],
    }  # fmt: skip


def _wrong(length: int, norm: str) -> Mapping[str, Callable[[Tensor], Tensor]]:
    """How often noise makes a step and one pass wrong, as derived."""
    if length < 4:
        raise InputError("length", "at least 4 with form derived", length, "use a longer chain, or form clipped")
    from boundaudit.checks.sharpness.calculators import wrong_under_noise

    width = 1 if norm == "steep" else 2
    return {name: wrong_under_noise(length, degree, width) for name, degree in (("step", 2), ("one_pass", length))}
