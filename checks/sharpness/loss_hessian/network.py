"""The trace of the network's Hessian, block by block, for any family of sets and any input.

Every block's trace is a sum Σ a (v - f) q over the rows of an attention, with q ≥ 0 the squared distance of what a row
carries from its average: as values above their average f weigh as much as those below, and no more than C/4, it is at
most C/4 times the largest q.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Step
from boundaudit.checks.language.claim import Case, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.disjoint_supports import KINKED, ON_A_KINK
from boundaudit.checks.sharpness.gradients.shared import by_rows, numbered
from boundaudit.checks.sharpness.loss_hessian.shared import claim
from boundaudit.checks.sharpness.proofs import FAMILIES, proof
from boundaudit.checks.sharpness.targets import FLOOR, by_trapezoid
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.averages import a_av, g_av, m_av, n_av
from boundaudit.derivations.sharpness.loss_hessian import q_lh
from boundaudit.derivations.sharpness.parameters import omega
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.row_sums import Rows, averaged, squared_length

_FAMILY = "for any family of sets, T ≥ 4 and coefficients from T⁻⁴ to 1"
_ANY = "for any family of sets, T ≥ 4 and any positive coefficients"
FLOORED = FAMILIES.replace(c=Vector(omega, Reals(FLOOR, 1)))
"""Where logits of layer 2 are at most 2 log T in size."""
_POSITIVE = FAMILIES.replace(c=Vector(omega, Reals(0, open_low=True, tested_to=2)))
_UNIT = Reals(0, 1)
_QUARTER = "sharpness.averages.quarter"
_RANGE = "sharpness.mlp.range"

pulled = claim(
    label="sharpness.loss_hessian.network.pulled",
    statement="For values g and shares q between 0 and 1, weights a ≥ 0 and m from 0 to 1, Σ a (g - m) q is at most "
    "(1-m) Σ a g and Σ a (m - g) q at most m Σ a (1-g): where the weights add up to one and m is the average of the "
    "values, |Σ a (g - m) q| is at most m (1-m).",
    domain=Domain({
        n_av: Integers(1, tested_to=6), a_av: Vector(n_av, Reals(0, tested_to=4)), g_av: Vector(n_av, _UNIT),
        q_lh: Vector(n_av, _UNIT), m_av: _UNIT,
    }),
    expected="proved",
    cases=(
        Case("up", left=theory.PULLED_UP, right=theory.PULLED_UP_MOST),
        Case("down", left=theory.PULLED_DOWN, right=theory.PULLED_DOWN_MOST),
    ),
)  # fmt: skip


# --- what the steps measure -----------------------------------------------------------------------


def _closed(block: str) -> Measure:
    """The size of a diagonal block's trace in closed form; NaN where a kink leaves it without a value."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = numbered(at)
        found = derivatives(batch, bits[:, None], mlp=mlp)
        value = found.trace[block].abs()
        return (value if block != "W1" else value.where(~found.kink, torch.nan))[:, 0]

    return by_trapezoid(of)


def _trace(block: str) -> Quantity:
    latex = rf"|\mathrm{{tr}} \nabla^2_{{{block[0]}{'_' + block[1] if block[1:] else ''}}} f|"
    where = ON_A_KINK if block == "W1" else ""
    name = f"size of the trace in {block}"
    return Quantity(name, _closed(block), latex, rounding=1e-9, scale=1.0, except_at=where)


def _node(name: str, latex: str, of: Callable[[Rows], Tensor]) -> Quantity:
    return by_rows(name, "finite", of, latex)


def _largest(r: Rows, squares: Tensor) -> Tensor:
    """The largest of (B, P) among rows that are no padding, shape (B,)."""
    return squares.where(r.a > 0, 0.0).amax(-1)


def _pulled(r: Rows, squares: Tensor) -> Tensor:
    """C |Σ a (g - m) q|, shape (B,)."""
    return r.total * (r.pull * squares).sum(-1).abs()


def _stream(r: Rows) -> Tensor:
    """|x - x̄|² of rows of X2, one-hot positions beside g, shape (B, P)."""
    return 1 - 2 * r.a + squared_length(r.a)[:, None] + (r.g - r.mean[:, None]) ** 2


def _units(r: Rows) -> Tensor:
    """|h - h̄|² of rows of hidden units, shape (B, P)."""
    return squared_length(r.hidden - averaged(r.a, r.hidden)[:, None])


def _logits(r: Rows) -> Tensor:
    """(l - l̄)², shape (B, P)."""
    return (r.logits - (r.a * r.logits).sum(-1, keepdim=True)) ** 2


def _asked(r: Rows) -> Tensor:
    """|x_out|², shape (B,)."""
    return 1 + r.g[:, -1] ** 2


def _turned(r: Rows) -> Tensor:
    """|h_out|², shape (B,)."""
    return squared_length(r.hidden[:, -1])


def _spread(r: Rows) -> Tensor:
    """C m (1 - m), m the average of the MLP's outputs, shape (B,)."""
    return r.total * r.mean * (1 - r.mean)


def _keys_and_query(r: Rows) -> Tensor:
    """|w2|² max |h - h̄|² + |h_out|² max (l - l̄)², shape (B,)."""
    return r.keys * _largest(r, _units(r)) + _turned(r) * _largest(r, _logits(r))


def _by_logits(r: Rows, apart: Tensor) -> Tensor:
    """C log²T (ω · apart + 4 |h_out|²), shape (B,)."""
    return r.total * r.batch.length.double().log() ** 2 * (r.batch.sparsity * apart + 4 * _turned(r))


def _risen(r: Rows) -> Tensor:
    """|h(1) - h(0)|², shape (B,)."""
    return squared_length(((1 + r.units.bias).relu() - r.units.bias.relu()) * r.units.real)


# --- W2 -------------------------------------------------------------------------------------------

_second_layer = Case(
    "W2",
    statement=f"The trace of the Hessian of the construction's output in W2 is at most 3C/2 in size, {_ANY}; C is "
    "the sum of the coefficients.",
    left=_trace("W2"),
    right=theory.NETWORK["W2"],
    domain=_POSITIVE,
    derivation=proof(
        "sharpness.loss_hessian.network.trace.W2", "The trace in W2", _POSITIVE,
        Step(_trace("W2"), "|tr Hess f| in W2"),
        Step(
            _node("|x_out|² |Σ a (v - f) |x - x̄|²|", r"|x_{out}|^2 |\sum_t a_t (v_t - f) |x_t - \bar x|^2|",
                 lambda r: _asked(r) * _pulled(r, _stream(r))),
            "rows of X2 about their average", "chain rule",
        ),
        Step(
            _node("|x_out|² C m (1-m) max |x - x̄|²", r"|x_{out}|^2\, C m (1-m) \max_t |x_t - \bar x|^2",
                 lambda r: _asked(r) * _spread(r) * _largest(r, _stream(r))),
            "values about theirs", "|Σ a (g - m) q| ≤ m (1-m) max q", pulled.label,
        ),
        Step(
            _node("|x_out|² C/4 max |x - x̄|²", r"|x_{out}|^2 \tfrac C4 \max_t |x_t - \bar x|^2",
                 lambda r: _asked(r) * r.total / 4 * _largest(r, _stream(r))),
            "C/4", "m (1-m) ≤ 1/4", _QUARTER,
        ),
        Step(
            _node("3C/4 |x_out|²", r"\tfrac{3C}{4} |x_{out}|^2", lambda r: 0.75 * r.total * _asked(r)),
            "rows of X2 are √3 apart", "two averages of e_t beside g_t, 0 ≤ g ≤ 1", _RANGE,
        ),
        Step(theory.NETWORK["W2"], "3C/2", "|x_out|² = 1 + g² ≤ 2", _RANGE),
    ),
)  # fmt: skip

# --- F --------------------------------------------------------------------------------------------

_output_weights = Case(
    "F",
    statement="The trace of the Hessian of the construction's output in F is at most C log²T (ω R + 4 H) in size, with "
    "C the sum of the coefficients, H = (2D+1) (2(D+1)/(3D) + 5u/(16D²)) and R = 2(D+1)(2D+1)/(3D) - "
    f"(8-u)/(8D) the largest squared length of a row's hidden units and distance of two rows', u = 1 or 2 the width "
    f"of a trapezoid's flank, {_FAMILY}.",
    left=_trace("F"),
    right=theory.NETWORK["F"],
    domain=FLOORED,
    derivation=proof(
        "sharpness.loss_hessian.network.trace.F", "The trace in F", FLOORED,
        Step(_trace("F"), "|tr Hess f| in F"),
        Step(
            _node("|w2|² |Σ a (v - f) |h - h̄|²| + |h_out|² |Σ a (v - f) (l - l̄)²|",
                 r"|w_2|^2 |\sum_t a_t (v_t-f) |h_t - \bar h|^2| + |h_{out}|^2 |\sum_t a_t (v_t-f) (l_t - \bar l)^2|",
                 lambda r: r.keys * _pulled(r, _units(r)) + _turned(r) * _pulled(r, _logits(r))),
            "keys and query", "triangle inequality",
        ),
        Step(
            _node("C m (1-m) (|w2|² max |h - h̄|² + |h_out|² max (l - l̄)²)",
                 r"C m (1-m) (|w_2|^2 \max_t |h_t - \bar h|^2 + |h_{out}|^2 \max_t (l_t - \bar l)^2)",
                 lambda r: _spread(r) * _keys_and_query(r)),
            "values about their average", "|Σ a (g - m) q| ≤ m (1-m) max q", pulled.label,
        ),
        Step(
            _node("C/4 (|w2|² max |h - h̄|² + |h_out|² max (l - l̄)²)",
                 r"\tfrac C4 (|w_2|^2 \max_t |h_t - \bar h|^2 + |h_{out}|^2 \max_t (l_t - \bar l)^2)",
                 lambda r: r.total / 4 * _keys_and_query(r)),
            "C/4", "m (1-m) ≤ 1/4", _QUARTER,
        ),
        Step(
            _node("C log²T (ω max |h - h̄|² + 4 |h_out|²)",
                 r"C \log^2 T (\omega \max_t |h_t - \bar h|^2 + 4 |h_{out}|^2)",
                 lambda r: _by_logits(r, _largest(r, _units(r)))),
            "logits", "|w2|² ≤ 4ω log²T, each |l| ≤ 2 log T, and two averages of l are 4 log T apart at most",
            "sharpness.norms.W2.upper",
        ),
        Step(
            _node("C log²T (ω R + 4 |h_out|²)", r"C \log^2 T (\omega R + 4 |h_{out}|^2)",
                 lambda r: _by_logits(r, _risen(r))),
            "hidden units of two rows", "two averages of rows of hidden units", "sharpness.activations.hidden.spread",
        ),
        Step(theory.NETWORK["F"], "C log²T (ω R + 4H)", "|h_out|² ≤ H", "sharpness.activations.hidden.length"),
    ),
)  # fmt: skip

# --- W1 -------------------------------------------------------------------------------------------


def _drawn(r: Rows) -> Tensor:
    """|Σ_j A_tj (z_j - s_t) |x_j - x̄_t|²| for each row t, x_j a one-hot position beside a bit, shape (B, P)."""
    apart = r.z[:, None] - r.s[..., None]
    squares = 1 - 2 * r.first + squared_length(r.first)[..., None] + apart**2
    return (r.first * apart * squares).sum(-1).abs()


def _worth(r: Rows, of_rows: Tensor) -> Tensor:
    """C Σ a |g'| times a number of each row, shape (B,)."""
    return r.total * (r.a * r.slope.abs() * of_rows).sum(-1)


def _tokens(r: Rows) -> Tensor:
    """|x|² = 1 + z², shape (B, P)."""
    return 1 + r.z


def _unused(r: Rows) -> Tensor:
    """Whether a row belongs to no component, shape (B, P)."""
    return torch.arange(r.s.shape[1], device=r.s.device) >= r.batch.sparsity[:, None]


_first_layer = Case(
    "W1",
    statement="The trace of the Hessian of the construction's output in W1 is at most 6D/u · C N/(C T² + N) in size, "
    f"with N = T+1-ω unused rows, C the sum of the coefficients, u = 1 for the steep and 2 for the wide trapezoid, "
    f"{_ANY}: unused rows alone sit on flanks of the MLP.",
    left=_trace("W1"),
    right=theory.NETWORK["W1"],
    domain=_POSITIVE,
    limitations=(KINKED,),
    derivation=proof(
        "sharpness.loss_hessian.network.trace.W1", "The trace in W1", _POSITIVE,
        Step(_trace("W1"), "|tr Hess f| in W1"),
        Step(
            _node("C Σ a |g'| |x|² |Σ A (z - s) |x - x̄|²|",
                 r"C \sum_t a_t |g'(s_t)| |x_t|^2 |\sum_j A_{tj} (z_j - s_t) |x_j - \bar x_t|^2|",
                 lambda r: _worth(r, _tokens(r) * _drawn(r))),
            "every row of layer 1 by itself", "triangle inequality",
        ),
        Step(
            _node("the same over unused rows", r"C \sum_{t > \omega} a_t |g'(s_t)| |x_t|^2 |\ldots|",
                 lambda r: _worth(r, _tokens(r) * _drawn(r) * _unused(r))),
            "active rows rest on plateaus", "g' = 0 where s is within 1/(4D) of k/D",
            "sharpness.exactness.plateau.margin[four]",
        ),
        Step(
            _node("C Σ a |g'| |x|² 3 s (1-s)", r"3C \sum_{t > \omega} a_t |g'(s_t)| |x_t|^2 s_t (1 - s_t)",
                 lambda r: _worth(r, 3 * _tokens(r) * r.s * (1 - r.s) * _unused(r))),
            "bits about their average", "|Σ A (z - s) q| ≤ s (1-s) max q, and tokens are √3 apart", pulled.label,
        ),
        Step(
            _node("3C/4 Σ a |g'| |x|²", r"\tfrac{3C}{4} \sum_{t > \omega} a_t |g'(s_t)| |x_t|^2",
                 lambda r: _worth(r, 0.75 * _tokens(r) * _unused(r))),
            "1/4", "s (1-s) ≤ 1/4", _QUARTER,
        ),
        Step(
            _node("3C/2 Σ a |g'|", r"\tfrac{3C}{2} \sum_{t > \omega} a_t |g'(s_t)|",
                 lambda r: _worth(r, 1.5 * _unused(r))),
            "tokens", "|x|² = 1 + z² ≤ 2", "sharpness.activations.tokens[rows]",
        ),
        Step(
            _node("6D/u C Σ a", r"\tfrac{6D}{u} C \sum_{t > \omega} a_t",
                 lambda r: 1.5 * r.units.output.amax(-1) * r.total * (r.a * _unused(r)).sum(-1)),
            "slopes", "|g'| ≤ 4D/u", "sharpness.mlp.slope",
        ),
        Step(theory.NETWORK["W1"], "unused attention", "Σ a = N/(C T² + N) over unused rows",
             "sharpness.attention.second.weights"),
    ),
)  # fmt: skip

trace = claim(
    label="sharpness.loss_hessian.network.trace",
    statement="The traces of the diagonal blocks of the Hessian of the construction's output are small in W1, F and "
    f"W2, and zero in all other blocks, {_FAMILY}.",
    expected="supported",
    cases=(_first_layer, _output_weights, _second_layer),
)
