"""What proofs take from the network: its error, and the traces of its Hessian's blocks, row by row."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.atoms import Family
from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Reals
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.measurements import Columns
from boundaudit.checks.sharpness.disjoint_supports import ON_A_KINK
from boundaudit.checks.sharpness.gradients.rows import (
    ATTENTION,
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
from boundaudit.checks.sharpness.gradients.shared import FROM_FOUR, INPUTS, MEASURED, numbered
from boundaudit.checks.sharpness.loss_hessian.shared import SCALES, Parts, anywhere, claim, values
from boundaudit.checks.sharpness.proofs import FLOORED
from boundaudit.checks.sharpness.targets import by_trapezoid
from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.parameters import T, c, j, omega, t
from boundaudit.numeric.sharpness.construction import build
from boundaudit.numeric.sharpness.forward import forward
from boundaudit.numeric.sharpness.gradients import derivatives
from boundaudit.numeric.sharpness.mlp import Trapezoid

POSITIVE = INPUTS.replace(T=FROM_FOUR)
"""Any family of sets of equal size with any positive coefficients, T ≥ 4, each with any input."""

BLOCKS = ("W1", "F", "W2")
"""Blocks whose Hessian has a trace; in all others the output is linear, piece by piece."""

_OUT = T + 1


# --- what is measured -----------------------------------------------------------------------------


def _trace(block: str, network: str) -> Quantity:
    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = numbered(at)
        found = derivatives(batch, bits[:, None], mlp=mlp, scale=SCALES[network])
        kinked = found.kink & (block == "W1" and network == "finite")
        return found.trace[block].where(~kinked, torch.nan)[:, 0]

    return Quantity(
        f"trace of the Hessian in {block}, {network} network", by_trapezoid(of),
        rf"\mathrm{{tr}} \nabla^2_{{{block[0]}{'_' + block[1] if block[1:] else ''}}} f", rounding=1e-9, scale=1.0,
        except_at=ON_A_KINK if block == "W1" and network == "finite" else "",
    )  # fmt: skip


TRACES = {network: {block: _trace(block, network) for block in BLOCKS} for network in SCALES}
"""The traces of the diagonal blocks of Hess f, by network and block."""


def _error(network: str) -> Measure:
    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        batch, bits = numbered(at)
        scale = SCALES[network]
        found = forward(build(batch, mlp=mlp, scale=scale), batch, bits[:, None], scale=scale)[:, 0]
        return found - values(batch, bits)

    return by_trapezoid(of)


ERROR = {n: Quantity(f"error, {n} network", _error(n), r"(f_\Theta - f)", rounding=1e-9, scale=1.0) for n in SCALES}


def _whole(found: Parts) -> Tensor:
    return found.gauss_newton + found.residual


LOSS = {n: anywhere("trace of the loss Hessian", _whole, n, r"\mathrm{tr} \nabla^2 L") for n in SCALES}


def _indicators(points: Sequence[Point], device: str) -> Array:
    batch, bits = numbered(Columns(points, device))
    ones = (batch.members & bits[:, None]).sum(-1)
    found: Array = (ones % 2 == 0).double().cpu().numpy()
    return found


EVEN = Family("indicators of an even number of ones in a component", _indicators, r"\chi", omega, Reals(0, 1))


# --- in formulas ----------------------------------------------------------------------------------


def laplacian(network: str) -> sp.Expr:
    """The trace of Hess f, block by block."""
    return sp.Add(*(found.atom for found in TRACES[network].values()))


def residual(network: str) -> sp.Expr:
    """The residual part 2 (f_Θ - f) tr Hess f."""
    return 2 * ERROR[network].atom * laplacian(network)


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
        left=TRACES["finite"][block],
        right=lambda: written("finite"),
        domain=domain,
    )


whole = _axiom(
    label="sharpness.loss_hessian.rows.trace",
    statement="The trace of the Hessian of the squared loss L = (f_Θ - f)² at one input is 2 |∇f_Θ|² + 2 (f_Θ - f) tr "
    "Hess f_Θ, and tr Hess f_Θ is the sum of the traces in W1, F and W2, as the output is linear in every other block, "
    "piece by piece.",
    cases=tuple(
        Case(network, left=LOSS[network], right=2 * MEASURED[network]["total"].atom + residual(network))
        for network in SCALES
    ),
)
error = _axiom(
    label="sharpness.loss_hessian.rows.error",
    statement="The finite network errs by what its second layer leaks alone, as active rows rest on plateaus; the "
    "ideal network represents its target exactly.",
    cases=(
        Case(
            "finite",
            statement="The network errs by N (C g - f)/(C T² + N), N = T+1-ω, f = Σ c χ the target, χ whether "
            "a component holds an even number of ones, and g the MLP's output on unused rows: active rows rest on "
            "plateaus.",
            left=ERROR["finite"],
            right=lambda: INACTIVE * (SUM * OUTPUTS["finite"][_OUT] - target()) / (SUM * T**2 + INACTIVE),
        ),
        Case(
            "ideal",
            statement="The ideal network, whose softmaxes see their intended support alone, represents its target "
            "exactly.",
            left=ERROR["ideal"],
            right=0,
        ),
    ),
)
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
    left=sp.Abs(TRACES["finite"]["W1"].atom),
    right=lambda: skewed("finite"),
)
