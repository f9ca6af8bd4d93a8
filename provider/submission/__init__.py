"""A paid submission: its record, and what a task does that finds one."""
