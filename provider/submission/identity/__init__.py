"""What tells one submission from all others at the service."""
