"""Measurements for spectrum-adaptive bounds of transformers, and the proxies and bounds as numbers."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader

if TYPE_CHECKING:
    from boundaudit.numeric.schatten.bounds import MatrixClass as MatrixClass
    from boundaudit.numeric.schatten.bounds import fixed_class_gap as fixed_class_gap
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

_PUBLIC = {
    "Block": "boundaudit.numeric.schatten.proxy",
    "Contribution": "boundaudit.numeric.schatten.proxy",
    "MatrixClass": "boundaudit.numeric.schatten.bounds",
    "Mlp": "boundaudit.numeric.schatten.proxy",
    "Proxy": "boundaudit.numeric.schatten.proxy",
    "covering_proxy": "boundaudit.numeric.schatten.proxy",
    "fixed_class_gap": "boundaudit.numeric.schatten.bounds",
    "gap_curve": "boundaudit.numeric.schatten.bounds",
    "index_grid": "boundaudit.numeric.schatten.proxy",
    "network_entropy": "boundaudit.numeric.schatten.bounds",
    "post_hoc_curve": "boundaudit.numeric.schatten.bounds",
    "rank_cap": "boundaudit.numeric.schatten.proxy",
    "schatten_proxy": "boundaudit.numeric.schatten.proxy",
    "with_sensitivities": "boundaudit.numeric.schatten.bounds",
}

__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
