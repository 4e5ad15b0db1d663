"""Commands that compute: bounds, limits, measurements and experiments."""
