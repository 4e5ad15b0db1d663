"""A derivation: a chain e0 ≤ e1 ≤ … ≤ en whose every node is measured.

Each step cites a named inequality. The measured factors e(i+1)/e(i) say where the
slack comes from; a factor below one is a step that is false there.

A chain from one side of a claim to the other proves it where every step is a proved claim or a fact of textbooks.
What leads from the step to the claim that it cites is read, not checked; that each step holds is measured besides.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boundaudit import InputError
from boundaudit.checks.evidence.facts import EQUALITIES, FACTS
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.evidence.waterfall import Factor, Node, Outline, Sample, Waterfall
from boundaudit.checks.language.claim import Claim, Quantity, Side, meaning, side_latex, side_values
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.labels import require_visible
from boundaudit.checks.language.points import Point, from_json, to_json

_LONGEST = 1500
"""Characters of a node's LaTeX that a report shows."""


@dataclass(frozen=True)
class Step:
    """One node of a chain.

    Example:
        >>> from boundaudit import Step
        >>> Step(3, "the bound", cites="Jensen's inequality", claim="example.jensen").name
        'the bound'

    Attributes:
        value: The expression or quantity at this node.
        name: What the node is, in a few words.
        cites: The inequality that leads here from the node before, such as one of `FACTS`; empty at the start.
        claim: Label of the claim that states this step, or that it is an instance of, if one does.
    """

    value: Side
    name: str
    cites: str = ""
    claim: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Derivation:
    """A chain of steps on a domain, with points at which the report draws its waterfall.

    Example:
        >>> import sympy as sp
        >>> from boundaudit import Derivation, Domain, Reals, Step
        >>> x = sp.Symbol("x", positive=True)
        >>> chain = Derivation(
        ...     label="example.chain",
        ...     title="Two steps",
        ...     steps=(Step(x, "start"), Step(2 * x, "doubled", "0 ≤ x"), Step(3 * x, "end", "0 ≤ x")),
        ...     domain=Domain({x: Reals(1, 2)}),
        ...     samples={"one": {"x": 1}},
        ... )
        >>> chain.measure(points=10, seed=0, device="cpu").samples[0].factors
        [2.0, 1.5]

    Attributes:
        label: Unique name, in the same space as claims.
        title: One line for the report.
        steps: The nodes, the start first.
        domain: Where the chain is claimed.
        samples: Named points for the waterfalls.
        paper: Short citation.
        place: Canonical references.
    """

    label: str
    title: str
    steps: tuple[Step, ...]
    domain: Domain
    samples: Mapping[str, Point]
    paper: str = ""
    place: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """A list stands for a vector, and ``"1/3"`` for the fraction, as in JSON."""
        object.__setattr__(self, "samples", {title: from_json(point) for title, point in self.samples.items()})
        steps = (word for step in self.steps for word in (step.name, step.cites))
        require_visible(self.label, self.title, self.paper, *self.place, *self.samples, *steps)

    def measure(self, *, points: int, seed: int, device: str) -> Waterfall:
        """Measure every node at the sample points and on random points of the domain.

        Args:
            points: How many points of the domain give the ranges of the factors.
            seed: The run's seed.
            device: Where quantities are measured.

        Returns:
            Values at the sample points, the range of each step's factor, and whether each step held.

        Raises:
            InputError: where a node is not positive: what a step loses is a ratio.
        """
        drawn = self.domain.sample(points, generator(seed, self.label, "derivation"))
        named = _values(self.steps, list(self.samples.values()), device)
        for step, row in zip(self.steps, named, strict=True):
            wrong = row[~(np.isfinite(row) & (row > 0))]
            if wrong.size:
                got = f"{wrong[0]:g} for “{step.name}”"
                raise InputError(self.label, "nodes that are positive and finite", got, "name other samples")
        spread = np.concatenate([named, _values(self.steps, drawn, device)], axis=1)
        positive = spread[:, (np.isfinite(spread) & (spread > 0)).all(0)]
        samples = [_sample(title, point, named[:, i]) for i, (title, point) in enumerate(self.samples.items())]
        holds = [_holds(*pair, *rows) for pair, rows in zip(self._pairs(), itertools.pairwise(spread), strict=True)]
        factors = positive[1:] / positive[:-1]
        return Waterfall(self.label, samples, [_range(row) for row in factors], holds, spread.shape[1])

    def _pairs(self) -> list[tuple[Step, Step]]:
        return list(itertools.pairwise(self.steps))

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that its steps cite."""
        return tuple(dict.fromkeys(step.claim for step in self.steps if step.claim is not None))

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts of textbooks that its other steps cite."""
        return tuple(dict.fromkeys(step.cites for step in self.steps if step.claim is None and step.cites in FACTS))

    @property
    def outline(self) -> list[list[str]]:
        """What each step leads to, why, and the claim that it cites, if any."""
        return [[step.name, _why(step), step.claim or ""] for step in self.steps[1:]]

    @property
    def meaning(self) -> list[Any]:
        """What evidence that stands on the chain is bound to."""
        return [[meaning(step.value), step.cites, step.claim] for step in self.steps]

    def gaps(self, claim: Claim, is_proved: Callable[[str], bool]) -> Iterator[str]:
        """What the chain lacks to prove a claim.

        Args:
            claim: The claim, without cases.
            is_proved: Whether the claim of a label, with all its cases, is proved.

        Yields:
            A line each; none where it is a proof.
        """
        ends = (self.steps[0].value, self.steps[-1].value)
        sides = (claim.left, claim.right) if claim.relation == "<=" else (claim.right, claim.left)
        if claim.relation == "=" or [meaning(end) for end in ends] != [meaning(side) for side in sides]:
            yield "it does not lead from one side of the inequality to the other"
        if self.domain != claim.domain:
            yield "it speaks of another domain"
        for step in self.steps[1:]:
            if step.claim is None and step.cites not in FACTS:
                yield f"the step to “{step.name}” is no claim, and no fact of textbooks"
            if step.claim is not None and not is_proved(step.claim):
                yield f"the step to “{step.name}” rests on {step.claim}, which is not proved"

    def describe(self) -> Outline:
        """What the chain says, for reports.

        Returns:
            Title, place, domain and nodes.
        """
        text = " → ".join(step.name for step in self.steps)
        nodes = [Node(step.name, _shown(step.value), step.cites, step.claim) for step in self.steps]
        return Outline(self.label, self.title, self.paper, list(self.place), self.domain.sentence(), text, nodes)


@functools.cache
def measured_once(chain: Derivation, points: int, seed: int, device: str) -> Waterfall:
    """What `Derivation.measure` finds, once in a process: a claim that it proves and its waterfall share it.

    Returns:
        As `Derivation.measure`.
    """
    return chain.measure(points=points, seed=seed, device=device)


def _values(steps: Sequence[Step], points: Sequence[Point], device: str) -> Array:
    """All nodes at all points, shape (nodes, points); one that was drawn twice is measured once."""
    distinct = {frozenset(point.items()): point for point in points}
    values = np.stack([side_values(step.value, list(distinct.values()), device) for step in steps])
    place = {key: n for n, key in enumerate(distinct)}
    return values[:, [place[frozenset(point.items())] for point in points]]


def _why(step: Step) -> str:
    fact = FACTS.get(step.cites)
    return step.cites if fact is None or step.claim is not None else f"{step.cites}: {fact}"


def _shown(value: Side) -> str:
    """A node in LaTeX; a formula that would fill a page is left to its name."""
    latex = side_latex(value)
    return latex if len(latex) <= _LONGEST else r"\ldots"


def _holds(before: Step, after: Step, left: Array, right: Array) -> bool:
    """Whether a step held wherever both nodes have a value; one that is an equality, both ways."""
    sides = [step.value for step in (before, after) if isinstance(step.value, Quantity)]
    budget, scale = (max((getattr(side, name) for side in sides), default=0.0) for name in ("rounding", "scale"))
    with np.errstate(invalid="ignore"):
        excess = (left - right) / np.maximum(np.maximum(np.abs(left), np.abs(right)), max(scale, np.finfo(float).tiny))
    excess = np.abs(excess) if after.claim is None and after.cites in EQUALITIES else excess
    return not (excess > max(budget, 1e-12)).any()


def _sample(title: str, point: Point, values: Array) -> Sample:
    return Sample(title, to_json(point), values.tolist(), (values[1:] / values[:-1]).tolist())


def _range(factors: Array) -> Factor:
    return Factor(float(factors.min()), float(factors.max()), float(np.exp(np.mean(np.log(factors)))))
