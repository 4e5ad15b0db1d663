"""Certificates as Coq lemmas: one function for each kind that our checker knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from boundaudit.checks.language.expression import (
    FOLDS,
    ONE,
    Tree,
    add,
    from_json,
    names,
    opened,
    substitute,
    subtract,
    walk,
)
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.coq.along import by_valley, say_order
from boundaudit.checks.proof.coq.book import Book, Certificate, Rule, application, introduced
from boundaudit.checks.proof.coq.citing import by_chain, by_instance
from boundaudit.checks.proof.coq.ground import Ground
from boundaudit.checks.proof.coq.labels import Labels
from boundaudit.checks.proof.coq.propositions import (
    conclusion,
    end_name,
    proposition,
    where_name,
)
from boundaudit.checks.proof.coq.terms import NotExported, identifier, number, text
from boundaudit.checks.proof.kernel.boxes import Box, halves, root_box
from boundaudit.checks.proof.kernel.domains import declare
from boundaudit.checks.proof.kernel.sums import (
    base_statements,
    step_statement,
    telescoped,
    terms_statement,
    without_last,
)
from boundaudit.checks.proof.kernel.transformations import (
    case_statements,
    factor_statements,
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
        relation = "<" if strict else "<="
        ground.script.say(f"assert (x_{k}_sign : 0 {relation} x_{k}) by (rewrite x_{k}_is; exact {sign}).")
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
    relation = "<" if statement.is_strict else "<="
    ground.script.say(f"assert (sign : 0 {relation} {product}) by {tactic}.")
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
            patterns = "|".join(["case"] * 1)
            premise = end_name(variable, "choices")
            head = f"destruct {premise} as {_alternatives(len(found))}"
            return (
                [f"{head}; [{' | '.join(f'subst {word}; {use}' for use in uses)}]."]
                if len(uses) > 1
                else [f"rename {premise} into {patterns}; subst {word}; {uses[0]}."]
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
    lines.append(f"destruct split as [case|case]; [subst {word}; {uses[0]}|].")
    if declared["range"] == "integers":
        lines.append(f"assert (next : {small} + 1 <= {large}) by (apply integer_less; [whole | whole | lra]).")
    return [*lines, f"{uses[1]}."]


def _termwise(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """Every term of the sum that the goal is."""
    total, index = from_json(certificate["sum"]), certificate["index"]
    part = terms_statement(statement, total, index)
    label, word = book.part(part, certificate["proof"], name), identifier(index)
    ground, script_sum = Ground(statement.domain), text(total)
    sides, way = ground.lifted_together(statement.goal, total)
    say = ground.script.say
    say(f"assert (goal_is : {text(statement.goal)} = {script_sum}) by ({way}; {ground.field(*sides)}).")
    new = [p["name"] for p in part.domain["parameters"]][len(statement.domain["parameters"]) + 1 :]
    entries = {identifier(entry): f"({identifier(entry.removesuffix(f'_{index}'))} {word})" for entry in new}
    use = application(label, part, statement, entries)
    ends = [text(end) for end in total[1:3]]
    say(f"assert (sum_sign : 0 <= {script_sum}).")
    say(f"{{ apply total_nonneg; [whole | whole | intros {word} whole_index low_index high_index; exact {use}]. }}")
    say("clear - goal_is sum_sign; lra.")
    assert ends
    return ground.script.lines


def _telescope(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """What remains when a sum has been replaced by its closed form."""
    total, anti = from_json(certificate["sum"]), from_json(certificate["antidifference"])
    index = certificate["index"]
    left = telescoped(statement, total, index, anti)
    label, word = book.part(left, certificate["proof"], name), identifier(index)
    low, high = total[1:3]
    declared = {"name": index, "range": "integers", "low": low, "high": high}
    inner = Statement(
        opened(total, ("v", index)), "=", opened(total, ("v", index)), declare(statement.domain, declared)
    )
    step = book.name_under(name)
    ground = Ground(inner.domain)
    before = substitute(anti, {index: subtract(("v", index), ONE)})
    sides, ways = ground.lifted_together(anti, before, inner.left)
    fields = ground.field(*sides)
    lines = [f"intros {' '.join(introduced(inner))}.", *ground.script.lines, f"{ways}; {fields}."]
    book.write(step, proposition(inner, f"{text(anti)} - {text(before)} = {text(inner.left)}"), lines)
    here = Ground(statement.domain)
    first = substitute(anti, {index: subtract(low, ONE)})
    zero, way = here.lifted(first)
    ends, ends_way = here.lifted_together(low, high)
    count = here.add(here.subtract(here.ratio(high), here.ratio(low)), here.constant(1))
    term = f"({ends[1]} - {ends[0]} + 1)"
    sign = here.signs.nonnegative(count, term)
    say = here.script.say
    function = f"(fun {word} : R => {text(anti)})"
    body = f"(fun {word} : R => {text(inner.left)})"
    value = substitute(anti, {index: high})
    say(f"assert (sum_is : {text(total)} = {text(value)}).")
    say(f"{{ apply (telescope {text(low)} {text(high)} {function} {body}); [whole | whole | | | ].")
    say(f"  - {ends_way}; exact {sign}.")
    use = application(step, inner, statement)
    say(f"  - intros {word} whole_index low_index high_index.")
    say(f"    replace ({word} - 1) with ({word} + (-1 * 1)) by ring. exact {use}.")
    say(f"  - replace ({text(low)} - 1) with ({text(low)} + (-1 * 1)) by ring. {way}; {here.field(zero)}. }}")
    say(f"rewrite ?sum_is. exact {application(label, left, statement)}.")
    return here.script.lines


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


def _increasing(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """The images of both sides under an increasing function."""
    function, small, large = certificate["function"], *(from_json(certificate[key]) for key in ("small", "large"))
    part = image_statement(statement, function, small, large)
    use = application(book.part(part, certificate["proof"], name), part, statement)
    ground = Ground(statement.domain)
    left, right = ground.lifted(small), ground.lifted(large)
    sides, ways = ground.lifted_together(statement.goal, small, large)
    field = ground.field(*sides)
    say = ground.script.say
    gap = f"{text(large)} - {text(small)}"
    say(f"assert (goal_is : {text(statement.goal)} = {gap}) by ({ways}; {field}).")
    signs = []
    if function in ("log", "square"):
        prove = ground.signs.positive if function == "log" else ground.signs.nonnegative
        relation = "<" if function == "log" else "<="
        for tree, (shown, way) in ((small, left), (large, right)):
            sign = prove(ground.ratio(tree), shown)
            signs.append(ground.script.have("sd", f"0 {relation} {text(tree)}", f"{way}; exact {sign}"))
    strict = "_strict" if statement.is_strict else ""
    lemma = f"from_{function}{strict}"
    say(f"assert (ordered : {text(small)} {'<' if statement.is_strict else '<='} {text(large)}).")
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
        sides, ways = ground.lifted_together(small, large)
        gap = ground.subtract(ground.ratio(large), ground.ratio(small))
        term = f"({sides[1]} - {sides[0]})"
        is_open = new["open"][side == "high"]
        sign = (ground.signs.positive if is_open else ground.signs.nonnegative)(gap, term)
        relation = "<" if is_open else "<="
        say(f"assert (new_{side} : {text(small)} {relation} {text(large)}) by ({ways}; clear - {sign}; lra).")
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


def _last_term(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """The statement with the last term of a sum written apart."""
    total = from_json(certificate["sum"])
    part = without_last(statement, total)
    use = application(book.part(part, certificate["proof"], name), part, statement)
    ground = Ground(statement.domain)
    low, high = total[1:3]
    sides = [ground.lifted(end) for end in (low, high)]
    gap = ground.subtract(ground.ratio(high), ground.ratio(low))
    term = f"({sides[1][0]} - {sides[0][0]})"
    sign = ground.signs.nonnegative(gap, term)
    apart = add(("sum", low, subtract(high, ONE), total[3]), opened(total, high))
    say = ground.script.say
    say(f"assert (apart : {text(total)} = {text(apart)}).")
    say(f"{{ rewrite total_last; [replace ({text(high)} - 1) with ({text(high)} + (-1 * 1)) by ring; reflexivity")
    say(f"  | whole | whole | {sides[0][1]}; {sides[1][1]}; clear - {sign}; lra]. }}")
    say(f"rewrite apart. exact {use}.")
    return ground.script.lines


def _induction(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """The first values of a parameter, and the step from each to the next."""
    variable, start, proofs = certificate["variable"], from_json(certificate["start"]), certificate["bases"]
    if len(proofs) != 1:
        raise NotExported("an induction from several bases")
    base = base_statements(statement, variable, start, 1)[0]
    step = step_statement(statement, variable, start, 1)
    first, after = book.part(base, proofs[0], name), book.part(step, certificate["step"], name)
    ground, word = Ground(statement.domain), identifier(variable)
    say = ground.script.say
    say_order(ground, variable, start, rising=True)
    predicate = f"(fun {word} : R => {conclusion(statement)})"
    say(f"pose proof (induction {predicate} ({text(start)} + 0) {word}) as climbs. cbv beta in climbs.")
    use_base = application(first, base, statement)
    use_step = application(after, step, statement, {word: "below"})
    say("apply climbs; clear climbs; [whole | assumption | lra | | ].")
    say(f"- exact {use_base}.")
    say(f"- intros below whole_below low_below high_below hypothesis. exact {use_step}.")
    return ground.script.lines


def _boxes(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
    """A cover by boxes: the splitting that the certificate gives, and interval arithmetic on each leaf."""
    box = root_box(statement.domain)
    kinds = {declared["name"]: declared for declared in statement.domain["parameters"]}
    relation = "<" if statement.is_strict else "<="
    lines = [f"assert (sign : 0 {relation} {text(statement.goal)}); [|lra]."]
    if not names(statement.goal) <= box.keys():
        raise NotExported("boxes over what is no bounded number")
    if any(node[0] in (*FOLDS, "floor") for node in walk(statement.goal)):
        raise NotExported("boxes over a sum, a product or a floor")
    for parameter, (low, high) in box.items():
        lines += _in_box(kinds[parameter], identifier(parameter), _fraction(low), _fraction(high))
    lines.append("in_elementary_functions.")
    _split_box(certificate["tree"], box, kinds, sorted(names(statement.goal)), "", lines)
    return lines


def _in_box(declared: Mapping[str, Any], word: str, low: Fraction, high: Fraction) -> list[str]:
    """The rational ends of a parameter of the root box."""
    if low == high:
        if declared["range"] == "choices":
            return [f"subst {word}."]
        between = f"{number(low)} <= {word} <= {number(high)}"
        return [
            f"assert (in_{word} : {between}) by split_ends.",
            f"assert (is_{word} : {word} = {number(low)}) by lra.",
            f"subst {word}.",
        ]
    return [f"assert (in_{word} : {number(low)} <= {word} <= {number(high)}) by split_ends."]


def _split_box(
    node: Sequence[Any], box: Box, kinds: Mapping[str, Any], axes: Sequence[str], indent: str, lines: list[str]
) -> None:
    """The lines for a node of the subdivision."""
    if node[0] == "split":
        _, parameter, *nodes = node
        parts, word = halves(kinds[parameter], box[parameter]), identifier(parameter)
        middle, after = number(_fraction(parts[0][1])), number(_fraction(parts[1][0]))
        case = f"side_{len(indent)}"
        lines.append(f"{indent}destruct (Rle_or_lt {word} {middle}) as [{case}|{case}].")
        for k, (part, inner) in enumerate(zip(parts, nodes, strict=True)):
            lines.append(f"{indent}{{")
            if k == 1 and kinds[parameter]["range"] == "integers":
                end = f"{middle} + 1"
                by = "(apply integer_less; [whole|whole|lra])"
                lines.append(f"{indent}  assert (next_{len(indent)} : {end} <= {word}) by {by}.")
            if k == 1 and kinds[parameter]["range"] == "choices":
                lines.append(f"{indent}  assert (next_{len(indent)} : {after} <= {word}) by lra.")
            _split_box(inner, {**box, parameter: part}, kinds, axes, indent + "  ", lines)
            lines.append(f"{indent}}}")
        return
    if node[0] == "touch":
        raise NotExported("boxes that touch zero")
    if node[0] == "outside":
        lines.append(f"{indent}exfalso; lra.")
        return
    moving = [axis for axis in axes if box[axis][0] != box[axis][1]]
    ranges = [
        f"in_box {number(_fraction(box[axis][0]))} {identifier(axis)} {number(_fraction(box[axis][1]))}"
        for axis in moving
    ]
    ways = ["interval with (i_prec 100)"]
    if moving:
        bisected = ", ".join(f"i_bisect {identifier(axis)}" for axis in moving)
        ways += [
            f"interval with ({bisected}, i_taylor {identifier(moving[0])}, i_prec 100)",
            f"interval with ({bisected}, i_autodiff {identifier(moving[0])}, i_prec 100)",
            f"interval with ({bisected}, i_prec 100, i_depth 24)",
        ]
    lines.append(f"{indent}{'; '.join([*ranges, ''])}first [ {' | '.join(ways)} ].")


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))


RULES: dict[str, Rule] = {
    "identity": _identity,
    "given": _given,
    "both": _both,
    "psatz": _psatz,
    "cases": _cases,
    "termwise": _termwise,
    "telescope": _telescope,
    "last term": _last_term,
    "induction": _induction,
    "chain": by_chain,
    "instance": by_instance,
    "boxes": _boxes,
    "valley": by_valley,
    "product": _product,
    "increasing": _increasing,
    "substitution": _substitution,
}
