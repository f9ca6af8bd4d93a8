"""How requests reach the service, and what is true of every request."""
