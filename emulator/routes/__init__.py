"""What answers under each path: the operations, media, pages, the admin API, and errors everywhere."""
