"""Commands that make runs, read them whole, compare them and hand them on."""
