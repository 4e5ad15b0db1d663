"""Claims, domains, provers, evidence and verdicts: statements tied to measurements."""
