"""How the value of one row bends where the MLP is flat, along the direction in which E v'' is largest, at most."""

from __future__ import annotations

import sympy as sp

from boundaudit.checks.evidence.derivation import Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.sharpness.gradients.shared import SCALES
from boundaudit.checks.sharpness.hessian.proofs import VECTORS, lemma, stated, weighted
from boundaudit.checks.sharpness.hessian.values.pairs import pairs, size
from boundaudit.checks.sharpness.hessian.values.row import LABEL, Flat, cases, live, top, unit
from boundaudit.derivations.sharpness.activations import LENGTH
from boundaudit.derivations.sharpness.attention import SUM
from boundaudit.derivations.sharpness.hessian_lemmas import GATES, TOKEN_BOUND
from boundaudit.derivations.sharpness.hessian_lemmas import UNITS as UNITS_ON

CLOSED = SUM**2 * TOKEN_BOUND * (GATES + UNITS_ON) + 2 * GATES + LENGTH


def _through_units(network: str) -> Case:
    rows_of, factor = "sharpness.gradients.rows", SUM**2 * TOKEN_BOUND
    return stated(
        f"{LABEL}.units", network,
        Step(size(network), "summed"),
        Step(factor * (live(network) + UNITS_ON) + 2 * live(network) + top(network), "4D+2", "counted", (
            f"{rows_of}.ready[{network}]", "sharpness.hessian.gates.units.closed-form",
        )),
        Step(factor * (GATES + UNITS_ON) + 2 * GATES + top(network), "A", "on at one", (
            f"{rows_of}.live[{network}]", "sharpness.gradients.live",
        )),
        Step(CLOSED, "L²", "at one", (f"{rows_of}.top[{network}]", "sharpness.activations.hidden.length.closed-form")),
    )  # fmt: skip


units = lemma(
    label=f"{LABEL}.units",
    statement="C² Z² (Σ φ² + units on at one) + 2 Σ φ² + |h(1)|² is C² Z² (32 D²(D+1)/u² + 4D+2) + 64 D²(D+1)/u² + L².",
    cases=tuple(_through_units(network) for network in SCALES),
)
BOUND = sp.sqrt(CLOSED) + sp.sqrt(2) * SUM


def _through_all(which: str, of: Flat) -> Case:
    paired, root = SUM * of.front + of.back, sp.sqrt(CLOSED)
    pair = {
        "a_ve": paired, "p_ve": root, "q_ve": size(of.network), "e_ve": of.tokens_share + of.read_share,
        "f_ve": of.behind,
    }  # fmt: skip
    rest = {"a_ve": of.pair, "p_ve": sp.sqrt(2), "q_ve": 2, "e_ve": of.arguments_share, "f_ve": of.outputs_share}
    return stated(
        f"{LABEL}.flat", which,
        Step(sp.Abs(of.bend), "|p|"),
        Step(2 * sp.Abs(paired) + 2 * SUM * sp.Abs(of.pair), "in two parts", "",
             Instance(f"{VECTORS}.parted", {"a_ve": paired, "b_ve": of.pair, "s_ve": SUM, "c_ve": of.bend})),
        Step(root + 2 * SUM * sp.Abs(of.pair), "pairs", "at unit length", (
            f"{unit.label}[{which}]", f"{pairs.label}[{which}]", f"{units.label}[{of.network}]",
            Instance(f"{VECTORS}.halves", pair),
        )),
        Step(BOUND, "M and Gamma with F", "at unit length", (
            f"{unit.label}[{which}]", f"{LABEL}.written[{which}]", Instance(f"{VECTORS}.halves", rest),
            weighted(SUM, 2 * sp.Abs(of.pair), sp.sqrt(2)),
        )),
    )  # fmt: skip


flat = lemma(
    label=f"{LABEL}.flat",
    statement="Along that direction the value of any row bends by at most √(C²Z²(A + 4D+2) + 2A + L²) + √2 C but for "
    "the slope of the MLP, A = 32 D²(D+1)/u².",
    cases=cases(_through_all),
)
