"""PAC-Bayes bounds as numbers one can trust: vectorised, differentiable, and with certified upper ends."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.pac_bayes.alternating import alternating_minimisation as alternating_minimisation
    from boundaudit.numeric.pac_bayes.alternating import best_tradeoff as best_tradeoff
    from boundaudit.numeric.pac_bayes.bernoulli import binary_kl as binary_kl
    from boundaudit.numeric.pac_bayes.bernoulli import inverse_binary_kl as inverse_binary_kl
    from boundaudit.numeric.pac_bayes.betting import betting_limit as betting_limit
    from boundaudit.numeric.pac_bayes.certified import certified_binomial as certified_binomial
    from boundaudit.numeric.pac_bayes.certified import certified_inverse as certified_inverse
    from boundaudit.numeric.pac_bayes.coin_betting import certified_coin_betting as certified_coin_betting
    from boundaudit.numeric.pac_bayes.coin_betting import coin_betting_bound as coin_betting_bound
    from boundaudit.numeric.pac_bayes.confidence import kl_limit as kl_limit
    from boundaudit.numeric.pac_bayes.confidence import maurer_pontil as maurer_pontil
    from boundaudit.numeric.pac_bayes.disintegrated import gaussian_log_ratio as gaussian_log_ratio
    from boundaudit.numeric.pac_bayes.disintegrated import gaussian_renyi as gaussian_renyi
    from boundaudit.numeric.pac_bayes.forms import FORMS as FORMS
    from boundaudit.numeric.pac_bayes.forms import certified_bound as certified_bound
    from boundaudit.numeric.pac_bayes.forms import pac_bayes_bound as pac_bayes_bound
    from boundaudit.numeric.pac_bayes.gaussian import decoupled_kl as decoupled_kl
    from boundaudit.numeric.pac_bayes.gaussian import gaussian_kl as gaussian_kl
    from boundaudit.numeric.pac_bayes.gaussian import tied_kl as tied_kl
    from boundaudit.numeric.pac_bayes.paid import FIXED as FIXED
    from boundaudit.numeric.pac_bayes.paid import PacBayesSetting as PacBayesSetting
    from boundaudit.numeric.pac_bayes.paid import PaidBound as PaidBound
    from boundaudit.numeric.pac_bayes.paid import paid_bound as paid_bound
    from boundaudit.numeric.pac_bayes.posterior.bounded_losses import bounded_cross_entropy as bounded_cross_entropy
    from boundaudit.numeric.pac_bayes.posterior.bounded_losses import zero_one_loss as zero_one_loss
    from boundaudit.numeric.pac_bayes.posterior.fitting import FittedPosterior as FittedPosterior
    from boundaudit.numeric.pac_bayes.posterior.fitting import fit_posterior as fit_posterior
    from boundaudit.numeric.pac_bayes.posterior.flat import FlatModule as FlatModule
    from boundaudit.numeric.pac_bayes.posterior.recursive import RecursivePosterior as RecursivePosterior
    from boundaudit.numeric.pac_bayes.posterior.recursive import fit_recursive as fit_recursive
    from boundaudit.numeric.pac_bayes.posterior.stacked import SCALES as SCALES
    from boundaudit.numeric.pac_bayes.posterior.stacked import Posterior as Posterior
    from boundaudit.numeric.pac_bayes.posterior.stacked import Prior as Prior
    from boundaudit.numeric.pac_bayes.posterior.training import Certificate as Certificate
    from boundaudit.numeric.pac_bayes.posterior.training import certified_posterior as certified_posterior
    from boundaudit.numeric.pac_bayes.posterior.training import optimised_posterior as optimised_posterior
    from boundaudit.numeric.pac_bayes.posterior.training import trained_weights as trained_weights
    from boundaudit.numeric.pac_bayes.split_kl import certified_split_kl as certified_split_kl
    from boundaudit.numeric.pac_bayes.split_kl import split_kl_bound as split_kl_bound
    from boundaudit.numeric.pac_bayes.subgaussian import Proxy as Proxy
    from boundaudit.numeric.pac_bayes.subgaussian import proxy as proxy
    from boundaudit.numeric.pac_bayes.union import UnionLedger as UnionLedger

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
