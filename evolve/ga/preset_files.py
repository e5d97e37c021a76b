"""Find the presets: the TOML files in ``evolve/ga/presets``, described by their first lines."""

from pathlib import Path

FOLDER = Path(__file__).with_name("presets")
PRESETS = {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}


def description(name: str) -> str:
    """Return what a preset does: the first line of its file, a comment, without the ``#``."""
    with PRESETS[name].open(encoding="utf-8") as file:
        return file.readline().removeprefix("#").strip()
