"""Certificates as Coq lemmas: one function for each kind that our checker knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.expression import Tree, from_json
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.coq.ground import Ground
from boundaudit.checks.proof.coq.labels import Labels
from boundaudit.checks.proof.coq.propositions import conclusion, premises, proposition, variables
from boundaudit.checks.proof.coq.terms import NotExported, number, text
from boundaudit.checks.proof.kernel.domains import with_lemmas

Certificate = Mapping[str, Any]


class Book:
    """Lemmas in the order in which they rest on each other."""

    def __init__(self) -> None:
        self.lemmas: list[str] = []
        self._counts: dict[str, int] = {}

    def prove(self, statement: Statement, certificate: Certificate, name: str) -> str:
        """Write a lemma and those that it rests on.

        Args:
            statement: What is claimed.
            certificate: Its proof, as our checker reads it.
            name: What the lemma is called.

        Returns:
            The name.

        Raises:
            NotExported: where a part of the proof has no Coq proof yet.
        """
        kind = certificate["kind"]
        if kind not in _KINDS:
            raise NotExported(f"certificates of the kind {kind}")
        lines = [f"intros {' '.join(introduced(statement))}."] if introduced(statement) else []
        target = statement
        if certificate.get("lemmas"):
            target, more = self._with_lemmas(statement, certificate["lemmas"], name)
            lines += more
        lines += _KINDS[kind](self, target, certificate, name)
        self._write(name, proposition(statement), lines)
        return name

    def part(self, statement: Statement, certificate: Certificate, name: str) -> str:
        """A lemma that another one rests on, under a name of its own."""
        self._counts[name] = self._counts.get(name, 0) + 1
        return self.prove(statement, certificate, f"{name}_{self._counts[name]}")

    def _write(self, name: str, claim: str, lines: Sequence[str]) -> None:
        body = "\n".join(f"  {line}" for line in lines)
        self.lemmas.append(f"Lemma {name} :\n{claim}.\nProof.\n{body}\nQed.\n")

    def _with_lemmas(self, statement: Statement, entries: Sequence[Any], name: str) -> tuple[Statement, list[str]]:
        """The statement on its domain with lemmas, and the lines that add them to what is known."""
        lines, found = [], []
        for entry in entries:
            lemma = Statement.from_json(entry["statement"])
            before = with_lemmas(statement, found) if found else statement
            found.append(lemma)
            after = with_lemmas(statement, found)
            label = self.part(lemma, entry["certificate"], name)
            use = application(label, lemma, before)
            added = [p for p in premises(after.domain) if p not in premises(before.domain)]
            for premise in added:
                lines.append(f"assert ({premise.name} : {premise.claim}) by (pose proof {use} as known; lra).")
        return with_lemmas(statement, found), lines


def introduced(statement: Statement) -> list[str]:
    """The names of variables and premises of a statement, in order."""
    return [name for name, _ in variables(statement.domain)] + [p.name for p in premises(statement.domain)]


def application(label: str, lemma: Statement, here: Statement, put: Mapping[str, str] | None = None) -> str:
    """A lemma at the point of another statement, as a term with holes that ``known_here`` fills."""
    given = {premise.claim: premise.name for premise in premises(here.domain)}
    values = [(put or {}).get(name, name) for name, _ in variables(lemma.domain)]
    proofs = [given.get(premise.claim) or f"ltac:(known_here)" for premise in premises(lemma.domain)]
    return f"({' '.join([label, *values, *proofs])})"


def closing(ground: Ground, statement: Statement, shown: str, rewriting: str, sign: str) -> list[str]:
    """The lines from the sign of the goal in atoms to the statement."""
    goal = text(statement.goal)
    ground.script.say(f"assert (goal_is : {goal} = {shown}) by ({rewriting}; reflexivity).")
    ground.script.say(f"rewrite <- goal_is in {sign}; lra.")
    return ground.script.lines


def _identity(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """Both sides are one normal form."""
    ground = Ground(statement.domain)
    shown, rewriting = ground.lifted(statement.goal)
    ground.script.say(f"assert (goal_is : {text(statement.goal)} = 0) by ({rewriting}; {ground.field(shown)}).")
    ground.script.say("clear - goal_is; lra.")
    return ground.script.lines


def _psatz(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """A sum of terms that are not negative, one of them positive, and that is 0: the goal's negation is absurd."""
    ground = Ground(statement.domain)
    labels, script = Labels(ground), ground.script
    shown, rewriting = ground.lifted(statement.goal)
    script.say(f"assert (goal_is : {text(statement.goal)} = {shown}) by ({rewriting}; reflexivity).")
    factors: dict[str, tuple[str, str, bool]] = {}
    squares: dict[str, str] = {}
    for term in certificate["terms"]:
        for label, _ in term["factors"]:
            if label != "n" and str(label) not in factors:
                factors[str(label)] = labels.excess(label)
        if "square" in term:
            squares[str(term["square"])] = ground.lifted(from_json(term["square"]))[0]
    short = _shortened(ground, factors, squares)
    relation = "<=" if statement.is_strict else "<"
    script.say(f"destruct (named (- {shown})) as [n n_is].")
    opposite = "Rlt_or_le 0" if statement.is_strict else "Rle_or_lt 0"
    script.say(f"destruct ({opposite} {shown}) as [fine|wrong].")
    script.say("{ pose proof (eq_ind_r _ fine goal_is) as fine'; cbv beta in fine'; clear fine; clear - fine'; lra. }")
    script.say("exfalso.")
    script.say(f"assert (n_sign : 0 {relation} n) by (rewrite n_is; clear - wrong; lra).")
    total, names = [], []
    for k, term in enumerate(certificate["terms"]):
        parts = [number(Fraction(*term["weight"]))]
        strict = "square" not in term
        for label, exponent in term["factors"]:
            variable, positive = ("n", not statement.is_strict) if label == "n" else short[str(label)]
            strict = strict and positive
            parts.append(variable if exponent == 1 else f"{variable} ^ {exponent}")
        if "square" in term:
            parts.append(f"{short[str(term['square'])][0]} ^ 2")
        product = " * ".join(parts)
        script.say(
            f"assert (term_{k} : 0 {'<' if strict else '<='} {product}) by {'positive' if strict else 'nonnegative'}."
        )
        total.append(product)
        names.append(f"term_{k}")
    sums = " + ".join(total)
    unfold = ", ".join(f"?{variable}_is" for variable in dict.fromkeys(v for v, _ in short.values()))
    terms = [shown, *(found[0] for found in factors.values()), *squares.values()]
    script.say(f"assert (sum_is : {sums} = 0) by (rewrite ?n_is{', ' if unfold else ''}{unfold}; {ground.field(*terms)}).")
    script.say(f"clear - sum_is {' '.join(names)}; lra.")
    return script.lines


def _shortened(
    ground: Ground, factors: Mapping[str, tuple[str, str, bool]], squares: Mapping[str, str]
) -> dict[str, tuple[str, bool]]:
    """Variables in place of the factors and the roots of squares of a sum."""
    found: dict[str, tuple[str, bool]] = {}
    for k, (label, (shown, sign, strict)) in enumerate(factors.items()):
        ground.script.say(f"destruct (named {shown}) as [x_{k} x_{k}_is].")
        relation = "<" if strict else "<="
        ground.script.say(f"assert (x_{k}_sign : 0 {relation} x_{k}) by (rewrite x_{k}_is; exact {sign}).")
        found[label] = (f"x_{k}", strict)
    for k, (label, shown) in enumerate(squares.items()):
        ground.script.say(f"destruct (named {shown}) as [y_{k} y_{k}_is].")
        found[label] = (f"y_{k}", False)
    return found


def _product(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """The goal is a product, and each factor has its sign."""
    from boundaudit.checks.proof.kernel.transformations import factor_statements

    trees: list[Tree] = [from_json(factor) for factor in certificate["factors"]]
    parts = factor_statements(statement, trees)
    used = [
        application(book.part(part, proof, name), part, statement)
        for part, proof in zip(parts, certificate["proofs"], strict=True)
    ]
    ground = Ground(statement.domain)
    shown, rewriting = ground.lifted(statement.goal)
    sides = [ground.lifted(tree) for tree in trees]
    product = " * ".join(text(tree) for tree in trees)
    ways = "; ".join([rewriting, *(way for _, way in sides)])
    field = ground.field(shown, *(side for side, _ in sides))
    ground.script.say(f"assert (goal_is : {text(statement.goal)} = {product}) by ({ways}; {field}).")
    for k, use in enumerate(used):
        ground.script.say(f"pose proof {use} as factor_{k}.")
    tactic = "positive" if statement.is_strict else "nonnegative"
    relation = "<" if statement.is_strict else "<="
    ground.script.say(f"assert (sign : 0 {relation} {product}) by {tactic}.")
    ground.script.say("clear - goal_is sign; lra.")
    return ground.script.lines


_KINDS: dict[str, Callable[[Book, Statement, Certificate, str], list[str]]] = {
    "identity": _identity,
    "psatz": _psatz,
    "product": _product,
}

__all__ = ["Book", "conclusion"]
