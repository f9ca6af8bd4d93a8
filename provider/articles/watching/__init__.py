"""A feed that is polled: how often, and which of its entries are news."""
