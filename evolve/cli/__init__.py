"""The command ``hanabi``."""
