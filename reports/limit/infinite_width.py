"""The infinite-width law of one attention layer, for a user's tokens, heads and variances of weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from boundaudit import InputError
from boundaudit.checks.records.study import Panel, Series
from boundaudit.numeric.infinite_width import (
    LayerLaw,
    Nodes,
    NormalMixture,
    check_tokens,
    dkw_floor,
    draw_nodes,
    head_moments,
    ks_distance,
    layer_law,
    mean_and_error,
    normal_law,
    output_at_width,
    output_limit,
)
from boundaudit.reports.document.shown import Shown, Table

UPPER = (0.75, 0.95, 0.975, 0.99, 0.999)
_REPLICATES, _POINTS, _HELD = 8, 2**12, 2**24
_APART, _ROUNDING = 12, 1e-11
"""Standard errors of eight replicates beyond which two integrations disagree, and their rounding."""
_LISTED = 8
"""Tokens up to which the covariance of the scores is listed."""
_ASSUMES = (
    "One layer at initialisation with independent normal weights; a weight's variance times the width is as given.",
    "Scores are divided by the root of the width, outputs of heads are added and divided by the root of their number.",
    "The numbers of tokens and heads stay as the width grows.",
)


def infinite_width(
    tokens: int | None = None, heads: int = 1, gram: Any = None, *, token: int = 1, query_variance: float = 1.0,
    key_variance: float = 1.0, value_variance: float = 1.0, output_variance: float = 1.0,
    widths: Sequence[int] = (), inputs: Literal["fixed", "features"] = "features", seed: int = 0,
) -> dict[str, Any]:  # fmt: skip
    """The law of a coordinate of one token's output as the width goes to infinity, and exactly at some widths.

    Sakai, Karakida & Imaizumi 2025 (arXiv 2506.00846), for a Gram matrix K, the tokens' products over the width, shape
    (s, s); without one tokens are orthogonal, of squared length equal to the width. Variances are of a weight times the
    width; ``token`` counts from 1; inputs at finite width n are ``features``, xⁱ = Wⁱ h with random Wⁱ and h, or
    ``fixed``, with the Gram matrix n K. JSON: ``score_covariance`` (σ_Q² σ_K² K ⊗ K, row after row; None for more than
    eight tokens); ``mean_variance`` E V of the output, ``variance_of_variance`` Var V, ``excess_kurtosis``, each with
    its error; the distance to the normal law of the same variance, and how many draws see it; quantiles; the density;
    and the same moments and the distance to the limit at each width, with the errors of eight scrambled rules.

    Raises:
        InputError: for a Gram matrix that is none, negative variances, no head, a position that is not there, a width
            below the number of tokens, or more heads and tokens than the integration has coordinates.
    """
    law = layer_law(
        _gram(tokens, gram), heads, query_variance=query_variance, key_variance=key_variance,
        value_variance=value_variance, output_variance=output_variance,
    )  # fmt: skip
    if not 1 <= token <= law.tokens:
        raise InputError("token", f"a position from 1 to {law.tokens}", token, "name one of the tokens")
    place = token - 1
    moments = head_moments(law, place, points=_points(law.tokens**2), seed=seed)
    mean = moments["mean"][0]
    nodes = _nodes(law, seed + 1, widths=bool(widths))
    limit = output_limit(law, None if law.tokens <= 2 and heads == 1 and not widths else nodes, place)
    _confirmed(law, moments, limit)
    return {
        "limit": "infinite-width",
        "parameters": {
            "tokens": law.tokens, "heads": heads, "token": token, "score_variance": law.score_variance,
            "output_variance": law.output_variance, "inputs": inputs, "seed": seed,
        },
        "gram": law.gram.tolist(),
        "score_covariance": law.score_covariance.tolist() if law.tokens <= _LISTED else None,
        "mean_variance": mean, "mean_variance_error": moments["mean"][1],
        "variance_of_variance": moments["variance"][0] / heads,
        "variance_of_variance_error": moments["variance"][1] / heads,
        "excess_kurtosis": moments["excess"][0], "excess_kurtosis_error": moments["excess"][1],
        "normal": _against_normal(limit, mean), "quantiles": _quantiles(limit, mean), "density": _density(limit, mean),
        "widths": [_at_width(law, nodes, limit, n, inputs, place) for n in widths],
        "notes": list(_ASSUMES), "claims": ["infinite_width.*"],
    }  # fmt: skip


def _gram(tokens: int | None, gram: Any) -> Any:
    if gram is None:
        if tokens is None:
            raise InputError("tokens", "a number, or a Gram matrix", None, "give one of them")
        return [[float(i == j) for j in range(tokens)] for i in range(check_tokens(tokens))]
    rows = len(gram) if hasattr(gram, "__len__") else 0
    if tokens is not None and rows != tokens:
        raise InputError(
            "gram", f"{tokens} rows, one for each token", rows, "correct the number of tokens or the matrix"
        )
    return gram


def _confirmed(law: LayerLaw, moments: Mapping[str, tuple[float, float]], limit: NormalMixture) -> None:
    """Refuse moments that break a bound, or that the other nodes do not show within their errors."""
    (mean, mean_error), (variance, error) = moments["mean"], moments["variance"]
    again, other = mean_and_error(limit.mean_variance), mean_and_error(law.heads * limit.variance_of_variance)
    largest = law.output_variance * float(law.gram.diagonal().max())
    fine = (
        0 <= mean <= largest + mean_error
        and -error <= variance <= mean * (largest - mean) + error + largest * mean_error
        and abs(mean - again[0]) <= _APART * (mean_error + again[1]) + _ROUNDING * largest
        and abs(variance - other[0]) <= _APART * (error + other[1]) + _ROUNDING * mean * largest
    )
    if not fine:
        got = f"E V {mean:.6g} and {again[0]:.6g}, Var V {variance:.6g} and {other[0]:.6g}"
        raise InputError("gram", "moments that two integrations agree on", got, "give smaller variances")


def _nodes(law: LayerLaw, seed: int, *, widths: bool) -> Nodes:
    """As many nodes as fit, a power of two."""
    s = law.tokens
    points = _points(law.heads * s * s + (s * s if widths else 0))
    return draw_nodes(law, points, _REPLICATES, seed, widths=widths)


def _points(size: int) -> int:
    """The largest power of two for which so many numbers a node are held."""
    return min(_POINTS, 1 << max(6, int(math.log2(_HELD / size))))


def _against_normal(limit: NormalMixture, mean: float) -> dict[str, Any]:
    if mean == 0:
        return {"ks": None, "ks_error": None, "draws_to_see": None}
    found = ks_distance(limit, normal_law(float(limit.mean_variance.mean())))
    seen = found.value > max(3 * found.error, 1e-9)
    draws = math.ceil((dkw_floor(1) / found.value) ** 2) if seen else None
    return {"ks": found.value, "ks_error": found.error, "draws_to_see": draws}


def _quantiles(limit: NormalMixture, mean: float) -> list[dict[str, float]]:
    """At the upper levels, and by symmetry at the lower ones."""
    import torch

    upper = [0.0] * len(UPPER) if mean == 0 else limit.quantiles(torch.tensor(UPPER, dtype=torch.float64)).tolist()
    found = [(0.5, 0.0), *zip(UPPER, upper, strict=True)]
    lower = [(round(1 - level, 6), -value) for level, value in reversed(found[1:])]
    return [{"level": level, "value": value} for level, value in [*lower, *found]]


def _density(limit: NormalMixture, mean: float) -> dict[str, list[float]]:
    """The limit's and the normal density on 121 points over four standard deviations to each side."""
    import torch

    if mean == 0:
        return {"y": [], "limit": [], "normal": []}
    at = torch.linspace(-4, 4, 121, dtype=torch.float64) * limit.scale
    normal = normal_law(limit.scale**2).density(at).mean(0)
    return {"y": at.tolist(), "limit": limit.density(at).mean(0).tolist(), "normal": normal.tolist()}


def _at_width(
    law: LayerLaw, nodes: Nodes, limit: NormalMixture, width: int, inputs: Literal["fixed", "features"], token: int
) -> dict[str, Any]:
    """What finite width changes, by the nodes of the limit."""
    found = output_at_width(law, nodes, width, inputs=inputs, token=token)
    if limit.scale == 0:
        return {"width": width, "mean_variance": 0.0, "mean_variance_error": 0.0, "excess_kurtosis": None,
                "excess_kurtosis_error": None, "ks": None, "ks_error": None}  # fmt: skip
    ks = ks_distance(found, limit)
    mean, excess = mean_and_error(found.mean_variance), mean_and_error(found.excess_kurtosis)
    return {
        "width": width, "mean_variance": mean[0], "mean_variance_error": mean[1], "excess_kurtosis": excess[0],
        "excess_kurtosis_error": excess[1], "ks": ks.value, "ks_error": ks.error,
    }  # fmt: skip


def shown(found: Mapping[str, Any]) -> Shown:
    """Moments, quantiles and the density."""
    quantiles = [(row["level"], row["value"]) for row in found["quantiles"]]
    return Shown(
        title="One output of an attention layer as its width goes to infinity",
        question="The law of one coordinate of a token's output at initialisation, by Sakai, Karakida & Imaizumi 2025 "
        "(arXiv 2506.00846): normal given the scores, which stay random.",
        conclusions=_conclusions(found),
        tables=[_moments(found), Table("Quantiles of the limit", ("level", "value"), quantiles)],
        panels=_panels(found),
    )


def _conclusions(found: Mapping[str, Any]) -> list[str]:
    mean, excess, normal = found["mean_variance"], found["excess_kurtosis"], found["normal"]
    if mean == 0:
        return ["The output is zero: its variance is."]
    said = [
        f"Given the scores the output is normal with a variance V that depends on them: E V = {mean:.8g}, Var V = "
        f"{found['variance_of_variance']:.6g}.",
        f"Its excess kurtosis is 3 Var V/(E V)² = {excess:.6g}, with an error of {found['excess_kurtosis_error']:.1g}.",
    ]
    if normal["draws_to_see"] is None:
        return [*said, "It cannot be told from the normal law of the same variance."]
    return [
        *said,
        f"Its Kolmogorov-Smirnov distance to the normal law of the same variance is {normal['ks']:.4g}: a sample shows "
        f"that with about {normal['draws_to_see']:,} draws.",
    ]


def _moments(found: Mapping[str, Any]) -> Table:
    names = ("mean_variance", "mean_variance_error", "excess_kurtosis", "excess_kurtosis_error")
    limit = ("∞", *(found[name] for name in names), None, None)
    widths = [(str(row["width"]), *(row[name] for name in (*names, "ks", "ks_error"))) for row in found["widths"]]
    columns = ("width", "variance", "± error", "excess kurtosis", "± error", "KS distance to the limit", "± error")
    return Table("Moments", columns, [limit, *widths])


def _panels(found: Mapping[str, Any]) -> list[Panel]:
    density = found["density"]
    if not density["y"]:
        return []
    names = {"limit": "the limit", "normal": "normal, of the same variance"}
    series = [Series(words, density["y"], density[name]) for name, words in names.items()]
    return [Panel("Density of one output", "y", "density", series)]
