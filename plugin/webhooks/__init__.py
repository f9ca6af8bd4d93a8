"""What receives the service's callbacks in the API server, and tells the task that waits."""
