"""Charts, and how numbers are written beside their errors."""
