"""What the operators have in common."""
