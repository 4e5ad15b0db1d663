"""PAC-Bayes inequalities: what several papers' derivations share."""
