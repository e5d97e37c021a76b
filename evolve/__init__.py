"""The search for good agents, and what comes after it."""
