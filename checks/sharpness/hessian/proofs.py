"""Theorem 18: how axioms and lemmas about leading directions are stated, and the instances that they share."""

from __future__ import annotations

import functools

import sympy as sp

from boundaudit.checks.evidence.derivation import Derivation, Instance, Step
from boundaudit.checks.language.claim import Case
from boundaudit.checks.language.domain import Domain
from boundaudit.checks.language.points import Point
from boundaudit.checks.sharpness.hessian.families import ANY
from boundaudit.checks.sharpness.hessian.shared import claim
from boundaudit.checks.sharpness.targets import PAPER

VECTORS = "sharpness.hessian.vectors"
FLANKED: dict[str, Point] = {
    "two of four bits": {"T": 4, "D": 1, "omega": 4, "u": 1, "c": (0.8, 0.5, 0.3, 0.1), "S": ((1,), (2,), (3,), (4,)),
                         "x_n": 5},
}  # fmt: skip
"""Where the unused row lies on a flank, so that every part moves."""

axiom = functools.partial(claim, role="axiom", relation="=", domain=ANY, expected="supported")
lemma = functools.partial(claim, domain=ANY, expected="proved")


def proof(label: str, *steps: Step, which: str = "steps", domain: Domain = ANY) -> Derivation:
    """The chain that proves a lemma."""
    title = f"{label.rpartition('.')[2]}, {which}"
    return Derivation(
        label=f"{label}.{which}", title=title, steps=steps, domain=domain, samples=FLANKED, paper=PAPER,
        place=("Theorem 18",),
    )  # fmt: skip


def stated(label: str, which: str, *steps: Step, domain: Domain = ANY) -> Case:
    """The case of a lemma that a chain proves."""
    return Case(
        which, left=steps[0].value, right=steps[-1].value, derivation=proof(label, *steps, which=which, domain=domain)
    )


def both(a: sp.Expr, p: sp.Expr, e: sp.Expr, b: sp.Expr, q: sp.Expr, f: sp.Expr, *scales: sp.Expr) -> Instance:
    """From a² ≤ p e and b² ≤ q f to a bound on (s a + t b)²."""
    s, r = scales or (sp.S.One, sp.S.One)
    names = ("a_ve", "p_ve", "e_ve", "b_ve", "q_ve", "f_ve", "s_ve", "t_ve")
    return Instance(f"{VECTORS}.both", dict(zip(names, (a, p, e, b, q, f, s, r), strict=True)))


def weighted(e: sp.Expr, v: sp.Expr, x: sp.Expr) -> Instance:
    """From v ≤ x to e v ≤ e x."""
    return Instance("sharpness.averages.weighted", {"e_av": e, "v_av": v, "x_av": x})
