"""What pruning takes from the squared gradient: the rows of F that belong to dead units (derived here).

The output weights of odd grid points' hidden units are zero, so that their biases and input weights have no gradient,
and without them the function and all other derivatives stay. Their rows of F have one: C² (Σ a h)² in the last column
and more in the others, Σ a h the average under layer 2's attention. The unit relu(s - 1/(2D)) of the first odd grid
point, or relu(s - 1/(4D)) with the wide trapezoid, has a mean of at least `UNIT` over uniform inputs on a row of a
component: half of the inputs set the first bit of it, and there s is at least `SHARE` in the mean.
"""

from boundaudit.derivations.sharpness.attention import INACTIVE, SUM
from boundaudit.derivations.sharpness.parameters import D, T

UNIT = (T - 1) / (4 * (T + 1))

SHARE = ((D + 1) * T**2 + T - D) / (2 * (D * T**2 + T + 1 - D))
"""The mean of s on inputs that set the component's first bit, all others uniform; the output position's is zero."""

STEEP = (SHARE - 1 / (2 * D)) / 2
"""What these inputs add to the mean of the unit with the steep trapezoid, at least."""

SAVED = (SUM * SUM * T**2 / (SUM * T**2 + INACTIVE) * UNIT) ** 2
"""C² times the square of a lower bound on the mean of Σ a h over the rows of components."""
