"""What the service can be asked beside its jobs: lists and figures, whose form the interface leaves open."""
