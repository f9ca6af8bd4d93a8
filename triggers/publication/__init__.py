"""What watches a feed in the triggerer."""
