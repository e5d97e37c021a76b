"""A table where people and agents play, as text, in a browser, and as a local site."""
