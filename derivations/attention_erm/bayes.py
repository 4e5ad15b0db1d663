"""The Bayes-optimal benchmark (arXiv 2506.01582): what any learner can reach, beside weight decay."""

from boundaudit.derivations.attention_erm.recovery import AT_THE_EDGE, DIRECT, PARAMETERS

RECOVERY = PARAMETERS
"""Samples over d² from which noiseless recovery is possible: the free parameters of the target."""
EVERYTHING = DIRECT
"""Those of any symmetric map."""
WEIGHT_DECAY = AT_THE_EDGE
"""Samples over d² that suffice for weight decay."""
