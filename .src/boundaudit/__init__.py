"""boundaudit: a verification suite for derivations of generalization bounds.

Everything a user needs is importable from here or one level below. Names load
on first use, so that ``import boundaudit`` stays fast.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module, metadata
from typing import Any

__version__ = metadata.version("boundaudit")

MOST_DIGITS = 100_000
"""Of an integer in a statement, and in what is kept of it."""
if 0 < sys.get_int_max_str_digits() < MOST_DIGITS:
    sys.set_int_max_str_digits(MOST_DIGITS)  # Python's own limit, 4,300, is less than proofs need

_PUBLIC = {
    name: f"boundaudit.{module}"
    for module, names in {
        "checks.evidence.derivation": "Derivation Instance Step",
        "checks.evidence.profile": "Profile",
        "checks.language.abstract.events": "Event",
        "checks.language.abstract.extremes": "Maximum Minimum",
        "checks.language.abstract.functions": "Functions",
        "checks.language.abstract.independent": "Independent",
        "checks.language.abstract.laws": "Bernoulli Density Gaussian Rademacher Random",
        "checks.language.abstract.operators": "Linear Symmetric adjoint",
        "checks.language.abstract.space": "Space",
        "checks.language.abstract.terms": "Cov E P Var gradient inner norm",
        "checks.language.abstract.vectors": "Euclidean",
        "checks.language.atoms": "Family",
        "checks.language.claim": "Case Claim Estimate Probability Quantity",
        "checks.language.domain": "Choices Domain Integers Matrix Reals Subsets Vector",
        "checks.language.points": "Point",
        "checks.language.relations": "ForAll",
        "checks.language.reading.reading": "read",
        "checks.language.theorem": "Brief Reading Theorem read_theorems",
        "checks.records.study": "Panel Series Setting Study",
        "checks.run.runner": "verify",
        "derivations.symbols": "symbol",
        "numeric.curvature": "HessianNorm HessianTrace hessian_norm hessian_trace",
        "numeric.pac_bayes": "UnionLedger binary_kl certified_bound fit_posterior inverse_binary_kl pac_bayes_bound",
    }.items()
    for name in names.split()
}

__all__ = ["InputError", "InputErrors", "__version__", *sorted(_PUBLIC)]

_UNSEEN = {
    code: f"\\u{code:04x}"
    for low, high in (
        (0, 8), (11, 31), (127, 159), (0x61C, 0x61C), (0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069),
        (0xD800, 0xDFFF),
    )
    for code in range(low, high + 1)
}  # fmt: skip
"""Characters that a terminal obeys or that turn text around, and halves of characters; not tabs and line ends."""


def visible(text: str) -> str:
    """Text with every control and bidirectional character written out, as in Python's own notation.

    Returns:
        The same text where there is none.
    """
    return text if text.isprintable() else text.translate(_UNSEEN)


class InputError(ValueError):
    """Input that cannot be used: names the field, what it needs and the remedy.

    The message is one line; the command line prints it and exits with 2.

    Example:
        >>> print(InputError("delta", "a number between 0 and 1", 2, "correct delta"))
        delta: expected a number between 0 and 1, got 2; correct delta
    """

    def __init__(self, field: str, expected: str, got: object, remedy: str) -> None:
        """Keep the parts; ``got`` is shown on one line and cut where it is long."""
        shown = " ".join(str(got).split())
        super().__init__(field, expected, shown if len(shown) <= 120 else shown[:117] + "...", remedy)
        self.field = field

    def __str__(self) -> str:
        field, expected, got, remedy = self.args
        return visible(f"{field}: expected {expected}, got {got}; {remedy}")

    @property
    def lines(self) -> tuple[str, ...]:
        """The message, a line for each thing that is wrong."""
        return (str(self),)


class InputErrors(InputError):
    """Several pieces of input that cannot be used, a line each.

    Example:
        >>> InputErrors("delta: expected …", "samples: expected …").lines
        ('delta: expected …', 'samples: expected …')
    """

    def __init__(self, *lines: str) -> None:
        """Keep the lines."""
        ValueError.__init__(self, *lines)
        self.field = ""

    @classmethod
    def told(cls, errors: Sequence[InputError]) -> None:
        """Raise what errors there are, one by itself.

        Raises:
            InputError: where there is one.
            InputErrors: where there are more.
        """
        if len(errors) == 1:
            raise errors[0]
        if errors:
            raise cls(*(line for error in errors for line in error.lines))

    def __str__(self) -> str:
        return "\n".join(self.lines)

    @property
    def lines(self) -> tuple[str, ...]:
        """One line each."""
        return self.args


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'boundaudit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
