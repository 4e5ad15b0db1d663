"""Every form of the bound, counted in every setting in which it says something."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from boundaudit.checks.language.claim import Case, Claim
from boundaudit.checks.pac_bayes.coverage.failures import claim, failing
from boundaudit.checks.pac_bayes.coverage.further import OF_MAURER, UNION
from boundaudit.checks.pac_bayes.coverage.learners import LEARNERS, learners
from boundaudit.numeric.pac_bayes.forms import FORMS

_MAURER = ("pac_bayes.binary_kl.moment.maurer", "pac_bayes.binary_kl.rising")
_LINEAR, _TRADE_OFF = "pac_bayes.bounds.linear", "pac_bayes.bounds.trade-off"
_ENTROPY_FORM = "pac_bayes.bounds.relative-entropy"
_RESTS_ON: Mapping[str, tuple[str, ...]] = {
    "mcallester": ("pac_bayes.bounds.square-root", *_MAURER),
    "maurer": (_ENTROPY_FORM, *_MAURER),
    "seeger": (_ENTROPY_FORM, "pac_bayes.binary_kl.moment.seeger", "pac_bayes.binary_kl.rising"),
    "quadratic": (_TRADE_OFF, *_MAURER, "pac_bayes.forms.quadratic-root", "pac_bayes.forms.tradeoff"),
    "catoni": ("pac_bayes.bounds.temperature", "pac_bayes.bounds.independent"),
    "subgaussian": (_LINEAR, "pac_bayes.bounds.independent"),
    "second-moment": (_LINEAR, "pac_bayes.subgaussian_pac_bayes.one-sided"),
    "lambda": (_TRADE_OFF, *_MAURER, "pac_bayes.forms.lambda-least"),
    "disintegrated": ("pac_bayes.disintegrated.theorem", *_MAURER),
    "disintegrated-renyi": ("pac_bayes.renyi.theorem", *_MAURER),
    "unexpected-bernstein": (_LINEAR, "pac_bayes.bernstein.unexpected"),
    "empirical-bernstein": ("pac_bayes.empirical_bernstein.theorem", "pac_bayes.bernstein.variance"),
    "chi-squared": ("pac_bayes.chi_squared.theorem", "pac_bayes.chi_squared.variance"),
}

PLACES: Mapping[str, str] = {
    "mcallester": "McAllester", "maurer": "Maurer", "seeger": "Seeger", "quadratic": "Rivasplata", "catoni": "Catoni",
    "subgaussian": "Alquier", "second-moment": "Haddouche-Guedj", "lambda": "Thiemann",
    "disintegrated": "Rivasplata-Kuzborskij", "disintegrated-renyi": "Viallard",
    "unexpected-bernstein": "Mhammedi", "empirical-bernstein": "Tolstikhin-Seldin", "chi-squared": "Alquier-Guedj",
}  # fmt: skip
"""For each form the named result that it is."""
_ENTROPY = "K the relative entropy of posterior to prior"
_DIVERGENCES: Mapping[str, str] = {
    "disintegrated": "ln(ρ(h)/π(h)) the logarithm of the posterior's density over the prior's",
    "disintegrated-renyi": "D_α Rényi's divergence of posterior to prior",
    "chi-squared": "χ² the chi-squared divergence of posterior to prior",
}
_GIVEN: Mapping[str, str] = {
    "subgaussian": ", and S the sub-Gaussian constant of the losses",
    "second-moment": ", and v a bound on the mean square of the losses, which are not negative",
    "disintegrated": ". Both risks are those of one network h drawn from the posterior",
    "disintegrated-renyi": ". Both risks are those of one network drawn from the posterior; the order is α = 2",
    "unexpected-bernstein": ", and v the posterior mean of the mean square of the losses on the sample",
    "empirical-bernstein": ", and V at least the posterior mean of the unbiased variance of the losses on the sample",
    "chi-squared": ", and v a bound on the prior's mean of the variance of the loss",
}
_COUNTED = {"best": "the best of many hypotheses", "gibbs": "a Gibbs posterior", "network": "noise on a network",
            "arcs": "arcs of low loss"}  # fmt: skip


def _cases(form: str) -> tuple[Case, ...]:
    return tuple(
        Case(
            name,
            left=failing(
                f"the bound {form} fails for {learner.where(form)}",
                functools.partial(learner.fails, form=form, factor=1.0),
            ),
            domain=learner.domain(form),
        )
        for name, learner in ((name, LEARNERS[name]) for name in learners(form))
    )


def _covers(form: str, *further: Case, rests_on: tuple[str, ...] = ()) -> Claim:
    return claim(
        label=f"pac_bayes.coverage.{form}",
        statement=f"With probability at least 1-δ over m independent samples the Gibbs risk R is at most "
        f"{FORMS[form].formula}. Here r is the Gibbs risk on the sample and {_DIVERGENCES.get(form, _ENTROPY)}"
        f"{_GIVEN.get(form, '')}. Counted for {', for '.join(_COUNTED[name] for name in learners(form))}, with δ from "
        "1/50 to 1/5.",
        role="lemma",
        place=(PLACES[form],),
        rests_on=(*_RESTS_ON[form], *rests_on),
        limitations=("Counted in these settings; what the bound's proof uses is audited claim by claim.",),
        cases=(*_cases(form), *further),
    )


forms = tuple(
    _covers(
        form,
        *{"maurer": OF_MAURER, "subgaussian": (UNION,)}.get(form, ()),
        rests_on=("pac_bayes.coverage.scales",) if form == "subgaussian" else (),
    )
    for form in FORMS
)
