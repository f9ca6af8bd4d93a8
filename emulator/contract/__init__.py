"""What the service accepts, written from the interface alone."""
