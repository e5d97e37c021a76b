"""Run ``hanabi`` by ``python -m hanabi.evolve.cli``."""

from hanabi.evolve.cli.app import main

if __name__ == "__main__":  # worker processes import this module too
    main()
