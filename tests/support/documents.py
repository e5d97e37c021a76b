"""The documents: files of the repository, and pages that the site generates."""

import re
from functools import cache

from paths import ROOT

from docs.generate import site_pages
from hanabi.evolve.papers import pages

GENERATED = {f"docs/{path}": make for path, make in site_pages.PAGES.items()}
FILES = [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "runs/README.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")),
]
COPIES = {f"docs/{path}" for path in site_pages.SOURCES}  # of files of the repository


@cache
def read(name):
    """The text of a document."""
    if name in GENERATED:
        return GENERATED[name]()
    return (ROOT / name).read_text(encoding="utf-8")


def exists(name):
    """Whether there is a file, or a page or picture that the site generates."""
    return (
        name in GENERATED or name.removeprefix("docs/") in pages.PICTURES or (ROOT / name).exists()
    )


@cache
def anchors(name):
    """The #names that a page's headings have, as hubs and the site make them."""
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", read(name), re.M)
    }
