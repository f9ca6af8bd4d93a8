"""Jobs: what they are, how they are carried out, where they are kept, and how their end is announced."""
