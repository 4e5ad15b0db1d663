"""Trained networks from disk, a layer at a time: their matrices' spectra, norms and proxies. Never a pickle."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader

if TYPE_CHECKING:
    from boundaudit.numeric.checkpoint.encoder import Encoder as Encoder
    from boundaudit.numeric.checkpoint.encoder import load_encoder as load_encoder
    from boundaudit.numeric.checkpoint.families import UNCOVERED as UNCOVERED
    from boundaudit.numeric.checkpoint.heads import FEWEST as FEWEST
    from boundaudit.numeric.checkpoint.heads import Head as Head
    from boundaudit.numeric.checkpoint.heads import LabelledFeatures as LabelledFeatures
    from boundaudit.numeric.checkpoint.heads import same_body as same_body
    from boundaudit.numeric.checkpoint.layouts import open_checkpoint as open_checkpoint
    from boundaudit.numeric.checkpoint.peers import spectra_speed as spectra_speed
    from boundaudit.numeric.checkpoint.reader import Checkpoint as Checkpoint
    from boundaudit.numeric.checkpoint.stack import Measured as Measured
    from boundaudit.numeric.checkpoint.stack import SpectrumRow as SpectrumRow
    from boundaudit.numeric.checkpoint.stack import measure_stack as measure_stack
    from boundaudit.numeric.checkpoint.stack import open_stack as open_stack
    from boundaudit.numeric.checkpoint.summary import MatrixRow as MatrixRow
    from boundaudit.numeric.checkpoint.summary import Summary as Summary
    from boundaudit.numeric.checkpoint.summary import mean_spectra as mean_spectra
    from boundaudit.numeric.checkpoint.summary import summarise as summarise

_PUBLIC = {
    "Checkpoint": "boundaudit.numeric.checkpoint.reader",
    "Encoder": "boundaudit.numeric.checkpoint.encoder",
    "FEWEST": "boundaudit.numeric.checkpoint.heads",
    "Head": "boundaudit.numeric.checkpoint.heads",
    "LabelledFeatures": "boundaudit.numeric.checkpoint.heads",
    "MatrixRow": "boundaudit.numeric.checkpoint.summary",
    "Measured": "boundaudit.numeric.checkpoint.stack",
    "SpectrumRow": "boundaudit.numeric.checkpoint.stack",
    "Summary": "boundaudit.numeric.checkpoint.summary",
    "UNCOVERED": "boundaudit.numeric.checkpoint.families",
    "load_encoder": "boundaudit.numeric.checkpoint.encoder",
    "mean_spectra": "boundaudit.numeric.checkpoint.summary",
    "measure_stack": "boundaudit.numeric.checkpoint.stack",
    "open_checkpoint": "boundaudit.numeric.checkpoint.layouts",
    "open_stack": "boundaudit.numeric.checkpoint.stack",
    "same_body": "boundaudit.numeric.checkpoint.heads",
    "spectra_speed": "boundaudit.numeric.checkpoint.peers",
    "summarise": "boundaudit.numeric.checkpoint.summary",
}

__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
