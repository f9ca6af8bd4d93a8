"""What outlives the tries of a task, and where it is kept."""
