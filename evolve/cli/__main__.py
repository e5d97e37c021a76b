"""``python -m hanabi.evolve.cli`` is ``hanabi``."""

from hanabi.evolve.cli.app import main

if (
    __name__ == "__main__"
):  # not in the worker processes of `hanabi bench cluster`, which import it too
    main()
