"""The pages of the site: the base class of a page, and the list of all pages.

A page is one module in `evolve/site/pages/` with a subclass of `Page`, and its template in
`evolve/site/templates/`. The modules of that folder are imported by `server.py`; routes and
navigation follow from their classes.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import ClassVar

from starlette.routing import Route

from hanabi.evolve.site.site_context import SiteContext

PAGES: list[type[Page]] = []  # filled as the modules of pages/ are imported


class Page:
    """Base class of a page, or of some pages that belong together.

    Attributes:
        title: Its name in the navigation; "" if the navigation does not show it.
        path: Where the navigation leads.
        order: Its place in the navigation, lowest first.
        site: The tables, agents, runs and games that all pages share.
    """

    title: ClassVar[str] = ""
    path: ClassVar[str] = ""
    order: ClassVar[int] = 0

    def __init_subclass__(cls) -> None:
        PAGES.append(cls)

    def __init__(self, site: SiteContext) -> None:
        self.site = site

    def routes(self) -> list[Route]:
        """Return the routes of the page with their handlers."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop the work of the page when the site ends."""


def load_pages() -> list[type[Page]]:
    """Import all modules of `pages/` and return the classes of all pages."""
    from hanabi.evolve.site import pages

    for module in iter_modules(pages.__path__):
        import_module(f"{pages.__name__}.{module.name}")
    return PAGES


def navigation() -> dict[str, str]:
    """Return the path of each page that the navigation shows, by title."""
    pages = sorted(PAGES, key=lambda page: page.order)
    return {page.title: page.path for page in pages if page.title}
