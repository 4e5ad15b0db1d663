"""Certificates about sums and integers in Coq: term by term, telescoping, a last term apart, induction."""

from __future__ import annotations

from boundaudit.checks.language.expression import ONE, add, from_json, opened, substitute, subtract
from boundaudit.checks.language.statement import Statement
from boundaudit.checks.proof.coq.along import say_order
from boundaudit.checks.proof.coq.book import Book, Certificate, application, introduced
from boundaudit.checks.proof.coq.ground import Ground
from boundaudit.checks.proof.coq.propositions import conclusion, proposition
from boundaudit.checks.proof.coq.terms import NotExported, identifier, text
from boundaudit.checks.proof.kernel.domains import declare
from boundaudit.checks.proof.kernel.sums import (
    base_statements,
    step_statement,
    telescoped,
    terms_statement,
    without_last,
)


def by_terms(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
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
    say(f"assert (sum_sign : 0 <= {script_sum}).")
    say(f"{{ apply total_nonneg; [whole | whole | intros {word} whole_index low_index high_index; exact {use}]. }}")
    say("clear - goal_is sum_sign; lra.")
    return ground.script.lines


def by_telescoping(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
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


def by_last_term(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
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


def by_induction(book: Book, statement: Statement, certificate: Certificate, name: str) -> list[str]:
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
