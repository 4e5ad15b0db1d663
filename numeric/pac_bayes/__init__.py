"""PAC-Bayes bounds as numbers one can trust: vectorised, differentiable, and with certified upper ends."""

from boundaudit.numeric.pac_bayes.betting import betting_limit
from boundaudit.numeric.pac_bayes.binary_kl import binary_kl, inverse_binary_kl
from boundaudit.numeric.pac_bayes.certified import certified_inverse
from boundaudit.numeric.pac_bayes.confidence import kl_limit, maurer_pontil
from boundaudit.numeric.pac_bayes.forms import FORMS, certified_bound, pac_bayes_bound
from boundaudit.numeric.pac_bayes.gaussian import decoupled_kl, gaussian_kl, tied_kl
from boundaudit.numeric.pac_bayes.subgaussian import Proxy, proxy
from boundaudit.numeric.pac_bayes.union import UnionLedger

__all__ = [
    "FORMS",
    "Proxy",
    "UnionLedger",
    "betting_limit",
    "binary_kl",
    "certified_bound",
    "certified_inverse",
    "decoupled_kl",
    "gaussian_kl",
    "inverse_binary_kl",
    "kl_limit",
    "maurer_pontil",
    "pac_bayes_bound",
    "proxy",
    "tied_kl",
]
