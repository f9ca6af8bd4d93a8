"""What is known of any text: its characters, sentences and scenes, its language, and names made of it."""
