"""One attention head trained within caps on its norms, on samples without end, and what norms say of its gap."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.capped.heads import MAPS as MAPS
    from boundaudit.numeric.capped.heads import Plan as Plan
    from boundaudit.numeric.capped.heads import Told as Told
    from boundaudit.numeric.capped.heads import caps_of as caps_of
    from boundaudit.numeric.capped.heads import measure as measure
    from boundaudit.numeric.capped.heads import require_within as require_within
    from boundaudit.numeric.capped.heads import train as train
    from boundaudit.numeric.capped.marked import Stream as Stream
    from boundaudit.numeric.capped.measures import norms_of as norms_of

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
