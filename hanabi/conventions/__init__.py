"""Conventions: what hints mean beyond their words. Marks, hint evaluation, the register."""
