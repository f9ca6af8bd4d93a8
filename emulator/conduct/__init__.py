"""How the service behaves and misbehaves: durations, limits, dialects, faults, and the count of calls."""
