"""Charts, and the format of numbers with errors."""
