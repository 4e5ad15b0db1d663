"""The theorem from the Rademacher complexity to the risk, proved for finite classes and laws, step by step."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import COMPARATOR, PAPER
from boundaudit.checks.covering.exact import family, quantity
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Matrix, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.derivations.covering import generalization as theory
from boundaudit.derivations.covering.dudley import m_dud
from boundaudit.derivations.covering.generalization import (
    F_gen,
    h_gen,
    n_gen,
    p_gen,
    q_gen,
    r_gen,
    s_gen,
    t_gen,
    x_gen,
    z_gen,
)
from boundaudit.numeric.covering import generalization as exact
from boundaudit.numeric.covering.generalization import Sampling

_claim = functools.partial(Claim, paper=PAPER, place=("Generalization theorem",))
_UNIT = Reals(0, 1)
_LAW: dict[Any, Range] = {q_gen: Integers(2, tested_to=3), p_gen: Vector(q_gen, _UNIT)}
_ONE = sp.Eq(theory.TOTAL, 1)
_DOMAIN = Domain(
    {
        m_dud: Integers(1, tested_to=3), n_gen: Integers(1, tested_to=3), **_LAW, F_gen: Matrix(n_gen, q_gen, _UNIT),
        t_gen: Reals(0, tested_to=1),
    },
    where=[_ONE],
)  # fmt: skip
_FINITE = "Finitely many losses and observations; losses in units of b."
_SAMPLES: dict[str, Point] = {
    "a coin or nothing": {
        "m_dud": 2, "n_gen": 2, "q_gen": 2, "p_gen": (0.5, 0.5), "F_gen": ((0, 1), (0, 0)), "t_gen": 0.0625,
    },
}  # fmt: skip

# --- Hoeffding's lemma -----------------------------------------------------------------------------

_COIN = Domain({x_gen: _UNIT, s_gen: Reals(0, tested_to=8)})

chord = _claim(
    label="covering.generalization.chord",
    statement="On [0, 1] the exponential of s x lies below its chord, s ≥ 0.",
    left=sp.exp(s_gen * x_gen),
    right=theory.CHORD,
    domain=_COIN,
    expected="proved",
)

coin = _claim(
    label="covering.generalization.coin",
    statement="The moment generating function of a coin of mean x is at most exp(s x + s²/8), s ≥ 0.",
    left=theory.CHORD,
    right=theory.COIN,
    domain=_COIN,
    expected="proved",
)

_CENTRED = Domain({**_LAW, h_gen: Vector(q_gen, _UNIT), s_gen: Reals(0, tested_to=8)}, where=[_ONE])

hoeffding = _claim(
    label="covering.generalization.hoeffding",
    statement="Hoeffding's lemma: numbers in [0, 1] less their mean have under any law a moment generating function of "
    "at most exp(s²/8), s ≥ 0.",
    left=theory.CENTRED,
    right=theory.HOEFFDING,
    domain=_CENTRED,
    expected="proved",
    derivation=Derivation(
        label="covering.generalization.hoeffding.steps",
        title="Hoeffding's lemma",
        steps=(
            Step(theory.CENTRED, "centred"),
            Step(theory.OWN * theory.MOMENTS, "the mean apart"),
            Step(theory.OWN * theory.CHORD.subs(x_gen, theory.MEAN), "on the chord", "exp is convex",
                 Instance(chord.label, {x_gen: h_gen[z_gen]}, over=(z_gen, 1, q_gen), weight=p_gen[z_gen])),
            Step(theory.HOEFFDING, "as a coin of that mean", "the coin's moments",
                 (Instance("sharpness.averages.mean", {"n_av": q_gen, "a_av": p_gen, "g_av": h_gen}),
                  Instance(coin.label, {x_gen: theory.MEAN}))),
        ),
        domain=_CENTRED,
        samples={"a coin": {"q_gen": 2, "p_gen": (0.5, 0.5), "h_gen": (0, 1), "s_gen": 1}},
        paper=PAPER,
        place=("Generalization theorem",),
    ),
)  # fmt: skip

# --- what is measured --------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def _sampling(samples: int, law: tuple[Any, ...], losses: tuple[tuple[Any, ...], ...]) -> Sampling:
    rows = [[float(entry) for entry in row] for row in (law, *losses)]
    table = torch.tensor(rows, dtype=torch.float64)
    return Sampling(samples, table[0] / table[0].sum(), table[1:].clamp(0, 1))


def _at(point: Point) -> tuple[Sampling, float]:
    return _sampling(int(point["m_dud"]), point["p_gen"], point["F_gen"]), float(point["t_gen"])


def _quantity(name: str, latex: str, of: Callable[[Sampling, float], Tensor]) -> Quantity:
    return quantity(name, latex, lambda point: of(*_at(point)))


def _family(name: str, latex: str, of: Callable[[Sampling, float], Tensor], length: Any, entries: Reals) -> Family:
    return family(name, latex, lambda point: of(*_at(point)), length, entries)


def _event(name: str, latex: str, of: Callable[[Tensor, Tensor, Sampling, float], Tensor]) -> Quantity:
    """The probability that a number made of gaps and complexities of samples is at least zero."""
    return _quantity(
        f"probability that {name}", rf"\mathbb P[{latex}]",
        lambda at, t: exact.chance(at, lambda gaps, sizes: of(gaps, sizes, at, at.samples * t)),
    )  # fmt: skip


_GAP = _quantity("mean of the largest gap, times m", r"\mathbb E \Phi", lambda at, _: at.mean_gap)
_GHOST = _quantity("mean largest difference of two samples", r"\mathbb E \Phi'", lambda at, _: at.ghost)
_SWAPPED = _quantity("the same after fair exchanges", r"\mathbb E \Phi'_\sigma", lambda at, _: at.swapped)
_COMPLEXITY = _quantity("mean complexity, times m", r"m\, \mathfrak R", lambda at, _: at.mean_complexity)

_ABOVE = _event(
    "the gap is at least 2 𝔯 + t", r"\Phi \ge 2 m \mathfrak R + mt",
    lambda gaps, _, at, mt: gaps - 2 * at.mean_complexity - mt,
)  # fmt: skip
_FAR_ABOVE = _event(
    "the gap is at least 2 𝔯 + 2t", r"\Phi \ge 2 m \mathfrak R + 2mt",
    lambda gaps, _, at, mt: gaps - 2 * at.mean_complexity - 2 * mt,
)  # fmt: skip
_BELOW = _event(
    "the sample's complexity is at most 𝔯 - t", r"m \hat{\mathfrak R} \le m \mathfrak R - mt",
    lambda _, sizes, at, mt: at.mean_complexity - sizes - mt,
)  # fmt: skip
_PRINTED = _event(
    "the gap is at least 2 𝔯̂ + 3t", r"\Phi \ge 2 m \hat{\mathfrak R} + 3mt",
    lambda gaps, sizes, _, mt: gaps - 2 * sizes - 3 * mt,
)  # fmt: skip

# --- symmetrization ----------------------------------------------------------------------------------

_axiom = functools.partial(_claim, role="axiom", domain=_DOMAIN, limitations=(_FINITE,))

ghost = _axiom(
    label="covering.generalization.ghost",
    statement="Risks are means over a second sample, and the largest of means is at most the mean of the largest.",
    left=_GAP,
    right=_GHOST,
)

exchanged = _axiom(
    label="covering.generalization.exchanged",
    statement="Exchanging two independent observations of one law changes no mean.",
    left=_GHOST,
    relation="=",
    right=_SWAPPED,
)

apart = _axiom(
    label="covering.generalization.apart",
    statement="The largest of sums is at most the sum of the largest, and coins with their signs changed have the law "
    "of coins.",
    left=_SWAPPED,
    right=2 * _COMPLEXITY.atom,
)


def _steps(label: str, title: str, *steps: Step) -> Derivation:
    return Derivation(
        label=f"{label}.steps", title=title, steps=steps, domain=_DOMAIN, samples=_SAMPLES, paper=PAPER,
        place=("Generalization theorem",),
    )  # fmt: skip


symmetrized = _claim(
    label="covering.generalization.symmetrized",
    statement="The mean over samples of the largest risk less mean loss is at most twice the mean Rademacher "
    "complexity of the losses.",
    left=_GAP,
    right=2 * _COMPLEXITY.atom,
    domain=_DOMAIN,
    expected="proved",
    limitations=(_FINITE,),
    derivation=_steps(
        "covering.generalization.symmetrized", "Symmetrization",
        Step(_GAP, "mean largest gap"),
        Step(_GHOST, "against a second sample", "risks are means", ghost.label),
        Step(_SWAPPED, "exchanged by coins", "one law", exchanged.label),
        Step(2 * _COMPLEXITY.atom, "each sample apart", "the largest of sums", apart.label),
    ),
)  # fmt: skip

# --- McDiarmid ---------------------------------------------------------------------------------------


def _deviating(
    name: str, words: str, latex: str, of: Callable[[Sampling], Tensor], mean: Any, event: Quantity, least: Any
) -> tuple[Claim, Claim, tuple[Step, ...]]:
    """That a function of the sample is at least ``least`` + mt: two axioms, and steps to a bound on the probability."""
    moments = _quantity(
        f"exponential moment of {words}", rf"\mathbb E e^{{4t {latex}}}",
        lambda at, t: at.chances @ torch.exp(4 * t * of(at)),
    )  # fmt: skip
    moves = _family(
        f"what an observation adds to {words}", rf"h^{{{latex}}}", lambda at, _: exact.moves(at, of(at)),
        (theory.ROWS, q_gen), _UNIT,
    )  # fmt: skip
    tilted = _family(
        f"tilted chances of what has been observed of {words}", rf"\omega^{{{latex}}}",
        lambda at, t: exact.tilted(at, of(at), t), theory.ROWS, Reals(0),
    )  # fmt: skip
    rows = (r_gen, 1, theory.ROWS)
    excess = sp.Sum(tilted[r_gen] * theory.centred(lambda z: moves[r_gen, z], 4 * t_gen), rows)
    excess -= theory.STEP * sp.Sum(tilted[r_gen], rows)
    own = sp.exp(2 * m_dud * t_gen**2 + 4 * t_gen * mean)
    threshold = sp.exp(-4 * t_gen * least - 4 * m_dud * t_gen**2)
    markov = _axiom(
        label=f"covering.generalization.markov.{name}",
        statement=f"Markov's inequality for exp(4t Φ), Φ being {words}.",
        left=event,
        right=threshold * moments.atom,
    )
    revealed = _axiom(
        label=f"covering.generalization.revealed.{name}",
        statement=f"With Φ {words}, E exp(4t Φ) is exp(4t E Φ) times the product of conditional moments, observation "
        "after observation: a telescoping sum over what has been observed. An observation adds to a conditional mean a "
        "number from an interval of length one.",
        left=moments.atom - own * excess,
        relation="=",
        right=own,
    )
    steps = (
        Step(event, "probability"),
        Step(threshold * moments.atom, "exponential moment", "Markov", markov.label),
        Step(threshold * own * (1 + excess), "observation by observation", "conditional means", revealed.label),
        Step(threshold * own, "each moves by at most one", "Hoeffding's lemma",
             Instance(hoeffding.label, {h_gen: lambda z: moves[r_gen, z], s_gen: 4 * t_gen}, over=rows,
                      weight=tilted[r_gen])),
    )  # fmt: skip
    return markov, revealed, steps


markov_gap, revealed_gap, _OF_GAP = _deviating(
    "gap", "the largest gap", r"\Phi", lambda at: at.gaps, _GAP.atom, _ABOVE, 2 * _COMPLEXITY.atom
)
markov_size, revealed_size, _OF_SIZE = _deviating(
    "complexity", "minus the complexity", r"-m \hat{\mathfrak R}", lambda at: -at.complexities, -_COMPLEXITY.atom,
    _BELOW, -_COMPLEXITY.atom,
)  # fmt: skip

# --- the theorem -------------------------------------------------------------------------------------

_bound = functools.partial(_claim, domain=_DOMAIN, expected="proved", limitations=(_FINITE,))

one_tail = _bound(
    label="covering.generalization.one-tail",
    statement="For losses in [0, b] the following holds with probability at least 1-δ, for all functions at once. "
    "The risk is at most that on m samples, plus twice the mean Rademacher complexity of the losses, plus b "
    "√(log(1/δ)/(2m)). What bounds the complexity on every sample may stand for its mean. McDiarmid's inequality is "
    "used once.",
    left=_ABOVE,
    right=theory.TAIL,
    improves="covering.generalization.theorem",
    derivation=_steps(
        "covering.generalization.one-tail", "From the complexity to the risk, by McDiarmid's inequality",
        *_OF_GAP,
        Step(theory.TAIL, "δ", "symmetrization", symmetrized.label),
    ),
)  # fmt: skip

complexity = _bound(
    label="covering.generalization.complexity",
    statement="The Rademacher complexity on a sample is with probability at least 1-δ above its mean less b t, "
    "t = √(log(1/δ)/(2m)).",
    left=_BELOW,
    right=theory.TAIL,
    derivation=_steps(
        "covering.generalization.complexity", "A sample's complexity and its mean, by McDiarmid's inequality",
        *_OF_SIZE,
        Step(theory.TAIL, "δ", "collected"),
    ),
)  # fmt: skip

either = _axiom(
    label="covering.generalization.either",
    statement="A gap of 2 𝔯̂ + 3t wants a gap of 2 𝔯 + t, or a complexity 𝔯̂ on the sample of at most 𝔯 - t: a union "
    "bound.",
    left=_PRINTED,
    right=_ABOVE.atom + _BELOW.atom,
)

theorem = _bound(
    label="covering.generalization.theorem",
    statement="For losses in [0, b] the following holds with probability at least 1-δ, for all functions at once. "
    "The risk is at most that on m samples, plus twice the Rademacher complexity of the losses on the sample, plus "
    "3b √(log(2/δ)/(2m)).",
    role="printed",
    reading="plausible",
    left=_PRINTED,
    right=2 * theory.TAIL,
    derivation=_steps(
        "covering.generalization.theorem", "From a sample's complexity to the risk",
        Step(_PRINTED, "probability"),
        Step(_ABOVE.atom + _BELOW.atom, "a gap or a complexity deviates", "union bound", either.label),
        Step(2 * theory.TAIL, "δ", "each at most δ/2", (one_tail.label, complexity.label)),
    ),
)  # fmt: skip

farther = _axiom(
    label="covering.generalization.farther",
    statement="A gap of 2 𝔯 + 2t is one of 2 𝔯 + t.",
    left=_FAR_ABOVE,
    right=_ABOVE,
    paper=COMPARATOR,
    place=("Generalization bound",),
)

comparator = _bound(
    label="covering.generalization.comparator",
    statement="For losses in [0, b] the following holds with probability at least 1-δ, for all functions at once. "
    "The risk is at most that on m samples, plus twice the mean Rademacher complexity of the losses, plus 2b "
    "√(log(1/δ)/(2m)). What bounds the complexity on every sample may stand for its mean.",
    role="printed",
    reading="plausible",
    left=_FAR_ABOVE,
    right=theory.TAIL,
    paper=COMPARATOR,
    place=("Generalization bound",),
    derivation=_steps(
        "covering.generalization.comparator", "With twice the tail",
        Step(_FAR_ABOVE, "probability"),
        Step(_ABOVE, "half of the tail", "a larger event", farther.label),
        Step(theory.TAIL, "δ", "", one_tail.label),
    ),
)  # fmt: skip

PROVED = (hoeffding, symmetrized, one_tail, complexity, theorem, comparator)
proofs = tuple(stated.derivation for stated in PROVED)
