"""The map of a run of MAP-Elites: its page on the site and as a file."""

import json
import urllib.error
import urllib.request

import pandas as pd
import pytest
from browser import view_in_turn
from served import by_clicks, ready, serving, step
from tiny import tiny

from hanabi.evolve.ga.run import evolve
from hanabi.evolve.reports.map_page import map_page, read_map
from hanabi.game_reader import load

MAP = dict(
    rules=["cig2018"],
    rule_files=[],
    behaviours=["communicativeness", "information_per_play"],
    cells=6,
    random_individuals=80,
    elite_games=20,
    elitism=0,
    tournament_size=1,
    crossover_probability=0.5,
    mutation_probability=0.05,
    population=80,
    generations=1,
    order_length=15,
    players=[2],
    games=8,
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    place = tmp_path_factory.mktemp("site")
    (place / "games").mkdir()
    run = evolve(tiny(**MAP), place / "runs", name="ways", jobs=1, dated=False)
    with serving(place / "games", place / "runs") as served:
        yield served, run


def test_the_data_of_the_page_are_those_of_the_files(site):
    _, run = site
    data, rows = read_map(run.folder), pd.read_csv(run / "archive.csv", dtype={"cell": str})
    assert [cell["name"] for cell in data["cells"]] == list(rows["cell"])
    for cell, row in zip(data["cells"], rows.to_dict("records")):
        assert cell["numbers"]["points"] == row["corrected_objective"]
        assert cell["numbers"]["found"] == row["objective"]
        assert cell["at"] == [row["measures_0"], row["measures_1"]]
        assert cell["numbers"]["information_per_play"] == row["corrected_measures_1"]
        assert len(cell["list"]) == 15


@pytest.mark.parametrize("width, theme", view_in_turn(15))
def test_a_cell_opens_its_list_by_pointer_and_by_keys(site, browser, width, theme):
    served, run = site
    data = read_map(run.folder)
    best = max(data["cells"], key=lambda cell: cell["numbers"]["points"])
    browser.theme(theme)
    browser.open(f"{served.address}/runs/ways/map", width)
    buttons = browser.all("#map button")
    assert len(buttons) == len(data["cells"])
    # the best one is chosen, and the pointer shows the beginning of any other list
    assert browser.text("#cellname").startswith(f"★ The best: {best['numbers']['points']:.2f} p")
    assert [one.text for one in browser.all("#cell li")] == best["list"]
    from selenium.webdriver import ActionChains

    for one, cell in zip(buttons, data["cells"]):
        ActionChains(browser.driver).move_to_element(one).perform()
        box = browser.find("#peek")
        shown = browser.ask("[...document.querySelectorAll('#peek li')].map((o) => o.textContent)")
        assert box.is_displayed() and shown == cell["list"][:5]
        assert "and 10 more" in box.text and not browser.wider_than_the_screen()
    browser.keys("ESCAPE")
    assert not browser.find("#peek").is_displayed()
    browser.find(f"#map button[data-cell='{best['name']}']").click()
    assert [one.text for one in browser.all("#cell li")] == best["list"]
    assert [one.text for one in browser.all("#cell .button")] == [
        "Its page and games",
        "Play with it",
        "Open in the workbench",
    ]
    # the button lies where its behaviours are
    left, bottom = (
        browser.ask(f"parseFloat(arguments[0].style.{side})", buttons[0])
        for side in ("left", "bottom")
    )
    x, y = data["cells"][0]["at"]
    assert left == pytest.approx(100 * int(6 * x) / 6) and bottom == pytest.approx(
        100 * int(6 * y) / 6
    )
    before = browser.ask("document.activeElement.dataset.cell")
    browser.keys("ARROW_LEFT", "ARROW_RIGHT", "ARROW_DOWN", "ENTER")
    now = browser.ask("document.activeElement.dataset.cell")
    assert now != before
    chosen = next(cell for cell in data["cells"] if cell["name"] == now)
    assert [one.text for one in browser.all("#cell li")] == chosen["list"]
    assert browser.ask("document.querySelectorAll('#map [tabindex=\"0\"]').length") == 1
    assert not browser.wider_than_the_screen() and browser.serious() == []
    assert browser.errors() == []


def test_another_metric_colours_the_cells(site, browser):
    served, run = site
    browser.open(f"{served.address}/runs/ways/map")

    def colours():
        return [
            float(browser.ask("arguments[0].style.getPropertyValue('--value')", one))
            for one in browser.all("#map button")
        ]

    points = [cell["numbers"]["points"] for cell in read_map(run.folder)["cells"]]
    assert colours().index(1) == points.index(max(points))
    browser.ask(
        "(m => { m.value = 'communicativeness'; m.dispatchEvent(new Event('change')) })"
        "(document.getElementById('metric'))"
    )
    values = [cell["numbers"]["communicativeness"] for cell in read_map(run.folder)["cells"]]
    assert colours().index(1) == values.index(max(values))


def test_a_cell_leads_to_its_agent_to_a_table_and_to_the_workbench(site, browser):
    served, run = site
    cell = read_map(run.folder)["cells"][0]
    browser.open(f"{served.address}/runs/ways/elites/{cell['name']}")
    assert browser.text("h1") == f"ways {cell['name']}"
    assert cell["list"][0] in browser.text("main")
    browser.open(f"{served.address}/runs/ways/map")
    browser.find(f"#map button[data-cell='{cell['name']}']").click()
    next(one for one in browser.all("#cell .button") if one.text == "Play with it").click()
    browser.wait(lambda b: "/play?with=ways%20" in b.driver.current_url)
    browser.wait(lambda b: f"ways {cell['name']}" in b.driver.page_source)
    browser.find("#lay button.do").click()
    browser.wait(lambda b: b.all("hanabi-board"))
    assert ready(browser) and f"ways {cell['name']}" in browser.driver.page_source
    step(browser, lambda: by_clicks(browser))
    browser.wait(lambda b: len(b.all("#moves .n")) >= 2 or "over" in b.text("#line"))
    [file] = served.games.glob("*.toml")
    game = load(file)
    assert len(game.moves) >= 2 and any(cell["name"] in name for name in game.agents)
    assert browser.errors() == []


@pytest.mark.parametrize(
    "path", ["/runs/ways/elites/99-99", "/runs/ways/elites/..%2Fbest", "/runs/none/map"]
)
def test_what_is_no_elite_is_not_found(site, path):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.build_opener(urllib.request.HTTPCookieProcessor()).open(
            f"{site[0].address}{path}?token={site[0].tables.token}"
        )
    assert refused.value.code == 404
    assert json.loads(refused.value.read())["error"]


def test_the_page_as_a_file_says_how_to_play(site, browser, tmp_path):
    _, run = site
    (tmp_path / "map.html").write_text(map_page(run.folder), encoding="utf-8")
    browser.open(tmp_path / "map.html", 390)
    assert browser.text("#cell code").startswith("hanabi play ") and not browser.all("#cell a")
    assert not browser.wider_than_the_screen()


def test_a_line_runs_around_the_cells_that_reach_the_best_list_of_2018(
    site, browser, tmp_path, monkeypatch
):
    _, run = site
    cells = read_map(run.folder)["cells"]
    points = sorted(cell["numbers"]["points"] for cell in cells)
    known = {"mirror-situational-2018": {"2": [points[-2], 0.01, points[-1], 0.01]}}
    known |= {"piers": known["mirror-situational-2018"], "convention": {"2": [24.0, 0, 24.0, 0]}}
    monkeypatch.setattr("hanabi.evolve.reports.reference_points.read_scores", lambda: known)
    assert ["best of 2018", points[-2]] in read_map(run.folder)["references"]
    (tmp_path / "map.html").write_text(map_page(run.folder), encoding="utf-8")
    browser.open(tmp_path / "map.html", 1280)
    inside = {
        tuple(min(int(6 * value), 5) for value in cell["at"])
        for cell in cells
        if cell["numbers"]["points"] >= points[-2]
    }
    sides = sum(
        (x + dx, y + dy) not in inside
        for x, y in inside
        for dx, dy in [(1, 0), (-1, 0), (0, 1), (0, -1)]
    )
    assert len(inside) == 2 and sides in (6, 8)
    drawn = browser.find("#contour .over").get_attribute("d")
    assert drawn.count("M") == sides
    x, y = max(inside)  # nothing is to the right of it
    assert f"M{x + 1} {5 - y}V{6 - y}" in drawn
    assert f"2 cells that reach the best of 2018 ({points[-2]:.2f} points)" in browser.text(
        "#legend"
    )
    marks = browser.all("#scale .bar i")
    share = (points[-2] - points[0]) / (points[-1] - points[0])
    assert len(marks) == 1
    assert browser.ask("parseFloat(arguments[0].style.left)", marks[0]) == pytest.approx(
        100 * share
    )
    # round numbers, each at its place
    ticks = browser.all("#scale .ticks span")
    assert 2 <= len(ticks) <= 7
    for tick in ticks:
        at = 100 * (float(tick.text) - points[0]) / (points[-1] - points[0])
        assert browser.ask("parseFloat(arguments[0].style.left)", tick) == pytest.approx(
            at, abs=0.1
        )
        assert 0 <= at <= 100
    # no line around values that are no points
    browser.ask(
        "(m => { m.value = 'communicativeness'; m.dispatchEvent(new Event('change')) })"
        "(document.getElementById('metric'))"
    )
    assert not browser.find("#contour .over").get_attribute("d") and not browser.all(
        "#scale .bar i"
    )
    assert browser.errors() == []
