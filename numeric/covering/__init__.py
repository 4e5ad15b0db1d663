"""Measurements for covering-number bounds of transformers, and the bounds as numbers."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.covering.bounds import Capacity as Capacity
    from boundaudit.numeric.covering.bounds import Caps as Caps
    from boundaudit.numeric.covering.bounds import Gap as Gap
    from boundaudit.numeric.covering.bounds import dudley as dudley
    from boundaudit.numeric.covering.bounds import generalization_gap as generalization_gap
    from boundaudit.numeric.covering.bounds import multi_layer_capacity as multi_layer_capacity
    from boundaudit.numeric.covering.bounds import single_layer_capacity as single_layer_capacity
    from boundaudit.numeric.covering.head import Head as Head

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
