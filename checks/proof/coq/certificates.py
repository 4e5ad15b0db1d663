"""Certificates as Coq lemmas: one function for each kind that our checker knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.expression import (
    Tree,
    from_json,
    substitute,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.coq.along import by_concave, by_valley
from boundaudit.checks.proof.coq.book import Book, Certificate, Rule, application
from boundaudit.checks.proof.coq.boxes import by_boxes
from boundaudit.checks.proof.coq.citing import by_chain, by_instance
from boundaudit.checks.proof.coq.ground import Ground
from boundaudit.checks.proof.coq.labels import Labels
from boundaudit.checks.proof.coq.propositions import (
    conclusion,
    end_name,
    premises,
    range_premises,
    where_name,
)
from boundaudit.checks.proof.coq.steps import by_induction, by_last_term, by_telescoping, by_terms
from boundaudit.checks.proof.coq.terms import NotExported, identifier, less, number, text
from boundaudit.checks.proof.kernel.domains import on, with_index
from boundaudit.checks.proof.kernel.transformations import (
    case_statements,
    factor_statements,
    generalised,
    image_statement,
    substituted,
)


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
    labels, script = Labels(ground, statement.goal), ground.script
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
    script.say(f"destruct (named (- {shown})) as [negated negated_is].")
    opposite = "Rlt_or_le 0" if statement.is_strict else "Rle_or_lt 0"
    script.say(f"destruct ({opposite} {shown}) as [fine|wrong].")
    script.say("{ pose proof (eq_ind_r _ fine goal_is) as fine'; cbv beta in fine'; clear fine; clear - fine'; lra. }")
    script.say("exfalso.")
    script.say(f"assert (negated_sign : 0 {relation} negated) by (rewrite negated_is; clear - wrong; lra).")
    total, names = [], []
    for k, term in enumerate(certificate["terms"]):
        parts = [number(Fraction(*term["weight"]))]
        strict = "square" not in term
        for label, exponent in term["factors"]:
            variable, positive = ("negated", not statement.is_strict) if label == "n" else short[str(label)]
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
    unfold = ", ".join(f"?{variable}_is" for variable in dict.fromkeys(["negated", *(v for v, _ in short.values())]))
    terms = [shown, *(found[0] for found in factors.values()), *squares.values()]
    script.say(f"assert (sum_is : {sums} = 0) by (rewrite {unfold}; {ground.field(*terms)}).")
    script.say(f"clear - sum_is {' '.join(names)}; lra.")
    return script.lines


def _shortened(
    ground: Ground, factors: Mapping[str, tuple[str, str, bool]], squares: Mapping[str, str]
) -> dict[str, tuple[str, bool]]:
    """Variables in place of the factors and the roots of squares of a sum."""
    found: dict[str, tuple[str, bool]] = {}
    for k, (label, (shown, sign, strict)) in enumerate(factors.items()):
        ground.script.say(f"destruct (named {shown}) as [x_{k} x_{k}_is].")
        ground.script.say(f"assert (x_{k}_sign : 0 {less(strict)} x_{k}) by (rewrite x_{k}_is; exact {sign}).")
        found[label] = (f"x_{k}", strict)
    for k, (label, shown) in enumerate(squares.items()):
        ground.script.say(f"destruct (named {shown}) as [y_{k} y_{k}_is].")
        found[label] = (f"y_{k}", False)
    return found


def _product(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """The goal is a product, and each factor has its sign."""
    trees: list[Tree] = [from_json(factor) for factor in certificate["factors"]]
    parts = factor_statements(statement, trees)
    used = [
        application(book.part(part, proof, name), part, statement)
        for part, proof in zip(parts, certificate["proofs"], strict=True)
    ]
    ground = Ground(statement.domain)
    sides, ways = ground.lifted_together(statement.goal, *trees)
    product = " * ".join(text(tree) for tree in trees)
    field = ground.field(*sides)
    ground.script.say(f"assert (goal_is : {text(statement.goal)} = {product}) by ({ways}; {field}).")
    for k, use in enumerate(used):
        ground.script.say(f"pose proof {use} as factor_{k}.")
    tactic = "positive" if statement.is_strict else "nonnegative"
    ground.script.say(f"assert (sign : 0 {less(statement.is_strict)} {product}) by {tactic}.")
    ground.script.say("clear - goal_is sign; lra.")
    return ground.script.lines


def _cases(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """Every case of a complete list."""
    split, proofs = certificate["split"], certificate["proofs"]
    found = case_statements(statement, split)
    uses = [
        f"exact {application(book.part(case, proof, name), case, statement)}"
        for case, proof in zip(found, proofs, strict=True)
    ]
    match split:
        case ["choices", variable]:
            word = identifier(variable)
            premise = end_name(variable, "choices")
            head = f"destruct {premise} as {_alternatives(len(found))}"
            return (
                [f"{head}; [{' | '.join(f'subst {word}; {use}' for use in uses)}]."]
                if len(uses) > 1
                else [f"rename {premise} into case; subst {word}; {uses[0]}."]
            )
        case ["sign", data]:
            term = text(from_json(data))
            return [f"destruct (Rle_or_lt 0 {term}) as [case|case]; [{uses[0]} | {uses[1]}]."]
        case ["trichotomy", data]:
            term = text(from_json(data))
            return [f"destruct (Rtotal_order {term} 0) as [case|[case|case]]; [{' | '.join(uses)}]."]
        case ["around", variable, data]:
            word, point = identifier(variable), text(from_json(data))
            below, at, above = uses
            return [
                f"destruct (Rtotal_order {word} {point}) as [case|[case|case]];",
                f"  [{below} | subst {word}; {at} | {above}].",
            ]
        case ["at", variable, data]:
            word, point = identifier(variable), text(from_json(data))
            return [f"destruct (Rle_or_lt {word} {point}) as [case|case]; [{uses[0]} | {uses[1]}]."]
        case ["alternatives", position]:
            kept = where_name(position)
            return [f"destruct {kept} as {_alternatives(len(found))}; [{' | '.join(uses)}]."]
        case ["end", variable, side]:
            return _at_end(statement, variable, side, uses)
    raise NotExported(f"cases by {split[0]}")


def _alternatives(count: int) -> str:
    return "case" if count == 1 else f"[case|{_alternatives(count - 1)}]"


def _at_end(statement: Statement, variable: str, side: str, uses: Sequence[str]) -> list[str]:
    """At an end of a range, and on the range without it."""
    declared = next(p for p in statement.domain["parameters"] if p["name"] == variable)
    word, end = identifier(variable), text(from_json(declared[side]))
    small, large = (end, word) if side == "low" else (word, end)
    lines = [f"assert (split : {word} = {end} \\/ {small} < {large}) by lra."]
    powers = "literal_powers; " if "(power " in conclusion(statement) else ""
    lines.append(f"destruct split as [case|case]; [subst {word}; {powers}{uses[0]}|].")
    if declared["range"] == "integers":
        lines.append(f"assert (next : {small} + 1 <= {large}) by (apply integer_less; [whole | whole | lra]).")
    return [*lines, f"{uses[1]}."]


def _both(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """An equation from two inequalities."""
    lines = []
    for k, relation in enumerate(("<=", ">=")):
        side = Statement(statement.left, relation, statement.right, statement.domain)  # type: ignore[arg-type]
        use = application(book.part(side, certificate[relation], name), side, statement)
        lines.append(f"pose proof {use} as side_{k}.")
    return [*lines, "lra."]


def _given(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """What is claimed stands among the premises."""
    return ["first [assumption | lra]."]


def _for_all(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """What is shown of any one index, as one more premise for all of them."""
    index, (low, high) = certificate["index"], map(from_json, certificate["ends"])
    said = Statement.from_json(certificate["lemma"]["statement"])
    label = book.part(said, certificate["lemma"]["certificate"], name)
    indexed = with_index(statement.domain, index, low, high)
    fact = application(label, said, on(statement, indexed))
    after = on(statement, generalised(statement.domain, said, index, low, high))
    known = [identifier(index), *(premise.name for premise in range_premises(indexed["parameters"][-1]))]
    added = premises(after.domain)[len(premises(statement.domain)) :]
    by = f"(intros {' '.join(known)}; pose proof {fact} as known; first [exact known | lra])"
    lines = [f"assert ({premise.name} : {premise.claim}) by {by}." for premise in added]
    rest = book.part(after, certificate["proof"], name)
    return [*lines, f"exact {application(rest, after, after)}."]


def _increasing(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """The images of both sides under an increasing function."""
    function, small, large = certificate["function"], *(from_json(certificate[key]) for key in ("small", "large"))
    part = image_statement(statement, function, small, large)
    use = application(book.part(part, certificate["proof"], name), part, statement)
    ground = Ground(statement.domain)
    sides, ways = ground.lifted_together(small, large, statement.goal)
    field = ground.field(*sides)
    say = ground.script.say
    gap = f"{text(large)} - {text(small)}"
    say(f"assert (goal_is : {text(statement.goal)} = {gap}) by ({ways}; {field}).")
    signs = []
    if function in ("log", "square"):
        strict = function == "log"
        for tree in (small, large):
            proof = ground.signs.shown(tree, strict=strict)
            signs.append(ground.script.have("sd", f"0 {less(strict)} {text(tree)}", proof))
    lemma = f"from_{function}{'_strict' if statement.is_strict else ''}"
    say(f"assert (ordered : {text(small)} {less(statement.is_strict)} {text(large)}).")
    proofs = "".join(f" | exact {sign}" for sign in signs)
    say(f"{{ apply {lemma}; [exact {use}{proofs}]. }}")
    say("clear - goal_is ordered; lra.")
    return ground.script.lines


def _substitution(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """The statement in terms of another parameter."""
    old, new = certificate["variable"], certificate["new"]
    value, inverse = from_json(certificate["value"]), from_json(certificate["inverse"])
    part = substituted(statement, old, new, value, inverse)
    label = book.part(part, certificate["proof"], name)
    ground, word = Ground(statement.domain), identifier(old)
    back = substitute(value, {new["name"]: inverse})
    shown, way = ground.lifted(back)
    say = ground.script.say
    say(f"assert (back : {text(back)} = {word}) by ({way}; {ground.field(shown)}).")
    for side, small, large in _gaps(new, inverse):
        claim, proof = ground.signs.below(small, large, strict=new["open"][side == "high"])
        say(f"assert (new_{side} : {claim}) by ({proof}).")
    use = application(label, part, statement, {identifier(new["name"]): text(inverse)}, "rewrite ?back; known_here")
    there = {new["name"]: inverse}
    left, right = (text(substitute(side, there)) for side in (part.left, part.right))
    say(f"assert (known : {left} {part.relation} {right}) by exact {use}.")
    say("rewrite ?back in known. exact known.")
    return ground.script.lines


def _gaps(new: Mapping[str, Any], inverse: Tree) -> list[tuple[str, Tree, Tree]]:
    """The ends of a new parameter with what has to lie between them."""
    found = []
    if new["low"] is not None:
        found.append(("low", from_json(new["low"]), inverse))
    if new["high"] is not None:
        found.append(("high", inverse, from_json(new["high"])))
    return found


RULES: dict[str, Rule] = {
    "identity": _identity,
    "given": _given,
    "for all": _for_all,
    "both": _both,
    "psatz": _psatz,
    "cases": _cases,
    "termwise": by_terms,
    "telescope": by_telescoping,
    "last term": by_last_term,
    "induction": by_induction,
    "chain": by_chain,
    "instance": by_instance,
    "boxes": by_boxes,
    "valley": by_valley,
    "concave": by_concave,
    "product": _product,
    "increasing": _increasing,
    "substitution": _substitution,
}
