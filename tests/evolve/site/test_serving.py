"""Where the site listens, and a server that is killed."""

import re
from threading import Thread

import pytest
from bench.page_cost import Guest, apart
from starlette.testclient import TestClient
from tables import seated, settled, site, table
from typed import typed

from hanabi.evolve.site import serving
from hanabi.evolve.site.requests import is_loopback, list_addresses
from hanabi.evolve.site.serving import listen, saved_agents
from hanabi.game_reader import load
from hanabi.moves import move_text


def test_a_killed_server_loses_no_move(tmp_path):
    with site(tmp_path) as (client, found):
        link = seated(client, "person", "piers", seed=3)[0]
        client.post(f"{link}/move", json={"move": "play 0", "turn": 0})
        before = settled(client, link)
    with site(tmp_path) as (client, found):  # another server, which has nothing but the folder
        after = settled(client, link)
        for state in (before, after):
            del state["version"]
        assert after == before
        found.tables.open.clear()  # and one that forgot the table
        assert client.get(f"{link}/state").json()["game"] == after["game"]


def test_a_server_that_is_killed_loses_no_move(tmp_path):
    """Not told to end, but killed, right after it has answered; another one goes on from the
    folder.
    """
    with apart(tmp_path) as (host, process):
        guest = Guest(host)
        link = guest.sit(3)
        guest.ask(f"{link}/move", move="play 0", turn=0)
        process.kill()
        process.wait()
        guest.connection.close()
    [file] = tmp_path.glob("*.toml")
    assert move_text(load(file).moves[0]) == "play 0"
    with site(tmp_path) as (client, found):
        assert settled(client, link)["game"]["turns"][0]["move"]["words"].startswith("Ann plays ")


def test_where_it_listens_and_who_needs_a_token():
    assert (
        is_loopback("127.0.0.1")
        and is_loopback("::1")
        and is_loopback("localhost")
        and not is_loopback("0.0.0.0")
        and not is_loopback("192.168.0.7")
        and not is_loopback("example.org")
    )
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            ValueError,
            match=f"^cannot listen at 127.0.0.1, port {port}: address already in use; name another",
        ):
            listen("127.0.0.1", port)
    with pytest.raises(ValueError, match="^cannot listen at 203.0.113.1, port 1"):
        listen("203.0.113.1", 1)
    assert "127.0.0.1" not in list_addresses() or len(list_addresses()) == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_printed_links_open_the_site(host, tmp_path, monkeypatch):
    """Also on this machine the site needs the token; the links of seats go to others without it."""
    served, said, opened = [], [], []

    class Server:
        def run(self, sockets):
            [listening] = sockets
            port = listening.getsockname()[1]
            with TestClient(served[0].app([f"127.0.0.1:{port}"])) as client:
                for line in said:
                    path = re.sub(r".*http://[\w.:]+", "", line)
                    client.cookies.clear()
                    base = {"headers": {"host": f"127.0.0.1:{port}"}}
                    page = client.get(path, follow_redirects=False, **base)
                    opened.append((page.status_code, "set-cookie" in page.headers))
            served.clear()

    def make_server(site, hosts):
        served.append(site)
        return Server()

    monkeypatch.setattr(serving, "make_server", make_server)
    monkeypatch.setattr(serving.webbrowser, "open", lambda link: None)
    links = []
    monkeypatch.setattr(
        serving, "Timer", lambda seconds, act, words: links.append(*words) or Thread()
    )
    serving.run(tmp_path, (host, 0), lambda lines: said.extend(lines[:-1]), True)
    assert opened == [(303, True)] and links == [said[0].removeprefix("The site is at ")]
    assert re.search(r"/\?token=[\w-]{24}$", said[0])
    said.clear(), opened.clear(), links.clear()
    here = table("person", "person", path=tmp_path / "game.toml")
    here.save()
    serving.run(tmp_path, (host, 0), lambda lines: said.extend(lines[:-1]), True, here)
    assert [line.partition(" at ")[0] for line in said] == ["Ann plays", "Bob plays", "The site is"]
    assert opened == [(200, False), (200, False), (303, True)]
    token = said[2].partition("?")[2]
    assert links == [f"{said[0].removeprefix('Ann plays at ')}?{token}"] and "token" not in said[0]


def test_build_opens_the_workbench_with_an_agent(tmp_path, monkeypatch):
    """The server is not started: its page, agents and rule files are looked at."""
    (tmp_path / "rules.py").write_text(
        "from hanabi import NOTHING, rule\n\n\n@rule()\ndef none(view):\n"
        '    """Do nothing."""\n    return NOTHING\n'
    )
    code, text, _ = typed("export", "piers", folder=tmp_path)
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "kept.toml").write_text(text.replace('"piers"', '"kept"'))
    (tmp_path / "agents" / "broken.toml").write_text("rules = 3")
    begun = []

    def serve(*args, runs, rule_files):
        begun.append((*args, rule_files))
        begun.append(saved_agents(args[-1]))

    monkeypatch.setattr(serving, "run", serve)
    words = ["build", "agents/kept.toml", "--players", "2", "--rules", "rules.py", "--no-browser"]
    assert typed(*words, folder=tmp_path)[0] == code == 0
    (_, _, _, browser, table, page, more, agents, files), saved = begun
    assert (browser, table, list(more), [str(file) for file in files]) == (
        False,
        None,
        ["agents/kept.toml"],
        ["rules.py"],
    )
    assert page == "/build?agent=kept&players=2&variant=standard" and str(agents) == "agents"
    assert list(saved) == ["kept"]
