"""Pools that name agents of pools: a chain is followed, a circle is said in one line."""

import pytest

from hanabi.rules.agents import load, named, pool


def member(folder, name, agent):
    """Write a pool with one agent, and return the spec of this agent."""
    (folder / f"{name}.toml").write_text(f'[members.x]\nagent = "{agent}"\n')
    return f"{folder}/{name}.toml/x"


def test_each_pool_of_a_long_chain_is_read_once(tmp_path, monkeypatch):
    spec = "piers"
    for number in range(300):
        spec = member(tmp_path, f"p{number}", spec)
    read = []
    real = named.read_toml
    monkeypatch.setattr(named, "read_toml", lambda file: read.append(file) or real(file))
    assert load(spec).name == "piers" and [one.name for one in pool(spec[:-2])] == ["piers"]
    pools = [file for file in map(str, read) if file.startswith(str(tmp_path))]
    assert len(pools) == len(set(pools)) == 300


def test_a_pool_that_changed_is_read_again(tmp_path):
    spec = member(tmp_path, "p", "piers")
    assert load(spec).name == "piers"
    member(tmp_path, "p", "outer, and more"[:5])
    assert load(spec).name == "outer"
    member(tmp_path, "p", "iggi")
    assert load(spec).name == "iggi"


@pytest.mark.parametrize(
    "agents",
    [["p0"], ["p1", "p2", "p0"], ["search:p0"], ["search:p1", "p0"]],
    ids=["itself", "through others", "searching itself", "through a search"],
)
def test_a_pool_that_contains_itself_says_so(agents, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, agent in enumerate(agents):
        (tmp_path / f"p{number}.toml").write_text(f'[members.x]\nagent = "{agent}.toml/x"\n')
    for call in (lambda: load("p0.toml/x"), lambda: pool("p0.toml")):
        with pytest.raises(ValueError, match="is itself again, through the pools that it names$"):
            call()


def test_searches_one_in_another_are_refused_without_end(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(300):
        text = f'[members.x]\nagent = "search:p{number + 1}.toml/x"\n'
        (tmp_path / f"p{number}.toml").write_text(text)
    with pytest.raises(ValueError, match="stands in another agent of a kind: leave one out"):
        load("p0.toml/x")
