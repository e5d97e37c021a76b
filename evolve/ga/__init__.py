"""The genetic algorithm: from a config to a winner."""
