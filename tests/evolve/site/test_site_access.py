"""Every page for everybody: nothing serious that axe finds, in light and dark; nothing scrolls sideways, from 400 to 1,600 px; all is
reached by Tab alone, with a focus that is seen; and what is printed is all there."""

import shutil

import pytest
from paths import ROOT
from served import ready, serving, step
from tables import play_on

from evolve.publish import played
from evolve.publish.report import report
from evolve.publish.side_by_side import side_by_side
from evolve.site.table import LEVELS, PERSON
from hanabi.record import load

pytest.importorskip("selenium")
WIDTHS = (400, 900, 1600)
PAGES = (
    "report",
    "side by side",
    "runs",
    "run",
    "agents",
    "tournament",
    "games",
    "play",
    "table",
    "game",
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A site over two runs and two tables; ``pages``: the address of each page by its name."""
    folder = tmp_path_factory.mktemp("runs")
    for name in ("mirror-cig2018-old", "mirror-cig2018"):
        shutil.copytree(ROOT / "runs" / "reference" / name, folder / name)
    with (
        pytest.MonkeyPatch.context() as patch,
        serving(tmp_path_factory.mktemp("games"), folder) as served,
    ):
        patch.setattr(played, "GAMES", 2)
        made = {
            "report": report(folder / "mirror-cig2018-old", jobs=1),
            "side by side": side_by_side(sorted(folder.iterdir()), folder / "both.html"),
        }

        def asks(table):
            play_on(table, 4)
            table.help[0] = len(LEVELS) - 1

        served.table, _ = served.lay(
            PERSON, "piers", variant="mini,players=2", name="table", plays=asks
        )
        served.lay(PERSON, "piers", variant="mini,players=2", name="over", plays=play_on)
        served.pages = (
            {name: path.as_uri() for name, path in made.items()}
            | {"table": served.table[0]}
            | {
                name: f"{served.address}/{path}"
                for name, path in (
                    ("runs", "runs"),
                    ("run", "runs/mirror-cig2018-old"),
                    ("agents", "agents"),
                    ("tournament", "tournament"),
                    ("games", "games"),
                    ("play", "play"),
                    ("game", "games/over"),
                )
            }
        )
        yield served


def opened(browser, place, name, width=1400):
    """A page, once its script has filled it."""
    browser.open(place.pages[name], width)
    filled = {
        "runs": "#table td",
        "run": "#curve svg",
        "table": "#moves .n",
        "game": ".hand",
        "report": ".hand",
    }.get(name)
    if filled:
        browser.wait(lambda b: b.all(filled))
    return browser


@pytest.mark.parametrize("name", PAGES)
def test_a_page_for_everybody(browser, place, name):
    window = opened(browser, place, name)
    window.ask("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert window.serious() == []
    window.theme("dark")
    assert window.serious() == []
    for width in WIDTHS:
        window.size(width)
        assert not window.wider_than_the_screen(), width
    window.theme("light")
    window.ask(
        "document.querySelectorAll('details.panel ~ details.panel').forEach((one) => { one.open = false; })"
    )
    wanted, reached = window.tabbed()
    assert wanted and not set(wanted) - set(reached), set(wanted) - set(reached)
    assert not window.errors()


def test_a_move_by_tab_enter_and_space_alone(browser, place):
    """For those who have only these keys: the letters are switched off."""
    links, file = place.lay(PERSON, "piers", variant="mini,players=2", name="tab")
    browser.open(links[0])
    assert ready(browser)
    browser.ask("document.querySelector('#usekeys').click()")
    browser.keys("a")
    assert not browser.all("[data-pick]")

    def tab_to(selector):
        for _ in range(60):
            if browser.ask("document.activeElement.matches(arguments[0])", selector):
                return
            browser.keys("TAB")
        raise AssertionError(f"Tab does not reach {selector}")

    tab_to("[data-mode=tell]")
    browser.keys("SPACE")
    tab_to("[data-told]")
    browser.keys("ENTER")
    tab_to("#do")
    step(browser, lambda: browser.keys("ENTER"))
    assert load(file).moves and ready(browser)


def test_what_is_printed(browser, place):
    """On paper everything is open, light and without controls; nothing is cut off, and no panel leaves a page empty, for it may break."""
    opened(browser, place, "report", 740)
    browser.theme("dark")
    browser.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    try:
        assert (
            browser.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        )
        assert not browser.find(".bar").is_displayed() and not browser.find(".tools").is_displayed()
        assert not browser.ask(
            "[...document.querySelectorAll('details.panel')].some((one) => one.getBoundingClientRect().height < 60)"
        )
        assert not browser.wider_than_the_screen()
        assert not browser.ask(
            "[...document.querySelectorAll('.panel')].some((one) => getComputedStyle(one).breakInside === 'avoid' "
            "&& one.getBoundingClientRect().height > 900)"
        )
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
