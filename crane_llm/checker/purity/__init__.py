"""Which library code may be called for real."""
