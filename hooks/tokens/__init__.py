"""Tokens that were fetched at run time: hidden in logs, and shared by the processes of a machine."""
