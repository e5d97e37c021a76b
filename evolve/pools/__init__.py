"""Pools of partners: make, measure and split them, and adapt to their agents."""
