"""A derivation: a chain e0 ≤ e1 ≤ … ≤ en whose every node is measured.

The measured factors e(i+1)/e(i) say where the slack comes from; a factor below one is a step that is false there.

A chain from one side of a claim to the other proves it where the checker accepts every step: from the node before, and
from instances of proved claims and axioms. A chain with a step that only people have read, which is a proved claim or a
fact of textbooks by its words, is an argument: it supports the claim. So does a chain of accepted steps that stands on
what is measured by sampling.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy as sp

from boundaudit import InputError
from boundaudit.checks.evidence.facts import EQUALITIES, FACTS
from boundaudit.checks.evidence.seeds import generator
from boundaudit.checks.evidence.waterfall import Factor, Node, Outline, Sample, Waterfall
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Claim, Quantity, Side, meaning, measured_in, open_form, side_latex
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.language.expression import ONE, Tree, summation
from boundaudit.checks.language.floats import Array, float_column, gross
from boundaudit.checks.language.labels import require_visible
from boundaudit.checks.language.measuring import side_values, table
from boundaudit.checks.language.points import Point, from_json, to_json
from boundaudit.checks.language.printing import text_of
from boundaudit.checks.language.translate import to_tree

_LONGEST = 1500
"""Characters of a node's LaTeX that a report shows."""


@dataclass(frozen=True)
class Instance:
    """A proved claim or an axiom as a step uses it: with expressions in place of its parameters.

    Example:
        >>> x, y, t, n = sp.symbols("x y t n")
        >>> Instance("sharpness.averages.quarter", {"m_av": x * y}).text
        'sharpness.averages.quarter at m_av = x*y'

    Attributes:
        label: The claim, or the case of one.
        at: By parameter, what stands in its place: an expression, and for a vector another vector, or a function from
            an index to an expression. Parameters that are left out stay as they are.
        over: An index and its ends where the instance is summed: Σ weight · left ≤ Σ weight · right.
        weight: What its terms are multiplied by, at least 0.
        along: A real parameter and its ends where the instance speaks of the slope of ``function`` all along it: the
            function then rises from end to end as it says of the slope.
        function: An expression whose derivative by that parameter is left - right.
    """

    label: str
    at: Mapping[Any, Any] = field(default_factory=dict)
    over: tuple[Any, Any, Any] | None = None
    weight: Any = 1
    along: tuple[Any, Any, Any] | None = None
    function: Any = 0

    def __post_init__(self) -> None:
        """What is put in, and an index with its ends, are told where they are none."""
        ends = [ends for ends in (self.over, self.along) if ends is not None]
        if not isinstance(self.at, Mapping) or any(not isinstance(each, tuple) or len(each) != 3 for each in ends):
            expected = "a dictionary of what is put in, and over=(i, 1, n) or along=(s, 0, 1) where there is an index"
            raise InputError(f"Instance of {self.label}", expected, [self.at, *ends], "correct the instance")

    def to_json(self) -> dict[str, Any]:
        """As the checker reads it."""
        use: dict[str, Any] = {"cites": self.label, "map": {str(name): _put(what) for name, what in self.at.items()}}
        if self.over is not None:
            index, low, high = self.over
            use["over"] = {
                "index": str(index), "low": to_tree(low), "high": to_tree(high), "weight": to_tree(self.weight),
            }  # fmt: skip
        if self.along is not None:
            index, low, high = self.along
            use["along"] = {
                "index": str(index), "low": to_tree(low), "high": to_tree(high), "function": to_tree(self.function),
            }  # fmt: skip
        return use

    @property
    def text(self) -> str:
        """In one line."""
        at = ", ".join(f"{name} = {_told(what)}" for name, what in self.at.items())
        total = "" if self.over is None else ", summed over {} = {}…{}".format(*map(_told, self.over))
        weight = "" if self.weight == 1 else f" with weight {_told(self.weight)}"
        way = "" if self.along is None else ", all along {} = {}…{}".format(*map(_told, self.along))
        return f"{self.label}{' at ' + at if at else ''}{total}{weight}{way}"


_ENTRY = sp.Symbol("t", integer=True, positive=True)


def _put(what: Any) -> Tree:
    """What stands in place of a parameter; of a vector, its entry at the index ``("b", 0)``."""
    vector = isinstance(what, (Family, sp.IndexedBase))
    if not vector and not callable(what):
        return to_tree(what)
    entry = to_tree(what[_ENTRY] if vector else what(_ENTRY))
    body: Tree = summation(_ENTRY.name, ONE, ONE, entry)[3]
    return body


def _told(what: Any) -> str:
    if isinstance(what, Family):
        return what.name
    put = what(_ENTRY) if callable(what) and not isinstance(what, sp.Basic) else what
    return text_of(put) if isinstance(put, sp.Basic) else str(put)


@dataclass(frozen=True)
class Step:
    """One node of a chain.

    Example:
        >>> Step(3, "the bound", "Jensen's inequality", "example.jensen").claims
        ('example.jensen',)

    Attributes:
        value: The expression at this node, with atoms or without, or a quantity.
        name: What the node is, in a few words.
        cites: Why the node before leads here, in a few words; empty at the start.
        uses: The claims and axioms that this step is shown from: labels, or instances of them; one may stand alone.
    """

    value: Side
    name: str
    cites: str = ""
    uses: Any = ()

    def __post_init__(self) -> None:
        """One claim may stand without a tuple around it."""
        uses = () if self.uses is None else (self.uses,) if isinstance(self.uses, (str, Instance)) else self.uses
        object.__setattr__(self, "uses", tuple(Instance(use) if isinstance(use, str) else use for use in uses))

    @property
    def claims(self) -> tuple[str, ...]:
        """The labels that it uses."""
        return tuple(use.label for use in self.uses)


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
        if not isinstance(self.steps, (tuple, list)) or not all(isinstance(step, Step) for step in self.steps):
            raise InputError(f"{self.label}.steps", "a tuple of Step(value, name)", self.steps, "correct the chain")
        if not isinstance(self.samples, Mapping):
            raise InputError(f"{self.label}.samples", "named points, or {} for none", self.samples, "correct the chain")
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
        spread, rounded = _values(self.steps, [*self.samples.values(), *drawn], device)
        named = spread[:, : len(self.samples)]
        for step, row in zip(self.steps, named, strict=True):
            wrong = row[~(np.isfinite(row) & (row > 0))]
            if wrong.size:
                got = f"{wrong[0]:g} for “{step.name}”"
                raise InputError(self.label, "nodes that are positive and finite", got, "name other samples")
        positive = spread[:, (np.isfinite(spread) & (spread > 0)).all(0)]
        if not positive.size:
            expected = "a point where all nodes are positive and finite"
            raise InputError(f"{self.label}.samples", expected, "none, and none was drawn", "name one")
        samples = [_sample(title, point, named[:, i]) for i, (title, point) in enumerate(self.samples.items())]
        valued = np.isfinite(spread[[0, -1]]).all(0)
        # Where nothing is measured, a node near zero is rounded like the largest one beside it.
        largest = np.where(np.isfinite(spread), np.abs(spread), 0.0).max(0)
        scale = self.scale if any(measured_in(step.value) for step in self.steps) else largest
        holds = [
            _holds(*pair, *rows, scale, np.fmax(*errors)) and bool(np.isfinite(rows)[:, valued].all())
            for pair, rows, errors in zip(
                self._pairs(), itertools.pairwise(spread), itertools.pairwise(rounded), strict=True
            )
        ]
        factors = positive[1:] / positive[:-1]
        return Waterfall(self.label, samples, [_range(row) for row in factors], holds, spread.shape[1])

    def _pairs(self) -> list[tuple[Step, Step]]:
        return list(itertools.pairwise(self.steps))

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that its steps cite."""
        return tuple(dict.fromkeys(label for step in self.steps for label in step.claims))

    @property
    def facts(self) -> tuple[str, ...]:
        """The facts of textbooks that its other steps cite."""
        return tuple(dict.fromkeys(step.cites for step in self.steps if not step.uses and step.cites in FACTS))

    @property
    def outline(self) -> list[list[str]]:
        """What each step leads to, why, what it uses, and the node's formula."""
        return [[s.name, _why(s), "; ".join(use.text for use in s.uses), _shown(s.value)] for s in self.steps]

    @property
    def first(self) -> Tree:
        """The first node as proofs see it."""
        return open_form(self.steps[0].value)

    @property
    def links(self) -> list[tuple[Tree, str, list[dict[str, Any]]]]:
        """The steps as proofs see them: the node that each leads to, its name, and what it uses."""
        return [(open_form(s.value), s.name, [use.to_json() for use in s.uses]) for s in self.steps[1:]]

    @property
    def rounding(self) -> float:
        """The largest error budget of what is measured in its nodes."""
        return max((part.rounding for step in self.steps for part in measured_in(step.value)), default=0.0)

    @property
    def scale(self) -> float:
        """The size of the numbers that a node near zero is computed from."""
        return max((part.scale for step in self.steps for part in measured_in(step.value)), default=0.0)

    @property
    def meaning(self) -> list[Any]:
        """What evidence that stands on the chain is bound to."""
        return [[meaning(step.value), step.cites, [use.to_json() for use in step.uses]] for step in self.steps]

    def misfits(self, claim: Claim) -> Iterator[str]:
        """Why the chain does not lead from one side of a claim to the other on its domain; nothing where it does."""
        ends = (self.steps[0].value, self.steps[-1].value)
        sides = (claim.right, claim.left) if claim.relation == ">=" else (claim.left, claim.right)
        if [meaning(end) for end in ends] != [meaning(side) for side in sides]:
            yield "it does not lead from one side of the inequality to the other"
        if self.domain != claim.domain:
            yield "it speaks of another domain"
        for title, point in self.samples.items():
            if set(point) == set(self.domain.ranges) and self.domain.contains(point) is False:
                yield f"its sample “{title}” lies outside the domain"

    def gaps(self, is_proved: Callable[[str], bool]) -> Iterator[str]:
        """What the chain lacks to be an argument; ``is_proved`` says whether a label is proved, or argued for."""
        for step in self.steps[1:]:
            if not step.uses and step.cites not in FACTS:
                yield f"the step to “{step.name}” is no claim, and no fact of textbooks"
            for label in step.claims:
                if not is_proved(label):
                    yield f"the step to “{step.name}” rests on {label}, which is not proved"

    def describe(self) -> Outline:
        """What the chain says, for reports."""
        text = " → ".join(step.name for step in self.steps)
        nodes = [Node(step.name, _shown(step.value), step.cites, ", ".join(step.claims) or None) for step in self.steps]
        return Outline(self.label, self.title, self.paper, list(self.place), self.domain.sentence(), text, nodes)


@functools.cache
def measured_once(chain: Derivation, points: int, seed: int, device: str) -> Waterfall:
    """What `Derivation.measure` finds, once in a process: a claim that it proves and its waterfall share it."""
    return chain.measure(points=points, seed=seed, device=device)


ULPS = 1e-13
"""What rounding may make of a formula, relative to its terms: some hundred units in the last place."""


def _values(steps: Sequence[Step], points: Sequence[Point], device: str) -> tuple[Array, Array]:
    """All nodes at all points, a point drawn twice measured once, and their rounding, shape (nodes, points) each."""
    distinct = {frozenset(point.items()): point for point in points}
    found = np.stack([_rounded(step.value, list(distinct.values()), device) for step in steps], axis=1)
    place = {key: n for n, key in enumerate(distinct)}
    values, rounded = found[..., [place[frozenset(point.items())] for point in points]]
    return values, rounded


def _rounded(value: Side, points: Sequence[Point], device: str) -> Array:
    """A node, and what rounding may make of a formula whose terms cancel, shape (2, points)."""
    if isinstance(value, Quantity):
        return np.stack([side_values(value, points, device), np.zeros(len(points))])
    tree, known = to_tree(value), table(value, points, device)
    found = [float_column(of, known, len(points)) for of in (tree, gross(tree))]
    return np.stack([found[0], np.where(np.isfinite(found[1]), ULPS * found[1], 0.0)])


def _why(step: Step) -> str:
    fact = FACTS.get(step.cites)
    return step.cites if fact is None or step.uses else f"{step.cites}: {fact}"


def _shown(value: Side) -> str:
    """A node in LaTeX; a formula that would fill a page is left to its name."""
    latex = side_latex(value)
    return latex if len(latex) <= _LONGEST else r"\ldots"


def _holds(
    before: Step, after: Step, left: Array, right: Array, scale: float | Array, rounded: Array
) -> bool:  # fmt: skip
    """Whether a step held wherever both nodes have a value; one that is an equality, both ways."""
    budget = max((part.rounding for step in (before, after) for part in measured_in(step.value)), default=0.0)
    with np.errstate(invalid="ignore"):
        size = np.maximum.reduce([np.abs(left), np.abs(right), np.broadcast_to(scale, left.shape)])
        excess = left - right
        excess = np.abs(excess) if not after.uses and after.cites in EQUALITIES else excess
        excess = (excess - rounded) / np.maximum(size, np.finfo(float).tiny)
    return not (excess > max(budget, 1e-12)).any()


def _sample(title: str, point: Point, values: Array) -> Sample:
    return Sample(title, to_json(point), values.tolist(), (values[1:] / values[:-1]).tolist())


def _range(factors: Array) -> Factor:
    return Factor(float(factors.min()), float(factors.max()), float(np.exp(np.mean(np.log(factors)))))
