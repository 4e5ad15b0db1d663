"""Theorem 2: from sharpness and norm to a generalization bound, as printed, repaired and improved."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.bound.budgets import Budgets as Budgets
    from boundaudit.numeric.sharpness.bound.budgets import published as published
    from boundaudit.numeric.sharpness.bound.budgets import repaired as repaired
    from boundaudit.numeric.sharpness.bound.deterministic import Deterministic as Deterministic
    from boundaudit.numeric.sharpness.bound.deterministic import norm_alone as norm_alone
    from boundaudit.numeric.sharpness.bound.examples import example_target as example_target
    from boundaudit.numeric.sharpness.bound.examples import random_target as random_target
    from boundaudit.numeric.sharpness.bound.forms import BOUNDS as BOUNDS
    from boundaudit.numeric.sharpness.bound.grid import Best as Best
    from boundaudit.numeric.sharpness.bound.grid import Cell as Cell
    from boundaudit.numeric.sharpness.bound.grid import best_certified as best_certified
    from boundaudit.numeric.sharpness.bound.grid import cell as cell
    from boundaudit.numeric.sharpness.bound.informative import informative_from as informative_from
    from boundaudit.numeric.sharpness.bound.occam import coefficient_cells as coefficient_cells
    from boundaudit.numeric.sharpness.bound.occam import construction_loss as construction_loss
    from boundaudit.numeric.sharpness.bound.occam import family_nats as family_nats
    from boundaudit.numeric.sharpness.bound.occam import one_network as one_network
    from boundaudit.numeric.sharpness.bound.occam import rounded_coefficients as rounded_coefficients
    from boundaudit.numeric.sharpness.bound.occam import rounding_error as rounding_error
    from boundaudit.numeric.sharpness.bound.occam import training_set as training_set
    from boundaudit.numeric.sharpness.bound.own_model import NoisyRisk as NoisyRisk
    from boundaudit.numeric.sharpness.bound.own_model import OwnBound as OwnBound
    from boundaudit.numeric.sharpness.bound.own_model import noisy_risk as noisy_risk
    from boundaudit.numeric.sharpness.bound.own_model import own_model_bound as own_model_bound
    from boundaudit.numeric.sharpness.bound.setting import Form as Form
    from boundaudit.numeric.sharpness.bound.setting import Norm as Norm
    from boundaudit.numeric.sharpness.bound.setting import check_certifiable as check_certifiable
    from boundaudit.numeric.sharpness.bound.setting import check_chain as check_chain
    from boundaudit.numeric.sharpness.bound.setting import check_class as check_class
    from boundaudit.numeric.sharpness.bound.setting import check_distinct as check_distinct
    from boundaudit.numeric.sharpness.bound.setting import check_setting as check_setting
    from boundaudit.numeric.sharpness.bound.shared_variance import truncated_optimum as truncated_optimum
    from boundaudit.numeric.sharpness.bound.speed import bound_speed as bound_speed
    from boundaudit.numeric.sharpness.bound.value import Bound as Bound
    from boundaudit.numeric.sharpness.bound.value import Perturbation as Perturbation
    from boundaudit.numeric.sharpness.bound.value import WholeLoss as WholeLoss
    from boundaudit.numeric.sharpness.bound.value import polynomial as polynomial
    from boundaudit.numeric.sharpness.chain_of_thought import COIN as COIN
    from boundaudit.numeric.sharpness.chain_of_thought import chain_of_thought as chain_of_thought
    from boundaudit.numeric.sharpness.subgaussian import under_noise as under_noise

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
