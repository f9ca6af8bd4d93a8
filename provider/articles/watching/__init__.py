"""A feed that is looked at again and again: how often, and what of it is news."""
