"""A submission of which nobody knows whether the service has accepted it: how that is settled."""
