"""What a task pays for, over all its tries: its records, and what they mean for it."""
