"""How a notebook shows what has a name: a heading and a table of facts, with nothing in it that runs."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

_LEFT = "text-align:left;vertical-align:top"


class Formula(str):
    """LaTeX, which a notebook sets as mathematics; every other word stays as it is."""

    __slots__ = ()


def card(title: str, facts: Mapping[str, str]) -> str:
    """A heading over a table of facts, as HTML for ``_repr_html_``: one element, every word escaped.

    Facts are plain words or a `Formula` by name; what is empty is left out.

    Example:
        >>> card("a < b", {"nothing": ""})
        '<div class="mathjax_ignore tex2jax_ignore"><strong>a &lt; b</strong><table></table></div>'
    """
    rows = "".join(
        f'<tr><th style="{_LEFT}">{escape(name)}</th><td style="{_LEFT}">{_set(words)}</td></tr>'
        for name, words in facts.items()
        if words
    )
    return f'<div class="mathjax_ignore tex2jax_ignore"><strong>{escape(title)}</strong><table>{rows}</table></div>'


def _set(words: str) -> str:
    if not isinstance(words, Formula) or "$" in words:  # a dollar sign would end the formula in the middle
        return escape(words)
    return rf'<span class="mathjax_process tex2jax_process">$\displaystyle {escape(words)}$</span>'
