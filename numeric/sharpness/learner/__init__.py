"""Networks learned from random weights, certified without anything but their training set."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

if TYPE_CHECKING:
    from boundaudit.numeric.sharpness.learner.learning import Certified as Certified
    from boundaudit.numeric.sharpness.learner.learning import HoldOut as HoldOut
    from boundaudit.numeric.sharpness.learner.learning import Learned as Learned
    from boundaudit.numeric.sharpness.learner.learning import Plan as Plan
    from boundaudit.numeric.sharpness.learner.learning import Start as Start
    from boundaudit.numeric.sharpness.learner.learning import certified_from_start as certified_from_start
    from boundaudit.numeric.sharpness.learner.learning import certified_learner as certified_learner
    from boundaudit.numeric.sharpness.learner.learning import check_learnable as check_learnable
    from boundaudit.numeric.sharpness.learner.networks import Network as Network
    from boundaudit.numeric.sharpness.learner.networks import Shape as Shape

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
