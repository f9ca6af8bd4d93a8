"""Text in fonts: which font draws what, in what style, in which lines."""
