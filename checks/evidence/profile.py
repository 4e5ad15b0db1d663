"""Profiles: how hard each method looks."""

from __future__ import annotations

from dataclasses import dataclass

from boundaudit import InputError


@dataclass(frozen=True)
class Profile:
    """How hard each method looks; counts only, so that a run repeats exactly.

    Example:
        >>> from boundaudit.checks.evidence.profile import PROFILES
        >>> [profile.trials for profile in PROFILES.values()]
        [300, 2000, 10000]

    Attributes:
        name: smoke, standard or deep.
        smallest: Points of the exhaustive search.
        examples: Hypothesis examples.
        generations: Generations of the climb, of at most 48 points each.
        sweep: Points of the sweep.
        grid: Points of the grid certificate.
        mutants: The most mutants judged per claim.
        trial_points: Points at which a probability is counted.
        trials: Independent trials at each of them.
        chain: Points at which the steps of a derivation are measured.
        quick: Whether a proof that an earlier run did not find is not looked for again.
    """

    name: str
    smallest: int
    examples: int
    generations: int
    sweep: int
    grid: int
    mutants: int
    trial_points: int
    trials: int
    chain: int
    quick: bool = False


PROFILES = {
    "smoke": Profile(
        "smoke",
        smallest=200,
        examples=10,
        generations=2,
        sweep=150,
        grid=12,
        mutants=6,
        trial_points=6,
        trials=300,
        chain=16,
        quick=True,
    ),
    "standard": Profile(
        "standard",
        smallest=4000,
        examples=100,
        generations=32,
        sweep=6000,
        grid=400,
        mutants=40,
        trial_points=24,
        trials=2000,
        chain=500,
    ),
    "deep": Profile(
        "deep",
        smallest=40000,
        examples=1000,
        generations=400,
        sweep=40000,
        grid=2000,
        mutants=200,
        trial_points=100,
        trials=10000,
        chain=5000,
    ),
}


def profile_named(name: str) -> Profile:
    """A profile by name.

    Raises:
        InputError: where there is none of that name.
    """
    if name not in PROFILES:
        raise InputError("--profile", ", ".join(PROFILES), name, "choose one of these")
    return PROFILES[name]
