"""Several things that are wrong with what is given, told together."""

from __future__ import annotations

from collections.abc import Sequence

from boundaudit import InputError


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
