"""Judge the statements and print how it went: ``python -m tests.truth --help``."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict

from boundaudit.checks.evidence.profile import PROFILES

from .campaign import campaign, statements, summary, told
from .catalogue import SUBJECTS, subject
from .judging import PROVED, VERDICTS, Outcome, is_wrong, judge_apart, row
from .random_statements import random_truths
from .statement import Truth

Judged = dict[str, list[tuple[Truth, Outcome]]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.truth", description="Judge statements of known truth.")
    parser.add_argument("words", nargs="*", help="only statements whose name has one of these in it")
    parser.add_argument("--textbook", action="store_true", help="only the inequalities of textbooks")
    parser.add_argument("--random", type=int, metavar="COUNT", help="so many random statements instead")
    parser.add_argument("--campaign", type=int, metavar="COUNT", help="judge so many random statements, without proofs")
    parser.add_argument("--seed", type=int, default=0, help="of the statements of a campaign")
    parser.add_argument("--profiles", nargs="+", choices=list(PROFILES), default=["smoke"], help="of a campaign")
    parser.add_argument("--json", action="store_true", help="every statement with its outcome, as JSON")
    options = parser.parse_args()
    if options.campaign:
        return _campaign(statements(options.seed, options.campaign), options.profiles)
    judged: Judged = {}
    chosen = {"random": random_truths(0, options.random)} if options.random else {of: subject(of) for of in SUBJECTS}
    for name, truths in chosen.items():
        for truth in truths:
            named = not options.words or any(word in truth.name for word in options.words)
            if named and (truth.textbook or not options.textbook):
                outcome = judge_apart(truth)
                judged.setdefault(name.replace("_", " "), []).append((truth, outcome))
                print(line(truth, outcome), file=sys.stderr, flush=True)
    print(json.dumps(records(judged), indent=1) if options.json else table(judged))
    return int(any(is_wrong(truth, outcome.verdict) for pairs in judged.values() for truth, outcome in pairs))


def _campaign(truths: Sequence[Truth], profiles: Sequence[str]) -> int:
    """Judge statements here and now; what is missed or wrong is told as it comes."""
    found = []
    for judged in campaign(truths, profiles):
        found.append(judged)
        if judged.is_missed or judged.is_wrong:
            print(told(judged), file=sys.stderr, flush=True)
    print(summary(found))
    return int(any(judged.is_wrong for judged in found))


def line(truth: Truth, outcome: Outcome) -> str:
    """One statement and what became of it."""
    mark = "WRONG " if is_wrong(truth, outcome.verdict) else ""
    how = outcome.engine if outcome.verdict in (*PROVED, "refuted") else outcome.reason[:90]
    return f"{outcome.seconds:6.1f} s {outcome.megabytes:5d} MB  {mark}{outcome.verdict:11} {truth.name}  [{how}]"


def table(judged: Judged) -> str:
    """A Markdown table, one row a subject and one for all; a verdict that nothing got has no column."""
    pairs = [pair for found in judged.values() for pair in found]
    textbook = [pair for pair in pairs if pair[0].textbook]
    rows = {name: row(found) for name, found in {**judged, "all": pairs, "textbook inequalities": textbook}.items()}
    columns = [name for name, count in rows["all"].items() if count or name not in VERDICTS]
    lines = [["subject", *columns], ["---", *("---:" for _ in columns)]]
    lines += [[name, *(str(counts[column]) for column in columns)] for name, counts in rows.items()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def records(judged: Judged) -> list[dict[str, object]]:
    """Every statement with its outcome."""
    return [
        {"subject": subject, "name": truth.name, "holds": truth.holds, "textbook": truth.textbook, **asdict(outcome)}
        for subject, pairs in judged.items()
        for truth, outcome in pairs
    ]


if __name__ == "__main__":
    sys.exit(main())
