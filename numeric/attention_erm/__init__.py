"""Exact asymptotics of single-head attention in high dimension: spectra, fixed points, thresholds, benchmarks."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.attention_erm.bayes import BayesState as BayesState
    from boundaudit.numeric.attention_erm.bayes import TunedState as TunedState
    from boundaudit.numeric.attention_erm.bayes import bayes_recovery as bayes_recovery
    from boundaudit.numeric.attention_erm.bayes import bayes_state as bayes_state
    from boundaudit.numeric.attention_erm.bayes import minimal_error as minimal_error
    from boundaudit.numeric.attention_erm.bayes import tuned_state as tuned_state
    from boundaudit.numeric.attention_erm.extrapolation import Extrapolation as Extrapolation
    from boundaudit.numeric.attention_erm.extrapolation import extrapolate as extrapolate
    from boundaudit.numeric.attention_erm.factorised import Student as Student
    from boundaudit.numeric.attention_erm.factorised import Trained as Trained
    from boundaudit.numeric.attention_erm.factorised import direct as direct
    from boundaudit.numeric.attention_erm.factorised import train as train
    from boundaudit.numeric.attention_erm.fista import Learned as Learned
    from boundaudit.numeric.attention_erm.fista import learn as learn
    from boundaudit.numeric.attention_erm.free_convolution import Convolution as Convolution
    from boundaudit.numeric.attention_erm.free_convolution import Curve as Curve
    from boundaudit.numeric.attention_erm.free_convolution import Tail as Tail
    from boundaudit.numeric.attention_erm.free_convolution import convolve as convolve
    from boundaudit.numeric.attention_erm.inputs import NoConvergence as NoConvergence
    from boundaudit.numeric.attention_erm.inputs import check_width as check_width
    from boundaudit.numeric.attention_erm.inputs import effective_penalty as effective_penalty
    from boundaudit.numeric.attention_erm.law import Outlier as Outlier
    from boundaudit.numeric.attention_erm.law import TrainedSpectrum as TrainedSpectrum
    from boundaudit.numeric.attention_erm.law import noisy_target as noisy_target
    from boundaudit.numeric.attention_erm.law import outliers as outliers
    from boundaudit.numeric.attention_erm.law import sample_spectrum as sample_spectrum
    from boundaudit.numeric.attention_erm.law import trained_spectrum as trained_spectrum
    from boundaudit.numeric.attention_erm.power_law import Decomposition as Decomposition
    from boundaudit.numeric.attention_erm.power_law import ModeError as ModeError
    from boundaudit.numeric.attention_erm.power_law import decompose as decompose
    from boundaudit.numeric.attention_erm.power_law import mode_error as mode_error
    from boundaudit.numeric.attention_erm.power_law import profile as profile
    from boundaudit.numeric.attention_erm.power_law import rate_constant as rate_constant
    from boundaudit.numeric.attention_erm.sensing import Data as Data
    from boundaudit.numeric.attention_erm.sensing import GaussianFeatures as GaussianFeatures
    from boundaudit.numeric.attention_erm.sensing import Problem as Problem
    from boundaudit.numeric.attention_erm.sensing import QuadraticForms as QuadraticForms
    from boundaudit.numeric.attention_erm.sensing import draw as draw
    from boundaudit.numeric.attention_erm.sensing import proportional as proportional
    from boundaudit.numeric.attention_erm.softmax_state_evolution import SoftmaxState as SoftmaxState
    from boundaudit.numeric.attention_erm.softmax_state_evolution import softmax_state as softmax_state
    from boundaudit.numeric.attention_erm.state_evolution import LinearState as LinearState
    from boundaudit.numeric.attention_erm.state_evolution import linear_errors as linear_errors
    from boundaudit.numeric.attention_erm.state_evolution import linear_state as linear_state
    from boundaudit.numeric.attention_erm.targets import Target as Target
    from boundaudit.numeric.attention_erm.targets import discrete_target as discrete_target
    from boundaudit.numeric.attention_erm.targets import gaussian_target as gaussian_target
    from boundaudit.numeric.attention_erm.targets import spiked_target as spiked_target
    from boundaudit.numeric.attention_erm.thresholds import Interpolation as Interpolation
    from boundaudit.numeric.attention_erm.thresholds import direct_error as direct_error
    from boundaudit.numeric.attention_erm.thresholds import functionals as functionals
    from boundaudit.numeric.attention_erm.thresholds import interpolation as interpolation
    from boundaudit.numeric.attention_erm.thresholds import recovery as recovery
    from boundaudit.numeric.attention_erm.wishart import Wishart as Wishart

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
