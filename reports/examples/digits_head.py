"""A head that is tuned on frozen features of scikit-learn's handwritten digits, and the files to certify it from.

A network with one hidden layer is trained on 100 of the 1,797 digits: the pretrained checkpoint. On the features of the
other 1,697 its head alone is tuned: the checkpoint to be certified. No label of these 1,697 has touched the features.

    python digits_head.py
    boundaudit bound checkpoint tuned.safetensors --data digits.npz --pretrained pretrained.safetensors
"""

import numpy as np
import torch
from safetensors.torch import save_file
from sklearn.datasets import load_digits
from torch import nn

PRETRAINED_ON = 100
"""How many of the digits, by a random permutation."""


def trained(module: nn.Module, inputs: torch.Tensor, labels: torch.Tensor, steps: int) -> None:
    """Descend on the mean cross-entropy over all samples."""
    adam = torch.optim.Adam(module.parameters(), lr=0.01)
    for _ in range(steps):
        adam.zero_grad()
        nn.functional.cross_entropy(module(inputs), labels).backward()  # type: ignore[no-untyped-call]
        adam.step()


def main() -> None:
    """Write pretrained.safetensors, tuned.safetensors and digits.npz."""
    torch.manual_seed(0)
    pixels, digits = load_digits(return_X_y=True)
    inputs, labels = torch.tensor(pixels / 16, dtype=torch.float32), torch.tensor(digits)
    order = torch.randperm(len(labels))
    first, rest = order[:PRETRAINED_ON], order[PRETRAINED_ON:]
    body, head = nn.Sequential(nn.Linear(64, 64), nn.ReLU()), nn.Linear(64, 10)
    trained(nn.Sequential(body, head), inputs[first], labels[first], steps=400)
    save(body, head, "pretrained.safetensors")
    features = body(inputs[rest]).detach()
    trained(head, features, labels[rest], steps=400)
    save(body, head, "tuned.safetensors")
    logits = head(features).detach()
    np.savez("digits.npz", features=features.numpy(), labels=labels[rest].numpy(), logits=logits.numpy())


def save(body: nn.Sequential, head: nn.Linear, path: str) -> None:
    """One checkpoint of both."""
    tensors = {f"body.{name}": value for name, value in body.state_dict().items()}
    save_file(tensors | {f"classifier.{name}": value for name, value in head.state_dict().items()}, path)


if __name__ == "__main__":
    main()
