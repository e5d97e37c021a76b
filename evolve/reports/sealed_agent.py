"""The agent file of a finished run, checked against its hash."""

import hashlib
from pathlib import Path

from hanabi.evolve.ga.result import Run
from hanabi.evolve.ga.run_folder import damaged, read, result
from hanabi.files import OWN, TOML, read_bytes
from hanabi.rules.user_rules import load_rules
from hanabi.shell_command import command


def export(run: str | Path) -> str:
    """Return the text of the agent file of a finished run.

    Raises:
        ValueError: The run is not finished, or its files were changed. One line.
    """
    folder = Path(run)
    read(folder)  # raises for a folder that is no run
    again = command("hanabi", "evolve", "--resume", folder)
    if not (folder / "result.json").exists():
        raise ValueError(f"{folder} has not finished; go on with: {again}")
    try:
        text = read_bytes(folder / "best.toml", TOML)
        stated = result(folder)
        log = None
        if stated.get("log_csv"):  # runs of old versions have none
            log = hashlib.sha256(read_bytes(folder / "log.csv", OWN)).hexdigest()
    except (OSError, ValueError) as error:
        raise ValueError(
            f"the files of {folder} are damaged ({' '.join(str(error).split())}); "
            f"remove its result.json and write them anew with: {again}"
        ) from None
    if hashlib.sha256(text).hexdigest() != stated["best_toml"]:
        raise ValueError(
            f"{folder / 'best.toml'} was changed after the run; its scores hold no longer; "
            f"play it as it is, or remove result.json and write it anew with: {again}"
        )
    if log and stated["log_csv"] != log:
        raise damaged(folder, "log.csv was edited after the run")
    return text.decode()


def export_with_rules(run: str | Path) -> str:
    """Load the user rules of a finished run, and return the text of its agent file; see export."""
    text = export(run)
    for file in Run(Path(run)).config.genome.rule_files:
        load_rules(file)
    return text
