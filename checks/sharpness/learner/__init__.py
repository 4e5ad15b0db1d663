"""Definition 1, Remark 3: what minimising a weighted sum guarantees, and for which predictor the bound holds."""
