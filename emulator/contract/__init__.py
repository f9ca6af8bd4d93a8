"""What the service accepts, written from INTERFACE.md alone."""
