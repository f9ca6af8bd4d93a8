"""DAGs that are made of a settings file."""
