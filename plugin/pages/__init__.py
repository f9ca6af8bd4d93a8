"""What the API server shows of a task: its job, its video, and the service's latest jobs."""
