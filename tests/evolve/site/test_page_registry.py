"""A page is found by its class: its routes and its entry in the navigation."""

import pytest
from starlette.responses import Response
from starlette.routing import Route
from tables import site

from hanabi.evolve.site.page_registry import PAGES, Page, load_pages, navigation, render_page


@pytest.fixture
def rules_page():
    """A page like those in evolve/site/pages."""
    load_pages()

    class RulesPage(Page):
        title, path, order = "Rules", "/rules", 3

        def routes(self):
            return [Route("/rules", self.page)]

        async def page(self, request) -> Response:
            return render_page("wrong.html.j2", "Rules", (), sentence="All rules.")

        def close(self):
            self.site.closed = True

    yield RulesPage
    PAGES.remove(RulesPage)


def test_a_page_is_served_shown_in_the_navigation_and_closed(rules_page, tmp_path):
    with site(tmp_path) as (client, found):
        page = client.get("/rules").text
        assert "All rules." in page and '<a href="/rules" aria-current="page">Rules</a>' in page
        assert '<a href="/rules">Rules</a>' in client.get("/play").text
        other = client.get("/rules/none", headers={"accept": "text/html"})
        assert other.status_code == 404
    assert found.closed


def test_the_navigation_is_in_order():
    load_pages()
    assert list(navigation()) == [
        "Play",
        "Build",
        "Evolve",
        "Agents",
        "Tournament",
        "Games",
        "School",
    ]
    paths = [page.path for page in PAGES if page.path]  # some have routes below another page's
    assert len(set(paths)) == len(paths)
