"""Convention agents for tests, by player count."""
