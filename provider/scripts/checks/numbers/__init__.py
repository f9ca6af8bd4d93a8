"""The numbers of a text: how they are written, rounded, counted and worked out."""
