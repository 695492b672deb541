"""The allow-lists, one module per library."""
