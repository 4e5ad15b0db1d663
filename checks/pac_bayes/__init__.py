"""PAC-Bayes inequalities: what several papers' derivations share."""

PAPER = "PAC-Bayes bounds, shared by papers"
