"""The page of the site on which one plays: ``python -m docs.generate.play_page`` after a build."""

from __future__ import annotations

import sys
from pathlib import Path

from docs.generate.site_pages import ROOT
from hanabi.evolve.site.page_export import find_pyodide, write_page

AGENTS = ("pairs", "hgroup-5", "piers")
DIRECTIVE = "<!-- page: play -->"
FRAME = (
    '<figure class="board play" markdown="0"><iframe src="play/index.html" '
    'title="Play Hanabi"></iframe><figcaption>'
    '<a href="play/index.html">Open it on a separate page.</a></figcaption></figure>\n'
)
MISSING = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Play Hanabi</title>'
    "<p>This build of the site lacks Pyodide, Python for browsers: <code>make docs</code> with a "
    "network fetches it. Until then <code>hanabi play</code> plays.</p></html>"
)


def main(site: Path) -> None:
    """Write the page into the built site, if Pyodide's files are at hand or can be fetched."""
    try:
        write_page(AGENTS, site / "play", str(find_pyodide(cache=ROOT / "build")))
    except ValueError as error:
        print(f"Play now stays without a game: {error}", file=sys.stderr)


if __name__ == "__main__":
    main(ROOT / "site")
