"""What a bound can be computed for: a class of targets, a sample, and numbers that are positive; loads no tensors."""

from __future__ import annotations

import math
from typing import Literal

from boundaudit import InputError
from boundaudit.numeric.sharpness.choices import check_choice

Form = Literal["shared-variance", "clipped", "margin", "derived"]
Norm = Literal["published", "steep", "wide"]

LARGEST = 10**8
"""The largest training set that is drawn."""

LONGEST = 62
"""The largest length whose inputs are numbered by int64."""

_CERTIFY_NONE = "lower it, or make none (bound compare --draws 0)"


def check_class(length: int, degree: int, sparsity: int) -> None:
    """Raise InputError, naming the number, unless T ≥ 2 and D and ω are from 1 to T."""
    for name, value, low, high in (
        ("length", length, 2, 10**6), ("degree", degree, 1, length), ("sparsity", sparsity, 1, length),
    ):  # fmt: skip
        if not low <= value <= high:
            raise InputError(name, f"from {low} to {high}", value, "components are sets of positions, one row each")


def check_distinct(length: int, degree: int, sparsity: int) -> None:
    """Raise InputError, naming ω, for a class that has fewer sets of D positions than components."""
    if sparsity > (most := math.comb(length, degree)):
        raise InputError("sparsity", f"at most {most} at D = {degree}", sparsity, "lower it")


def check_setting(samples: float, delta: float, **positive: float) -> None:
    """Raise InputError, naming the number, unless m ≥ 1, 0 < δ < 1 and all others are positive and finite."""
    if not 1 <= samples < math.inf:
        raise InputError("samples", "a number that is at least 1", samples, "correct samples")
    if not 0 < delta < 1:
        raise InputError("delta", "a number between 0 and 1", delta, "correct delta")
    for name, value in positive.items():
        check_positive(name, value)


def check_positive(name: str, value: float) -> None:
    """Raise InputError, naming it, for a number that is not positive and finite."""
    if not 0 < value < math.inf:
        raise InputError(name, "a positive number", value, f"correct {name}")


def check_certifiable(length: int, samples: float, draws: int | None) -> None:
    """Raise InputError for T or m beyond what a certificate can hold, or fewer than two draws; None means enough."""
    for name, value, most in (("samples", samples, LARGEST), ("length", length, LONGEST)):
        if value > most:
            raise InputError(name, f"at most {most:g} where a certificate is made", value, _CERTIFY_NONE)
    if draws is not None and draws < 2:
        raise InputError("draws", "an integer of at least 2", draws, "correct draws")


def check_chain(form: str, norm: str, subgaussian: float | None, error: float) -> None:
    """Raise InputError, naming it, unless form, norm, S (of shared-variance alone) and the error asked for fit."""
    check_choice("form", form, Form)
    check_choice("norm", norm, Norm)
    if form == "shared-variance" and subgaussian is None:
        raise InputError("subgaussian", "a positive number", "none", "give one, or use form clipped")
    if form != "shared-variance" and subgaussian is not None:
        raise InputError("subgaussian", f"none, as form {form} needs no such constant", subgaussian, "leave it out")
    if form == "derived" and norm == "published":
        raise InputError("norm", "steep or wide with form derived", norm, "say which trapezoid the network has")
    if not 0 < error < 1:
        raise InputError("error", "a number between 0 and 1", error, "correct the error asked for")
