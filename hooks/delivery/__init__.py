"""Finished videos: fetched from the service, and put where they belong."""
