"""Whether the names of a script are its article's, and stand where the article has them."""
