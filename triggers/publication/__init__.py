"""Watches feeds in the triggerer."""
