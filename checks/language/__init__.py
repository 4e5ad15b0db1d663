"""What a statement is made of: expression trees, balls, floats, domains, claims."""
