"""The one place that holds the version of the Python packages."""

__version__ = "0.1.0"
