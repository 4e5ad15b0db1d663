"""An outside result, audited: Sauer's lemma and what learning theory makes of it."""
