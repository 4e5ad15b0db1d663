"""The trainable weights of a module as one row of numbers, and back."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call

from boundaudit.numeric.pac_bayes.posterior.stacked import Posterior


@dataclass(frozen=True, eq=False)
class FlatModule:
    """A module in evaluation mode as a function of its trainable weights, which itself stays as it is."""

    module: nn.Module

    @property
    def parameters(self) -> dict[str, nn.Parameter]:
        """The trainable parameters by name, tied ones once."""
        return {name: p for name, p in self.module.named_parameters() if p.requires_grad}

    @property
    def weights(self) -> Tensor:
        """The module's own, float64, shape (1, P)."""
        return torch.cat([p.detach().double().flatten() for p in self.parameters.values()])[None]

    def named(self, weights: Tensor) -> dict[str, Tensor]:
        """Weights, shape (P,), as parameters by name, rounded to their precision."""
        own = self.parameters
        parts = weights.split([p.numel() for p in own.values()])  # type: ignore[no-untyped-call]
        return {name: part.view_as(p).to(p) for part, (name, p) in zip(parts, own.items(), strict=True)}

    def output(self, weights: Tensor, inputs: Any) -> Any:
        """What the module returns with these weights, shape (P,); a tuple of inputs holds several arguments."""
        return functional_call(self.module, self.named(weights), inputs)

    def drawn(self, posterior: Posterior, seed: int) -> nn.Module:
        """A copy with weights drawn from a posterior of one network."""
        generator = torch.Generator(posterior.mean.device).manual_seed(seed)
        named, made = self.named(posterior.sample(generator)[0]), copy.deepcopy(self.module)
        with torch.no_grad():
            for name, parameter in made.named_parameters():
                if name in named:
                    parameter.copy_(named[name])
        return made
