"""The page of a run: its numbers are those of the run's files, inserted text is escaped, and it
is reproducible.
"""

import json
import re
import shutil
from dataclasses import replace
from html import unescape

import pandas as pd
import pytest
from paths import ROOT
from typed import typed

from hanabi.evolve.charts import chart
from hanabi.evolve.charts.chart import places, plus_minus
from hanabi.evolve.charts.run_charts import fitness_charts
from hanabi.evolve.ga.result import Run
from hanabi.evolve.measure.tournament import COLUMNS, Tournament
from hanabi.evolve.papers.literature import CLASSES, literature
from hanabi.evolve.reports import report_games
from hanabi.evolve.reports.run_comparison import side_by_side
from hanabi.evolve.reports.run_report import report

REFERENCE = ROOT / "runs" / "reference"
EVIL = "<b>bold</b></script><script>window.bad=1</script>" + "x" * 31


@pytest.fixture(autouse=True)
def few_games(monkeypatch):
    monkeypatch.setattr(report_games, "GAMES", 6)
    monkeypatch.setattr(report_games, "FASTER", 1)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "mirror-cig2018-old"
    shutil.copytree(REFERENCE / "mirror-cig2018-old", folder)
    return folder


@pytest.fixture(scope="module")
def page(run, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report_games, "GAMES", 6)
        patch.setattr(report_games, "FASTER", 1)
        return report(run, tmp_path_factory.getbasetemp() / "figures").read_text()


def games_in(page):
    return json.loads(
        re.search(r'<script type="application/json" id="games">(.*)</script>', page)[1]
    )


def words(page):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_numbers_are_those_of_the_files(run, page):
    rows = json.loads((run / "result.json").read_text())["results"]
    total, shown = rows[-1], words(page)
    assert (
        f"{plus_minus(total['mean_kept'], total['sem_kept'])} points over {total['games']:,} "
        "deals that the search never saw" in shown
    )
    assert (
        f"{plus_minus(total['mean_zero'], total['sem_zero'])} where a game that loses its last "
        "life counts 0" in shown
    )
    for row in rows:
        assert (
            f"{row['players']} {row['games']:,} {row['mean_kept']:.3f} {row['sem_kept']:.3f}"
            in shown
        )
    log = pd.read_csv(run / "log.csv")
    for row in log.itertuples():
        assert (
            f"{row.generation} {plus_minus(row.best, row.best_sem)} "
            f"{plus_minus(row.mean, row.mean_sem)}" in shown
        )
    first = pd.read_csv(run / "race.csv").iloc[0]
    assert f"race {plus_minus(first['mean'], first['sem'])}" in shown
    agent = Run(run).agent
    for rule in agent.rules(3):
        assert rule.name in unescape(page) and rule.says in shown
    [shares] = json.loads((run / "result.json").read_text())["shares"].values()
    assert re.findall(r"<b>([\d.]+)\u00a0%</b> of the moves", page) == [
        f"{part:.1%}"[:-1] for part in shares
    ]
    assert (run / "config.toml").read_text().splitlines()[1] in unescape(page)
    assert "this run is older than first_rules.csv" in shown, (
        "which says how all began, and this run has none"
    )


def test_the_games_are_the_agents_own(run, page):
    games = games_in(page)
    assert [game["id"] for game in games] == [
        "worst-3",
        "median-3",
        "best-3",
        "median-2",
        "median-4",
        "median-5",
    ]
    scores = [game["score"] for game in games]
    assert scores[0] <= scores[1] <= scores[2] and all(
        game["players"] == int(game["id"][-1]) for game in games
    )
    assert [rule["name"] for rule in games[0]["lists"][0]["rules"]] == [
        rule.name for rule in Run(run).agent.rules(3)
    ]
    assert all(
        "share" in rule and "worth" in rule for game in games for rule in game["lists"][0]["rules"]
    )
    assert len(page.encode()) < 3_000_000 and "24 games (6 per player count)" in words(page)


def test_it_needs_nothing_from_outside_and_is_the_same_when_made_again(run, page):
    assert (
        not re.search(r'(src|href)="(?!data:)', page)
        and "default-src 'none'" in unescape(page)
        and "@import" not in page
    )
    assert report(run).read_text() == page


def test_figures_are_files(page, tmp_path_factory):
    files = sorted(path.name for path in (tmp_path_factory.getbasetemp() / "figures").iterdir())
    assert files == sorted(
        f"{name}.{ending}"
        for name in ("fitness", "players", "points", "losses")
        for ending in ("png", "svg")
    )
    for path in (tmp_path_factory.getbasetemp() / "figures").glob("*.svg"):
        assert "var(--" not in path.read_text(), "a file knows no colours of a page"


def test_a_registered_chart_is_on_the_page(run, tmp_path, monkeypatch):
    """A module in the folder of charts that registers one is all that a new chart needs."""
    monkeypatch.setattr(chart, "_makers", dict(chart._makers))

    @chart.run_chart(9)
    def turns(data):
        (fitness,) = [chart for chart in fitness_charts(data)]
        return [replace(fitness, name="turns", title="Turns per game")]

    shutil.copytree(run, tmp_path / "run")
    text = report(tmp_path / "run", tmp_path / "figures").read_text()
    assert text.count("Turns per game") >= 1 and (tmp_path / "figures" / "turns.svg").exists()
    assert {1, 2, 3, 4, 5, 6, 9} == set(chart._makers), "those of the folder"


def test_names_with_markup_are_text(run, monkeypatch, tmp_path):
    shutil.copytree(run, tmp_path / "run")
    agent = Run(run).agent
    monkeypatch.setattr(Run, "agent", replace(agent, name=EVIL[:80]))
    text = report(tmp_path / "run").read_text()
    assert (
        EVIL[:40] not in text and "&lt;b&gt;bold&lt;/b&gt;" in text and text.count("</script>") == 2
    )
    assert games_in(text)[0]["agents"] == [EVIL[:80]] * 3


def test_a_mixed_run_sits_in_one_seat_among_its_pool(tmp_path):
    shutil.copytree(REFERENCE / "mixed-cig2018", tmp_path / "run")
    text = report(tmp_path / "run").read_text()
    assert "in one seat among copies of the agents of its pool" in words(text)
    assert all(
        len(set(game["agents"])) == 2 and "mixed-cig2018" in game["agents"]
        for game in games_in(text)
    )


def test_runs_side_by_side(run, tmp_path, monkeypatch):
    other = REFERENCE / "mirror-living-per-count"
    text = side_by_side([run, other], tmp_path / "both.html").read_text()
    rows = [json.loads((folder / "result.json").read_text())["results"] for folder in (run, other)]
    shown = words(text)
    assert shown.count("mirror-living-per-count") > 3
    for some in rows:
        for row in some:
            assert plus_minus(row["mean_kept"], row["sem_kept"]) in shown
    best = plus_minus(rows[1][-1]["mean_kept"], rows[1][-1]["sem_kept"])
    assert (
        f"<b>{best}</b>" in text
        and f"<b>{plus_minus(rows[0][-1]['mean_kept'], rows[0][-1]['sem_kept'])}</b>" not in text
    )
    assert "local_search_games 800000 100000" in shown and "seed" not in re.findall(
        r'class="t">(\w+)</td>', text
    ), "only what differs"
    code, out, err = typed("report", run, run, "-o", tmp_path / "same.html")
    assert (
        code == 0
        and out.strip() == str(tmp_path / "same.html")
        and "Not told apart" in (tmp_path / "same.html").read_text()
    )


def test_runs_and_tournaments_show_charts_in_a_notebook(run):
    rows = json.loads((run / "result.json").read_text())["results"]
    shown = Run(run)._repr_html_()
    assert (
        shown.count("<svg") == 2 and plus_minus(rows[0]["mean_kept"], rows[0]["sem_kept"]) in shown
    )
    some = [
        dict(
            zip(COLUMNS, [agent, partner, 2, 100, 17.5 + (agent == partner), 0.1, 17.0, 0.1, 3, 0])
        )
        for agent in ("piers", "<b>")
        for partner in ("piers", "<b>")
    ]
    mirror = Tournament("mirror", pd.DataFrame([some[0], some[3]]))._repr_html_()
    assert mirror.count("<svg") == 1 and "18.50 ± 0.10" in mirror
    cross = Tournament("cross", pd.DataFrame(some))._repr_html_()
    assert cross.count("<svg") == 1 and "18.50" in cross
    for text in (shown, mirror, cross):
        assert not re.search(
            r"<script|<link|@import|url\(|src=|<b>&|https?://(?!www.w3.org)", text
        ), "nothing from outside, no markup"
        assert "<b></b>" not in text and "><b><" not in text.replace("<p><b>", "")


def test_what_cannot_be_is_one_line(run, tmp_path):
    with pytest.raises(ValueError, match="is not a run folder"):
        report(tmp_path)
    with pytest.raises(ValueError, match="^9 runs side by side: name 2 to 8$"):
        side_by_side([run] * 9, tmp_path / "it.html")
    shutil.copytree(run, tmp_path / "run", ignore=shutil.ignore_patterns("report.html"))
    (tmp_path / "run" / "report.html").mkdir()
    with pytest.raises(ValueError, match="^cannot write .*report.html: it is a folder$"):
        report(tmp_path / "run")
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="^cannot write .*file: "):
        report(run, tmp_path / "file")
    code, _, err = typed("report", run, "-o", "it.html")
    assert code == 2 and "leave -o out" in err


@pytest.mark.parametrize(
    "value, sem, text",
    [
        (23.5761, 0.01496, "23.576 ± 0.015"),
        (0.0131, 0.0039, "0.013 ± 0.004"),
        (19.42, 0.03, "19.42 ± 0.03"),
        (2.118, 0.0931, "2.12 ± 0.09"),
        (14.2, 3.0, "14 ± 3"),
        (5.0, 0.0, "5.00"),
        (float("nan"), 1.0, ""),
        (1.0, float("nan"), "1.00"),
        (18.06, 0.56, "18.1 ± 0.6"),
    ],
)
def test_an_error_has_one_or_two_figures(value, sem, text):
    assert plus_minus(value, sem) == text and places(sem) >= 0


def test_a_report_has_the_literature_by_class_with_sources(run, page):
    """The run is in its class, once, at the place of its mean; each row has law and source."""
    table = page[page.index('id="literature"') :]
    table = table[: table.index("</details>")]
    titles = re.findall(r"<h3>(.*?)</h3>", table)
    assert titles == list(CLASSES.values())
    total = json.loads((run / "result.json").read_text())["results"][-1]
    kept = f"{total['mean_kept']:.2f}"
    classes = table.split("<h3>")[1:]
    assert [part.count('class="ours"') for part in classes] == [1, 0, 0, 0, 0]
    found = [
        [unescape(re.sub(r"<[^>]+>", "", cell)) for cell in re.findall(r"<td.*?</td>", row)]
        for row in re.findall(r"<tr.*?</tr>", classes[0])[1:]
    ]
    means = [float(row[5].split()[0]) for row in found if row[5]]
    assert means == sorted(means, reverse=True)
    [own] = [row for row in found if row[0] == run.name]
    assert own[5].startswith(kept) and own[7] == "this run"
    named = {one.name: one for one in literature()["none"]}
    assert len(found) == 1 + len(named)
    for row in found:
        if row[0] in named:
            assert row[7].startswith(named[row[0]].source) and row[6]
            for place, count in enumerate((2, 3, 4, 5), 1):
                score = named[row[0]].scores.get(count)
                assert row[place].startswith(f"{score:.2f}" if score else "")


def test_mixed_play_is_not_set_beside_scores_of_mirror_play(tmp_path):
    folder = tmp_path / "mixed"
    shutil.copytree(REFERENCE / "mixed-cig2018", folder)
    assert 'id="literature"' not in report(folder).read_text()
