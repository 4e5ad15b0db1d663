"""What a record says is looked at again where its evidence counts anew: forgeries are found, the sound stands."""

import json
import math
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.command import write_claims

from boundaudit.checks.evidence.findings import Findings
from boundaudit.checks.proof.chain import prove_chain
from boundaudit.checks.records.receipt import Receipt
from boundaudit.checks.records.run_folder import Run
from boundaudit.checks.records.standing import flaw, is_measured_inside
from boundaudit.checks.run.own_files import load_files
from boundaudit.checks.run.reproduce import again
from boundaudit.checks.run.runner import verify

CLAIMS = """
from boundaudit import Derivation, Integers, Probability, Step

n = symbol("n", "a count", integer=True, positive=True)
FEW = Domain({n: Integers(1, 9)})
top = Quantity("the largest value", lambda points, device: np.array([q["p"] * (1 - q["p"]) for q in points]), "t")

def heads(points, trials, seed, device):
    return np.array([np.random.default_rng(seed).binomial(trials, q["p"]) for q in points])

proved = variance(label="coin.proved", right=QUARTER, expected="proved")
refuted = variance(label="coin.refuted", right=TOO_SMALL, expected="refuted")
measured = variance(label="coin.measured", left=top, right=QUARTER)
few = Claim(label="coin.few", statement="Few.", left=n * (10 - n), relation="<=", right=25, domain=FEW,
            expected="certified")
counted = Claim(label="coin.counted", statement="Heads.", left=Probability("heads", heads, "P"), relation="<=",
                right=p / 2 + sp.Rational(1, 2), domain=Domain({p: Reals(sp.Rational(1, 10), sp.Rational(1, 2))}))

def by_steps(name, rounding):
    top = Quantity(f"{name} top", lambda points, device: np.full(len(points), 5.0), "t", rounding=rounding,
                   nonnegative=True)
    chain = Derivation(label=f"coin.{name}.steps", title="Two steps", domain=FEW, samples={"one": {"n": 1}}, steps=(
        Step(sp.Integer(1), "one"), Step(1 + top.atom, "more", "it is not negative")))
    return Claim(label=f"coin.{name}", statement="More.", left=1, relation="<=", right=1 + top.atom, domain=FEW,
                 derivation=chain)

exact, sampled = by_steps("exact", 1e-12), by_steps("sampled", 0.4)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("standing")
    return verify(files=[write_claims(folder, CLAIMS)], out=folder / "run", profile="smoke", device="cpu")


def of_method(record: dict[str, Any], *methods: str) -> dict[str, Any]:
    """The evidence of a method in a record."""
    return next(found for found in record["evidence"] if found["method"] in methods)


def findings_of(run: Run, label: str, forge: Callable[[dict[str, Any]], object] = lambda record: None) -> Findings:
    """What a record says, with a change."""
    record = json.loads(json.dumps(run.receipts[label].to_json()))
    forge(record)
    return Findings.from_json(record)


def test_what_was_gathered_stands(run: Run) -> None:
    registry = load_files(run.files)
    verdicts = {label: receipt.findings.verdict for label, receipt in run.receipts.items()}
    standing = {"coin.proved": "proved", "coin.measured": "supported", "coin.counted": "supported"}
    assert verdicts.items() >= (standing | {"coin.refuted": "refuted"}).items()
    for label, receipt in run.receipts.items():
        assert flaw(registry.members[label], receipt.findings) is None
        if receipt.findings.worst is not None or receipt.findings.witness is not None:
            found = again(registry.members[label], receipt.findings)
            assert (found.agrees, found.because, found.inside) == (True, None, True)
            assert found.holds is not (receipt.findings.verdict == "refuted")


def test_the_end_of_a_range_may_be_rounded_but_no_further(run: Run) -> None:
    members = load_files(run.files).members
    ends = {0.1: True, 0.5: True, math.nextafter(0.1, 0): True, 0.0999999: False, 0.5000001: False}
    assert Fraction(0.1) != Fraction(1, 10)
    assert {end: is_measured_inside(members["coin.counted"], {"p": end}) for end in ends} == ends


IDENTITY = """
def twice(name):
    return Quantity(name, lambda points, device: np.array([2 * q["p"] for q in points]), "t", nonnegative=True)

same = variance(label="coin.same", left=twice("one"), relation="=", right=twice("other").atom)
"""


def test_both_sides_of_a_measured_identity_may_move_together_and_not_apart(tmp_path: Path) -> None:
    """Which number both are may be decided by rounding, as along a direction that is noise; that they are equal not."""
    run = verify(files=[write_claims(tmp_path, IDENTITY)], out=tmp_path / "run", profile="smoke", device="cpu")
    member = load_files(run.files).members["coin.same"]

    def moved_to(**sides: float) -> str | None:
        case = {"point": {"p": "1/4"}, **sides}
        return flaw(member, findings_of(run, "coin.same", lambda r: of_method(r, "sweep")["worst"].update(case)))

    assert moved_to(left=0.5, right=0.5) is None
    assert moved_to(left=0.1, right=0.1) is None
    assert "is violated at" in str(moved_to(left=0.1, right=0.2))
    unequal = IDENTITY.replace('2 * q["p"]', 'q["p"] * (2 if name == "one" else 3)')
    member = load_files([write_claims(tmp_path, unequal, "changed.py")]).members["coin.same"]
    assert "the right side is" in str(moved_to(left=0.1, right=0.1))


def forged_proof(record: dict[str, Any]) -> None:
    record["evidence"] = [
        {"method": "proof", "outcome": "holds", "covers": "all", "evaluations": 1, "engine": "factoring",
         "whole_domain": True, "certificate": {"kind": "identity"}},
        of_method(record, "sweep") | {"outcome": "holds"},
    ]  # fmt: skip
    record |= {"verdict": "proved", "mutants": {"killed": ["halved"]}}


def moved(case: dict[str, Any], **values: object) -> None:
    case["point"] |= values


FORGERIES: dict[str, tuple[str, Callable[[dict[str, Any]], object], str]] = {
    "another verdict": ("coin.refuted", lambda r: r.update(verdict="proved"), "verdict: its evidence says refuted"),
    "a proof of a false claim": ("coin.refuted", forged_proof, "evidence[0].certificate: the checker rejects it"),
    "no certificate": ("coin.proved", lambda r: of_method(r, "proof").pop("certificate"), "certificate"),
    "a witness where the claim holds": (
        "coin.refuted", lambda r: moved(r["evidence"][0]["witness"], p="1/10"), "evidence[0].witness: the claim is not"
    ),
    "a witness outside the domain": (
        "coin.refuted", lambda r: moved(r["evidence"][0]["witness"], p=2), "p = 2 is no point of the domain"
    ),
    "a witness of other parameters": (
        "coin.refuted", lambda r: moved(r["evidence"][0]["witness"], q=2), "is no point of the domain"
    ),
    "other sides of a witness": (
        "coin.refuted", lambda r: r["evidence"][0]["witness"].update(left="0.3"), "the sides are"
    ),
    "a worst case outside the domain": ("coin.proved", lambda r: moved(r["worst"], p=-1), "worst: p = -1 is no point"),
    "a worst case that violates": (
        "coin.measured", lambda r: r["worst"].update(left=0.3), "worst: the claim, which is supported, is violated"
    ),
    "another right side": ("coin.measured", lambda r: r["worst"].update(right=0.5), "the right side is 0.25, not 0.5"),
    "other counts": (
        "coin.counted", lambda r: of_method(r, "trial")["certificate"].update(trials=10**9), "evidence[0].worst"
    ),
    "no counts": ("coin.counted", lambda r: of_method(r, "trial").pop("certificate"), "no record of trials"),
    "counts above the trials": (
        "coin.counted", lambda r: of_method(r, "trial")["certificate"].update(trials=1), "no record of trials"
    ),
    "a seed of one's own": (
        "coin.counted", lambda r: of_method(r, "trial")["certificate"].update(seed=1), "certificate.seed"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("label", "forge", "finding"), FORGERIES.values(), ids=FORGERIES.keys())
def test_a_forged_record_does_not_stand(
    run: Run, label: str, forge: Callable[[dict[str, Any]], object], finding: str
) -> None:
    wrong = flaw(load_files(run.files).members[label], findings_of(run, label, forge))
    assert wrong is not None
    assert finding in wrong


def test_a_chain_on_what_is_sampled_is_no_proof(run: Run) -> None:
    """Its steps are accepted, and a record that calls them a proof does not stand; with exact measurements it does."""
    members = load_files(run.files).members

    def found(label: str) -> str | None:
        statement, chain = members[label].proof_form, members[label].derivation
        assert statement is not None
        certificate = prove_chain(statement, chain.first, chain.links, {}).certificate
        assert certificate is not None

        def forge(record: dict[str, Any]) -> None:
            forged_proof(record)
            record["evidence"][0]["certificate"] = certificate

        return flaw(members[label], findings_of(run, label, forge))

    assert "what its chain stands on is measured by sampling" in str(found("coin.sampled"))
    assert found("coin.exact") is None
    assert (run.receipts["coin.exact"].findings.verdict, run.receipts["coin.sampled"].findings.verdict) == (
        "proved", "supported",
    )  # fmt: skip


def test_reproduce_agrees_only_where_the_claim_says_what_its_verdict_says(run: Run) -> None:
    members = load_files(run.files).members

    def because(label: str, forge: Callable[[dict[str, Any]], object]) -> str:
        found = again(members[label], findings_of(run, label, forge))
        assert found.agrees is False
        assert found.because
        return found.because

    witness = {"point": {"p": "1/10"}, "left": "0.09", "right": "0.24"}
    found = because("coin.refuted", lambda record: record["evidence"][0].update(witness=witness))
    assert found == "the claim is refuted, and its counterexample is none"
    outside = {"point": {"p": 2}, "left": -2, "right": 0.25}
    found = because("coin.measured", lambda record: record.update(worst=outside))
    assert found == "the recorded point is not in the domain"
    found = because("coin.refuted", lambda record: record.update(verdict="proved"))
    assert found == "the claim is proved, and violated at the recorded point"
    assert "certificate" in because("coin.proved", lambda record: of_method(record, "proof").pop("certificate"))
    assert because("coin.counted", other_count).startswith("counted again, 1 of ")


def other_count(record: dict[str, Any]) -> None:
    """One event more where it happened least, which changes neither the outcome nor the worst case."""
    events = of_method(record, "trial")["certificate"]["events"]
    events[events.index(min(events))] += 1


EDITED: dict[str, Callable[[dict[str, Any]], object]] = {
    "the verdict": lambda record: record.update(verdict="proved"),
    "a proof": forged_proof,
    "a field": lambda record: record["evidence"][0].update(evaluations="many"),
}


SHORT = CLAIMS.partition("few = ")[0]


@pytest.fixture(scope="module")
def interrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with claims and a run of them that Ctrl-C ended once one was refuted."""
    folder = tmp_path_factory.mktemp("interrupted")

    def stop(receipt: Receipt, *_: object) -> None:
        if receipt.label == "coin.refuted":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verify(files=[write_claims(folder, SHORT)], out=folder / "run", profile="smoke", device="cpu", progress=stop)
    return folder


@pytest.mark.parametrize("edit", EDITED.values(), ids=EDITED.keys())
def test_resuming_believes_no_edited_receipt(
    tmp_path: Path, run: Run, interrupted: Path, edit: Callable[[dict[str, Any]], object]
) -> None:
    shutil.copytree(interrupted, tmp_path, dirs_exist_ok=True)
    journal = tmp_path / "run.partial" / "journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    (record,) = (line["record"] for line in lines if line["record"]["label"] == "coin.refuted")
    edit(record)
    journal.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    told: list[str] = []
    resumed = verify(
        files=[tmp_path / "my_claims.py"], out=tmp_path / "run", profile="smoke", device="cpu", resume=True,
        doubt=told.append,
    )  # fmt: skip
    (line,) = told
    assert all(word in line for word in ("run.partial", "coin.refuted", "gathered again"))
    assert resumed.receipts.keys() == {"coin.proved", "coin.refuted", "coin.measured"}
    assert all(receipt.to_json() == run.receipts[label].to_json() for label, receipt in resumed.receipts.items())


KEPT = """
z = symbol("z", "a real number", real=True)
below = Quantity("below", lambda points, device: np.array([1 - 0.01 / q["n"] for q in points]), "q", rounding=1e-12)

tight = Claim(label="kept.tight", statement="Tangent.", left=sp.exp(z), relation=">=", right=1 + z, kind="Tight",
              domain=Domain({z: Reals()}), equality=({z: 0},), expected="proved")
apart = Claim(label="kept.apart", statement="Below one.", left=below, relation="<=", right=1,
              domain=Domain({n: Integers(1, 50)}))
"""
"""What a receipt's key does not hold decides these: where equality is stated, and how far a measurement may be off."""


@pytest.mark.slow
def test_what_no_key_holds_is_looked_at_again(tmp_path: Path) -> None:
    """Changed after a run, and changed back: both ways the next round of ``--watch`` says what a new run would."""
    known, found = None, []
    for number, (at, rounding) in enumerate((("0", "1e-12"), ("1", "1e-1"), ("0", "1e-12"))):
        text = CLAIMS.partition("FEW = ")[0] + KEPT.replace("z: 0", f"z: {at}").replace("1e-12", rounding)
        file = write_claims(tmp_path, text)
        run = verify(files=[file], out=tmp_path / f"run{number}", profile="smoke", device="cpu", known=known)
        known = run.receipts
        found.append([receipt.findings.verdict for receipt in known.values()])
    assert found == [["supported", "proved"], ["undecided", "undecided"], ["supported", "proved"]]


def test_resuming_looks_again_at_what_is_undecided(tmp_path: Path) -> None:
    """As its remedy may have been followed meanwhile, of which no key knows."""
    text = CLAIMS.partition("FEW = ")[0] + KEPT
    seen = []

    def stop(receipt: Receipt, *_: object) -> None:
        seen.append(receipt.findings.verdict)
        if len(seen) == 2:
            raise KeyboardInterrupt

    file = write_claims(tmp_path, text.replace("z: 0", "z: 1").replace("1e-12", "1e-1"))
    with pytest.raises(KeyboardInterrupt):
        verify(files=[file], out=tmp_path / "run", profile="smoke", device="cpu", progress=stop)
    write_claims(tmp_path, text)
    run = verify(files=[file], out=tmp_path / "run", profile="smoke", device="cpu", resume=True)
    assert seen == ["undecided", "undecided"]
    assert [receipt.findings.verdict for receipt in run.receipts.values()] == ["supported", "proved"]
