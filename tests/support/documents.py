"""The documents: files of the repository, some of them generated."""

import re
from functools import cache

from paths import ROOT

from docs.generate import site_pages

GENERATED = {f"docs/{path}" for path in site_pages.PAGES}
FILES = [
    "AGENTS.md",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "runs/README.md",
    *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")),
]
WRITTEN = [name for name in FILES if name not in GENERATED]
PART = re.compile(r"^(.*<!-- (?:table|board|picture): [^>]*-->)\n\n(?:.*\n)*?<!-- end -->$", re.M)


@cache
def read(name):
    """The text of a document."""
    return (ROOT / name).read_text(encoding="utf-8")


def by_hand(name):
    """The text of a document without its generated parts."""
    return PART.sub(r"\1", read(name))


@cache
def anchors(name):
    """The #names that a page's headings have, as code hosts and the site make them."""
    text = re.sub(r"^```.*?^```$", "", read(name), flags=re.M | re.S)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", text, re.M)
    }
