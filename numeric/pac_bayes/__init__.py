"""PAC-Bayes bounds as numbers one can trust: vectorised, differentiable, and with certified upper ends."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader

if TYPE_CHECKING:
    from boundaudit.numeric.pac_bayes.bernoulli import binary_kl as binary_kl
    from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl as inverse_binary_kl
    from boundaudit.numeric.pac_bayes.betting import betting_limit as betting_limit
    from boundaudit.numeric.pac_bayes.certified import certified_inverse as certified_inverse
    from boundaudit.numeric.pac_bayes.confidence import kl_limit as kl_limit
    from boundaudit.numeric.pac_bayes.confidence import maurer_pontil as maurer_pontil
    from boundaudit.numeric.pac_bayes.forms import FORMS as FORMS
    from boundaudit.numeric.pac_bayes.forms import certified_bound as certified_bound
    from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound as pac_bayes_bound
    from boundaudit.numeric.pac_bayes.gaussian import decoupled_kl as decoupled_kl
    from boundaudit.numeric.pac_bayes.gaussian import gaussian_kl as gaussian_kl
    from boundaudit.numeric.pac_bayes.gaussian import tied_kl as tied_kl
    from boundaudit.numeric.pac_bayes.paid import PacBayesSetting as PacBayesSetting
    from boundaudit.numeric.pac_bayes.paid import PaidBound as PaidBound
    from boundaudit.numeric.pac_bayes.paid import paid_bound as paid_bound
    from boundaudit.numeric.pac_bayes.subgaussian import Proxy as Proxy
    from boundaudit.numeric.pac_bayes.subgaussian import proxy as proxy
    from boundaudit.numeric.pac_bayes.union import UnionLedger as UnionLedger

_PUBLIC = {
    "FORMS": "boundaudit.numeric.pac_bayes.forms",
    "PacBayesSetting": "boundaudit.numeric.pac_bayes.paid",
    "PaidBound": "boundaudit.numeric.pac_bayes.paid",
    "Proxy": "boundaudit.numeric.pac_bayes.subgaussian",
    "UnionLedger": "boundaudit.numeric.pac_bayes.union",
    "betting_limit": "boundaudit.numeric.pac_bayes.betting",
    "binary_kl": "boundaudit.numeric.pac_bayes.bernoulli",
    "certified_bound": "boundaudit.numeric.pac_bayes.forms",
    "certified_inverse": "boundaudit.numeric.pac_bayes.certified",
    "decoupled_kl": "boundaudit.numeric.pac_bayes.gaussian",
    "gaussian_kl": "boundaudit.numeric.pac_bayes.gaussian",
    "inverse_binary_kl": "boundaudit.numeric.pac_bayes.bernoulli",
    "kl_limit": "boundaudit.numeric.pac_bayes.confidence",
    "maurer_pontil": "boundaudit.numeric.pac_bayes.confidence",
    "pac_bayes_bound": "boundaudit.numeric.pac_bayes.forms",
    "paid_bound": "boundaudit.numeric.pac_bayes.paid",
    "proxy": "boundaudit.numeric.pac_bayes.subgaussian",
    "tied_kl": "boundaudit.numeric.pac_bayes.gaussian",
}

__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
