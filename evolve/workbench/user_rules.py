"""Files of user rules at the workbench: loaded, and each rule compiled once to find its errors."""

from collections.abc import Generator, Sequence
from pathlib import Path

from hanabi.conventions.register import CONVENTION_FAMILIES
from hanabi.evolve.measure.variations import middle
from hanabi.evolve.workbench.job_queue import Job
from hanabi.rulebook import FAMILIES, Family
from hanabi.rules.user_rules import LOADED, load_rules
from hanabi.table import ListPlayer, Table
from hanabi.variant import read_variant


class UserRules:
    """Some files of user rules.

    Attributes:
        files: Their paths.
        broken: By file, why it cannot be loaded.
        errors: By family, why machine code cannot be made of it, or why it failed in a trial game.
        checked: Whether all families have been tried.
    """

    def __init__(self, files: Sequence[Path] = ()) -> None:
        self.files = list(files)
        self.broken: dict[str, str] = {}
        self.errors: dict[str, str] = {}
        self.checked = not files

    def load(self) -> None:
        """Load the files; note why one cannot be loaded."""
        for file in self.files:
            try:
                load_rules(file)
            except ValueError as error:
                self.broken[file.name] = str(error)

    def families(self) -> list[Family]:
        """Return the rules and conventions of all loaded files."""
        return [
            family
            for families in (FAMILIES, CONVENTION_FAMILIES)
            for family in families.values()
            if family.function.__code__.co_filename in LOADED
        ]

    def check(self, job: Job) -> Generator[None]:
        """Compile each rule and convention, and play its trial games; note what fails."""
        variant = read_variant("standard").at(3)
        for family in self.families():
            entry = middle(family)
            player = ListPlayer((entry,))
            if family.what == "convention":
                player = ListPlayer((), conventions=(entry,))
            try:
                Table(variant, [player])
            except Exception as error:  # a user's rule may raise anything
                self.errors[family.name] = " ".join(str(error).split())
            yield
        self.checked = True
