"""The table of families on the site's page, from the registry and what live networks compute.

``python -m tests.checkpoint.table`` writes it; a test holds the page against it.
"""

import tempfile
from functools import cache
from pathlib import Path

from tests.checkpoint.live import MODELS, config_of, differences, family_of

from boundaudit.numeric.checkpoint.families import CROSS, FAMILIES, SWITCHED, Family
from boundaudit.reports import site

PAGE = Path(site.__file__ or "").parent / "measure-and-bound.md"
FIRST = "| `model_type` | read of each layer | as `transformers` computes it, to 1e-5 | bounds |\n"
EQUAL = 1e-5


@cache
def measured(name: str) -> dict[str, float]:
    """How far what is read of a tiny random network is from what it does, by part."""
    with tempfile.TemporaryDirectory() as folder:
        return differences(name, Path(folder))


def table() -> str:
    """A row a family, as Markdown."""
    return FIRST + "| --- | --- | --- | --- |\n" + "".join(map(_row, sorted(MODELS, key=family_of)))


def _row(name: str) -> str:
    family = FAMILIES[family_of(name)]
    equal = ", ".join(part for part, apart in measured(name).items() if apart <= EQUAL)
    called = f"`{family_of(name)}`".replace(" gated`", "`, gated")
    return f"| {called} | {_read(family)} | {equal} | {_bounds(name, family)} |\n"


def _read(family: Family) -> str:
    words = {"into": "M_in", "gate": "M_gate", "out": "M_out"}
    mlp = ", ".join(word for kind, word in words.items() if kind in family.places)
    cross = "; in the decoder also Q, V of cross-attention" if family.decoder else ""
    return f"Q, V, {mlp}{' of every expert' if family.mixed else ''}{cross}"


def _bounds(name: str, family: Family) -> str:
    """Whether explicit bounds are printed, or what leaves proxies only, as the family is and as it may be set up."""
    config = config_of(name)
    there = (*family.missing_of(config.to_dict()), *((CROSS,) if family.decoder else ()))
    off = [key for key, said in SWITCHED.items() if hasattr(config, key) and said not in there]
    if there:
        return f"proxies only: {', '.join(there)}"
    return "explicit" + "".join(f"; with `{key}` proxies only: {SWITCHED[key]}" for key in off)


def main() -> None:
    """Write the table where the page has one."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text.replace(standing(text), table()), encoding="utf-8")


def standing(text: str) -> str:
    """The table that stands on the page."""
    start = text.index(FIRST)
    return text[start : text.index("\n\n", start) + 1]


if __name__ == "__main__":
    main()
