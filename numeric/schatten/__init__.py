"""Measurements for spectrum-adaptive bounds of transformers, and the proxies and bounds as numbers."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.schatten.bounds import MatrixClass as MatrixClass
    from boundaudit.numeric.schatten.bounds import gap_curve as gap_curve
    from boundaudit.numeric.schatten.bounds import network_entropy as network_entropy
    from boundaudit.numeric.schatten.bounds import post_hoc_curve as post_hoc_curve
    from boundaudit.numeric.schatten.bounds import with_sensitivities as with_sensitivities
    from boundaudit.numeric.schatten.proxy import Block as Block
    from boundaudit.numeric.schatten.proxy import Contribution as Contribution
    from boundaudit.numeric.schatten.proxy import Mlp as Mlp
    from boundaudit.numeric.schatten.proxy import Proxy as Proxy
    from boundaudit.numeric.schatten.proxy import covering_proxy as covering_proxy
    from boundaudit.numeric.schatten.proxy import index_grid as index_grid
    from boundaudit.numeric.schatten.proxy import rank_cap as rank_cap
    from boundaudit.numeric.schatten.proxy import schatten_proxy as schatten_proxy

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
