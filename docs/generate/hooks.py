"""Hooks of ProperDocs: boards are live, and files of the repository join the site.

All generated pages are on disk before the build (``python -m docs.generate``).
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from properdocs.structure.files import File, Files

os.environ.setdefault("HANABI_PLAIN", "1")  # the games of boards are few
ROOT = Path(__file__).parents[2]
# How much a page counts in the search, by its folder: pages that tell what to do come before those
# that tell how it is made.
SEARCH_BOOST = {"start": 4, "guides": 2, "results": 2, "papers": 0.5, "appendix": 0.5}
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]  # tests/bench makes tables of costs

from docs.generate.boards import board_page, boards  # noqa: E402
from docs.generate.play_page import DIRECTIVE, FRAME, MISSING  # noqa: E402
from docs.generate.site_pages import SOURCES, site_text  # noqa: E402
from hanabi.files import write_whole  # noqa: E402


def on_files(files: Files, config: Any) -> Files:
    """Add files of the repository, and a page for each board that a page asks for."""
    for path, source in SOURCES.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, path, content=text))
    asked = {
        board.name: board
        for file in files.documentation_pages()
        for board in boards(file.content_string)
    }
    for name, board in asked.items():
        files.append(File.generated(config, name, content=board_page(board)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Make boards live, links lead to pages of the site, and the search know the page's weight."""
    boost = SEARCH_BOOST.get(page.file.src_uri.partition("/")[0], 1)
    page.meta.setdefault("search", {})["boost"] = boost
    return site_text(markdown, page.file.src_uri).replace(DIRECTIVE, FRAME)


def on_post_page(output: str, **_: Any) -> str:
    """Name the search dialog for screen readers, which the theme leaves without a name."""
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">', 1)


def on_post_build(config: Any) -> None:
    """Write the index of the search as a script, too, and a page that says that Play is missing.

    A page that is opened from disk can load no data. ``make docs`` replaces the other one.
    """
    play = Path(config.site_dir) / "play"
    play.mkdir(exist_ok=True)
    write_whole(play / "index.html", MISSING)  # play_page.py replaces it
    folder = Path(config.site_dir) / "search"
    index = (folder / "search_index.json").read_text(encoding="utf-8")
    write_whole(folder / "search_index.js", f"var __index = {index}")
