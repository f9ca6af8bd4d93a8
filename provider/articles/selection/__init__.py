"""Which entries of a feed a run takes: those of a window of time, or those that no earlier run was given."""
