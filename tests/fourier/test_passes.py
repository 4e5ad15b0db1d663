"""Passes of the transform that Triton compiles: by its interpreter where it is installed, and on a GPU where one is."""

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
import torch

from boundaudit.numeric.fourier.transform import walsh_hadamard_

SHAPES = ((1,), (3, 2), (2, 8), (256,), (3, 512), (2**13,))
INTERPRETED = f"""
import torch
from boundaudit.numeric.fourier.passes import transform_
from boundaudit.numeric.fourier.transform import walsh_hadamard_

for shape in {SHAPES}:
    table = torch.randint(-1000, 1000, shape, generator=torch.Generator().manual_seed(0)).double()
    assert torch.equal(transform_(table.clone()), walsh_hadamard_(table.clone())), shape
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("triton") is None, reason="Triton is not installed")
def test_interpreted_passes_are_exact_for_integers() -> None:
    subprocess.run([sys.executable, "-c", INTERPRETED], env=os.environ | {"TRITON_INTERPRET": "1"}, check=True)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_a_gpu_transforms_as_the_processor_does(dtype: torch.dtype) -> None:
    for shape in (*SHAPES, (2**20,)):
        table = torch.randint(-8, 8, shape, generator=torch.Generator().manual_seed(0)).to(dtype)
        assert torch.equal(walsh_hadamard_(table.clone().cuda()).cpu(), walsh_hadamard_(table)), shape
