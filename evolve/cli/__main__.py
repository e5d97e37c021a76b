"""``python -m evolve.cli`` is ``hanabi``."""
from evolve.cli.app import main

main()
