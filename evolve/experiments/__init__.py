"""Experiments: lists of runs with what was published beside them, and the tables that they make."""
