"""How one task makes many videos at the same time."""
