"""Speech, music, and their sum."""
