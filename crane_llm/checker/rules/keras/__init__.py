"""Rules: keras."""
