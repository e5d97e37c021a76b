"""The agent file of a finished run, as it was written and never changed since."""
from __future__ import annotations

import hashlib
from pathlib import Path

from hanabi.files import TOML, read_bytes, read_json


def export(run: str | Path) -> str:
    """The text of the agent file that a finished run ends with. ValueError for a run that is not finished."""
    folder = Path(run)
    if not (folder / "result.json").exists():
        if not (folder / "run.json").exists():
            raise ValueError(f"{folder} is not a run folder; `hanabi runs` lists them")
        raise ValueError(f"{folder} has not finished; go on with: hanabi resume {folder}")
    try:
        text = read_bytes(folder / "best.toml", TOML)
        stated = read_json(folder / "result.json")["best_toml"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError(f"the files of {folder} are damaged ({' '.join(str(error).split())}); remove its result.json and "
                         f"write them anew with: hanabi resume {folder}") from None
    if hashlib.sha256(text).hexdigest() != stated:
        raise ValueError(f"{folder / 'best.toml'} was changed after the run; its scores hold no longer; "
                         f"play it as it is, or remove result.json and write it anew with: hanabi resume {folder}")
    return text.decode()
