"""Pipelines that are described by settings instead of Python."""
