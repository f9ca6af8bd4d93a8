"""``make release``: from the open section of CHANGELOG.md to checked files in ``dist`` and a tag. Not packaged."""
