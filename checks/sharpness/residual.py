"""What the residual around the MLP carries: four readings of one sentence, and what each costs."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers, Reals, Vector
from boundaudit.checks.language.floats import Array
from boundaudit.checks.language.points import Point
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import (
    BOTH,
    PAPER,
    TARGETS,
    TRAPEZOIDS,
    WITH_INPUT,
    batch_of,
    by_trapezoid,
    network_outputs,
)
from boundaudit.derivations.sharpness import residual as theorem
from boundaudit.derivations.sharpness.kinks import n_z
from boundaudit.derivations.sharpness.parameters import D, T, k, omega, u
from boundaudit.numeric.sharpness.construction import Layout
from boundaudit.numeric.sharpness.exactness import leak_bound
from boundaudit.numeric.sharpness.forward import Residual
from boundaudit.numeric.sharpness.kinks import kinks
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.residual import errors, largest_errors
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))

_ONE_COMPONENT = Domain(
    {
        T: Integers(3, tested_to=10),
        D: Integers(1, T),
        k: Integers(0, D),
        n_z: Integers(k, k + T - D),
        u: BOTH,
    }
)
"""One component with coefficient one, and all inputs by their ones; from T = 3 on layer 1 is exact."""

_ALL_INPUTS = (
    "One component with coefficient one; k and n_z count the ones of the input inside it and in all, which by "
    "symmetry covers every input.",
)


def _bits(points: Sequence[Point], device: str) -> Tensor:
    """Ones at 1…k and at D+1…D+n-k, shape (B, 1, T_max)."""
    position = torch.arange(max(p["T"] for p in points), device=device)
    inside, degree, ones = torch.tensor([(p["k"], p["D"], p["n_z"]) for p in points], device=device).T[:, :, None]
    bits: Tensor = (position < inside) | ((position >= degree) & (position < degree + ones - inside))
    return bits[:, None]


def _error(residual: Residual) -> Measure:
    """The network's error at one input; a single one inside the component unless the point says otherwise."""

    def measure(points: Sequence[Point], device: str) -> Array:
        def of(chosen: Sequence[Point], mlp: Trapezoid) -> Tensor:
            full = [{"k": 1, "n_z": 1, "c": (1,), "S": (tuple(range(1, p["D"] + 1)),), **p} for p in chosen]
            return errors(batch_of(full, device), _bits(full, device), residual=residual, mlp=mlp)[:, 0]

        return by_trapezoid(points, of)

    return measure


_CARRIES: dict[Residual, str] = {
    "positions": "the positions of the tokens",
    "tokens": "the whole tokens with their bit",
    "attention": "the output of the first attention",
    "none": "nothing",
}


def _quantity(name: Residual, where: str, definition: sp.Expr) -> Quantity:
    return Quantity(
        f"error{where}, residual of {_CARRIES[name]}", _error(name), r"|f_\Theta(x) - f(x)|", definition, 1e-11, 1.0
    )


def _within_leak(name: Residual, **more: object) -> Claim:
    fields = {
        "label": f"sharpness.residual.{name}",
        "statement": f"Where the residual around the MLP carries {_CARRIES[name]}, the network is within the second "
        "layer's leak of its target at every input.",
        "left": _quantity(name, "", theorem.ERROR[name]), "relation": "<=", "right": theorem.LEAK,
        "domain": _ONE_COMPONENT, "reading": "plausible", "expected": "refuted", "limitations": _ALL_INPUTS,
    }  # fmt: skip
    return _claim(**(fields | more))


refuted = tuple(_within_leak(name) for name in ("tokens", "attention", "none"))

_ALL_ZEROS_BUT_ONE = {"T": 3, "D": 1, "k": 1, "n_z": 1, "u": 1}

positions = _within_leak(
    "positions", kind="Tight", equality=(_ALL_ZEROS_BUT_ONE,), reading="derived here", expected="certified",
    repairs=tuple(claim.label for claim in refuted),
    rests_on=("sharpness.mlp.range-upper", "sharpness.mlp.range-lower", "sharpness.mlp.plateau-one",
              "sharpness.mlp.plateau-zero"),
)  # fmt: skip


def _largest(points: Sequence[Point], device: str) -> Array:
    """The largest error over all inputs, positions carried."""
    return by_trapezoid(
        points, lambda chosen, mlp: largest_errors(batch_of(chosen, device), residual="positions", mlp=mlp)
    )


positions_all = _claim(
    label="sharpness.residual.positions-many",
    statement="Where the residual carries the positions, the error over all inputs stays below (T+1-ω)/T², for any "
    "number of components.",
    left=Quantity("largest error over all inputs", _largest, r"\max_x |f_\Theta(x) - f(x)|", rounding=1e-11),
    relation="<=",
    right=(T + 1 - omega) / T**2,
    domain=TARGETS.replace(T=Integers(3, tested_to=6), c=Vector(omega, Reals(0, open_low=True, tested_to=4))),
    expected="supported",
    rests_on=("sharpness.residual.positions",),
)


def _stays(name: Residual) -> Claim:
    return _claim(
        label=f"sharpness.residual.{name}.stays",
        statement=f"Where the residual carries {_CARRIES[name]}, the error at a single one inside the component is at "
        "least T/(T+1) once T+1 reaches 4D: it does not vanish as the input grows.",
        left=_quantity(name, " at a single one", theorem.error_at_a_single_one(name)),
        relation=">=",
        right=T / (T + 1),
        domain=Domain({D: Integers(1, tested_to=4), T: Integers(sp.Max(4, 4 * D - 1), tested_to=16), u: BOTH}),
        expected="certified",
        rests_on=("sharpness.mlp.plateau-one", "sharpness.mlp.plateau-zero"),
        limitations=("One component with coefficient one.",),
    )


stay = tuple(_stays(name) for name in ("tokens", "attention", "none"))


def _output(layout: Layout, latex: str) -> Quantity:
    name = f"output in the {layout} layout"
    return Quantity(name, functools.partial(network_outputs, layout=layout), latex, scale=1.0)


layouts = _claim(
    label="sharpness.residual.layouts",
    statement="With a channel of its own for the data and the whole tokens in the residual, the network computes "
    "what it does in the published channels with the positions alone.",
    left=_output("separate-data", "f_{T+3}(x)"),
    relation="=",
    right=_output("published", "f_{T+2}(x)"),
    domain=WITH_INPUT,
    expected="supported",
    rests_on=("sharpness.setup.width.published", "sharpness.setup.width.separate-data"),
)


# --- figures --------------------------------------------------------------------------------------

_LONGEST = {"smoke": 8, "standard": 11, "deep": 14}
_SETS, _COEFFICIENTS = ((1, 2), (3, 4), (5, 6)), (0.6, 0.64, 0.48)
_LENGTHS_WITH_KINKS, _DEGREES = 200, 32


def _readings(setting: Setting) -> Panel:
    """The largest error over all inputs against T, by what the residual carries."""
    lengths = range(6, _LONGEST[setting.profile] + 1)
    targets = [Target(length, _SETS, _COEFFICIENTS) for length in lengths]
    batches = [TargetBatch.stack([target], device=setting.device) for target in targets]
    curves = [
        Series(what, lengths, [float(largest_errors(batch, residual=name)) for batch in batches], drawn="points")
        for name, what in _CARRIES.items()
    ]
    leak = Series("leak of layer 2", lengths, [leak_bound(target, 2.0) for target in targets])
    return Panel("Largest error, D = 2, ω = 3", "T", "largest |network - target|", (*curves, leak), log="y")


def _with_kinks(mlp: Trapezoid, device: str) -> Series:
    """How many lengths have a kink, against D."""
    sizes = {(length, degree) for length, degree, _ in kinks(_LENGTHS_WITH_KINKS, mlp, device=device).tolist()}
    counts = Counter(degree for _, degree in sizes)
    degrees = range(1, _DEGREES + 1)
    return Series(mlp, degrees, [float(counts[degree]) for degree in degrees], drawn="points")


def _panels(setting: Setting) -> tuple[Panel, ...]:
    counts = tuple(_with_kinks(mlp, setting.device) for mlp in TRAPEZOIDS.values())
    title = f"Lengths T ≤ {_LENGTHS_WITH_KINKS} at which inactive rows sit on a kink"
    return _readings(setting), Panel(title, "D", "number of lengths", counts)


readings = Study(
    label="sharpness.residual.readings",
    title="What the residual carries, and where the finite network has kinks",
    caption="First: only a residual of the positions keeps the largest error within the second layer's leak; with the "
    "other three readings it does not vanish with T. Second: the power of two in D rules the kinks of inactive rows.",
    claims=(*(claim.label for claim in refuted), positions.label),
    compute=_panels,
    paper=PAPER,
    place=("Appendix B",),
)
