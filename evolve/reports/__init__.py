"""What comes out of a run: the agent as a file, a page."""
