"""Runs, their reports, and agents, as the site shows them."""

import csv
import io
import os
import re
import shutil
import time
from dataclasses import replace

import pytest
from paths import PATIENCE, ROOT
from tables import seated, site
from tiny import tiny

from hanabi.evolve import evolve
from hanabi.evolve.ga.config import override, preset
from hanabi.evolve.ga.individual import Problem
from hanabi.evolve.ga.operators import load_operators
from hanabi.evolve.ga.progress import seconds_left
from hanabi.evolve.ga.run_folder import RunState, locked, read, state_of
from hanabi.evolve.pools.partner_menu import THINKERS
from hanabi.evolve.reports import report_games
from hanabi.evolve.site.run_list import best_list, read_curves, run_data, time_left
from hanabi.evolve.site.run_starter import RunStarter, evolve_words
from hanabi.rules.agents import dumps, load, read_scores

REFERENCE = ROOT / "runs" / "reference"


@pytest.fixture
def runs(tmp_path):
    """A folder of one finished run, one with four parts, and one whose name is markup."""
    folder = tmp_path / "runs"
    for name, called in (
        ("mirror-cig2018", "one"),
        ("mirror-living-per-count", "parts"),
        ("mixed-cig2018", "<b>&"),
    ):
        shutil.copytree(REFERENCE / name, folder / called)
    return folder


def test_runs_as_their_files_have_them(runs, tmp_path):
    with site(tmp_path / "games", runs=runs) as (client, found):
        assert client.get("/").status_code == client.get("/runs").status_code == 200
        rows = {row["name"]: row for row in client.get("/runs/state").json()}
        assert (
            set(rows) == {"one", "parts", "<b>&"}
            and rows["one"]["state"] == "done"
            and not rows["one"]["report"]
        )
        written = list(csv.DictReader(io.StringIO((runs / "one" / "log.csv").read_text())))
        run = client.get("/runs/one/curve").json()
        assert [row[1] for row in run["curves"][0]["rows"]] == [
            float(row["best"]) for row in written
        ]
        assert [curve["list"] for curve in client.get("/runs/parts/curve").json()["curves"]] == [
            "2",
            "3",
            "4",
            "5",
        ]
        page = client.get("/runs/%3Cb%3E&")
        assert page.status_code == 200 and "<b>&" not in page.text and "&lt;b&gt;&amp;" in page.text
        assert client.get("/runs/one/report").json()["error"].startswith("There is no report yet")
        (runs / "one" / "report.html").write_text("<script>1</script>")
        answer = client.get("/runs/one/report")
        assert answer.text == "<script>1</script>"
        assert answer.headers.get_list("content-security-policy")[0].startswith(
            "sandbox allow-scripts; default-src 'none'"
        )
        for path in (
            "/runs/none",
            "/runs/none/curve",
            "/runs/..%2Fone",
            "/runs/..%2F..%2Fetc/report",
            "/runs/none/report",
        ):
            assert client.get(path).status_code == 404, path


def test_reference_runs_are_listed_behind_the_own_ones(runs, tmp_path):
    shutil.copytree(REFERENCE / "mirror-cig2018", runs / "reference" / "one")
    with site(tmp_path / "games", runs=runs) as (client, found):
        rows = client.get("/runs/state").json()
        names = [row["name"] for row in rows]
        assert sorted(names[:3]) == ["<b>&", "one", "parts"] and names[3:] == ["one (reference)"]
        assert found.agents["one"] != found.agents["one (reference)"]
        assert client.get("/runs/one (reference)/curve").json()["state"] == "done"
        assert client.get("/compare?run=one&run=one (reference)").status_code == 200
        assert client.get("/runs/reference").status_code == 404


def test_the_newest_run_is_first(runs, tmp_path):
    """By the time at which it began, and not by its name; one that goes on comes before."""
    for name, time_of in (("one", 300), ("parts", 100), ("<b>&", 200)):
        os.utime(runs / name / "run.json", (time_of, time_of))
    with site(tmp_path / "games", runs=runs) as (client, _):

        def names():
            return [row["name"] for row in client.get("/runs/state").json()]

        assert names() == ["one", "<b>&", "parts"]
        (runs / "parts" / "result.json").unlink()
        with locked(runs / "parts"):
            assert names() == ["parts", "one", "<b>&"]


def test_what_a_run_does_now_has_a_name(runs, tmp_path, monkeypatch):
    starter, running = RunStarter(runs), [True]
    monkeypatch.setattr(RunStarter, "is_running", property(lambda self: running[0]))
    assert RunStarter(tmp_path).state()["phase"] == "starting"
    starter.run = runs / "one"
    end = {"generation": 5, "generations": 9}
    states = {name: RunState(runs / "one", name, **end) for name in ("stopped", "running", "done")}
    words = {"stopped": "starting", "running": "running", "done": "writing the report"}
    assert {name: starter.phase(states[name]) for name in states} == words
    other = RunState(runs / "parts", "stopped", **end)
    assert starter.phase(other) == "stopped", "of another run"
    monkeypatch.setattr(starter, "_is_stopping", True)
    assert {starter.phase(state) for state in states.values()} == {"stopping"}
    running[0] = False
    assert {name: starter.phase(states[name]) for name in states} == {name: name for name in states}
    last = replace(states["running"], generation=9)
    assert starter.phase(last) == "measuring again" and starter.phase(None) == ""
    assert starter.phase(replace(last, state="stopped")) == "stopped"
    config = runs / "one" / "config.toml"
    config.write_text(f"minutes = 2.0\n{config.read_text()}")
    for seconds, phase in ((119.0, "running"), (120.0, "measuring again"), (None, "running")):
        assert starter.phase(replace(states["running"], seconds=seconds)) == phase


def test_the_last_line_of_a_run_that_failed_is_told(tmp_path):
    starter = RunStarter(tmp_path)
    starter.start(["--preset", "nothing"])
    assert starter.state()["running"]
    starter._process.wait(PATIENCE)
    state = starter.state()
    assert not state["running"] and state["error"].startswith("hanabi: ")
    assert "nothing" in state["error"] and "\n" not in state["error"]


def test_news_of_the_started_run_are_sent_at_once(tmp_path, monkeypatch):
    """A page that knows a phase is answered when it is over, and not before."""
    phases = iter(["starting"] * 3 + ["running"])
    with site(tmp_path / "games", runs=tmp_path / "runs", news=600.0) as (client, found):
        monkeypatch.setattr(found.starter, "state", lambda: {"phase": next(phases)})
        assert client.get("/runs/started?phase=starting").json() == {"phase": "running"}


def test_what_all_lists_have_is_no_diversity(tmp_path):
    """Of orders of all rules; lists of which some rules are read differ."""
    for name, length in (("all", 0), ("some", 3)):
        run = evolve(tiny(order_length=length, generations=1), tmp_path / name, jobs=1)
        assert set(run.log["common"]) == {1.0} if not length else max(run.log["common"]) < 1
        shares = [row[-1] for row in read_curves(run.folder)[0]["rows"]]
        assert shares == ([None] * 2 if not length else run.log["common"].tolist())
        game = run.config.game
        played = {"players": game.players[0], "variant": game.variant, "otherwise": "default"}
        assert best_list(run.folder)["played"] == played


def test_served_reports_link_back_to_the_site(runs, tmp_path):
    """The files on disk are self-contained, without the link."""
    shutil.copytree(runs / "one", runs / "a&b")
    report = runs / "a&b" / "report.html"
    report.write_text("<!doctype html><html><body class=x><h1>Report</h1></body></html>")
    with site(tmp_path / "games", runs=runs) as (client, found):
        page = client.get("/runs/a%26b/report").text
        [path] = re.findall(r"<body class=x><nav[^>]*><a href=\"([^\"]*)\">← a&amp;b</a>", page)
        assert client.get(path).url.path == "/runs/a&b" and client.get(path).status_code == 200
        assert '<a href="/runs">' in client.get("/compare?run=one&run=parts").text
    assert "nav" not in report.read_text()


def written(client, name):
    """The state of a run's report, once nothing is written any more."""
    while (state := client.get(f"/runs/{name}/curve").json())["writing"] is not None:
        time.sleep(0.02)
    return state


def files_in(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_report_is_written_when_it_is_asked_for_and_the_run_stays_as_it_was(
    runs, tmp_path, monkeypatch
):
    monkeypatch.setattr(report_games, "GAMES", 2)
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path / "cache"))
    before = files_in(runs)
    with site(tmp_path / "games", runs=runs) as (client, found):
        missing = client.get("/runs/one/report")
        assert missing.status_code == 404 and str(tmp_path) not in missing.text
        assert client.post("/runs/one/report", data={"x": "y"}).status_code == 415, (
            "only scripts of the site's own pages may send this"
        )
        assert client.post("/runs/none/report", json={}).status_code == 404
        assert (
            client.post("/runs/one/report", json={}).status_code
            == client.post("/runs/one/report", json={}).status_code
            == 200
        )
        state = written(client, "one")
        assert state["report"] and not state["problem"], state["problem"]
        answer = client.get("/runs/one/report")
        assert "points over" in answer.text and answer.headers.get_list("content-security-policy")[
            0
        ].startswith("sandbox allow-scripts")
        assert not written(client, "parts")["report"], "of this run only"
        assert files_in(runs) == before, "the folder of a run stays as it was committed"
    with site(tmp_path / "games", runs=runs) as (client, found):
        assert client.get("/runs/one/report").text == answer.text, "it is kept"
        (runs / "one" / "report.html").write_text("<p>mine")
        assert client.get("/runs/one/report").text == "<p>mine", (
            "the one that hanabi report wrote comes first"
        )


def test_a_report_that_cannot_be_written_says_why(runs, tmp_path, monkeypatch):
    monkeypatch.setattr(report_games, "GAMES", 2)
    monkeypatch.setenv("HANABI_CACHE", str(tmp_path / "cache"))
    (runs / "one" / "best.toml").write_text("x = 1")
    config = runs / "parts" / "config.toml"
    config.write_text(
        config.read_text().replace("rule_files = []", f'rule_files = ["{tmp_path / "mine.py"}"]')
    )
    (tmp_path / "mine.py").write_text("raise SystemExit('run')")
    with site(tmp_path / "games", runs=runs) as (client, found):
        for name, says in (
            ("one", "best.toml was changed after the run"),
            ("parts", "rules of its own, and the site loads none"),
        ):
            assert client.post(f"/runs/{name}/report", json={}).status_code == 200
            state = written(client, name)
            assert (
                says in state["problem"] and "\n" not in state["problem"] and not state["report"]
            ), state["problem"]
        (runs / "<b>&" / "result.json").unlink()
        assert client.post("/runs/%3Cb%3E&/report", json={}).status_code == 409


def test_a_curve_moves_while_a_run_evolves(runs):
    log = runs / "one" / "log.csv"
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:4]) + lines[4][:20])  # its last line is being written
    [curve] = read_curves(runs / "one")
    assert len(curve["rows"]) in (3, 4)
    log.write_text("".join(lines[:6]))
    assert len(read_curves(runs / "one")[0]["rows"]) == 5
    log.write_text("generation,best\n0,nan\n1,inf\n2,1e999\n3,x\n")
    assert read_curves(runs / "one") == []


def test_winners_may_be_seated_and_agents_say_what_they_do(runs, tmp_path):
    with site(tmp_path / "games", {"piers": "piers"}, runs=runs) as (client, found):
        names = [row["name"] for row in client.get("/agents/state").json()]
        assert set(names) == {"piers", "one", "parts", "<b>&", *THINKERS}
        text = client.get("/agents/piers").text
        assert "Play my first card that can only be playable" in text
        assert "9 rules, the first that applies decides" in text and "Play with it" in text
        page = client.get("/agents/%3Cb%3E&").text
        assert "<b>&</b>" not in page and "&lt;b&gt;&amp;" in page
        assert client.get("/agents/none").status_code == 404
        assert seated(client, "person", "one")
        assert 'value="person" selected' in client.get("/play").text
        assert re.search('<option value="one"[^>]* selected', client.get("/play?with=one").text)


def test_finished_runs_side_by_side(runs, tmp_path):
    with site(tmp_path / "games", runs=runs) as (client, found):
        answer = client.get("/compare?run=one&run=%3Cb%3E%26")
        assert (
            answer.status_code == 200
            and answer.text.startswith("<!doctype html>")
            and "<b>&" not in answer.text
        )
        assert answer.headers.get_list("content-security-policy")[0].startswith(
            "sandbox allow-scripts; default-src 'none'"
        )
        assert client.get("/compare?run=one").json()["error"] == "1 run side by side: name 2 to 8"
        assert client.get("/compare?run=one&run=none").status_code == 404
        (runs / "parts" / "result.json").unlink()
        answer = client.get("/compare?run=one&run=parts")
        assert answer.status_code == 422 and "has not finished" in answer.json()["error"]
        page = client.get("/compare?run=one&run=parts", headers={"accept": "text/html,*/*"})
        assert (
            page.status_code == 422
            and "has not finished" in page.text
            and page.text.startswith("<!doctype html>")
        )
        assert 'role="alert"' in page.text and 'href="/evolve" aria-current="page"' in page.text


def test_changes_and_the_best_list_of_a_run(tmp_path):
    folder = evolve(
        tiny(generations=2, variable_length=True, local_search_games=400),
        tmp_path / "runs",
        jobs=1,
    ).folder
    with site(tmp_path / "games", runs=tmp_path / "runs") as (client, _):
        path = f"/runs/{folder.name}/changes"
        data = client.get(path).json()
        written = (folder / "changes.csv").read_text().splitlines()[1:]
        assert data["count"] == len(written) > 0
        assert data["changes"][0]["says"] in written[0].replace('""', '"')
        assert client.get(f"{path}?after={data['count']}").json()["changes"] == []
        assert data["best"]["generation"] == "2" and data["best"]["rules"]


def test_a_run_is_started_stopped_and_resumed_from_the_page(tmp_path):
    runs = tmp_path / "runs"
    with site(tmp_path / "games", runs=runs) as (client, found):
        for body, words in (
            ({"preset": "none"}, "preset"),
            ({"preset": "quick", "settings": ["generatoins=2"]}, "generations"),
            ({"preset": "quick", "start": "nobody"}, "agent"),
            ({"preset": "quick", "players": [7]}, "players"),
            ({"preset": "quick", "seed": -1}, "seed"),
            ({"preset": "quick", "minutes": -1}, "minutes"),
            ({"preset": "quick", "minutes": "five"}, "minutes"),
            ({"preset": "quick", "rules": ["x.py"]}, "no set"),
            ({"preset": "quick", "rules": "living"}, "list of sets"),
            ({"preset": "quick", "settings": ["part_generations=[1]"]}, "part_generations"),
        ):
            answer = client.post("/runs", json=body)
            assert answer.status_code == 422 and words in answer.json()["error"], answer.text
        settings = ["generations=4000", "population=8", "games=50", "final_games=50"]
        body = {"preset": "quick", "players": [2], "seed": 5, "settings": settings, "name": "mine"}
        begun = client.post("/runs", json=body).json()
        assert "--set seed=5" in begun["line"] and begun["run"].endswith("-mine")
        assert client.post("/runs", json=body).status_code == 409, "one at a time"
        while not [row for row in client.get("/runs/state").json() if row["generation"]]:
            assert client.get("/runs/started").json()["running"], found.starter.errors
            time.sleep(0.1)
        assert [row["name"] for row in client.get("/runs/state").json()] == [begun["run"]]
        assert client.post(f"/runs/{begun['run']}/stop", json={}).status_code == 200
        while client.get("/runs/started").json()["running"]:
            time.sleep(0.05)
        [row] = client.get("/runs/state").json()
        assert row["state"] == "stopped" and client.get("/runs/started").json()["error"] == ""
        assert client.post(f"/runs/{row['name']}/resume", json={}).status_code == 200
        client.post("/runs/started/stop", json={})
        while client.get("/runs/started").json()["running"]:
            time.sleep(0.05)
        assert client.post("/runs/started/stop", json={}).status_code == 409


@pytest.mark.parametrize(
    "setting",
    [
        "mate={folder}/evil.txt:f",
        "mate={folder}/evil.PY:f",
        "mutate=evil:f",
        "search.select='evil.py:f'",
        'genome.rule_files=["{folder}/evil.\\u0070y"]',
        "rule_files=evil",
        'start=["{folder}/agent.toml"]',
        "start=agent.toml",
        "start=evil",
        "start=search:evil",
        'pool=["piers", "{folder}/pool.tom\\u006c"]',
        "pool=pool.toml:train",
        "pool=pool.toml/one",
        "variant={folder}/v.toml",
        'game.variant="v.tom\\u006c"',
        "variant=v.toml,hand=4",
    ],
)
def test_a_form_names_no_file(setting, tmp_path, monkeypatch):
    """Checked as the config reads the values, whatever their letters; no file is opened."""
    monkeypatch.chdir(tmp_path)
    for name in ("evil", "evil.txt", "evil.PY", "evil.py", "agent.toml", "pool.toml", "v.toml"):
        (tmp_path / name).write_text("open('ran', 'w')\n")
    agents = {"mine": "agents/mine.toml"}
    with pytest.raises(ValueError, match="is no plain name|no variant") as refused:
        evolve_words({"preset": "quick", "settings": [setting.format(folder=tmp_path)]}, agents)
    assert "cannot read" not in str(refused.value) and not (tmp_path / "ran").exists()
    agent = '"agents/mine.toml"'
    offered = {"preset": "paper-mixed", "start": "mine", "settings": [f"pool=[{agent}, 'piers']"]}
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "mine.toml").write_text(dumps(load("piers")))
    assert f"start=[{agent}]" in evolve_words(offered, agents), "agents of the site may be named"


@pytest.mark.parametrize("of_operator", [True, False], ids=["operator", "rules"])
def test_a_run_of_the_page_runs_no_code_that_it_was_not_given(of_operator, tmp_path):
    """Even if the check of the form missed it, and also a run folder from elsewhere."""
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    file = tmp_path / "evil.py"
    setting = f"mate={file}:f" if of_operator else f'rule_files=["{file}"]'
    starter = RunStarter(tmp_path / "runs")
    starter.start(["--preset", "quick", "--set", setting])
    while starter.is_running:
        time.sleep(0.05)
    assert "is code, and a page may not choose it" in starter.state()["error"]
    assert not (tmp_path / "ran").exists()
    config = override(preset("quick"), [setting])
    with pytest.raises(ValueError, match="evil.py"):
        load_operators(config)
        Problem.of(config)
    assert (tmp_path / "ran").exists(), "a command line may name it"


@pytest.mark.parametrize("lists", [[], ["2", "3"]])
def test_the_time_left_is_the_terminals(tmp_path, lists):
    """After each generation, also of a run of several lists, and after it was resumed."""
    steps = []
    folder = evolve(
        tiny(generations=2, lists=lists), tmp_path / "runs", progress=steps.append, jobs=1
    ).folder
    steps = [step for step in steps if step.stage == "evolve"]
    parts = [folder / part for part in lists] or [folder]
    rows = [
        (part, line)
        for part in parts
        for line in (part / "timing.csv").read_text().splitlines()[1:]
    ]
    assert len(rows) == len(steps) == 3 * len(parts)
    for part in parts:
        (part / "timing.csv").write_text("generation,seconds,games,games_per_second,jobs\n")
    for (part, row), step in zip(rows, steps):
        with open(part / "timing.csv", "a") as file:
            file.write(f"{row}\n")
        state = RunState(folder, "running", step.generation, step.generations)
        assert time_left(state) == pytest.approx(step.left, abs=0.06)
        assert time_left(replace(state, state="done")) is None
    assert steps[0].left > 0 == steps[-1].left
    data = run_data(state)
    assert data["lists"] == lists and data["ends"] == [2] * len(parts)
    assert data["place"] == len(parts) - 1 and data["reached"] == 2


def test_the_time_left_follows_the_newest_generations():
    assert (
        seconds_left([], 5) != seconds_left([], 5)
        and seconds_left([2.0], 5) == 10.0
        and seconds_left([2.0], 0) == 0.0
    )
    assert seconds_left([100.0] + [1.0] * 20, 3) == 3.0, (
        "the first one, in which everything was compiled, counts no more"
    )


def test_the_list_of_a_generation(runs, tmp_path):
    """Rules by name, also of orders, which log.csv has as places; and of one of several lists."""
    with site(tmp_path / "games", runs=runs) as (client, found):
        log = list(csv.DictReader(io.StringIO((runs / "one" / "log.csv").read_text())))
        for number in (0, 5, len(log) - 1):
            data = client.get(f"/runs/one/list?generation={number}").json()
            assert data["generation"] == str(number)
            assert data["rules"] == log[number]["rules"].split("; ")
            assert data["before"] == log[max(0, number - 3)]["rules"].split("; ")
        assert client.get("/runs/one/list").json()["generation"] == str(len(log) - 1)
        part = list(csv.DictReader(io.StringIO((runs / "parts" / "4" / "log.csv").read_text())))
        data = client.get("/runs/parts/list?list=4&generation=2").json()
        assert data["list"] == "4" and data["rules"] == part[2]["rules"].split("; ")
        for query in (
            "one/list?generation=999",
            "one/list?list=4",
            "parts/list?list=..%2Fone",
            "parts/list?list=%2Fetc",
            "none/list",
        ):
            assert client.get(f"/runs/{query}").status_code == 404, query
        assert client.post("/runs/one/stop", json={}).status_code == 409, "not started here"
    order = evolve(tiny(generations=1, order_length=3), tmp_path / "orders", jobs=1, dated=False)
    row = next(csv.DictReader(io.StringIO((order / "log.csv").read_text())))
    rules = Problem.of(order.config).rules
    assert best_list(order.folder, generation=0)["rules"] == [
        rules[int(place)] for place in row["order"].split()
    ]


def test_references_are_those_of_the_player_count(runs):
    """Mean kept or zero points of known agents; none where points are not comparable."""
    scores = read_scores()
    data = run_data(state_of(runs / "parts"))
    for part, names in data["references"].items():
        counts = "2345" if part == "" else part
        column = 2 if read(runs / "parts")[0].game.scoring == "zero" else 0
        for name, (shown, points) in zip(("piers", "mirror-situational-2018", "convention"), names):
            wanted = [scores[name][count][column] for count in counts]
            assert points == pytest.approx(sum(wanted) / len(wanted)), (part, shown)
    assert list(data["references"]) == ["", "2", "3", "4", "5"]
    assert run_data(state_of(runs / "<b>&"))["references"] == {}, "mixed play"


def test_a_run_that_its_minutes_ended_says_so(tmp_path):
    run = evolve(tiny(minutes=1e-6), tmp_path / "runs", jobs=1, dated=False)
    data = run_data(run.state)
    assert (data["limit"], data["ended"], data["ends"]) == (1e-6, True, [0])
    assert data["command"].endswith("--set minutes=0 --set generations=0")
