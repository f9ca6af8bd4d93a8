"""Media in a customer's own bucket: the role with which the service reads them, and the connection that names it."""
