"""How values bend along the direction in which E v'' is largest (Theorem 18), and what bounds it."""
