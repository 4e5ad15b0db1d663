"""The registry: every claim, derivation and study under its unique label, and what rests on what."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from types import ModuleType

from boundaudit import InputError
from boundaudit.checks.evidence.derivation import Derivation
from boundaudit.checks.language.claim import Claim
from boundaudit.checks.language.expression import digest
from boundaudit.checks.records.study import Study

CHAPTERS = (
    "boundaudit.checks.sharpness.setup.basis",
    "boundaudit.checks.sharpness.setup.boolean",
    "boundaudit.checks.sharpness.setup.normalisation",
    "boundaudit.checks.sharpness.setup.counts",
    "boundaudit.checks.sharpness.attention.first",
    "boundaudit.checks.sharpness.attention.second",
    "boundaudit.checks.sharpness.residual",
    "boundaudit.checks.sharpness.exactness.plateaus",
    "boundaudit.checks.sharpness.exactness.leak",
    "boundaudit.checks.sharpness.exactness.attained",
    "boundaudit.checks.sharpness.exactness.loss",
    "boundaudit.checks.sharpness.kinks",
    "boundaudit.checks.sharpness.mlp",
    "boundaudit.checks.sharpness.pruning",
    "boundaudit.checks.sharpness.norms.blocks",
    "boundaudit.checks.sharpness.norms.projection",
    "boundaudit.checks.sharpness.norms.total",
    "boundaudit.checks.sharpness.norms.chain",
    "boundaudit.checks.sharpness.activations.rows",
    "boundaudit.checks.sharpness.activations.hidden",
    "boundaudit.checks.sharpness.activations.stream",
    "boundaudit.checks.sharpness.activations.all_inputs",
    "boundaudit.checks.sharpness.activations.weights",
    "boundaudit.checks.sharpness.rescaling.function",
    "boundaudit.checks.sharpness.rescaling.norm",
    "boundaudit.checks.sharpness.rescaling.silent",
    "boundaudit.checks.sharpness.extended",
    "boundaudit.checks.sharpness.scale.both_layers",
    "boundaudit.checks.sharpness.scale.first_layer",
    "boundaudit.checks.sharpness.scale.studies",
    "boundaudit.checks.sharpness.projection.tails",
    "boundaudit.checks.sharpness.projection.pairwise",
    "boundaudit.checks.sharpness.projection.logits",
    "boundaudit.checks.sharpness.projection.output",
    "boundaudit.checks.sharpness.projection.width",
    "boundaudit.checks.sharpness.gradients.agreement",
    "boundaudit.checks.sharpness.gradients.upstream",
    "boundaudit.checks.sharpness.gradients.blocks",
    "boundaudit.checks.sharpness.gradients.output_weights",
    "boundaudit.checks.sharpness.gradients.total",
    "boundaudit.checks.sharpness.gradients.chain",
    "boundaudit.checks.sharpness.gradients.studies",
    "boundaudit.checks.sharpness.softmax",
    "boundaudit.checks.sharpness.loss_hessian.identity",
    "boundaudit.checks.sharpness.loss_hessian.network",
    "boundaudit.checks.sharpness.loss_hessian.trace",
    "boundaudit.checks.sharpness.loss_hessian.averaged",
    "boundaudit.checks.sharpness.loss_hessian.studies",
    "boundaudit.checks.sharpness.hessian.blocks",
    "boundaudit.checks.sharpness.hessian.bound",
    "boundaudit.checks.sharpness.hessian.repaired",
    "boundaudit.checks.sharpness.hessian.chain",
    "boundaudit.checks.sharpness.hessian.studies",
    "boundaudit.checks.sharpness.taylor.expansion",
    "boundaudit.checks.sharpness.taylor.remainder",
    "boundaudit.checks.sharpness.taylor.moments",
    "boundaudit.checks.sharpness.taylor.flow",
    "boundaudit.checks.sharpness.taylor.allowance",
    "boundaudit.checks.sharpness.taylor.simpler",
    "boundaudit.checks.sharpness.taylor.chain",
    "boundaudit.checks.sharpness.taylor.studies",
    "boundaudit.checks.sharpness.noise.chi",
    "boundaudit.checks.sharpness.noise.averages",
    "boundaudit.checks.sharpness.noise.rows",
    "boundaudit.checks.sharpness.noise.flips",
    "boundaudit.checks.sharpness.perturbed.output",
    "boundaudit.checks.sharpness.perturbed.weights",
    "boundaudit.checks.sharpness.perturbed.gradient",
    "boundaudit.checks.sharpness.perturbed.hessian",
    "boundaudit.checks.sharpness.perturbed.chain",
    "boundaudit.checks.sharpness.perturbed.studies",
    "boundaudit.checks.pac_bayes.change_of_measure",
    "boundaudit.checks.pac_bayes.binary_kl",
    "boundaudit.checks.pac_bayes.gaussian",
    "boundaudit.checks.pac_bayes.subgaussian_pac_bayes",
    "boundaudit.checks.pac_bayes.subgaussian",
    "boundaudit.checks.pac_bayes.forms",
    "boundaudit.checks.pac_bayes.chain",
    "boundaudit.checks.pac_bayes.coverage",
    "boundaudit.checks.pac_bayes.broken",
    "boundaudit.checks.pac_bayes.limits",
    "boundaudit.checks.sharpness.domination",
    "boundaudit.checks.sharpness.learner.weights",
    "boundaudit.checks.sharpness.learner.gibbs",
    "boundaudit.checks.sharpness.constant_baseline",
    "boundaudit.checks.sharpness.subgaussian.constant",
    "boundaudit.checks.sharpness.subgaussian.perturbed",
    "boundaudit.checks.sharpness.subgaussian.rule",
    "boundaudit.checks.sharpness.bound.shared_variance",
    "boundaudit.checks.sharpness.bound.optimum",
    "boundaudit.checks.sharpness.bound.numbers.digits",
    "boundaudit.checks.sharpness.bound.numbers.samples",
    "boundaudit.checks.sharpness.bound.chain",
    "boundaudit.checks.sharpness.bound.groups",
    "boundaudit.checks.sharpness.bound.separate_prior_variance",
    "boundaudit.checks.sharpness.bound.clipped",
    "boundaudit.checks.sharpness.bound.rescaled",
    "boundaudit.checks.sharpness.bound.deterministic",
    "boundaudit.checks.sharpness.bound.certificate",
    "boundaudit.checks.sharpness.bound.attribution",
    "boundaudit.checks.sharpness.bound.grid",
    "boundaudit.checks.sharpness.bound.studies",
    "boundaudit.checks.sharpness.covering_baseline",
    "boundaudit.checks.sharpness.chain_of_thought.printed",
    "boundaudit.checks.sharpness.chain_of_thought.repaired",
    "boundaudit.checks.sharpness.chain_of_thought.counterexample",
    "boundaudit.checks.sharpness.chain_of_thought.one_pass",
    "boundaudit.checks.sharpness.chain_of_thought.chain",
    "boundaudit.checks.sharpness.chain_of_thought.studies",
)
"""The modules whose claims ship with the suite, in the order of the report."""


_FILE_NAME = re.compile(r"\w[\w.-]*")


class Registry:
    """Claims, derivations and studies by label; no two of them share one.

    Args:
        claims: Claims in the order in which reports list them.
        derivations: Derivations.
        studies: Studies.
    """

    def __init__(
        self, claims: Iterable[Claim], derivations: Iterable[Derivation] = (), studies: Iterable[Study] = ()
    ) -> None:
        self.claims: dict[str, Claim] = {}
        for claim in claims:
            if claim.label in self.claims:
                places = f"{self.claims[claim.label].source} and {claim.source}"
                raise InputError(f"{claim.label} ({places})", "a label used once", "two claims", "rename one")
            self.claims[claim.label] = claim
        self.derivations: dict[str, Derivation] = {}
        self.studies: dict[str, Study] = {}
        for derivation in derivations:
            self._require_free(derivation.label, "derivation")
            self.derivations[derivation.label] = derivation
        for study in studies:
            self._require_free(study.label, "study")
            self.studies[study.label] = study
        self._check_references()

    def _require_free(self, label: str, kind: str) -> None:
        if not _FILE_NAME.fullmatch(label):
            raise InputError(f"label of a {kind}", "letters, digits, dots and dashes", label, "rename it")
        for other, taken in (("claim", self.claims), ("derivation", self.derivations), ("study", self.studies)):
            if label in taken:
                raise InputError(label, "a label used once", f"a {other} and a {kind}", "rename one")

    def _check_references(self) -> None:
        for claim in self.claims.values():
            for other in (*claim.rests_on, *claim.repairs, claim.improves):
                if other is not None and other not in self.claims and not _is_built_in(other):
                    raise InputError(f"{claim.label} ({claim.source})", "labels that exist", other, "correct the label")
            if claim.label in self.blast_radius(claim.label):
                field = f"{claim.label}.rests_on ({claim.source})"
                raise InputError(field, "claims that do not rest on it", "a circle", "break the circle")
        for study in self.studies.values():
            for label in study.claims:
                if label not in self.claims and not _is_built_in(label):
                    raise InputError(f"{study.label}.claims", "labels that exist", label, "correct the label")

    def studies_of(self, chosen: Sequence[str]) -> list[str]:
        """The studies that can be computed with a choice of claims.

        Returns:
            Labels of the studies all of whose claims are chosen, in the order of the registry.
        """
        return [study.label for study in self.studies.values() if study.claims and set(study.claims) <= set(chosen)]

    def select(self, patterns: Sequence[str]) -> list[str]:
        """The labels that match any of the patterns.

        Args:
            patterns: Labels or globs; none selects everything.

        Returns:
            Labels in the order of the registry.

        Raises:
            InputError: where a pattern matches nothing.
        """
        for pattern in patterns:
            if not any(fnmatchcase(label, pattern) for label in self.claims):
                raise InputError("label", "a known label or glob", pattern, "see `boundaudit list`")
        chosen = [label for label in self.claims if any(fnmatchcase(label, p) for p in patterns)]
        return chosen if patterns else list(self.claims)

    def used_by(self, label: str) -> list[str]:
        """The claims that rest on a claim directly.

        Returns:
            Labels in the order of the registry.
        """
        return [other.label for other in self.claims.values() if label in other.rests_on]

    def blast_radius(self, label: str) -> list[str]:
        """Everything that falls with a claim.

        Returns:
            Labels of all claims that rest on it, directly or not, in the order of the registry.
        """
        fallen: set[str] = set()
        more = {label}
        while more:
            more = {other for known in more for other in self.used_by(known)} - fallen
            fallen |= more
        return [other for other in self.claims if other in fallen]

    def repair_of(self, label: str) -> str | None:
        """The claim that stands in for a refuted one.

        Returns:
            Its label, or None.
        """
        return next((claim.label for claim in self.claims.values() if label in claim.repairs), None)


def _is_built_in(label: str) -> bool:
    """A user's claim may rest on one that ships with the suite."""
    return label in built_in().claims if label.split(".")[0] == "sharpness" else False


def members(module: ModuleType) -> tuple[list[Claim], list[Derivation], list[Study]]:
    """The claims, derivations and studies that a module holds by name, or in a tuple or list.

    Returns:
        All three, in the order of the module.
    """
    named = [value if isinstance(value, (tuple, list)) else [value] for value in vars(module).values()]
    items = list({id(item): item for values in named for item in values}.values())
    claims = [item for item in items if isinstance(item, Claim)]
    derivations = [item for item in items if isinstance(item, Derivation)]
    return claims, derivations, [item for item in items if isinstance(item, Study)]


_BUILT_IN: list[Registry] = []


def built_in() -> Registry:
    """The claims, derivations and studies that ship with the suite.

    Returns:
        The registry, loaded once.

    Raises:
        InputError: where their labels clash or name nothing.
    """
    if not _BUILT_IN:
        parts = [members(import_module(name)) for name in CHAPTERS]
        _BUILT_IN.append(Registry([]))  # while references are checked, nothing else is built in
        try:
            _BUILT_IN[0] = _together(parts)
        except InputError:
            _BUILT_IN.clear()
            raise
    return _BUILT_IN[0]


def load_files(paths: Sequence[Path]) -> Registry:
    """The claims, derivations and studies of a user's own files.

    Args:
        paths: Python files; each is run, as pytest runs a test file.

    Returns:
        The registry of all files together.

    Raises:
        InputError: where a file is missing, does not run, or states no claim.
    """
    found = []
    for path in paths:
        found.append(members(_run(path)))
        if not found[-1][0]:
            raise InputError(str(path), "at least one Claim at module level", "none", "assign a Claim to a name")
    return _together(found)


def _together(modules: Iterable[tuple[list[Claim], list[Derivation], list[Study]]]) -> Registry:
    """One registry of several modules."""
    parts = list(modules)
    return Registry(
        [claim for claims, _, _ in parts for claim in claims],
        [derivation for _, derivations, _ in parts for derivation in derivations],
        [study for _, _, studies in parts for study in studies],
    )


def _run(path: Path) -> ModuleType:
    """Run a claims file as a module; whatever it raises becomes one line."""
    if not path.is_file():
        raise InputError("claims file", "a readable Python file", path, "check the path")
    name = f"boundaudit_claims_{path.stem}_{digest(str(path.resolve()))}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError("claims file", "a Python file (.py)", path, "rename it")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except InputError:
        raise
    except SyntaxError as error:
        raise InputError(f"{path}:{error.lineno}", "Python", error.msg, "correct the syntax") from None
    except (Exception, SystemExit) as error:
        line = _line_in(path, error)
        got = f"{type(error).__name__}: {error}"
        raise InputError(f"{path}:{line}", "a file that runs", got, "correct the file") from None
    return module


def _line_in(path: Path, error: BaseException) -> int:
    """The last line of the user's own file in a traceback."""
    line, trace = 0, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == path.resolve():
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
