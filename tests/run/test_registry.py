"""The registry: labels that are unique and known, what rests on what, studies, and users' own files."""

import ast
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from tests.command import write_claims

from boundaudit import Claim, Derivation, Domain, InputError, Reals, Step, Study, Theorem, checks, symbol
from boundaudit.checks.language.claim import Case
from boundaudit.checks.run.addresses import modules_of
from boundaudit.checks.run.cached import catalogue
from boundaudit.checks.run.own_files import load_files
from boundaudit.checks.run.registry import Registry
from boundaudit.checks.run.shipped import built_in
from boundaudit.checks.run.validation import wrong_in_chain

p = symbol("p", "a probability", nonnegative=True)
UNIT = Domain({p: Reals(0, 1)})


def claim(label: str, *rests_on: str, **more: Any) -> Claim:
    return Claim(label=label, statement="A variance is bounded.", left=p * (1 - p), relation="<=", right=1, domain=UNIT,
                 rests_on=rests_on, **more)  # fmt: skip


def chain(label: str) -> Derivation:
    steps = (Step(p * (1 - p), "variance"), Step(sp.Rational(1, 4), "its maximum", cites="calculus"))
    return Derivation(label=label, title="Variance", steps=steps, domain=UNIT, samples={})


def study(label: str, *claims: str) -> Study:
    return Study(label=label, title="Variance", caption="It falls.", claims=claims, compute=lambda setting: [])


@pytest.fixture
def proof() -> Registry:
    """A lemma, two propositions that use it, a theorem that uses one of them, and a bystander."""
    return Registry(
        [
            claim("a.theorem", "a.first"),
            claim("a.lemma"),
            claim("a.first", "a.lemma"),
            claim("a.second", "a.lemma", repairs=("a.bystander",)),
            claim("b.bystander"),
            claim("a.bystander"),
        ]
    )


# --- references -----------------------------------------------------------------------------------


def test_blast_radius_follows_every_path_in_the_order_of_the_registry(proof: Registry) -> None:
    assert proof.used_by("a.lemma") == ["a.first", "a.second"]
    assert proof.blast_radius("a.lemma") == ["a.theorem", "a.first", "a.second"]
    assert proof.blast_radius("a.first") == ["a.theorem"]
    assert proof.blast_radius("b.bystander") == []


def test_a_repair_is_found_from_what_it_repairs(proof: Registry) -> None:
    assert proof.repair_of("a.bystander") == "a.second"
    assert proof.repair_of("a.lemma") is None


def test_labels_and_globs_select_in_the_order_of_the_registry(proof: Registry) -> None:
    assert proof.select([]) == list(proof.claims)
    assert proof.select(["*.bystander", "a.lemma"]) == ["a.lemma", "b.bystander", "a.bystander"]
    assert proof.select(["a.lemma", "a.l*"]) == ["a.lemma"]


@pytest.mark.parametrize("pattern", ["a.none", "c.*", "A.LEMMA", ""])
def test_a_pattern_that_matches_nothing_is_an_error(proof: Registry, pattern: str) -> None:
    with pytest.raises(InputError, match="a known label or glob"):
        proof.select(["a.lemma", pattern])


@pytest.mark.parametrize("wrong", [
    claim("a.x", "a.unknown"), claim("a.x", repairs=("a.unknown",)), claim("a.x", improves="a.unknown"),
], ids=["rests_on", "repairs", "improves"])  # fmt: skip
def test_an_unknown_reference_names_the_claim_and_its_place(wrong: Claim) -> None:
    with pytest.raises(InputError, match=r"a\.x .*test_registry\.py:\d+.* a\.unknown"):
        Registry([wrong]).check_references()


@pytest.mark.parametrize("claims", [
    [claim("a.x", "a.x")], [claim("a.x", "a.y"), claim("a.y", "a.x")],
    [claim("a.start", "a.x"), claim("a.x", "a.y"), claim("a.y", "a.z"), claim("a.z", "a.x")],
    [claim("a.x", cases=(Case("one", rests_on=("a.x[one]",)), Case("other", expected="refuted")))],
], ids=["itself", "each other", "a cycle further down", "a case itself, beside one that is refuted"])  # fmt: skip
def test_claims_that_rest_on_themselves_are_refused(claims: list[Claim]) -> None:
    with pytest.raises(InputError, match=r"^a\.x\.rests_on .*test_registry\.py:\d+"):
        Registry(claims).check_references()


def test_an_empty_label_is_none() -> None:
    with pytest.raises(InputError, match="Theorem 1: expected labels that exist"):
        Registry([Theorem(number="Theorem 1", title="Sizes", says="It is small.", printed=("",))]).check_references()


@pytest.mark.parametrize("role", ["successor", "improvement"])
def test_what_is_refuted_stands_in_place_of_nothing(role: str) -> None:
    wrong = claim("a.x", cases=(Case("one"), Case("other", expected="refuted")))
    theorem = Theorem(number="Theorem 1", title="Sizes", says="It is small.", **{role: "a.x"})
    with pytest.raises(InputError, match=r"Theorem 1: expected a claim that stands in its place, got a\.x, refuted"):
        Registry([wrong, theorem]).check_references()


def test_a_claim_may_rest_on_one_that_ships_with_the_suite() -> None:
    for shipped in ("sharpness.norms.total.repaired", "pac_bayes.binary_kl.pinsker"):
        registry = Registry([claim("mine.x", shipped)])
        registry.check_references()
        assert [found.label for found in registry.find(shipped)] == [shipped]


# --- unique labels --------------------------------------------------------------------------------


def test_a_duplicate_label_names_both_places() -> None:
    first, second = claim("a.x"), claim("a.x")
    with pytest.raises(InputError, match=r"a\.x \(.*test_registry\.py:\d+ and .*test_registry\.py:\d+\)"):
        Registry([first, claim("a.y"), second])


def test_a_duplicate_label_in_a_file_names_both_lines(tmp_path: Path) -> None:
    path = write_claims(
        tmp_path,
        """
one = variance(label="coin.x", right=QUARTER)
two = variance(label="coin.x", right=1)
""",
    )
    lines = path.read_text(encoding="utf-8").splitlines()
    one, two = (next(i for i, line in enumerate(lines, 1) if line.startswith(name)) for name in ("one", "two"))
    with pytest.raises(InputError) as raised:
        load_files([path])
    assert f"coin.x ({path}:{one} and {path}:{two})" in str(raised.value)


def test_a_duplicate_across_files_names_both_files(tmp_path: Path) -> None:
    paths = [write_claims(tmp_path, 'x = variance(label="coin.x", right=1)\n', f"{n}.py") for n in ("a", "b")]
    with pytest.raises(InputError, match="a label used once") as raised:
        load_files(paths)
    assert {"a.py", "b.py"} <= set(re.findall(r"\w\.py", str(raised.value)))


def test_a_duplicate_derivation_is_refused() -> None:
    with pytest.raises(InputError, match=r"a\.chain"):
        Registry([chain("a.chain"), chain("a.chain")])


@pytest.mark.parametrize(("derivations", "studies", "finding"), [
    ([chain("a.x")], [], r"^a\.x: .* a claim and a derivation"), ([], [study("a.x")], r"^a\.x: .* a claim and a study"),
    ([chain("a.y")], [study("a.y")], r"^a\.y: .* a derivation and a study"),
    ([], [study("a.y"), study("a.y")], r"^a\.y: .* a study and a study"),
    ([], [study("../y")], r"^label of a study: .* \.\./y"),
])  # fmt: skip
def test_claims_derivations_and_studies_share_one_space_of_labels(
    derivations: list[Derivation], studies: list[Study], finding: str
) -> None:
    with pytest.raises(InputError, match=finding):
        Registry([claim("a.x"), *derivations, *studies])


# --- studies --------------------------------------------------------------------------------------


def test_a_study_runs_where_all_of_its_claims_are_chosen() -> None:
    studies = [study("s.both", "a.x", "a.y"), study("s.none"), study("s.one", "a.y")]
    found = Registry([claim("a.x"), claim("a.y"), *studies])
    assert found.studies_of(["a.y", "a.x"]) == ["s.both", "s.one"]
    assert found.studies_of(["a.y"]) == ["s.one"]
    assert found.studies_of(["a.x"]) == found.studies_of([]) == []


def test_a_study_of_an_unknown_claim_is_refused() -> None:
    Registry([study("s.x", "sharpness.norms.total.repaired")]).check_references()
    with pytest.raises(InputError, match=r"^s\.x\.claims: expected labels that exist, got a\.unknown"):
        Registry([claim("a.x"), study("s.x", "a.x", "a.unknown")]).check_references()


# --- users' files ---------------------------------------------------------------------------------


def test_claims_derivations_and_studies_are_found_by_name_and_in_lists(tmp_path: Path) -> None:
    path = write_claims(
        tmp_path,
        """
from boundaudit import Study
many = [variance(label=f"coin.n{n}", right=n) for n in (1, 2)]
again = many[0]
chain = Derivation(
    label="coin.chain", title="t", steps=(Step(p, "p"), Step(1 + p, "more")), domain=UNIT, samples={}
)
curves = [Study(label=f"coin.s{n}", title="t", caption="c", claims=("coin.n1",), compute=len) for n in (1, 2)]
""",
    )
    found = load_files([path])
    assert list(found.claims) == ["coin.n1", "coin.n2"]
    assert list(found.derivations) == ["coin.chain"]
    assert list(found.studies) == ["coin.s1", "coin.s2"]


@pytest.mark.parametrize("name", ["absent.py", "folder.py", "notes.txt"])
def test_what_is_no_python_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "notes.txt").touch()
    with pytest.raises(InputError, match="claims file"):
        load_files([tmp_path / name])


# --- cases ----------------------------------------------------------------------------------------


def with_cases() -> Claim:
    return Claim(
        label="a.bound",
        statement="A variance is bounded.",
        left=lambda: p * (1 - p),
        right=sp.Rational(6, 25),
        role="printed",
        cases=(
            Case("all", domain=UNIT, expected="refuted"),
            Case("small", domain=lambda: Domain({p: Reals(0, sp.Rational(1, 4))}), expected="proved"),
        ),
    )


def test_a_case_is_a_claim_under_its_name_in_brackets() -> None:
    found = Registry([with_cases(), claim("a.next", "a.bound[small]"), claim("a.last", "a.bound")])
    found.check_references()
    assert list(found.members)[:2] == ["a.bound[all]", "a.bound[small]"]
    small = found.members["a.bound[small]"]
    assert (small.case, small.expected, small.role, small.relation) == ("small", "proved", "printed", "<=")
    assert small.source == found.claims["a.bound"].source
    assert [m.label for m in found.find("a.bound")] == ["a.bound[all]", "a.bound[small]"]
    assert found.used_by("a.bound") == ["a.next", "a.last"]
    assert found.used_by("a.bound[all]") == ["a.last"]
    assert found.blast_radius("a.bound") == ["a.last"]
    for pattern in ("a.bound", "a.bou*"):
        assert found.select([pattern]) == ["a.bound[all]", "a.bound[small]"]
    assert found.select(["a.bound[small]"]) == ["a.bound[small]"]
    with pytest.raises(InputError, match="a known label or glob"):
        found.select(["a.bound[large]"])


def test_two_cases_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match=r"a\.twice\.cases .*different names"):
        Claim(label="a.twice", statement="x", left=p, right=1, domain=UNIT, cases=(Case("one"), Case("one")))


# --- addresses ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("label", "modules"), [
    ("sharpness.norms.total.repaired", ["sharpness.norms"]),
    ("sharpness.gradients.total.printed[no-floor]", ["sharpness.gradients.total"]),
    ("sharpness.gradients.total.*", ["sharpness.gradients.total"]),
    ("sharpness.kinks.family[steep]", ["sharpness.kinks"]), ("language.claim.x", []), ("nothing.here", []),
    ("x" * 300, []),
])  # fmt: skip
def test_a_label_is_an_address(label: str, modules: list[str]) -> None:
    assert modules_of(label) == [f"boundaudit.checks.{name}" for name in modules]


def test_a_path_is_no_module() -> None:
    assert modules_of(f"sharpness.{Path(__file__).with_suffix('')}") == modules_of("sharpness.nothing")


def test_a_glob_over_a_package_means_all_its_modules() -> None:
    found = modules_of("sharpness.gradients.*")
    assert "boundaudit.checks.sharpness.gradients.total" in found
    assert all(name.startswith("boundaudit.checks.sharpness.gradients.") for name in found)
    assert set(found) < set(modules_of("*"))


@pytest.mark.slow
def test_one_label_loads_its_own_modules_and_no_others() -> None:
    code = (
        "import sys; from boundaudit.checks.run.addresses import find_shipped; "
        "assert len(find_shipped('sharpness.kinks.family[steep]')) == 1; "
        "print([name for name in sys.modules if name.startswith('boundaudit.checks.sharpness.bound')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


# --- what ships -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_shipped_place_is_spelled_canonically() -> None:
    reference = re.compile(
        r"(Theorem|Lemma|Corollary|Proposition|Definition|Remark|Equation) \d+|(Appendix|Section) \S+"
    )
    named = {(theorem.paper, theorem.number) for theorem in catalogue().theorems}
    for found in catalogue().claims.values():
        assert found.place, found.label
        strange = [place for place in found.place if not reference.fullmatch(place)]
        assert [place for place in strange if (found.paper, place) not in named] == [], found.label


def test_every_shipped_claim_stands_where_its_label_says() -> None:
    for found in catalogue().claims.values():
        module = found.source.rsplit(":", 1)[0].removeprefix("checks/").removesuffix(".py").replace("/", ".")
        assert f"boundaudit.checks.{module}" in modules_of(found.label), f"{found.label} stands in {module}"


@pytest.mark.slow
def test_no_shipped_module_gives_a_name_twice() -> None:
    for path in sorted(Path(checks.__path__[0]).rglob("*.py")):
        assigned = [node for node in ast.parse(path.read_bytes()).body if isinstance(node, (ast.Assign, ast.AnnAssign))]
        targets = [target for node in assigned for target in getattr(node, "targets", [getattr(node, "target", None)])]
        names = Counter(target.id for target in targets if isinstance(target, ast.Name))
        assert [name for name, times in names.items() if times > 1] == [], path


@pytest.mark.acceptance
def test_every_shipped_claim_is_well_formed() -> None:
    for found in built_in().members.values():
        found.validate()
        assert found.derivation is None or list(wrong_in_chain(found.derivation)) == []


def test_every_theorem_names_claims_of_the_right_role() -> None:
    for theorem in catalogue().theorems:
        roles = {catalogue().claims[label.partition("[")[0]].role for label in theorem.printed}
        if theorem.printed and "derived here" not in theorem.paper:
            # Beside what is printed a reading may name a claim of ours that says the same on fewer points.
            assert "printed" in roles, theorem.number
        assert theorem.says, theorem.number
        assert theorem.title, theorem.number
        assert theorem.printed or theorem.missing, theorem.number
