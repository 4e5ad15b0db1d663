"""Trained transformers from disk, one tensor at a time: their matrices' spectra and norms."""
