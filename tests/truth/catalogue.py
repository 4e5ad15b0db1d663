"""All statements of the suite, by subject."""

from collections.abc import Iterator
from importlib import import_module

from .statement import Truth

SUBJECTS = (
    "elementary", "entropy", "sums", "vectors", "combinatorial", "learning", "false_forms", "no_value", "needles",
    "corners", "surfaces", "appendix", "samples", "extremes", "divergences", "long_sums", "regret", "margins",
    "acceleration", "spaces", "operators", "chance", "privacy", "kernels", "chains",
)  # fmt: skip
"""Last those that take longest to write down: who asks for a statement by its name goes through those before it."""


def subject(name: str) -> list[Truth]:
    """The statements of a subject, which are written down when they are first asked for."""
    found: list[Truth] = import_module(f"{__package__}.{name}").STATEMENTS
    return found


def statements() -> Iterator[Truth]:
    """All of them."""
    for name in SUBJECTS:
        yield from subject(name)


def named(name: str) -> Truth:
    """The statement of a name."""
    return next(truth for truth in statements() if truth.name == name)
