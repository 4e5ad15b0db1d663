"""How far one attention layer moves: the published 1 + 4B, the sharp B + √(1 + B²), and maps that are perturbed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import COMPARATOR, head
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Range, Reals, Vector
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, Shared, by_columns
from boundaudit.derivations.covering import layer as theory
from boundaudit.derivations.covering.layer import a_head, e_att, i_att, j_att, k_att, m_att, p_att, q_att, v_head, x_att
from boundaudit.derivations.covering.path import Motion
from boundaudit.derivations.covering.symbols import B_cov, T_cov, seed_cov
from boundaudit.numeric.covering import head as attention
from boundaudit.numeric.covering import path as motions

_claim = functools.partial(Claim, paper=COMPARATOR, place=("Layer Lipschitz constant",))
_LARGE = Reals(0, tested_to=16)


def generator(at: Columns) -> torch.Generator:
    """The draws of a batch of one seed: they are its points' alike, so that no value depends on the batch."""
    return torch.Generator().manual_seed(int(at.whole("seed_cov")[0]))


published = _claim(
    label="covering.layer.published",
    statement="Take a layer of attention on rows in the unit ball, with ‖W_QK‖ ≤ B and value and output maps of norm "
    "one. It is (1 + 4B)-Lipschitz in the largest length of a row, whatever the number of tokens: its largest slope "
    "is B + √(1 + B²).",
    role="printed",
    left=theory.SHARP,
    right=theory.PUBLISHED,
    domain=Domain({B_cov: Reals(0)}),
    rests_on=("covering.softmax.published", "covering.layer.sharp"),
    expected="proved",
    reading="plausible",
)

# --- means under attention ---------------------------------------------------------------------------

_WEIGHTS: dict[Any, Range] = {k_att: Integers(1, tested_to=4), p_att: Vector(k_att, Reals(0, 1))}
_ONE = sp.Eq(theory.mean(lambda _: 1), 1)
_NUMBERS = Domain({**_WEIGHTS, x_att: Vector(k_att, Reals(tested_to=4))}, where=[_ONE])
_UNITS = Domain({**_WEIGHTS, x_att: Vector(k_att, Reals(-1, 1))}, where=[_ONE])
_PAIRS = Domain({**_NUMBERS.ranges, q_att: Vector(k_att, Reals(-1, 1))}, where=[_ONE])


def _under_attention(label: str, statement: str, domain: Domain, sample: Point, *steps: Step) -> Claim:
    return _claim(
        label=f"covering.layer.{label}", statement=statement, left=steps[0].value, right=steps[-1].value,
        domain=domain, expected="proved",
        derivation=Derivation(
            label=f"covering.layer.{label}.steps", title=statement, steps=steps, domain=domain,
            samples={"two tokens": {"k_att": 2, "p_att": (0.25, 0.75), **sample}}, paper=COMPARATOR,
            place=("Layer Lipschitz constant",),
        ),
    )  # fmt: skip


deviations = _claim(
    label="covering.layer.deviations",
    statement="Mean squared deviations under attention are not negative.",
    left=sp.S.Zero,
    right=theory.DEVIATIONS,
    domain=Domain({**_WEIGHTS, x_att: Vector(k_att, Reals(tested_to=4)), m_att: Reals(tested_to=4)}),
    expected="proved",
)

part = _claim(
    label="covering.layer.part",
    statement="The square of a part of a number is at most that of the number.",
    left=(m_att * e_att) ** 2,
    right=m_att**2,
    domain=Domain({m_att: Reals(tested_to=4), e_att: Reals(-1, 1)}),
    expected="proved",
)

root_mean_square = _under_attention(
    "root-mean-square", "A mean under attention is at most the root of the mean square.", _NUMBERS, {"x_att": (2, 1)},
    Step(theory.MEAN, "mean"),
    Step(sp.sqrt(theory.MEAN_SQUARE), "root mean square", "Jensen", Instance(deviations.label, {m_att: theory.MEAN})),
)  # fmt: skip

variance = _under_attention(
    "variance", "Numbers between -1 and 1 have under attention a variance of at most one.", _UNITS,
    {"x_att": (-1, 1)},
    Step(theory.VARIANCE, "variance"),
    Step(theory.MEAN_SQUARE - theory.MEAN**2, "mean square less squared mean"),
    Step(sp.S.One, "one", "x² ≤ 1",
         Instance(part.label, {m_att: 1, e_att: x_att[i_att]}, over=(i_att, 1, k_att), weight=p_att[i_att])),
)  # fmt: skip

covariance = _under_attention(
    "covariance", "The mean under attention of numbers times others between -1 and 1 is at most the root of their mean "
    "square.", _PAIRS, {"x_att": (2, 1), "q_att": (1, 0.5)},
    Step(theory.COVARIANCE, "mean product"),
    Step(sp.sqrt(theory.MEAN_SQUARE), "root mean square", "Cauchy-Schwarz", (
        Instance(root_mean_square.label, {x_att: lambda i: x_att[i] * q_att[i]}),
        Instance(part.label, {m_att: x_att[i_att], e_att: q_att[i_att]}, over=(i_att, 1, k_att), weight=p_att[i_att]),
    )),
)  # fmt: skip

# --- the derivative of a head --------------------------------------------------------------------------


def _steepest(at: Columns) -> Mapping[str, Tensor]:
    """What the derivative is made of where ascent finds its largest slope."""
    kinds = int(at.whole("k_att")[0])
    found = attention.steepest(kinds, at.real("T_cov"), at.real("B_cov"), generator(at))
    return {
        "p": found.weights, "g": found.parts, "xi": found.centred, "n": found.moved, "q": found.answers,
        "a": found.asked.norm(dim=-1, keepdim=True), "c": (found.asked * found.along).sum(-1),
        "slope": found.differentiated(),
    }  # fmt: skip


_AT = Shared(_steepest, ("k_att", "seed_cov"), "T_cov", "B_cov")
_P = _AT.family("p", "weights of tokens", "p", k_att, Reals(0, 1))
_G = _AT.family("g", "parts of tokens along the output's direction", "g", k_att, Reals(-1, 1))
_XI = _AT.family("xi", "those less their mean", r"\xi", k_att, Reals())
_N = _AT.family("n", "how far the output follows each token", "n", k_att, Reals(0))
_Q = _AT.family("q", "answers of tokens to the query's motion", "q", k_att, Reals(-1, 1))
_A = _AT.family("a", "length of the attention's query", "a", 1, Reals(0, B_cov))[1]
_DOT = _AT.quantity("c", "the query's part along the output's direction", "c")
_SLOPE = _AT.quantity("slope", "largest slope that gradient ascent finds", r"\sup \|\partial y\|")

_ATTACKS = Domain({
    B_cov: _LARGE, k_att: Integers(1, tested_to=4), T_cov: Integers(1, tested_to=10**6), seed_cov: Integers(0, 1),
})  # fmt: skip


def _mean(term: Callable[[Any], Any]) -> sp.Expr:
    return sp.Sum(_P[i_att] * term(i_att), (i_att, 1, k_att))


_FOLLOWED, _TURNED, _SPREAD = _mean(lambda i: _N[i]), _mean(lambda i: _XI[i] * _Q[i]), _mean(lambda i: _XI[i] ** 2)
_OF_PARTS = sp.Sum(_P[j_att] * _G[j_att], (j_att, 1, k_att))
_axiom = functools.partial(_claim, role="axiom", relation="=", domain=_ATTACKS)

derivative = _axiom(
    label="covering.layer.derivative",
    statement="With weights p, a direction u of the output, ξ = uᵀx less its mean and w the direction of Wᵀ Σ p ξ x, "
    "the largest uᵀdy under |dx|, |dz| ≤ 1 is Σ p ‖u + ξ W z‖ + Σ p ξ xᵀW w: the chain rule, by automatic "
    "differentiation.",
    left=_SLOPE,
    right=_FOLLOWED + B_cov * _TURNED,
)

weighed = _axiom(
    label="covering.layer.weighed",
    statement="The weights of a softmax add up to one.",
    left=_mean(lambda _: 1),
    right=sp.S.One,
)

centred = _axiom(
    label="covering.layer.centred",
    statement="Numbers less their mean under attention have the mean zero; one is added to each.",
    left=_mean(lambda i: 1 + _XI[i]),
    right=sp.S.One,
)

spread = _axiom(
    label="covering.layer.spread",
    statement="The mean square of numbers less their mean under attention, written out.",
    left=_SPREAD,
    right=_mean(lambda i: (_G[i] - _OF_PARTS) ** 2),
)

squares = _axiom(
    label="covering.layer.squares",
    statement="The square of ‖u + ξ W z‖, u of length one, written out in the mean.",
    left=_mean(lambda i: _N[i] ** 2),
    right=_mean(lambda i: 1 + 2 * _DOT.atom * _XI[i] + _A**2 * _XI[i] ** 2),
)

_AVERAGES = {p_att: _P}

sharp = _claim(
    label="covering.layer.sharp",
    statement="Take a head of attention on tokens in the unit ball, with ‖W_QK‖ ≤ B and value and output maps of "
    "norm one. Its output moves by at most B + √(1 + B²) times what tokens and query move by, whatever the number of "
    "tokens. No smaller constant holds where the query is free. This is for every arrangement of tokens; measured "
    "are those that gradient ascent finds, with up to a million copies of a token.",
    left=_SLOPE,
    right=theory.SHARP,
    domain=_ATTACKS,
    improves=published.label,
    expected="proved",
    limitations=("To first order, and so along every path.",),
    derivation=Derivation(
        label="covering.layer.sharp.steps",
        title="The derivative of a head of attention",
        steps=(
            Step(_SLOPE, "derivative"),
            Step(_FOLLOWED + B_cov * _TURNED, "tokens and query apart", "chain rule", derivative.label),
            Step(
                sp.sqrt(_mean(lambda i: _N[i] ** 2)) + B_cov * sp.sqrt(_SPREAD), "root mean squares", "Cauchy-Schwarz",
                (weighed.label, Instance(root_mean_square.label, {**_AVERAGES, x_att: _N}),
                 Instance(covariance.label, {**_AVERAGES, x_att: _XI, q_att: _Q})),
            ),
            Step(sp.sqrt(1 + _A**2 * _SPREAD) + B_cov * sp.sqrt(_SPREAD), "the cross term vanishes", "ξ has mean zero",
                 (weighed.label, centred.label, squares.label, Instance("sharpness.averages.root", {
                     "e_av": sp.sqrt(_mean(lambda i: _N[i] ** 2)), "x_av": 1 + _A**2 * _SPREAD,
                 }))),
            Step(theory.SHARP, "B + √(1 + B²)", "a variance of at most one", (
                weighed.label, spread.label, Instance(variance.label, {**_AVERAGES, x_att: _G}),
                Instance(deviations.label, {**_AVERAGES, x_att: _XI, m_att: 0}),
                Instance("covering.layer.parts", {a_head: _A, v_head: _SPREAD}),
            )),
        ),
        domain=_ATTACKS,
        samples={"a million copies, B = 1": {"B_cov": 1, "k_att": 4, "T_cov": 10**6, "seed_cov": 0}},
        paper=COMPARATOR,
        place=("Layer Lipschitz constant",),
    ),
)  # fmt: skip

# --- a layer ---------------------------------------------------------------------------------------------


def _farthest(at: Columns) -> Mapping[str, Tensor]:
    """What the row of a layer that moves farthest is made of, where ascent finds the largest quotient."""
    kinds = int(at.whole("k_att")[0])
    found = motions.farthest(*attention.stretched(kinds, at.real("T_cov"), at.real("B_cov"), generator(at)))
    along, across = found.steps
    return {
        "quotient": found.distance / found.longest, "distance": found.distance, "lengths": found.longest[:, None],
        "weights": found.weights, "parts": found.parts, "along": along, "across": across, "turns": found.turns,
        "query": torch.stack([found.ahead, found.aside], -1),
    }  # fmt: skip


_ROWS = Shared(_farthest, ("k_att", "seed_cov"), "T_cov", "B_cov")
_QUOTIENT = _ROWS.quantity(
    "quotient", "largest quotient that gradient ascent finds",
    r"\frac{\|f(X) - f(X')\|_{2,\infty}}{\|X - X'\|_{2,\infty}}",
)  # fmt: skip
_MEAN_MOVES = _ROWS.quantity("distance", "how far the farthest output moves", "y", nonnegative=True).atom
_LONGEST = _ROWS.family("lengths", "how far a row moves at most", r"\delta", 1, Reals(0, open_low=True))[1]


def _of_rows(part: str, name: str, latex: str, entries: Reals | None = None, length: Any = k_att) -> Any:
    return _ROWS.family(part, name, latex, length, entries or Reals(-1, 1), scale=1.0)


_ASKED = _of_rows("query", "the query's part along the output's motion, and its rest", "a", Reals(), 2)
_MOTION = Motion(
    k_att, _of_rows("weights", "weights of the layer's rows", "p", Reals(0, 1, open_low=True)),
    _of_rows("parts", "parts of rows along the output's motion", "g"),
    _of_rows("along", "motions of rows along it, in units of the longest", "h"),
    _of_rows("across", "motions of rows along the rest of the query", "r"),
    _of_rows("turns", "changes of scores by the query's turn, in units of the most", "k"), _ASKED[1], _ASKED[2],
    _LONGEST, B_cov * _LONGEST,
)  # fmt: skip
_of_layer = functools.partial(_claim, role="axiom", domain=_ATTACKS)

quotient = _of_layer(
    label="covering.layer.quotient",
    statement="The quotient is how far the farthest output moves over how far a row does at most.",
    left=_QUOTIENT,
    relation="=",
    right=_MEAN_MOVES / _LONGEST,
)

pooled = _of_layer(
    label="covering.layer.pooled",
    statement="How far an output moves is by how much its part along that way rises: rows with the weights of their "
    "softmax, and moved rows with weights whose logarithms changed as the scores did.",
    left=_MEAN_MOVES,
    relation="=",
    right=_MOTION.after - _MOTION.before,
)

moved = _of_layer(
    label="covering.layer.moved",
    statement="The parts of a row's motion along two directions at right angles are together at most as long as the "
    "motion.",
    left=_MOTION.lengths,
    right=k_att,
)

within = _of_layer(
    label="covering.layer.within",
    statement="The moved rows are in the unit ball.",
    left=_MOTION.reached,
    right=k_att,
)

asked = _of_layer(
    label="covering.layer.asked",
    statement="The query of a row in the unit ball has a length of at most B = ‖W_QK‖.",
    left=_ASKED[1] ** 2 + _ASKED[2] ** 2,
    right=B_cov**2,
)

rows = _claim(
    label="covering.layer.rows",
    statement="A layer of attention whose rows lie in the unit ball and are each a query to all rows, ‖W_QK‖ = B, is "
    "(B + √(1 + B²))-Lipschitz in the largest length of a row, whatever the number of rows. Attacked with up to a "
    "million copies of a row.",
    left=_QUOTIENT,
    right=theory.SHARP,
    domain=_ATTACKS,
    expected="proved",
    limitations=("The derivative's bound all along the way from X to X'.",),
    derivation=Derivation(
        label="covering.layer.rows.steps",
        title="How far a layer moves for how far its rows do",
        steps=(
            Step(_QUOTIENT, "quotient"),
            Step(_MEAN_MOVES / _LONGEST, "of the farthest row", "", quotient.label),
            Step((_MOTION.after - _MOTION.before) / _LONGEST, "mean at last less mean at first", "", pooled.label),
            Step((_LONGEST * sp.sqrt(1 + B_cov**2) + B_cov * _LONGEST) / _LONGEST, "δ √(1 + B²) + B δ",
                 "all along the way", (moved.label, within.label, asked.label,
                                       Instance("covering.path.whole", _MOTION.instance))),
            Step(theory.SHARP, "B + √(1 + B²)"),
        ),
        domain=_ATTACKS,
        samples={"a million copies, B = 1": {"B_cov": 1, "k_att": 4, "T_cov": 10**6, "seed_cov": 0}},
        paper=COMPARATOR,
        place=("Layer Lipschitz constant",),
    ),
)  # fmt: skip

attained = _claim(
    label="covering.layer.attained",
    statement="Two opposite unit tokens of equal weight, W_QK = B·1 and a query at right angles to them have the slope "
    "B + √(1 + B²): the sharp constant of a layer of attention is attained with two tokens.",
    left=Quantity(
        "slope at two opposite tokens", by_columns(attention.attained, "B_cov"), r"\|\partial y\|", scale=1.0
    ),
    relation="=",
    right=theory.SHARP,
    domain=Domain({B_cov: _LARGE}),
)


parts = _claim(
    label="covering.layer.parts",
    statement="The two parts √(1 + a² v) and B √v of a pooled token's derivative add up to at most B + √(1 + B²), "
    "where the query has length a ≤ B and the tokens in the unit ball a variance v ≤ 1.",
    left=theory.PARTS,
    right=theory.SHARP,
    domain=Domain({B_cov: Reals(0), a_head: Reals(0, B_cov), v_head: Reals(0, 1)}),
    kind="Tight",
    equality=({"B_cov": 1, "a_head": 1, "v_head": 1},),
    expected="proved",
)

through_softmax = _claim(
    label="covering.layer.halved",
    statement="B + √(1 + B²) is at most 1 + 2B, which the published argument gives with the softmax's sharp constant, "
    "for every B ≥ 0.",
    left=theory.SHARP,
    right=theory.WITH_SHARP_SOFTMAX,
    domain=Domain({B_cov: Reals(0)}),
    kind="Tight",
    equality=({"B_cov": 0},),
    rests_on=(sharp.label, "covering.softmax.sharp"),
    expected="proved",
)


# --- maps that are perturbed -----------------------------------------------------------------------

_perturbed = functools.partial(
    _claim, left=head.DIFFERENCE, domain=head.PERTURBED, place=("Head capacity",), expected="proved"
)

perturbation = _perturbed(
    label="covering.layer.perturbation.published",
    statement="Let the four maps of an attention head on tokens in the unit ball err by ε_QK, ε_V, ε_C and ε_w on "
    "their inputs. With ReLU, the scalar output errs by at most ε_w + B_w ε_C + B_w B_C ε_V + 2 B_w B_C B_V ε_QK, "
    "whatever the number of tokens; the B are the norms of their maps.",
    role="printed",
    right=head.added_up(2),
    rests_on=("covering.softmax.published",),
    reading="plausible",
    derivation=head.published(),
)

perturbation_sharp = _perturbed(
    label="covering.layer.perturbation.sharp",
    statement="Let the four maps of an attention head on tokens in the unit ball err by ε_QK, ε_V, ε_C and ε_w on "
    "their inputs. With ReLU, the scalar output errs by at most ε_w + B_w ε_C + B_w B_C ε_V + B_w B_C B_V ε_QK, "
    "whatever the number of tokens; the B are the norms of their maps.",
    right=head.added_up(1),
    improves=perturbation.label,
    derivation=head.sharp(),
)

PROVED = (root_mean_square, variance, covariance, sharp, rows, perturbation, perturbation_sharp)
proofs = tuple(stated.derivation for stated in PROVED)
