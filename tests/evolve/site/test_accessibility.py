"""Every page for everybody: nothing serious that axe finds, in light and dark; nothing scrolls
sideways, from 400 to 1,600 px; all is reached by Tab alone, with a focus that is seen; and what is
printed is all there.
"""

import shutil

import pytest
from browser import COLOURS
from paths import ROOT
from served import ready, serving, step
from tables import play_on

from hanabi.evolve.measure.tournament import records, tournament
from hanabi.evolve.reports import report_games
from hanabi.evolve.reports.run_comparison import side_by_side
from hanabi.evolve.reports.run_report import report
from hanabi.evolve.site.play_table import LEVELS, PERSON
from hanabi.evolve.site.tournament_results import Results
from hanabi.game_reader import load

pytest.importorskip("selenium")
WIDTHS = (400, 900, 1600)
PAGES = (
    "report",
    "side by side",
    "runs",
    "run",
    "agents",
    "agent",
    "front",
    "tournament",
    "result",
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
        patch.setattr(report_games, "GAMES", 2)
        made = {
            "report": report(folder / "mirror-cig2018-old", jobs=1),
            "side by side": side_by_side(sorted(folder.iterdir()), folder / "both.html"),
        }

        def asks(table):
            play_on(table, 4)
            table.help[0] = len(LEVELS) - 1

        rows = tournament(["piers", "iggi", "convention"], "cross", games_each=4, jobs=1).rows
        result = Results(served.games / "tournaments").keep(
            "",
            dict(
                mode="cross",
                agents=["piers", "iggi", "convention"],
                games=4,
                seed=0,
                command="hanabi tournament",
                rows=records(rows),
            ),
        )
        served.table, _ = served.create_table(
            PERSON, "piers", variant="mini,players=2", name="table", plays=asks
        )
        served.create_table(PERSON, "piers", variant="mini,players=2", name="over", plays=play_on)
        served.pages = (
            {name: path.as_uri() for name, path in made.items()}
            | {"table": served.table[0]}
            | {
                name: f"{served.address}/{path}"
                for name, path in (
                    ("runs", "runs"),
                    ("run", "runs/mirror-cig2018-old"),
                    ("agents", "agents"),
                    ("agent", "agents/piers"),
                    ("front", ""),
                    ("tournament", "tournament"),
                    ("result", f"tournament/{result}"),
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
        "runs": "#curve svg",
        "run": "#curve svg",
        "agents": "#onelist li",
        "agent": "#median .card",
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
    assert window.faces() == ["Outfit loaded"], "headings have one face, from no other host"
    window.theme("dark")
    assert window.serious(COLOURS) == [], "a theme changes nothing but colours"
    for width in WIDTHS:
        window.size(width)
        assert not window.wider_than_the_screen(), width
    left, right = window.ask(
        "(boxes => [Math.min(...boxes.map((one) => one.left)), "
        "innerWidth - Math.max(...boxes.map((one) => one.right))])"
        "([...document.querySelectorAll('main .panel')].filter((one) => one.offsetWidth)"
        ".map((one) => one.getBoundingClientRect()))"
    )
    assert left == pytest.approx(right, abs=20), "no column of the screen stays empty"
    window.theme("light")
    window.ask(
        "document.querySelectorAll('details.panel ~ details.panel').forEach((one) => "
        "{ one.open = false; })"
    )
    wanted, reached = window.tabbed()
    assert wanted and not set(wanted) - set(reached), set(wanted) - set(reached)
    assert not window.errors()


def test_a_move_by_tab_enter_and_space_alone(browser, place):
    """For those who have only these keys: the letters are switched off."""
    links, file = place.create_table(PERSON, "piers", variant="mini,players=2", name="tab")
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
    """On paper everything is open, light and without controls; nothing is cut off, and no panel
    leaves a page empty, for it may break.
    """
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
            "[...document.querySelectorAll('details.panel')].some((one) => "
            "one.getBoundingClientRect().height < 60)"
        )
        assert not browser.wider_than_the_screen()
        assert not browser.ask(
            "[...document.querySelectorAll('.panel')].some((one) => "
            "getComputedStyle(one).breakInside === 'avoid' "
            "&& one.getBoundingClientRect().height > 900)"
        )
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_a_report_reads_well_at_any_width(browser, place):
    """Sentences are on the left, no word of a table breaks, and no chart is cut off, though
    letters are wider than when it was drawn.
    """
    for width in (1280, 390):
        opened(browser, place, "report", width)
        browser.ask("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        wrong = browser.ask("""[...document.querySelectorAll(".scroll td")].filter((cell) => / [a-z]/.test(cell.textContent) &&
          getComputedStyle(cell).textAlign !== "left").map((cell) => cell.textContent)""")
        assert wrong == []
        broken = browser.ask("""[...document.querySelectorAll(".scroll td.t")].filter((cell) => {
          const text = cell.firstChild, range = document.createRange();
          if (text?.nodeType !== 3) return false;
          return [...text.textContent.matchAll(/[A-Za-z]{3,30}/g)].some(({ 0: word, index }) => {
            range.setStart(text, index); range.setEnd(text, index + word.length); return range.getClientRects().length > 1; });
        }).map((cell) => cell.textContent)""")
        assert broken == []
        assert browser.ask("document.querySelectorAll('.scroll td.t').length") > 10
        browser.ask(
            "document.querySelectorAll('.chart text').forEach((one) => "
            "{ one.style.letterSpacing = '0.5px'; })"
        )
        cut = browser.ask("""[...document.querySelectorAll(".charts .chart svg text")].filter((text) => {
          const here = text.getBoundingClientRect(), panel = text.closest(".panel").getBoundingClientRect();
          const svg = text.ownerSVGElement, frame = getComputedStyle(svg).overflow === "visible" ? panel : svg.getBoundingClientRect();
          return here.width && (here.right > frame.right || here.left < frame.left); }).map((text) => text.textContent)""")
        assert cut == [], width
        assert not browser.wider_than_the_screen()
