"""Models that `boundaudit limit model NAME` reads without a file: to run, and to begin one's own from."""
