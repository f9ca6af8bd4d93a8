"""Keeps what runs share: the budgets they spend from, and the videos that one leaves to the next."""
