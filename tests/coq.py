"""Let Coq judge recorded certificates, and keep what it says: ``python -m tests.coq --help``. Not part of `make test`.

What Coq said of a file is not asked again while the file is the same: a run that was ended goes on where it was. What
several documents cite is compiled once, in files of its own, in the very words of the documents.
"""

import argparse
import hashlib
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock, Timer, get_ident

from boundaudit.checks.proof.coq.documents import PRELUDE
from boundaudit.checks.records.coq import ACCEPTED, FILE, certificate_key, judgements
from boundaudit.checks.records.reference import reference
from boundaudit.checks.run.coq import Exported, export_coq

WORDS = (ACCEPTED, "refused", "out of time")
COQC = ("coqc", "-w", "none", "-q")
BATCH = 10
"""Documents that one process reads: it loads Coq's libraries once."""
LIBRARIES = (
    "ClassicalDedekindReals.", "Classical_Prop.", "FunctionalExtensionality.", "PrimInt63.", "Uint63.", "PrimFloat.",
    "FloatAxioms.",
)  # fmt: skip
"""Where the axioms stand that a document may rest on: Coq's own, of the reals, of machine integers and floats."""
_CITED = re.compile(r"\b(\w+?_cited)(?:_\d+)*\b")
"""A lemma that is cited, or a part of one."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.coq", description="Let Coq judge recorded certificates.")
    parser.add_argument("labels", nargs="*", help="claims, or cases of them; all by default")
    parser.add_argument("--jobs", type=int, default=2, help="runs of coqc side by side")
    parser.add_argument("--seconds", type=float, default=60, help="for each document")
    parser.add_argument("--out", type=Path, help="keep the files here")
    options = parser.parse_args()
    run, start = reference(), time.perf_counter()
    if run is None:
        sys.exit("there is no reference run")
    texts: dict[str, str] = {}
    found = export_coq(run, options.labels, texts.__setitem__)
    earlier = judgements(FILE) if options.labels else {}
    record = {label: word for label, word in earlier.items() if label in run.receipts}
    for each in found:
        entry = {"word": "not exported", "key": certificate_key(run, each.label) or "", "said": each.why or ""}
        if each.file is not None:
            text_hash, before = file_hash(texts, each.file), judgements(FILE).get(each.label, {})
            known = before if before.get("file") == text_hash else {"word": "not judged", "said": ""}
            entry |= {"file": text_hash, "word": known["word"], "said": known["said"]}
        record[each.label] = entry
    left = deque(sorted((each for each in found if record[each.label]["word"] in ("not judged", "out of time")),
                        key=lambda each: len(texts[each.file or ""])))  # fmt: skip
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (hard, hard))  # Coq's tactics recurse deeply on long sums
    parts = Parts(options.seconds, texts.values())
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.out or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        if subprocess.run([*COQC, f"{PRELUDE}.v"], cwd=folder, check=False).returncode:
            sys.exit("Coq refuses the prelude")

        def work() -> None:
            while batch := [left.popleft() for _ in range(min(BATCH, len(left)))]:
                for each, word, said in judged(folder, batch, options.seconds, parts):
                    record[each.label] |= {"word": word, "said": said}
                    keep(record)
                    batch.remove(each)
                left.extendleft(reversed(batch))

        with ThreadPoolExecutor(options.jobs) as pool:
            for ended in [pool.submit(work) for _ in range(options.jobs)]:
                ended.result()
    keep(record)
    show(found, record)
    print(f"{time.perf_counter() - start:.0f} s with {options.jobs} jobs")
    return 1 if any(record[each.label]["word"] == "refused" for each in found) else 0


def keep(record: dict[str, dict[str, str]]) -> None:
    """Write what Coq said so far, a line a claim."""
    lines = (f"{json.dumps(label)}: {json.dumps(record[label], sort_keys=True)}" for label in sorted(record))
    text = '{"judged": {\n' + ",\n".join(lines) + "\n}}\n"
    part = FILE.with_suffix(f".{get_ident()}")
    part.write_text(text, encoding="utf-8")
    part.replace(FILE)


class Parts:
    """Lemmas that some documents cite, compiled once for all of them and for the documents that end with them."""

    def __init__(self, seconds: float, documents: Iterable[str] = ()) -> None:
        self._seconds = seconds
        self._cited = {name for text in documents for name in _CITED.findall(text)}
        self._said: dict[str, tuple[str, str]] = {}
        self._locks: dict[str, Lock] = {}

    def split(self, folder: Path, text: str) -> tuple[str, str, str]:
        """A document that requires what it cites; a word that is no acceptance of the first part with one, and why."""
        head, *lemmas = re.split(r"(?m)^(?=Lemma )", text)
        own = text.split()[-1].removesuffix(".")
        groups: dict[str, list[str]] = {}
        for lemma in lemmas:
            found = _CITED.match(lemma, len("Lemma "))
            groups.setdefault(found[1] if found else own, []).append(lemma)
        if (cited := f"{own}_cited") in self._cited:
            whole = "".join(groups[own]).removesuffix(f"Print Assumptions {own}.\n")
            claim = groups[own][-1].partition("\nProof.\n")[0]
            groups[cited] = [re.sub(rf"\b{own}(?=(_\d+)*\b)", cited, whole)]
            groups[own] = [f"{claim}\nProof. exact {cited}. Qed.\nPrint Assumptions {own}.\n"]
        names: dict[str, str] = {}

        def required(group: str) -> str:
            needed = sorted({*_CITED.findall("".join(groups[group]))} - {group})
            return "".join(f"Require Import {place(other)}.\n" for other in needed)

        def place(group: str) -> str:
            if group not in names:
                needed = required(group)
                part = "".join([f"Require Import {PRELUDE}.\nOpen Scope R_scope.\n{needed}\n", *groups[group]])
                names[group] = f"part_{hashlib.sha256(part.encode()).hexdigest()[:16]}"
                self._compile(folder, names[group], part)
            return names[group]

        document = "".join([head, required(own), *groups[own]])
        said = (self._said[name] for name in names.values())
        return document, *next((found for found in said if found[0] != ACCEPTED), (ACCEPTED, ""))

    def _compile(self, folder: Path, name: str, part: str) -> None:
        with self._locks.setdefault(name, Lock()):
            if name in self._said:
                return
            (folder / f"{name}.v").write_text(part, encoding="utf-8")
            command = [*COQC, f"{name}.v"]
            try:
                ended = subprocess.run(
                    command, cwd=folder, capture_output=True, text=True, timeout=self._seconds, check=False
                )
            except subprocess.TimeoutExpired:
                self._said[name] = "out of time", ""
            else:
                self._said[name] = ("refused", error(ended.stderr)) if ended.returncode else (ACCEPTED, "")


def error(said: str) -> str:
    """What Coq says is wrong, in one line."""
    return " ".join(said.partition("Error:")[2].split())[:160]


def judged(
    folder: Path, batch: Sequence[Exported], seconds: float, parts: Parts
) -> Iterator[tuple[Exported, str, str]]:
    """What Coq says of each document in turn, up to the first that it does not read to its end."""
    name, modules, whole = f"batch_{get_ident()}.v", list[str](), list[Exported]()
    for each in tuple(batch):
        document, word, said = parts.split(folder, (folder / (each.file or "")).read_text("utf-8"))
        if word != ACCEPTED:
            yield each, word, said
            continue
        modules.append(f"Module M{len(whole)}.\n{document}\nEnd M{len(whole)}.\nCheck tt.\n")
        whole.append(each)
    (folder / name).write_text("".join(modules), encoding="utf-8")
    with subprocess.Popen([*COQC, name], cwd=folder, stdout=-1, stderr=-1, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        for each in whole:
            timer = Timer(seconds, process.kill)
            timer.start()
            axioms = assumed(process.stdout)
            timer.cancel()
            if axioms is None:
                said = error(process.stderr.read())
                yield each, ("out of time" if process.wait() < 0 else "refused"), said
                return
            own = sorted(axiom for axiom in axioms if not axiom.startswith(LIBRARIES))
            yield (each, "refused", f"it rests on {', '.join(own)}") if own else (each, ACCEPTED, "")


def assumed(lines: Iterable[str]) -> list[str] | None:
    """What Coq prints of axioms, up to the end of a document; None where there is no end."""
    found = []
    for line in lines:
        if line == "tt\n":
            return found
        if line.strip() and not line.startswith((" ", "Axioms:", "Closed under the global context")):
            found.append(line.split()[0])
    return None


def file_hash(texts: Mapping[str, str], file: str) -> str:
    """What a judgement is of: a document and the prelude."""
    return hashlib.sha256((texts[f"{PRELUDE}.v"] + texts[file]).encode()).hexdigest()[:16]


def show(found: Sequence[Exported], record: dict[str, dict[str, str]]) -> None:
    """A table by kind, then why the rest are missing."""
    kinds = Counter(each.kind for each in found)
    counts = Counter((each.kind, record[each.label]["word"]) for each in found)
    print(f"{'kind':12} {'certificates':>12} {'exported':>9} " + " ".join(f"{word:>12}" for word in WORDS))
    for kind, total in [*kinds.most_common(), ("all", len(found))]:
        of = [kind] if kind != "all" else list(kinds)
        row = [sum(counts[each, word] for each in of) for word in WORDS]
        exported = total - sum(counts[each, "not exported"] for each in of)
        print(f"{kind:12} {total:12} {exported:9} " + " ".join(f"{count:12}" for count in row))
    for why, count in Counter(each.why for each in found if each.why is not None).most_common():
        print(f"not exported, {count}: {why}")
    for each in found:
        if (entry := record[each.label])["word"] in WORDS[1:]:
            print(f"{entry['word']}: {each.label}: {entry['said']}")


if __name__ == "__main__":
    sys.exit(main())
