"""The infinite-width law of an attention layer at initialisation, and its exact laws at finite width."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.infinite_width.distances import dkw_floor as dkw_floor
    from boundaudit.numeric.infinite_width.distances import excess_gap as excess_gap
    from boundaudit.numeric.infinite_width.distances import kde_divergence as kde_divergence
    from boundaudit.numeric.infinite_width.distances import ks_distance as ks_distance
    from boundaudit.numeric.infinite_width.distances import ks_of_draws as ks_of_draws
    from boundaudit.numeric.infinite_width.distances import relative_entropy as relative_entropy
    from boundaudit.numeric.infinite_width.distances import variance_gap as variance_gap
    from boundaudit.numeric.infinite_width.gram_file import read_gram as read_gram
    from boundaudit.numeric.infinite_width.layer import LayerLaw as LayerLaw
    from boundaudit.numeric.infinite_width.layer import check_tokens as check_tokens
    from boundaudit.numeric.infinite_width.layer import layer_law as layer_law
    from boundaudit.numeric.infinite_width.mixture import NormalMixture as NormalMixture
    from boundaudit.numeric.infinite_width.mixture import PointEstimate as PointEstimate
    from boundaudit.numeric.infinite_width.mixture import mean_and_error as mean_and_error
    from boundaudit.numeric.infinite_width.mixture import normal_law as normal_law
    from boundaudit.numeric.infinite_width.one_output import Nodes as Nodes
    from boundaudit.numeric.infinite_width.one_output import draw_nodes as draw_nodes
    from boundaudit.numeric.infinite_width.one_output import head_moments as head_moments
    from boundaudit.numeric.infinite_width.one_output import output_at_width as output_at_width
    from boundaudit.numeric.infinite_width.one_output import output_limit as output_limit
    from boundaudit.numeric.infinite_width.simulation import exact_outputs as exact_outputs
    from boundaudit.numeric.infinite_width.simulation import limit_outputs as limit_outputs
    from boundaudit.numeric.infinite_width.simulation import simulated_outputs as simulated_outputs

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
