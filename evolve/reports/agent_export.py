"""The agent file of a finished run, as it was written and never changed since."""

from __future__ import annotations

import hashlib
from pathlib import Path

from hanabi.evolve.ga.run_folder import damaged, read, result
from hanabi.files import OWN, TOML, read_bytes
from hanabi.shell_command import command


def export(run: str | Path) -> str:
    """The text of the agent file that a finished run ends with. ValueError for a run that is not finished."""
    folder = Path(run)
    read(folder)  # says what is wrong with a folder that is no run
    again = command("hanabi", "resume", folder)
    if not (folder / "result.json").exists():
        raise ValueError(f"{folder} has not finished; go on with: {again}")
    try:
        text = read_bytes(folder / "best.toml", TOML)
        stated = result(folder)
        log = (
            stated.get("log_csv")
            and hashlib.sha256(read_bytes(folder / "log.csv", OWN)).hexdigest()
        )
    except (OSError, ValueError) as error:
        raise ValueError(
            f"the files of {folder} are damaged ({' '.join(str(error).split())}); remove its result.json and "
            f"write them anew with: {again}"
        ) from None
    if hashlib.sha256(text).hexdigest() != stated["best_toml"]:
        raise ValueError(
            f"{folder / 'best.toml'} was changed after the run; its scores hold no longer; "
            f"play it as it is, or remove result.json and write it anew with: {again}"
        )
    if stated.get("log_csv") != log:  # old runs do not say
        raise damaged(folder, "log.csv was edited after the run")
    return text.decode()
