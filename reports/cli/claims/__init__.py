"""Commands about claims and theorems: what is claimed, what rests on what, and a claim out of a relation."""
