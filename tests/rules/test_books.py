"""Books of conventions: their files, agents that name one, and who shares one."""

import pytest

from hanabi.rules.agents import book_of, book_text, dumps, load, loads
from hanabi.rules.agents.agent import BOOKS, read_book

OWN = """
[rules]
2-5 = ["play_marked", "tell_new(tokens=1, new=1)", "discard_expected"]
"""


def test_the_books_that_there_are():
    assert [*BOOKS] == sorted("plain convention hgroup-1 hgroup-5 pairs reactor sieve code".split())


@pytest.mark.parametrize("name", [*BOOKS])
def test_a_book_is_a_short_agent_file_that_reads_back(name):
    text = BOOKS[name].read_text(encoding="utf-8")
    assert dumps(loads(text, name)) == text
    agent = load(f"book:{name}")
    assert agent.name == f"book:{name}"
    for players in (2, 3, 4, 5):
        player = agent.list_at(players)
        assert 3 <= len(player.rules) <= 10 and book_of(agent, players)
        answers = {entry.family.goes_with for entry in player.conventions} - {""}
        families = {rule.family.name for rule in player.rules}
        chosen = {"save", "tell_stall"}  # they are hints, which a list may do without
        assert name == "plain" or players == 2 or answers - chosen <= families
        for entry in player.conventions:
            assert entry.says in str(agent)


@pytest.mark.parametrize("name", sorted({*BOOKS} - {"plain"}))
def test_a_book_has_the_conventions_and_weights_of_its_agent(name):
    for players in (2, 3, 4, 5):
        book, agent = load(f"book:{name}").list_at(players), load(name).list_at(players)
        assert (book.conventions, book.weights) == (agent.conventions, agent.weights)


def test_an_agent_file_may_name_a_book():
    agent = loads(f'name = "mine"\nbook = "convention"\n{OWN}', "mine.toml")
    book = load("convention")
    assert (agent.conventions, agent.weights) == (book.conventions, book.weights)
    assert [rule.name for rule in agent.rules(3)][0] == "play_marked"
    assert book_text(agent) == "convention" and loads(dumps(agent)) == agent


def test_its_own_tables_stand_above_those_of_the_book():
    own = '[conventions]\n2-5 = ["focus(ranks=0)"]\n'
    agent = loads(f'name = "mine"\nbook = "convention"\n{OWN}{own}', "mine.toml")
    assert [entry.name for entry in agent.conventions["2-5"]] == ["focus(ranks=0)"]
    assert agent.weights == load("convention").weights and book_text(agent) == "no book"


@pytest.mark.parametrize(
    ("spec", "books"),
    [
        ("piers", "plain"),
        ("pairs", "convention (2), pairs (3-5)"),
        ("search:hgroup-5", "hgroup-5"),
        ("convention-simple", "no book"),
        ("code-information", "no book"),
    ],
)
def test_who_shares_a_book(spec, books):
    assert book_text(load(spec)) == books


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('book = "conventon"', "mine.toml: no book 'conventon' .did you mean 'convention'"),
        ("book = 3", "mine.toml: book should be text, not 3"),
    ],
)
def test_a_book_that_does_not_exist_is_said(text, words):
    with pytest.raises(ValueError, match=words) as error:
        loads(f"{text}\n{OWN}", "mine.toml")
    assert "\n" not in str(error.value)


def test_a_spec_of_no_book_is_said():
    with pytest.raises(ValueError, match="no book 'x'.*plain"):
        load("book:x")
    with pytest.raises(ValueError, match="no book ''"):
        read_book("")
