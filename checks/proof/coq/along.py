"""The sign of a slope along a real parameter, and what it says of the ends: the mean value theorem, in Coq."""

from __future__ import annotations

from typing import Any, NamedTuple

from boundaudit.checks.language.algebra.derivatives import derivative
from boundaudit.checks.language.expression import ZERO, Tree, from_json
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.coq.book import Book, Certificate, application, introduced
from boundaudit.checks.proof.coq.calculus import continuous, derived
from boundaudit.checks.proof.coq.ground import Ground
from boundaudit.checks.proof.coq.propositions import proposition
from boundaudit.checks.proof.coq.terms import identifier, text
from boundaudit.checks.proof.kernel.calculus import along, base_statement, concave_statements, slope_statement
from boundaudit.checks.proof.kernel.domains import Domain, on
from boundaudit.checks.proof.kernel.domains import parameter as domain_parameter


def by_valley(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """The goal at an anchor, and the sign of its derivative on the way from there: the mean value theorem."""
    parameter, anchor, shape = certificate["variable"], from_json(certificate["anchor"]), certificate["shape"]
    base, slope = base_statement(statement, parameter, anchor), slope_statement(statement, parameter, anchor, shape)
    at_anchor = book.part(base, certificate["base"], name)
    on_the_way = book.part(slope, certificate["slope"], name)
    rising = shape == "rising"
    ground = Ground(statement.domain)
    say_order(ground, parameter, anchor, rising=rising)
    ground.script.say(f"pose proof {application(at_anchor, base, statement)} as at_anchor.")
    low, high = (anchor, ("v", parameter)) if rising else (("v", parameter), anchor)
    reached = _reached(statement.domain, parameter, anchor, rising=rising)
    sign = application(on_the_way, slope, statement, {identifier(parameter): "inner"})
    way = Way(parameter, statement.goal, low, high)
    lines = moved(book, statement, slope, reached, way, sign, name)
    return [*ground.script.lines, *lines, "clear - at_anchor moves; lra."]


def by_concave(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """The goal at both ends of a parameter, and a second derivative that is not positive between them."""
    parameter, parts = certificate["variable"], concave_statements(statement, certificate["variable"])
    word, put, curvature = identifier(parameter), {identifier(parameter): "inner"}, parts["curvature"]
    labels = {key: book.part(part, certificate[key], name) for key, part in parts.items()}
    slope = Statement(derivative(statement.goal, parameter), ">=", ZERO, curvature.domain)
    own = {**domain_parameter(curvature.domain, parameter, "reals"), "open": [False, False]}
    others = [own if found["name"] == parameter else found for found in curvature.domain["parameters"]]
    reached = on(slope, {**curvature.domain, "parameters": others})
    uses = (
        (_derivative_lemma(book, statement.goal, slope, parameter, name), slope),
        (_derivative_lemma(book, slope.left, curvature, parameter, name), curvature),
        (_continuity_lemma(book, statement.goal, reached.domain, parameter, name), reached),
        (labels["curvature"], curvature),
    )
    bodies = " ".join(f"(fun {word} : R => {text(tree)})" for tree in (statement.goal, slope.left, curvature.left))
    ends = " ".join(text(from_json(own[side])) for side in ("low", "high"))
    known = [f"pose proof {application(label, there, statement, put)} as known" for label, there in uses]
    return [
        *(f"pose proof {application(labels[side], parts[side], statement)} as at_{side}." for side in ("low", "high")),
        f"pose proof (concave_between {bodies} {ends} {word}) as moves. cbv beta in moves.",
        *["lapply moves; clear moves; [intros moves|lra]."] * 2,
        *(
            f"lapply moves; clear moves; [intros moves|intros inner after before; {use}; first [exact known | lra]]."
            for use in known
        ),
        "literal_powers_in moves. revert moves. unfold Rmin. destruct (Rle_dec _ _); intros moves; lra.",
    ]


class Way(NamedTuple):
    """A function of a parameter, and the ends between which it is looked at."""

    parameter: str
    function: Tree
    low: Tree
    high: Tree


def moved(book: Book, here: Statement, slope: Statement, reached: Domain, way: Way, sign: str, name: str) -> list[str]:
    """The lines that show how a function compares at two ends, which are known to be ``ordered``: ``moves`` says it.

    ``slope`` says the sign of its derivative, of which ``sign`` is a proof where the parameter is called ``inner``;
    ``reached`` is the domain with the ends, where it is continuous.
    """
    parameter, function, low, high = way
    word, put = identifier(parameter), {identifier(parameter): "inner"}
    moving = _derivative_lemma(book, function, slope, parameter, name)
    continuity = _continuity_lemma(book, function, reached, parameter, name)
    uses = (
        f"exact {application(moving, slope, here, put)}",
        f"exact {application(continuity, on(slope, dict(reached)), here, put)}",
        f"pose proof {sign} as known; cbv beta in known; clear - known; lra",
    )
    lemma = "rises" if slope.relation == ">=" else "falls"
    bodies = " ".join(f"(fun {word} : R => {text(tree)})" for tree in (function, slope.left))
    return [
        f"pose proof ({lemma} {bodies} {text(low)} {text(high)}) as moves.",
        "cbv beta in moves. literal_powers_in moves. lapply moves; clear moves; [intros moves|exact ordered].",
        *(f"lapply moves; clear moves; [intros moves|intros inner after before; {use}]." for use in uses),
    ]


def _derivative_lemma(book: Book, goal: Tree, slope: Statement, parameter: str, name: str) -> str:
    """A lemma: the derivative of the goal along a parameter is what the certificate takes it to be."""
    label, word = book.name_under(name), identifier(parameter)
    ground = Ground(slope.domain)
    way, found = derived(ground, goal, parameter)
    both, rewriting = ground.lifted_together(found, slope.left)
    field = ground.field(*both)
    lines = [f"intros {' '.join(introduced(slope))}.", *ground.script.lines]
    lines.append(f"eapply derivative_value; [{way} | cbv beta; simpl pred; literal_counts].")
    lines.append(f"transitivity {text(found)}; [literal_counts; ring || (field; nonzero) | {rewriting}; {field}].")
    claim = proposition(slope, f"is_derive (fun {word} : R => {text(goal)}) {word} {text(slope.left)}")
    book.write(label, claim, lines)
    return label


def _continuity_lemma(book: Book, goal: Tree, domain: Domain, parameter: str, name: str) -> str:
    """A lemma: the goal is continuous along a parameter, from an anchor on."""
    label, word = book.name_under(name), identifier(parameter)
    ground = Ground(domain)
    way = continuous(ground, goal, parameter)
    there = Statement(goal, "<=", goal, dict(domain))
    lines = [f"intros {' '.join(introduced(there))}.", *ground.script.lines, f"{way}."]
    book.write(label, proposition(there, f"continuity_pt (fun {word} : R => {text(goal)}) {word}"), lines)
    return label


def _reached(domain: Domain, parameter: str, anchor: Tree, *, rising: bool) -> dict[str, Any]:
    """The domain with a parameter between an anchor, which is one of its values here, and its own end."""
    moved = along(domain, parameter)
    own = domain_parameter(domain, parameter, "reals", "integers")
    opens = list(own.get("open", (False, False)))
    inside = (
        {**own, "low": anchor, "open": [False, opens[1]]}
        if rising
        else {**own, "high": anchor, "open": [opens[0], False]}
    )
    return {**moved, "parameters": [*(p for p in moved["parameters"] if p["name"] != parameter), inside]}


def say_order(ground: Ground, parameter: str, anchor: Tree, *, rising: bool) -> None:
    """The anchor is on the right side of the parameter."""
    small, large = (anchor, ("v", parameter)) if rising else (("v", parameter), anchor)
    claim, proof = ground.signs.below(small, large)
    ground.script.say(f"assert (ordered : {claim}) by ({proof}).")
