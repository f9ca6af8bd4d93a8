"""Asks the service what it has and what is left, before anything is paid for."""
