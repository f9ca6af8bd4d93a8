"""What is behind a scene's text and in front of it."""
