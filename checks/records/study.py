"""A study: curves over the parameters of a chapter, one figure of the report, computed by the run itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

from boundaudit.checks.language.labels import require_visible


@dataclass(frozen=True)
class Setting:
    """How a study is run: it may compute fewer or smaller points in a quicker profile.

    Example:
        >>> from boundaudit import Setting
        >>> Setting(profile="smoke", seed=0, device="cpu").profile
        'smoke'

    Attributes:
        profile: smoke, standard or deep.
        seed: The run's seed.
        device: Where quantities are measured.
    """

    profile: str
    seed: int
    device: str


@dataclass(frozen=True)
class Series:
    """One curve.

    Example:
        >>> from boundaudit import Series
        >>> Series("x²", [0, 1, 2], [0, 1, 4], drawn="points").y
        [0, 1, 4]

    Attributes:
        name: Its name in the legend.
        x: Where it is known.
        y: Its values; None where there is none.
        low: Lower ends of intervals around ``y``.
        high: Upper ends.
        drawn: A formula as a line, a measurement as points.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float | None]
    low: Sequence[float | None] | None = None
    high: Sequence[float | None] | None = None
    drawn: Literal["line", "points"] = "line"


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Example:
        >>> from boundaudit import Panel, Series
        >>> Panel("A parabola", "x", "y", [Series("x²", [0, 1, 2], [0, 1, 4])]).log
        ''

    Attributes:
        title: One line.
        x: Label of the horizontal axis.
        y: Label of the vertical axis.
        series: Its curves.
        log: Which axes are logarithmic: ``""``, ``"x"``, ``"y"`` or ``"xy"``.
    """

    title: str
    x: str
    y: str
    series: Sequence[Series]
    log: Literal["", "x", "y", "xy"] = ""

    def to_json(self) -> dict[str, object]:
        """Plain JSON where its numbers are plain."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read it back."""
        return cls(**{**data, "series": [Series(**series) for series in data["series"]]})


@dataclass(frozen=True, kw_only=True, eq=False)
class Study:
    """A figure of the report and the computation behind it.

    Example:
        >>> from boundaudit import Panel, Series, Study
        >>> figure = Study(
        ...     label="example.figure",
        ...     title="A parabola",
        ...     caption="It rises.",
        ...     claims=("example.logarithm",),
        ...     compute=lambda setting: [Panel("", "x", "y", [Series("x²", [0, 1, 2], [0, 1, 4])])],
        ... )
        >>> figure.claims
        ('example.logarithm',)

    Attributes:
        label: Unique name, in the same space as claims.
        title: One line for the report.
        caption: What a reader should see, in one or two sentences.
        claims: Labels of the claims that it illustrates; it is computed where all of them are verified.
        compute: From a setting to the panels.
        paper: Short citation.
        place: Canonical references.
    """

    label: str
    title: str
    caption: str
    claims: tuple[str, ...]
    compute: Callable[[Setting], Sequence[Panel]]
    paper: str = ""
    place: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """What it says is for people to read."""
        require_visible(self.label, self.title, self.caption, self.paper, *self.place)
