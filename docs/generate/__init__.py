"""Generate the pages of the site that follow from the code and from the data in docs/data."""
