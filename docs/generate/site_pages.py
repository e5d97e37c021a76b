"""All generated pages of the site, and the directives by which a page asks for generated parts."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from bench import cluster_cost, thread_model

from docs.generate import format_pages
from docs.generate import reference_pages as reference
from docs.generate.boards import with_boards
from docs.generate.module_map import module_map
from hanabi.evolve.papers import guide_tables, pages, partner_tables, results_page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
DATA = DOCS / "data"
PAGES: dict[str, Callable[[], str]] = {  # by path below docs/
    "reference/commands.md": reference.commands,
    "reference/config.md": reference.config,
    "reference/rules.md": reference.rule_list,
    "reference/questions.md": reference.questions,
    "reference/agents.md": reference.agents,
    "reference/formats.md": format_pages.formats,
    "reference/api/hanabi.md": lambda: reference.api("hanabi"),
    "reference/api/rules.md": lambda: reference.api("hanabi.rules"),
    "reference/api/evolve.md": lambda: reference.api("hanabi.evolve"),
    **{
        f"results/{name}.md": lambda name=name: results_page.page(name, DATA)
        for name in results_page.PAGES
    },
    "contributing.md": lambda: (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
    "changelog.md": lambda: (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
}
SOURCES = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}  # repository paths
LINK = re.compile(r"(\]\()(?!https?:|mailto:|#)([^)#\s]+)")
# a line, or a block whose text is replaced; on hubs a link to the data stands before the comment
PART = re.compile(
    r"^(?:\[.*\) )?<!-- table: ([\w -]+) -->\n((?:(?!<!-- ).*\n)*?<!-- end -->\n)?", re.M
)
FENCE = re.compile(r"^(```[a-z]+) .*$", re.M)  # words behind the language are for the tests
PICTURE = re.compile(r"^\[Picture: (.*)\]\(.*\) <!-- picture: (\S+) -->$", re.M)


def _rows(name):
    """Return the results in a file of docs/data."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))["results"]


@cache
def _cluster_tables():
    """Return the tables of the measured and the simulated cluster."""
    return cluster_cost.tables(_rows("cluster.json"))


def _output(name):
    """Return the printed output of a command, kept in docs/data, as a block."""
    return f"```text\n{(DATA / name).read_text(encoding='utf-8').rstrip()}\n```\n"


PARTS: dict[str, Callable[[], str]] = {  # by name, for <!-- table: NAME -->
    "module-map": module_map,
    "first run": lambda: _output("first-run.txt"),
    "review": lambda: _output("review.txt"),
    **{name: lambda make=make: make(DATA) for name, make in guide_tables.TABLES.items()},
    **{
        f"partners-{name}": lambda make=make: make(_rows("partners.json"))
        for name, make in partner_tables.TABLES.items()
    },
    **{
        f"cluster-{name}": lambda name=name: _cluster_tables()[name]
        for name in ("measured", "efficiency", "paper-mixed", "climb")
    },
    "threads": lambda: thread_model.table(_rows("threads.json")),
}


def markdown(text: str, path: str) -> str:
    """Return a page's text as the site shows it: with parts, boards and links filled in.

    Args:
        text: The Markdown of the page.
        path: The page's path below docs/.

    Raises:
        ValueError: If the page asks for a part that nothing generates.
    """
    text = PART.sub(lambda found: _part(found, path), text)
    text = FENCE.sub(r"\1", text)
    text = PICTURE.sub(lambda found: _picture(*found.groups(), path), text)
    text = with_boards(text, "../" * path.count("/"))
    return LINK.sub(lambda found: found[1] + site_link(found[2], path), text)


def _part(found, path):
    """Return the generated part of a directive; a block that nothing here generates stays."""
    name, block = found.groups()
    parts = PARTS | pages.tables(path, DATA)
    if name in parts:
        return parts[name]() + "\n"
    if block is None:
        raise ValueError(f"{path} asks for {name!r}; there are {', '.join(parts)}")
    return found[0]


def _picture(words, name, path):
    """Return the picture of a directive, which stands beside the page."""
    if posixpath.join(posixpath.dirname(path), name) not in pages.PICTURES:
        raise ValueError(f"{path} asks for {name!r}; there are {', '.join(pages.PICTURES)}")
    return f"![{words}]({name})"


def site_link(target: str, path: str) -> str:
    """Return a link of a page for the site: files outside docs/ that have a page lead to it."""
    source = SOURCES.get(path, f"docs/{path}")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
    pages = {repository: page for page, repository in SOURCES.items()}
    place = pages.get(file) or (file.removeprefix("docs/") if file.startswith("docs/") else None)
    return posixpath.relpath(place, posixpath.dirname(path) or ".") if place else target
