"""The infinite-width law of an attention layer at initialisation, and its exact laws at finite width."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader

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

_PUBLIC = {
    "LayerLaw": "boundaudit.numeric.infinite_width.layer",
    "Nodes": "boundaudit.numeric.infinite_width.one_output",
    "NormalMixture": "boundaudit.numeric.infinite_width.mixture",
    "PointEstimate": "boundaudit.numeric.infinite_width.mixture",
    "check_tokens": "boundaudit.numeric.infinite_width.layer",
    "dkw_floor": "boundaudit.numeric.infinite_width.distances",
    "draw_nodes": "boundaudit.numeric.infinite_width.one_output",
    "exact_outputs": "boundaudit.numeric.infinite_width.simulation",
    "excess_gap": "boundaudit.numeric.infinite_width.distances",
    "head_moments": "boundaudit.numeric.infinite_width.one_output",
    "kde_divergence": "boundaudit.numeric.infinite_width.distances",
    "ks_distance": "boundaudit.numeric.infinite_width.distances",
    "ks_of_draws": "boundaudit.numeric.infinite_width.distances",
    "layer_law": "boundaudit.numeric.infinite_width.layer",
    "limit_outputs": "boundaudit.numeric.infinite_width.simulation",
    "mean_and_error": "boundaudit.numeric.infinite_width.mixture",
    "normal_law": "boundaudit.numeric.infinite_width.mixture",
    "output_at_width": "boundaudit.numeric.infinite_width.one_output",
    "output_limit": "boundaudit.numeric.infinite_width.one_output",
    "read_gram": "boundaudit.numeric.infinite_width.gram_file",
    "relative_entropy": "boundaudit.numeric.infinite_width.distances",
    "simulated_outputs": "boundaudit.numeric.infinite_width.simulation",
    "variance_gap": "boundaudit.numeric.infinite_width.distances",
}

__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
