"""What the service keeps under a unique name, connections and voices: found in its lists, changed and deleted."""
