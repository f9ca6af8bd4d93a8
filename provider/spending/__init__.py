"""The brake on spending: how long videos will be, which are made, when to stop, and what came of a run."""
