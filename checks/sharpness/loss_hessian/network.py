"""The network's part of the loss Hessian's trace, row by row."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Choices, Domain, Integers, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.gradients.rows import (
    ATTENTION,
    BITS,
    FLANK,
    KEYS_SQUARED,
    LAST,
    LEVELS,
    OUTPUTS,
    RISE,
    RISEN,
    SEEN_BITS,
    SLOPES,
    TOP,
    mean,
    moved,
    total,
    units_total,
    unused_bits,
)
from boundaudit.checks.sharpness.gradients.shared import FROM_FOUR, INPUTS, MEASURED, Inputs, numbered
from boundaudit.checks.sharpness.proofs import FLOORED, proof
from boundaudit.checks.sharpness.targets import BOTH, KINKED, ON_A_KINK, PAPER, by_trapezoid, tiled, tiles
from boundaudit.derivations.sharpness import loss_hessian as theory
from boundaudit.derivations.sharpness.activations import LENGTH, SPREAD
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.disjoint_supports import n_e, n_r
from boundaudit.derivations.sharpness.loss_hessian import n_d
from boundaudit.derivations.sharpness.mlp import UNITS
from boundaudit.derivations.sharpness.parameters import D, T, c, j, omega, t, u
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.target import TargetBatch

claim = functools.partial(Claim, paper=PAPER, place=("Theorem 5", "Theorem 13"))
FINITE_SCALE, IDEAL_SCALE = 2.0, float("inf")
SCALES = {"finite": FINITE_SCALE, "ideal": IDEAL_SCALE}

TILINGS = tiles(64).replace(T=Integers(4, tested_to=64))
"""Components side by side and inputs that leave some without a one; from T = 4 on active rows rest on plateaus."""

SINGLE_BITS = TILINGS.replace(D=Integers(1, 1), omega=Integers(T, T))
"""Every position a component of its own: where the gradient in F grows fastest."""

SHORT_TILINGS = tiles(12).replace(T=Choices(four=4, six=6, eight=8, ten=10, twelve=12))
"""Short and even ones, at which no unused row can sit on a kink."""

SMALL = Domain({
    T: Integers(4, 4), D: Integers(1, 2), omega: Integers(1, 2), u: BOTH, n_e: Integers(0, omega),
    n_r: Integers(0, T - D * omega),
})  # fmt: skip
"""Few enough to differentiate along every parameter; at T = 4 no row can sit on a kink."""

DIRECTED = Domain(
    {**{sp.Symbol(name): found for name, found in SMALL.ranges.items()}, n_d: Integers(0, tested_to=1000)}
)
"""The same, each with a direction in the space of parameters."""

UNEQUAL = "Coefficients are 0.8 and 0.5; T = 4, and one or two components side by side."

IDEAL = "The ideal network: both softmaxes see their intended support alone, so that the residual is zero."
EVERY = "The theorems suppose exact representation, which holds in the ideal network alone."
SQUARED = "The loss is (f_Θ - f)² without a factor 1/2, as the printed factor 2 has it."


class Parts(NamedTuple):
    """The two parts of tr Hess L for each point."""

    gauss_newton: Tensor
    residual: Tensor


def with_coefficients(point: Point) -> Point:
    """A point of `SMALL` with the coefficients of its target."""
    return {**point, "c": (0.8, 0.5)[: point["omega"]]}


def values(batch: TargetBatch, bits: Tensor) -> Tensor:
    """The targets' values at one input each, bits (B, T_max), by counting bits: shape (B,)."""
    ones = (batch.members & bits[:, None]).sum(-1)
    return (batch.coefficients * (ones % 2 == 0)).sum(-1)


def parts(of: Callable[[Parts], Tensor], scale: float, inputs: Inputs = tiled) -> Measure:
    """A number made of the parts of tr Hess L, from the closed forms of the tensors."""

    def measure(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = inputs(at)
        found = derivatives(batch, bits[:, None], mlp=mlp, scale=scale)
        error = found.output[:, 0] - values(batch, bits)
        value = of(Parts(2 * found.gradient[:, 0], 2 * error * found.laplacian[:, 0]))
        # In the ideal network unused rows have no weight: first and pure second derivatives exist on their kinks.
        return value if scale == IDEAL_SCALE else value.where(~found.kink[:, 0], torch.nan)

    return by_trapezoid(measure)


def on_tilings(
    name: str, of: Callable[[Parts], Tensor], network: str, latex: str, build: Callable[[], sp.Expr]
) -> Quantity:
    """A number made of the parts of tr Hess L on tilings."""
    return Quantity(name, parts(of, SCALES[network]), latex, lambda: build(), rounding=1e-10, scale=1.0)


# --- its error, and the traces of its Hessian's blocks, row by row --------------------------------

POSITIVE = INPUTS.replace(T=FROM_FOUR)
"""Any family of sets of equal size with any positive coefficients, T ≥ 4, each with any input."""

_OUT = T + 1
BLOCKS = ("W1", "F", "W2")
"""Blocks whose Hessian has a trace; in all others the output is linear, piece by piece."""


# --- what is measured -----------------------------------------------------------------------------


def _trace(block: str) -> Quantity:
    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = numbered(at)
        found = derivatives(batch, bits[:, None], mlp=mlp)
        return found.trace[block].where(~(found.kink & (block == "W1")), torch.nan)[:, 0]

    return Quantity(
        f"trace of the Hessian in {block}", by_trapezoid(of),
        rf"\mathrm{{tr}} \nabla^2_{{{block[0]}{'_' + block[1] if block[1:] else ''}}} f", rounding=1e-9, scale=1.0,
        except_at=ON_A_KINK if block == "W1" else "",
    )  # fmt: skip


TRACES = {block: _trace(block) for block in BLOCKS}
"""The traces of the diagonal blocks of Hess f."""


@by_trapezoid
def _error(at: Columns, mlp: Trapezoid) -> Tensor:
    batch, bits = numbered(at)
    return forward(build(batch, mlp=mlp), batch, bits[:, None])[:, 0] - values(batch, bits)


ERROR = Quantity("error", _error, r"(f_\Theta - f)", rounding=1e-9, scale=1.0)


def _whole(found: Parts) -> Tensor:
    return found.gauss_newton + found.residual


LOSS = Quantity(
    "trace of the loss Hessian, any family", parts(_whole, SCALES["finite"], numbered), r"\mathrm{tr} \nabla^2 L",
    rounding=1e-9, scale=1.0, except_at=ON_A_KINK,
)  # fmt: skip


def _indicators(points: Sequence[Point], device: str) -> Array:
    batch, bits = numbered(Columns(points, device))
    ones = (batch.members & bits[:, None]).sum(-1)
    found: Array = (ones % 2 == 0).double().cpu().numpy()
    return found


EVEN = Family("indicators of an even number of ones in a component", _indicators, r"\chi", omega, Reals(0, 1))


# --- in formulas ----------------------------------------------------------------------------------


def residual() -> sp.Expr:
    """The residual part 2 (f_Θ - f) tr Hess f, block by block."""
    return 2 * ERROR.atom * sp.Add(*(found.atom for found in TRACES.values()))


def target() -> sp.Expr:
    """The target's value, Σ c χ."""
    return sp.Sum(c[t] * EVEN[t], (t, 1, omega))


def asked(network: str) -> sp.Expr:
    """C |x_out|², x_out the output position's row of X2."""
    return SUM * (1 + OUTPUTS[network][_OUT] ** 2)


def streamed(network: str) -> sp.Expr:
    """W2's trace: C |x_out|² Σ a (g - m) |x - x̄|² with |x_t - x̄|² = 1 - 2 a_t + Σ a² + (g_t - m)²."""
    a, g = ATTENTION[network], OUTPUTS[network]
    squares = total(a[t] ** 2)
    return asked(network) * moved(network, lambda t: 1 - 2 * a[t] + squares + (g[t] - mean(network)) ** 2)


def apart(network: str, of: Callable[[sp.Symbol], sp.Expr]) -> sp.Expr:
    """How squared distances from the average covary with the outputs, Σ a (g - m) (x - x̄)²."""
    return moved(network, lambda t: (of(t) - averaged(network, of)) ** 2)


def averaged(network: str, of: Callable[[sp.Symbol], sp.Expr]) -> sp.Expr:
    """An average over the rows, Σ a x."""
    return total(ATTENTION[network][t] * of(t))


def parts_of_f(network: str, keys: sp.Expr, query: sp.Expr, turned: sp.Expr) -> sp.Expr:
    """C (|w2|² keys + 16 log²T turned query)."""
    return SUM * (KEYS_SQUARED[network].atom * keys + 16 * sp.log(T) ** 2 * turned * query)


def written(network: str) -> sp.Expr:
    """F's trace in shares of what hidden units are at one, of their rises, and of the range of logits."""
    risen, levels = RISEN[network], LEVELS[network]
    return parts_of_f(
        network,
        units_total(RISE[network][j] ** 2 * apart(network, lambda t: risen[t, j])),
        units_total(TOP[network][j] ** 2 * LAST[network][j] ** 2),
        apart(network, lambda t: levels[t]),
    )  # fmt: skip


def read(network: str, bends: sp.Expr) -> sp.Expr:
    """(worth of an unused row) times bends times (N + B), B unused bits set."""
    return FLANK * bends * (INACTIVE + unused_bits(network))


def skewed(network: str) -> sp.Expr:
    """The size of W1's trace."""
    seen = SEEN_BITS[network][_OUT]
    return read(network, SLOPES[network][_OUT] * seen * (1 - seen) * sp.Abs(1 - 2 * seen))


# --- what is assumed ------------------------------------------------------------------------------

_axiom = functools.partial(claim, role="axiom", relation="=", domain=POSITIVE, expected="supported")
_WHERE = "a the attention of layer 2, g the MLP's outputs, m = Σ a g and C the sum of the coefficients"


def _traced(block: str, formula: str, written: Callable[[str], sp.Expr], domain: Domain = POSITIVE) -> Claim:
    return _axiom(
        label=f"sharpness.loss_hessian.rows.{block}",
        statement=f"The trace of the Hessian of the construction's output in {block} is {formula}, with {_WHERE}: the "
        "chain rule, twice.",
        left=TRACES[block], right=lambda: written("finite"), domain=domain,
    )  # fmt: skip


whole = _axiom(
    label="sharpness.loss_hessian.rows.trace",
    statement="The trace of the Hessian of the squared loss L = (f_Θ - f)² at one input is 2 |∇f_Θ|² + 2 (f_Θ - f) tr "
    "Hess f_Θ, and tr Hess f_Θ is the sum of the traces in W1, F and W2, as the output is linear in every other block, "
    "piece by piece.",
    left=LOSS, right=lambda: 2 * MEASURED["finite"]["total"].atom + residual(),
)  # fmt: skip
error = _axiom(
    label="sharpness.loss_hessian.rows.error",
    statement="The network errs by what its second layer leaks alone, N (C g - f)/(C T² + N), N = T+1-ω, f = Σ c χ the "
    "target, χ whether a component holds an even number of ones, and g the MLP's output on unused rows: active rows "
    "rest on plateaus.",
    left=ERROR, right=lambda: INACTIVE * (SUM * OUTPUTS["finite"][_OUT] - target()) / (SUM * T**2 + INACTIVE),
)  # fmt: skip
w2 = _traced("W2", "C (1 + g_out²) Σ a (g - m) (1 - 2a + Σa² + (g - m)²)", streamed)
f = _traced(
    "F", "C (|w2|² Σ r² Σ a (g-m) (z - Σ a z)² + 16 log²T Σ h(1)² q² Σ a (g-m) (l - Σ a l)²), z and q the parts of the "
    "rise r and of h(1) that hidden units are in each row and in the output row, and l the level of logits",
    written, FLOORED,
)  # fmt: skip
w1 = _axiom(
    label="sharpness.loss_hessian.rows.W1",
    statement="The trace of the Hessian of the construction's output in W1 is in size 4D/u · C k s (1-s) |1-2s| (N+B)/"
    "(C T² + N), with k the slope of the output row over the steepest, s the average of bits that it sees, N unused "
    "rows, all alike, and B their bits that are set: the chain rule, twice, where active rows rest on plateaus.",
    left=sp.Abs(TRACES["W1"].atom), right=lambda: skewed("finite"),
)  # fmt: skip


# --- the trace of the network's Hessian, block by block, for any family of sets and any input -----

_FAMILY = "for any family of sets, T ≥ 4 and coefficients from T⁻⁴ to 1"
_ANY = "for any family of sets, T ≥ 4 and any positive coefficients"
_LABEL = "sharpness.loss_hessian.network.trace"
_AVERAGES, _ROWS, _GRADIENTS = "sharpness.averages", "sharpness.loss_hessian.rows", "sharpness.gradients"

_A, _G, _MEAN = ATTENTION["finite"], OUTPUTS["finite"], mean("finite")
_PAIRS = {"n_av": T + 1, "a_av": _A, "g_av": _G, "m_av": _MEAN}
_SPREAD = _MEAN * (1 - _MEAN)
_WEIGHTS = f"{_GRADIENTS}.rows.weights[finite]"
_AVERAGE = Instance(f"{_AVERAGES}.mean", {"n_av": T + 1, "a_av": _A, "g_av": _G})
_QUARTER = Instance(f"{_AVERAGES}.quarter", {"m_av": _MEAN})
_UNUSED = f"{_GRADIENTS}.unused"


def _both_ways(name: str, of: Callable[[sp.Symbol], sp.Expr], **more: Any) -> tuple[Instance, Instance]:
    """How the outputs covary with other values, from above and from below."""
    up, down = (f"{_AVERAGES}.{name}.{way}" for way in ("up", "down"))
    at = {**_PAIRS, "q_av": of}
    return Instance(up, at, **more), Instance(down, at, **more)


def _size(block: str) -> sp.Expr:
    return sp.Abs(TRACES[block].atom)


def _at_most(block: str, bound: sp.Expr) -> Instance:
    return Instance(f"{_AVERAGES}.size", {"v_av": TRACES[block].atom, "e_av": bound})


def _chain(block: str, domain: Domain, *steps: Step) -> Derivation:
    return proof(
        f"{_LABEL}.{block}", f"The trace in {block}", domain, Step(_size(block), f"|tr Hess f| in {block}"), *steps
    )


# --- W2 -------------------------------------------------------------------------------------------

_PULLED = 3 * asked("finite") * _SPREAD

_second_layer = Case(
    "W2",
    statement=f"The trace of the Hessian of the construction's output in W2 is at most 3C/2 in size, {_ANY}; C is "
    "the sum of the coefficients.",
    left=_size("W2"),
    right=theory.NETWORK["W2"],
    domain=POSITIVE,
    derivation=_chain(
        "W2", POSITIVE,
        Step(_PULLED, "3C |x_out|² m (1-m)", "|x - x̄|² is 1 + Σa², which drops out, less 2a, and (g - m)²", (
            _WEIGHTS, _AVERAGE, *_both_ways("covariance", lambda t: _A[t]), *_both_ways("apart", lambda t: _G[t]),
            f"{_ROWS}.W2", _at_most("W2", _PULLED),
        )),
        Step(3 * asked("finite") / 4, "3C/4 |x_out|²", "m (1-m) ≤ 1/4", (_WEIGHTS, _AVERAGE, _QUARTER)),
        Step(theory.NETWORK["W2"], "3C/2", "|x_out|² = 1 + g² ≤ 2"),
    ),
)  # fmt: skip

# --- F --------------------------------------------------------------------------------------------

_KEYS, _LOG = KEYS_SQUARED["finite"].atom, 16 * sp.log(T) ** 2
_TOPS, _RISES = units_total(TOP["finite"][j] ** 2), units_total(RISE["finite"][j] ** 2)
_LASTS = units_total(TOP["finite"][j] ** 2 * LAST["finite"][j] ** 2)
_WRITTEN = parts_of_f("finite", _RISES * _SPREAD, _LASTS, _SPREAD)

_output_weights = Case(
    "F",
    statement="The trace of the Hessian of the construction's output in F is at most C log²T (ω R + 4 H) in size, with "
    "C the sum of the coefficients, H = (2D+1) (2(D+1)/(3D) + 5u/(16D²)) and R = 2(D+1)(2D+1)/(3D) - "
    f"(8-u)/(8D) the largest squared length of a row's hidden units and distance of two rows', u = 1 (steep) or "
    f"2 (wide), {_FAMILY}.",
    left=_size("F"),
    right=theory.NETWORK["F"],
    domain=FLOORED,
    derivation=_chain(
        "F", FLOORED,
        Step(_WRITTEN, "keys and query by the mean", "|Σ a (g - m) (x - x̄)²| ≤ m (1-m) for x in [0, 1]", (
            _WEIGHTS, _AVERAGE,
            *_both_ways("apart", lambda t: RISEN["finite"][t, j], over=(j, 1, UNITS), weight=RISE["finite"][j] ** 2),
            *_both_ways("apart", lambda t: LEVELS["finite"][t]), f"{_ROWS}.F", _at_most("F", _WRITTEN),
        )),
        Step(SUM / 4 * (_KEYS * _RISES + _LOG * _LASTS), "C/4", "m (1-m) ≤ 1/4", (_WEIGHTS, _AVERAGE, _QUARTER)),
        Step(SUM / 4 * (_KEYS * _RISES + _LOG * _TOPS), "units at most as at one", "they rise with s",
             Instance(f"{_AVERAGES}.below-one", {"m_av": LAST["finite"][j]}, over=(j, 1, UNITS),
                      weight=TOP["finite"][j] ** 2)),
        Step(SUM / 4 * (_KEYS * _RISES + _LOG * LENGTH), "|h(1)|²", "summed",
             (f"{_GRADIENTS}.rows.top[finite]", "sharpness.activations.hidden.length.closed-form")),
        Step(SUM / 4 * (_KEYS * SPREAD + _LOG * LENGTH), "|h(1) - h(0)|²", "summed",
             (f"{_GRADIENTS}.rows.rise[finite]", "sharpness.activations.hidden.spread.closed-form")),
        Step(theory.NETWORK["F"], "C log²T (ω R + 4H)", "|w2|² ≤ 4ω log²T",
             (f"{_GRADIENTS}.rows.keys[finite]", f"{_GRADIENTS}.F.keys")),
    ),
)  # fmt: skip

# --- W1 -------------------------------------------------------------------------------------------

_SEEN = SEEN_BITS["finite"][_OUT]
_BEND = _SEEN * (1 - _SEEN)

_first_layer = Case(
    "W1",
    statement="The trace of the Hessian of the construction's output in W1 is at most 6D/u · C N/(C T² + N) in size, "
    f"with N = T+1-ω unused rows, C the sum of the coefficients, u = 1 for the steep and 2 for the wide trapezoid, "
    f"{_ANY}: unused rows alone sit on flanks of the MLP.",
    left=_size("W1"),
    right=theory.NETWORK["W1"],
    domain=POSITIVE,
    limitations=(KINKED,),
    derivation=_chain(
        "W1", POSITIVE,
        Step(skewed("finite"), "unused rows alone", "chain rule", f"{_ROWS}.W1"),
        Step(read("finite", SLOPES["finite"][_OUT] * _BEND), "s (1-s)", "|1 - 2s| ≤ 1",
             (_UNUSED, Instance(f"{_AVERAGES}.size", {"v_av": 1 - 2 * _SEEN, "e_av": 1}))),
        Step(read("finite", _BEND), "slopes", "|g'| ≤ 4D/u", _UNUSED),
        Step(read("finite", sp.Rational(1, 4)), "1/4", "s (1-s) ≤ 1/4",
             (_UNUSED, Instance(f"{_AVERAGES}.quarter", {"m_av": _SEEN}))),
        Step(theory.NETWORK["W1"], "unused attention", "bits are at most one",
             (_UNUSED, Instance(f"{_AVERAGES}.count",
                                {"n_av": INACTIVE, "g_av": lambda t: BITS["finite"][omega + t]}))),
    ),
)  # fmt: skip

trace = claim(
    label=_LABEL, expected="proved",
    statement="The traces of the diagonal blocks of the Hessian of the construction's output are small in W1, F and "
    f"W2, and zero in all other blocks, {_FAMILY}.",
    cases=(_first_layer, _output_weights, _second_layer),
)  # fmt: skip
