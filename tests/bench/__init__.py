"""Measurements of the project that only its checkout can make: ``python tests/bench NAME…``."""
