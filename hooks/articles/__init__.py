"""Articles: feeds, pages and files, fetched politely and read in a process of their own."""
