"""What a task has paid for and pays for, over all its tries: its records, and what they mean for it."""
