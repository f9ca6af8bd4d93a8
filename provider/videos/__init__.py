"""Many videos of one task: what is given, what is kept of each between tries, and what came of them."""
