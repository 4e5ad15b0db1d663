"""Trained networks from disk, a layer at a time: their matrices' spectra, norms and proxies. Never a pickle."""

from typing import TYPE_CHECKING

from boundaudit.numeric.lazy import loader, public_names

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

_PUBLIC = public_names(__file__)
__all__ = sorted(_PUBLIC)
__getattr__ = loader(__name__, _PUBLIC)
