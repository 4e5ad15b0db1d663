"""What stands in a `Space` beside ranges of numbers."""

from __future__ import annotations

from typing import ClassVar


class Declared:
    """A parameter that is no number, and how it reads."""

    reads: ClassVar[str]

    def sentence(self, name: str) -> str:
        """How it reads in a domain.

        Args:
            name: Of the parameter.

        Returns:
            A phrase.
        """
        return self.reads.format(name=name, **vars(self))
