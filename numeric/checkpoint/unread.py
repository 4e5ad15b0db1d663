"""The tensors of a checkpoint that are not read: which are known for what they are, and which leave no bound."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boundaudit import InputError
from boundaudit.numeric.checkpoint.families import NORMALISED
from boundaudit.numeric.checkpoint.reader import Checkpoint

if TYPE_CHECKING:
    from boundaudit.numeric.checkpoint.layouts import Layout

OTHER_MODEL = "no number here holds for such a model"
_GAIN_OR_BIAS = re.compile(r"bias$|(norm|(^|\.)ln)[^.]*(\.\w+)?$", re.IGNORECASE)
"""Names of vectors that are said not to be read."""
_OF_SCORES = re.compile(r"(^|\.)(q|k|query|key)_(layer)?norm")
"""Gains that are said not to be read only where normalised queries and keys are named."""
_AROUND = re.compile(
    r"embed|(^|\.)(wte|wpe|shared|score|qa_outputs|text_projection|project_(in|out)|vocab_\w+)\.|^cls\.|head\."
    r"|pooler\.|classifier\.|predictions\.|sequence_summary\.|^decoder\.(0\.)?weight$"
)
"""Names of tensors before and after the layers: embeddings, and heads of tasks."""


def unknown(layout: Layout, checkpoint: Checkpoint) -> tuple[str, ...]:
    """The first three names, and how many more, of tensors around the layers of which no one knows what they do.

    They are not read; no bound is of a network that has any.

    Raises:
        InputError: for one in a layer that is no gain or bias: a gate, an expert or a table of relative positions makes
            another function of the same matrices.
    """
    read = {name for stack in layout.stacks for layer in range(stack.depth) for name in stack.tensors(layer)}
    places = [place for stack in layout.stacks for place in stack.places.values()]
    within = {re.escape(re.split(r"\{layer\}|\d", place.name)[0]) for place in places}
    layer = re.compile(rf"(?:{'|'.join(sorted(within))})\d+(?!\d)")
    found = []
    for name, stored in checkpoint.tensors.items():
        # Masks that GPT-2 stores have four axes, gains and biases one.
        known = len(stored.shape) not in {2, 3} and _GAIN_OR_BIAS.search(name)
        named = NORMALISED in layout.uncovered or not _OF_SCORES.search(name)
        if name in read or (known and named) or name.endswith(layout.beside):
            continue
        if layer.match(name):
            expected = f"layers of {len(layout.places)} matrices"
            raise InputError(name, expected, "one that would not be read", OTHER_MODEL)
        if not _AROUND.search(name):
            found.append(name)
    return (*found[:3], *([f"{len(found) - 3} other tensors"] if len(found) > 3 else []))
