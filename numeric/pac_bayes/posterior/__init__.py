"""Gaussian posteriors trained on a bound and certified: stacked networks, any module, chains over a split sample."""
