"""One attention head trained within caps on its norms, on samples without end, and what norms say of its gap."""
