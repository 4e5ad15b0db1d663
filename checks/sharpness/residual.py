"""What the residual around the MLP carries: four readings of one sentence, and what each costs."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable

import sympy as sp
import torch
from torch import Tensor

from boundaudit.checks.language.claim import Case, Claim, Measure, Quantity
from boundaudit.checks.language.domain import Domain, Integers
from boundaudit.checks.measurements import Columns
from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.sharpness.targets import BOTH, PAPER, TRAPEZOIDS, by_trapezoid
from boundaudit.derivations.sharpness import residual as theorem
from boundaudit.derivations.sharpness.kinks import n_z
from boundaudit.derivations.sharpness.parameters import D, T, k, u
from boundaudit.numeric.sharpness.attention import leading, leading_bits
from boundaudit.numeric.sharpness.exactness import leak_bound
from boundaudit.numeric.sharpness.forward import Residual
from boundaudit.numeric.sharpness.kinks import kinks
from boundaudit.numeric.sharpness.mlp import Trapezoid
from boundaudit.numeric.sharpness.residual import errors, largest_errors
from boundaudit.numeric.sharpness.target import Target, TargetBatch

_claim = functools.partial(Claim, paper=PAPER, place=("Appendix B",))

_CARRIES: dict[Residual, str] = {
    "positions": "the positions of the tokens",
    "tokens": "the whole tokens with their bit",
    "attention": "the output of the first attention",
    "none": "nothing",
}


def _error(residual: Residual) -> Measure:
    """The network's error for the component {1…D} at one input; a single one inside it unless the point says more."""

    def of(at: Columns, mlp: Trapezoid) -> Tensor:
        length, degree, inside, ones = at.whole("T"), at.whole("D"), at.whole("k", 1), at.whole("n_z", 1)
        batch = leading(length, degree, torch.ones_like(length).double())
        bits = leading_bits(length, degree, inside, ones - inside)
        return errors(batch, bits[:, None], residual=residual, mlp=mlp)[:, 0]

    return by_trapezoid(of)


def _quantity(name: Residual, where: str, definition: Callable[[], sp.Expr]) -> Quantity:
    return Quantity(
        f"error{where}, residual of {_CARRIES[name]}", _error(name), r"|f_\Theta(x) - f(x)|", definition, 1e-11, 1.0
    )


def _printed(name: Residual, **more: object) -> Case:
    return Case(
        name,
        statement=f"Where the skip connection around the MLP carries {_CARRIES[name]}, the network computes its target "
        "at every input up to what the second layer leaks: within 1/(T+1) for one component with coefficient one, "
        "3 ≤ T ≤ 8, D ≤ T and either trapezoid.",
        left=_quantity(name, "", lambda: theorem.error(name)),
        **more,
    )


printed = _claim(
    label="sharpness.residual.printed", role="printed", reading="plausible", expected="refuted",
    statement="With a skip connection around the MLP, but none around the first attention, the network computes its "
    "target at every input up to what the second layer leaks: within 1/(T+1) for one component with coefficient one, "
    "3 ≤ T ≤ 8, D ≤ T and either trapezoid.",
    right=theorem.LEAK,
    domain=Domain(
        {T: Integers(3, 8), D: Integers(1, T), k: Integers(0, D), n_z: Integers(k, k + T - D), u: BOTH}
    ),
    cases=(
        _printed(
            "positions", expected="certified", reading="derived here", kind="Tight",
            equality=({"T": 3, "D": 1, "k": 1, "n_z": 1, "u": 1},),
            rests_on=("sharpness.exactness.leak.upper", "sharpness.exactness.active", "sharpness.mlp.range"),
        ),
        _printed("tokens"),
        _printed("attention"),
    ),
    rests_on=("sharpness.exactness.active", "sharpness.mlp.range"),
    limitations=(
        "One sentence leaves open what is added to the MLP's output; these are its readings in T+2 channels.",
        "k and n_z count the ones of the input inside the component and in all, which by symmetry covers every input.",
    ),
)  # fmt: skip


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
    claims=(printed.label,),
    compute=_panels,
    paper=PAPER,
    place=("Appendix B",),
)
