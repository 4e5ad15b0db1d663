"""What a bound of paper 1 is asked for: a class or a target, a sample, and what the user has measured instead."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields, replace
from pathlib import Path

from boundaudit import InputError
from boundaudit.numeric.files import read_bytes
from boundaudit.numeric.sharpness import Target, Trapezoid, load_target
from boundaudit.numeric.sharpness.bound import Budgets, check_class, published, repaired

BUDGETS = ("published", "repaired")
_LARGEST = 1e20
"""Of what is measured: bounds multiply high powers of it."""


@dataclass(frozen=True)
class Measured:
    """What a user has measured, in place of the construction's constants."""

    trace: float | None = None  # the loss Hessian's mean trace, twice the sharpness
    norm_squared: float | None = None  # ‖θ‖²
    parameters: int | None = None  # p
    risk: float | None = None  # the loss on the sample without noise

    @property
    def is_whole(self) -> bool:
        """Whether everything is measured, so that no class of targets need be named."""
        return None not in (self.trace, self.norm_squared, self.parameters, self.risk)

    @classmethod
    def read(cls, path: Path | None, given: Measured) -> Measured:
        """What a file holds, and what is given, which comes first. Raises InputError where they are none of these."""
        known = [field.name for field in fields(cls)]
        found = {} if path is None else _object(path)
        for name in found:
            if name not in known:
                raise InputError(
                    f"{path}: {name}", f"one of {', '.join(known)}", "an unknown field", "correct the file"
                )
        for name in known:
            if (value := getattr(given, name)) is not None:
                found[name] = value
        for name, value in found.items():
            _check(name, value)
        return cls(**found)  # type: ignore[arg-type]

    def applied(self, budgets: Budgets | None) -> Budgets:
        """Budgets with these numbers in place of theirs; what replaces one group's number has no groups."""
        if budgets is not None and self == Measured():
            return budgets
        known = budgets or Budgets({}, {}, {}, 0.0)
        trace = 2 * known.sharpness_total if self.trace is None else self.trace
        return Budgets(
            {"all": trace / 2},
            {"all": known.norm_total if self.norm_squared is None else self.norm_squared},
            {"all": known.count if self.parameters is None else self.parameters},
            known.residual if self.risk is None else self.risk,
        )


@dataclass(frozen=True)
class Request:
    """The class of targets and the sample."""

    size: tuple[int, int, int] | None  # t, D and ω of the class; None where the user's own numbers stand for it all
    samples: float  # m
    delta: float  # δ
    target: Target | None = None
    mlp: Trapezoid = "steep"  # the trapezoid, which the repaired budgets depend on
    measured: Measured = Measured()

    @property
    def known_size(self) -> tuple[int, int, int]:
        """T, D and ω. Raises InputError where no class is named."""
        if self.size is None:
            remedy = "give --length, --degree and --sparsity, or --target FILE.json"
            if not self.measured.is_whole:
                remedy += ", or all of --trace, --norm-squared, --parameters and --risk of a model of your own"
            raise InputError("--length", "a number", "none", remedy)
        return self.size

    @property
    def is_measured(self) -> bool:
        """Whether numbers of the user's own stand in for the construction's."""
        return self.measured != Measured()

    def budgets(self, which: str) -> Budgets:
        """The published or the repaired budgets, with what is measured. Raises InputError for another name."""
        if which not in BUDGETS:
            raise InputError("--budgets", " or ".join(BUDGETS), which, "choose one of these")
        if self.size is None and self.measured.is_whole:
            return self.measured.applied(None)
        size = self.known_size
        return self.measured.applied(published(*size) if which == "published" else repaired(*size, self.mlp))

    def constant_baseline(self, clip: float = math.inf) -> float:
        """What a bound must stay below to say anything: the best constant predictor's risk, or 1 without a target."""
        if self.target is None:
            return min(1.0, clip)
        from boundaudit.numeric.sharpness import constant_risk

        return constant_risk(self.target, clip)


def request(
    *, length: int | None, degree: int | None, sparsity: int | None, target: Path | None, samples: float, delta: float,
    mlp: str, measured: Measured,
) -> Request:  # fmt: skip
    """A request from options. Raises InputError for a class and a target, a part of a class, or a wrong number."""
    if mlp not in ("steep", "wide"):
        raise InputError("--mlp", "steep or wide", mlp, "choose one of these")
    size = {"--length": length, "--degree": degree, "--sparsity": sparsity}
    missing = [name for name, value in size.items() if value is None]
    trapezoid: Trapezoid = "wide" if mlp == "wide" else "steep"
    if target is not None:
        if len(missing) < 3:
            raise InputError("--target", "a target, or length, degree and sparsity", "both", "give one of them")
        read = _covered(load_target(target))
        found = Request((read.length, read.degree, read.sparsity), samples, delta, read)
    elif len(missing) == len(size):
        found = Request(None, samples, delta)
    elif length is None or degree is None or sparsity is None:
        raise InputError(missing[0], "a number", "none", "give all of --length, --degree and --sparsity")
    else:
        check_class(length, degree, sparsity)
        found = Request((length, degree, sparsity), samples, delta)
    return replace(found, mlp=trapezoid, measured=measured)


def _covered(target: Target) -> Target:
    """A target that the published theorems speak of."""
    squares = math.fsum(c * c for c in target.coefficients)
    if len(set(target.degrees)) > 1 or not target.is_positive:
        raise InputError("components", "one size and positive coefficients", "others", "no printed bound covers these")
    if squares > 1 + 1e-12:
        raise InputError("coefficients", "squares that sum to at most 1", f"{squares:.6g}", "divide all by its root")
    least = float(target.length) ** -4
    if min(target.coefficients) < least:
        raise InputError("coefficients", f"at least T⁻⁴ = {least:g}", min(target.coefficients), "no budget covers less")
    return target


def _object(path: Path) -> dict[str, object]:
    data = read_bytes(path, "--measured")
    try:
        found = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError("--measured", "a JSON file", f"{path} ({error})", "correct the file") from None
    if not isinstance(found, dict):
        raise InputError(
            "--measured", "an object of numbers", path, 'write such as {"trace": 5907, "parameters": 2014}'
        )
    return found


def _check(name: str, value: object) -> None:
    least = 0 if name == "risk" else 1 if name == "parameters" else 1 / _LARGEST
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= _LARGEST
    whole = name != "parameters" or (number and float(str(value)).is_integer())
    if not (number and whole):
        what = {"risk": "a number that is at least 0", "parameters": "a whole number that is at least 1"}
        expected = f"{what.get(name, 'a positive number')}, up to {_LARGEST:g}"
        raise InputError(name, expected, value, f"correct {name}")
