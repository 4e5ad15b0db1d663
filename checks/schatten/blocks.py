"""Two networks whose matrices differ, block by block: from heads to rows, and from rows to the output."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import ROUNDING, Columns, Shared, padded
from boundaudit.checks.schatten import PAPER
from boundaudit.derivations.covering import lengths as vectors
from boundaudit.derivations.covering.lengths import L_len, a_len, b_len, d_len, i_len, r_len, s_len, u_len, v_len, y_len
from boundaudit.derivations.covering.path import Motion
from boundaudit.derivations.covering.symbols import B_cov, T_cov
from boundaudit.derivations.schatten.blocks import d_net, g_net, k_net, l_net
from boundaudit.derivations.schatten.symbols import L_sch, c_sch, seed_sch
from boundaudit.derivations.symbols import symbol
from boundaudit.numeric.covering import path as motions
from boundaudit.numeric.covering.head import copies
from boundaudit.numeric.schatten import composition as nets
from boundaudit.numeric.softmax import longest_row

h_lip = symbol("h_lip", "heads of a block", integer=True, positive=True)
o_nets = symbol("o_nets", "operator norm of the second matrix of each MLP", nonnegative=True)
b_nets = symbol("b_nets", "blocks whose matrices are moved, the first ones", integer=True, positive=True)
e_nets = symbol("e_nets", "logarithm of the operator norm by which every matrix is moved", real=True)

_PLACE = ("Section 4", "Appendix D")
_claim = functools.partial(Claim, paper=PAPER, place=_PLACE)
_ROUNDS = 6


def _perturbed(at: Columns) -> tuple[nets.Weights, nets.Weights, Tensor, Tensor]:
    """Networks, their perturbations in the first blocks, tokens, and the logarithm of how often each stands."""
    layers, heads, kinds, width = (int(at.points[0][name]) for name in ("L_sch", "h_lip", "k_net", "d_net"))
    seeds = at.whole("seed_sch")
    weights = nets.random_weights(seeds, layers, heads, width, at.real("c_sch"), at.real("o_nets"))
    drawn = [
        torch.randn(kinds, width, generator=torch.Generator().manual_seed(int(seed)), dtype=torch.float64)
        for seed in seeds
    ]
    often = copies(at.whole("T_cov"), kinds).to(torch.float64).log()
    start = nets.project(torch.stack(drawn))
    everywhere, tokens = nets.moved(weights, start, often, at.real("e_nets").exp(), _ROUNDS)
    early = torch.arange(layers) < at.whole("b_nets")[:, None]
    second = {
        name: torch.where(early.view(*early.shape, *[1] * (matrix.dim() - 2)), everywhere[name], matrix)
        for name, matrix in weights.items()
    }
    return weights, second, tokens, often


def _networks(at: Columns) -> Mapping[str, Tensor]:
    """Errors before each block and after the last, norms, and what moves the row of each block that moves farthest."""
    first, second, tokens, often = _perturbed(at)
    passes = [nets.blocks(weights, tokens, often) for weights in (first, second)]
    pairs = list(zip(*passes, strict=True))
    rows = [(one.rows, other.rows) for one, other in pairs] + [tuple(nets.project(of.out) for of in pairs[-1])]
    errors = torch.stack([longest_row(one - other) for one, other in rows], 1)
    caps = {f"{name} cap": nets.operator(matrix) for name, matrix in first.items()}
    changes = {f"{name} error": nets.operator(second[name] - matrix) for name, matrix in first.items()}
    at_blocks = [
        _block({name: (first[name][:, n], second[name][:, n]) for name in first}, pair, often, errors[:, n])
        for n, pair in enumerate(pairs)
    ]
    larger = {name: torch.maximum(nets.operator(matrix), nets.operator(second[name])) for name, matrix in first.items()}
    later = {
        "later": nets.later({name: caps[f"{name} cap"] for name in first}, nets.sharp),
        "later printed": nets.later(larger, nets.published),
        **{f"{name} larger": cap for name, cap in larger.items()},
    }
    found = {part: torch.stack([of[part] for of in at_blocks], 1) for part in at_blocks[0]}
    return {"errors": errors, **later, **caps, **changes, **found}


def _block(
    matrices: Mapping[str, tuple[Tensor, Tensor]], pair: tuple[nets.Block, nets.Block], often: Tensor, error: Tensor
) -> dict[str, Tensor]:
    """What moves the row of a block that moves farthest, n of each."""
    one, other = pair
    moved = nets.project(one.out) - nets.project(other.out)
    here = torch.arange(len(moved)), moved.norm(dim=-1).argmax(-1)
    (query, turned), (value, revalue) = matrices["Q"], matrices["V"]
    asked, asked_last = (
        (of.rows[here][:, None, None] @ matrix)[:, :, 0] for of, matrix in zip(pair, (query, turned), strict=True)
    )
    heads = query.shape[:2]
    rows = [of.rows[:, None].expand(*heads, *of.rows.shape[1:]) for of in pair]
    longest = error[:, None].expand(heads)
    largest = nets.operator(query) * longest + nets.operator(turned - query)
    copies_of = often[:, None].expand(*heads, -1)
    motion = motions.Motion(rows[0], rows[1], asked, asked_last, copies_of, longest, largest)
    before, after = motion.pooled
    mixed = [of.mixed[here] for of in pair]
    way = torch.nn.functional.normalize(mixed[1] - mixed[0], dim=-1)[:, None, :, None]
    along, across = motion.steps
    inner, hidden = ([nets.project(of) for of in rows_] for rows_ in (mixed, [of.hidden[here] for of in pair]))
    (m_in, m_in_last), (m_out, m_out_last) = matrices["M_in"], matrices["M_out"]
    return {
        "weights": motion.weights, "parts": motion.parts, "along": along, "across": across, "turns": motion.turns,
        "query": torch.stack([motion.ahead, motion.aside], -1), "distance": motion.distance,
        "by mean": ((after - before)[:, :, None] @ value @ way)[..., 0, 0],
        "by value": (after[:, :, None] @ (revalue - value) @ way)[..., 0, 0],
        "mixed error": (mixed[1] - mixed[0]).norm(dim=-1), "mixed": mixed[0], "remixed": mixed[1],
        "inner error": (inner[1] - inner[0]).norm(dim=-1), "values": one.values[here],
        "by inner": _through(inner[1] - inner[0], m_in), "by m_in": _through(inner[1], m_in_last - m_in),
        "hidden": one.hidden[here], "rehidden": other.hidden[here],
        "hidden error": (hidden[1] - hidden[0]).norm(dim=-1), "out": one.out[here], "reout": other.out[here],
        "by hidden": _through(hidden[1] - hidden[0], m_out), "by m_out": _through(hidden[1], m_out_last - m_out),
    }  # fmt: skip


def _through(rows: Tensor, matrix: Tensor) -> Tensor:
    return (rows[:, None] @ matrix)[:, 0]


NETS = Domain({
    L_sch: Integers(1, tested_to=3), k_net: Integers(1, tested_to=3), T_cov: Integers(k_net, tested_to=10**6),
    d_net: Integers(1, tested_to=2), h_lip: Integers(1, tested_to=2), c_sch: Reals(0, open_low=True, tested_to=16),
    o_nets: Reals(0, tested_to=2), e_nets: Reals(tested_to=6), b_nets: Integers(1, L_sch),
    seed_sch: Integers(0, tested_to=99),
})  # fmt: skip
_ALIKE = ("L_sch", "h_lip", "k_net", "d_net")
_OTHERS = ("T_cov", "c_sch", "o_nets", "e_nets", "b_nets", "seed_sch")
_SIZE = 1.0
"""Of the numbers that errors are computed from."""
_AT = Shared(_networks, _ALIKE, *_OTHERS)
_BLOCK = Domain({**NETS.ranges, l_net: Integers(1, L_sch)})
_HEAD = Domain({**_BLOCK.ranges, g_net: Integers(1, h_lip)})


def _everywhere(part: str, name: str, latex: str, length: Any) -> Family:
    return _AT.family(part, name, latex, length, Reals(0), scale=_SIZE)


ERRORS = _everywhere("errors", "errors before each block and after the last", r"\delta", L_sch + 1)
LATER = _everywhere("later", "products of factors from each block on", r"\alpha", L_sch + 1)
_CQ, _CV = (_everywhere(f"{name} cap", f"norms of {name}", f"c_{name}", (L_sch, h_lip)) for name in "QV")
_CI, _CO = (_everywhere(f"M_{of} cap", f"norms of M_{of}", f"c_{of}", L_sch) for of in ("in", "out"))
_PQ, _PV = (_everywhere(f"{name} larger", f"larger norms of {name}", f"c'_{name}", (L_sch, h_lip)) for name in "QV")
_PI, _PO = (_everywhere(f"M_{of} larger", f"larger norms of M_{of}", f"c'_{of}", L_sch) for of in ("in", "out"))
PRINTED_LATER = _everywhere("later printed", "products of printed factors from each block on", r"\alpha'", L_sch + 1)
_EQ, _EV = (_everywhere(f"{name} error", f"changes of {name}", f"e_{name}", (L_sch, h_lip)) for name in "QV")
_EI, _EO = (_everywhere(f"M_{of} error", f"changes of M_{of}", f"e_{of}", L_sch) for of in ("in", "out"))


def _measured(part: str, name: str, latex: str, length: Any, entries: Reals | None, *places: str) -> Family:
    """What is measured at a block, or at a head of one."""

    def measure(points: Sequence[Point], device: str) -> Array:
        del device
        found = []
        for rows, point in zip(_AT.rows(points, part), points, strict=True):
            found.append(np.atleast_1d(rows[tuple(int(point[place]) - 1 for place in places)]))
        return padded(found)

    of = (*_ALIKE, *_OTHERS, *places)
    return Family(name, measure, latex, length, entries or Reals(), rounding=ROUNDING, scale=_SIZE, of=of)


def _in_block(part: str, name: str, latex: str, length: Any = d_net, entries: Reals | None = None) -> Family:
    return _measured(part, name, latex, length, entries, "l_net")


def _in_head(part: str, name: str, latex: str, length: Any = k_net, entries: Reals | None = None) -> Family:
    return _measured(part, name, latex, length, entries or Reals(-1, 1), "l_net", "g_net")


def _length(part: str, name: str, latex: str) -> Any:
    return _in_block(part, name, latex, 1, Reals(0))[1]


_WEIGHTS = _in_head("weights", "weights of a head's tokens", "p", entries=Reals(0, 1, open_low=True))
_PARTS = _in_head("parts", "parts of tokens along the way that their mean moves", "g")
_ALONG = _in_head("along", "motions of tokens along that way, in units of the error before", "h")
_ACROSS = _in_head("across", "motions of tokens along the rest of a query", "r")
_TURNS = _in_head("turns", "changes of tokens' scores by a query's turn, in units of the most", "k")
_QUERY = _in_head("query", "a query's part along that way, and its rest", "a", 2, Reals())
_DISTANCE = _in_head("distance", "how far the mean of a head moves", "y", 1, Reals(0))[1]
_BY_MEAN = _in_block("by mean", "change of the heads' sum by means", "n", h_lip)
_BY_VALUE = _in_block("by value", "change of the heads' sum by V", "m", h_lip)
_MIXED, _REMIXED = _in_block("mixed", "sum of heads", "a"), _in_block("remixed", "sum of heads, second", "a'")
_VALUES = _in_block("values", "values of the MLP", "z")
_BY_INNER = _in_block("by inner", "their change by the sum of heads", "b")
_BY_IN = _in_block("by m_in", "their change by M_in", "c")
_HIDDEN, _REHIDDEN = (
    _in_block(part, f"hidden units{which}", latex, entries=Reals(0))
    for part, which, latex in (("hidden", "", "f"), ("rehidden", ", second", "f'"))
)
_OUT, _REOUT = _in_block("out", "rows before the projection", "o"), _in_block("reout", "rows, second", "o'")
_BY_HIDDEN = _in_block("by hidden", "change of rows by hidden units", "p")
_BY_OUT = _in_block("by m_out", "change of rows by M_out", "q")
_MIXED_BY = _length("mixed error", "error of the sum of heads", r"\delta_A")
_INNER_BY = _length("inner error", "error of its projection", r"\delta_U")
_HIDDEN_BY = _length("hidden error", "error of the hidden units' projection", r"\delta_G")

C_OUT = _CO[l_net]
_BEFORE, _AFTER = ERRORS[l_net], ERRORS[l_net + 1]
_Q, _V = _CQ[l_net, g_net], _CV[l_net, g_net]
TURN = _EQ[l_net, g_net]
_STEEP = _Q + sp.sqrt(1 + _Q**2)
_MOTION = Motion(k_net, _WEIGHTS, _PARTS, _ALONG, _ACROSS, _TURNS, _QUERY[1], _QUERY[2], _BEFORE, _Q * _BEFORE + TURN)
_OF_HEAD = _BY_MEAN[g_net] + _BY_VALUE[g_net]
_HEAD_BY = _V * (_STEEP * _BEFORE + TURN) + _EV[l_net, g_net]
_HEADS = (g_net, 1, h_lip)


def _squared(entry: vectors.Entries) -> sp.Expr:
    return vectors.squared(entry, d_net)


def _entry(of: Family) -> vectors.Entries:
    return lambda i: of[i]


def _apart(one: Family, other: Family) -> sp.Expr:
    return _squared(lambda i: one[i] - other[i])


def _projected(one: Family, other: Family) -> sp.Expr:
    return _squared(vectors.apart(*(vectors.projected(_entry(of), d_net) for of in (one, other))))


def _revalued(i: Any) -> Any:
    return _VALUES[i] + (_BY_INNER[i] + _BY_IN[i])


# --- what is taken from the code -----------------------------------------------------------------------

_axiom = functools.partial(_claim, role="axiom", domain=_BLOCK)
_of_head = functools.partial(_claim, role="axiom", domain=_HEAD)

by_mean = _of_head(
    label="schatten.blocks.by-mean",
    statement="Along any direction V of norm c_V moves the sum of heads by at most c_V times what a head's mean moves.",
    left=_BY_MEAN[g_net],
    right=_V * _DISTANCE,
)

by_value = _of_head(
    label="schatten.blocks.by-value",
    statement="Along any direction V errs on a mean in the unit ball by at most the norm of its change.",
    left=_BY_VALUE[g_net],
    right=_EV[l_net, g_net],
)

pooled = _of_head(
    label="schatten.blocks.pooled",
    statement="How far a head's mean moves is by how much its part along that way rises: tokens of the first network "
    "with the weights of its softmax, of the second with weights whose logarithms changed as the scores did.",
    left=_DISTANCE,
    relation="=",
    right=_MOTION.after - _MOTION.before,
)

moved = _of_head(
    label="schatten.blocks.moved",
    statement="The parts of a token's motion along two directions at right angles are together at most as long as the "
    "motion, and no token moves by more than the error before the block.",
    left=_MOTION.lengths,
    right=k_net,
)

within = _of_head(
    label="schatten.blocks.within",
    statement="Tokens of the second network are in the unit ball.",
    left=_MOTION.reached,
    right=k_net,
)

asked = _of_head(
    label="schatten.blocks.asked",
    statement="Q makes the query of a token in the unit ball at most c_Q long.",
    left=_QUERY[1] ** 2 + _QUERY[2] ** 2,
    right=_Q**2,
)

mixed = _axiom(
    label="schatten.blocks.mixed",
    statement="The error of the sum of heads is its part along itself, to which every head adds by its mean and by V.",
    left=_MIXED_BY,
    relation="=",
    right=sp.Sum(_OF_HEAD, _HEADS),
)

inner = _axiom(
    label="schatten.blocks.inner",
    statement="What the MLP is given are the projections of both sums of heads on the unit ball.",
    left=_INNER_BY**2,
    relation="=",
    right=_projected(_MIXED, _REMIXED),
)

sums = _axiom(
    label="schatten.blocks.sums",
    statement="The error of the sum of heads is a length.",
    left=_apart(_MIXED, _REMIXED),
    relation="=",
    right=_MIXED_BY**2,
)

hidden = _axiom(
    label="schatten.blocks.hidden",
    statement="Hidden units are projected on the unit ball.",
    left=_HIDDEN_BY**2,
    relation="=",
    right=_projected(_HIDDEN, _REHIDDEN),
)

positive = _axiom(
    label="schatten.blocks.positive",
    statement="They are positive parts of values, of the second network with the values' changes.",
    left=_apart(_HIDDEN, _REHIDDEN),
    relation="=",
    right=_squared(lambda i: sp.Max(_VALUES[i], 0) - sp.Max(_revalued(i), 0)),
)

by_inner = _axiom(
    label="schatten.blocks.by-inner",
    statement="M_in of norm c_I makes no vector more than c_I times as long.",
    left=_squared(_entry(_BY_INNER)),
    right=(_CI[l_net] * _INNER_BY) ** 2,
)

by_in = _axiom(
    label="schatten.blocks.by-in",
    statement="M_in errs on a vector in the unit ball by at most the norm of its change.",
    left=_squared(_entry(_BY_IN)),
    right=_EI[l_net] ** 2,
)

output = _axiom(
    label="schatten.blocks.output",
    statement="The outputs of the row that moves farthest are projected on the unit ball.",
    left=_AFTER**2,
    relation="=",
    right=_projected(_OUT, _REOUT),
)

rows = _axiom(
    label="schatten.blocks.rows",
    statement="Before that they differ by what hidden units and M_out do.",
    left=_apart(_OUT, _REOUT),
    relation="=",
    right=_squared(lambda i: _BY_HIDDEN[i] + _BY_OUT[i]),
)

by_hidden = _axiom(
    label="schatten.blocks.by-hidden",
    statement="M_out of norm c_O makes no vector more than c_O times as long.",
    left=_squared(_entry(_BY_HIDDEN)),
    right=(C_OUT * _HIDDEN_BY) ** 2,
)

by_out = _axiom(
    label="schatten.blocks.by-out",
    statement="M_out errs on a vector in the unit ball by at most the norm of its change.",
    left=_squared(_entry(_BY_OUT)),
    right=_EO[l_net] ** 2,
)

start = _claim(
    label="schatten.blocks.start",
    statement="Both networks are given the same tokens.",
    role="axiom",
    left=ERRORS[1],
    relation="=",
    right=sp.S.Zero,
    domain=NETS,
)

last = _claim(
    label="schatten.blocks.last",
    statement="After the last block there is no factor.",
    role="axiom",
    left=LATER[L_sch + 1],
    relation="=",
    right=sp.S.One,
    domain=NETS,
)

_FACTOR = C_OUT * _CI[l_net] * sp.Sum(_V * _STEEP, _HEADS)
factors = _axiom(
    label="schatten.blocks.factors",
    statement="α from a block on is that of the next one, times the block's own factor.",
    left=LATER[l_net],
    relation="=",
    right=LATER[l_net + 1] * _FACTOR,
)

# --- the proofs ----------------------------------------------------------------------------------------

_POINT: Point = {
    "L_sch": 2, "k_net": 3, "T_cov": 10**6, "d_net": 2, "h_lip": 2, "c_sch": 1.5, "o_nets": 1, "e_nets": -2,
    "b_nets": 2, "seed_sch": 1,
}  # fmt: skip
_AT_BLOCK: Point = {**_POINT, "l_net": 2}


def _proof(label: str, title: str, domain: Domain, sample: Point, *steps: Step) -> Derivation:
    return Derivation(
        label=f"{label}.steps", title=title, steps=steps, domain=domain, samples={"two blocks, a million": sample},
        paper=PAPER, place=_PLACE,
    )  # fmt: skip


def _proved(label: str, statement: str, domain: Domain, sample: Point, *steps: Step) -> Claim:
    """A claim from the first step to the last, with its proof."""
    return _claim(
        label=label, statement=statement, left=steps[0].value, right=steps[-1].value, domain=domain, expected="proved",
        derivation=_proof(label, statement, domain, sample, *steps),
    )  # fmt: skip


def _together(one: Family, other: Family, r: Any, s: Any) -> Instance:
    return Instance("covering.lengths.together", {a_len: one, b_len: other, d_len: d_net, r_len: r, s_len: s})


def _ball(one: Family, other: Family) -> Instance:
    return Instance("covering.lengths.projected", {a_len: one, b_len: other, d_len: d_net})


head = _proved(
    "schatten.blocks.head", "A head moves the sum of heads along any direction by at most c_V (c_Q + √(1 + c_Q²)) "
    "times the error before the block, by c_V times what Q errs by and by what V errs by.", _HEAD,
    {**_AT_BLOCK, "g_net": 1},
    Step(_OF_HEAD, "mean and V"),
    Step(_V * _DISTANCE + _EV[l_net, g_net], "norms", "", (by_mean.label, by_value.label)),
    Step(_V * (_MOTION.after - _MOTION.before) + _EV[l_net, g_net], "mean at last less mean at first", "",
         pooled.label),
    Step(_HEAD_BY, "all along the way", "", (
        moved.label, within.label, asked.label, Instance("covering.path.whole", {**_MOTION.instance, B_cov: _Q}),
    )),
)  # fmt: skip

_HEADS_BY = sp.Sum(_HEAD_BY, _HEADS)

heads = _proved(
    "schatten.blocks.heads", "The projected sum of heads errs by at most what all heads add to it; in squares.", _BLOCK,
    _AT_BLOCK,
    Step(_INNER_BY**2, "error of the projection, squared"),
    Step(_projected(_MIXED, _REMIXED), "written out", "", inner.label),
    Step(_apart(_MIXED, _REMIXED), "sums of heads", "the projection", _ball(_MIXED, _REMIXED)),
    Step(_MIXED_BY**2, "a length", "", sums.label),
)  # fmt: skip

hidden_units = _proved(
    "schatten.blocks.units", "Projected hidden units err by at most c_I times what the MLP is given, and by what M_in "
    "errs by; in squares.", _BLOCK, _AT_BLOCK,
    Step(_HIDDEN_BY**2, "error of the projection, squared"),
    Step(_projected(_HIDDEN, _REHIDDEN), "written out", "", hidden.label),
    Step(_apart(_HIDDEN, _REHIDDEN), "positive parts", "the projection", _ball(_HIDDEN, _REHIDDEN)),
    Step(_squared(lambda i: _VALUES[i] - _revalued(i)), "values", "ReLU", (
        positive.label,
        Instance("covering.lengths.relu", {u_len: _VALUES[i_len], v_len: _revalued(i_len)}, over=(i_len, 1, d_net)),
    )),
    Step(_squared(lambda i: _BY_INNER[i] + _BY_IN[i]), "input and M_in"),
    Step((_CI[l_net] * _INNER_BY + _EI[l_net]) ** 2, "norms", "triangle inequality",
         (by_inner.label, by_in.label, _together(_BY_INNER, _BY_IN, _CI[l_net] * _INNER_BY, _EI[l_net]))),
)  # fmt: skip

outputs = _proved(
    "schatten.blocks.outputs", "The block's output errs by at most c_O times what hidden units do, and by what M_out "
    "errs by; in squares.", _BLOCK, _AT_BLOCK,
    Step(_AFTER**2, "error after the block, squared"),
    Step(_projected(_OUT, _REOUT), "written out", "", output.label),
    Step(_apart(_OUT, _REOUT), "rows", "the projection", _ball(_OUT, _REOUT)),
    Step(_squared(lambda i: _BY_HIDDEN[i] + _BY_OUT[i]), "hidden units and M_out", "", rows.label),
    Step((C_OUT * _HIDDEN_BY + _EO[l_net]) ** 2, "norms", "triangle inequality",
         (by_hidden.label, by_out.label, _together(_BY_HIDDEN, _BY_OUT, C_OUT * _HIDDEN_BY, _EO[l_net]))),
)  # fmt: skip


def _root(squares: Claim, r: Any, s: Any) -> tuple[Any, ...]:
    return squares.label, Instance("covering.lengths.smaller", {r_len: r, s_len: s})


_UNITS_BY = _CI[l_net] * _INNER_BY + _EI[l_net]
_ROWS_BY = C_OUT * _HIDDEN_BY + _EO[l_net]
_BLOCK_BY = C_OUT * (_CI[l_net] * _HEADS_BY + _EI[l_net]) + _EO[l_net]

block = _proved(
    "schatten.blocks.block", "A block's output errs by at most c_O (c_I Σ_h (c_V ((c_Q + √(1 + c_Q²)) δ + e_Q) + e_V) "
    "+ e_I) + e_O in the largest length of a row, δ the error before the block and e what its matrices err by.",
    _BLOCK, _AT_BLOCK,
    Step(_AFTER, "error after the block"),
    Step(_ROWS_BY, "hidden units and M_out", "", _root(outputs, _AFTER, _ROWS_BY)),
    Step(C_OUT * _UNITS_BY + _EO[l_net], "input and M_in", "", _root(hidden_units, _HIDDEN_BY, _UNITS_BY)),
    Step(C_OUT * (_CI[l_net] * _MIXED_BY + _EI[l_net]) + _EO[l_net], "sum of heads", "",
         _root(heads, _INNER_BY, _MIXED_BY)),
    Step(_BLOCK_BY, "head by head", "", (mixed.label, Instance(head.label, over=_HEADS))),
)  # fmt: skip

_ADDED = C_OUT * (
    _CI[l_net] * sp.Sum(_V * TURN + _EV[l_net, g_net], _HEADS) + _EI[l_net]
) + _EO[l_net]  # fmt: skip
_NEXT = LATER[l_net + 1]

step = _proved(
    "schatten.blocks.step", "From before a block to after it the error, times α from there on, grows by at most α "
    "after the block times what its matrices err by, each times its sensitivity.", _BLOCK, _AT_BLOCK,
    Step(_NEXT * _AFTER, "error after the block"),
    Step(_NEXT * _BLOCK_BY, "block", "", (
        block.label, Instance("sharpness.averages.weighted", {"e_av": _NEXT, "v_av": _AFTER, "x_av": _BLOCK_BY}),
    )),
    Step(LATER[l_net] * _BEFORE + _NEXT * _ADDED, "error before it, and what is added", "", factors.label),
)  # fmt: skip

_BLOCKS = (l_net, 1, L_sch)
ADDED_UP = sp.Sum(_NEXT * _ADDED, _BLOCKS)
"""What the matrices of all blocks err by, each times its sensitivity and α."""


def _layerwise(label: str, title: str, later: Family, end: Claim, last_step: Claim, added: sp.Expr) -> Derivation:
    """From the error of the output to the sum over blocks."""
    steps = sp.Sum(later[l_net + 1] * _AFTER - later[l_net] * _BEFORE, _BLOCKS)
    return _proof(
        label, title, NETS, _POINT,
        Step(ERRORS[L_sch + 1], "error after the last block"),
        Step(steps, "step by step", "the first error is zero", (
            start.label, end.label,
            Instance("covering.lengths.steps", {L_len: L_sch, y_len: lambda n: later[n] * ERRORS[n]}),
        )),
        Step(added, "block by block", "", Instance(last_step.label, over=_BLOCKS)),
    )  # fmt: skip


def layerwise() -> Derivation:
    """From the error of the output to the sum over blocks."""
    return _layerwise(
        "schatten.composition.layerwise.sharp", "What the errors of all matrices add up to", LATER, last, step, ADDED_UP
    )


# --- the constants of the authors' code ------------------------------------------------------------------

_LQ, _LV = _PQ[l_net, g_net], _PV[l_net, g_net]

larger_q = _of_head(
    label="schatten.blocks.larger-query",
    statement="The cap on Q before and after the perturbation is at least its norm before.",
    left=_Q,
    right=_LQ,
)

larger_v = _of_head(
    label="schatten.blocks.larger-value",
    statement="The cap on V before and after the perturbation is at least its norm before.",
    left=_V,
    right=_LV,
)

larger_in = _axiom(
    label="schatten.blocks.larger-in",
    statement="The cap on M_in before and after the perturbation is at least its norm before.",
    left=_CI[l_net],
    right=_PI[l_net],
)

larger_out = _axiom(
    label="schatten.blocks.larger-out",
    statement="The cap on M_out before and after the perturbation is at least its norm before.",
    left=C_OUT,
    right=_PO[l_net],
)

printed_last = _claim(
    label="schatten.blocks.printed-last",
    statement="After the last block there is no printed factor.",
    role="axiom",
    left=PRINTED_LATER[L_sch + 1],
    relation="=",
    right=sp.S.One,
    domain=NETS,
)

_PRINTED_NEXT = PRINTED_LATER[l_net + 1]
printed_factors = _axiom(
    label="schatten.blocks.printed-factors",
    statement="The printed α from a block on is that of the next one, times c_I c_O Σ_h c_V (1 + 4 c_Q).",
    left=PRINTED_LATER[l_net],
    relation="=",
    right=_PRINTED_NEXT * _PO[l_net] * _PI[l_net] * sp.Sum(_LV * (1 + 4 * _LQ), _HEADS),
)

_PRINTED_HEAD = _LV * ((1 + 4 * _LQ) * _BEFORE + 2 * TURN) + _EV[l_net, g_net]
_PRINTED_HEADS = sp.Sum(_PRINTED_HEAD, _HEADS)
_PRINTED_BLOCK = _PO[l_net] * (_PI[l_net] * _PRINTED_HEADS + _EI[l_net]) + _EO[l_net]
_PRINTED_ADDED = _PO[l_net] * (
    _PI[l_net] * sp.Sum(2 * _LV * TURN + _EV[l_net, g_net], _HEADS) + _EI[l_net]
) + _EO[l_net]  # fmt: skip

printed_head = _proved(
    "schatten.blocks.printed-head", "What a head adds is at most c_V ((1 + 4 c_Q) δ + 2 e_Q) + e_V, for caps before "
    "and after the perturbation.", _HEAD, {**_AT_BLOCK, "g_net": 1},
    Step(_HEAD_BY, "sharp"),
    Step(_V * ((1 + 4 * _LQ) * _BEFORE + 2 * TURN) + _EV[l_net, g_net], "1 + 4 c_Q", "", larger_q.label),
    Step(_PRINTED_HEAD, "printed", "", larger_v.label),
)  # fmt: skip

printed_step = _proved(
    "schatten.blocks.printed-step", "From before a block to after it the error, times the printed α from there on, "
    "grows by at most α after the block times what its matrices err by, each times its printed sensitivity.", _BLOCK,
    _AT_BLOCK,
    Step(_PRINTED_NEXT * _AFTER, "error after the block"),
    Step(_PRINTED_NEXT * _BLOCK_BY, "block", "", (
        block.label,
        Instance("sharpness.averages.weighted", {"e_av": _PRINTED_NEXT, "v_av": _AFTER, "x_av": _BLOCK_BY}),
    )),
    Step(_PRINTED_NEXT * (C_OUT * (_CI[l_net] * _PRINTED_HEADS + _EI[l_net]) + _EO[l_net]), "heads", "",
         Instance(printed_head.label, over=_HEADS)),
    Step(_PRINTED_NEXT * (C_OUT * (_PI[l_net] * _PRINTED_HEADS + _EI[l_net]) + _EO[l_net]), "M_in", "",
         larger_in.label),
    Step(_PRINTED_NEXT * _PRINTED_BLOCK, "M_out", "", larger_out.label),
    Step(PRINTED_LATER[l_net] * _BEFORE + _PRINTED_NEXT * _PRINTED_ADDED, "error before it, and what is added", "",
         printed_factors.label),
)  # fmt: skip

PRINTED_ADDED_UP = sp.Sum(_PRINTED_NEXT * _PRINTED_ADDED, _BLOCKS)
"""The same with the constants of the authors' code."""


def layerwise_printed() -> Derivation:
    """The same with the constants of the authors' code."""
    return _layerwise(
        "schatten.composition.layerwise.published",
        "What the errors of all matrices add up to, with printed constants",
        PRINTED_LATER,
        printed_last,
        printed_step,
        PRINTED_ADDED_UP,
    )


PROVED = (head, heads, hidden_units, outputs, block, step, printed_head, printed_step)
proofs = tuple(stated.derivation for stated in PROVED)
