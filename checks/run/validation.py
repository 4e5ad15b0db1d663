"""What claims and chains must be before any evidence is gathered: each thing that is wrong is told with its label."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from boundaudit import InputError
from boundaudit.checks.evidence.derivation import Derivation
from boundaudit.checks.language.claim import Claim, Estimate, Probability, Quantity, definition
from boundaudit.checks.language.domain import Domain, Vector
from boundaudit.checks.language.expression import FOLDS, Tree, children, names
from boundaudit.checks.language.faults import told
from boundaudit.checks.language.statement import Statement

TRIED = 64
"""Points of a grid, and as many random ones, that are looked for in a domain."""


def wrong_in(claim: Claim) -> Iterator[InputError]:
    """What is wrong with a claim without cases, or with one of a claim's cases; errors name it."""
    for check in (_fits, _can_be_called, _is_somewhere, _counts_from_one, _leads):
        try:
            check(claim)
        except InputError as error:
            yield named(error, claim.label, claim.source)
            return
        except RecursionError:
            yield InputError(
                f"{claim.label} ({claim.source})", "sides that can be read", "too many levels", "nest less"
            )
            return
        except BaseException as error:  # sides and domains are functions of the user's own: they may raise anything
            if isinstance(error, KeyboardInterrupt):
                raise
            field = f"{claim.label} ({claim.source})"
            yield InputError(field, "a claim that can be built", told(error), "correct the claim")
            return


def named(error: InputError, label: str, source: str) -> InputError:
    """An error that names what it belongs to."""
    return error if label in str(error) else InputError(f"{label} ({source}): {error.field}", *error.args[1:])


def _fits(claim: Claim) -> None:
    claim.validate()


def _can_be_called(claim: Claim) -> None:
    """A measurement takes what it will be given."""
    for name, side in (("left", claim.left), ("right", claim.right)):
        if isinstance(side, Quantity):
            given = ("points", "trials", "seed", "device") if isinstance(side, Probability) else ("points", "device")
            _takes(f"{claim.label}.{name} ({claim.source})", side.measure, given)
        if isinstance(side, Estimate):
            _takes(f"{claim.label}.{name}.standard_error ({claim.source})", side.standard_error, given)


def _takes(field: str, function: Any, given: Sequence[str]) -> None:
    expected = f"a function of {', '.join(given)}"
    if not callable(function):
        raise InputError(field, expected, repr(function), "give a function")
    taken = _signature(function)
    try:
        if taken is not None:
            taken.bind(*given)
    except TypeError:
        raise InputError(field, expected, taken, "correct its arguments") from None


def _signature(function: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):  # some built-in functions do not say
        return None


def _leads(claim: Claim) -> None:
    """A chain that is written down within the claim is one, as one with a name is."""
    if claim.derivation is not None:
        for wrong in wrong_in_chain(claim.derivation):
            raise wrong


def _is_somewhere(claim: Claim) -> None:
    """A domain has points, unless it is known to have none: where none is found, a proof of 0 ≥ 1 is looked for."""
    domain: Domain = claim.domain
    if domain.is_somewhere(TRIED):
        return
    from boundaudit.checks.proof.portfolio import prove  # a run is checked again without any engine

    if prove(Statement(("q", 0, 1), ">=", ("q", 1, 1), _loosened(domain.to_json()))).outcome == "proved":
        field = f"{claim.label}.domain ({claim.source})"
        raise InputError(field, "a domain with points", f"none in {domain.sentence()}", "correct ranges or where")


def _loosened(domain: dict[str, Any]) -> dict[str, Any]:
    """The same domain with upper limits of numbers written as relations, so that a range may be empty."""
    # A matrix has entries: where there is none, there is no matrix.
    entries = ("name", "low", "high", "open")
    numbers = [
        {"range": "reals", **{key: p[key] for key in entries}} if p["range"] == "matrix" else p
        for p in domain["parameters"]
    ]
    limited = [p for p in numbers if p["range"] in ("reals", "integers") and p["high"] is not None]
    parameters = [{**p, "high": None} if p in limited else p for p in numbers]
    where = [["<=", ("v", parameter["name"]), parameter["high"]] for parameter in limited]
    return {"parameters": parameters, "where": [*domain["where"], *where]}


def _counts_from_one(claim: Claim) -> None:
    """Entries of vectors are counted from 1, and none is named that can never be there."""
    lengths = {
        name: found.to_json()["length"] for name, found in claim.domain.ranges.items() if isinstance(found, Vector)
    }
    for name, side in (("left", claim.left), ("right", claim.right)):
        for vector, index in _entries(definition(side) or ("q", 0, 1), ()):
            length = lengths.get(vector)
            if index < 1 or (length is not None and length[0] == "q" and index * length[2] > length[1]):
                field = f"{claim.label}.{name} ({claim.source})"
                raise InputError(field, f"entries {vector}[1] to the last", f"{vector}[{index}]", "count from 1")


def _entries(tree: Tree, lows: Sequence[int | None]) -> Iterator[tuple[str, int]]:
    """The entries of vectors that an expression names by number, with the lower ends of the sums around them."""
    if tree[0] in FOLDS:
        _, low, high, body = tree
        yield from _entries(low, lows)
        yield from _entries(high, lows)
        yield from _entries(body, (_whole(low), *lows))
        return
    if tree[0] == "item":
        index = tree[2]
        number = lows[index[1]] if index[0] == "b" else _whole(index)
        if number is not None:
            yield tree[1], number
    for part in children(tree):
        yield from _entries(part, lows)


def _whole(tree: Tree) -> int | None:
    return int(tree[1]) if tree[0] == "q" and tree[2] == 1 else None


def wrong_in_chain(chain: Derivation) -> Iterator[InputError]:
    """What is wrong with a derivation; errors name it."""
    known = set(chain.domain.ranges)
    if not chain.steps:
        yield InputError(f"{chain.label}.steps", "a start and what it leads to", "none", "write them down")
    for i, step in enumerate(chain.steps):
        unknown = names(definition(step.value) or ("q", 0, 1)) - known
        if unknown:
            got = f"none for {', '.join(sorted(unknown))}"
            yield InputError(f"{chain.label}.steps[{i}]", "a range for every symbol", got, "correct the domain")
    for title, point in chain.samples.items():
        field = f"{chain.label}.samples[{title!r}]"
        if set(point) != known:
            got = ", ".join(sorted(point)) or "none"
            yield InputError(field, f"values for {', '.join(chain.domain.ranges)}", got, "name every parameter")
        elif _inside(chain.domain, point) is False:
            yield InputError(field, f"a point of {chain.domain.sentence()}", point, "correct the values")


def _inside(domain: Domain, point: dict[str, Any]) -> bool | None:
    try:
        return domain.contains(point)
    except (TypeError, ValueError, AttributeError):  # a value is no number, or one stands for a vector
        return False
