"""Which proxy is smaller: by depth, by how fast spectra decay, and by how large the weights are."""

from __future__ import annotations

import torch
from torch import Tensor

from boundaudit.checks.records.study import Panel, Series, Setting, Study
from boundaudit.checks.schatten import PAPER
from boundaudit.numeric.schatten import Block, Mlp, covering_proxy, rank_cap, schatten_proxy
from boundaudit.numeric.spectra import Spectrum, spectrum

_WIDTH, _HEADS = 64, 4
_NORMS = (0.25, 0.5, 1.0, 2.0)


def _matrix(norm: float, decay: float, rank: int, generator: torch.Generator) -> Spectrum:
    """Singular values norm · k^{-decay}, k up to the rank, between Haar-distributed directions."""

    def directions() -> Tensor:
        found: Tensor = torch.linalg.qr(torch.randn(_WIDTH, rank, generator=generator, dtype=torch.float64)).Q
        return found

    values = norm * torch.arange(1, rank + 1, dtype=torch.float64) ** -decay
    return spectrum(directions() * values, directions().mT)


def _blocks(depth: int, norm: float, decay: float, seed: int) -> list[Block]:
    """Equal norms and decay for all matrices, heads of the rank that their channels allow."""
    generator = torch.Generator().manual_seed(seed)

    def heads() -> tuple[Spectrum, ...]:
        return tuple(_matrix(norm, decay, _WIDTH // _HEADS, generator) for _ in range(_HEADS))

    def whole() -> Spectrum:
        return _matrix(norm, decay, _WIDTH, generator)

    return [Block(heads(), heads(), (Mlp(whole(), whole()),)) for _ in range(depth)]


def _ratio(blocks: list[Block]) -> float:
    """The spectrum-adaptive proxy over the comparator's."""
    return schatten_proxy(blocks, _WIDTH).total / covering_proxy(blocks)


def _by_depth(setting: Setting, norm: float, depths: list[int]) -> Panel:
    deepest = _blocks(depths[-1], norm, 1.0, setting.seed)
    networks = [deepest[:depth] for depth in depths]
    series = [
        Series("spectrum-adaptive", depths, [schatten_proxy(blocks, _WIDTH).total for blocks in networks]),
        Series("cap by ranks", depths, [rank_cap(blocks, _WIDTH) for blocks in networks]),
        Series("by (2,1) norms", depths, [covering_proxy(blocks) for blocks in networks]),
    ]
    return Panel(f"Operator norms {norm:g}, s_k falling as 1/k", "depth", "proxy", series, log="y")


def _compute(setting: Setting) -> list[Panel]:
    brief = setting.profile == "smoke"
    depths = [1, 2, 3, 4] if brief else [1, 2, 3, 4, 6, 8, 10, 12]
    decays = [0.0, 1.0, 2.0] if brief else [0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0]
    by_decay = [
        Series(f"norms {norm:g}", decays, [_ratio(_blocks(2, norm, decay, setting.seed)) for decay in decays])
        for norm in _NORMS
    ]
    return [
        *(_by_depth(setting, norm, depths) for norm in _NORMS[1:3]),
        Panel(
            "Spectrum-adaptive over (2,1) norms, two blocks: smaller below 1", "exponent d of s_k falling as k^-d",
            "ratio of the proxies", by_decay, log="y",
        ),
    ]  # fmt: skip


study = Study(
    label="schatten.study",
    title="Where each proxy is the smaller one",
    caption="Random directions of width 64, equal norms and decay for all matrices. Above norm one the comparator's "
    "proxy multiplies norms from block to block and soon exceeds any other; at smaller norms it is the smaller one for "
    "a few blocks, and the more so the faster the singular values fall.",
    claims=(
        "schatten.proxy.counts-ranks",
        "schatten.proxy.comparator-exponential",
        "schatten.proxy.comparator-smaller",
    ),
    compute=_compute,
    paper=PAPER,
    place=("Section 6",),
)
