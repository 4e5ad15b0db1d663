"""What an argument may take from textbooks by its name; a proof has a lemma or an axiom in its place."""

from __future__ import annotations

FACTS = {
    "definition": "a quantity is what it is defined as, written out",
    "binomial theorem": "a power of a sum of two numbers, written out",
    "chain rule": "derivatives of a composition, written out",
    "blocks": "the squared length of a vector is the sum of those of its parts",
    "triangle inequality": "the length of a sum is at most the sum of the lengths",
    "Cauchy-Schwarz": "an inner product is at most the product of the lengths",
    "average": "an average with weights that add up to one is at most the largest of what is averaged",
    "Jensen": "a convex function of an average is at most the average of its values",
    "two averages": "two averages of points are no farther apart than the two points that are farthest apart",
    "centred sum": "where a sum vanishes, its positive part is half the sum of the sizes and bounds every term",
    "sum of squares": "a sum of squares is at most the sum of the sizes times the largest of them",
    "monotone": "a sum of products of numbers of at least zero grows with each of them",
    "operator norm": "an operator norm is at most the sum of those of the blocks, each at most its Frobenius norm",
    "block norms": "an operator norm is at most that of the matrix of the norms of the blocks",
    "rank one": "the operator norm of an outer product is the product of the lengths",
    "independence": "the mean of a product of independent numbers is the product of their means",
    "uncorrelated": "the mean square of a sum of uncorrelated parts is the sum of their mean squares",
    "linearity": "the mean of a sum is the sum of the means, whatever the dependence",
    "normal moments": "the fourth moment of a normal variable is three times the square of its variance",
    "union bound": "the probability that one of several events happens is at most the sum of theirs",
    "normal length": "a length of k standard normal variables exceeds √k + κ with probability at most exp(-κ²/2)",
    "event": "what the definition of an event bounds is bounded on it",
    "mean value": "a change is at most the largest derivative on the way; less its linear part, half the second",
    "Minkowski": "the root mean square of a sum is at most the sum of the root mean squares",
}
"""By the name that a step cites."""

EQUALITIES = {"definition", "binomial theorem", "chain rule", "blocks", "independence", "rank one"}
"""Those that lead from a node to an equal one."""
