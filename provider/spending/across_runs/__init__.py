"""What runs share: the budgets of a connection, and videos that one run leaves to the next."""
