"""What of a script can be compared with its article: numbers, dates, names, quotations, the language."""
