"""Experiments: lists of runs, the published results beside them, and their tables."""
