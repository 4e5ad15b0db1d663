"""How often PAC-Bayes bounds fail in settings where the true risk is known: each at most with its δ."""
