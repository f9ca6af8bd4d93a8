"""From a storyboard to pictures, speech and an .mp4. Nothing here knows of HTTP requests or jobs."""
