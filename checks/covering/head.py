"""A head whose maps err, map after map: what its scalar output errs by."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.covering import COMPARATOR, lengths, path
from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.domain import Domain, Integers, Reals
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns, Shared
from boundaudit.derivations.covering import lengths as vectors
from boundaudit.derivations.covering.layer import d_head, e_head, nu_head, t_head
from boundaudit.derivations.covering.lengths import a_len, b_len, d_len, i_len, r_len, s_len, u_len, v_len
from boundaudit.derivations.covering.path import Motion, h_mov, r_mov
from boundaudit.derivations.covering.symbols import B_cov, T_cov, seed_cov
from boundaudit.numeric.covering import head as attention
from boundaudit.numeric.covering.pair import Pair

_PLACE = ("Head capacity",)
_claim = functools.partial(Claim, paper=COMPARATOR, place=_PLACE)


def _paired(at: Columns) -> Mapping[str, Tensor]:
    """Two heads, and what their outputs differ by, map after map."""
    shape = int(at.whole("T_cov")[0]), int(at.whole("d_head")[0])
    key, turned, size, noise = (at.real(name) for name in ("B_cov", "t_head", "e_head", "nu_head"))
    draws = torch.Generator().manual_seed(int(at.whole("seed_cov")[0]))
    pair = Pair(*attention.neighbours(shape, key, turned, size, noise, draws))
    values, by_token, by_value = pair.values
    one, other = pair.hidden
    output, by_hidden, by_out = pair.outputs
    return {
        "difference": pair.difference, **{f"{name} cap": cap for name, cap in pair.caps.items()},
        **{f"{name} error": error for name, error in pair.errors.items()}, "distance": pair.motion.distance,
        "weights": pair.motion.weights, "parts": pair.motion.parts, "turns": pair.motion.turns,
        "values": values, "by token": by_token, "by value": by_value, "one": one, "other": other,
        "moved": (other - one).norm(dim=-1), "output": output, "by hidden": by_hidden, "by out": by_out,
        "read": pair.first.read, "reread": pair.other.read - pair.first.read,
    }  # fmt: skip


_PAIRS = Shared(_paired, ("T_cov", "d_head", "seed_cov"), "B_cov", "t_head", "e_head", "nu_head")
DIFFERENCE = _PAIRS.quantity("difference", "difference of two outputs", "|f - f'|")
PERTURBED = Domain({
    B_cov: Reals(0, tested_to=8), t_head: Reals(0, tested_to=1), e_head: Reals(0, tested_to=1),
    nu_head: Reals(0, tested_to=1), T_cov: Integers(1, tested_to=512), d_head: Integers(2, tested_to=4),
    seed_cov: Integers(0, tested_to=100),
})  # fmt: skip


def _number(part: str, name: str, latex: str) -> Any:
    return _PAIRS.quantity(part, name, latex, nonnegative=True).atom


def _vector(part: str, name: str, latex: str, length: Any = d_head, entries: Reals | None = None) -> Any:
    return _PAIRS.family(part, name, latex, length, entries or Reals(), scale=1.0)


_BV, B_C, B_W = (
    _number(f"{part} cap", f"norm of {name}", rf"B_{index}")
    for part, name, index in (("value", "W_V", "V"), ("out", "W_C", "C"), ("read", "w", "w"))
)
_EV, _EC, _EW = (
    _number(f"{part} error", f"error of {name}", rf"\epsilon_{index}")
    for part, name, index in (("value", "W_V", "V"), ("out", "W_C", "C"), ("read", "w", "w"))
)
_EQ = _number("key error", "error of W_QK", r"\epsilon_{QK}")
_DISTANCE = _number("distance", "how far the pooled token moves", "y")
_MOVED = _number("moved", "how far hidden units move", "h")
_VALUES = _vector("values", "values of the first head", "m")
_BY_TOKEN = _vector("by token", "their change as the pooled token moves", "c")
_BY_VALUE = _vector("by value", "their change by W_V", "b")
_ONE = _vector("one", "hidden units of the first head", "f")
_OTHER = _vector("other", "hidden units of the other head", "f'")
_OUTPUT = _vector("output", "outputs of the other head", "o'")
_BY_HIDDEN = _vector("by hidden", "change of outputs as hidden units move", "p")
_BY_OUT = _vector("by out", "change of outputs by W_C", "q")
_READ = _vector("read", "what the first head is read by", "w")
_REREAD = _vector("reread", "what the other is read by besides", r"\Delta w")
_WEIGHTS = _vector("weights", "weights of the head's tokens", "p", T_cov, Reals(0, 1, open_low=True))
_PARTS = _vector("parts", "parts of the head's tokens", "g", T_cov, Reals(-1, 1))
_TURNS = _vector("turns", "changes of their scores, in units of the error of W_QK", "k", T_cov, Reals(-1, 1))


class _Nothing:
    """A vector of zeros: no token moves."""

    def __getitem__(self, index: Any) -> sp.Integer:
        """Zero."""
        return sp.S.Zero


_STILL = Motion(T_cov, _WEIGHTS, _PARTS, _Nothing(), _Nothing(), _TURNS, 0, 0, 0, _EQ)
_AT_REST = {**_STILL.instance, **dict.fromkeys((h_mov, r_mov), lambda _: sp.S.Zero), B_cov: 0}


def _squared(entry: vectors.Entries) -> sp.Expr:
    return vectors.squared(entry, d_head)


def _second(i: Any) -> Any:
    return _VALUES[i] + (_BY_TOKEN[i] + _BY_VALUE[i])


def _changed(i: Any) -> Any:
    return _BY_HIDDEN[i] + _BY_OUT[i]


# --- what is taken from the code -----------------------------------------------------------------------

_axiom = functools.partial(_claim, role="axiom", domain=PERTURBED)
_BY_PARTS = sp.Sum(_REREAD[i_len] * _OUTPUT[i_len] + _READ[i_len] * _changed(i_len), (i_len, 1, d_head))

read = _axiom(
    label="covering.head.read",
    statement="Two outputs differ by what w does, on the other head's outputs, and by what its outputs do.",
    left=DIFFERENCE,
    relation="=",
    right=sp.Abs(_BY_PARTS),
)

reread = _axiom(
    label="covering.head.reread",
    statement="The error of w is a length.",
    left=_squared(lambda i: _REREAD[i]),
    relation="=",
    right=_EW**2,
)

reader = _axiom(
    label="covering.head.reader",
    statement="The cap B_w is on the length of w.",
    left=_squared(lambda i: _READ[i]),
    right=B_W**2,
)

output = _axiom(
    label="covering.head.output",
    statement="A pooled token in the unit ball is made at most B_V B_C times as long by W_V, ReLU and W_C.",
    left=_squared(lambda i: _OUTPUT[i]),
    right=(B_C * _BV) ** 2,
)

by_out = _axiom(
    label="covering.head.by-out",
    statement="W_C errs by at most ε_C times the length of the hidden units, which W_V and ReLU make at most B_V.",
    left=_squared(lambda i: _BY_OUT[i]),
    right=(_EC * _BV) ** 2,
)

by_hidden = _axiom(
    label="covering.head.by-hidden",
    statement="W_C makes no vector more than B_C times as long.",
    left=_squared(lambda i: _BY_HIDDEN[i]),
    right=(B_C * _MOVED) ** 2,
)

hidden = _axiom(
    label="covering.head.hidden",
    statement="How far hidden units move is a length.",
    left=_MOVED**2,
    relation="=",
    right=_squared(lambda i: _OTHER[i] - _ONE[i]),
)

positive = _axiom(
    label="covering.head.positive",
    statement="Hidden units are positive parts of values, of the other head with the values' changes.",
    left=_squared(lambda i: _OTHER[i] - _ONE[i]),
    relation="=",
    right=_squared(lambda i: sp.Max(_second(i), 0) - sp.Max(_VALUES[i], 0)),
)

by_token = _axiom(
    label="covering.head.by-token",
    statement="W_V makes no vector more than B_V times as long.",
    left=_squared(lambda i: _BY_TOKEN[i]),
    right=(_BV * _DISTANCE) ** 2,
)

by_value = _axiom(
    label="covering.head.by-value",
    statement="W_V errs by at most ε_V on a pooled token in the unit ball.",
    left=_squared(lambda i: _BY_VALUE[i]),
    right=_EV**2,
)

pooled = _axiom(
    label="covering.head.pooled",
    statement="How far the pooled token moves is by how much its part along that way rises: the same tokens, with "
    "weights whose logarithms changed as the scores did.",
    left=_DISTANCE,
    relation="=",
    right=_STILL.after - _STILL.before,
)

# --- the proofs ----------------------------------------------------------------------------------------

_POINT: Point = {
    "B_cov": 1, "t_head": 0.1, "e_head": 0.1, "nu_head": 0.5, "T_cov": 5, "d_head": 3, "seed_cov": 0,
}  # fmt: skip


def _proof(label: str, title: str, *steps: Step) -> Derivation:
    return Derivation(
        label=f"{label}.steps", title=title, steps=steps, domain=PERTURBED, samples={"five tokens": _POINT},
        paper=COMPARATOR, place=_PLACE,
    )  # fmt: skip


_BOTH = _BV * _DISTANCE + _EV

units = _claim(
    label="covering.head.units",
    statement="Hidden units of a head move by at most B_V times what the pooled token does, and by what W_V errs by; "
    "in squares.",
    left=_MOVED**2,
    right=_BOTH**2,
    domain=PERTURBED,
    expected="proved",
    derivation=_proof(
        "covering.head.units", "From the pooled token to hidden units",
        Step(_MOVED**2, "motion of hidden units, squared"),
        Step(_squared(lambda i: _OTHER[i] - _ONE[i]), "unit by unit", "", hidden.label),
        Step(_squared(lambda i: _second(i) - _VALUES[i]), "values", "ReLU", (
            positive.label,
            Instance(lengths.relu.label, {u_len: _second(i_len), v_len: _VALUES[i_len]}, over=(i_len, 1, d_head)),
        )),
        Step(_squared(lambda i: _BY_TOKEN[i] + _BY_VALUE[i]), "token and W_V"),
        Step(_BOTH**2, "norms of maps", "triangle inequality", (
            by_token.label, by_value.label,
            Instance(lengths.together.label, {a_len: _BY_TOKEN, b_len: _BY_VALUE, d_len: d_head,
                                              r_len: _BV * _DISTANCE, s_len: _EV}),
        )),
    ),
)  # fmt: skip

moves = _claim(
    label="covering.head.moves",
    statement="The mean that a head pools of tokens in the unit ball moves by at most what its query errs by, for any "
    "number of tokens.",
    left=_DISTANCE,
    right=_EQ,
    domain=PERTURBED,
    expected="proved",
    derivation=_proof(
        "covering.head.moves", "The pooled token as the query turns",
        Step(_DISTANCE, "motion of the pooled token"),
        Step(_STILL.after - _STILL.before, "mean at last less mean at first", "", pooled.label),
        Step(_EQ, "error of W_QK", "all along the way", Instance(path.whole.label, _AT_REST)),
    ),
)  # fmt: skip


def added_up(softmax: int) -> sp.Expr:
    """The errors of a head's maps, each times the norms of the maps after it.

    Args:
        softmax: what an error of W_QK is multiplied by besides.

    Returns:
        The bound.
    """
    return _EW * B_C * _BV + B_W * (_EC * _BV + B_C * (_EV + softmax * _BV * _EQ))


_OUTPUTS = B_C * _MOVED + _EC * _BV


def _inner(one: Any, other: Any, r: Any, s: Any) -> Instance:
    return Instance(lengths.inner.label, {a_len: one, b_len: other, d_len: d_head, r_len: r, s_len: s})


_SHARP = added_up(1)


def sharp() -> Derivation:
    """A head whose maps err."""
    return _proof(
        "covering.layer.perturbation.sharp", "A head whose maps err",
        Step(DIFFERENCE, "difference of two outputs"),
        Step(sp.Abs(_BY_PARTS), "w and outputs", "", read.label),
        Step(_EW * B_C * _BV + B_W * _OUTPUTS, "lengths", "Cauchy-Schwarz", (
            reread.label, reader.label, output.label, by_out.label, by_hidden.label,
            Instance(lengths.together.label, {a_len: _BY_HIDDEN, b_len: _BY_OUT, d_len: d_head, r_len: B_C * _MOVED,
                                              s_len: _EC * _BV}),
            *(_inner(lambda i, sign=sign: sign * _REREAD[i], _OUTPUT, _EW, B_C * _BV) for sign in (1, -1)),
            *(_inner(lambda i, sign=sign: sign * _READ[i], _changed, B_W, _OUTPUTS) for sign in (1, -1)),
            Instance("sharpness.averages.size", {"v_av": _BY_PARTS, "e_av": _EW * B_C * _BV + B_W * _OUTPUTS}),
        )),
        Step(_EW * B_C * _BV + B_W * (B_C * _BOTH + _EC * _BV), "hidden units", "", (
            units.label, Instance(lengths.smaller.label, {r_len: _MOVED, s_len: _BOTH}),
        )),
        Step(_SHARP, "the query", "", moves.label),
    )  # fmt: skip


def published() -> Derivation:
    """The same with the softmax twice as steep."""
    return _proof(
        "covering.layer.perturbation.published", "A head whose maps err, the softmax twice as steep",
        Step(DIFFERENCE, "difference of two outputs"),
        Step(_SHARP, "sharp constants", "", "covering.layer.perturbation.sharp"),
        Step(added_up(2), "the query's error twice", "1 ≤ 2"),
    )  # fmt: skip


PROVED = (units, moves)
proofs = tuple(stated.derivation for stated in PROVED)
